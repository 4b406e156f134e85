"""Pins by the handful: corners, edges, letters, suggestions, CSV files."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from album_app.gui.controls import ask_user
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Task
from album_app.gui.state.session import Session
from album_app.gui.state.vectors import Features
from album_app.gui.style.wording import counted
from album_app.layout.pins import Pins, read_pins_csv, write_pins_csv
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from album_app.photos.originals import refuse_original

CSV = "Pins (*.csv)"
FEWEST_IN_CONFLICT, MOST_COMPARED = 3, 40
"""Two pins cannot outvote one another; each pin costs a solve without it."""


class PinCommands(QObject):
    """Replaces or extends the pins by one named edit each; suggestions are thought of off the GUI thread."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session

    def corners(self) -> None:
        self._preset("corners")

    def edges(self) -> None:
        self._preset("edges")

    def letters(self) -> None:
        self._preset("letters")

    def _preset(self, preset: str) -> None:
        """Fill the preset's cells with photos far apart from each other, keeping what is pinned there already."""

        def question(document: Document, features: Features, photos: Sequence[int]) -> Pins:
            from album_app.layout.suggest import with_preset

            known = [photo for photo in photos if photo not in document.missing]
            return with_preset(document.pins, preset, features, document.shape, known)

        self._session.advice.ask(question, lambda pins: self._session.set_pins(f"Pin the {preset}", pins))

    def suggest(self) -> None:
        """Pin the photo whose place the solver would learn most from."""

        def question(document: Document, features: Features, photos: Sequence[int]) -> tuple[int, Cell]:
            from album_app.layout.insight import suggest_pin

            if document.layout is None:
                raise AssertionError
            return suggest_pin(document.layout, features, document.options)

        self._session.advice.ask(question, lambda found: self._session.drop(*found))

    def find_conflicts(self, answer: Callable[[dict[int, float]], None]) -> None:
        """Look for pins that the others contradict: photo -> how far away they would put it, by the diagonal."""
        session, document = self._session, self._session.document
        if document is None or document.layout is None or not FEWEST_IN_CONFLICT <= len(document.pins) <= MOST_COMPARED:
            return
        layout, options = document.layout, document.options
        features = session.features

        def work(task: Task) -> dict[int, float]:
            from album_app.layout.insight import conflicting_pins

            return {} if features is None else dict(conflicting_pins(layout, features, options, task.stop))

        session.jobs.start(JobKind.CONFLICTS, "", work, on_done=answer, quiet=True)

    def unpin_all(self) -> None:
        self._session.set_pins("Unpin all", Pins())

    def read(self) -> None:
        session = self._session

        def on_paths(paths: list[Path]) -> None:
            def question(document: Document, features: Features, photos: Sequence[int]) -> Pins:
                return read_pins_csv(paths[0], [photo.name for photo in document.album.photos], document.shape)

            session.advice.ask(question, lambda pins: session.set_pins("Read pins", pins))

        dialog = ask_user.files(self._window, "Read pins", "", CSV, on_paths, many=False)
        session.opened.connect(dialog.reject)

    def write(self) -> None:
        document = self._session.document
        if document is None:
            return
        pins, names, album = document.pins, [photo.name for photo in document.album.photos], document.album

        def on_paths(paths: list[Path]) -> None:
            def write() -> None:
                refuse_original(album, paths[0])
                write_pins_csv(paths[0], pins, names)

            written = f"Wrote {counted(len(pins), 'pin')} to {paths[0].name}"
            self._session.ask(JobKind.WRITE_PINS, write, lambda done: self._session.notice.emit(written))

        ask_user.target(self._window, "Write pins", "pins.csv", CSV, "csv", on_paths)
