"""Whether a sheet is visibly worse than a fresh one."""

from dataclasses import replace

import numpy as np

from album_app.layout import Pins, arrange, rectangle
from album_app.layout.evaluation.insight import behind_fresh, dragged_since
from tests.layout.conftest import photos

SHAPE, FEATURES = rectangle(10, 12), photos(120, 4)


def test_a_calm_edit_is_not_visibly_behind_but_a_held_one_is() -> None:
    before = arrange(FEATURES, SHAPE, Pins({0: (0, 0)}))
    near = behind_fresh(FEATURES, arrange(FEATURES, SHAPE, pins := Pins({0: (0, 3)}), warm=before), dragged=[0])
    assert not near.visible
    assert near.fresh.pins == pins and near.fresh.stage == "refined"
    photo = before.photo_in((2, 2))
    far = Pins({0: (0, 0), photo: (8, 10)})
    held = arrange(FEATURES, SHAPE, far, warm=before, hold=before.photo_at >= 0)
    alone = behind_fresh(FEATURES, held, dragged=[photo])
    assert alone.visible and alone.pull > 0.3 > 0.1 > alone.n24
    assert not behind_fresh(FEATURES, held).visible, "nothing was meant to follow"


def test_a_shuffled_sheet_is_visibly_rougher() -> None:
    before = arrange(FEATURES, SHAPE)
    mixed = replace(before, photo_at=np.random.default_rng(0).permutation(before.photo_at))
    behind = behind_fresh(FEATURES, mixed)
    assert behind.visible and behind.pull == 0.0 and behind.n24 > 0.2
    assert not behind_fresh(FEATURES, before).visible


def test_dragged_photos_are_the_pinned_ones_that_lie_elsewhere_but_for_those_that_exchanged_places() -> None:
    fresh = arrange(FEATURES, SHAPE, Pins({0: (0, 0)}))
    photos_there = [fresh.photo_in(cell) for cell in ((3, 3), (4, 4), (5, 5))]
    a, b, c = (photo for photo in photos_there if photo is not None)
    after = arrange(FEATURES, SHAPE, Pins({0: (0, 0), a: (4, 4), b: (3, 3), c: (9, 9)}), warm=fresh)
    assert dragged_since(fresh, after) == [c]
