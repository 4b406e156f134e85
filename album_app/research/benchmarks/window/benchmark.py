"""Measures the window on albums made for it: frames, latency, stalls, start-up and opening."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication

from album_app.errors import AlbumError
from album_app.gui.canvas.canvas import Canvas
from album_app.gui.state.jobs import JobKind
from album_app.gui.window import app
from album_app.gui.window.app import GuiThreadGc
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.parts import Parts
from album_app.layout import Document, Layout
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import with_options
from album_app.memory import children_peak_bytes, peak_bytes, resident_bytes
from album_app.photos.cache import Cache
from album_app.research.benchmarks import Goal
from album_app.research.benchmarks.camera_files import camera_picture, save_camera_photo
from album_app.sample.sample_album import sample_folder, sample_place

PATIENCE, LONGEST_SOLVE = 600.0, 90.0
"""Seconds after which waiting for anything, and for a layout, is given up."""
CAMERA_SIZE, CAMERA_STEP = (4000, 3000), 16
"""Width and height of a camera photo; one is made of every CAMERA_STEP-th picture of the sample album."""
CANVAS_SIZE = (1600, 1000)
GLIDES = 8
"""Glides whose frames are timed."""
FRAME_MS, LATENCY_MS, STALL_MS, START_MS, MEMORY_MB = 17.0, 150.0, 50.0, 1000.0, 1500.0
"""The goals."""
MEGABYTE = 1 << 20
TICK_MS = 2
"""Time between two beats of a `Pulse`."""
STARTS = 5
"""Starts of the program that are timed after the first one."""
FIRST_SHEET_SHARE, LARGE_FIRST_SHARE, LARGE_ALBUM = 0.1, 0.05, 10_000
"""Goals for the time until the first sheet, as shares of reading all camera photos, the second from LARGE_ALBUM on."""
CAMERA_ALBUMS = (1_000, 10_000)
"""Photos of the albums of which the first sheet is timed."""
KEPT_SHARE = 0.9
"""Goal for the share of photos that keep the cells of the first sheet."""

START_PROGRAM = """
import sys, time
import album_app.cli
from album_app.gui.window import app
window = app.start()
while not (window.windowHandle() and window.windowHandle().isExposed()):
    app.application().processEvents()
app.application().processEvents()
print(time.time() - float(sys.argv[1]))
"""


@contextmanager
def album_of(count: int) -> Iterator[Path]:
    """A folder of `count` photos: those of the sample album, repeated."""
    with tempfile.TemporaryDirectory(prefix="album-bench-") as name:
        link_photos(Path(name), count)
        yield Path(name)


def link_photos(folder: Path, count: int) -> None:
    """Make `count` hard links to the few hundred pictures of the sample album."""
    photos = sorted(sample_folder().iterdir())
    targets = [folder / f"{number:06d}-{photos[number % len(photos)].name}" for number in range(count)]
    for source, target in zip(photos, targets, strict=False):
        target.write_bytes(source.read_bytes())
    for number in range(len(photos), count):
        targets[number].hardlink_to(targets[number % len(photos)])


def link_camera_photos(folder: Path, count: int) -> None:
    """Make `count` hard links to a few photos of 12 megapixels with previews, made of the sample album's pictures."""
    sources = sorted(sample_folder().iterdir())[::CAMERA_STEP]
    for number in range(count):
        target = folder / f"{number:06d}.jpg"
        if number < len(sources):
            with Image.open(sources[number]) as picture:
                save_camera_photo(target, camera_picture(picture, CAMERA_SIZE))
        else:
            target.hardlink_to(folder / f"{number % len(sources):06d}.jpg")


@contextmanager
def own_cache() -> Iterator[None]:
    """A cache that holds only the drawn sample album, and an empty state folder, so that photos are really read."""
    drawn = sample_folder()
    former = {name: os.environ.get(name) for name in ("ALBUM_APP_CACHE", "ALBUM_APP_STATE")}
    with tempfile.TemporaryDirectory(prefix="album-bench-") as folder:
        os.environ.update({name: str(Path(folder) / name) for name in former})
        shutil.copytree(drawn, sample_place())
        yield
    for name, value in former.items():
        os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Run the event loop until a condition holds; False if time ran out first."""
    until = time.monotonic() + seconds
    loop = QEventLoop()
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > until else None)
    timer.start()
    loop.exec()
    return condition()


def wait(seconds: float) -> None:
    wait_for(lambda: False, seconds)


def opened(parts: Parts, folder: Path, settle: bool = True) -> Document:
    """Open a folder and wait for all thumbnails, and with `settle` for its layout; the document."""
    session = parts.session
    parts.loading.open_paths([folder])
    read = wait_for(lambda: session.document is not None and len(parts.photos.pictures) == len(session.document.album))
    if not read or session.document is None:
        raise AlbumError("the photos of the benchmark could not be read")
    if settle:
        wait_for(lambda: session.is_settled and not parts.jobs.visible, LONGEST_SOLVE)
    return session.document


def percentile(values: Sequence[float]) -> float:
    return float(np.quantile(values, 0.95))


def frames(arguments: argparse.Namespace) -> Iterator[Goal]:
    """Paint time per frame while all tiles glide to random places."""
    GuiThreadGc(app.application())
    sys.setswitchinterval(app.SWITCH_SECONDS)
    for count in sorted({320, 1000, arguments.largest}):
        parts = Parts()
        with own_cache(), album_of(count) as folder:
            document = opened(parts, folder, settle=False)
            parts.jobs.end_those_of_the_album()
            times = _glide_times(parts, document)
            parts.shut_down()
        limit = FRAME_MS if count >= 1000 else None
        note = f"median {np.median(times):.1f}, {len(times)} frames at {CANVAS_SIZE[0]} x {CANVAS_SIZE[1]}"
        yield Goal(f"frame, {count} moving tiles, 95th percentile", percentile(times), most=limit, unit="ms", note=note)


def _glide_times(parts: Parts, document: Document) -> list[float]:
    canvas = Canvas(parts.session, parts.photos, parts.details, parts.advice, parts.jobs, parts.proposals)
    canvas.resize(*CANVAS_SIZE)
    canvas.show()
    canvas.show_layout()
    wait(1.0)
    random = np.random.default_rng(0)
    times: list[float] = []
    for _ in range(GLIDES):
        if document.layout is not None:
            parts.session.accept_layout(_shuffled(document.layout, random))
        while canvas.moving:
            start = time.perf_counter()
            canvas.repaint()
            times.append(1000 * (time.perf_counter() - start))
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    canvas.close()
    return times


def _shuffled(layout: Layout, random: np.random.Generator) -> Layout:
    return replace(layout, photo_at=random.permutation(layout.photo_at))


def latency(arguments: argparse.Namespace) -> Iterator[Goal]:
    """From a drop to the first layout in which other photos than the dropped ones have moved, painted."""
    with own_cache(), album_of(arguments.photos) as folder:
        window = app.start()
        document = opened(window.parts, folder)
        random = np.random.default_rng(0)
        first, settled = [], []
        for _ in range(arguments.drops):
            photo = int(random.integers(len(document.album)))
            cell = document.shape.cell(int(random.integers(document.shape.count)))
            times = _drop(window, photo, cell)
            if times is not None:
                first.append(times[0])
                settled.append(times[1])
        _close(window)
    what = f"drop to layout, {arguments.photos} photos, 95th percentile"
    yield Goal(
        what, percentile(first), most=LATENCY_MS, unit="ms", note=f"median {np.median(first):.0f}, {len(first)} drops"
    )
    yield Goal("drop to the final layout, 95th percentile", percentile(settled), unit="ms")


def _drop(window: MainWindow, photo: int, cell: tuple[int, int]) -> tuple[float, float] | None:
    """Milliseconds to the first solved layout and to the last one; None if no other photo had to move."""
    session = window.session
    if session.document is None or dropped(session.document, [photo], cell) is None:
        return None
    solved: list[float] = []
    start = time.perf_counter()
    session.drop([photo], cell)
    at_once = session.document.layout if session.document is not None else None

    def painted(layout: Layout) -> None:
        window.workspace.canvas.repaint()
        if solved or at_once is None or not np.array_equal(layout.photo_at, at_once.photo_at):
            solved.append(1000 * (time.perf_counter() - start))

    session.layout_changed.connect(painted)
    wait_for(lambda: not window.parts.jobs.running(JobKind.ARRANGE) and session.is_settled, 30.0)
    session.layout_changed.disconnect(painted)
    wait(0.1)
    return (solved[0], solved[-1]) if solved else None


class Pulse(QObject):
    """A timer on the GUI thread that remembers its longest delay."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = self.most_work = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    @Slot()
    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, 1000 * (now - self._last))
        self.most_work = max(self.most_work, 1000 * (worked - self._worked))
        self._last, self._worked = now, worked

    def watch(self, work: Callable[[], object]) -> None:
        """Measure the longest delay during some work, and the most processor time of this thread between two beats."""
        wait(0.3)
        self.longest = self.most_work = 0.0
        work()


def stalls(arguments: argparse.Namespace) -> Iterator[Goal]:
    """The longest time for which the GUI thread did not respond, for each kind of work."""
    with own_cache(), album_of(arguments.photos) as folder:
        window = app.start()
        parts, pulse = window.parts, Pulse()
        wait(0.5)
        phases: dict[str, Callable[[], object]] = {
            "scan, decode, first layouts": lambda: opened(parts, folder),
            "features (ResNet20) and solve": lambda: _look_anew(parts, "resnet20"),
            "solve afresh": lambda: _arrange(parts),
            "opening the export dialog, with its preview": lambda: _open_export(window),
            "export (PNG)": lambda: _export(window, folder.parent / f"{folder.name}.png"),
        }
        for name, work in phases.items():
            pulse.watch(work)
            note = f"at most {pulse.most_work:.0f} ms of its own work between two beats"
            yield Goal(f"longest stall, {name}", pulse.longest, most=STALL_MS, unit="ms", note=note)
        _close(window)


def _settled(parts: Parts) -> bool:
    return parts.session.is_settled and not parts.jobs.visible


def _look_anew(parts: Parts, features: str) -> None:
    parts.session.edit(with_options, "Compare otherwise", features=features)
    wait_for(lambda: not parts.jobs.running(JobKind.FEATURES) and _settled(parts), LONGEST_SOLVE)


def _arrange(parts: Parts) -> None:
    parts.solving.again()
    wait_for(lambda: not parts.jobs.running(JobKind.ARRANGE), LONGEST_SOLVE)


def _open_export(window: MainWindow) -> None:
    window.files.export()
    wait(1.0)


def _export(window: MainWindow, path: Path) -> None:
    """Export through the open dialog."""
    from album_app.gui.dialogs.export.dialog import ExportDialog

    (dialog,) = window.findChildren(ExportDialog)
    dialog.export_to(path)
    wait_for(lambda: not window.parts.jobs.running(JobKind.EXPORT))
    dialog.close()
    path.unlink(missing_ok=True)


def start_up(arguments: argparse.Namespace) -> Iterator[Goal]:
    """From starting the interpreter to a painted window, with all files in the disk cache."""
    times = []
    for _ in range(STARTS + 1):
        words = [sys.executable, "-c", START_PROGRAM, str(time.time())]
        times.append(1000 * float(subprocess.run(words, capture_output=True, text=True, check=True).stdout))
    warm = times[1:]
    note = f"median {np.median(warm):.0f}, first {times[0]:.0f}"
    yield Goal(f"start to visible window, slowest of {STARTS}", max(warm), most=START_MS, unit="ms", note=note)


def memory(arguments: argparse.Namespace) -> Iterator[Goal]:
    """The memory of the process with a large album open, and its peak until the first layout."""
    held = partial(Goal, most=MEMORY_MB, unit="MB")
    with own_cache(), album_of(arguments.largest) as folder:
        window = app.start()
        start = time.perf_counter()
        opened(window.parts, folder, settle=False)
        note = f"read in {time.perf_counter() - start:.0f} s, nothing cached"
        yield held(f"memory, {arguments.largest} photos read", resident_bytes() / MEGABYTE, note=note)
        start = time.perf_counter()
        done = wait_for(lambda: _settled(window.parts), LONGEST_SOLVE)
        state = "arranged" if done else "still arranging"
        note = f"{state} after {time.perf_counter() - start:.0f} s"
        yield held(f"memory, {arguments.largest} photos open, peak", peak_bytes() / MEGABYTE, note=note)
        _close(window)
    yield Goal("memory, largest helper process, peak", children_peak_bytes() / MEGABYTE, unit="MB")


def _close(window: MainWindow) -> None:
    window.preferences.set("confirm_unsaved", False)
    window.close()
    wait_for(lambda: not window.isVisible(), 30.0)


EMPTY, FULL = 1.5, 0.75
"""Goals for the window's time with an empty and with a full cache, as shares of `arrange` with an empty cache."""
ROUNDS = 3
"""Rounds of `opening`; the best one counts."""

WINDOW_PROGRAM = """
import sys, time
from pathlib import Path
from album_app.research.benchmarks.window.benchmark import wait_for
from album_app.gui.window import app
began = float(sys.argv[1])
window = app.start([Path(sys.argv[2])])
session, jobs, photos = window.session, window.parts.jobs, window.parts.photos
canvas = window.workspace.canvas
wait_for(lambda: session.document is not None and session.is_settled and not jobs.visible
         and photos.pictures.complete and canvas.at_rest and not jobs.running("tiles"))
print(time.time() - began, flush=True)
wait_for(lambda: session.document.layout.scores and jobs.all_ended)
window.parts.shut_down()
"""
"""The program stays open until the sheet is scored and saved, as it does when a person uses it."""


def opening(arguments: argparse.Namespace, rounds: int = ROUNDS) -> Iterator[Goal]:
    """From starting the program to the final sheet with sharp tiles; command and window take turns."""
    command, empty, full = [], [], []
    with album_of(arguments.photos) as folder:
        for _ in range(rounds):
            with own_cache():
                command.append(_arrange_at_opening(folder))
            with own_cache():
                empty.append(_open(folder))
                full.append(_open(folder))
    alone = min(command)
    yield Goal(f"arrange, {arguments.photos} photos, empty cache", alone, unit="s")
    yield Goal(
        "final sheet in the window / arrange, empty cache", min(empty) / alone, most=EMPTY, note=_best_words(empty)
    )
    yield Goal("final sheet in the window / arrange, full cache", min(full) / alone, most=FULL, note=_best_words(full))


def _best_words(seconds: list[float]) -> str:
    return f"{min(seconds):.2f} s"


def _arrange_at_opening(folder: Path) -> float:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="album-bench-") as place:
        words = ["arrange", str(folder), "--project", f"{place}/sheet.album"]
        subprocess.run([sys.executable, "-m", "album_app", *words], check=True, capture_output=True)
    return time.perf_counter() - start


def _open(folder: Path) -> float:
    words = [sys.executable, "-c", WINDOW_PROGRAM, str(time.time()), str(folder)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def cameras(arguments: argparse.Namespace) -> Iterator[Goal]:
    """The first sheet of camera photos, with every photo visible, and the time until all of them are read."""
    app.application()
    for count in arguments.camera_photos:
        yield from _of_cameras(count)


def _of_cameras(count: int) -> Iterator[Goal]:
    """Both for one album; where reading takes longer than PATIENCE, the line says by how many photos it is reckoned."""
    parts = Parts()
    with own_cache(), tempfile.TemporaryDirectory(prefix="album-bench-") as place:
        link_camera_photos(Path(place), count)
        session, photos, began = parts.session, parts.photos, time.perf_counter()
        parts.loading.open_paths([Path(place)])
        wait_for(lambda: session.document is not None and len(photos.pictures) == count and session.is_settled)
        first, shown_after = session.document.layout if session.document else None, time.perf_counter() - began
        wait_for(lambda: not parts.jobs.running(JobKind.PHOTOS))
        read_after = time.perf_counter() - began
        with Cache.open() as cache:
            read = cache.info().thumbnails
        if read == count:
            wait_for(lambda: _settled(parts), LONGEST_SOLVE)
        last = session.document.layout if session.document else None
        parts.shut_down()
    all_after = shown_after + (read_after - shown_after) * count / max(1, read)
    most = LARGE_FIRST_SHARE if count >= LARGE_ALBUM else FIRST_SHEET_SHARE
    note, what = f"{shown_after:.1f} of {all_after:.1f} s", f"{count:,} photos of 12 megapixels"
    if read < count:
        note += f", reckoned by {read:,} that were read in {read_after:.1f} s"
    yield Goal(f"first sheet / all read, {what}", shown_after / all_after, most=most, note=note)
    if read == count and first is not None and last is not None:
        kept = float(np.mean(first.photo_at == last.photo_at))
        yield Goal("share of photos that keep their cells from the first sheet on", kept, least=KEPT_SHARE)


MEASURES = {
    "frames": "time per frame while every tile moves",
    "latency": "from a drop to the first layout that moves other photos, painted",
    "stalls": "longest gap between timer ticks during scan, decode, features, solve and export",
    "opening": "the final sheet in the window compared with `album-app arrange`, from an empty and a full cache",
    "cameras": "the first sheet of camera photos, by their previews, compared with the time of reading them all",
    "start": "from the command to a visible window",
    "memory": "with the largest album open",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only", choices=MEASURES, help="; ".join(f"{name}: {what}" for name, what in MEASURES.items())
    )
    parser.add_argument("--photos", type=int, default=320, help="photos for latency and stalls (default 320)")
    parser.add_argument("--largest", type=int, default=10_000, help="photos for frames and memory (default 10000)")
    parser.add_argument("--drops", type=int, default=50, help="drops for the latency (default 50)")
    parser.add_argument(
        "--camera-photos",
        type=int,
        nargs="+",
        default=list(CAMERA_ALBUMS),
        help="photos for cameras, an album of each size (default 1000 10000)",
    )
    parser.add_argument("--screen", action="store_true", help="use the screen instead of painting into memory")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.screen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if arguments.only is None:
        return max(_run_alone(name, arguments) for name in MEASURES)
    for goal in _measure(arguments.only)(arguments):
        print(goal, flush=True)
    return 0


def _run_alone(name: str, arguments: argparse.Namespace) -> int:
    """Measure one thing in a fresh process, so that earlier measurements do not affect it."""
    words = [f"--{option.replace('_', '-')}={getattr(arguments, option)}" for option in ("photos", "largest", "drops")]
    words += ["--camera-photos", *map(str, arguments.camera_photos)]
    if arguments.screen:
        words.append("--screen")
    return subprocess.run(
        [sys.executable, "-m", "album_app", "bench", "gui", f"--only={name}", *words], check=False
    ).returncode


def _measure(name: str) -> Callable[[argparse.Namespace], Iterator[Goal]]:
    return {
        "frames": frames,
        "latency": latency,
        "stalls": stalls,
        "opening": opening,
        "cameras": cameras,
        "start": start_up,
        "memory": memory,
    }[name]
