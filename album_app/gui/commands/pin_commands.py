"""Pins by the handful: corners, edges, letters, suggestions, CSV files."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from album_app.gui.controls import ask_user
from album_app.gui.state.advice import Advice
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.session import Session
from album_app.gui.state.vectors import Features
from album_app.gui.style.wording import counted
from album_app.layout.drops import dropped
from album_app.layout.edits import pinned
from album_app.layout.pins import Pins, read_pins_csv, write_pins_csv
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from album_app.photos.originals import refuse_original

CSV = "Pins (*.csv)"


class PinCommands(QObject):
    """Replaces or extends the pins by one named edit each; suggestions are thought of off the GUI thread."""

    def __init__(self, window: QWidget, session: Session, advice: Advice, jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._advice = advice
        self._jobs = jobs

    def corners(self) -> None:
        self._preset("corners")

    def edges(self) -> None:
        self._preset("edges")

    def letters(self) -> None:
        self._preset("letters")

    def _preset(self, preset: str) -> None:
        """Fill the preset's cells with photos far apart from each other, keeping what is pinned there already."""

        def find(document: Document, features: Features, photos: Sequence[int]) -> Pins:
            from album_app.layout.suggest import with_preset

            known = [photo for photo in photos if photo not in document.missing]
            return with_preset(document.pins, preset, features, document.shape, known)

        self._advice.find(find, lambda pins: self._session.edit(pinned, f"Pin the {preset}", pins))

    def suggest(self) -> None:
        """Pin the photo whose place the solver would learn most from."""

        def find(document: Document, features: Features, photos: Sequence[int]) -> tuple[int, Cell]:
            from album_app.layout.insight import suggest_pin
            from album_app.layout.timeline import compared

            if document.layout is None:
                raise AssertionError
            return suggest_pin(document.layout, compared(document, features), document.options)

        self._advice.find(find, lambda found: self._session.edit(dropped, [found[0]], found[1]))

    def unpin_all(self) -> None:
        self._session.edit(pinned, "Unpin all", Pins())

    def read(self) -> None:
        session = self._session

        def on_paths(paths: list[Path]) -> None:
            def find(document: Document, features: Features, photos: Sequence[int]) -> Pins:
                return read_pins_csv(paths[0], [photo.name for photo in document.album.photos], document.shape)

            self._advice.find(find, lambda pins: session.edit(pinned, "Read pins", pins))

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
            self._jobs.compute(JobKind.WRITE_PINS, write, lambda done: self._session.tell(written))

        ask_user.target(self._window, "Write pins", "pins.csv", CSV, "csv", on_paths)
