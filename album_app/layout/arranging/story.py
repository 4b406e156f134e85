"""The layouts of an animation: photos shuffled, then the pins put in place one after the other."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from album_app.layout.arranging.arrange import arrange
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.work import OnProgress, Stop, report

MOST_STEPS = 5


def story(
    features: ArrayLike,
    layout: Layout,
    options: Options,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Sequence[Layout]:
    """The layouts that lead to this one: shuffled, then with ever more of its pins."""
    layouts, active = [shuffled(layout, options.seed)], sorted({*layout.shown, *layout.resembles})
    steps = min(MOST_STEPS, len(layout.pins)) - 1
    for count in range(1, steps + 1):
        report(on_progress, count, steps + 1)
        pins = Pins(dict(islice(layout.pins.items(), count)))
        layouts.append(
            arrange(
                *(features, layout.shape, pins, options),
                active=active,
                sizes=layout.sizes,
                aspects=layout.aspects,
                stop=stop,
            )
        )
    return layouts


def shuffled(layout: Layout, seed: int) -> Layout:
    """The same photos in the same cells, in no order at all and without pins; large ones in blocks of their size."""
    photo_at, random = layout.photo_at.copy(), np.random.default_rng(seed)
    single = np.flatnonzero((photo_at >= 0) & ~np.isin(photo_at, list(layout.blocks)))
    photo_at[single] = random.permutation(photo_at[single])
    for size in sorted({layout.sizes[photo] for photo in layout.blocks}):
        equal = [photo for photo in layout.blocks if layout.sizes[photo] == size]
        for photo, other in zip(equal, random.permutation(equal).tolist(), strict=True):
            photo_at[layout.photo_at == photo] = other
    return replace(layout, photo_at=photo_at, pins=Pins(), guide=None)
