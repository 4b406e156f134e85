"""One BLAS thread inside, the number of before afterwards, however the blocks overlap."""

import pytest

from album_app.solver import threads


def test_threads_are_put_back() -> None:
    blas = threads._openblas()
    if blas is None:
        pytest.skip("numpy does not bring its own OpenBLAS here")
    before = blas._get_threads()
    first, second = threads.one_thread(), threads.one_thread()
    first.__enter__()
    second.__enter__()
    assert blas._get_threads() == 1
    first.__exit__(None, None, None)
    assert blas._get_threads() == 1
    second.__exit__(None, None, None)
    assert blas._get_threads() == before


def test_nothing_happens_where_it_is_not_wanted() -> None:
    with threads.one_thread(False):
        pass
