"""One BLAS thread inside, the number of before afterwards, however the blocks overlap."""

from collections.abc import Iterator

import pytest

from album_app.solver import threads


@pytest.fixture
def blas() -> Iterator[threads._OpenBlas]:
    """Numpy's OpenBLAS, with its number of threads put back at the end."""
    found = threads._openblas()
    if found is None:
        pytest.skip("numpy does not bring its own OpenBLAS here")
    before = found._get_threads()
    yield found
    found._set_threads(before)


def test_threads_are_put_back(blas: threads._OpenBlas) -> None:
    before = blas._get_threads()
    first, second = threads.one_thread(), threads.one_thread()
    first.__enter__()
    second.__enter__()
    assert blas._get_threads() == 1
    first.__exit__(None, None, None)
    assert blas._get_threads() == 1
    second.__exit__(None, None, None)
    assert blas._get_threads() == before


def test_nothing_happens_where_it_is_not_wanted(blas: threads._OpenBlas) -> None:
    blas._set_threads(2)
    with threads.one_thread(False):
        assert blas._get_threads() == 2
    with threads.one_thread(True):
        assert blas._get_threads() == 1
