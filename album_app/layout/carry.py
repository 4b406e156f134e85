"""A sheet that starts from an earlier one: who can stays, the others take what is left."""

from __future__ import annotations

from collections import Counter

import numpy as np

from album_app.layout.casting import Cast
from album_app.layout.table import Indices, Table


def carried_sheet(table: Table, cast: Cast, before: Indices) -> Indices:
    """The earlier sheet with the new pins and photos: every photo that may keeps its cell."""
    photo_at = table.with_pins_only()
    waiting = Counter(cast.tokens.tolist())
    for cell in cast.seats.tolist():
        photo = int(before[cell])
        if waiting[photo] > 0:
            photo_at[cell] = photo
            waiting[photo] -= 1
    homeless = np.array(sorted(waiting.elements()), dtype=np.int64)
    vacant = cast.seats[photo_at[cast.seats] < 0]
    photo_at[vacant] = homeless
    return photo_at
