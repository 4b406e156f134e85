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

    def __enter__(self) -> "Bar":
        self._start = time.monotonic()
        return self

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._enabled or (done < total and now - self._last < SECONDS_BETWEEN_LINES):
            return
        self._last = now
        share = done / total if total else 1.0
        left = (now - self._start) * (1 - share) / share if share > 0 else 0.0
        bar = ("#" * round(share * WIDTH)).ljust(WIDTH)
        print(f"\r{self._label} [{bar}] {done}/{total} {left:4.0f} s left", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled and self._last:
            end = "stopped after" if error else "done in"
            print(f"\r{self._label} {end} {time.monotonic() - self._start:.1f} s".ljust(80), file=sys.stderr)
