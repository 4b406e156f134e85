"""Holding a sheet: only what the user moves changes its place; pure decisions without the solver."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.language import tr, trn
from album_app.layout.editing.edits import Edit
from album_app.layout.editing.refit import on_shape, with_sizes
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document, held_places
from album_app.layout.shapes.blocks import exchanged
from album_app.layout.shapes.shape import Cell, Shape

Indices = NDArray[np.int64]


def sheet_held(document: Document, wanted: bool) -> Edit | None:
    """The whole sheet held, or let go. It stays as it is shown, also after it was let go."""
    if wanted == document.is_held or document.layout is None:
        return None
    layout = _by_hand(document.layout, document.layout.photo_at)
    name = tr("Hold the sheet") if wanted else tr("Let the sheet go")
    return Edit(name, replace(document, is_held=wanted, layout=layout))


def cells_held(document: Document, photos: Sequence[int]) -> Edit | None:
    """The cells of some photos held; if they all were, they are let go."""
    if document.layout is None:
        return None
    cells = frozenset(_cells_of(document.layout, photos))
    if not cells:
        return None
    name = document.short_name(photos[0])
    if cells <= document.held:
        title = trn("Let {name} go", "Let {count} photos go", len(photos), name=name)
        return Edit(title, replace(document, held=document.held - cells))
    title = trn("Hold {name}", "Hold {count} photos", len(photos), name=name)
    return Edit(title, replace(document, held=document.held | cells))


def these_arranged_again(document: Document, photos: Sequence[int]) -> Edit | None:
    """Some photos exchange their cells with each other, as a solve finds best; all others stay."""
    if document.layout is None:
        return None
    loose = [photo for photo in photos if photo not in document.pins]
    cells = frozenset(_cells_of(document.layout, loose))
    if len(cells) < 2:
        raise UsageError(tr("Select at least two photos on the sheet that are not pinned."))
    layout = replace(document.layout, stage="first", scores={})
    title = trn("Arrange {count} photo again", "Arrange {count} photos again", len(loose))
    return Edit(title, replace(document, layout=layout, again=cells))


def _cells_of(layout: Layout, photos: Iterable[int]) -> list[Cell]:
    """All cells that show one of these photos."""
    return [layout.shape.cell(index) for index in np.flatnonzero(np.isin(layout.photo_at, list(photos))).tolist()]


def put_by_hand(document: Document, places: Mapping[int, Cell], name: str, hint: str) -> Edit | None:
    """Photos put in cells of a held sheet; a photo that was there goes to the cell that the new one left.

    If the new one came from the tray, the other goes to the nearest empty cell, or to the tray if there is none. Pins
    move with their photos.
    """
    layout = document.layout
    if layout is None:
        return None
    photo_at = _put(layout, places)
    if np.array_equal(photo_at, layout.photo_at):
        return None
    after = _by_hand(layout, photo_at)
    pins = Pins({photo: after.positions[photo] for photo in document.pins if photo in after.positions})
    covered = {photo: cell for photo, cell in places.items() if photo in document.covered}  # pinned, it lies on top
    pins = Pins({**pins, **covered})
    swaps = len(places) == 1 and layout.photo_in(next(iter(places.values()))) is not None
    excluded = document.excluded - set(places)
    after = replace(after, pins=pins, lone=_lone(layout, pins))
    changed = replace(document, pins=pins, excluded=excluded, layout=after)
    return Edit(name, changed, hint, swaps)


def _put(layout: Layout, places: Mapping[int, Cell]) -> Indices:
    """The photo in each cell after some photos were put in places."""
    if len(places) == 1 and layout.blocks:
        alone, there = next(iter(places.items()))
        if alone in layout.positions and layout.photo_in(there) != alone:
            return _exchanged(layout, alone, there)
    photo_at = layout.photo_at.copy()
    targets = {photo: _block(layout, cell) for photo, cell in places.items()}
    sources = {photo: _block(layout, cell) for photo in places if (cell := layout.positions.get(photo)) is not None}
    for photo, target in targets.items():
        if len(target) != len(sources.get(photo, target[:1])):
            raise UsageError(tr("Photos of different sizes cannot change places while the sheet is held."))
    displaced = {photo: layout.photo_at[target[0]] for photo, target in targets.items()}
    for freed in sources.values():
        photo_at[freed] = -1
    for photo, target in targets.items():
        photo_at[target] = photo
    waiting = []
    for photo, other in displaced.items():
        if other < 0 or other in places:
            continue
        source = sources.get(photo)
        if source is not None and (photo_at[source] < 0).all():
            photo_at[source] = other
        else:
            waiting.append((int(other), places[photo]))
    for other, cell in waiting:
        _put_near(layout.shape, photo_at, other, cell)
    return photo_at


def _exchanged(layout: Layout, photo: int, cell: Cell) -> Indices:
    """The photo in each cell after a photo changed places with the one in a cell, whatever their sizes."""
    after = exchanged(layout.shape, layout.photo_at, layout.sizes, layout.blocks, photo, cell)
    if after is None:
        raise UsageError(tr("There is no room here for the larger photo."))
    return after


def _block(layout: Layout, cell: Cell) -> Indices:
    """All cells of the large photo in a cell, or just this cell."""
    photo = layout.photo_in(cell)
    if photo in layout.blocks:
        return np.flatnonzero(layout.photo_at == photo)
    return np.array([layout.shape.index_of(cell)])


def _put_near(shape: Shape, photo_at: Indices, photo: int, cell: Cell) -> None:
    """Put a photo in the empty cell nearest to a cell; without an empty cell it is left out."""
    empty = np.flatnonzero(photo_at < 0)
    if len(empty):
        apart = ((shape.places[empty] - np.asarray(shape.positions(cell))) ** 2).sum(axis=1)
        photo_at[empty[int(apart.argmin())]] = photo


def under_hold(document: Document, edit: Edit) -> Edit:
    """An edit as it applies to a held sheet: the photos stay, and new ones fill the empty cells.

    Where a photo becomes larger, those that it covers go to the nearest empty cells. An edit that itself places all
    photos is left unchanged, and so is one that only arranges a part again.
    """
    after, before = edit.document, document.layout
    if not (document.is_held and after.is_held) or before is None or after.is_settled or after.again:
        return edit
    taking_part = {*after.active, *held_places(after), *after.pins}
    joined = sorted(taking_part - {*document.active, *held_places(document), *before.shown})
    has_sizes = after.spec.has_sizes
    single = before if has_sizes else with_sizes(before, {})  # a large photo leaves all its cells but one to others
    layout = held_sheet(single, after.shape, after.pins, taking_part, joined)
    if has_sizes and (after.sizes != document.sizes or not after.shape.same_cells(before.shape)):
        layout = with_sizes(layout, after.sizes)
    return replace(edit, document=replace(after, layout=layout))


def held_sheet(
    layout: Layout, shape: Shape, pins: Pins, taking_part: Collection[int], joined: Sequence[int] = ()
) -> Layout:
    """A sheet with every photo in the cell it had, as far as the shape has that cell and the photo takes part.

    A pinned photo trades places with the photo in its cell. Photos that `joined`, and those that lost their cells, go
    to empty cells in the order one reads; where there are none, they are left out.
    """
    photo_at = on_shape(layout, shape)
    photo_at[~np.isin(photo_at, list(taking_part))] = -1
    homeless: list[int] = []
    for photo, cell in pins.items():
        target = shape.index_of(cell)
        other = int(photo_at[target])
        if other == photo:
            continue
        source = np.flatnonzero(photo_at == photo)[:1]
        photo_at[target] = photo
        photo_at[source] = other
        if other >= 0 and not len(source):
            homeless.append(other)
    lost = [photo for photo in layout.in_order.tolist() if photo >= 0 and photo in taking_part]
    waiting = [photo for photo in dict.fromkeys([*homeless, *lost, *joined]) if not (photo_at == photo).any()]
    empty = shape.reading[photo_at[shape.reading] < 0]
    filled = min(len(empty), len(waiting))
    photo_at[empty[:filled]] = waiting[:filled]
    return replace(_by_hand(layout, photo_at, shape), pins=pins, lone=_lone(layout, pins))


def _lone(layout: Layout, pins: Pins) -> frozenset[int]:
    """The pins that attract no others: those that did not before, and those set or moved while the sheet was held."""
    return frozenset(photo for photo, cell in pins.items() if photo in layout.lone or layout.pins.get(photo) != cell)


def _by_hand(layout: Layout, photo_at: Indices, shape: Shape | None = None) -> Layout:
    """The layout with photos as a person put them: no solve is due, and later ones respect it as it is."""
    shape = shape or layout.shape
    same_cells = shape.same_cells(layout.shape)
    shown = set(photo_at[photo_at >= 0].tolist())
    kept = np.array_equal(photo_at, layout.photo_at)
    confidence = np.zeros(shape.count, np.float32)
    if same_cells:
        confidence = np.where(photo_at == layout.photo_at, layout.confidence, np.float32(0.0))
    return replace(
        layout,
        shape=shape,
        photo_at=photo_at,
        confidence=confidence,
        resembles={left: like for left, like in layout.resembles.items() if left not in shown and like in shown},
        stage="refined",
        arranged=True,
        fresh_roughness=layout.fresh_roughness if kept else 0.0,
        guide=layout.guide if same_cells else None,
        scores=layout.scores if kept else {},
    )
