"""F2 writes captions, Tab goes on to the next photo, on the sheet and in the large view."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.sheet_view import lines_about_cell
from album_app.gui.tray.model import ALL, TrayModel
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.layout.editing.edits import captioned
from tests.gui.conftest import OpenSession, OpenWindow
from tests.gui.hands import canvas_of, document_of, layout_of, undo


def test_captions_are_written_one_after_the_other(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    order = layout_of(window).photo_at.tolist()
    window.session.select((order[0],), layout_of(window).cell_of(order[0]))
    window.actions_table["caption"].trigger()
    card = canvas_of(window).caption_card
    assert card.isVisible() and card.field.hasFocus()
    qtbot.keyClicks(card.field, "One")
    qtbot.keyClick(card.field, Qt.Key.Key_Tab)
    assert window.session.current == order[1]
    qtbot.keyClicks(card.field, "Two")
    qtbot.keyClick(card.field, Qt.Key.Key_Return)
    assert not card.isVisible() and document_of(window).captions == {order[0]: "One", order[1]: "Two"}
    window.actions_table["caption"].trigger()
    qtbot.keyClicks(card.field, "Never")
    qtbot.keyClick(card.field, Qt.Key.Key_Escape)
    assert document_of(window).captions[order[1]] == "Two"
    undo(window)
    assert document_of(window).captions == {order[0]: "One"} and window.session.is_settled, "nothing is solved again"


def test_the_card_for_a_caption_is_next_to_its_photo_and_does_not_hide_it(open_window: OpenWindow) -> None:
    window = open_window(40)
    canvas, layout = canvas_of(window), layout_of(window)
    card = canvas.caption_card
    for photo in (layout.in_order[0], layout.in_order[-1]):
        cell = layout.cell_of(int(photo))
        window.session.select((int(photo),), cell)
        window.actions_table["caption"].trigger()
        tile = canvas.cell_rect(cell).toAlignedRect()
        gaps = card.geometry().top() - tile.bottom(), tile.top() - card.geometry().bottom()
        assert -2 <= max(gaps) <= 2
        assert canvas.rect().contains(card.geometry())


def test_own_captions_are_seen_in_the_tray_and_on_the_card_of_a_photo(open_session: OpenSession) -> None:
    session = open_session(6)
    photo = layout_of(session).shown[0]
    session.edit(captioned, photo, "The <b>old</b> mill")
    document, tray = document_of(session), TrayModel()
    tray.show(document, ALL)
    index = tray.index(tray.row_of(photo) or 0)
    assert "The <b>old</b> mill" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "The &lt;b&gt;old&lt;/b&gt; mill" in index.data(Qt.ItemDataRole.ToolTipRole), "a caption is no markup"
    assert lines_about_cell(document, layout_of(session).cell_of(photo))[1] == "The <b>old</b> mill"
    session.edit(captioned, photo, "")
    tray.show(document_of(session), ALL)
    assert "mill" not in index.data(Qt.ItemDataRole.ToolTipRole)


def test_captions_are_written_in_the_large_view(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    order = layout_of(window).photo_at.tolist()
    window.session.select((order[0],), layout_of(window).cell_of(order[0]))
    window.actions_table["large"].trigger()
    view = window.findChild(Lightbox)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    qtbot.keyClicks(view.caption_field, "Large")
    qtbot.keyClick(view.caption_field, Qt.Key.Key_Tab)
    assert view.photo == order[1] and view.caption_field.text() == ""
    qtbot.keyClick(view.caption_field, Qt.Key.Key_Escape)
    assert document_of(window).captions == {order[0]: "Large"} and view.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert "Large" in view.facts
