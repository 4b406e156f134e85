"""A document: everything about one sheet as one immutable value; which of its photos take part, and where they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.file_names import undirected
from album_app.layout.captions import with_captions
from album_app.layout.crops import HandCrop
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import PinHome, Pins
from album_app.layout.shapes.blocks import Variation
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec
from album_app.photos.album import Album, Photo
from album_app.photos.tables import Table, with_table


@dataclass(frozen=True, eq=False)
class Document:
    """An album, the shape it goes into, the pins, the options, and the layout if there is one yet.

    >>> from pathlib import Path
    >>> from album_app.photos import Photo
    >>> from album_app.layout import rectangle
    >>> photos = tuple(Photo(Path(f"{name}.jpg"), f"{name}.jpg", 1200, 0, 300, 200) for name in ("sea", "hill", "town"))
    >>> document = Document(Album((), photos), ShapeSpec("rectangle", 1, 2), rectangle(1, 2), excluded=frozenset({1}))
    >>> document.active, document.short_name(2), document.layout is None
    ((0, 2), 'town', True)
    """

    album: Album
    spec: ShapeSpec
    shape: Shape
    pins: Pins = field(default_factory=Pins)
    options: Options = field(default_factory=Options)
    excluded: frozenset[int] = frozenset()
    layout: Layout | None = None
    missing: frozenset[int] = frozenset()  # photos whose file was not found when the project was read
    pin_home: PinHome | None = None  # how the pins came to this shape; never saved
    stacks: tuple[tuple[int, ...], ...] = ()  # near-duplicates that count as one photo, the one to show first
    title: str = ""  # what stands above the photos, or on a book's cover
    subtitle: str = ""  # below the title on a book's cover
    cover: str = "auto"  # the picture there: the name of a photo, or what `render.COVERS` lists
    chapter_titles: Mapping[int, str] = field(default_factory=dict)  # of one's own, by page of a book from 0 on
    crops: Mapping[int, HandCrop] = field(default_factory=dict)  # chosen by hand
    sizes: Mapping[int, int] = field(default_factory=dict)  # photos that are to cover size x size cells, from 2 on
    variation: Variation = field(default_factory=Variation)  # of the sizes, as far as nobody chose them
    is_held: bool = False  # whether edits leave the whole layout as it is
    held: frozenset[Cell] = frozenset()  # cells that keep what they show
    again: frozenset[Cell] = frozenset()  # cells that the next solve arranges afresh among themselves; never saved
    new_choice: bool = False  # whether the next solve chooses anew which photos are shown; never saved
    captions: Mapping[int, str] = field(default_factory=dict)  # texts of one's own below photos
    always_shown: frozenset[int] = frozenset()  # photos on the sheet wherever they fit, even if others are left out
    table: Table | None = None  # of one's own, with a line per photo; a project keeps where its file is
    colour_by: str = ""  # what the colours of the photos' frames stand for
    alone: str = ""  # what the sheet shows alone, in words; the other photos are excluded and `aside`
    aside: frozenset[int] = frozenset()  # photos that are excluded only as long as others are shown alone
    before_alone: Document | None = None  # the document with all photos; never saved

    @cached_property
    def active(self) -> tuple[int, ...]:
        """The photos that take part: neither excluded nor missing, nor under another one of their stack."""
        return all_but(len(self.album.photos), self.excluded | self.missing | self.covered.keys())

    @cached_property
    def stack_of(self) -> Mapping[int, tuple[int, ...]]:
        """The photo that a stack shows -> itself and those under it; one that is pinned lies under none."""
        gone, piles = self.excluded | self.missing, {}
        for stack in self.stacks:
            there = [photo for photo in stack if photo not in gone]
            below = [photo for photo in there[1:] if photo not in self.pins]
            if below:
                piles[there[0]] = (there[0], *below)
        return piles

    @cached_property
    def covered(self) -> Mapping[int, int]:
        """A photo that lies under another one of its stack -> the one that is shown."""
        return {photo: shown for shown, stack in self.stack_of.items() for photo in stack[1:]}

    @property
    def cells_needed(self) -> int:
        """Cells for all photos that take part: a large one needs as many as it covers."""
        return cells_needed(self.active, self.sizes if self.spec.has_sizes else {})

    @property
    def is_settled(self) -> bool:
        """Whether the layout is the best a solve would give, so that none is needed."""
        final = "refined" if self.options.refine else "rounded"
        return self.layout is not None and self.layout.stage in (final, "refined")

    @property
    def layout_features(self) -> str:
        """The features that the layout was made with, those that are asked for where it does not name any."""
        known = None if self.layout is None else self.layout.options
        return (known or self.options).features

    @property
    def has_chapters(self) -> bool:
        """Whether the pages of a book follow each other in time."""
        return self.shape.pages is not None and self.spec.chapters

    @cached_property
    def captioned_album(self) -> Album:
        """The album as it is exported: with the table's values, and captions of one's own as titles of its photos."""
        return with_captions(self.tabled_album, self.captions)

    @property
    def dated_photos(self) -> tuple[Photo, ...]:
        """The photos with their dates, which a column of the table tells where only the time of the file would."""
        return self.tabled_album.photos

    @cached_property
    def tabled_album(self) -> Album:
        """The album with the table's values."""
        return _with_table(self.album, self.table)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table, which captions can name."""
        return () if self.table is None else self.table.columns

    def short_name(self, photo: int) -> str:
        """A photo's file name without its folders and suffix."""
        return undirected(self.album.photos[photo].name.rsplit("/", 1)[-1].rsplit(".", 1)[0])


def _with_table(album: Album, table: Table | None) -> Album:
    """An album with the values of a table; one that does not fit it any more adds nothing."""
    try:
        return with_table(album, table)
    except UsageError:
        return album


def all_but(count: int, gone: Iterable[int]) -> tuple[int, ...]:
    """The numbers below `count` that are not among those that are gone, found fast even for very many."""
    stays = np.ones(count, bool)
    stays[[photo for photo in gone if photo < count]] = False
    return tuple(np.flatnonzero(stays).tolist())


def taking_part(document: Document, damaged: Collection[int]) -> tuple[int, ...]:
    """The photos meant for the sheet: a pinned one always is, a missing one where it has a place.

    Of the others the active ones that are not `damaged`.
    """
    hidden = not_photos(document, damaged)
    there = document.active if not hidden else tuple(photo for photo in document.active if photo not in hidden)
    return there + tuple(held_places(document))


def held_places(document: Document) -> Pins:
    """The missing photos on the sheet, each in its cell: nothing is known of them, but they are not given up."""
    missing = document.missing - document.excluded
    held = {photo: cell for photo, cell in document.pins.items() if photo in missing}
    if missing and document.layout is not None:
        taken = set(document.pins.values())
        for photo in missing - held.keys():
            cell = document.layout.positions.get(photo)
            if cell is not None and cell not in taken:
                held[photo] = cell
    return Pins(held)


def not_photos(document: Document, damaged: Collection[int]) -> set[int]:
    """The files of the album that are no photos: the damaged ones unless they are pinned, and those gone for good."""
    return {photo for photo in damaged if photo not in document.pins} | (document.missing & document.excluded)


def in_album(document: Document, damaged: Collection[int]) -> Sequence[int]:
    """The photos of the album: files that are photos, without the excluded ones."""
    gone = not_photos(document, damaged) | document.excluded
    return all_but(len(document.album), gone) if gone else range(len(document.album))


def excluded_photos(document: Document, damaged: Collection[int]) -> list[int]:
    """The photos that the user excluded, as far as their files are there and are photos."""
    return sorted(document.excluded - not_photos(document, damaged))


def unusable(document: Document, damaged: Collection[int]) -> list[int]:
    """The photos whose files are missing or damaged."""
    return sorted((document.missing - document.excluded).union(damaged))


def unplaced(document: Document, damaged: Collection[int]) -> list[int]:
    """The photos of the album that are neither on the sheet nor in one of its stacks, for any reason."""
    off_sheet = ~_on_sheet(document)
    off_sheet[list(not_photos(document, damaged) | document.excluded)] = False
    off_sheet[in_stacks(document, damaged)] = False
    found: list[int] = np.flatnonzero(off_sheet).tolist()
    return found


def in_stacks(document: Document, damaged: Collection[int]) -> list[int]:
    """The photos that lie under another one which is on the sheet: its stack shows them when it is opened."""
    if not document.covered:
        return []
    shown, hidden = _on_sheet(document), not_photos(document, damaged)
    return sorted(p for p, top in document.covered.items() if shown[top] and not shown[p] and p not in hidden)


def cells_needed(photos: Collection[int], sizes: Mapping[int, int]) -> int:
    """Cells for photos, of which those in `sizes` cover size x size cells.

    >>> cells_needed([4, 5, 6], {5: 2, 9: 3})
    6
    """
    taking_part = set(photos) if sizes else set()
    return len(photos) + sum(size**2 - 1 for photo, size in sizes.items() if photo in taking_part)


def _on_sheet(document: Document) -> NDArray[np.bool_]:
    """For every photo whether a cell shows it: (photos,)."""
    shown = np.zeros(len(document.album) + 1, bool)
    if document.layout is not None:
        shown[document.layout.photo_at] = True  # -1, an empty cell, is the extra entry at the end
    return shown[:-1]


@dataclass(frozen=True)
class Counts:
    """How many photos an album has, and where they are; every number that the window shows comes from here.

    Each photo of the album is on the sheet, in a stack or unplaced; the excluded and the skipped are counted apart.
    """

    photos: int
    unplaced: int
    stacked: int  # photos under another one that is on the sheet
    excluded: int
    skipped: int  # files that are no photos, and photos whose files are missing or damaged
    cells: int
    repeats: int  # cells with a photo that another cell shows as well
    missing: int  # photos that take part, though their files are not found

    @classmethod
    def of(cls, document: Document, damaged: Collection[int]) -> Counts:
        layout, photos = document.layout, len(in_album(document, damaged))
        off_sheet = len(unplaced(document, damaged))
        filled = 0 if layout is None else layout.filled
        missing = len(document.missing - document.excluded)
        stacked = len(in_stacks(document, damaged))
        repeats = max(0, filled - photos + off_sheet + stacked)
        excluded = len(excluded_photos(document, damaged))
        skipped = len(document.album.skipped) + len(unusable(document, damaged))
        return cls(photos, off_sheet, stacked, excluded, skipped, document.shape.count, repeats, missing)

    @property
    def shown(self) -> int:
        """Photos on the sheet, each counted once."""
        return self.photos - self.unplaced - self.stacked
