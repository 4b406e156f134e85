"""The Time section: a sheet that flows through time, the weight of time against the look, and marks along the edge."""

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox

from album_app.gui.commands.pin_commands import PinCommands
from album_app.gui.controls.sections import LabelledSlider, Section, button, button_row, muted
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.language import number, tr
from album_app.layout.editing.edits import with_options
from album_app.layout.editing.timeline import file_time_words
from album_app.photos.album import Album
from album_app.photos.decoding.header import TABLE
from album_app.photos.time_order import by_file_time

MARKS = "time_marks"
"""The key of the preference that remembers whether marks are shown."""


class TimeSection(Section):
    """Arranges the photos along time, weighs time against the look, and shows marks along the edge.

    Signals:
        marks_wanted(bool): whether the user wants days, months or years along the edge of a timeline
    """

    marks_wanted = Signal(bool)

    def __init__(self, session: Session, pins: PinCommands, preferences: Preferences) -> None:
        super().__init__(tr("Time"), open_at_first=False)
        self._session, self._preferences = session, preferences
        self._album: Album | None = None
        timeline_hint = tr("The earliest photos on the left, the latest on the right; in a book, pages are chapters")
        no_timeline_hint = tr("Compare by look alone")
        self._on = button(tr("Timeline"), pins.timeline, timeline_hint)
        self._off = button(tr("No timeline"), pins.no_timeline, no_timeline_hint)
        self._weight = LabelledSlider(tr("Weight of time"), tr("Look"), tr("Time"))
        self._marks = QCheckBox(tr("Months along the edge"))
        self._marks.setChecked(preferences.word(MARKS, "shown") == "shown")
        self._file_times = muted(wrap=True)
        for widget in (button_row([self._on, self._off]), self._weight, self._marks, self._file_times):
            self.body.addWidget(widget)
        self._weight.changed.connect(self._weigh)
        self._marks.toggled.connect(self._want_marks)
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        self.refresh()  # an album may have been opened before the panel was made

    @property
    def marks_shown(self) -> bool:
        return self._marks.isChecked()

    @Slot()
    def refresh(self) -> None:
        """Show the timeline of the document."""
        document = self._session.document
        if document is None:
            return
        weight = document.options.time_weight
        with QSignalBlocker(self._weight):
            self._weight.show_value(weight)
        self._off.setEnabled(bool(weight) or document.has_chapters)
        self._marks.setEnabled(bool(weight))
        note = tr("{share} % time", share=number(100 * weight)) if weight else ""
        self.set_note(tr("chapters") if document.has_chapters else note)
        if document.tabled_album is not self._album:
            self._album = document.tabled_album
            column = next((p.metadata.row.date_column for p in document.dated_photos if p.taken_by == TABLE), "")
            by_table = tr("Dates from the column “{column}” of the table.", column=column) if column else ""
            by_file = file_time_words(len(by_file_time(document.dated_photos)))
            self._file_times.setText(" ".join(filter(None, (by_table, by_file))))
            self._file_times.setVisible(bool(self._file_times.text()))

    @Slot(float)
    def _weigh(self, weight: float) -> None:
        self._session.edit(with_options, tr("Weight of time"), merge="time", time_weight=weight)

    @Slot(bool)
    def _want_marks(self, wanted: bool) -> None:
        self._preferences.remember(MARKS, "shown" if wanted else "hidden")
        self.marks_wanted.emit(wanted)
