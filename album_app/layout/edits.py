"""Documents after a change, with a layout to show at once; the solve that follows makes it a good one."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from album_app.layout.drops import short_name
from album_app.layout.participants import held_places
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec, build_shape
from album_app.layout.sheet import Layout

if TYPE_CHECKING:
    from album_app.photos.album import Album


def named(document: Document, verb: str, photos: Sequence[int]) -> str:
    """What an edit of photos is called: "Pin IMG_12", "Exclude 3 photos"."""
    return f"{verb} {short_name(document, photos[0])}" if len(photos) == 1 else f"{verb} {len(photos)} photos"


def reading_order(shape: Shape, photos: Sequence[int], pins: Pins | None = None) -> Layout:
    """Photos row by row as they come: what is shown before anything is known of them."""
    pins = pins or Pins()
    photo_at = np.full(shape.count, -1, np.int64)
    for photo, cell in pins.items():
        photo_at[shape.index_of(cell)] = photo
    free = np.flatnonzero(photo_at < 0)
    rest = [photo for photo in photos if photo not in pins][: len(free)]
    photo_at[free[: len(rest)]] = rest
    return Layout(shape, photo_at, np.zeros(shape.count, np.float32), pins, stage="first")


def unlearnt(layout: Layout) -> Layout:
    """The same sheet as nothing but a stopgap: the next solve does not start from it."""
    return replace(layout, stage="first", smi=0.0, scores={})


def is_stopgap(layout: Layout) -> bool:
    """Whether a solve should not start from a sheet, since nobody has thought about it."""
    return layout.stage == "first" and not layout.smi


def with_pins(layout: Layout, pins: Pins) -> Layout:
    """The layout that shows changed pins at once: each pinned photo trades places with whatever was in its cell."""
    photo_at = layout.photo_at.copy()
    for photo, cell in pins.items():
        target = layout.shape.index_of(cell)
        if photo_at[target] != photo:
            source = np.flatnonzero(photo_at == photo)[:1]
            photo_at[source] = photo_at[target]
            photo_at[target] = photo
    return replace(layout, photo_at=photo_at, pins=pins, stage="first", scores={})


def without_photos(document: Document, photos: Iterable[int]) -> Document:
    """The document with photos excluded, their cells empty and their pins gone."""
    gone = set(photos)
    pins = Pins({photo: cell for photo, cell in document.pins.items() if photo not in gone})
    layout = document.layout
    if layout is not None:
        resembles = {left: shown for left, shown in layout.resembles.items() if not gone & {left, shown}}
        layout = replace(cleared(layout, gone), pins=pins, resembles=resembles, stage="first", scores={})
    return replace(document, excluded=document.excluded | gone, pins=pins, layout=layout)


def cleared(layout: Layout, photos: Collection[int]) -> Layout:
    """The layout with the cells of some photos empty."""
    return replace(layout, photo_at=np.where(np.isin(layout.photo_at, list(photos)), -1, layout.photo_at))


def with_shape(document: Document, spec: ShapeSpec, shape: Shape, pins: Pins) -> Document:
    """The document on another shape: the pins as they were carried there, the others in the order they were read."""
    shown = [] if document.layout is None else [int(photo) for photo in document.layout.photo_at if photo >= 0]
    order = list(dict.fromkeys([*shown, *document.active]))
    return replace(document, spec=spec, shape=shape, pins=pins, layout=reading_order(shape, order, pins))


def refitted(document: Document) -> Document:
    """The document with an automatic shape made anew, where its photos need or leave other rows and columns."""
    spec, shape = document.spec, document.shape
    count = max(1, len(document.active) + len(held_places(document)))
    if spec.kind != "auto" or spec.cells:
        return document
    wanted = build_shape(spec, count)
    same = (wanted.rows, wanted.columns) == (shape.rows, shape.columns)
    if same and shape.count >= count:
        return document
    return with_shape(document, spec, wanted, document.pins.carry(shape, wanted))


def still_selected(document: Document, photos: Sequence[int], cell: Cell | None) -> tuple[tuple[int, ...], Cell | None]:
    """The selection after a change: the photos that are still there, and the cell that the last one is in now."""
    kept = tuple(photo for photo in photos if photo < len(document.album))
    place = document.layout.cell_of(kept[-1]) if kept and document.layout is not None else None
    return kept, place or (cell if cell is not None and cell in document.shape else None)


def with_photos(document: Document, found: "Album", cell: Cell | None) -> tuple[Document, list[int]]:
    """The document with more photos, and the indices of those found; on a cell, they are pinned there and around it.

    An automatic shape grows with the photos; any other keeps its cells.
    """
    album, indices = joined(document.album, found)
    after = replace(document, album=album, excluded=document.excluded - set(indices))
    if len(after.active) + len(held_places(after)) > after.shape.count:
        after = refitted(after)
        if cell is not None:
            cell = Pins({0: cell}).carry(document.shape, after.shape)[0]
    pins = after.pins
    if cell is not None:
        for photo in indices[: after.shape.count]:
            place = after.shape.nearest_free(cell, [c for p, c in pins.items() if c != cell or p in indices])
            pins = pins if place is None else pins.pin(photo, place)
    layout = None if after.layout is None else with_pins(after.layout, pins)
    return replace(after, pins=pins, layout=layout), indices


def joined(album: "Album", found: "Album") -> tuple["Album", list[int]]:
    """The album with photos appended that it lacks, and the indices of all that were found."""
    photos = list(album.photos)
    index_of = {photo.path: index for index, photo in enumerate(photos)}
    names = {photo.name for photo in photos}
    for photo in found.photos:
        if photo.path not in index_of:
            name = _free_name(photo.name, photo.path, names)
            names.add(name)
            index_of[photo.path] = len(photos)
            photos.append(replace(photo, name=name))
    roots = tuple(dict.fromkeys([*album.roots, *found.roots]))
    skipped = (*album.skipped, *found.skipped)
    return replace(album, roots=roots, photos=tuple(photos), skipped=skipped), [index_of[p.path] for p in found.photos]


def _free_name(name: str, path: Path, names: set[str]) -> str:
    """The name itself, or with its folder's name before it, or with a number, whichever is free."""
    folder = f"{path.parent.name}/{name}"
    numbered = (f"{path.parent.name}-{k}/{name}" for k in range(2, len(names) + 3))
    return next(free for free in (name, folder, *numbered) if free not in names)
