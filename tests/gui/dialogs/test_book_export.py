"""A book from the panel to files and paper: chosen there, exported page by page, printed page by page."""

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QMessageBox, QSpinBox
from pytestqt.qtbot import QtBot

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.layout.editing.book import chapter_titled, page_titles
from tests.gui.conftest import WAIT_MS, OpenWindow, wait_until_settled
from tests.gui.dialogs.dialog_hands import facts_of, named, open_export, print_into
from tests.gui.hands import document_of, layout_of
from tests.gui.panel.panel_hands import after_edit, choose, control

SIDES = ("rows", "columns")


def test_a_book_from_the_panel_to_files_and_paper(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(11)
    assert after_edit(qtbot, window, lambda: choose(window, "Shape", "pages")) == "Shape: Pages of a book"
    after_edit(qtbot, window, lambda: [control(window, QSpinBox, f"Page {side}").setValue(2) for side in SIDES])
    wait_until_settled(qtbot, window.session)
    pages = document_of(window).shape.pages
    assert pages is not None and (pages.count, pages.rows, pages.columns) == (3, 2, 2)

    window.session.edit(chapter_titled, 1, "To the sea")
    dialog = open_export(window)
    assert facts_of(dialog).startswith("3 pages of ")
    assert not named(dialog, QComboBox, "Below pages").isHidden()
    dialog.export_to(tmp_path / "trip.png")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote trip-01.png … trip-03.png"), timeout=WAIT_MS)
    assert sorted(path.name for path in tmp_path.glob("trip*")) == [f"trip-0{number}.png" for number in (1, 2, 3)]
    dialog.export_to(tmp_path / "sea.svg")
    qtbot.waitUntil(lambda: facts_of(dialog).startswith("Wrote sea-01.svg"), timeout=WAIT_MS)
    assert [number for number in (1, 2, 3) if "To the sea" in (tmp_path / f"sea-0{number}.svg").read_text()] == [2]
    dialog.reject()

    print_into(window, tmp_path / "printed.pdf")
    qtbot.waitUntil(lambda: window.notice.text() == "Wrote printed.pdf", timeout=WAIT_MS)
    assert b"/Count 3" in (tmp_path / "printed.pdf").read_bytes()

    after_edit(qtbot, window, lambda: control(window, QCheckBox, "Pages are chapters").click())
    wait_until_settled(qtbot, window.session)
    document = document_of(window)
    assert document.spec.chapters and document.shape.pages is not None and document.shape.pages.count == 4
    titles = page_titles(layout_of(window), document)
    assert [title.split(" ")[0] for title in titles] == ["1", "2", "3", "4"]


def test_the_pages_of_a_new_book_suit_the_number_of_photos(open_window: OpenWindow, qtbot: QtBot) -> None:
    for photos, wanted in ((11, (2, 3)), (150, (3, 4))):
        window = open_window(photos)
        after_edit(qtbot, window, lambda window=window: choose(window, "Shape", "pages"))
        pages = document_of(window).shape.pages
        assert pages is not None and (pages.rows, pages.columns) == wanted
        assert tuple(control(window, QSpinBox, f"Page {side}").value() for side in SIDES) == wanted


def test_the_book_card_makes_a_book_and_shows_it_in_the_export(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(11)
    dialog = open_export(window)
    dialog.cards.buttons["book"].click()
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=WAIT_MS)
    window.findChildren(QMessageBox)[0].defaultButton().click()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(ExportDialog)), timeout=WAIT_MS)
    shown = next(each for each in window.findChildren(ExportDialog) if each.isVisible())
    assert shown is not dialog and document_of(window).shape.pages is not None
    assert shown.cards.buttons["book"].isChecked()
    assert named(shown, QComboBox, "Size").currentData() == "A4", "not the paper of the poster that was chosen before"
    shown.reject()
