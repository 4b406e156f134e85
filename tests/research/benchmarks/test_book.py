"""The peers of a book: pages that are there to be found are found."""

import numpy as np

from album_app.layout import Layout
from album_app.layout.editing.refit import reading_order
from album_app.layout.evaluation.scores import page_likeness
from album_app.layout.shapes.shape import book
from album_app.research.benchmarks.book import COLUMNS, PAGES, ROWS, equal_k_means


def test_k_means_finds_what_lies_together_and_likeness_tells() -> None:
    rng = np.random.default_rng(0)
    shape, size = book(PAGES, ROWS, COLUMNS), ROWS * COLUMNS
    kinds = rng.permutation(np.repeat(np.arange(PAGES), size))
    x = 50 * rng.random((PAGES, 8))[kinds] + 0.01 * rng.random((len(kinds), 8))
    found = equal_k_means(x, shape, seed=1).photo_at
    assert sorted(found) == list(range(shape.count))
    assert all(len(set(page)) == 1 for page in kinds[found[shape.reading]].reshape(PAGES, size))
    dealt = Layout(shape, found, np.zeros(shape.count, np.float32))
    assert page_likeness(x, dealt) < 0.001 < 0.9 < page_likeness(x, reading_order(shape, range(shape.count))) < 1.1
