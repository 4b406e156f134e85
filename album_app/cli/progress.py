"""A progress bar on standard error, shown only on a terminal (or where it was asked for)."""

import sys
import time
from types import TracebackType

WIDTH = 28
SECONDS_BETWEEN_LINES = 0.1


class Bar:
    """`with Bar("Reading photos") as on_progress: work(on_progress=on_progress)`."""

    def __init__(self, label: str, enabled: bool | None = None) -> None:
        self._label = label
        self._enabled = sys.stderr.isatty() if enabled is None else enabled
        self._start = self._last = 0.0
        self._first: tuple[float, int] | None = None  # when progress was first heard of, and how far it was then

    def __enter__(self) -> "Bar":
        self._start = time.monotonic()
        return self

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        since, before = self._first = self._first or (now, done)
        if not self._enabled or (done < total and now - self._last < SECONDS_BETWEEN_LINES):
            return
        self._last = now
        share = done / total if total else 1.0
        left = f"{(now - since) * (total - done) / (done - before):4.0f} s left" if done > before else ""
        bar = ("#" * round(share * WIDTH)).ljust(WIDTH)
        print(f"\r{self._label} [{bar}] {done}/{total} {left:11}", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled and self._last:
            end = "stopped after" if error else "done in"
            print(f"\r{self._label} {end} {time.monotonic() - self._start:.1f} s".ljust(80), file=sys.stderr)
