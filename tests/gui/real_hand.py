"""A hand of flesh: xdotool moves the pointer of a real X display over the program's window, from within the program."""

import subprocess
import time
from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from album_app.gui.canvas.canvas import Canvas
from album_app.layout.shapes.shape import Cell

PATIENCE = 120.0


def pump(seconds: float) -> None:
    """Let the program live for a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.004)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Let the program live until something is so."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"gave up waiting for {what}")
        pump(0.02)


def xdotool(*words: object) -> None:
    """Run xdotool while the program goes on receiving what it does."""
    process = subprocess.Popen(["xdotool", *map(str, words)])
    wait_for(lambda: process.poll() is not None, f"xdotool {words}")
    if process.returncode:
        raise AssertionError(f"xdotool {words} failed")
    pump(0.05)


def point_at(widget: QWidget, place: QPoint) -> None:
    """Move the pointer to a place of a widget."""
    ratio = widget.devicePixelRatioF()
    spot = widget.mapToGlobal(place)
    if spot == QCursor.pos():  # xdotool would wait in vain for it to arrive
        return
    xdotool("mousemove", "--sync", round(spot.x() * ratio), round(spot.y() * ratio))


def click_on(widget: QWidget, place: QPoint | None = None, button: int = 1) -> None:
    point_at(widget, widget.rect().center() if place is None else place)
    xdotool("click", button)


def middle_of(canvas: Canvas, cell: Cell) -> QPoint:
    return canvas.cell_rect(cell).center().toPoint()


def drag(source: QWidget, start: QPoint, target: QWidget, end: QPoint, steps: int = 12, release: bool = True) -> None:
    """Press on one widget, move to another in small steps, and let go."""
    point_at(source, start)
    xdotool("mousedown", 1)
    first, last = source.mapToGlobal(start), target.mapToGlobal(end)
    for step in range(1, steps + 1):
        spot = first + (last - first) * (step / steps)
        point_at(target, target.mapFromGlobal(spot))
    if release:
        xdotool("mouseup", 1)


def let_go() -> None:
    xdotool("mouseup", 1)


def press(*keys: str) -> None:
    xdotool("key", *keys)


def screen_shot() -> QPixmap:
    """The whole screen, menus and dialogs included."""
    return QApplication.primaryScreen().grabWindow(0)
