"""Garbage collection on the GUI thread alone: elsewhere it could destroy a widget in the wrong thread."""

import gc
from functools import cache

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 500
FULL_EVERY = 60


class GuiThreadGc(QObject):
    """Collects little and often; what the start left behind is never looked at again, so that it stays quick."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.collect()
        _put_the_start_aside()
        self._count = 0
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    @Slot()
    def _collect(self) -> None:
        self._count += 1
        gc.collect(2 if self._count % FULL_EVERY == 0 else 1)


@cache
def _put_the_start_aside() -> None:
    """Once: a second window is no part of the start, and goes when it is closed."""
    gc.freeze()
