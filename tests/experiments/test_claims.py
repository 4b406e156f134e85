"""Claims say yes and no as the rows do: run time, matching, and what the album's sheets count."""

from itertools import product

import numpy as np
import pytest

from album_app.experiments.figures import matching, runtime
from album_app.experiments.runner import table_text
from album_app.experiments.study import Request, Row
from album_app.layout import Pins, ShapeSpec, build_shape


def timed(ratios: dict[int, float]) -> list[Row]:
    """Rows of ours at a second each, and of Gromov-Wasserstein at that many."""
    ours: list[Row] = [{"method": runtime.OURS, "n_x": n, "seed": 0, runtime.TIME: 1.0} for n in ratios]
    return ours + [{"method": runtime.PEER, "n_x": n, "seed": 0, runtime.TIME: ratio} for n, ratio in ratios.items()]


@pytest.mark.parametrize(("last", "holds"), [(43.0, True), (10.0, False)])
def test_the_speed_at_the_largest_size_decides_and_smaller_ratios_are_told(last: float, holds: bool) -> None:
    (claim,) = runtime.claims(timed({100: 17.0, 500: 9.6, 7000: last}))
    assert claim.holds == holds
    assert "9.6 times at 500" in claim.measured
    assert f"not more than 10 at {'500' if holds else '500, 7000'}" in claim.measured


def test_sizes_are_listed_in_their_order_however_they_were_run() -> None:
    lines = table_text(runtime.EXPERIMENTS[0].tables[0], timed({7000: 9.0}) + timed({100: 5.0})).splitlines()[4:]
    assert [line.split(" | ")[0] for line in lines] == ["| 100", "| 100", "| 7000", "| 7000"]


@pytest.mark.parametrize(("by", "holds"), [(0.1, True), (0.0, None), (-0.1, False)])
def test_every_score_is_judged_beside_the_authors_code_by_its_scatter(by: float, holds: bool | None) -> None:
    rows: list[Row] = []
    for (n, reached), solver, seed in product(matching.REACHED.items(), matching.METHODS, range(5)):
        scores = {score: mean + by + 0.01 * (seed - 2) for score, (mean, _) in reached.items()}
        rows.append({"data": "authors", "solver": solver, "n": n, "seed": seed, **scores})
    beside = [claim for claim in matching.claims(rows) if "above the authors' code" in claim.text]
    assert len(beside) == 3 * len(matching.METHODS) * len(matching.SHOWN)
    assert all(claim.holds is holds for claim in beside)


def test_the_settings_do_not_depend_on_which_data_are_at_hand(tmp_path) -> None:
    assert matching.settings(Request(1)) == matching.settings(Request(1, data={"features": tmp_path}))


def test_the_most_likely_photos_repeat_but_leave_the_pins_alone() -> None:
    from album_app.experiments.albums import METHODS, PAPER, most_likely
    from album_app.layout.arranging.arrange import arrange

    features = np.random.default_rng(0).random((60, 5))
    shape = build_shape(ShapeSpec("rectangle", rows=6, columns=10), 60)
    pins = Pins({3: (0, 0), 40: (5, 9)})
    layout = arrange(features, shape, pins, METHODS[PAPER])
    shown = most_likely(layout)
    assert layout.repeats == 0 < shown.repeats
    assert shown.photo_in((0, 0)) == 3 and shown.photo_in((5, 9)) == 40
    assert (np.isin(shown.photo_at, list(pins))).sum() == 2


def test_the_papers_corners_are_pinned_by_colour() -> None:
    from album_app.experiments.albums import COLOURS, Material, coloured_pins

    rng = np.random.default_rng(0)
    grey = [np.full((8, 8, 3), level, np.uint8) for level in rng.integers(120, 200, 20)]
    coloured = [np.full((8, 8, 3), colour, np.uint8) for colour in COLOURS.values()]
    shape = build_shape(ShapeSpec("rectangle", rows=4, columns=6), 24)
    pins = coloured_pins(Material(rng.random((24, 5)), [*grey, *coloured], [""] * 24), "16x20", shape)
    assert dict(pins.items()) == dict(zip(range(20, 24), shape.corners, strict=True))
