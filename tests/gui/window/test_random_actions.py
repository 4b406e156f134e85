"""A restless user: actions, clicks, drags, keys, dialogs and vanishing files in any order break nothing.

RANDOM_ACTIONS=10x200 asks for other numbers of seeds and of actions.
"""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.commands.actions import ACTIONS
from album_app.gui.dialogs.export import writing
from album_app.gui.window.main_window import MainWindow
from album_app.layout.pins import Pins, write_pins_csv
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import save_project
from tests.gui.conftest import WAIT_MS, OpenWindow, make_photos
from tests.gui.hands import KEY, LEFT, canvas_of, drop_data, files, middle, turn_wheel

SEEDS, STEPS = (int(number) for number in os.environ.get("RANDOM_ACTIONS", "2x60").split("x"))
AWAY = {"quit", "viewer", "manager", "log", "open_sample"}
"""Actions that leave the program, or draw an album of their own."""
KEYS = (
    *(KEY.Key_Left, KEY.Key_Right, KEY.Key_Up, KEY.Key_Down, KEY.Key_Home, KEY.Key_End, KEY.Key_P, KEY.Key_A),
    *(KEY.Key_Delete, KEY.Key_Escape, KEY.Key_Return, KEY.Key_Space, KEY.Key_Tab, KEY.Key_PageDown, KEY.Key_1),
)
ODD_TEXTS = ("", "0", "A", "99999999999", "-1", "photo-0003", "\u202egpj", "a\nb", "\u6f22\u5b57", "1e400", "n" * 300)


class Restless:
    """Does one thing after the other, by a seed."""

    def __init__(self, window: MainWindow, folder: Path, seed: int) -> None:
        self.window, self.folder, self.chance = window, folder, random.Random(seed)
        self.done: list[str] = []
        self.deeds: list[Callable[[], str]] = [
            *[self.action] * 6, *[self.click] * 3, *[self.drag] * 3, *[self.key] * 2, self.wheel, self.drop, self.undo,
            *[self.dialog] * 5, *[self.control] * 3, self.vanish, self.breathe,
        ]  # fmt: skip

    def step(self) -> None:
        self.done.append(self.chance.choice(self.deeds)())
        for _ in range(self.chance.randrange(4)):
            QApplication.processEvents()

    def action(self) -> str:
        table, keys = self.window.actions_table, [entry.key for entry in ACTIONS if entry.key not in AWAY]
        key = self.chance.choice([key for key in keys if table[key].isEnabled()])
        table[key].trigger()
        return key

    def _point(self) -> QPoint:
        canvas = canvas_of(self.window)
        document = self.window.session.document
        if document is None or document.layout is None or self.chance.random() < 0.2:
            return QPoint(self.chance.randrange(canvas.width()), self.chance.randrange(canvas.height()))
        return middle(canvas, document.layout.shape.cell(self.chance.randrange(document.layout.shape.count)))

    def _modifiers(self) -> Qt.KeyboardModifier:
        keys = Qt.KeyboardModifier
        return self.chance.choice([keys.NoModifier, keys.NoModifier, keys.ShiftModifier, keys.ControlModifier])

    def click(self) -> str:
        press = QTest.mouseDClick if self.chance.random() < 0.15 else QTest.mouseClick
        press(canvas_of(self.window), LEFT, self._modifiers(), self._point())
        return "click"

    def drag(self) -> str:
        canvas, start, end = canvas_of(self.window), self._point(), self._point()
        QTest.mousePress(canvas, LEFT, self._modifiers(), start)
        for point in (start + QPoint(5, 5), end):
            QTest.mouseMove(canvas, point)
            QApplication.processEvents()
        if self.chance.random() < 0.2:
            QTest.keyClick(canvas, KEY.Key_Escape)
        if self.chance.random() < 0.9:  # sometimes the button is never seen to go up
            QTest.mouseRelease(canvas, LEFT, self._modifiers(), end)
        return "drag"

    def key(self) -> str:
        key = self.chance.choice(KEYS)
        QTest.keyClick(QApplication.focusWidget() or canvas_of(self.window), key, self._modifiers())
        return f"key {key.name}"

    def wheel(self) -> str:
        turn_wheel(canvas_of(self.window), self._point(), self.chance.uniform(-3, 3))
        return "wheel"

    def _paths(self) -> list[Path]:
        places = [*self.folder.rglob("*"), self.folder / "none.jpg", self.folder]
        return self.chance.sample(places, min(len(places), self.chance.randint(1, 3)))

    def drop(self) -> str:
        data = self.chance.choice([lambda: files(*self._paths()), QMimeData])()
        drop_data(canvas_of(self.window), data, self._point())
        return "drop"

    def undo(self) -> str:
        stack = self.window.session.undo_stack
        stack.setIndex(self.chance.randint(0, stack.count()))
        return "undo"

    def dialog(self) -> str:
        """Answer what is asked, or close it; of the printer's dialog some buttons ask, and wait, on their own."""
        dialogs = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
        if not dialogs:
            return "no dialog"
        dialog = self.chance.choice(dialogs)
        if isinstance(dialog, QFileDialog) and self.chance.random() < 0.7:
            dialog.filesSelected.emit([str(self._chosen(dialog))])
        buttons = [each for each in dialog.findChildren(QAbstractButton) if each.isVisible() and each.isEnabled()]
        if buttons and not isinstance(dialog, QFileDialog | QPrintDialog) and self.chance.random() < 0.6:
            self.chance.choice(buttons).click()
        else:
            dialog.reject()
        return f"dialog {type(dialog).__name__}"

    def _chosen(self, dialog: QFileDialog) -> Path:
        if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave:
            suffix = dialog.defaultSuffix() or "png"
            return self.folder.parent / self.chance.choice([f"written.{suffix}", f"none/x.{suffix}", "n" * 300])
        return self.chance.choice(self._paths())

    def control(self) -> str:
        """Set something on the window that can be set."""
        kinds = (QComboBox, QAbstractSlider, QAbstractSpinBox, QLineEdit)
        active = QApplication.activeModalWidget() or self.window
        widgets = [each for each in active.findChildren(QWidget) if isinstance(each, kinds) and each.isEnabled()]
        seen = [each for each in widgets if each.isVisible()]
        if not seen:
            return "no control"
        widget = self.chance.choice(seen)
        if isinstance(widget, QComboBox) and widget.count():
            index = self.chance.randrange(widget.count())
            if "network" in widget.itemText(index).lower() or widget.itemData(index) in (
                "semantic",
                "resnet20",
                "blend",
            ):
                return "no network"  # minutes of work that other tests do
            widget.setCurrentIndex(index)
            widget.activated.emit(index)
        elif isinstance(widget, QSpinBox):
            widget.setValue(self.chance.choice([widget.minimum(), min(widget.maximum(), 7), min(widget.maximum(), 40)]))
        elif isinstance(widget, QAbstractSlider):
            widget.setValue(self.chance.randint(widget.minimum(), widget.maximum()))
        elif isinstance(widget, QLineEdit):
            widget.setText(self.chance.choice(ODD_TEXTS))
            widget.editingFinished.emit()
        return f"control {type(widget).__name__}"

    def vanish(self) -> str:
        """A file goes away, comes back, or is not what it was."""
        photo = self.chance.choice(sorted(self.folder.glob("photo-*.jpg*")))
        if photo.suffix == ".gone":
            photo.rename(photo.with_suffix(""))
        elif self.chance.random() < 0.5:
            photo.rename(photo.with_name(photo.name + ".gone"))
        else:
            photo.write_bytes(photo.read_bytes()[: self.chance.randrange(400)])
        return "vanish"

    def breathe(self) -> str:
        for _ in range(30):
            QApplication.processEvents()
        return "breathe"


def assert_sound(document: Document | None) -> None:
    """The laws of every sheet."""
    if document is None or document.layout is None:
        return
    layout = document.layout
    assert all(cell in document.shape for cell in document.pins.values())
    assert len(set(document.pins.values())) == len(document.pins)
    if document.options.fill != "repeat":
        assert layout.repeats == 0
    assert layout.photo_at.max(initial=-1) < len(document.album)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[BaseException]]:
    """Nothing leaves the window, nor the folder of the test; errors that nobody foresaw are kept."""
    unforeseen: list[BaseException] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: True)
    monkeypatch.setattr(writing, "start_printing", lambda *_: None)
    yield unforeseen


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_restless_user(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, seed: int, at_home: list[BaseException]
) -> None:
    folder = make_photos(tmp_path / "photos", 14)
    make_photos(folder / "more", 3, start=50)
    window = open_window(0, folder)
    session = window.session
    window.preferences.set("motion", "reduced")
    session.problem.connect(lambda error: at_home.append(error) if not isinstance(error, AlbumError) else None)
    qtbot.waitUntil(lambda: session.document is not None and session.document.layout is not None, timeout=WAIT_MS)
    assert session.document is not None
    save_project(session.document, folder / "sheet.album")
    write_pins_csv(folder / "pins.csv", Pins({0: (0, 0)}), [photo.name for photo in session.document.album.photos])
    restless = Restless(window, folder, seed)
    for _ in range(STEPS):
        restless.step()
        assert_sound(session.document)
        assert not at_home, restless.done
    for dialog in [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]:
        dialog.close()
    qtbot.waitUntil(lambda: not window.parts.jobs.visible, timeout=WAIT_MS)
    assert_sound(session.document)
    assert not at_home, restless.done
