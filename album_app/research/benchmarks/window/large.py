"""Measures the way of very many photos: scan, thumbnails, features, choosing, arranging, export, and the window.

Makes an album of its own out of a few hundred drawn pictures and hard links to them. Every size is measured by two
processes of its own, one without a window and one with, whose cache the first has filled.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from album_app.research.benchmarks.goal import Goal
from album_app.research.benchmarks.window.large_stages import PARTS, Cost, costs_in, measure

SIZES = (1_000, 10_000, 100_000)
GROWTH = 12.0
IN_WINDOW = ("final sheet and every small picture", "move a pin", "the sheet judged, all at rest", "scroll the tray")


@dataclass(frozen=True)
class Bar:
    """What a stage should cost at most with so many photos."""

    stage: str
    photos: int
    seconds: float | None = None
    megabytes: float | None = None

    def holds(self, cost: Cost) -> bool:
        return (self.seconds is None or cost.seconds <= self.seconds) and (
            self.megabytes is None or cost.megabytes <= self.megabytes
        )

    def __str__(self) -> str:
        wanted = [f"{self.seconds:g} s"] if self.seconds is not None else []
        wanted += [f"{self.megabytes:,.0f} MB"] if self.megabytes is not None else []
        return f"at most {', '.join(wanted)}"


BARS = (
    Bar("choose and arrange on 16 x 20", 100_000, 3.0, 700.0),
    Bar("arrange all", 10_000, 1.2),
    Bar("arrange all", 100_000, None, 1000.0),
    Bar("first sheet in a window, all of it cached", 10_000, 3.0, 450.0),
    *(Bar(stage, 10_000, None, 450.0) for stage in IN_WINDOW),
    *(Bar(stage, 100_000, None, 1200.0) for stage in ("first sheet in a window, all of it cached", *IN_WINDOW)),
    *(Bar("autosave, on the GUI thread", photos, 0.05) for photos in SIZES),
    *(Bar("save anew, longest stall", photos, 0.05) for photos in SIZES),
    *(Bar("undo", photos, 0.05) for photos in SIZES),
    *(Bar("scroll the tray", photos, 0.017) for photos in SIZES),
    *(Bar("filter the tray", photos, 0.017) for photos in SIZES),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--photos", type=int, nargs="+", default=list(SIZES), help="sizes (default 1000 10000 100000)")
    parser.add_argument("--only", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    if arguments.only is not None:
        measure(arguments.only, arguments.folder, arguments.photos[0])
        return 0
    print(f"{'stage':<42}{'photos':>9}{'seconds':>10}{'computing':>11}{'peak MB':>9}{'ms a photo':>12}")
    costs: list[Cost] = []
    for count in arguments.photos:
        for cost in costs_of(count):
            costs.append(cost)
            print(line_of(cost), flush=True)
    print()
    for goal in growths(costs):
        print(goal)
    return 0


def costs_of(count: int) -> Iterator[Cost]:
    """What every stage costs with so many photos."""
    from album_app.research.benchmarks.window.albums import link_photos, own_cache

    with own_cache(), tempfile.TemporaryDirectory(prefix="album-large-") as place:
        folder = Path(place) / "photos"
        folder.mkdir()
        link_photos(folder, count)
        for part in PARTS:
            words = ["--photos", str(count), "--only", part, "--folder", str(folder)]
            command = [sys.executable, "-m", "album_app", "bench", "large", *words]
            environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
                yield from costs_in(process.stdout or ())


def line_of(cost: Cost) -> str:
    """A row of the table, beside the bars of its stage."""
    bars = [bar for bar in BARS if (bar.stage, bar.photos) == (cost.stage, cost.photos)]
    verdicts = "".join(f"  {bar}: {'reached' if bar.holds(cost) else 'MISSED'}" for bar in bars)
    times = f"{cost.seconds:>10.3f}{cost.processor:>11.3f}"
    return (
        f"{cost.stage:<42}{cost.photos:>9,}{times}{cost.megabytes:>9,.0f}{cost.milliseconds_a_photo:>12.4f}{verdicts}"
    )


def growths(costs: Sequence[Cost]) -> Iterator[Goal]:
    """How many times longer a stage takes with ten times the photos, for the two largest sizes measured."""
    sizes = sorted({cost.photos for cost in costs})[-2:]
    if len(sizes) < 2:
        return
    seconds = {(cost.stage, cost.photos): cost.seconds for cost in costs}
    tens = sizes[1] / sizes[0] / 10
    for stage in dict.fromkeys(cost.stage for cost in costs):
        small, large = (seconds.get((stage, size)) for size in sizes)
        if small and large:
            yield Goal(f"{stage}, growth per ten times the photos", large / small / tens, most=GROWTH)
