"""The status bar: a notice for a while, else what is under pointer or keyboard; what runs; what the sheet is."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar

from album_app.file_names import undirected
from album_app.gui.controls.job_bar import JobBar
from album_app.gui.state.jobs import Jobs
from album_app.language import tr

NOTICE_MS, MARGIN = 6000, 12


class NoticeBar(QStatusBar):
    """A notice outlasts the hints that come meanwhile, and then gives way to the latest of them."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._hint = ""
        self.notice = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.notice.setAccessibleName(tr("Notice"))
        self.notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.notice.setIndent(MARGIN)  # contents margins do not survive a style sheet
        self.timer = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self.timer.timeout.connect(lambda: self.notice.setText(self._hint))
        self.job_bar = JobBar(jobs)
        self.summary = QLabel()
        self.summary.setProperty("role", "muted")
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setIndent(MARGIN)
        self.summary.setAccessibleName(tr("Summary of the sheet"))
        self.addWidget(self.notice, 1)
        self.addPermanentWidget(self.job_bar)
        self.addPermanentWidget(self.summary)

    @Slot(str)
    def show_notice(self, text: str) -> None:
        """Say something for a while."""
        self.notice.setText(undirected(text))
        self.timer.start()

    def show_hint(self, text: str, at_once: bool = False) -> None:
        """Say what something is as long as it is there; unless at once, after a notice."""
        self._hint = text
        if at_once:
            self.timer.stop()
        if not self.timer.isActive():
            self.notice.setText(text)
