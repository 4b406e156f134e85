"""Export, large view, preferences: the dialogs by their controls."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export import foot, writing
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.foot import ExportFoot, remarks
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.dialogs.preferences import PreferencesDialog
from album_app.gui.style.wording import in_bytes as words_for
from album_app.layout import rectangle
from album_app.layout.editing.refit import reading_order
from album_app.render import RenderSettings
from album_app.render.presets import PRESETS, Choice, as_words, from_words
from album_app.work import check
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, wait_until_settled
from tests.gui.dialogs.dialog_hands import facts_of, named, open_export
from tests.gui.hands import KEY, pick, type_keys
from tests.layout.conftest import make_document


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_fill_the_form(qtbot: QtBot, preset: str) -> None:
    form = ExportForm()
    qtbot.addWidget(form)
    form.fill(PRESETS[preset])
    assert form.choice == PRESETS[preset]


def test_a_choice_is_remembered_whole() -> None:
    choice = Choice("JPEG", RenderSettings(paper="A3", gap=2.5, background="#123456", mark_pins=True))
    assert from_words(as_words(choice), RenderSettings(title=choice.settings.title)) == choice
    assert from_words('{"format": "nonsense", "dpi": -3}', RenderSettings()) == Choice()


KINDS = [("PNG", ".png"), ("JPEG", ".jpg"), ("TIFF", ".tif"), ("PDF", ".pdf"), ("SVG", ".svg")]


def test_exporting_through_the_dialog(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(foot.QDesktopServices, "openUrl", opened.append)
    dialog = open_export(open_window(6))
    combo = named(dialog, QComboBox, "Format")
    for kind, suffix in KINDS:
        combo.setFocus()
        combo.setCurrentIndex(combo.findData(kind))
        assert not facts_of(dialog).startswith("Wrote")
        target = tmp_path / kind / f"sheet{suffix}"
        target.parent.mkdir()
        dialog.export_to(target)
        qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
        assert target.stat().st_size > 500
        into = foot.short_folder(target.parent)
        assert facts_of(dialog) == f"Wrote {target.name} into {into}, {words_for(target.stat().st_size)}."
        assert named(dialog, QPushButton, "Open folder").hasFocus()
        QTest.mouseClick(named(dialog, QPushButton, "Open folder"), Qt.MouseButton.LeftButton)
        assert Path(opened.pop().toLocalFile()) == target.parent and not opened
    dialog.close()


@pytest.mark.parametrize(("dpi", "pixels"), [(150, (1754, 1240)), (100, (1169, 827))])
def test_pixels_size_and_memory_are_told_before_work(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, dpi: int, pixels: tuple[int, int]
) -> None:
    dialog = open_export(open_window(6))
    for name, value in (("Size", "A4"), ("Format", "PNG")):
        combo = named(dialog, QComboBox, name)
        combo.setCurrentIndex(combo.findData(value))
    named(dialog, QSpinBox, "Resolution").setValue(dpi)
    assert "about …" in facts_of(dialog)
    qtbot.waitUntil(lambda: "about …" not in facts_of(dialog), timeout=WAIT_MS)
    found = re.fullmatch(r"(\d+) × (\d+) px at (\d+) dpi   ·   about (.+)", facts_of(dialog))
    assert found is not None and sorted(map(int, found.group(1, 2))) == sorted(pixels) and int(found[3]) == dpi
    dialog.export_to(tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"), timeout=WAIT_MS)
    size = (tmp_path / "sheet.png").stat().st_size
    assert 0.75 * size < number_of(found[4]) < 1.25 * size, "an estimate that can be relied on"
    dialog.close()


def number_of(words: str) -> float:
    """ "1.5 MB" as a number of bytes."""
    amount, unit = words.split()
    return float(amount) * {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


def test_the_preview_follows_and_the_facts_are_right(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    dialog = open_export(window)
    pane = named(dialog, QLabel, "Preview of the sheet")
    qtbot.waitUntil(lambda: not pane.pixmap().isNull())
    dialog.export_to(tmp_path / "a.png")
    said = facts_of(dialog)
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"))
    with Image.open(tmp_path / "a.png") as picture:
        width, height = picture.size
    combo = named(dialog, QComboBox, "Format")
    combo.setCurrentIndex(combo.findData("TIFF"))
    assert f"{width} × {height} px" in facts_of(dialog), said
    dialog.close()


def test_what_cannot_be_is_explained_before_work(open_window: OpenWindow) -> None:
    dialog = open_export(open_window(6))
    formats, background = named(dialog, QComboBox, "Format"), named(dialog, QComboBox, "Background")
    background.setCurrentIndex(background.findData("transparent"))
    background.changed.emit()
    formats.setCurrentIndex(formats.findData("JPEG"))
    assert "transparent" in facts_of(dialog)
    assert not named(dialog, QPushButton, "Export").isEnabled()
    dialog.close()


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports get to 30 % and stay there until they are stopped."""

    def work(*args: object, on_progress: Callable[[int, int], None], stop: object, **rest: object) -> None:
        on_progress(3, 10)
        while True:
            check(stop)
            time.sleep(0.005)

    monkeypatch.setattr(writing, "export", work)


def test_an_export_tells_how_far_it_is_and_can_be_cancelled(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, endless: None
) -> None:
    dialog = open_export(open_window(6))
    form, bar = dialog.findChild(ExportForm), named(dialog, QProgressBar, "Export progress")
    dialog.export_to(tmp_path / "never.png")
    qtbot.waitUntil(lambda: (bar.value(), bar.maximum()) == (3, 10), timeout=WAIT_MS)  # first the photos are checked
    assert bar.isVisible() and "30 %" in facts_of(dialog)
    assert not form.isEnabled() and not named(dialog, QPushButton, "Export").isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible() and facts_of(dialog) == "Cancelled; nothing was written."
    assert not bar.isVisible() and form.isEnabled() and named(dialog, QPushButton, "Export").isEnabled()
    assert not (tmp_path / "never.png").exists()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_double_click_on_cancel_does_not_close_the_dialog(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, endless: None
) -> None:
    dialog = open_export(open_window(6))
    button = named(dialog, QPushButton, "Close or cancel")
    dialog.export_to(tmp_path / "never.png")
    for _ in range(2):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dialog.isVisible() and button.text() == "Close"

    def closed() -> bool:
        if dialog.isVisible():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        return not dialog.isVisible()

    qtbot.waitUntil(closed, timeout=WAIT_MS)  # a click that comes later means it


def test_the_preview_stays_where_it_is_while_the_sheet_is_written(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, endless: None
) -> None:
    dialog = open_export(open_window(6))
    pane, bar = named(dialog, QLabel, "Preview of the sheet"), named(dialog, QProgressBar, "Export progress")
    QApplication.processEvents()
    before = pane.geometry()
    dialog.export_to(tmp_path / "never.png")
    qtbot.waitUntil(lambda: bar.value() == 3, timeout=WAIT_MS)
    QApplication.processEvents()
    assert bar.isVisible() and pane.geometry() == before
    dialog.reject()
    dialog.close()


def test_the_dialog_closes_with_its_album(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder, tmp_path: Path, endless: None
) -> None:
    window = open_window(6)
    for exporting in (False, True):
        dialog = open_export(window)
        if exporting:
            dialog.export_to(tmp_path / "never.png")
        assert dialog.isVisible() and window.parts.jobs.running("export") == exporting
        with qtbot.waitSignal(window.session.opened, timeout=WAIT_MS):
            window.parts.loading.open_paths([photo_folder(3, f"other {exporting}", start=40)])
        assert not dialog.isVisible() and not window.parts.jobs.running("export")
        wait_until_settled(qtbot, window.session)


def test_captions_that_an_export_leaves_out_are_mentioned(tmp_path: Path) -> None:
    shape = rectangle(1, 2)
    document = make_document(tmp_path, ["a.jpg", "b.jpg", "c.jpg"])
    layout = reading_order(shape, [0, 1])
    document = replace(document, shape=shape, layout=layout, captions={0: "Anna", 1: "Ben", 2: "not on the sheet"})
    said = {
        caption: remarks(document, layout, Choice("PDF", RenderSettings(paper="A4", caption=caption)), 0)[0]
        for caption in ("none", "title")
    }
    assert "2 captions of your own are left out" in said["none"] and "left out" not in said["title"]


def test_the_last_export_is_remembered(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(6)
    dialog = open_export(window)
    combo = named(dialog, QComboBox, "Format")
    combo.setCurrentIndex(combo.findData("WebP"))
    dialog.export_to(tmp_path / "sheet.webp")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote"))
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    again = open_export(window)
    assert named(again, QComboBox, "Format").currentData() == "WebP"
    again.close()


def test_preferences_are_at_work_at_once(open_window: OpenWindow) -> None:
    window = open_window()
    window.actions_table["preferences"].trigger()
    dialog = window.findChild(PreferencesDialog)
    pick(named(dialog, QComboBox, "Theme"), "dark")
    assert window.palette().window().color().lightness() < 128
    check_box = next(box for box in dialog.findChildren(QCheckBox) if "folders inside" in box.text())
    check_box.click()
    assert window.preferences.get("recursive") is False
    dialog.close()


def test_enter_on_the_title_of_a_section_unfolds_it_and_exports_nothing(open_window: OpenWindow) -> None:
    dialog = open_export(open_window(6))
    title = named(dialog, QToolButton, "Details section")
    title.setFocus()
    type_keys(title, KEY.Key_Return)
    assert title.isChecked() and facts_of(dialog) and dialog.findChild(ExportFoot).export.isEnabled()
    assert not facts_of(dialog).startswith(("Wrote", "Writing"))
    type_keys(title, KEY.Key_Enter)
    assert not title.isChecked()


def test_the_keyboard_is_seen_on_the_card_that_is_chosen(open_window: OpenWindow, qtbot: QtBot) -> None:
    dialog = open_export(open_window(6))
    card = next(button for button in dialog.cards.buttons.values() if button.text() == "Wallpaper")
    card.click()
    dialog.activateWindow()
    card.setFocus()
    qtbot.waitUntil(card.hasFocus, timeout=5000)
    with_focus = card.grab().toImage()
    card.clearFocus()
    assert card.isChecked() and card.grab().toImage() != with_focus
