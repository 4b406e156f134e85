"""What every long-running function of the package has in common: progress out, a stop request in."""

from collections.abc import Callable

from album_app.errors import Stopped

OnProgress = Callable[[int, int], None]
"""Called with (done, total) as work goes on, from the thread that does the work."""

Stop = Callable[[], bool]
"""Polled by long work; once it returns True the work ends as soon as it can."""


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
