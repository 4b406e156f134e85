"""How large an export will be, found out in the background by writing some of its photos."""

from PySide6.QtCore import QObject, Signal

from album_app.errors import AlbumError
from album_app.gui.dialogs.export_choice import Choice
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.render import measured_bytes


class ExportSize(QObject):
    """Knows how large the latest choice for the latest sheet will be, a moment after it was asked for.

    Signals:
        found(): it is known now
    """

    found = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: tuple[Layout, Choice, int] | None = None

    def of(self, layout: Layout, choice: Choice) -> int | None:
        """In bytes; None where it is not known yet."""
        known = self._known
        return known[2] if known is not None and known[0] is layout and known[1] == choice else None

    def find(self, layout: Layout, album: Album, choice: Choice) -> None:
        """Begin to find it out, unless it is known."""
        if self.of(layout, choice) is not None:
            return

        def on_done(size: int) -> None:
            self._known = layout, choice, size
            self.found.emit()

        self._jobs.start(
            JobKind.EXPORT_SIZE,
            "",
            lambda task: measured_bytes(layout, album, choice.kind, choice.settings, task.stop),
            on_done=on_done,
            on_error=lambda error: isinstance(error, AlbumError | OSError),
            quiet=True,
        )
