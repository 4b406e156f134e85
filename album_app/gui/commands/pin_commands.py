"""Several pins at once: corners, edges, letters, the timeline, suggestions, CSV files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from album_app.gui.controls import ask_user
from album_app.gui.state.advice import Advice, Proposal, Proposals
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.photo_store import Features
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping
from album_app.language import mark, tr, trn
from album_app.layout import Cell, Document
from album_app.layout.editing.edits import pinned
from album_app.layout.editing.timeline import along_time, compared, with_timeline, without_time
from album_app.layout.evaluation.suggest import with_place_pins, with_preset
from album_app.layout.pins import Pins, read_pins_csv, write_pins_csv
from album_app.photos.album import replacing

CSV = mark("Pins (*.csv)")


class PinCommands(QObject):
    """Each command changes the pins by one edit; pins that the program finds are proposed to the user before."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        advice: Advice,
        proposals: Proposals,
        jobs: Jobs,
        reshaping: Reshaping,
    ) -> None:
        super().__init__(window)
        self._reshaping = reshaping
        self._proposals = proposals
        self._window = window
        self._session = session
        self._advice = advice
        self._jobs = jobs

    def corners(self) -> None:
        self._preset("corners", tr("Pin the corners"))

    def edges(self) -> None:
        self._preset("edges", tr("Pin the edges"))

    def letters(self) -> None:
        self._preset("letters", tr("Pin the letters"))

    def _preset(self, preset: str, name: str) -> None:
        """Propose photos that differ most from each other for the cells of a preset; pins that exist there stay."""

        def find(document: Document, features: Features, photos: Sequence[int]) -> Pins:
            known = [photo for photo in photos if photo not in document.missing]
            arranged = document.layout if document.layout is not None and document.layout.arranged else None
            return with_preset(document.pins, preset, features, document.shape, known, arranged)

        reason = tr("They differ most from each other, so that the others can gather around them.")
        self._advice.find(find, lambda pins: self._propose(name, pins, reason))

    def timeline(self) -> None:
        """Pin the earliest photos to the left side and the latest to the right, and compare photos by date as well.

        This is done without asking, because the sheet shows the result better than a question could. In a book, the
        pages become chapters instead.
        """
        document = self._session.document
        if document is not None and document.shape.pages is not None:
            self._reshaping.start(replace(document.spec, chapters=True), tr("Timeline"))
            return

        def find(document: Document, features: Features, photos: Sequence[int]) -> Pins:
            known = [photo for photo in photos if photo not in document.missing]
            return with_timeline(document.pins, document.dated_photos, features, document.shape, known)

        self._advice.find(find, lambda pins: self._session.edit(along_time, pins))

    def no_timeline(self) -> None:
        """Compare photos by look alone, and remove the pins of the timeline or the chapters of a book."""
        document = self._session.document
        if document is not None and document.has_chapters:
            self._reshaping.start(replace(document.spec, chapters=False), tr("No timeline"))
        else:
            self._session.edit(without_time)

    def suggest(self) -> None:
        """Propose to pin the photo from whose pin the solver would learn most."""

        def find(document: Document, features: Features, photos: Sequence[int]) -> tuple[int, Cell]:
            from album_app.layout.evaluation.insight import suggest_pin

            if document.layout is None:
                raise AssertionError
            return suggest_pin(document.layout, compared(document, features), document.options)

        self._advice.find(find, lambda found: self._propose_one(*found))

    def at_place(self, what: str, ranked: Sequence[int], place: str | Cell) -> None:
        """Propose to pin the first photos of a list at a place on the sheet; `what` is the name of the list."""
        document = self._session.document
        if document is None or document.layout is None:
            return
        active = set(document.active)
        free = [photo for photo in ranked if photo in active]
        pins = with_place_pins(document.pins, free, document.shape, place, document.layout)
        reason = tr("They suit {what} best, so that others like them gather around them.", what=what)
        self._propose(tr("Pin {what}", what=what), pins, reason)

    def _propose_one(self, photo: int, cell: Cell) -> None:
        document = self._session.document
        if document is not None:
            name, pins = tr("Pin {name}", name=document.short_name(photo)), document.pins.pin(photo, cell)
            self._propose(name, pins, tr("Of all photos the sheet would learn most from this one."))

    def _propose(self, name: str, pins: Pins, reason: str) -> None:
        document = self._session.document
        if document is None:
            return
        ghosts = {photo: cell for photo, cell in pins.items() if document.pins.get(photo) != cell}
        if not ghosts:
            self._session.tell(tr("These cells have pins already."))
            return
        first = document.short_name(next(iter(ghosts)))
        question = trn("Pin {first} here?", "Pin these {count} photos?", len(ghosts), first=first)
        self._proposals.offer(Proposal(name, pins, ghosts, question, reason))

    def unpin_all(self) -> None:
        self._session.edit(pinned, tr("Unpin all"), Pins())

    def read(self) -> None:
        session = self._session

        def on_paths(paths: list[Path]) -> None:
            def find(document: Document, features: Features, photos: Sequence[int]) -> Pins:
                return read_pins_csv(paths[0], [photo.name for photo in document.album.photos], document.shape)

            self._advice.find(find, lambda pins: session.edit(pinned, tr("Read pins"), pins))

        dialog = ask_user.files(self._window, tr("Read pins"), "", tr(CSV), on_paths, many=False)
        session.opened.connect(dialog.reject)

    def write(self) -> None:
        document = self._session.document
        if document is None:
            return
        pins, names, album = document.pins, [photo.name for photo in document.album.photos], document.album

        def on_paths(paths: list[Path]) -> None:
            def write() -> None:
                write_pins_csv(paths[0], pins, names, replacing(album, agreed=True))

            name = paths[0].name
            written = trn("Wrote {count} pin to {name}", "Wrote {count} pins to {name}", len(pins), name=name)
            self._jobs.compute(JobKind.WRITE_PINS, write, lambda done: self._session.tell(written))

        ask_user.target(self._window, tr("Write pins"), "pins.csv", tr(CSV), "csv", on_paths)
