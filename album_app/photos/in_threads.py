"""Work on many files in a few threads, which a stop request ends at once even while a file takes its time."""

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from album_app.work import Stop, check

Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS_BETWEEN_LOOKS = 0.05
RESULTS_AHEAD = 64
LEAST_AT_ONCE, SHARE_OF_THE_REST = 16, 8


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
