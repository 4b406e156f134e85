"""Whether an edited sheet is visibly worse than one arranged afresh, so that arranging again can be offered."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import CellsOrMask
from album_app.layout.evaluation.scores import mean_neighbour_distance, pin_pull
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.work import Stop

VISIBLE_PULL = 0.15
"""A dragged photo visibly lacks its kin if its pull is this much lower than on a fresh sheet."""

VISIBLE_ROUGHNESS = 0.015
"""A sheet is visibly rougher if its N24 is this much higher than that of a fresh one; N24 is about 0.7 to 0.9."""


@dataclass(frozen=True, eq=False)
class Behind:
    """How far a sheet is behind a fresh one; numbers above 0 mean that it is worse."""

    pull: float  # by the dragged photo that lost most
    n24: float
    fresh: Layout  # that sheet, ready to be shown

    @property
    def visible(self) -> bool:
        """Whether people would see it."""
        return self.pull > VISIBLE_PULL or self.n24 > VISIBLE_ROUGHNESS


def behind_fresh(
    features: ArrayLike,
    layout: Layout,
    *,
    dragged: Collection[int] = (),
    active: Collection[int] | None = None,
    missing: Pins | None = None,
    always: Collection[int] = (),
    when: NDArray[np.float64] | None = None,
    hold: CellsOrMask | None = None,
    stop: Stop | None = None,
) -> Behind:
    """Arrange a layout's photos afresh and compare; in the background, once nothing else is to be done.

    `dragged` are the pinned photos that were moved since the sheet was last fresh: their pulls are compared. Photos
    that exchanged places are not among them, because nothing was meant to follow them. The other arguments are those
    of `arrange`. Once `stop` says so the fresh sheet is an unfinished one, and the comparison means nothing.
    """
    x = np.asarray(features)
    fresh = arrange(
        x,
        layout.shape,
        layout.pins,
        layout.options,
        active=None if active is None else sorted(active),
        missing=missing,
        always=always,
        sizes=layout.sizes,
        aspects=layout.aspects,
        when=when,
        warm=layout,
        hold=hold,
        afresh=True,
        features_key=layout.features_key,
        stop=stop,
    )
    pulls = [_pull(x, fresh, photo) - _pull(x, layout, photo) for photo in dragged if photo in layout.pins]
    rougher = mean_neighbour_distance(x, layout) - mean_neighbour_distance(x, fresh)
    return Behind(max(pulls, default=0.0), float(np.nan_to_num(rougher)), fresh)


def dragged_since(fresh: Layout, layout: Layout) -> list[int]:
    """The pinned photos that lie elsewhere than on a fresh sheet, without those that exchanged their places."""
    before = {cell: photo for photo, cell in fresh.positions.items()}
    found = []
    for photo, cell in layout.pins.items():
        there, other = fresh.positions.get(photo), before.get(cell, -1)
        exchanged = other in layout.pins and layout.pins[other] == there
        if there != cell and not exchanged:
            found.append(photo)
    return found


def _pull(x: NDArray[np.floating], layout: Layout, photo: int) -> float:
    """The pull of one pinned photo."""
    filled = np.flatnonzero(layout.photo_at >= 0)
    row = int(np.flatnonzero(layout.photo_at[filled] == photo)[0])
    places = layout.shape.places[filled]
    return pin_pull(x[layout.photo_at[filled]], places, {row: tuple(places[row])})
