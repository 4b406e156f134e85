"""Long work: progress out, a stop request in, and many files in a few threads that a stop request ends at once."""

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from album_app.errors import Stopped

OnProgress = Callable[[int, int], None]
"""Called with (done, total) as work goes on, from the thread that does the work."""

Stop = Callable[[], bool]
"""Polled by long work; once it returns True the work ends as soon as it can."""
Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS_BETWEEN_LOOKS = 0.05
RESULTS_AHEAD = 64
LEAST_AT_ONCE, SHARE_OF_THE_REST = 16, 8


def check(stop: Stop | None) -> None:
    """Raise `Stopped` if a stop was asked for.

    >>> check(lambda: True)
    Traceback (most recent call last):
        ...
    album_app.errors.Stopped: stopped
    """
    if stop is not None and stop():
        raise Stopped


def report(on_progress: OnProgress | None, done: int, total: int) -> None:
    """Tell `on_progress`, where there is one, how far the work is.

    >>> report(lambda done, total: print(f"{done} of {total}"), 3, 7)
    3 of 7
    """
    if on_progress is not None:
        on_progress(done, total)


@dataclass(frozen=True)
class _End:
    """A worker's last word: it found nothing more to do, or failed."""

    error: BaseException | None = None


class _Crew(Generic[Item, Result]):
    """The threads of one `in_threads`, the batches they take from and the results they hand over."""

    def __init__(
        self, work: Callable[[Sequence[Item]], Generator[Result, None, None]], batches: Sequence[Sequence[Item]]
    ) -> None:
        self._work = work
        self._batches = iter(batches)
        self._turn = threading.Lock()
        self.halted = threading.Event()
        self.results: queue.Queue[Result | _End] = queue.Queue(RESULTS_AHEAD)

    def labour(self) -> None:
        """What each thread runs."""
        end = _End()
        try:
            while not self.halted.is_set():
                with self._turn:
                    batch = next(self._batches, None)
                if batch is None:
                    break
                self._do(batch)
        except BaseException as error:
            end = _End(error)
        self._put(end)

    def _do(self, batch: Sequence[Item]) -> None:
        with closing(self._work(batch)) as results:
            for result in results:
                if not self._put(result):
                    return

    def _put(self, result: Result | _End) -> bool:
        """Hand over a result, however long the queue stays full; False once the work was stopped."""
        while not self.halted.is_set():
            try:
                self.results.put(result, timeout=SECONDS_BETWEEN_LOOKS)
            except queue.Full:
                continue
            return True
        return False


def in_threads(
    work: Callable[[Sequence[Item]], Generator[Result, None, None]],
    batches: Sequence[Sequence[Item]],
    *,
    threads: int = 2,
    stop: Stop | None = None,
) -> Iterator[Result]:
    """Yield in the calling thread what `work` yields for each batch, in no particular order.

    Stopping, or abandoning the iterator, does not wait for the workers: each is closed at its next result.
    """
    crew = _Crew(work, batches)
    running = max(1, min(threads, len(batches)))
    for _ in range(running):
        threading.Thread(target=crew.labour, daemon=True).start()
    try:
        while running:
            check(stop)
            try:
                result = crew.results.get(timeout=SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            if not isinstance(result, _End):
                yield result
            elif result.error is not None:
                raise result.error
            else:
                running -= 1
    finally:
        crew.halted.set()


def batches_of(count: int, size: int) -> list[range]:
    """The numbers below `count` in consecutive batches."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def tapering_batches(count: int, most: int) -> list[range]:
    """The numbers below `count` in consecutive batches, each a share of what is left, so that threads end together."""
    batches = list[range]()
    start = 0
    while start < count:
        size = max(min(most, (count - start) // SHARE_OF_THE_REST), LEAST_AT_ONCE)
        batches.append(range(start, min(start + size, count)))
        start += size
    return batches
