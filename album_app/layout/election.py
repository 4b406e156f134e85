"""More photos than cells: which of them are shown, so that every photo has one like it on the sheet."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from album_app.layout.guide import PlanGuide
from album_app.layout.rounding import spread
from album_app.layout.table import Indices, Table
from album_app.work import Stop, check

DISTRICT = 400
"""Cells of one district: an election among all photos at once would need all their distances."""


def elected_photos(table: Table, guide: PlanGuide, stop: Stop | None = None) -> Indices:
    """As many loose photos as there are free cells.

    The plan deals all photos out over the sheet, equally many to each cell. Neighbouring cells form a district, whose
    photos elect as many of their own as it has cells: one by one that which brings all of them nearest to a shown one.
    """
    photos, cells = table.loose_photos, table.free_cells
    places = guide.barycentres[np.searchsorted(guide.photos, photos)]
    dealt = np.sort(np.arange(len(photos)) % len(cells))  # (photos,) positions of cells, row by row
    voters = photos[spread(places, table.shape, cells[dealt])]
    districts = np.array_split(np.arange(len(cells)), -(-len(cells) // DISTRICT))
    shown = []
    for district in districts:
        check(stop)
        own = voters[np.searchsorted(dealt, district[0]) : np.searchsorted(dealt, district[-1], side="right")]
        shown.append(own[_elect(*_distances(table, own), len(district))])
    return np.sort(np.concatenate(shown))


def _distances(table: Table, voters: Indices) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Between all voters (n, n), and from each to the nearest pinned photo (n,), or to the farthest voter."""
    between = table.space.distances(voters, voters)
    np.fill_diagonal(between, 0.0)
    if not len(table.pins):
        return between, between.max(axis=1)
    return between, table.space.distances(voters, table.pinned_photos).min(axis=1)


def _elect(between: NDArray[np.float32], nearest: NDArray[np.float32], count: int) -> list[int]:
    """Greedily `count` of the voters such that the sum of distances to the nearest elected one falls fastest.

    Nobody's gain ever grows, so most of them need not be computed again after each election.
    """
    gains = [
        (-float(gain), voter) for voter, gain in enumerate(np.maximum(nearest[:, None] - between, 0.0).sum(axis=0))
    ]
    heapq.heapify(gains)
    elected: list[int] = []
    while len(elected) < count:
        _, voter = heapq.heappop(gains)
        gain = float(np.maximum(nearest - between[voter], 0.0).sum())
        if gains and -gain > gains[0][0]:
            heapq.heappush(gains, (-gain, voter))
            continue
        elected.append(voter)
        nearest = np.minimum(nearest, between[voter])
    return elected
