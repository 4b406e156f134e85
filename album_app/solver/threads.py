"""Small problems are solved faster on one thread: `one_thread` limits the loaded maths libraries, by threadpoolctl."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from threading import Lock

from threadpoolctl import LibController, ThreadpoolController


def one_thread(wanted: bool = True) -> AbstractContextManager[None]:
    """A block with a single thread in every BLAS library, if `wanted`."""
    return _blas.alone() if wanted else nullcontext()


class _Blas:
    """The threads of the BLAS libraries, reduced to one while any thread of this program is inside `alone`."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._before: list[tuple[LibController, int]] = []

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            if self._inside == 0:
                self._before = [(library, library.get_num_threads()) for library in libraries()]
                for library, _ in self._before:
                    library.set_num_threads(1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    for library, threads in self._before:
                        library.set_num_threads(threads)


_blas = _Blas()


def libraries() -> list[LibController]:
    """The BLAS libraries that are loaded at present."""
    return _loaded_with(len(sys.modules))


@lru_cache(maxsize=1)
def _loaded_with(modules: int) -> list[LibController]:
    """The loaded BLAS libraries, kept until the number of loaded `modules` changes.

    Finding them takes as long as the first steps of a small problem.
    """
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)
