"""What the status bar says of an edit: its name, and how many photos it left without a cell."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style.wording import no_cell_words
from album_app.language import tr


class EditNotice(QObject):
    """Tells each edit by its name; photos without a cell only where there are more of them than before."""

    def __init__(self, session: Session, photos: PhotoStore, tell: Callable[[str], None]) -> None:
        super().__init__(session)
        self._session, self._photos, self._tell = session, photos, tell
        self._without_cell = 0
        session.opened.connect(self._count)
        session.document_changed.connect(self._on_edit)

    @Slot()
    def _count(self) -> None:
        document, photos = self._session.document, len(self._photos.taking_part())
        self._without_cell = 0 if document is None else max(0, photos - document.shape.count)

    @Slot(str)
    def _on_edit(self, name: str) -> None:
        before = self._without_cell
        self._count()
        left = no_cell_words(self._without_cell, 0) if self._without_cell > before else ""
        self._tell("  ·  ".join(filter(None, (tr("{name}", about="an edit just made", name=name), left))))
