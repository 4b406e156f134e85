"""What is known of the open album's photos: their pictures and feature vectors, and which of them take part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.state.pictures import BUDGET_BYTES, Pictures, Pixels
from album_app.gui.state.session import Session
from album_app.layout.crops import WHOLE, Crops, crop
from album_app.layout.options import DEFAULT_FEATURES
from album_app.layout.project.document import Counts, Document, taking_part
from album_app.photos.faces import Box, Focus
from album_app.photos.features.table import comes_with_thumbnails

Features = NDArray[np.float32]

MISJUDGED_SHARE = 0.25
"""Share of the typical distance between two photos by which a preview's colours may be off.

Previews made from the photos themselves are off by 0.02 on average and by at most 0.05, measured on 300 photos of BSDS.
"""
NO_FOCUS = Focus()


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The feature vectors of an album and the name of their features."""

    name: str
    rows: Features
    complete: bool = True  # False while the mean stands in for photos that are still to be read


def colour_for(wanted: str) -> str:
    """The features to get with the thumbnails themselves, where these ones are wanted: the very ones if they can be."""
    return next(name for name in (wanted, DEFAULT_FEATURES, "rgb") if comes_with_thumbnails(name))


class Vectors:
    """Rows are photo indices; a table may be longer than an older document's album.

    `colour` names the features that come with the thumbnails, and stand in for slower ones until those are there.
    """

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self._tables: dict[str, Features] = {}
        self._cuts: dict[tuple[int, int], Features] = {}  # the same array each time, so that it is known again
        self._colours: Features = np.empty((0, 0), np.float32)
        self._lent = False  # whether others have the very array of the colours, which then stays as it is
        self._known = np.zeros(0, bool)  # the photos whose colours are there
        self._stand_in: Features | None = None
        self._rough: dict[int, Features] = {}  # colours by previews, of photos whose own are not known yet
        self._moved: dict[int, float] = {}  # how far from those the photos' own colours turned out to be

    def follow(self, count: int, changed: Sequence[int]) -> None:
        """Make room for `count` photos, and forget what was known of the files that have `changed`."""
        more = max(0, count - len(self._known))
        if more:
            self._known = np.append(self._known, np.zeros(more, bool))
            self._colours = np.vstack([self._colours, np.zeros((more, self._colours.shape[1]), np.float32)])
            self._lent, self._stand_in = False, None
        if changed:
            self._own_colours()
            self._known[changed], self._colours[changed] = False, 0
            for photo in changed:
                self._rough.pop(photo, None)
                self._moved.pop(photo, None)
            self._tables = {name: table[: min(changed)] for name, table in self._tables.items()}
            self._cuts, self._stand_in = {}, None

    def add_rough_colours(self, photos: Sequence[int], rows: Features) -> None:
        """Colours by previews, until the photos' own are known."""
        new = [(photo, row) for photo, row in zip(photos, rows, strict=True) if not self._known[photo]]
        if new:
            self.add_colours([photo for photo, _ in new], np.stack([row for _, row in new]))
            self._rough.update(new)

    def take_misjudged(self) -> tuple[int, ...] | None:
        """Photos whose own colours are far from those of their previews, so that they lie in the wrong place.

        They are named once, when no photo has colours by its preview any more; None at other times.
        """
        if self._rough or not self._moved:
            return None
        moved, self._moved = self._moved, {}
        spread = float(np.sqrt(2 * self._colours[self._known].var(axis=0).sum()))
        return tuple(photo for photo, distance in moved.items() if distance > MISJUDGED_SHARE * spread)

    def add_colours(self, photos: Sequence[int], rows: Features) -> None:
        for photo, row in zip(photos, rows, strict=True):
            if photo in self._rough:
                self._moved[photo] = float(np.linalg.norm(self._rough.pop(photo) - row))
        if not self._colours.size:
            self._colours = np.zeros((len(self._known), rows.shape[1]), np.float32)
        self._own_colours()
        self._colours[list(photos)] = rows
        self._known[list(photos)] = True
        self._stand_in = None

    def take_over(self, former: "Vectors", same: Mapping[int, int]) -> dict[int, int]:
        """Keep the colours of files that the `former` album had too; gives these photos with their former index."""
        known = {now: before for now, before in same.items() if former.colour == self.colour and former._known[before]}
        if known:
            self.add_colours(list(known), former._colours[list(known.values())])
        return known

    @property
    def colours_ready(self) -> int:
        return int(self._known.sum())

    @property
    def all_colours_ready(self) -> bool:
        return bool(self._known.all())

    def complete_colours(self) -> None:
        """Every thumbnail has been read: what there is of colours is all there will be."""
        table = self._colour_table()
        if table is not None:
            self.put(self.colour, table)

    def put(self, name: str, table: Features) -> None:
        self._tables[name] = table

    def complete(self, name: str, count: int) -> Features | None:
        """The wanted features of the first `count` photos, None while there are none."""
        if name == self.colour and name not in self._tables and self.all_colours_ready:
            self.complete_colours()
        table = self._tables.get(name)
        if table is None or len(table) < count:
            return None
        return table if len(table) == count else self._cuts.setdefault((id(table), count), table[:count])

    def best(self, name: str, count: int) -> FeatureTable | None:
        """The wanted features, or colours as far as they are known (the mean for the others), or None."""
        for known in (name, self.colour):
            table = self.complete(known, count)
            if table is not None:
                return FeatureTable(known, table)
        stand_in = self._colour_table()
        if stand_in is None:
            return None
        return FeatureTable(self.colour, stand_in if len(stand_in) == count else stand_in[:count], complete=False)

    def _colour_table(self) -> Features | None:
        if self._stand_in is None and self._known.any():
            self._lent = self.all_colours_ready
            self._stand_in = self._colours if self._lent else self._colours.copy()
            self._stand_in[~self._known] = self._colours.sum(axis=0) / self._known.sum()
        return self._stand_in

    def _own_colours(self) -> None:
        """Copy the array of the colours if others hold it, because it is about to be changed."""
        if self._lent:
            self._colours, self._lent = self._colours.copy(), False


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
