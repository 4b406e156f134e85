"""A success looks like one and an error like one, in the export dialog and elsewhere: by colour and sign."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.controls.bars import ERROR, NOTE, SUCCESS, WARNING, StatusLine
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.style import theme
from album_app.gui.window.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.dialogs.dialog_hands import facts_of, named, open_export

COLOURS = {NOTE: "muted", SUCCESS: "success", WARNING: "warning", ERROR: "error"}


@pytest.fixture
def dialog(open_window: OpenWindow) -> ExportDialog:
    return open_export(open_window(6))


def looks_like(line: StatusLine, kind: str) -> bool:
    """Whether a line has the colour of a kind, and a sign that is there where the kind has one."""
    colour = line.label.palette().color(QPalette.ColorRole.WindowText)
    signs = [label for label in line.findChildren(QLabel) if label is not line.label and not label.isHidden()]
    drawn = [label for label in signs if not label.pixmap().isNull() and label.accessibleName()]
    return colour == QColor(getattr(theme.current(), COLOURS[kind])) and len(drawn) == (kind != NOTE)


def line_of(dialog: ExportDialog) -> StatusLine:
    return next(line for line in dialog.findChildren(StatusLine) if line.label.accessibleName() == "Size of the export")


def test_a_written_file_is_a_success_until_something_else_is_wanted(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    assert looks_like(line_of(dialog), NOTE)
    dialog.export_to(tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert looks_like(line_of(dialog), SUCCESS)
    dialog.findChild(ExportForm).changed.emit()
    assert looks_like(line_of(dialog), NOTE)


def test_no_other_card_gets_the_keyboard_while_a_file_is_written(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    export = named(dialog, QPushButton, "Export")
    export.setFocus()
    assert export.hasFocus()
    dialog.export_to(tmp_path / "sheet.png")
    assert not export.isEnabled() and not any(card.hasFocus() for card in dialog.cards.buttons.values())
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    assert named(dialog, QPushButton, "Open folder").hasFocus()


def test_a_file_that_cannot_be_written_is_an_error(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    dialog.export_to(tmp_path / "nowhere" / "sheet.png")
    qtbot.waitUntil(lambda: line_of(dialog).kind == ERROR, timeout=WAIT_MS)
    assert looks_like(line_of(dialog), ERROR) and "nowhere" in facts_of(dialog)


@pytest.mark.parametrize("choice", ["dark", "light"])
def test_every_kind_can_be_told_in_both_themes(qtbot: QtBot, choice: str) -> None:
    before = theme.current().name
    theme.apply(choice)
    line = StatusLine("Line")
    qtbot.addWidget(line)
    line.show()
    for kind in COLOURS:
        line.say("Something happened.", kind)
        assert looks_like(line, kind)
    theme.apply(before)


def test_the_quiet_bar_has_the_sign_of_an_error(window: MainWindow) -> None:
    window.message_bar.show_message("A question?")
    mark = window.message_bar.findChild(QLabel, "messageMark")
    plain = mark.pixmap().toImage()
    window.message_bar.show_error(AlbumError("the disk is full"))
    assert mark.pixmap().toImage() != plain
