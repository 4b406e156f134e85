"""What the status bar says: what is running, how far it is, how long it still takes, and a way to stop it."""

import time

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from album_app.file_names import undirected
from album_app.gui.controls.sections import named
from album_app.gui.state.jobs import Job, Jobs
from album_app.gui.style.wording import in_time
from album_app.language import number, tr

SHOW_FROM = 0.4  # seconds; what is quicker is not worth a flicker
SHOW_TIME_FROM = 2.0


class JobBar(QWidget):
    """Follows the oldest visible job.

    Signals:
        cancel_wanted(): everything visible is to be stopped
    """

    cancel_wanted = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._label = named(QLabel(), tr("What is running"))
        self._bar = named(QProgressBar(textVisible=False), tr("Progress"))
        self._bar.setFixedWidth(140)
        self._cancel = named(QPushButton(tr("Cancel")), tr("Cancel what is running"))
        self._cancel.setProperty("flat", True)
        self._cancel.clicked.connect(lambda checked=False: self.cancel_wanted.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 0, 0)
        row.setSpacing(10)
        for widget in (self._label, self._bar, self._cancel):
            row.addWidget(widget)
        jobs.changed.connect(self.refresh)
        self.hide()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        now = time.monotonic()
        running = [job for job in self._jobs.visible if now - job.started > SHOW_FROM]
        if bool(running) == self.isHidden():
            self.setVisible(bool(running))
        if not running:
            return
        job = running[0]
        self._label.setText(describe(job))
        self._bar.setRange(0, max(0, job.total))
        self._bar.setValue(job.done)


def describe(job: Job, so_far: str = "") -> str:
    """ "Reading photos  120 / 320  ·  4 s left"; `so_far` says otherwise how much of it is done."""
    text = undirected(job.title)
    if job.total > 0:
        text += f"   {so_far or f'{number(job.done)} / {number(job.total)}'}"
    left = job.seconds_left
    if left is not None and left >= SHOW_TIME_FROM:
        text += "   ·   " + tr("{time} left", time=in_time(left))
    return text
