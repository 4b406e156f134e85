"""Work that does not end by itself."""

import threading
import time

from album_app.gui.state.jobs import Task
from album_app.work import check


class Endless:
    """Work that only a stop request ends, and notes that it did."""

    def __init__(self) -> None:
        self.began, self.ended = threading.Event(), threading.Event()

    def __call__(self, *args: object, **named: object) -> None:
        task = next((value for value in args if isinstance(value, Task)), None)
        stop = named.get("stop") or (task.stop if task is not None else None)
        self.began.set()
        try:
            while True:
                check(stop)
                time.sleep(0.002)
        finally:
            self.ended.set()
