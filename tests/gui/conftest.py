"""The window and its session under test: photos made on the spot, everything offscreen, closed at the end."""

import colorsys
import gc
import io
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shiboken6

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QEvent, QObject, SignalInstance
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.state import solving
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.load_steps import new_document
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.theme import PALETTES, style_sheet
from album_app.gui.window import app
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.messages import INVITED
from album_app.gui.window.parts import USUAL, Parts, Thresholds
from album_app.layout.options import Options
from album_app.layout.project.project_file import save_project
from album_app.photos import faces, fonts
from album_app.photos.album import scan
from album_app.work import Stop

WAIT_MS = 150_000
"""Milliseconds of any wait. pytest-timeout ends a test that hangs; a wait ends before, to name what it waited for."""

PhotoFolder = Callable[..., Path]
MakeParts = Callable[[], Parts]
OpenSession = Callable[..., Session]
OpenWindow = Callable[..., MainWindow]
OpenCanvas = Callable[..., Canvas]


KNOWN_PARTS: dict[Session, Parts] = {}


def parts_of(session: Session) -> Parts:
    """What works behind a session, with a window around it or without."""
    window = session.parent()
    return window.parts if isinstance(window, MainWindow) else KNOWN_PARTS[session]


def canvas_on(parts: Parts) -> Canvas:
    """A canvas as the workspace makes it, without a window around it."""
    return Canvas(parts.session, parts.photos, parts.details, parts.advice, parts.jobs, parts.proposals)


FAINT = 3  # of 255


def make_photos(folder: Path, count: int, size: tuple[int, int] = (48, 36), start: int = 0) -> Path:
    """Small photos, each of a colour of its own and with a faint pattern by which none is like another."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(start, start + count):
        (folder / f"photo-{k:04d}.jpg").write_bytes(encoded_photo(k, size))
    return folder


@cache
def encoded_photo(k: int, size: tuple[int, int]) -> bytes:
    """The file of a photo; most tests use the first twenty."""
    hue, light = (k * 0.618) % 1.0, 0.25 + 0.7 * ((k * 7) % 11) / 11
    colour = tuple(round(255 * part) for part in colorsys.hsv_to_rgb(hue, 0.8, light))
    pattern = np.random.default_rng(k).choice([-FAINT, FAINT], (6, 8))
    faint = np.asarray(Image.fromarray(pattern.astype(np.float32)).resize(size, Image.Resampling.NEAREST))
    picture = np.clip(np.array(colour) + faint[..., None], 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG")
    return file.getvalue()


def with_torn_photo(folder: Path, name: str = "torn.png") -> Path:
    """A project of a folder's photos and half of another one, which nobody had looked into when it was saved."""
    Image.effect_noise((64, 64), 50).save(folder / name)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    project = folder.with_suffix(".album")
    save_project(new_document(scan(folder), Options()), project)
    return project


class PatientBot(QtBot):
    """Waits as long as any wait here may last: on a busy machine, the usual five seconds are not enough."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = WAIT_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = WAIT_MS, **options: Any) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: QWidget, *, timeout: int = WAIT_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return QApplication


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the program makes it."""
    return app.application()


@pytest.fixture(scope="session", autouse=True)
def one_style_sheet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The style sheet's icons are not in the cache of each test: with another sheet, everything is dressed anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALBUM_APP_CACHE", str(tmp_path_factory.mktemp("icons")))
        sheets = {palette: style_sheet(palette) for palette in PALETTES.values()}
        patch.setattr(theme, "style_sheet", sheets.__getitem__)
        patch.delenv("ALBUM_APP_CACHE")
        yield


@pytest.fixture(scope="session")
def modules_put_aside() -> list[int]:
    """How many modules were loaded when the garbage collector last set them aside."""
    return [0]


@pytest.fixture(autouse=True)
def garbage_here_only(modules_put_aside: list[int]) -> Iterator[None]:
    """As in the program, garbage is collected on the GUI thread alone, and no collection looks through all modules."""
    gc.disable()
    if len(sys.modules) != modules_put_aside[-1]:  # of a window nothing is left by now
        gc.collect()
        gc.freeze()
        modules_put_aside.append(len(sys.modules))
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def focus_is_not_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper process for each album of a test would take longer than the test."""
    monkeypatch.setattr(faces, "stream_focus", lambda photos, stop=None: iter(()))


FEW_FONTS = 3


@pytest.fixture(autouse=True)
def few_fonts_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel offers the first fonts of the system: to read hundreds would take longer than the test."""

    def some_families(stop: Stop | None = None) -> list[str]:
        some = [font for path in fonts.font_files()[:FEW_FONTS] for font in fonts._inside(path)]
        return sorted({font.names[0] for font in some if fonts._readable_names(font)}, key=str.lower)

    monkeypatch.setattr(solving, "families", some_families)


@pytest.fixture
def photo_folder(tmp_path: Path) -> PhotoFolder:
    """A factory of folders: `photo_folder(12)`, `photo_folder(3, "more")`."""

    def make(count: int, name: str = "photos", start: int = 0) -> Path:
        return make_photos(tmp_path / name, count, start=start)

    return make


@pytest.fixture
def make_parts(qapp: QApplication) -> Iterator[MakeParts]:
    """A factory of what works behind a window, without the window."""
    made: list[Parts] = []

    def make() -> Parts:
        made.append(Parts())
        KNOWN_PARTS[made[-1].session] = made[-1]
        return made[-1]

    yield make
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # widgets go first: their timers ask the session
    for parts in made:
        parts.shut_down()
        del KNOWN_PARTS[parts.session]
        delete_now(parts.session)


@pytest.fixture
def open_session(qtbot: QtBot, photo_folder: PhotoFolder, make_parts: MakeParts) -> OpenSession:
    """A factory of sessions with an album open, all thumbnails read and a settled layout."""

    def make(count: int = 12, folder: Path | None = None) -> Session:
        parts = make_parts()
        parts.loading.open_paths([folder or photo_folder(count)])
        wait_until_settled(qtbot, parts.session)
        return parts.session

    return make


@pytest.fixture
def open_window(qtbot: QtBot, photo_folder: PhotoFolder) -> Iterator[OpenWindow]:
    """A factory of windows, started as the command does: empty, or with `count` photos open and arranged."""
    windows: list[MainWindow] = []

    def make(count: int = 0, *paths: Path, thresholds: Thresholds = USUAL) -> MainWindow:
        window = app.start([photo_folder(count)] if count else paths, thresholds=thresholds)
        window.preferences.remember(INVITED, "yes")  # as after the first minute
        windows.append(window)
        qtbot.waitExposed(window)
        if count:
            wait_until_settled(qtbot, window.session)
        return window

    yield make
    for window in windows:
        close_without_saving(qtbot, window)


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    """Twenty photos on four rows of five."""
    return open_window(20)


@pytest.fixture
def open_canvas(qtbot: QtBot, open_session: OpenSession) -> Iterator[OpenCanvas]:
    """A factory of canvases without a window around them, each on a session of its own."""
    canvases: list[Canvas] = []

    def make(count: int = 12, session: Session | None = None) -> Canvas:
        canvas = canvas_on(parts_of(session or open_session(count)))
        canvases.append(canvas)
        canvas.resize(700, 500)
        canvas.show()
        qtbot.waitExposed(canvas)
        canvas.show_layout()
        wait_until_sharp(qtbot, canvas)
        return canvas

    yield make
    for canvas in canvases:
        canvas.close()
        canvas.deleteLater()


def wait_until_sharp(qtbot: QtBot, canvas: Canvas) -> None:
    """Until the tiles are at rest, and sharp."""

    def sharp() -> bool:
        return canvas.at_rest and not parts_of(canvas.session).jobs.running("tiles")

    qtbot.waitUntil(sharp, timeout=WAIT_MS)


def wait_until_settled(qtbot: QtBot, session: Session, timeout: int = WAIT_MS) -> None:
    """Until an album is open, read and arranged, nothing visible runs any more, and nobody judges the sheet."""

    def settled() -> bool:
        document = session.document
        jobs = parts_of(session).jobs
        if document is None or not session.is_settled or jobs.visible or jobs.running("score"):
            return False
        return parts_of(session).photos.pictures.complete

    qtbot.waitUntil(settled, timeout=timeout)


def close_without_saving(qtbot: QtBot, window: MainWindow) -> None:
    window.preferences.set("confirm_unsaved", False)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=WAIT_MS)
    delete_now(window)


def delete_now(thing: QObject) -> None:
    """Destroy a Qt object here and now; left to the garbage collector it could happen in another thread."""
    known = shiboken6.getAllValidWrappers()  # to ask for the children would make objects of all of them
    thing.deleteLater()
    QApplication.sendPostedEvents(thing, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    for part in known:
        # A thread on its way out still asks `Jobs` whether anybody listens.
        if isinstance(part, QObject) and not isinstance(part, Jobs) and not shiboken6.isValid(part):
            vars(part).clear()  # what a signal is connected to may outlive the window; its photos shall not


def answer(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Press a button of the question that is open."""
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=WAIT_MS)
    box = window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button.text().replace("&", "") == text).click()
