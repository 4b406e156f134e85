"""Measures how alike the photos of a page are, compared with equal k-means, FLAS cut into pages, and a random deal.

Likeness is the mean distance between photos of one page by that between all photos: lower is more alike. Settings were
chosen on other albums with other seeds.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from album_app.layout import Layout, Options, Pins, Shape, rectangle
from album_app.layout.arranging.arrangement import Indices
from album_app.layout.evaluation.scores import distances, mean_neighbour_distance, page_likeness
from album_app.layout.shapes.shape import book
from album_app.research.benchmarks import Goal
from album_app.research.benchmarks.layout import spread
from album_app.research.benchmarks.layout_calm import fresh_seeds
from album_app.research.experiments.albums import colour_material
from album_app.research.experiments.peers import Features, Sheet, flas, ours, shuffled
from album_app.research.experiments.study import Request

PAGES, ROWS, COLUMNS = 16, 4, 5
PAGES_ACROSS = 4
"""Pages side by side on the sheet that is cut into pages."""
STARTS = 10
"""Starts of k-means; the best result counts."""
BAR = "k-means, equal sizes"
"""The method that ours must reach."""

Dealer = Callable[[Features, Shape, int], Sheet]
"""Makes a sheet from features (n, d), a book of n cells and a seed."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="*", type=Path, help="also measure these folders of at least 320 photos")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each method (5)")
    parser.add_argument("--features", nargs="+", default=[Options().features], metavar="NAME", help="(the usual ones)")


def run(arguments: argparse.Namespace) -> int:
    for folder in [*arguments.folder, None]:
        for name in arguments.features:
            compare(folder, name, arguments.seeds)
    return 0


def compare(folder: Path | None, features: str, seeds: int) -> None:
    """Print the table of all methods on one album."""
    x = colour_material(Request(seeds, data={} if folder is None else {"photos": folder}), features).features
    shape, album = book(PAGES, ROWS, COLUMNS), folder.name if folder else "sample album"
    if len(x) != shape.count:
        print(f"{album} has {len(x)} photos, not {shape.count}: left out", file=sys.stderr)
        return
    print(f"\n{album}, {features}, {shape.name}, {seeds} seeds: mean ± spread\n")
    print("| method | likeness of a page | N4 within pages | seconds |\n|---|---|---|---|")
    means: dict[str, float] = {}
    for name, dealer in DEALERS.items():
        sheets = [dealer(x, shape, seed) for seed in fresh_seeds(seeds)]
        layouts = [Layout(shape, sheet.photo_at, np.zeros(shape.count, np.float32)) for sheet in sheets]
        alike = [page_likeness(x, layout) for layout in layouts]
        smooth = [mean_neighbour_distance(x, layout, 1) for layout in layouts]
        means[name] = float(np.mean(alike))
        cells = [name, *map(spread, (alike, smooth, [sheet.seconds for sheet in sheets]))]
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n  {Goal(f'likeness compared with {BAR}', means['Album App'], most=means[BAR])}")


def _ours(features: Features, shape: Shape, seed: int) -> Sheet:
    return ours(features, shape, Pins(), seed)


def equal_k_means(features: Features, shape: Shape, seed: int) -> Sheet:
    """Lloyd's algorithm with equally many photos per centre; within a page photos keep their order."""
    x, begun, rng = np.asarray(features, np.float64), time.perf_counter(), np.random.default_rng(seed)
    ends = [_one_k_means(x, rng) for _ in range(STARTS)]
    page = min(ends, key=lambda end: end[0])[1]
    photo_at = np.empty(shape.count, np.int64)
    photo_at[shape.reading] = np.argsort(page, kind="stable")
    return Sheet(photo_at, time.perf_counter() - begun)


def _one_k_means(x: Features, rng: np.random.Generator) -> tuple[float, Indices]:
    """The remaining sum of squares and the page of each photo, from one start by k-means++."""
    from scipy.optimize import linear_sum_assignment

    chosen = [int(rng.integers(len(x)))]
    while len(chosen) < PAGES:
        squares = distances(x, x[chosen]).min(axis=1) ** 2
        chosen.append(int(rng.choice(len(x), p=squares / squares.sum())))
    centres, page = x[chosen], np.full(len(x), -1)
    while True:
        squares = distances(x, centres) ** 2
        found = linear_sum_assignment(np.repeat(squares, ROWS * COLUMNS, axis=1))[1] // (ROWS * COLUMNS)
        if np.array_equal(found, page):
            return float(squares[np.arange(len(x)), page].sum()), page
        page = found
        centres = np.array([x[page == number].mean(axis=0) for number in range(PAGES)])


def _flas_cut(features: Features, shape: Shape, seed: int) -> Sheet:
    """One sheet by FLAS 0.99, cut into pages."""
    whole = rectangle(PAGES // PAGES_ACROSS * ROWS, PAGES_ACROSS * COLUMNS)
    sheet = flas(features, whole, Pins(), seed, 0.99)
    pages = whole.cells[:, 0] // ROWS * PAGES_ACROSS + whole.cells[:, 1] // COLUMNS
    photo_at = np.empty(shape.count, np.int64)
    photo_at[shape.reading] = sheet.photo_at[np.argsort(pages, kind="stable")]
    return Sheet(photo_at, sheet.seconds)


def _random(features: Features, shape: Shape, seed: int) -> Sheet:
    return shuffled(features, shape, Pins(), seed)


DEALERS: Mapping[str, Dealer] = {
    "Album App": _ours,
    BAR: equal_k_means,
    "FLAS 0.99, cut into pages": _flas_cut,
    "random deal": _random,
}
"""The methods compared, ours first."""
