"""Measures what large photos and whole photos in rows cost: DPQ16 against a plain sheet, and how even the rows are.

Each photo counts once, in the middle of its frame. The plain sheet has the same photos on the same cells. Rows are
also measured on small albums, photos drawn from the album, and against a plain sheet of effort fine, because making
rows even takes about as many exchanges as that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Options, arrange, corner_pins, layout_scores, rectangle
from album_app.layout.arranging.large_photos import varied_sizes
from album_app.layout.shapes.outlines import best_rectangle
from album_app.layout.shapes.shape import Shape, rows_of_photos
from album_app.photos.album import scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.features import features_key
from album_app.research.benchmarks import Goal
from album_app.research.benchmarks.layout_calm import fresh_seeds
from album_app.solver.threads import one_thread

LARGE_PHOTOS, LARGEST_PHOTOS = 6, 4
"""Numbers of photos that cover 2 x 2 cells on one sheet, and 3 x 3 cells on another."""
MOST_LOST = {2: 0.009, 3: 0.009}
"""Goals for the loss of DPQ16 by these photos."""
MOST_UNEVEN, MOST_LOST_BY_ROWS = 0.04, 0.005
"""Goals for rows: the standard deviation of their heights divided by the mean, and the loss of DPQ16."""
VARIATION = 0.5
"""How much sizes vary, from 0 to 1."""
SMALL_ALBUMS, DRAWS_PER_SEED = (24, 30, 40), 4
"""Sizes of small albums drawn from an album, and how many are drawn for each seed."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="+", type=Path, help="folders of photos")
    parser.add_argument("--seeds", type=int, default=3, help="sheets of each kind (3)")
    parser.add_argument("--features", default=Options().features, metavar="NAME", help=f"({Options().features})")


def run(arguments: argparse.Namespace) -> int:
    for folder in arguments.folder:
        for goal in measure(folder, arguments.features, fresh_seeds(arguments.seeds)):
            print(goal, flush=True)
    return 0


def measure(folder: Path, features: str, seeds: range) -> Iterator[Goal]:
    """The goals of one album: means over sheets, with the worst sheet."""
    with Cache.open() as cache:
        album = scan(folder, cache=cache)
        x = album_features(album.photos, features, cache)
    shape = rectangle(*best_rectangle(len(album), 1.25))
    sheets = _Sheets(x, album.aspects, features, seeds)
    where = f"{folder.name}, {features}, {len(album)} photos"
    with one_thread():
        for size, count in ((2, LARGE_PHOTOS), (3, LARGEST_PHOTOS)):
            fewer = len(album) - count * (size**2 - 1)
            sizes = dict.fromkeys(_evenly(fewer, count), size)
            lost = sheets.lost(shape, shape, sizes, fewer)
            yield _goal(f"{where}: DPQ16 lost by {count} photos of {size} x {size}", lost, MOST_LOST[size])
        varied = varied_sizes(x, range(len(album)), VARIATION)
        larger = rectangle(*best_rectangle(len(album) + sum(size**2 - 1 for size in varied.values()), 1.25))
        lost = sheets.lost(shape, larger, varied, len(album))
        yield _goal(f"{where}: DPQ16 lost by sizes that vary by {VARIATION:g}", lost)
        yield from _rows(where, [sheets])
        for count in SMALL_ALBUMS:
            if count < len(album):
                draws = [np.random.default_rng([count, draw]) for draw in range(len(seeds) * DRAWS_PER_SEED)]
                some = [np.sort(random.choice(len(album), count, replace=False)) for random in draws]
                drawn = [_Sheets(x[photos], album.aspects[photos], features, seeds[:1]) for photos in some]
                yield from _rows(f"{folder.name}, {features}, {len(some)} draws of {count} photos", drawn)


def _rows(where: str, albums: Sequence[_Sheets]) -> Iterator[Goal]:
    """How even rows of whole photos are, and what they cost, over the sheets of all albums."""
    uneven = [found for sheets in albums for found in sheets.unevenness()]
    yield _goal(f"{where}: std / mean of the heights of rows", uneven, MOST_UNEVEN)
    lost = [found for sheets in albums for found in sheets.lost_by_rows("quick")]
    yield _goal(f"{where}: DPQ16 lost by even rows", lost, MOST_LOST_BY_ROWS)
    lost = [found for sheets in albums for found in sheets.lost_by_rows("fine")]
    yield _goal(f"{where}: DPQ16 lost against a plain sheet of effort fine", lost)


class _Sheets:
    """Sheets of one album, each arranged once for every seed."""

    def __init__(self, x: NDArray[np.float32], aspects: NDArray[np.floating], features: str, seeds: range) -> None:
        self._x, self._aspects, self._key, self._seeds = x, aspects, features_key(features), seeds
        self._rows = rows_of_photos(len(x), 1.25, float(aspects.mean()))
        self._known: dict[tuple[int, int, str, str], Layout] = {}

    def lost(self, plain: Shape, shape: Shape, sizes: dict[int, int], count: int) -> list[float]:
        """How much lower DPQ16 of the first `count` photos is on `shape` than on the plain shape, for each seed."""
        return [self._dpq16(plain, {}, count, seed) - self._dpq16(shape, sizes, count, seed) for seed in self._seeds]

    def lost_by_rows(self, effort: str) -> list[float]:
        """How much lower DPQ16 is in even rows than on a plain sheet of this effort with these cells, for each seed."""
        count, plain = self._rows.count, replace(self._rows, is_justified=False)
        return [
            self._dpq16(plain, {}, count, seed, effort) - self._dpq16(self._rows, {}, count, seed)
            for seed in self._seeds
        ]

    def unevenness(self) -> list[float]:
        """The standard deviation of the heights of justified rows divided by their mean, for each seed."""
        found = []
        for seed in self._seeds:
            frames = self._sheet(self._rows, {}, self._rows.count, seed).frames()
            heights = frames.boxes[np.unique(frames.cells[:, 0], return_index=True)[1], 3]
            found.append(float(heights.std() / heights.mean()))
        return found

    def _dpq16(self, shape: Shape, sizes: dict[int, int], count: int, seed: int, effort: str = "quick") -> float:
        return layout_scores(self._sheet(shape, sizes, count, seed, effort), self._x[:count])["dpq16"]

    def _sheet(self, shape: Shape, sizes: dict[int, int], count: int, seed: int, effort: str = "quick") -> Layout:
        key = (count, seed, effort, f"{shape.rows}x{shape.columns} {shape.is_justified} {sorted(sizes.items())}")
        if key not in self._known:
            x, aspects = self._x[:count], self._aspects[:count]
            pins = corner_pins(x, replace(shape, is_justified=False))
            self._known[key] = arrange(x, shape, pins, Options(seed=seed, effort=effort), sizes=sizes, aspects=aspects)
        return self._known[key]


def _evenly(photos: int, count: int) -> list[int]:
    """`count` photos, evenly spaced in an album of `photos`."""
    places: list[int] = np.linspace(0, photos - 1, count + 2).round().astype(int)[1:-1].tolist()
    return places


def _goal(what: str, found: list[float], most: float | None = None) -> Goal:
    return Goal(what, float(np.mean(found)), most=most, note=f"worst {max(found):.4f} of {len(found)}")
