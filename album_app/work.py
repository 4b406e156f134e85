"""What long work shares: progress reports, stop requests, and threads that a stop request ends at once."""

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from album_app.errors import Stopped

OnProgress = Callable[[int, int], None]
"""Is called with (done, total) from the thread that does the work."""

Stop = Callable[[], bool]
"""Is polled by long work, which ends as soon as it can once this returns True."""
Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS_BETWEEN_POLLS = 0.05
"""How often threads that wait look for a stop request."""
RESULTS_AHEAD = 64
"""Results that wait for the calling thread; workers pause while there are more."""
LEAST_BATCH, REST_DIVISOR = 16, 8
"""`tapering_batches` takes a REST_DIVISOR-th of what is left for each batch, but at least LEAST_BATCH."""


def check(stop: Stop | None) -> None:
    """Raise `Stopped` if `stop` returns True.

    >>> check(lambda: True)
    Traceback (most recent call last):
        ...
    album_app.errors.Stopped: stopped
    """
    if stop is not None and stop():
        raise Stopped


def report(on_progress: OnProgress | None, done: int, total: int) -> None:
    """Call `on_progress`, where there is one, with the progress of the work.

    >>> report(lambda done, total: print(f"{done} of {total}"), 3, 7)
    3 of 7
    """
    if on_progress is not None:
        on_progress(done, total)


@dataclass(frozen=True)
class _End:
    """The last message of a worker: nothing is left to do, or the worker failed."""

    error: BaseException | None = None


class _Workers(Generic[Item, Result]):
    """What the threads of one call of `in_threads` share: the batches that are left, and the queue of results."""

    def __init__(
        self, work: Callable[[Sequence[Item]], Generator[Result, None, None]], batches: Sequence[Sequence[Item]]
    ) -> None:
        self._work = work
        self._batches = iter(batches)
        self._turn = threading.Lock()
        self.halted = threading.Event()
        self.results: queue.Queue[Result | _End] = queue.Queue(RESULTS_AHEAD)

    def run(self) -> None:
        """Work on batches until none is left; each thread runs this."""
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
        """Put a result into the queue, waiting while it is full; False if the work was stopped."""
        while not self.halted.is_set():
            try:
                self.results.put(result, timeout=SECONDS_BETWEEN_POLLS)
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
    """Yield what `work` yields for each batch, in no particular order, while threads do the work.

    A stop request, or leaving the iterator early, does not wait for the threads: each of them ends at its next result.
    """
    workers = _Workers(work, batches)
    running = max(1, min(threads, len(batches)))
    for _ in range(running):
        threading.Thread(target=workers.run, daemon=True).start()
    try:
        while running:
            check(stop)
            try:
                result = workers.results.get(timeout=SECONDS_BETWEEN_POLLS)
            except queue.Empty:
                continue
            if not isinstance(result, _End):
                yield result
            elif result.error is not None:
                raise result.error
            else:
                running -= 1
    finally:
        workers.halted.set()


def batches_of(count: int, size: int) -> list[range]:
    """The numbers below `count` in consecutive batches."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def tapering_batches(count: int, most: int) -> list[range]:
    """The numbers below `count` in consecutive batches that get smaller, so that all threads end at about one time."""
    batches = list[range]()
    start = 0
    while start < count:
        size = max(min(most, (count - start) // REST_DIVISOR), LEAST_BATCH)
        batches.append(range(start, min(start + size, count)))
        start += size
    return batches
