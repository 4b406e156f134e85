"""Compares layouts with FLAS, LAS, kernelized sorting, PCA and chance, then checks the promises about single sheets.

Each figure is printed with its goal, and whether the goal was reached. Times depend on what else the machine does.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from album_app.layout import Layout, Pins, Shape, rectangle
from album_app.layout.evaluation.scores import dpq, layout_scores, mean_neighbour_distance
from album_app.layout.evaluation.suggest import corner_pins
from album_app.research.benchmarks import Goal
from album_app.research.benchmarks.layout_calm import fresh_seeds
from album_app.research.benchmarks.layout_promises import OF_ALBUMS, PROMISES
from album_app.research.experiments.albums import colour_material
from album_app.research.experiments.peers import PEERS, Features, Peer, Sheet, hidden_error
from album_app.research.experiments.study import Request
from album_app.solver.threads import one_thread

SHAPE = rectangle(16, 20)
FEATURES = ("rgb", "semantic")
BAR = "FLAS 0.99"
"""The method whose scores ours must reach."""
SHOWN = "shown/photos/cells, repeats"
HEAD = ("method", "DPQ16", "DPQ4", "pin pull", "N24", "left-out pin", "seconds", "processor", SHOWN)
PULL_AHEAD = 0.08
"""By how much the pin pull of ours must exceed that of `BAR` on photos compared by colour."""
AT_0_1_0 = {
    ("flickr320", "rgb"): (0.8740, 0.7809, 0.9766, 0.6482),
    ("flickr320", "semantic"): (0.8033, 0.6245, 0.8644, 0.8891),
    ("sample album", "rgb"): (0.9085, 0.8579, 0.9822, 0.5804),
    ("sample album", "semantic"): (0.9045, 0.8004, 0.9792, 0.6806),
}
"""DPQ16, DPQ4, pin pull and N24 of version 0.1.0 with these pins and five seeds; it did not polish its sheets."""
Gains = tuple[float, float, float]
"""Gains in DPQ16, pin pull and N24."""
GAIN = {"rgb": 0.006, "semantic": 0.015}
"""By how much DPQ16 must exceed that of version 0.1.0, by features."""


@dataclass(frozen=True)
class Figures:
    """The figures of one method, with one entry per seed."""

    dpq16: list[float]
    dpq4: list[float]
    pin_pull: list[float]
    n24: list[float]
    hidden: float  # with the first seed alone, because each hidden pin takes one more sheet
    seconds: list[float]
    processor: list[float]
    shown: str

    def cells(self) -> list[str]:
        """The row of the table."""
        scores, times = (self.dpq16, self.dpq4, self.pin_pull, self.n24), (self.seconds, self.processor)
        return [*map(spread, scores), f"{self.hidden:.3f}", *map(spread, times), self.shown]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="*", type=Path, help="also measure these folders of at least 320 photos")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each method (3)")
    parser.add_argument("--features", nargs="+", default=list(FEATURES), metavar="NAME", help="(rgb semantic)")
    parser.add_argument(
        "--skip", nargs="+", default=[], choices=["peers", *PROMISES, *OF_ALBUMS], help="parts to leave out"
    )


def run(arguments: argparse.Namespace) -> int:
    begun, found = (time.perf_counter(), time.process_time()), list[Goal]()
    requests = [Request(arguments.seeds, data={"photos": folder}) for folder in arguments.folder]
    requests.append(Request(arguments.seeds))
    for name in arguments.features if "peers" not in arguments.skip else []:
        since: dict[str, Gains] = {}
        for request in requests:
            found += compare(request, name, since)
        found += shown_promises(f"{name}, mean of {' and '.join(since)}", gained(since, GAIN[name])) if since else []
    for name, measure in PROMISES.items():
        if name not in arguments.skip:
            found += shown_promises(name, measure(Request(arguments.seeds)))
    for name, measure in OF_ALBUMS.items():
        for request in requests if name not in arguments.skip else []:
            found += shown_promises(f"{name}, {album_name(request)}", measure(request))
    minutes = [(now - then) / 60 for now, then in zip((time.perf_counter(), time.process_time()), begun, strict=True)]
    print(f"\n{sum(promise.reached for promise in found)} of {len(found)} promises kept")
    print(f"{minutes[0]:.1f} minutes, {minutes[1]:.1f} of the processor")
    return 0


def album_name(request: Request) -> str:
    """The name of an album in tables."""
    return request.data["photos"].name if request.data else "sample album"


def shown_promises(name: str, measured: Iterable[Goal]) -> list[Goal]:
    """Print each promise of a group as soon as it is measured, and return all of them."""
    print(f"\n{name}", flush=True)
    found = []
    for promise in measured:
        print(f"  {promise}", flush=True)
        found.append(promise)
    return found


def compare(
    request: Request,
    features: str,
    since: dict[str, Gains],
    *,
    shape: Shape = SHAPE,
    peers: Mapping[str, Peer] = PEERS,
) -> list[Goal]:
    """Print the table of all methods on one album, and return the goals that compare ours with FLAS.

    The gains since version 0.1.0 are added to `since`.
    """
    x, seeds = colour_material(request, features).features, request.seeds
    album, strict = album_name(request), bool(request.data) and features == "rgb"
    if len(x) != shape.count:
        print(f"{album} has {len(x)} photos, not {shape.count}: left out", file=sys.stderr)
        return []
    pins = corner_pins(x, shape)
    peers["Album App"](x, shape, pins, 0)  # its imports are not measured
    print(f"\n{album}, {features}, {shape.name}, {len(pins)} corner pins, {seeds} seeds: mean ± spread")
    print("Settings were chosen on other photos and on pieces cut from these, with seeds 0 to 15.\n")
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    # The methods take turns within each seed, so that a busy moment of the machine slows all of them.
    made: dict[str, list[tuple[Sheet, float]]] = {name: [] for name in peers}
    # On one thread: a second thread would still wait for work, and count for the next method.
    with one_thread():
        for seed in fresh_seeds(seeds):
            for name, peer in peers.items():
                if sys.stderr.isatty():
                    print(f"\rseed {seed}: {name:<20}", end="\r", file=sys.stderr, flush=True)
                begun = time.process_time()
                made[name].append((peer(x, shape, pins, seed), time.process_time() - begun))
    found = {}
    for name, peer in peers.items():
        found[name] = figures(peer, made[name], x, shape, pins)
        print(f"| {' | '.join([name, *found[name].cells()])} |", flush=True)
    promises = list(owed(f"{album}, {features}: ", found["Album App"], found[BAR], strict))
    earlier = AT_0_1_0.get((album, features))
    if earlier is not None:
        print(f"| version 0.1.0 | {' | '.join(f'{value:.3f}' for value in earlier)} | – | – | – | – |")
        since[album] = gains(found["Album App"], earlier)
    for promise in promises:
        print(f"  {promise}")
    return promises


def figures(peer: Peer, made: Sequence[tuple[Sheet, float]], x: Features, shape: Shape, pins: Pins) -> Figures:
    """Score the sheets of one method, which come with the processor seconds that they took."""
    layouts = [_as_layout(sheet, shape, pins) for sheet, _ in made]
    scores = [layout_scores(layout, x) for layout in layouts]
    shown = f"{len(layouts[0].shown)}/{len(x)}/{shape.count}, {max(layout.repeats for layout in layouts)}"
    return Figures(
        [score["dpq16"] for score in scores],
        [dpq(x[layout.photo_at], shape.cells, 4) for layout in layouts],
        [score["pin_pull"] for score in scores],
        [mean_neighbour_distance(x, layout) for layout in layouts],
        hidden_error(peer, x, shape, pins, fresh_seeds(1)[0]),
        [sheet.seconds for sheet, _ in made],
        [processor for _, processor in made],
        shown,
    )


def owed(where: str, own: Figures, bar: Figures, strict: bool) -> Iterable[Goal]:
    """What ours must reach compared with FLAS; with `strict` pin pull is higher by PULL_AHEAD, in no more time."""
    yield Goal(f"{where}DPQ16 against {BAR}", _mean(own.dpq16), _mean(bar.dpq16))
    ahead = PULL_AHEAD if strict else 0.0
    yield Goal(f"{where}pin pull against {BAR} + {ahead:g}", _mean(own.pin_pull), _mean(bar.pin_pull) + ahead)
    if strict:
        ratio = float(np.median(own.processor) / np.median(bar.processor))
        yield Goal(f"{where}median time of the processor by that of {BAR}", ratio, most=1.0)


def gains(own: Figures, earlier: tuple[float, float, float, float]) -> Gains:
    """By how much DPQ16, pin pull and N24 are higher than at version 0.1.0."""
    dpq16, _, pull, n24 = earlier
    return _mean(own.dpq16) - dpq16, _mean(own.pin_pull) - pull, _mean(own.n24) - n24


def gained(since: Mapping[str, Gains], gain: float) -> list[Goal]:
    """The goals for the mean gains since version 0.1.0: DPQ16 has risen, pin pull and N24 have not got worse."""
    dpq16, pull, n24 = np.mean(list(since.values()), axis=0).tolist()
    each = [", ".join(f"{album} {figures[place]:+.4f}" for album, figures in since.items()) for place in range(3)]
    return [
        Goal("DPQ16 above version 0.1.0's", dpq16, gain, note=each[0]),
        Goal("  pin pull above version 0.1.0's", pull, 0.0, note=each[1]),
        Goal("  N24 above version 0.1.0's", n24, most=0.0, note=each[2]),
    ]


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation, as a table shows them."""
    if not all(map(math.isfinite, values)):
        return "–"
    return f"{_mean(values):.3f} ± {np.std(values):.3f}"


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _as_layout(sheet: Sheet, shape: Shape, pins: Pins) -> Layout:
    return Layout(shape, sheet.photo_at, np.zeros(shape.count, np.float32), pins)
