"""The foot of the export dialog: progress, messages and buttons."""

from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from album_app.gui.controls.bars import StatusLine, describe
from album_app.gui.controls.sections import named
from album_app.gui.state.jobs import Job
from album_app.language import tr


class ExportFoot(QWidget):
    """Says what there is to say, and shows an export on its way.

    Signals:
        wanted(): write the file, or print
        elsewhere_wanted(): ask where to write it
        left(): cancel what runs, or close the dialog
    """

    wanted = Signal()
    elsewhere_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.facts = StatusLine(tr("Size of the export"))
        self.facts.setMinimumHeight(2 * self.facts.fontMetrics().lineSpacing())
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(tr("Export progress"))
        keeping = self._bar.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)  # or the preview would jump when it appears
        self._bar.setSizePolicy(keeping)
        self._bar.hide()
        self._written: Path | None = None
        self._changed_name = QDeadlineTimer()  # of the button that cancels or closes
        self.export = named(QPushButton(tr("Export")), tr("Export"))
        self._elsewhere = named(QPushButton(tr("Save as…")), tr("Export to another place or name"))
        self._elsewhere.clicked.connect(self.elsewhere_wanted)
        self.export.setProperty("primary", True)
        self._open = named(QPushButton(tr("Open folder")), tr("Open folder"))
        self._open.hide()
        self._close = named(QPushButton(tr("Close")), tr("Close or cancel"))
        self.export.clicked.connect(self.wanted)
        self._open.clicked.connect(self._open_folder)
        self._close.clicked.connect(self._on_close)
        self._build()

    def _build(self) -> None:
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        column.addWidget(self._bar)
        column.addLayout(row)
        row.addWidget(self.facts, 1)
        for button in (self._open, self._close, self._elsewhere, self.export):
            row.addWidget(button)

    def tell_folder(self, folder: str) -> None:
        """Say where the button writes to; "" where it prints."""
        self.export.setToolTip(tr("Into the folder {folder}", folder=folder) if folder else "")

    def set_printing(self, printing: bool) -> None:
        """Whether the button prints rather than writes a file."""
        self.export.setText(tr("Print…") if printing else tr("Export"))
        self._elsewhere.setVisible(not printing)

    def set_busy(self, busy: bool) -> None:
        """Whether a file is being written."""
        self._bar.setVisible(busy)
        self.export.setEnabled(not busy)
        self._elsewhere.setEnabled(not busy)
        self._close.setText(tr("Cancel") if busy else tr("Close"))
        self._changed_name.setRemainingTime(QApplication.doubleClickInterval())

    def show_progress(self, job: Job) -> None:
        """How far the writing is."""
        self._bar.setRange(0, job.total)
        self._bar.setValue(job.done)
        self.facts.say(describe(job, f"{100 * job.done // max(1, job.total)} %"))

    def offer_folder(self, written: Path | None) -> None:
        """Lead to the file that was written; nowhere while there is none."""
        self._written = written
        self._open.setVisible(written is not None)
        if written is not None:
            self._open.setFocus()

    @Slot()
    def _on_close(self) -> None:
        """The second click of a double one on Cancel does not mean Close."""
        if self._bar.isVisible() or self._changed_name.hasExpired():
            self.left.emit()

    @Slot()
    def _open_folder(self) -> None:
        if self._written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written.parent)))
