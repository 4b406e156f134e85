"""Pages of a book: cells of two pages are never neighbours, each page is a small sheet, and pages can be moved."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, ShapeSpec, arrange, build_shape
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.polish import Board
from album_app.layout.editing.book import chapter_titles, page_layouts, page_moved
from album_app.layout.editing.edits import excluded
from album_app.layout.editing.refit import reading_order
from album_app.layout.evaluation.scores import distances, dpq, layout_scores, mean_neighbour_distance
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import book
from album_app.photos.album import Photo
from album_app.photos.decoding.header import CAMERA, FILE
from tests.layout.conftest import FAST, check_sheet, make_document, means, photos

BOOK = book(6, 3, 4)


def of_pages(layout: Layout) -> np.ndarray:
    """For each page its photos: (pages, size)."""
    pages = layout.shape.pages
    assert pages is not None
    return layout.in_order.reshape(pages.count, pages.size)


def test_a_book_has_as_many_pages_as_asked_for_or_needed() -> None:
    assert build_shape(ShapeSpec("pages", rows=4, columns=5, pages=12), 7).count == 240
    needed = build_shape(ShapeSpec("pages", rows=4, columns=5), 41)
    assert needed.pages is not None and needed.pages.count == 3
    suited = build_shape(ShapeSpec("pages", pages=3), 36)
    assert suited.pages is not None and (suited.pages.size, suited.pages.count) == (12, 3)
    assert build_shape(ShapeSpec("pages"), 1).name == "1 page of 4x5"


@pytest.mark.parametrize("spec", [ShapeSpec("pages", rows=400, columns=500, pages=9), ShapeSpec("pages", rows=-4)])
def test_a_book_that_cannot_be_is_refused(spec: ShapeSpec) -> None:
    with pytest.raises(UsageError):
        build_shape(replace(spec, columns=spec.columns or 5), 10)


def test_any_two_cells_of_a_page_are_nearer_than_any_two_across_the_fold() -> None:
    pages = BOOK.pages
    assert pages is not None
    page = pages.page_of(BOOK.cells)
    apart = distances(BOOK.places.astype(float), BOOK.places.astype(float))
    same = page[:, None] == page
    assert apart[same].max() < apart[~same].min()
    assert (np.bincount(page) == 12).all()


def test_no_neighbourhood_reaches_across_the_fold() -> None:
    """What changes on one page changes no mean, no neighbour and no pull of a pin on another."""
    x, pages = photos(72), BOOK.pages
    assert pages is not None
    page, pins = pages.page_of(BOOK.cells), Pins({3: (0, 0)})
    field = Field.of(Arrangement.of(x, BOOK, pins), None, Pull.of(0.5))
    before, after = np.arange(72), np.arange(72)
    on_second = np.flatnonzero(page == 1)
    after[on_second] = before[on_second[::-1]]
    for radius in (1, 2, 100):
        changed = (means(field, before, radius) != means(field, after, radius)).any(axis=1)
        assert set(page[changed]) <= {1}
    around = Board.of(field).around
    assert all(set(page[near[near >= 0]]) == {page[cell]} for cell, near in enumerate(around))
    pulled = np.abs(field.fixed[:, x.shape[1]]) > 0
    assert set(page[pulled]) == {0}


def test_scores_of_neighbours_know_the_fold() -> None:
    """Two photos in turn, page by page: smooth within pages, however different pages side by side are."""
    x = np.repeat([[0.0, 1.0], [5.0, 2.0]], 36, axis=0) + 1e-3 * photos(72, axes=2)
    layout = reading_order(BOOK, range(72))
    order = np.concatenate([np.arange(72).reshape(2, 3, 12)[turn % 2, turn // 2] for turn in range(6)])
    layout = replace(layout, photo_at=order[np.argsort(BOOK.reading)])
    assert mean_neighbour_distance(x, layout, 2) < 0.01
    assert layout_scores(layout, x)["dpq16"] > dpq(x[layout.photo_at], BOOK.cells) + 0.02


@pytest.mark.parametrize("fill", ["end", "empty", "repeat"])
@pytest.mark.parametrize("count", [50, 72, 90])
def test_each_photo_once_and_pins_in_their_cells(count: int, fill: str) -> None:
    pins = Pins({0: (0, 0), 7: (2, 3), 9: BOOK.cell(40)})
    layout = arrange(photos(count), BOOK, pins, replace(FAST, fill=fill))
    check_sheet(layout, set(range(count)), pins, fill)
    if fill == "end" and count < 72:
        for page in np.split(layout.in_order, 6):
            loose = np.flatnonzero((page >= 0) & ~np.isin(page, list(pins)))
            assert len(loose) in {7, 8} and np.flatnonzero(page < 0)[0] > loose[-1], (
                "the empty cells of a page come last"
            )


def test_a_page_gathers_what_is_alike() -> None:
    x = np.repeat(10 * photos(6, seed=3), 12, axis=0) + 0.01 * photos(72)
    layout = arrange(x[np.random.default_rng(0).permutation(72)], BOOK, None, Options())
    kinds = np.random.default_rng(0).permutation(72) // 12
    assert all(len(set(kinds[page])) == 1 for page in of_pages(layout))


def test_a_pin_draws_its_kin_onto_its_page() -> None:
    x = np.repeat(10 * photos(6, seed=3), 12, axis=0) + 0.01 * photos(72)
    for page in (0, 4):
        assert BOOK.pages is not None
        layout = arrange(x, BOOK, Pins({30: BOOK.pages.origin(page)}), Options())
        assert set(of_pages(layout)[page]) == set(range(24, 36))


def test_the_same_book_again() -> None:
    again = [arrange(photos(72), BOOK, None, FAST).photo_at.tolist() for _ in range(2)]
    assert again[0] == again[1]


@pytest.fixture
def document(tmp_path: Path) -> Document:
    """Thirty photos on three pages of twelve, one of them pinned."""
    spec = ShapeSpec("pages", rows=3, columns=4)
    made = make_document(tmp_path, [f"{k}.jpg" for k in range(30)])
    shape, pins = build_shape(spec, 30), Pins({5: (1, 2)})
    layout = replace(reading_order(shape, range(30), pins), stage="refined", arranged=True)
    return replace(made, spec=spec, shape=shape, pins=pins, excluded=frozenset(), layout=layout)


def test_moving_a_page_is_a_permutation_of_pages(document: Document) -> None:
    edit = page_moved(document, 0, 2)
    assert edit is not None and edit.name == "Move page 1 to 3" and edit.document.is_settled
    before, after = document.layout, edit.document.layout
    assert before is not None and after is not None
    assert of_pages(after).tolist() == of_pages(before)[[1, 2, 0]].tolist()
    assert all(after.photo_in(cell) == photo for photo, cell in edit.document.pins.items())
    back = page_moved(edit.document, 2, 0)
    assert back is not None and back.document.layout is not None
    assert back.document.layout.photo_at.tolist() == before.photo_at.tolist()
    assert back.document.pins == document.pins


@pytest.mark.parametrize(("page", "to"), [(1, 1), (0, 3), (-1, 0)])
def test_a_page_that_goes_nowhere_is_no_edit(document: Document, page: int, to: int) -> None:
    assert page_moved(document, page, to) is None


def test_each_page_is_a_sheet_of_its_own(document: Document) -> None:
    assert document.layout is not None
    sheets = page_layouts(document.layout)
    assert [sheet.photo_at.tolist() for sheet in sheets] == of_pages(document.layout).tolist()
    assert [dict(sheet.pins) for sheet in sheets] == [{5: (1, 2)}, {}, {}]


def test_a_book_as_long_as_its_photos_follows_them(document: Document) -> None:
    edit = excluded(document, range(20, 30))
    assert edit is not None and edit.document.shape.pages is not None
    assert edit.document.shape.pages.count == 2 and edit.document.pins == document.pins


def test_pins_stay_on_their_page_when_pages_change() -> None:
    old, new = book(3, 3, 4), book(5, 2, 2)
    assert old.pages is not None and new.pages is not None
    carried = Pins({0: old.pages.origin(2), 1: old.pages.origin(1)}).carry(old, new)
    assert dict(carried) == {0: new.pages.origin(2), 1: new.pages.origin(1)}


def test_a_book_comes_back_from_its_file(tmp_path: Path, document: Document) -> None:
    save_project(document, tmp_path / "book.album")
    after = load_project(tmp_path / "book.album")
    assert after.spec == document.spec and after.shape.same_cells(document.shape)
    assert after.shape.pages == document.shape.pages
    assert after.layout is not None and document.layout is not None
    assert after.layout.photo_at.tolist() == document.layout.photo_at.tolist()


def test_a_file_with_pages_of_other_cells_is_refused(tmp_path: Path, document: Document) -> None:
    save_project(document, tmp_path / "book.album")
    text = (tmp_path / "book.album").read_text().replace('"across":2', '"across":3')
    (tmp_path / "book.album").write_text(text)
    with pytest.raises(UsageError, match="pages"):
        load_project(tmp_path / "book.album")


def test_chapters_follow_time_and_break_at_its_longest_pauses() -> None:
    """Three days with 7, 2 and 9 photos on three pages of twelve, however they look."""
    days = np.random.default_rng(1).permutation(np.repeat([0.0, 1.0, 2.0], [7, 2, 9]))
    when = 86_400 * days + np.arange(18)
    layout = arrange(photos(18), book(3, 3, 4), None, FAST, when=when)
    assert [sorted(set(days[page[page >= 0]])) for page in of_pages(layout)] == [[0.0], [1.0], [2.0]]
    check_sheet(layout, set(range(18)), Pins(), "end")


def test_a_pin_stays_on_its_page_in_a_book_of_chapters() -> None:
    when, shape = np.arange(30.0), book(3, 3, 4)
    assert shape.pages is not None
    pins = Pins({0: shape.pages.origin(2)})
    layout = arrange(photos(30), shape, pins, FAST, when=when)
    check_sheet(layout, set(range(30)), pins, "end")
    others = [page[(page >= 0) & (page != 0)] for page in of_pages(layout)]
    assert others[0].max() < others[1].min() and others[1].max() < others[2].min()


@pytest.mark.parametrize("count", [1, 2, 36, 50])
def test_chapters_of_few_or_too_many_photos(count: int) -> None:
    layout = arrange(photos(count), book(3, 3, 4), None, FAST, when=np.full(count, np.inf))
    check_sheet(layout, set(range(count)), Pins(), "end")


def test_chapters_have_pages_to_spare() -> None:
    full, chapters = (build_shape(ShapeSpec("pages", rows=3, columns=4, chapters=on), 48).pages for on in (False, True))
    assert full is not None and chapters is not None and (full.count, chapters.count) == (4, 5)


def titles(*pages: list[tuple[int, int]], by: str = CAMERA, own: dict[int, str] | None = None) -> dict[int, str]:
    """The chapters of a book whose pages show photos of these months and days of 2024, a page each."""
    days = [day for page in pages for day in page]
    shown = [Photo(Path(f"{k}"), f"{k}", 1, 1, 4, 3, datetime(2024, *day), by) for k, day in enumerate(days)]
    shape = book(len(pages), 1, 5)
    photo_at, numbers = np.full(shape.count, -1), iter(range(len(days)))
    for page, cells in zip(pages, shape.reading.reshape(len(pages), 5), strict=True):
        photo_at[cells[: len(page)]] = [next(numbers) for _ in page]
    return chapter_titles(Layout(shape, photo_at, np.zeros(shape.count)), shown, own or {})


def test_a_page_belongs_to_the_chapter_of_the_photo_in_the_middle_of_its_time() -> None:
    may, june = [(5, 1)] * 5, [(6, 20)] * 5
    assert titles(may, [(5, 2), (5, 3), (6, 9), (6, 9), (6, 9)], june) == {0: "May 2024", 1: "2 May – 20 June 2024"}
    assert titles(may, [(5, 2), (5, 3), (5, 9), (6, 9), (6, 9)], june) == {0: "1 May – 9 June 2024", 2: "June 2024"}


def test_chapters_are_days_or_months_and_one_s_own_titles_go_before_them() -> None:
    days = ([(5, 1)], [(5, 1), (5, 1)], [(5, 3)])
    assert titles(*days) == {0: "1 May 2024", 2: "3 May 2024"}
    assert titles(*days, by=FILE)[2] == "3 May 2024 (the file's time)"
    assert titles(*days, own={1: "The sea", 2: "Home", 3: "never"}) == {0: "1 May 2024", 1: "The sea", 2: "Home"}
    assert titles(*days[::-1]) == {}, "not in the order of time"
    assert titles([(1, 5)], [(7, 6)]) == {0: "January 2024", 1: "July 2024"}


def dated_titles(*pages: list[str | tuple[str, str]]) -> dict[int, str]:
    """The chapters of a book whose pages show photos of these days; a pair says what dates the photo."""
    entries = [(entry, CAMERA) if isinstance(entry, str) else entry for page in pages for entry in page]
    shown = [
        Photo(Path(f"{k}"), f"{k}", 1, 1, 4, 3, datetime.fromisoformat(day), by) for k, (day, by) in enumerate(entries)
    ]
    shape = book(len(pages), 4, 5)
    photo_at, numbers = np.full(shape.count, -1), iter(range(len(entries)))
    for page, cells in zip(pages, shape.reading.reshape(len(pages), 20), strict=True):
        photo_at[cells[: len(page)]] = [next(numbers) for _ in page]
    return chapter_titles(Layout(shape, photo_at, np.zeros(shape.count)), shown, {})


def weeks_of_holiday(*first: str) -> list[list[str | tuple[str, str]]]:
    """Twenty pages of 14 photos: one for each two days of July and the beginning of August 2025."""
    begin = date(2025, 7, 1)
    pages: list[list[str | tuple[str, str]]] = [[str(begin + timedelta(2 * page))] * 14 for page in range(20)]
    pages[0] = [*first, *pages[0]]
    return pages


def test_a_few_stray_dates_do_not_decide_what_chapters_are() -> None:
    found = dated_titles(*weeks_of_holiday("2005-11-09"))
    assert list(found.values()) == [
        "1–5 July 2025 and other days",
        "7–13 July 2025",
        "15–19 July 2025",
        "21–27 July 2025",
        "29 July – 2 August 2025",
        "4–8 August 2025",
    ]
    assert list(found) == [0, 3, 7, 10, 14, 17]


def test_pages_that_only_their_files_date_are_a_chapter_that_says_so() -> None:
    copied: list[str | tuple[str, str]] = [("2026-11-19", FILE)] * 14
    mixed: list[str | tuple[str, str]] = [*["2025-08-09"] * 4, *copied]
    found = dated_titles(*weeks_of_holiday(), mixed, copied)
    assert found[17] == "4–8 August 2025"
    assert found[20] == "19 November 2026 (the file's time) and other days"


@pytest.mark.parametrize(
    ("days_apart", "pages", "chapters"),
    [(1, 10, 10), (4, 100, 14), (90, 40, 10)],
    ids=["a holiday by day", "a year by month", "ten years by year"],
)
def test_the_length_of_chapters_suits_the_number_of_pages(days_apart: int, pages: int, chapters: int) -> None:
    days = [date(2015, 3, 20) + timedelta(days_apart * page) for page in range(pages)]
    assert len(dated_titles(*([str(day)] * 3 for day in days))) == chapters
