"""Photos and quick settings for the tests of this room, and the laws of a sheet."""

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Options, Pins

FAST = Options(basis=40, iterations=3)


def photos(count: int, seed: int = 0, axes: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((count, axes)).astype(np.float32)


def check_sheet(layout: Layout, taking_part: set[int], pins: Pins, fill: str) -> None:
    """The laws of a sheet."""
    on_sheet = layout.photo_at[layout.photo_at >= 0]
    assert set(on_sheet.tolist()) <= taking_part
    assert all(layout.photo_in(cell) == photo for photo, cell in pins.items())
    count, times = np.unique(on_sheet, return_counts=True)
    cells = layout.shape.count
    assert len(layout.shown) == len(count) == min(len(taking_part), cells)
    if fill == "repeat" and len(taking_part) < cells:
        assert (layout.photo_at >= 0).all()
        assert times.max() <= -(-cells // len(taking_part))
    else:
        assert layout.repeats == 0
    assert set(layout.resembles) == taking_part - set(layout.shown)
    assert set(layout.resembles.values()) <= set(layout.shown)
    assert ((layout.confidence >= 0) & (layout.confidence <= 1)).all()
