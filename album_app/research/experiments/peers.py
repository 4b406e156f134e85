"""Other methods that place photos on a full sheet with pins, with which our layouts are compared."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import AlbumError
from album_app.layout import Layout, Options, Pins, Shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.guide import pose
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.evaluation.insight import hidden_pin_error
from album_app.layout.evaluation.scores import diagonal

Features = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Sheet:
    """The photo of each cell (cells,), and the seconds of placing them."""

    photo_at: Indices
    seconds: float


Peer = Callable[[Features, Shape, Pins, int], Sheet]
"""Makes a sheet from features (n, d), a shape of n cells, pins and a seed."""


def ours(features: Features, shape: Shape, pins: Pins, seed: int, options: Options | None = None) -> Sheet:
    """LSMI-Sinkhorn, rounded and refined: solve + round + refine."""
    settings = Options(**{**vars(options or Options()), "seed": seed})
    layout = arrange(features, shape, pins, settings)
    return Sheet(layout.photo_at, sum(layout.seconds.values()))


def flas(features: Features, shape: Shape, pins: Pins, seed: int, decay: float) -> Sheet:
    """Fast linear assignment sorting (Barthel et al., 2022) with the pinned cells frozen."""
    return _flas_from(_shuffled(features, shape, pins, seed), features, shape, pins, seed, decay)


def flas_layout(features: Features, shape: Shape, pins: Pins, photos: Sequence[int], seed: int) -> Layout:
    """FLAS 0.99 with as many photos as the shape has cells, the pinned ones among them."""
    start = _shuffled(features, shape, pins, seed, photos)
    sheet = _flas_from(start, features, shape, pins, seed, 0.99)
    return Layout(shape, sheet.photo_at, np.zeros(shape.count, np.float32), pins, seconds={"refine": sheet.seconds})


def _flas_from(start: Indices, features: Features, shape: Shape, pins: Pins, seed: int, decay: float) -> Sheet:
    vc_flas = _vc_flas()
    frozen = np.zeros(shape.mask.shape, dtype=bool)
    for cell in pins.values():
        frozen[cell] = True
    frozen |= ~shape.mask
    ids = np.full(shape.mask.shape, -1, dtype=np.int32)
    ids[shape.mask] = np.arange(shape.count)
    shown = np.ascontiguousarray(features[start], dtype=np.float32)
    grid = vc_flas.Grid(shown, ids, frozen, np.arange(shape.count))
    begun = time.perf_counter()
    sorting = vc_flas.flas(grid, radius_decay=decay, seed=seed + 1).sorting
    return Sheet(start[sorting[shape.mask]], time.perf_counter() - begun)


def _vc_flas() -> ModuleType:
    try:
        import vc_flas
    except ImportError as error:
        raise AlbumError("The comparison needs FLAS: install album-app[bench] with Python 3.12 or older.") from error
    return vc_flas  # type: ignore[no-any-return]


def las(features: Features, shape: Shape, pins: Pins, seed: int) -> Sheet:
    """Linear assignment sorting: all photos assigned at once to neighbourhood means, from a random start."""
    begun = time.perf_counter()
    arrangement = Arrangement.of(features, shape, pins)
    field = Field.of(arrangement, None, Pull(plan=0.0, pins=0.0))
    start = _shuffled(features, shape, pins, seed)
    schedule = Schedule(max(shape.rows, shape.columns) / 2, 0.9, side=max(shape.rows, shape.columns), seed=seed)
    *_, last = refine(field, start, arrangement.free_cells, schedule)
    return Sheet(last, time.perf_counter() - begun)


def kernelized_sorting(features: Features, shape: Shape, pins: Pins, seed: int) -> Sheet:
    """Kernelized sorting: the permutation that makes photos and cells most dependent by HSIC."""
    from album_app.baselines.matchers import sort_by_hsic

    begun = time.perf_counter()
    arrangement = Arrangement.of(features, shape, pins)
    partner = sort_by_hsic(pose(arrangement, arrangement.loose_photos, arrangement.free_cells), 50, seed)
    photo_at = arrangement.fixed_sheet()
    photo_at[arrangement.free_cells[partner]] = arrangement.loose_photos
    return Sheet(photo_at, time.perf_counter() - begun)


def principal_axes(features: Features, shape: Shape, pins: Pins, seed: int) -> Sheet:
    """The two principal components of the features along the sheet's sides, then one assignment."""
    from scipy.optimize import linear_sum_assignment

    begun = time.perf_counter()
    arrangement = Arrangement.of(features, shape, pins)
    points = arrangement.space.points[arrangement.loose_photos]
    left, _, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    axes = left[:, :2] if left.shape[1] > 1 else np.repeat(left, 2, axis=1)
    places = np.argsort(np.argsort(axes, axis=0), axis=0) / max(len(points) - 1, 1) * shape.cells.max(axis=0)
    away = ((shape.cells[arrangement.free_cells][:, None] - places[None]) ** 2).sum(axis=-1)
    photo_at = arrangement.fixed_sheet()
    photo_at[arrangement.free_cells] = arrangement.loose_photos[linear_sum_assignment(away)[1]]
    return Sheet(photo_at, time.perf_counter() - begun)


def shuffled(features: Features, shape: Shape, pins: Pins, seed: int) -> Sheet:
    """Photos at random, pins in place."""
    return Sheet(_shuffled(features, shape, pins, seed), 0.0)


def _shuffled(features: Features, shape: Shape, pins: Pins, seed: int, photos: Sequence[int] | None = None) -> Indices:
    arrangement = Arrangement.of(features, shape, pins, photos)
    photo_at = arrangement.fixed_sheet()
    photo_at[arrangement.free_cells] = np.random.default_rng(seed).permutation(arrangement.loose_photos)
    return photo_at


def hidden_error(peer: Peer, features: Features, shape: Shape, pins: Pins, seed: int) -> float:
    """Leave-one-pin-out: how far from its cell a photo lands whose pin was hidden, by the diagonal, on average.

    Of ours it is the place where the plan puts the photo; of methods without a plan it is the cell.
    """
    if peer is ours:
        return hidden_pin_error(features, shape, pins, Options(seed=seed))
    errors = []
    for photo, cell in pins.items():
        sheet = peer(features, shape, pins.unpin(photo), seed)
        landed = shape.cells[int(np.flatnonzero(sheet.photo_at == photo)[0])]
        errors.append(float(np.linalg.norm(landed - np.asarray(cell))) / diagonal(shape))
    return float(np.mean(errors))


PEERS: Mapping[str, Peer] = {
    "Album App": ours,
    "FLAS 0.93": partial(flas, decay=0.93),
    "FLAS 0.99": partial(flas, decay=0.99),
    "FLAS 0.999": partial(flas, decay=0.999),
    "LAS": las,
    "kernelized sorting": kernelized_sorting,
    "PCA + assignment": principal_axes,
    "random": shuffled,
}
"""The methods compared, ours first."""
