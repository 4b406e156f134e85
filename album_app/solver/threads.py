"""Small problems are solved faster on one thread; this tells numpy's OpenBLAS so, where it is the one in use."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np


def one_thread(wanted: bool = True) -> AbstractContextManager[None]:
    """A block with a single BLAS thread, if `wanted` and if it can be had."""
    blas = _openblas() if wanted else None
    return nullcontext() if blas is None else blas.alone()


class _OpenBlas:
    """The number of threads of one loaded OpenBLAS, reduced to one while anybody is inside `alone`."""

    def __init__(self, get_threads: Callable[[], int], set_threads: Callable[[int], None]) -> None:
        self._get_threads, self._set_threads = get_threads, set_threads
        self._lock, self._inside, self._before = Lock(), 0, 1

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            if self._inside == 0:
                self._before = self._get_threads()
                self._set_threads(1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._set_threads(self._before)


@cache
def _openblas() -> _OpenBlas | None:
    """The OpenBLAS that numpy's wheels bring along, or None."""
    package = Path(np.__file__).parent
    for path in [*package.parent.glob("numpy.libs/*openblas*"), *package.glob(".dylibs/*openblas*")]:
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for pattern in ("scipy_openblas_%s_num_threads64_", "openblas_%s_num_threads64_", "openblas_%s_num_threads"):
            if hasattr(library, pattern % "set"):
                return _OpenBlas(getattr(library, pattern % "get"), getattr(library, pattern % "set"))
    return None
