"""How the pages of a book lie next to each other on the sheet."""

import pytest

from album_app.layout.shapes.pages import Page, Pages, filled_page


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (30, 2), (2, 30)])
def test_no_more_pages_lie_side_by_side_than_there_are(count: int, rows: int, columns: int) -> None:
    pages = Pages.of(count, rows, columns)
    assert 1 <= pages.across <= count
    origins = [pages.origin(page) for page in range(count)]
    assert origins[0] == (0, 0) and len(set(origins)) == count, "no page lies on another"


def filled(page: Page, *aspects: float) -> list[list[float]]:
    even = (1.0,) * len(aspects)
    turned, boxes = filled_page(page, aspects, aspects, (even, even))
    assert not turned
    return boxes.tolist()


def test_two_photos_lie_so_that_they_fill_the_page() -> None:
    assert filled(Page(4.0, 1.0), 2.0, 2.0) == [[0, 0, 2, 1], [2, 0, 2, 1]], "side by side on a wide page"
    assert filled(Page(2.0, 2.0), 2.0, 2.0) == [[0, 0, 2, 1], [0, 1, 2, 1]], "above each other on a square one"
    assert filled(Page(3.0, 1.0), 2.0, 1.0) == [[0, 0, 2, 1], [2, 0, 1, 1]], "each as wide as it is"


def test_a_photo_grows_by_a_half_at_most_and_lies_in_the_middle_of_what_stays_free() -> None:
    assert filled(Page(1.0, 1.4), 1.0) == [[0, 0, 1, pytest.approx(1.4)]]
    assert filled(Page(1.0, 3.0), 1.0) == [[0, pytest.approx(0.75), 1, pytest.approx(1.5)]]
    assert filled(Page(2.0, 3.0, stretch=1.0), 1.0) == [[0, pytest.approx(0.5), 2, pytest.approx(2.0)]]


def test_gaps_and_captions_lie_behind_and_below_each_photo() -> None:
    (left, right) = filled(Page(4.2, 1.2, gap=0.1, caption=0.1), 2.0, 2.0)
    assert left == pytest.approx([0, 0, 2.1, 1.2]) and right == pytest.approx([2.1, 0, 2.1, 1.2])


def test_many_photos_of_one_size_lie_in_even_rows() -> None:
    boxes = filled(Page(6.0, 4.0), *[1.5] * 16)
    assert {(round(width, 6), round(height, 6)) for _, _, width, height in boxes} == {(1.5, 1.0)}
    assert sorted({(x, y) for x, y, _, _ in boxes}) == [(1.5 * x, y) for x in range(4) for y in range(4)]
