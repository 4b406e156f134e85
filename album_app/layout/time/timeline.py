"""Photos compared by look and date, the earliest pinned along the left side, the latest on the right.

features, photos = ...            # a row and a photo each, in the same order
x = blended(features, photos, weight=0.5)
pins = timeline_pins(photos, features, shape)
layout = arrange(x, shape, pins, Options(time_weight=0.5))
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import UsageError
from album_app.language import tr
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec
from album_app.layout.time.time_edits import evenly, side_cells
from album_app.photos.album import Photo
from album_app.photos.time_order import moments
from album_app.solver.principal_axes import along_principal_axes

Reals = NDArray[np.floating[Any]]


def time_axis(photos: Sequence[Photo]) -> NDArray[np.float64]:
    """Where each photo lies in the order of time: of mean 0 and variance 1, alike for equal dates, 0 without a date.

    The order counts and not the hours: a week with many photos gets as much of the sheet as it has photos.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dates = datetime(2024, 5, 2), datetime(2024, 5, 9), datetime(2024, 5, 2), None
    >>> time_axis([Photo(Path("a"), "a", 1, 1, 4, 3, date) for date in dates]).round(2).tolist()
    [-0.82, 1.63, -0.82, 0.0]
    """
    when = moments(photos)
    axis, dated = np.zeros(len(when)), np.isfinite(when)
    axis[dated] = _ranks(when[dated])
    spread = float(np.sqrt((axis**2).mean())) if len(axis) else 0.0
    return axis / spread if spread > 0 else axis


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each value in their order, from the middle of it; equal ones share theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = ends - (counts + 1) / 2
    return np.asarray(shared[which] - (len(values) - 1) / 2)


def blended(features: ArrayLike, photos: Sequence[Photo], weight: float) -> Reals:
    """Features with the order of time as one more column, which holds the share `weight` of all variance.

    At weight 0 they are what they were, at 1 time alone is left.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> dated = [Photo(Path("a"), "a", 1, 1, 4, 3, datetime(2024, 5, day)) for day in (1, 2, 3)]
    >>> blended([[0.0], [0.0], [9.0]], dated, 0.5).var(axis=0).round(3).tolist()
    [0.5, 0.5]
    """
    look = np.asarray(features)
    if not weight:
        return look
    centred = look.astype(np.float32) - look.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = float(np.sqrt(np.vdot(centred, centred) / max(1, len(centred))))
    centred *= np.sqrt(1 - weight) / spread if spread > 0 else 0.0
    return np.column_stack([centred, (np.sqrt(weight) * time_axis(photos)).astype(np.float32)])


def compared(document: Document, features: Reals) -> Reals:
    """The features that a document's photos are compared by: their look, and the order of time as far as it counts."""
    return blended(features, document.album.photos, document.options.time_weight)


def chapter_dates(spec: ShapeSpec, photos: Sequence[Photo]) -> NDArray[np.float64] | None:
    """When photos were taken, as `arrange` wants it for a book of chapters; None for any other shape."""
    return moments(photos) if spec.kind == "pages" and spec.chapters else None


def timeline_pins(
    photos: Sequence[Photo], features: ArrayLike, shape: Shape, *, candidates: Iterable[int] | None = None
) -> Pins:
    """The earliest of the candidates (all) pinned along the left side and the latest along the right, by date alone.

    Along a side like photos lie next to each other, both sides the same way round. A photo that only its file dates
    is pinned where the others do not suffice.
    """
    pool = [i for i in (range(len(photos)) if candidates is None else candidates) if photos[i].taken is not None]
    left, right = side_cells(shape)
    trusted = [i for i in pool if photos[i].date is not None]
    pool = trusted if len(trusted) >= len(left) + len(right) else pool
    count = min(len(left), len(pool) // 2)
    if not count or shape.columns < 2:
        raise UsageError(tr("A timeline needs at least two photos with a date, and two columns."))
    order = [pool[place] for place in np.argsort(moments([photos[i] for i in pool]), kind="stable").tolist()]
    tone = along_principal_axes(_centred(features), 1)[:, 0]
    pins: dict[int, Cell] = {}
    for chosen, cells in ((order[:count], left), (order[-count:], right)):
        pins |= dict(zip(sorted(chosen, key=lambda photo: float(tone[photo])), evenly(cells, count), strict=True))
    return Pins(pins)


def _centred(features: ArrayLike) -> NDArray[np.float32]:
    x = np.asarray(features, np.float32)
    return np.asarray(x - x.mean(axis=0))


def with_timeline(pins: Pins, photos: Sequence[Photo], features: ArrayLike, shape: Shape, among: Iterable[int]) -> Pins:
    """The pins, and those of a timeline in the cells that are left, with photos that are left."""
    free = [photo for photo in among if photo not in pins]
    for photo, cell in timeline_pins(photos, features, shape, candidates=free).items():
        if pins.at(cell) is None:
            pins = pins.pin(photo, cell)
    return pins


def flow(layout: Layout, photos: Sequence[Photo]) -> float:
    """How well columns follow time: Spearman's rank correlation of column and date; nan where nothing varies."""
    shown = [photo for photo in layout.shown if photos[photo].taken is not None]
    columns = np.array([layout.positions[photo][1] for photo in shown], np.float64)
    a, b = _ranks(columns), _ranks(moments([photos[photo] for photo in shown]))
    scale = float(np.sqrt((a**2).sum() * (b**2).sum())) if shown else 0.0
    return float((a * b).sum()) / scale if scale > 0 else float("nan")
