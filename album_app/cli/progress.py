"""Progress bars on standard error, shown on a terminal, or where the user asks for them."""

import sys
import time
from collections.abc import Callable
from types import TracebackType

from album_app.language import number, tr

BAR_WIDTH = 28
"""Characters."""
SECONDS_BETWEEN_LINES = 0.1
"""The least time between two updates of a bar."""


class Bar:
    """`with Bar("Reading photos") as on_progress: work(on_progress=on_progress)`."""

    def __init__(self, label: str, enabled: bool | None = None) -> None:
        self._label = label
        self._enabled = sys.stderr.isatty() if enabled is None else enabled
        self._start = self._last = 0.0
        self._first: tuple[float, int] | None = None  # time and state of the first report

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
        seconds = (now - since) * (total - done) / max(1, done - before)
        left = tr("{time} left", time=f"{seconds:4.0f} s") if done > before else ""
        bar = ("#" * round(share * BAR_WIDTH)).ljust(BAR_WIDTH)
        print(f"\r{self._label} [{bar}] {done}/{total} {left:11}", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled and self._last:
            seconds = number(time.monotonic() - self._start, 1)
            end = (
                tr("stopped after {time}", time=f"{seconds} s") if error else tr("done in {time}", time=f"{seconds} s")
            )
            print(f"\r{self._label} {end}".ljust(80), file=sys.stderr)


Bars = Callable[[str], Bar]
"""Makes the progress bar of a step from its name."""


def progress_bars(quiet: bool) -> Bars:
    """Progress bars that are shown on a terminal only, or nowhere if `quiet`."""
    return lambda label: Bar(label, False if quiet else None)
