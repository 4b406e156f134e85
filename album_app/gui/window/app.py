"""Starts the program with a window: the application, its style and language, and the garbage collector."""

import ctypes
import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, Qt, QTimer, QTranslator, Signal, Slot
from PySide6.QtGui import QFontInfo, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from album_app import __version__, language, shipped_file
from album_app.desktop import ID
from album_app.gui.state.jobs import JobKind
from album_app.gui.state.preferences import Preferences
from album_app.gui.style.design import body_font
from album_app.gui.style.wording import is_sample
from album_app.gui.window.main_window import MainWindow
from album_app.gui.window.messages import StateMessages
from album_app.gui.window.parts import USUAL, Parts, Thresholds

GC_INTERVAL_MS = 500
"""Time between two collections of garbage: short, so that there is little to collect each time."""
FULL_GC_EVERY = 60
"""Each collection of this number also looks at objects that are old."""


class GuiThreadGc(QObject):
    """Collects garbage on the GUI thread, where Qt objects must be destroyed: often, so that each time is short.

    The objects that exist after the start are never looked at again.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.collect()
        put_start_aside()
        self._count = 0
        self._timer = QTimer(self, interval=GC_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    @Slot()
    def _collect(self) -> None:
        self._count += 1
        gc.collect(2 if self._count % FULL_GC_EVERY == 0 else 1)


@cache
def put_start_aside() -> None:
    """Exempt the objects that exist now from collection; only the first call does, because a later window is garbage
    when it is closed."""
    gc.freeze()


AFTER_PAINTING_MS = 20
"""By then the window has been painted for the first time."""
WARM_UP_MS, LATER_MS = 500, 2000
"""When the modules below are imported: early, or later if an album was opened from the cache."""
NEEDED_SOON = ("album_app.layout.arranging.arrange", "scipy.optimize", "album_app.render")
"""Modules that take long to import; they are imported in the background, so none of them may import Qt.

They are imported early while an album is still being decoded, because arranging it needs them. An album from the cache
is arranged already, so they can wait.
"""
NEEDED_THEN = "album_app.gui.dialogs.export.dialog"
"""A module that imports Qt, so that it is imported on the GUI thread after the others, which it needs."""
M_ARENA_MAX = -8
"""The parameter of `mallopt` for the number of heaps, as in <malloc.h>."""
WITHOUT_SCREEN = ("offscreen", "minimal")
"""Qt platforms without a visible screen."""
SWITCH_SECONDS = 0.001
"""A thread may keep the interpreter for this long: short, so that the window does not wait for background work."""


def _share_one_heap() -> None:
    """Have all threads share one heap on Linux, so that memory that one thread frees can be used by another."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def start(
    paths: Sequence[Path] = (), sample: bool = False, demo: bool = False, *, thresholds: Thresholds = USUAL
) -> MainWindow:
    """Show the window and begin to open what was asked for; the caller runs the event loop."""
    _share_one_heap()
    application()
    sys.setswitchinterval(SWITCH_SECONDS)
    window = MainWindow(Parts(thresholds), Preferences())
    StateMessages(window.parts.autosave, window.preferences, window.message_bar)
    _begin_to_open(window, paths, sample or demo)
    if QGuiApplication.platformName() not in WITHOUT_SCREEN:
        window.stay_within(window.screen().availableSize())
    window.show()
    QTimer.singleShot(AFTER_PAINTING_MS, window, lambda: _first_steps(window, demo))
    return window


def run(paths: Sequence[Path] = (), sample: bool = False, demo: bool = False) -> int:
    """Show the window and stay until it is closed."""
    app = application()
    window = start(paths, sample, demo)
    faults = Faults(window)
    sys.excepthook = faults.on_exception
    threading.excepthook = lambda args: faults.on_exception(args.exc_type, args.exc_value, args.exc_traceback)
    app.aboutToQuit.connect(_empty_own_clipboard)
    code = app.exec()
    if window.parts.jobs.outlast_the_window:
        _end_at_once(code)
    return code


def _end_at_once(code: int) -> NoReturn:
    """End the process although a thread is still at work, for example in the import of a library.

    A thread that goes on while the interpreter shuts down would crash in the code of Qt and other libraries.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # the stream is closed, or there is none as on Windows
            stream.flush()
    os._exit(code)


def _empty_own_clipboard() -> None:
    """Clear the clipboard where no desktop holds it: its contents must not outlive the interpreter."""
    if QGuiApplication.platformName() in WITHOUT_SCREEN:
        QGuiApplication.clipboard().clear()


def application() -> QApplication:
    """The one application object, made on first use."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(["album-app"])
    app.setApplicationName("Album App")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(ID)
    app.setStyle("Fusion")
    app.setFont(body_font(app.font(), QFontInfo(app.font()).pixelSize()))
    _translate_qt(app)
    app.setWindowIcon(QIcon(str(shipped_file("icons/album-app.svg"))))
    return app


def _translate_qt(app: QApplication) -> None:
    """Have Qt show its own texts, for example buttons of dialogs and names of keys, in the language of the program."""
    QLocale.setDefault(QLocale(language.current()))
    translator = QTranslator(app)
    if translator.load(f"qtbase_{language.current()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)


def _begin_to_open(window: MainWindow, paths: Sequence[Path], sample: bool) -> None:
    if sample:
        window.parts.loading.open_sample()
    elif paths:
        window.files.open_paths([path.absolute() for path in paths])


def _first_steps(window: MainWindow, demo: bool) -> None:
    QTimer.singleShot(WARM_UP_MS, window, lambda: _warm_up(window))
    if demo:
        _pin_corners_when_arranged(window)
    window.workspace.grab()  # builds and draws the workspace while the album is being looked for
    window.recents.refresh()
    window.recovery.look()
    GuiThreadGc(window)


def _warm_up(window: MainWindow, at_once: bool = False) -> None:
    if window.session.document is not None and not at_once:
        QTimer.singleShot(LATER_MS, window, lambda: _warm_up(window, at_once=True))
        return
    window.parts.jobs.compute(JobKind.WARM_UP, lambda: [import_module(name) for name in NEEDED_SOON], _warmed_up)


def _warmed_up(modules: object) -> None:
    import_module(NEEDED_THEN)


def _pin_corners_when_arranged(window: MainWindow) -> None:
    """Pin the four corners of the sample album; the edit can be undone, but does not mark the album as modified."""
    session, stack, solving = window.session, window.session.undo_stack, window.parts.solving

    def on_scored(layout: object) -> None:
        if window.parts.jobs.visible:
            return
        solving.scored.disconnect(on_scored)
        if not stack.count() and session.document is not None and is_sample(session.document):
            stack.indexChanged.connect(stack.setClean, Qt.ConnectionType.SingleShotConnection)
            proposals = window.parts.proposals
            proposals.changed.connect(proposals.accept, Qt.ConnectionType.SingleShotConnection)
            window.actions_table["pin_corners"].trigger()

    solving.scored.connect(on_scored)


class Faults(QObject):
    """Shows unexpected errors of all threads in the message bar of the window."""

    raised = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.raised.connect(window.message_bar.show_error, Qt.ConnectionType.QueuedConnection)

    def on_exception(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        elif error is not None:
            self.raised.emit(error)
