"""Words about the photos of the open album: photos that show what a word names, names of regions, columns of values."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from album_app.errors import UsageError
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style.wording import photos_words
from album_app.language import tr
from album_app.layout.colouring import Colouring, colouring_by
from album_app.layout.evaluation.scores import Agreement, value_agreement
from album_app.layout.layout import Layout
from album_app.photos.album import Album, Photo
from album_app.photos.facets import Facet, facets_of
from album_app.photos.tables import Table, with_table

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label
    from album_app.photos.classes import Classes
    from album_app.photos.find import Found


class PhotoFacets(QObject):
    """The facets of the album, which are columns such as folder and keyword, and the colours of one of them.

    Signals:
        changed(): there are other facets
        coloured(object): photos get other colours, a `Colouring`, or None
    """

    changed = Signal()
    coloured = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session, self._jobs = session, jobs
        self._source: tuple[Album | None, Table | None] = None, None
        self._coloured_by: tuple[str, Mapping[str, Facet]] = "", {}
        self.facets: Mapping[str, Facet] = {}
        self.photos: Sequence[Photo] = ()
        """The photos of the album, which know their lines of the table; empty while these are being found."""
        self.colouring: Colouring | None = None
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._follow)

    @property
    def agreement(self) -> "tuple[str, Agreement] | None":
        """The title of the column that photos are coloured by, and how often neighbours have equal values in it."""
        document = self._session.document
        facet = None if document is None else self.facets.get(document.colour_by)
        if document is None or document.layout is None or facet is None or facet.is_range:
            return None
        if len(facet.main) <= int(document.layout.photo_at.max(initial=-1)):
            return None  # photos were added a moment ago

        found = value_agreement(document.layout, facet.main)
        return None if found is None else (facet.title, found)

    @Slot()
    def _on_opened(self) -> None:
        """Follow another album, and say if its table is missing or has changed."""
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
            self._take(({}, ()))
        self._source = album, table
        if album is None:
            self._jobs.cancel(JobKind.FACETS)
            return

        def work(task: Task) -> "tuple[dict[str, Facet], Sequence[Photo]]":
            try:
                photos = with_table(album, table).photos
            except UsageError:  # the table names photos, and photos that were added made these names ambiguous
                photos = album.photos
            return facets_of(photos), photos

        self._jobs.start(JobKind.FACETS, "", work, on_done=self._take, quiet=True)

    def _take(self, found: tuple[Mapping[str, Facet], Sequence[Photo]]) -> None:
        self.facets, self.photos = found
        self.changed.emit()
        self._colour()

    def _colour(self) -> None:
        """Choose the colours that the document asks for."""
        document = self._session.document
        key = "" if document is None else document.colour_by
        if self._coloured_by[0] == key and self._coloured_by[1] is self.facets:
            return
        self._coloured_by = key, self.facets
        facet = self.facets.get(key)
        if facet is None:
            self.colouring = None
        else:
            self.colouring = colouring_by(facet)
        self.coloured.emit(self.colouring)


FACES_MS = 500
"""Regions are named again this many milliseconds after the last face was found."""


class PhotoWords(QObject):
    """Finds photos by words, and names regions, in the background, by the likeliest classes of the photos.

    The classes are computed when they are first needed.

    Signals:
        found(str, object): the photos that a text finds, as a `Found`; those found so far while the search goes on
        searching_changed(): a search has begun or ended
        named(object): the labels of the sheet's regions, a list of `Label`
    """

    found = Signal(str, object)
    searching_changed = Signal()
    named = Signal(object)

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._known: tuple[Album, Classes] | None = None
        self._text_model = ""
        self._names_wanted = False
        self._more_faces = QTimer(self, interval=FACES_MS, singleShot=True)
        self._more_faces.timeout.connect(self._rename)
        self._searching = False
        jobs.changed.connect(self._follow_search)
        photos.foci_changed.connect(lambda found: self._names_wanted and self._more_faces.start())
        session.destroyed.connect(self._more_faces.stop)
        session.opened.connect(self._rename)
        session.layout_changed.connect(self._rename)
        session.document_changed.connect(self._rename)

    @property
    def is_searching(self) -> bool:
        """Whether photos are being looked at for a text."""
        return self._searching

    @Slot()
    def _follow_search(self) -> None:
        searching = self._jobs.running(JobKind.WORDS)
        if searching != self._searching:
            self._searching = searching
            self.searching_changed.emit()

    def prefer(self, text_model: str) -> None:
        """Find photos by the text-image model with these weights from now on; by classes if `text_model` is empty."""
        self._text_model = text_model

    def search(self, text: str) -> None:
        """Find the photos that show what a text names, and end the former search.

        Nothing is found for a text without a known word; a text-image model knows all words.
        """
        from album_app.photos.classes import word_for

        document = self._session.document
        if document is not None and text and self._text_model:
            self._search_by_model(text, document.album)
            return
        if document is None or all(word_for(word) is None for word in (text, *text.split())):
            self._jobs.cancel(JobKind.WORDS)
            return
        album, known, foci = document.album, self._classes_of(document.album), dict(self._photos.foci)

        def work(task: Task) -> "tuple[Classes, Found]":
            from album_app.photos.classes import classes_of
            from album_app.photos.find import find

            def on_part(so_far: "Classes") -> None:
                task.send(find(text, album.photos, so_far, foci))

            classes = known or classes_of(album.photos, on_progress=task.progress, on_part=on_part, stop=task.stop)
            return classes, find(text, album.photos, classes, foci)

        def on_parts(parts: "list[Found]") -> None:
            if parts[-1].hits:
                self.found.emit(text, parts[-1])

        def on_done(answer: "tuple[Classes, Found]") -> None:
            self._known = album, answer[0]
            self.found.emit(text, answer[1])

        title = tr("Looking at {photos}", photos=photos_words(len(album)))
        self._jobs.start(JobKind.WORDS, title, work, on_parts=on_parts, on_done=on_done, quiet=known is not None)

    def _search_by_model(self, text: str, album: Album) -> None:
        file = self._text_model

        def work(task: Task) -> "Found":
            from album_app.photos.find import find_by_model
            from album_app.photos.text_model import text_scores

            seen = text_scores(album.photos, text, file, on_progress=task.progress, stop=task.stop)
            return find_by_model(text, album.photos, seen)

        title = tr("Looking at {photos}", photos=photos_words(len(album)))
        self._jobs.start(JobKind.WORDS, title, work, on_done=lambda found: self.found.emit(text, found))

    def show_names(self, wanted: bool) -> None:
        """Name the regions of the sheet from now on, or no longer."""
        self._names_wanted = wanted
        self._rename()

    @Slot()
    def _rename(self) -> None:
        document = self._session.document
        layout = None if document is None else document.layout
        if not self._names_wanted or document is None or layout is None:
            self._jobs.cancel(JobKind.NAMES)
            self.named.emit([])
            return
        from album_app.layout.evaluation.region_names import COLOUR_LOOKS

        if document.layout_features.partition(":")[0] in COLOUR_LOOKS:
            self._name_by_colours(layout)
        else:
            self._name_by_things(document.album, layout)

    def _name_by_colours(self, layout: Layout) -> None:
        pictures = self._photos.pictures
        shown = {photo: picture for photo in layout.shown if (picture := pictures.pixels(photo)) is not None}

        def work(task: Task) -> "list[Label]":
            from album_app.layout.evaluation.region_names import named_by_colours

            # in memory they are blue, green, red, and a byte of padding
            return named_by_colours(layout, ((photo, picture[:, :, 2::-1]) for photo, picture in shown.items()))

        self._jobs.start(JobKind.NAMES, "", work, on_done=self.named.emit, quiet=True)

    def _name_by_things(self, album: Album, layout: Layout) -> None:
        known, foci = self._classes_of(album), dict(self._photos.foci)

        def work(task: Task) -> "tuple[Classes, list[Label]]":
            from album_app.layout.evaluation.region_names import named_by_things
            from album_app.photos.classes import classes_of

            classes = known or classes_of(album.photos, on_progress=task.progress, stop=task.stop)
            return classes, named_by_things(layout, classes, foci)

        def on_done(answer: "tuple[Classes, list[Label]]") -> None:
            self._known = album, answer[0]
            self.named.emit(answer[1])

        title = tr("Looking at {photos}", photos=photos_words(len(album)))
        self._jobs.start(JobKind.NAMES, title, work, on_done=on_done, quiet=known is not None)

    def _classes_of(self, album: Album) -> "Classes | None":
        return self._known[1] if self._known is not None and self._known[0] is album else None
