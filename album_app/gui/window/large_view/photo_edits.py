"""What can be done with a photo that is seen large: edits of its own, and their undo."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.state.session import Session
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.editing.edits import always_shown, excluded, included


class PhotoEdits(QObject):
    """Edits the document for the large view, which hides the sheet and the status bar.

    Undo goes back as far as the opening of the view: earlier edits concern what is hidden.

    Signals:
        refused(str): why an edit could not be made
    """

    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._first_step = self._undone = 0
        session.document_changed.connect(self._on_document)

    def begin(self) -> None:
        """The view opens."""
        self._first_step, self._undone = self._session.undo_stack.index(), 0

    @Slot()
    def _on_document(self) -> None:
        if self._session.undo_stack.is_recording:
            self._undone = 0

    def toggle_pin(self, photo: int) -> None:
        """Pin a photo where it is, or unpin it."""
        self._edit(pinned_or_let_go, [photo], None)

    def toggle_excluded(self, photo: int) -> None:
        """Take a photo out of the album, or back into it."""
        document = self._session.document
        if document is not None:
            self._edit(included if photo in document.excluded else excluded, [photo])

    def toggle_always_shown(self, photo: int) -> None:
        """Keep a photo on the sheet even if there are few cells, or no longer."""
        document = self._session.document
        if document is not None:
            self._edit(always_shown, [photo], photo not in document.always_shown)

    def undo(self) -> None:
        """Undo the last edit that was made in this view."""
        if self._session.undo_stack.index() > self._first_step:
            self._session.undo_stack.undo()
            self._undone += 1

    def redo(self) -> None:
        """Redo an edit that was undone in this view."""
        if self._undone:
            self._undone -= 1
            self._session.undo_stack.redo()

    def _edit(self, make: Callable[..., Any], *args: object) -> None:
        self._session.notice.connect(self.refused)
        self._session.edit(make, *args)
        self._session.notice.disconnect(self.refused)
