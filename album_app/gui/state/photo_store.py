"""What is known of the photos of the open album: thumbnails, feature vectors, foci, and which photos take part."""

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
"""A preview misjudged its photo if their colours differ by more than this share of the typical distance of two photos.

Previews made from the photos themselves differ by 0.02 on average and by at most 0.05 (300 photos of BSDS).
"""
NO_FOCUS = Focus()


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The feature vectors of an album and the name of their features."""

    name: str
    rows: Features
    complete: bool = True  # False while photos that are still to be read have the mean of the others


def colour_for(wanted: str) -> str:
    """The features to compute along with the thumbnails when `wanted` are asked for: those themselves if possible."""
    return next(name for name in (wanted, DEFAULT_FEATURES, "rgb") if comes_with_thumbnails(name))


class Vectors:
    """The feature vectors of an album, one row per photo; after an undo a table may have more rows than the album.

    `colour` names the features that come with the thumbnails. They stand in for slower ones until those are known.
    """

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self._tables: dict[str, Features] = {}
        self._cuts: dict[tuple[int, int], Features] = {}  # kept, so that callers get the identical array each time
        self._colours: Features = np.empty((0, 0), np.float32)
        self._lent = False  # whether callers hold the array of colours, so that it must not change
        self._known = np.zeros(0, bool)  # for each photo whether its colours are known
        self._stand_in: Features | None = None
        self._rough: dict[int, Features] = {}  # colours by previews, of photos that are still to be read
        self._moved: dict[int, float] = {}  # how far the colours of photos are from those of their previews

    def follow(self, count: int, changed: Sequence[int]) -> None:
        """Make room for `count` photos, and forget the features of photos whose files `changed`."""
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
        """Add colours by previews for photos whose own colours are not known."""
        new = [(photo, row) for photo, row in zip(photos, rows, strict=True) if not self._known[photo]]
        if new:
            self.add_colours([photo for photo, _ in new], np.stack([row for _, row in new]))
            self._rough.update(new)

    def take_misjudged(self) -> tuple[int, ...] | None:
        """The photos that their previews misjudged, so that they lie in the wrong cells.

        They are given once, when the last photo with a preview has been read; None at other times.
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
        """Keep the colours of the `same` photos of the `former` album; photo -> former index for those with colours."""
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
        """Give photos without colours the mean, because every thumbnail was read."""
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
        """The wanted features, or else the colours, with the mean for photos without; None before any are known."""
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
        """Copy the array of colours if callers hold it, because it is about to change."""
        if self._lent:
            self._colours, self._lent = self._colours.copy(), False


class PhotoStore(QObject):
    """Follows the document of the session. What is known of a photo belongs to its file, and is forgotten with it.

    Signals:
        pictures_changed(list[int]): these photos look different: they got a thumbnail, turned out damaged, or are
            other files now whose thumbnail is to be read; at most every 50 ms
        fewer_take_part(): photos turned out damaged
        foci_changed(list[int]): crops of these photos have to keep another part than before
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
        """The features that the document asks for, or colours until those are known."""
        document = self._session.document
        return None if document is None else self.vectors.best(document.options.features, len(document.album))

    @property
    def features(self) -> Features | None:
        """The feature vectors of `table`."""
        table = self.table
        return None if table is None else table.rows

    @property
    def features_of_layout(self) -> Features | None:
        """The features that the layout was made with, by which alone it is scored; None until all are known."""
        document = self._session.document
        if document is None or document.layout is None:
            return None
        return self.vectors.complete(document.layout_features, len(document.album))

    def has_features(self, document: Document) -> bool:
        """Whether the features that a document asks for are known for all its photos."""
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
        """Take in thumbnails, the reasons why photos have none (faults), and what is missing of others (flaws)."""
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
        """Take in small pictures and rough colours, which stand in for thumbnails and colours."""
        shown = [photo for photo, picture in pixels.items() if self.pictures.put_preview(photo, picture)]
        if shown:
            self.vectors.add_rough_colours(shown, np.stack([rough_colours[photo] for photo in shown]))
            self.pictures_changed.emit(shown)

    @property
    def foci(self) -> Mapping[int, Focus]:
        """The parts that crops of photos have to keep, as far as they are known."""
        return self._foci

    def focus(self, photo: int) -> Focus:
        """The part that crops of a photo have to keep; NO_FOCUS while it is not known."""
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
        """Take in the parts that crops of some photos have to keep."""
        changed = [photo for photo, focus in found.items() if focus != self.focus(photo)]
        self._foci.update(found)
        if changed:
            self.foci_changed.emit(changed)

    def put_colours(self, rows: Mapping[int, Features]) -> None:
        """Take in the colours of some photos, which stand in for slower features."""
        if rows:
            self.vectors.add_colours(list(rows), np.stack(list(rows.values())))

    def complete_colours(self) -> None:
        """Note that every thumbnail was read, so that no further colours will come."""
        self.vectors.complete_colours()

    def put_features(self, name: str, table: Features) -> None:
        """Take in the features of a whole album."""
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
