"""What a sheet would lose if two photos changed places: which others fit a cell, where else a photo fits,
confidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.guide import Matrix, PlanGuide
from album_app.layout.arranging.polish import Board

CELLS_FOR_ALL_PAIRS = 2000
"""Up to this many cells, each cell is compared with all others."""

SAMPLED_CELLS = 120
"""On larger sheets each cell is compared with this many others, drawn at random."""


@dataclass(frozen=True, eq=False)
class Exchanges:
    """The losses when two photos change places, by what polishing makes least: neighbours, pins and the plan."""

    arrangement: Arrangement
    photo_at: Indices  # (m,), -1 = empty
    field: Field  # of all cells; those with photos are enough for `confidence`

    @classmethod
    def of(cls, arrangement: Arrangement, photo_at: Indices, guide: PlanGuide | None, follow: float) -> Exchanges:
        """The exchanges on a sheet."""
        return cls(arrangement, photo_at, Field.of(arrangement, guide, Pull.of(follow)))

    def of_cell(self, index: int) -> tuple[Indices, Matrix]:
        """The photos that could lie in a cell (k,), and what the sheet would lose by each; 0 for the one there.

        A shown photo changes places with the one there; a photo that is left out replaces it.
        """
        here = int(self.photo_at[index])
        places = np.union1d(self._movable, [index]) if here >= 0 else self._movable
        places = places[self.photo_at[places] >= 0]
        others = np.setdiff1d(self.arrangement.loose_photos, self.photo_at)
        photos = np.concatenate([self.photo_at[places], others])
        gains = self._suits(np.array([index]), photos)[0]
        if here < 0:
            return photos, np.concatenate([self._own[places], np.zeros(len(others), np.float32)]) - gains
        losses = self._own[index] - gains
        back = self._suits(places, np.array([here]))[:, 0]
        losses[: len(places)] += self._own[places] - back + self._touching(index, places)
        losses[: len(places)][places == index] = 0.0
        return photos, losses

    def of_photo(self, photo: int) -> tuple[Indices, Matrix]:
        """The cells that a photo could lie in (k,), and what the sheet would lose by each; 0 for its own."""
        cells = self._movable
        gains = self._suits(cells, np.array([photo]))[:, 0]
        filled = self.photo_at[cells] >= 0
        losses = np.where(filled, self._own[cells], 0.0) - gains
        lies = np.flatnonzero(self.photo_at == photo)
        if not len(lies):
            return cells, losses
        index = int(lies[0])
        back = np.where(filled, self._suits(np.array([index]), self.photo_at[cells])[0], 0.0)
        losses += self._own[index] - back + np.where(filled, self._touching(index, cells), 0.0)
        losses[cells == index] = 0.0
        return cells, losses

    def confidence(
        self, seed: int = 0, *, cells_for_all_pairs: int = CELLS_FOR_ALL_PAIRS, sampled_cells: int = SAMPLED_CELLS
    ) -> Matrix:
        """How much worse the next best photo of each cell would be than its own: (m,), 0 to 1.

        0 where another photo would fit equally well, 0.5 where the next best is worse by the median of this sheet; 1
        for pinned photos, 0 for empty cells.
        """
        sure = np.zeros(len(self.photo_at), np.float32)
        sure[self.arrangement.pinned_cells] = 1.0
        cells = np.union1d(self._movable, self.arrangement.held.cells)
        cells = cells[self.photo_at[cells] >= 0]
        if len(cells) < 2:
            return sure
        some, parts = cells, [cells]
        if len(cells) > cells_for_all_pairs:
            some = np.sort(np.random.default_rng(seed).choice(cells, sampled_cells, replace=False))
            parts = np.array_split(cells, -(-len(cells) // cells_for_all_pairs))
        margins = np.concatenate([self._margins(part, some) for part in parts])
        usual = float(np.median(margins[margins > 0.0])) if (margins > 0.0).any() else 1.0
        sure[cells] = margins / (margins + np.float32(usual))
        return sure

    def _margins(self, cells: Indices, some: Indices) -> Matrix:
        """What the cheapest exchange of each photo with one in `some` cells would cost, at least 0: (cells,).

        A gain in the other cell does not count: it shows that the photo there is misplaced, not that this one is.
        """
        there = self._suits(cells, self.photo_at[some])
        back = there if some is cells else self._suits(some, self.photo_at[cells])
        here, elsewhere = self._own[cells][:, None] - there, self._own[some] - back.T
        place = np.full(len(self.photo_at) + 1, -1)  # of each cell among those compared with; the last for none
        place[some] = np.arange(len(some))
        for around in self._board.around[cells].T:
            rows = np.flatnonzero(place[around] >= 0)
            apart = self.field.points[self.photo_at[cells[rows]]] - self.field.points[self.photo_at[around[rows]]]
            adjacent = rows, place[around[rows]]  # each was compared with itself instead of the other
            for losses in (here, elsewhere):
                losses[adjacent] += np.linalg.norm(apart, axis=1)
        losses = here + np.maximum(elsewhere, 0.0)
        own = np.flatnonzero(place[cells] >= 0)
        losses[own, place[cells[own]]] = np.inf
        return np.asarray(np.maximum(losses.min(axis=1), 0.0))

    @cached_property
    def _board(self) -> Board:
        return Board.of(self.field)

    @cached_property
    def _vectors(self) -> Matrix:
        return self._board.vectors(self.photo_at)

    @cached_property
    def _movable(self) -> Indices:
        return self.arrangement.free_cells

    @cached_property
    def _own(self) -> Matrix:
        """How well the photo in each cell suits it: (m,), 0 where there is none."""
        own = np.zeros(len(self.photo_at), np.float32)
        cells = np.flatnonzero(self.photo_at >= 0)
        photos, points = self.photo_at[cells], self.field.points
        own[cells] = (self._vectors[self.field.rows[cells]] * self.field.photo_vectors[photos]).sum(axis=1)
        own[cells] -= self._board.weights.smooth * self.field.squares[photos]
        for around in self._board.around[cells].T:
            apart = np.linalg.norm(points[self.photo_at[around]] - points[photos], axis=1)
            own[cells] -= np.where(self._board.counts(self.photo_at, around), apart, 0.0)
        return own

    def _suits(self, cells: Indices, photos: Indices) -> Matrix:
        """How well photos suit cells while the others lie as they do: (cells, photos)."""
        wide = self._board.weights.smooth * self.field.squares[photos]
        suits = self._vectors[self.field.rows[cells]] @ self.field.photo_vectors[photos].T - wide
        return np.asarray(suits - self._board.distances(self.photo_at, cells[None], photos[None])[0])

    def _touching(self, index: int, cells: Indices) -> Matrix:
        """The additional cost of exchanging two neighbours (cells,): each was compared with itself, not the other."""
        adjacent = np.isin(cells, self._board.around[index])
        extra = np.zeros(len(cells), np.float32)
        if adjacent.any():
            own, others = self.photo_at[index : index + 1], self.photo_at[cells[adjacent]]
            extra[adjacent] = 2.0 * self.arrangement.space.distances(own, others)[0]
        return extra
