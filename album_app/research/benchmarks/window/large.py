"""Measures 1,000 to 100,000 photos stage by stage, each in a process of its own."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from album_app.layout import Layout, ShapeSpec, build_shape
from album_app.memory import forget_peak, peak_bytes
from album_app.photos.sandbox import end_idle
from album_app.research.benchmarks import Goal

if TYPE_CHECKING:
    from album_app.gui.window.main_window import MainWindow


SUMMARY = ShapeSpec("rectangle", rows=16, columns=20)
EXPORT_CELL = 96
PAGES = 60
"""Pages of the tray that are scrolled through."""
MOST_CAMERA_PHOTOS, WHOLE_CAMERA_PHOTOS = 10_000, 96
"""The most camera photos from whose previews a sheet is made, and how many of them are read whole to compare."""
BY_PREVIEWS, READ_WHOLE = "sheet of camera photos by previews", "camera photos read whole"
TYPED = ("0", "00", "00 ", "00 1", "00 12", "00 1", "00 ", "00", "0", "")
"""The text in the tray's filter after each key: the beginning of names, made longer and shorter again."""


@dataclass(frozen=True)
class Cost:
    """The time and memory of a stage with a number of photos."""

    stage: str
    photos: int
    seconds: float
    processor: float  # seconds of computing, this process and the helpers that have ended
    megabytes: float

    @property
    def milliseconds_a_photo(self) -> float:
        return 1000 * self.seconds / self.photos

    def as_line(self) -> str:
        """The cost as a line for the process that started this one."""
        return json.dumps(asdict(self))

    @staticmethod
    def heard(line: str) -> "Cost":
        return Cost(**json.loads(line))


class Meter:
    """Times stages one after the other, in this process."""

    def __init__(self, photos: int) -> None:
        self._photos = photos

    def run(self, stage: str, work: Callable[[], Any], times: int = 1) -> Any:
        """Run a stage and print its cost, the mean of several runs; the result of the last run."""
        forget_peak()
        start, computed = time.perf_counter(), sum(os.times()[:4])
        for _ in range(times):
            result = work()
        seconds, processor = time.perf_counter() - start, sum(os.times()[:4]) - computed
        self._tell(stage, seconds / times, processor / times)
        return result

    def stall(self, stage: str, work: Callable[[], object]) -> None:
        """Print the longest time for which the GUI thread did not respond, and the cost of the stage."""
        from album_app.research.benchmarks.window.benchmark import Pulse

        pulse, computed = Pulse(), sum(os.times()[:4])
        forget_peak()
        pulse.watch(work)
        self._tell(stage, pulse.longest / 1000, sum(os.times()[:4]) - computed)

    def _tell(self, stage: str, seconds: float, processor: float) -> None:
        print(Cost(stage, self._photos, seconds, processor, peak_bytes() / (1 << 20)).as_line(), flush=True)


def without_window(folder: Path, count: int) -> None:
    """From files to an exported sheet, with the steps of the command line."""
    from album_app.layout.arranging.arrange import arrange
    from album_app.photos.album import scan
    from album_app.photos.album_features import album_features
    from album_app.photos.cache import Cache
    from album_app.photos.near_duplicates import near_duplicates
    from album_app.photos.thumbnails import stream_thumbnails
    from album_app.render import RenderSettings, export, plan_export

    meter = Meter(count)
    with Cache.open() as cache:
        album = meter.run("scan", lambda: scan(folder, cache=cache))
        meter.run("thumbnails", lambda: sum(1 for _ in stream_thumbnails(album.photos, cache)))
        meter.run("near-duplicates", lambda: near_duplicates(album, cache, known_only=True))
        features = meter.run("features", lambda: album_features(album.photos, "rgb", cache))
    summary = build_shape(SUMMARY, count)
    layout = meter.run("choose and arrange on 16 x 20", lambda: arrange(features, summary))
    whole = build_shape(ShapeSpec(), count)
    meter.run("arrange all", lambda: arrange(features, whole))
    settings = RenderSettings(cell=EXPORT_CELL)
    meter.run(
        "export of 16 x 20",
        lambda: export(layout, album, plan_export(layout, folder.parent / "sheet.png", settings)),
    )
    of_cameras(folder.parent / "cameras", count)


def of_cameras(folder: Path, count: int) -> None:
    """The first sheet of photos of 12 megapixels by their previews, and some of these photos read whole."""
    from album_app.layout.arranging.arrange import arrange
    from album_app.photos.album import scan
    from album_app.photos.album_features import draft_of
    from album_app.photos.cache import Cache
    from album_app.photos.thumbnails import stream_thumbnails
    from album_app.research.benchmarks.window.benchmark import link_camera_photos

    if count > MOST_CAMERA_PHOTOS:
        return
    folder.mkdir()
    link_camera_photos(folder, count)

    def sheet() -> Layout:
        draft = draft_of(scan(folder).photos, "lab")
        end_idle()  # the computing of helpers counts once they have ended
        return arrange(draft.features, build_shape(ShapeSpec(), count))

    end_idle()
    Meter(count).run(BY_PREVIEWS, sheet)
    with Cache.open() as cache:
        photos = scan(folder, cache=cache).photos[:WHOLE_CAMERA_PHOTOS]

        def read_whole() -> None:
            for _ in stream_thumbnails(photos, cache):
                pass
            end_idle()

        end_idle()
        Meter(len(photos)).run(READ_WHOLE, read_whole)


def in_window(folder: Path, count: int) -> None:
    """Open the album again, in a window without a screen, and move a pin there."""
    from album_app.gui.window import app
    from album_app.research.benchmarks.window.benchmark import PATIENCE, wait_for

    meter, window = Meter(count), app.start()
    parts, session = window.parts, window.session
    parts.loading.ask_cells = lambda photos, answer: answer(SUMMARY.rows * SUMMARY.columns)

    def settled() -> bool:
        ready = session.document is not None and session.is_settled and not parts.jobs.visible
        return ready and parts.photos.pictures.complete

    def at_rest() -> bool:
        return parts.jobs.all_ended and window.workspace.canvas.at_rest and settled()

    def is_arranged() -> bool:
        document = session.document
        return document is not None and document.layout is not None and document.layout.arranged

    def open_album() -> None:
        parts.loading.open_paths([folder])
        wait_for(is_arranged, PATIENCE)

    def move_pin() -> None:
        document = session.document
        if document is not None and document.layout is not None:
            session.drop(document.layout.shown[:1], document.shape.cell(document.shape.count // 2))
            wait_for(settled, PATIENCE)

    meter.run("first sheet in a window, all of it cached", open_album)
    meter.run("final sheet and every small picture", lambda: wait_for(settled, PATIENCE))
    meter.run("move a pin", move_pin)
    meter.run("autosave, on the GUI thread", parts.autosave.write)
    meter.run("the sheet judged, all at rest", lambda: wait_for(at_rest, PATIENCE))
    meter.stall("save anew, longest stall", _saving(window, folder.parent / "sheet.album"))
    meter.run("undo", session.undo_stack.undo)
    wait_for(at_rest, PATIENCE)
    _in_tray(meter, window)
    parts.shut_down()


def _saving(window: "MainWindow", path: Path) -> Callable[[], object]:
    """A function that saves the document with all of its album, as the first autosave does."""
    from album_app.gui.state.jobs import JobKind
    from album_app.layout.project.project_file import save_project
    from album_app.research.benchmarks.window.benchmark import PATIENCE, wait_for

    jobs, document = window.parts.jobs, window.session.document
    fresh = None if document is None else replace(document, album=replace(document.album))

    def save() -> None:
        if fresh is not None:
            jobs.compute(JobKind.SAVE, lambda: save_project(fresh, path), lambda done: None)
        wait_for(lambda: not jobs.running(JobKind.SAVE), PATIENCE)

    return save


def _in_tray(meter: Meter, window: "MainWindow") -> None:
    """Type words into the tray's filter and delete them, and scroll through its pages."""
    from PySide6.QtWidgets import QApplication

    tray = window.workspace.tray
    typed = iter(TYPED)

    def type_key() -> None:
        tray.field.setText(next(typed))
        tray.relist()
        QApplication.processEvents()

    meter.run("filter the tray", type_key, len(TYPED))
    bar = tray.list.verticalScrollBar()
    pages = iter(np.linspace(0, bar.maximum(), PAGES))

    def turn_page() -> None:
        bar.setValue(int(next(pages)))
        QApplication.processEvents()

    meter.run("scroll the tray", turn_page, PAGES)


PARTS: dict[str, Callable[[Path, int], None]] = {"files": without_window, "window": in_window}


def measure(part: str, folder: Path, count: int) -> None:
    """Run one part; each part runs in a process of its own."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    PARTS[part](folder, count)


def costs_in(output: Iterable[str]) -> Iterator[Cost]:
    """The costs in the output of the process of a part."""
    return (Cost.heard(line) for line in output if line.startswith('{"stage"'))


SIZES = (1_000, 10_000, 100_000)
MOST_GROWTH = 12.0
"""Goal for how many times longer a stage takes with ten times the photos."""
IN_WINDOW = ("final sheet and every small picture", "move a pin", "the sheet judged, all at rest", "scroll the tray")


@dataclass(frozen=True)
class Bar:
    """The goal for a stage with a number of photos."""

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
    for goal in (*growths(costs), *preview_shares(costs)):
        print(goal)
    return 0


def costs_of(count: int) -> Iterator[Cost]:
    """The cost of every stage with a number of photos."""
    from album_app.research.benchmarks.window.benchmark import link_photos, own_cache

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
    """A row of the table, with the goals of its stage."""
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
            yield Goal(f"{stage}, growth per ten times the photos", large / small / tens, most=MOST_GROWTH)


def preview_shares(costs: Sequence[Cost]) -> Iterator[Goal]:
    """The time of a sheet by previews as a share of reading all its photos whole, by the time of those that were."""
    from album_app.research.benchmarks.window.benchmark import FIRST_SHEET_SHARE, LARGE_ALBUM, LARGE_FIRST_SHARE

    whole = [cost for cost in costs if cost.stage == READ_WHOLE]
    sheets = [cost for cost in costs if cost.stage == BY_PREVIEWS]
    for sheet, read in zip(sheets, whole, strict=True):
        most = LARGE_FIRST_SHARE if sheet.photos >= LARGE_ALBUM else FIRST_SHEET_SHARE
        computed = (sheet.processor / sheet.photos) / (read.processor / read.photos) if read.processor else 0.0
        what = f"{sheet.stage} / read whole, {sheet.photos:,} photos"
        share = sheet.milliseconds_a_photo / read.milliseconds_a_photo
        yield Goal(what, share, most=most, note=f"{computed:.3f} of the computing")
