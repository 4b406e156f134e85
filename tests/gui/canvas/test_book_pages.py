"""A book under the hand: photos dragged from page to page, a page moved by its title or by keys, each undoable."""

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.book_pages import page_at, title_rect
from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.gesture_states import CarryingPage
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.book import page_layouts, page_moved
from album_app.layout.editing.edits import reshaped
from album_app.layout.shapes.pages import Pages
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from tests.gui.conftest import OpenCanvas, OpenWindow, wait_until_settled
from tests.gui.hands import LEFT, NO_KEY, click, document_of, drag, layout_of, photo_in, pins, press_and_move

SPEC = ShapeSpec("pages", rows=2, columns=2)


def bind(canvas: Canvas, qtbot: QtBot) -> Pages:
    """Make a book of what lies on a canvas."""
    canvas.session.edit(reshaped, "Book", SPEC, build_shape(SPEC, 12))
    wait_until_settled(qtbot, canvas.session)
    pages = document_of(canvas.session).shape.pages
    assert pages is not None
    return pages


def contents(canvas: Canvas) -> list[list[int]]:
    return [page.photo_at.tolist() for page in page_layouts(layout_of(canvas.session))]


def title_of(canvas: Canvas, pages: Pages, page: int) -> QPoint:
    return (title_rect(canvas.scene, pages, page).center() / canvas.ratio).toPoint()


def test_a_page_is_moved_by_its_title_and_undo_brings_it_back(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    pages = bind(canvas, qtbot)
    before = contents(canvas)
    start, end = title_of(canvas, pages, 0), canvas.cell_rect(pages.origin(2)).center().toPoint()
    press_and_move(canvas, start, end)
    assert canvas.hand.state == CarryingPage(0, 2)
    assert not canvas.grab().isNull()
    QTest.mouseRelease(canvas, LEFT, NO_KEY, end)
    assert contents(canvas) == [before[1], before[2], before[0]]
    assert canvas.session.undo_stack.undoText() == "Move page 1 to 3" and canvas.session.is_settled
    canvas.session.undo_stack.undo()
    assert contents(canvas) == before


def test_a_page_let_go_beside_all_stays(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    pages = bind(canvas, qtbot)
    before = contents(canvas)
    start = title_of(canvas, pages, 0)
    press_and_move(canvas, start, QPoint(1, 1))
    QTest.mouseRelease(canvas, LEFT, NO_KEY, QPoint(1, 1))
    assert contents(canvas) == before and canvas.session.undo_stack.undoText() == "Book"


def test_a_photo_is_dragged_to_another_page_and_its_pin_moves_with_the_page(
    open_canvas: OpenCanvas, qtbot: QtBot
) -> None:
    canvas = open_canvas(12)
    pages = bind(canvas, qtbot)
    photo = photo_in(canvas.session, pages.origin(0))
    drag(canvas, pages.origin(0), pages.origin(2))
    wait_until_settled(qtbot, canvas.session)
    assert dict(document_of(canvas.session).pins) == {photo: pages.origin(2)}
    assert photo in contents(canvas)[2]
    press_and_move(canvas, title_of(canvas, pages, 2), title_of(canvas, pages, 1))
    QTest.mouseRelease(canvas, LEFT, NO_KEY, title_of(canvas, pages, 1))
    assert dict(document_of(canvas.session).pins) == {photo: pages.origin(1)}
    assert contents(canvas)[1][0] == photo


def test_a_double_click_below_a_page_writes_its_chapter_title(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    pages = bind(canvas, qtbot)
    QTest.mouseDClick(canvas, LEFT, NO_KEY, title_of(canvas, pages, 1))
    (dialog,) = canvas.window().findChildren(QInputDialog)
    dialog.setTextValue("To the  sea")
    dialog.accept()
    document = document_of(canvas.session)
    assert document.chapter_titles == {1: "To the sea"} and canvas.session.is_settled
    assert canvas.page_titles.of(document) == ["1", "2 · To the sea", "3"]
    canvas.session.edit(page_moved, 1, 2)
    assert document_of(canvas.session).chapter_titles == {2: "To the sea"}, "the title goes along with its page"
    for _ in range(2):
        canvas.session.undo_stack.undo()
    assert canvas.page_titles.of(document_of(canvas.session)) == ["1", "2", "3"]


def test_which_page_is_under_a_point(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(12)
    pages = bind(canvas, qtbot)
    for page in range(pages.count):
        title, cell = title_rect(canvas.scene, pages, page).center(), canvas.scene.rect_of(pages.origin(page)).center()
        assert page_at(canvas.scene, title.x(), title.y()) == (page, True)
        assert page_at(canvas.scene, cell.x(), cell.y()) == (page, False)
        assert canvas.scene.buffer.height > title_rect(canvas.scene, pages, page).bottom()
    assert page_at(canvas.scene, 0, 0) == (None, False)


def test_keys_move_the_page_of_the_chosen_cell(open_window: OpenWindow, qtbot: QtBot) -> None:
    window: MainWindow = open_window(12)
    canvas = window.workspace.canvas
    assert not window.actions_table["page_later"].isEnabled()
    pages = bind(canvas, qtbot)
    click(canvas, pages.origin(0))
    photo, before = photo_in(window, pages.origin(0)), contents(canvas)
    window.actions_table["page_later"].trigger()
    assert contents(canvas) == [before[1], before[0], before[2]]
    assert window.session.cell == pages.origin(1) and photo_in(window, pages.origin(1)) == photo
    window.actions_table["page_earlier"].trigger()
    window.actions_table["page_earlier"].trigger()
    assert contents(canvas) == before and not pins(window)
