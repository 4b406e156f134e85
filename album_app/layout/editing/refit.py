"""A sheet that shows changed photos, pins or sizes at once, before a solve, on a shape that has room for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.layout.layout import Layout
from album_app.layout.pins import PinHome, Pins
from album_app.layout.project.document import Document, held_places
from album_app.layout.shapes.blocks import block_places, middles, with_blocks_at
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape
from album_app.photos.album import Album


def with_sizes(layout: Layout, sizes: Mapping[int, int]) -> Layout:
    """A layout with large photos in blocks at once; those around them make room."""
    wanted = {photo: size for photo, size in sizes.items() if (layout.photo_at == photo).any()}
    if not wanted and not layout.sizes:
        return layout
    targets = middles(layout.shape, layout.photo_at, wanted)
    places = block_places(layout.shape, wanted, layout.pins, targets)
    photo_at = with_blocks_at(layout.shape, layout.photo_at, {**layout.sizes, **wanted}, places)
    placed = {photo: wanted[photo] for photo in places}
    return replace(layout, photo_at=photo_at, sizes=placed, guide=None, scores={})


def to_be_solved(document: Document) -> Document:
    """The document whose sheet a solve is to start from."""
    return document if document.layout is None else replace(document, layout=replace(document.layout, stage="first"))


def without_photos(document: Document, photos: Iterable[int]) -> Document:
    """The document with photos excluded, their cells empty and their pins gone."""
    gone = set(photos)
    pins = Pins({photo: cell for photo, cell in document.pins.items() if photo not in gone})
    layout = document.layout
    if layout is not None:
        resembles = {left: shown for left, shown in layout.resembles.items() if not gone & {left, shown}}
        layout = replace(layout.without(gone), pins=pins, resembles=resembles, stage="first", scores={})
    always = document.always_shown - gone
    return replace(document, excluded=document.excluded | gone, pins=pins, layout=layout, always_shown=always)


def with_shape(document: Document, spec: ShapeSpec, shape: Shape) -> Document:
    """The document on another shape: the pins carried there, the others in the order they were read.

    Where the cells are the same by another name (automatic, rows x columns), nothing moves.
    """
    if document.layout is not None and document.shape.same_cells(shape) and document.shape.pages == shape.pages:
        layout = replace(document.layout, shape=shape, aspects=document.album.aspects if shape.needs_aspects else None)
        return replace(document, spec=spec, shape=shape, layout=layout)
    home = PinHome.carry(document.pins, document.shape, document.pin_home, shape)
    shown = [] if document.layout is None else [photo for photo in document.layout.in_order.tolist() if photo >= 0]
    order = list(dict.fromkeys([*shown, *document.active]))
    if len(order) > shape.count:  # where cells are scarce, a photo that is there goes before one that is missing
        order.sort(key=lambda photo: photo in document.missing)
    layout = with_sizes(reading_order(shape, order, home.carried), document.sizes)
    if shape.needs_aspects:
        layout = replace(layout, aspects=document.album.aspects)
    held = frozenset(cell for cell in document.held if cell in shape)
    return replace(document, spec=spec, shape=shape, pins=home.carried, pin_home=home, layout=layout, held=held)


FEW_CHANGED = 0.1
"""Up to this share of photos may come or go for an automatic sheet to keep its proportions; beyond it the sheet is
shaped anew. Set by hand, without measurements."""


def refitted(document: Document, closely: bool = False) -> Document:
    """The document with a new shape for the number of photos, where the shape depends on it and the number has changed.

    A shape that cannot be built (letters of too few cells, a mask whose file is gone) is kept. An automatic sheet keeps
    its proportions; with `closely` it gets others that leave fewer cells empty, unless there are pins, held cells or
    large photos.
    """
    if not document.spec.grows:
        return document
    if document.is_held:
        return with_rows(document)
    count = max(1, document.cells_needed + len(held_places(document)))
    if closely and not (document.pins or document.held or document.sizes):
        return _followed(document, count)
    spec, shape = with_proportions(document.spec, document.album), document.shape
    if spec.kind == "auto" and shape.mask.all() and abs(count - shape.count) <= FEW_CHANGED * shape.count:
        spec = replace(spec, aspect=shape.columns / shape.rows)
    try:
        wanted = build_shape(spec, count)
    except UsageError:
        return document
    if wanted.same_cells(document.shape):
        return document
    after = with_shape(document, document.spec, wanted)
    if document.layout is not None and after.layout is not None and spec is not document.spec:
        return replace(after, layout=_kept_in_cells(document.layout, after.layout))
    return after


def _followed(document: Document, count: int) -> Document:
    """A document without pins, on the cells of an automatic sheet for `count` photos."""
    kept = refitted(document)
    wanted = build_shape(document.spec, count) if document.spec.kind == "auto" else kept.shape
    if wanted.count >= kept.shape.count:
        return kept
    after = with_shape(document, document.spec, wanted)
    if document.layout is None or after.layout is None:
        return after
    return replace(after, layout=replace(after.layout, photo_at=_drawn_together(document.layout, after.layout)))


def _drawn_together(before: Layout, after: Layout) -> NDArray[np.int64]:
    """The photos of a rectangle in the cells of another one, in about their order from the top and the left."""
    shown = np.flatnonzero(np.isin(before.photo_at, after.photo_at) & (before.photo_at >= 0))
    cells = before.shape.cells[shown]
    by_rows = np.lexsort((cells[:, 1], cells[:, 0]))
    others = after.in_order[~np.isin(after.in_order, before.photo_at)]
    ordered = np.concatenate([before.photo_at[shown[by_rows]], others[others >= 0]])
    columns = np.concatenate([cells[by_rows, 1], np.full(len(ordered) - len(shown), before.shape.columns)])
    photo_at = np.full(after.shape.count, -1, np.int64)
    for start in range(0, len(ordered), after.shape.columns):
        row = slice(start, start + after.shape.columns)
        across = ordered[row][np.argsort(columns[row], kind="stable")]
        photo_at[start : start + len(across)] = across
    return photo_at


def _kept_in_cells(before: Layout, after: Layout) -> Layout:
    """A sheet of the photos of another one, most of them in the cells that they had before; pins stay in theirs."""
    photo_at = on_shape(before, after.shape)
    pinned_cells = [after.shape.index_of(cell) for cell in after.pins.values()]
    photo_at[~np.isin(photo_at, after.photo_at) | np.isin(photo_at, list(after.pins))] = -1
    photo_at[pinned_cells] = after.photo_at[pinned_cells]
    placed = set(photo_at.tolist())
    waiting = [photo for photo in after.in_order.tolist() if photo >= 0 and photo not in placed]
    empty = after.shape.reading[photo_at[after.shape.reading] < 0]
    photo_at[empty[: len(waiting)]] = waiting[: len(empty)]
    return replace(after, photo_at=photo_at)


def on_shape(layout: Layout, shape: Shape) -> NDArray[np.int64]:
    """The photo in each cell of a shape, cell by cell as on a layout; -1 in cells that the layout does not have."""
    if layout.shape.same_cells(shape):
        return layout.photo_at.copy()
    rows, columns = min(layout.shape.rows, shape.rows), min(layout.shape.columns, shape.columns)
    grid = np.full(shape.mask.shape, -1, np.int64)
    former = np.full(layout.shape.mask.shape, -1, np.int64)
    former[layout.shape.mask] = layout.photo_at
    grid[:rows, :columns] = former[:rows, :columns]
    return np.asarray(grid[shape.mask])


def with_rows(document: Document) -> Document:
    """A held sheet with the additional rows that its photos need; shapes other than rectangles stay unchanged."""
    spec, shape = document.spec, document.shape
    count = document.cells_needed + len(held_places(document))
    rows = -(-count // shape.columns)
    is_rectangle = spec.kind in ("auto", "rectangle") and bool(shape.mask.all()) and shape.pages is None
    if not is_rectangle or spec.cells or rows <= shape.rows:
        return document
    if spec.kind == "rectangle":
        spec = replace(spec, rows=rows)
    larger = build_shape(ShapeSpec("rectangle", rows, shape.columns), count)
    layout = document.layout
    if layout is not None:
        photo_at, confidence = np.full(larger.count, -1, np.int64), np.zeros(larger.count, np.float32)
        photo_at[: shape.count], confidence[: shape.count] = layout.photo_at, layout.confidence
        layout = replace(layout, shape=larger, photo_at=photo_at, confidence=confidence, guide=None, stage="first")
    return replace(document, spec=spec, shape=larger, layout=layout)


def with_proportions(spec: ShapeSpec, album: Album) -> ShapeSpec:
    """A shape that depends on the photos' proportions, with those of an album."""
    is_rows = spec.kind == "rows"
    return replace(spec, photo_aspect=round(float(album.aspects.mean()), 4)) if is_rows and len(album) else spec


def reading_order(shape: Shape, photos: Sequence[int], pins: Pins | None = None) -> Layout:
    """Photos in their order, row by row and page by page: the sheet before anything is known of them."""
    pins = pins or Pins()
    photo_at = np.full(shape.count, -1, np.int64)
    for photo, cell in pins.items():
        photo_at[shape.index_of(cell)] = photo
    free = shape.reading[photo_at[shape.reading] < 0]
    rest = [photo for photo in photos if photo not in pins][: len(free)]
    photo_at[free[: len(rest)]] = rest
    return Layout(shape, photo_at, np.zeros(shape.count, np.float32), pins, stage="first", arranged=False)


def with_pins(layout: Layout, pins: Pins) -> Layout:
    """The layout that shows changed pins at once: each pinned photo trades places with the photo in its cell."""
    photo_at = layout.photo_at.copy()
    for photo in layout.blocks:  # for the moment each photo has one cell
        photo_at[np.flatnonzero(photo_at == photo)[1:]] = -1
    for photo, cell in pins.items():
        target = layout.shape.index_of(cell)
        if photo_at[target] != photo:
            source = np.flatnonzero(photo_at == photo)[:1]
            photo_at[source] = photo_at[target]
            photo_at[target] = photo
    after = replace(layout, photo_at=photo_at, pins=pins, stage="first", scores={})
    if not layout.blocks:
        return after
    sizes = {photo: layout.sizes[photo] for photo in layout.blocks}
    places = block_places(layout.shape, sizes, pins, middles(layout.shape, layout.photo_at, sizes))
    photo_at = with_blocks_at(layout.shape, photo_at, sizes, places)
    return replace(after, photo_at=photo_at, sizes={photo: sizes[photo] for photo in places})
