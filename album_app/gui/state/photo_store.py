"""What is known of the open album's photos: their pictures, their feature vectors, and who takes part."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.state.pictures import BUDGET_BYTES, Pictures, Pixels
from album_app.gui.state.session import Session
from album_app.gui.state.vectors import Features, FeatureTable, Vectors, colour_for
from album_app.layout.crops import WHOLE, Crops, crop
from album_app.layout.editing.edits import Counts, taking_part
from album_app.layout.project.document import Document
from album_app.photos.focus import Box, Focus

NO_FOCUS = Focus()


class PhotoStore(QObject):
    """Follows the session's document; what is known of a photo is known of its file, and forgotten with it.

    Signals:
        pictures_changed(list[int]): these photos look different: they have a thumbnail now, turned out damaged, or
            are other files whose thumbnail is yet to be read; at most every 50 ms
        fewer_take_part(): photos turned out damaged
        foci_changed(list[int]): crops of these photos have something else to keep than before
    """

    pictures_changed = Signal(list)
    fewer_take_part = Signal()
    foci_changed = Signal(list)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._budget = BUDGET_BYTES
        self._counted: tuple[Document, tuple[int, ...]] | None = None
        self._forget()
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)

    @property
    def table(self) -> FeatureTable | None:
        """The features that the document asks for, or those that stand in for them until they are there."""
        document = self._session.document
        return None if document is None else self.vectors.best(document.options.features, len(document.album))

    @property
    def features(self) -> Features | None:
        """The feature vectors of `table`."""
        table = self.table
        return None if table is None else table.rows

    @property
    def features_of_layout(self) -> Features | None:
        """The complete features that the layout was made with, the only ones it is judged by; None until then."""
        document = self._session.document
        if document is None or document.layout is None:
            return None
        return self.vectors.complete(document.layout_features, len(document.album))

    def has_features(self, document: Document) -> bool:
        """Whether the very features that a document asks for are there."""
        return self.vectors.complete(document.options.features, len(document.album)) is not None

    def taking_part(self) -> tuple[int, ...]:
        """The photos meant for the sheet; counted again only for another document or other photos."""
        document = self._session.document
        if document is None:
            return ()
        if self._counted is None or self._counted[0] is not document:
            self._counted = document, taking_part(document, self.pictures.damaged)
        return self._counted[1]

    def counts(self) -> Counts:
        """How many photos are on the sheet and how many are not; all zero where no album is open."""
        document = self._session.document
        return Counts(0, 0, 0, 0, 0, 0, 0, 0) if document is None else Counts.of(document, self.pictures.damaged)

    def hold_at_most(self, budget: int) -> None:
        """Set the memory for the small pictures of all photos, in bytes, from the next album on."""
        self._budget = budget

    def put_pictures(
        self, pixels: Mapping[int, Pixels], faults: Mapping[int, str], flaws: Mapping[int, str] | None = None
    ) -> None:
        """Thumbnails of photos, of those without one the reason, and of those that are not whole what is missing."""
        self.pictures.flaws |= flaws or {}
        for photo, picture in pixels.items():
            self.pictures.put(photo, picture)
        for photo, reason in faults.items():
            self.pictures.put_damaged(photo, reason)
        self._counted = None
        if pixels or faults:
            self.pictures_changed.emit([*pixels, *faults])
        if faults:
            self.fewer_take_part.emit()

    def put_previews(self, pixels: Mapping[int, Pixels], rough_colours: Mapping[int, Features]) -> None:
        """Small pictures that stand in for thumbnails, and rows that stand in for the colour features."""
        shown = [photo for photo, picture in pixels.items() if self.pictures.put_preview(photo, picture)]
        if shown:
            self.vectors.add_rough_colours(shown, np.stack([rough_colours[photo] for photo in shown]))
            self.pictures_changed.emit(shown)

    @property
    def foci(self) -> Mapping[int, Focus]:
        """What crops of photos have to keep, as far as it is known."""
        return self._foci

    def focus(self, photo: int) -> Focus:
        """What a crop of a photo has to keep; nothing while it is not known."""
        return self._foci.get(photo, NO_FOCUS)

    @property
    def crops(self) -> Crops:
        """How photos are cropped now, also for use in other threads."""
        document = self._session.document
        return Crops({} if document is None else document.crops, dict(self._foci))

    def crop_of(self, photo: int, frame_aspect: float) -> Box:
        """The part of a photo that a frame of some width by height shows."""
        document = self._session.document
        if document is None or photo >= len(document.album):
            return WHOLE
        picture = document.album.photos[photo]
        aspect = picture.width / max(1, picture.height)
        return crop(aspect, frame_aspect, self._foci.get(photo), document.crops.get(photo))

    def put_foci(self, found: Mapping[int, Focus]) -> None:
        """What crops of some photos have to keep."""
        changed = [photo for photo, focus in found.items() if focus != self.focus(photo)]
        self._foci.update(found)
        if changed:
            self.foci_changed.emit(changed)

    def put_colours(self, rows: Mapping[int, Features]) -> None:
        """The colour features of some photos, which stand in for slower ones."""
        if rows:
            self.vectors.add_colours(list(rows), np.stack(list(rows.values())))

    def complete_colours(self) -> None:
        """Every thumbnail has been read: what there is of colours is all there will be."""
        self.vectors.complete_colours()

    def put_features(self, name: str, table: Features) -> None:
        """The features of a whole album."""
        self.vectors.put(name, table)

    @Slot()
    def _on_opened(self) -> None:
        pictures, vectors = self.pictures, self.vectors
        self._forget()
        self._follow()
        known = self.vectors.take_over(vectors, self.pictures.same_files(pictures))
        self.pictures.take_over(pictures, known)

    @Slot(str)
    def _on_document(self, name: str) -> None:
        self._follow()

    def _forget(self) -> None:
        document = self._session.document
        wanted = "" if document is None else document.options.features
        self.pictures, self.vectors = Pictures(self._budget), Vectors(colour_for(wanted))
        self._counted = None
        self._foci: dict[int, Focus] = {}

    def _follow(self) -> None:
        document = self._session.document
        if document is None:
            return
        changed = self.pictures.follow(document)
        self.vectors.follow(len(document.album), changed)
        for photo in changed:
            self._foci.pop(photo, None)
        self._counted = None
        if changed:
            self.pictures_changed.emit(changed)
