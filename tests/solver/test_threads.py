"""One BLAS thread inside a block and the former number afterwards, even if blocks overlap."""

from collections.abc import Iterator

import pytest

from album_app.solver.threads import libraries, one_thread


@pytest.fixture
def two_threads() -> Iterator[None]:
    """Every BLAS library with two threads, put back at the end."""
    found = [(library, library.get_num_threads()) for library in libraries()]
    if not found:
        pytest.skip("no BLAS library whose threads can be set is loaded here")
    for library, _ in found:
        library.set_num_threads(2)
    yield
    for library, threads in found:
        library.set_num_threads(threads)


def threads() -> set[int]:
    return {library.get_num_threads() for library in libraries()}


@pytest.mark.usefixtures("two_threads")
def test_threads_are_put_back() -> None:
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    assert threads() == {1}
    first.__exit__(None, None, None)
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == {2}


@pytest.mark.usefixtures("two_threads")
def test_nothing_happens_where_it_is_not_wanted() -> None:
    with one_thread(False):
        assert threads() == {2}
    with one_thread(True):
        assert threads() == {1}
