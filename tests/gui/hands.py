"""A hand for the tests: real mouse and key events on the window's widgets."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.state.advice import Proposal
from album_app.gui.state.session import Session
from album_app.gui.tray.tray import Tray
from album_app.gui.window.main_window import MainWindow
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from tests.gui.conftest import WAIT_MS

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEY, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
KEY = Qt.Key


def document_of(window: MainWindow | Session) -> Document:
    session = window.session if isinstance(window, MainWindow) else window
    assert session.document is not None
    return session.document


def layout_of(window: MainWindow | Session) -> Layout:
    layout = document_of(window).layout
    assert layout is not None
    return layout


def canvas_of(window: MainWindow) -> Canvas:
    return window.workspace.canvas


def tray_of(window: MainWindow) -> Tray:
    return window.workspace.tray


def middle(canvas: Canvas, cell: Cell) -> QPoint:
    return canvas.cell_rect(cell).center().toPoint()


def photo_in(window: MainWindow, cell: Cell) -> int:
    photo = layout_of(window).photo_in(cell)
    assert photo is not None
    return photo


def press_and_move(canvas: Canvas, start: QPoint, *way: QPoint, button: Qt.MouseButton = LEFT) -> None:
    """Press, move through some points, and hold."""
    QTest.mousePress(canvas, button, NO_KEY, start)
    for point in (start + QPoint(4, 4), *way):
        QTest.mouseMove(canvas, point)
        QApplication.processEvents()


def drag(canvas: Canvas, start: Cell, end: Cell, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    """Drag the photo of a cell to another one."""
    press_and_move(canvas, middle(canvas, start), middle(canvas, end))
    QTest.mouseRelease(canvas, LEFT, keys, middle(canvas, end))


def click(canvas: Canvas, cell: Cell, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    QTest.mouseClick(canvas, LEFT, keys, middle(canvas, cell))


def type_keys(widget: QWidget, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEY) -> None:
    for key in keys:
        QTest.keyClick(widget, key, modifiers)


def turn_wheel(canvas: QWidget, at: QPoint, notches: float) -> None:
    delta = QPoint(0, round(120 * notches))
    place = QPointF(at)
    wheel = QWheelEvent(
        place, QPointF(canvas.mapToGlobal(at)), QPoint(), delta, Qt.MouseButton.NoButton, NO_KEY,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)


def ask_for_menu(widget: QWidget, at: QPoint, by_key: bool = False) -> None:
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def drop_data(widget: QWidget, data: QMimeData, at: QPoint, keys: Qt.KeyboardModifier = NO_KEY) -> bool:
    """A drag of the desktop enters, moves and is let go; whether the widget wanted it."""
    action = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(at, action, data, LEFT, keys)
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(widget, QDragMoveEvent(at, action, data, LEFT, keys))
    drop = QDropEvent(QPointF(at), action, data, LEFT, keys)
    QApplication.sendEvent(widget, drop)
    return drop.isAccepted()


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def pins(window: MainWindow) -> dict[int, tuple[int, int]]:
    return dict(document_of(window).pins)


def proposed(qtbot: QtBot, window: MainWindow) -> Proposal:
    """The pins that are proposed, once they are thought of."""
    proposals = window.parts.proposals
    qtbot.waitUntil(lambda: proposals.current is not None, timeout=WAIT_MS)
    assert proposals.current is not None
    return proposals.current


def accept_proposal(qtbot: QtBot, window: MainWindow) -> None:
    """Say yes to the pins that are proposed."""
    proposed(qtbot, window)
    window.parts.proposals.accept()


def undo(window: MainWindow) -> None:
    window.actions_table["undo"].trigger()


def choose(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Choose a file in the file dialog that is open."""
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.reject()


def pick(combo: QComboBox, value: str) -> None:
    """Choose the entry of a combo box that stands for a value."""
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())


def save_as(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Save through the dialog."""
    window.actions_table["save_as"].trigger()
    choose(qtbot, window, path)
    qtbot.waitUntil(lambda: window.session.path == path, timeout=WAIT_MS)


def press_button(qtbot: QtBot, parent: QWidget, text: str) -> None:
    """Press the button with this text as soon as it shows."""

    def shown() -> list[QPushButton]:
        buttons = parent.findChildren(QPushButton)
        return [button for button in buttons if button.text() == text and button.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()), timeout=WAIT_MS)
    QTest.mouseClick(shown()[-1], LEFT)
