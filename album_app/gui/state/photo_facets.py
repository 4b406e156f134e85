"""What the photos of the open album can be filtered and coloured by, found in the background."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from album_app.errors import UsageError
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.photos.album import Album
from album_app.photos.tables import Table, with_table

if TYPE_CHECKING:
    from album_app.layout.colouring import Colouring
    from album_app.layout.evaluation.scores import Agreement
    from album_app.photos.facets import Facet


class PhotoFacets(QObject):
    """Follows the album, its table, and the column that the document is coloured by.

    Signals:
        changed(): there are other facets
        coloured(object): photos have other colours, a `Colouring`, or none any more
    """

    changed = Signal()
    coloured = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session, self._jobs = session, jobs
        self._source: tuple[Album | None, Table | None] = None, None
        self._coloured_by: tuple[str, Mapping[str, Facet]] = "", {}
        self.facets: Mapping[str, Facet] = {}
        self.colouring: Colouring | None = None
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._follow)

    @property
    def agreement(self) -> "tuple[str, Agreement] | None":
        """By the column that photos are coloured by: its title, and how often neighbours have the same value."""
        document = self._session.document
        facet = None if document is None else self.facets.get(document.colour_by)
        if document is None or document.layout is None or facet is None or facet.is_range:
            return None
        if len(facet.main) <= int(document.layout.photo_at.max(initial=-1)):
            return None  # photos were added a moment ago
        from album_app.layout.evaluation.scores import value_agreement

        found = value_agreement(document.layout, facet.main)
        return None if found is None else (facet.title, found)

    @Slot()
    def _on_opened(self) -> None:
        """Look at another album, and say what became of its table."""
        self._follow()
        table = None if self._session.document is None else self._session.document.table
        if table is not None and table.is_missing:
            self._session.report(UsageError(table.missing_words))
        elif table is not None and table.is_changed:
            self._session.tell(tr("The table {name} has changed since the project was saved.", name=table.name))

    @Slot()
    def _follow(self) -> None:
        document = self._session.document
        album, table = (None, None) if document is None else (document.album, document.table)
        if (album, table) == self._source:
            self._colour()
            return
        if album is not self._source[0]:
            self._take({})
        self._source = album, table
        if album is None:
            self._jobs.cancel(JobKind.FACETS)
            return

        def work(task: Task) -> "dict[str, Facet]":
            from album_app.photos.facets import facets_of

            try:
                photos = with_table(album, table).photos
            except UsageError:  # photos were added whose names are no longer clear
                photos = album.photos
            return facets_of(photos)

        self._jobs.start(JobKind.FACETS, "", work, on_done=self._take, quiet=True)

    def _take(self, facets: "Mapping[str, Facet]") -> None:
        self.facets = facets
        self.changed.emit()
        self._colour()

    def _colour(self) -> None:
        """Have the colours that the document asks for."""
        document = self._session.document
        key = "" if document is None else document.colour_by
        if self._coloured_by[0] == key and self._coloured_by[1] is self.facets:
            return
        self._coloured_by = key, self.facets
        facet = self.facets.get(key)
        if facet is None:
            self.colouring = None
        else:
            from album_app.layout.colouring import colouring_by

            self.colouring = colouring_by(facet)
        self.coloured.emit(self.colouring)
