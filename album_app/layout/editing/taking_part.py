"""Who takes part in a sheet, where the photos of an album are, and their counts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.layout.pins import Pins
from album_app.layout.project.document import Document, all_but


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
    def of(cls, document: Document, damaged: Collection[int]) -> "Counts":
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
