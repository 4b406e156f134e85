"""How the pages of a book lie next to each other on the sheet."""

import pytest

from album_app.layout.shapes.pages import Pages


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (30, 2), (2, 30)])
def test_no_more_pages_lie_side_by_side_than_there_are(count: int, rows: int, columns: int) -> None:
    pages = Pages.of(count, rows, columns)
    assert 1 <= pages.across <= count
    origins = [pages.origin(page) for page in range(count)]
    assert origins[0] == (0, 0) and len(set(origins)) == count, "no page lies on another"
