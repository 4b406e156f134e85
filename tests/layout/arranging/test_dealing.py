"""Photos dealt out to pages: the book never gets worse, no single exchange improves it further, pins stay."""

import itertools

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.layout import Pins, arrange
from album_app.layout.arranging import dealing
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.dealing import KeepToPage, deal
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.evaluation.scores import distances
from album_app.layout.shapes.shape import book
from tests.layout.conftest import photos

BOOK = book(4, 2, 3)
assert BOOK.pages is not None
PAGES = BOOK.pages.page_of(BOOK.cells)


def within(x: np.ndarray, photo_at: np.ndarray) -> float:
    """The sum of distances within pages."""
    apart = distances(x[photo_at], x[photo_at])
    return float(apart[PAGES[:, None] == PAGES].sum())


def field_of(pins: Pins | None = None) -> Field:
    return Field.of(Arrangement.of(photos(24), BOOK, pins or Pins()), None, Pull.of(0.5))


def test_pages_become_more_alike_with_every_round_until_no_exchange_helps() -> None:
    field, everywhere = field_of(), np.arange(24)
    sheets = [np.random.default_rng(3).permutation(24)]
    sheets += deal(field, sheets[0], everywhere, PAGES)
    costs = [within(field.points.astype(float), sheet) for sheet in sheets]
    assert all(after <= before + 1e-3 for before, after in itertools.pairwise(costs))
    assert costs[-1] < costs[0] and all(sorted(sheet) == list(everywhere) for sheet in sheets)
    for a in everywhere:
        for b in everywhere[:a]:
            other = sheets[-1].copy()
            other[[a, b]] = other[[b, a]]
            assert within(field.points.astype(float), other) > costs[-1] - 4 * dealing.LEAST_GAIN


def test_what_may_not_move_stays() -> None:
    pins = Pins({0: (0, 0)})
    start = np.arange(24)
    *_, last = deal(field_of(pins), start, np.arange(1, 24), PAGES)
    assert last[0] == 0 and sorted(last) == list(range(24))


def test_a_deal_can_be_stopped_and_a_huge_book_has_none() -> None:
    with pytest.raises(Stopped):
        next(deal(field_of(), np.arange(24), np.arange(24), PAGES, stop=lambda: True))
    assert not list(deal(field_of(), np.arange(24), np.arange(24), PAGES, most_photos=23))


def test_leaving_a_page_is_dear_and_other_prices_are_added() -> None:
    cells = np.array([[0, 1, 12]])
    price = KeepToPage(PAGES, lambda *_: np.ones((1, 3, 3), np.float32))(np.arange(24), cells, cells)
    here = PAGES[cells[0]]
    assert ((price[0] > dealing.PAGE_CHANGE_COST) == (here[:, None] != here)).all() and price.min() == 1.0


@pytest.mark.parametrize(("photos", "on_pages"), [(20, [4, 4, 4, 4, 4]), (27, [6, 6, 6, 6, 3]), (3, [1, 1, 1, 0, 0])])
def test_a_book_with_more_pages_than_the_photos_fill_has_photos_on_each(photos: int, on_pages: list[int]) -> None:
    pages = book(5, 2, 3)
    layout = arrange(np.random.default_rng(0).standard_normal((photos, 3)), pages)
    assert pages.pages is not None
    page = pages.pages.page_of(pages.cells[layout.photo_at >= 0])
    assert np.bincount(page, minlength=5).tolist() == on_pages
