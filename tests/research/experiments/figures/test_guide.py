"""Guides are compared on equal terms: the shipped one makes the program's very sheet, and gains mean what they say."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout import Options, Pins, rectangle
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.evaluation.insight import hidden_pin_error
from album_app.research.experiments.figures import guide
from album_app.research.experiments.study import Request, Row

SHAPE = rectangle(6, 10)
PINS = Pins({0: (0, 0), 20: (0, 9), 40: (5, 0), 59: (5, 9)})
FEATURES = np.random.default_rng(0).random((60, 2)) @ np.random.default_rng(1).random((2, 12))


@pytest.fixture(scope="module")
def arrangement() -> Arrangement:
    """Sixty photos whose features vary along two directions."""
    return Arrangement.of(FEATURES, SHAPE, PINS)


def test_the_shipped_guide_gives_the_sheet_of_the_program(arrangement: Arrangement) -> None:
    sheet = guide.sheet_by(guide.as_shipped(arrangement, 3), arrangement, 3)
    shipped = arrange(FEATURES, SHAPE, PINS, Options(seed=3))
    assert sheet.tolist() == shipped.photo_at.tolist()


def test_the_guide_of_the_tensor_model_is_its_plan(arrangement: Arrangement) -> None:
    found = guide.by_tensor(arrangement, 0)
    plan = np.asarray(found.solution.plan)
    photos, cells = arrangement.loose_photos, arrangement.free_cells
    shares = np.array([found.row(int(photo))[cells] for photo in photos])
    assert shares / shares.sum(axis=1, keepdims=True) == pytest.approx(plan / plan.sum(axis=1, keepdims=True), abs=2e-3)


@pytest.mark.parametrize("name", list(guide.GUIDES))
def test_a_sheet_by_either_guide_has_every_photo_once_and_every_pin_in_its_cell(
    name: str, arrangement: Arrangement
) -> None:
    sheet = guide.sheet_by(guide.GUIDES[name](arrangement, 0), arrangement, 0)
    assert sorted(sheet.tolist()) == list(range(60))
    assert all(sheet[SHAPE.index_of(cell)] == photo for photo, cell in PINS.items())


def test_pins_lie_where_their_photos_are_sorted_and_another_seed_draws_others() -> None:
    features = np.random.default_rng(0).random((60, 5))
    pins = [guide.pins_of(features, SHAPE, 4, seed) for seed in (0, 0, 1)]
    assert dict(pins[0]) == dict(pins[1]) != dict(pins[2])
    assert all(len(each) == 4 for each in pins)


def test_the_error_of_the_shipped_guide_is_the_one_that_the_program_reports(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for number in range(320):
        Image.fromarray(rng.integers(0, 256, (8, 8, 3)).astype(np.uint8)).save(tmp_path / f"{number:03}.png")
    request = Request(1, quick=True, albums=(tmp_path,))
    unit = next(unit for unit in guide.units(request) if unit["album"] == tmp_path.name)
    shipped, tensor = guide.measure(unit, request, [])
    features = guide.colour_material(Request(1, data={"photos": tmp_path}), "lab").features
    shape = guide.build_shape(guide.SHEETS[guide.SHEET][0], 320)
    pins = guide.pins_of(features, shape, int(unit["pins"]), int(unit["seed"]))
    assert shipped["guide"] == guide.PAPERS and tensor["guide"] == guide.TENSOR
    assert shipped["error"] == pytest.approx(hidden_pin_error(features, shape, pins, Options(seed=int(unit["seed"]))))


def rows_of(scores: dict[str, tuple[float, float]], scatter: float = 0.01) -> list[Row]:
    """Runs of both guides on two albums, with these means, and the same scatter of the seeds for both."""
    return [
        {"album": album, "features": "lab", "pins": 4, "guide": name, "seed": seed, "seconds": 1.0 + place}
        | {score: pair[place] + scatter * seed * (1 + 0.1 * place) for score, pair in scores.items()}
        for album in ("one", "two")
        for seed in range(5)
        for place, name in enumerate((guide.PAPERS, guide.TENSOR))
    ]


def test_nearer_pins_and_smoother_neighbours_are_gains_although_their_numbers_fall() -> None:
    better = {"error": (0.4, 0.2), "n24": (0.9, 0.7), "pin_pull": (0.5, 0.8), "dpq16": (0.7, 0.9), "dpq16t": (0.5, 0.7)}
    assert [claim.holds for claim in guide.claims(rows_of(better))] == [True] * 5
    worse = {score: (after, before) for score, (before, after) in better.items()}
    assert [claim.holds for claim in guide.claims(rows_of(worse))] == [False] * 5
    same = {score: (before, before) for score, (before, _) in better.items()}
    assert [claim.holds for claim in guide.claims(rows_of(same, 0.0))] == [None] * 5


def test_a_guide_is_adopted_if_dpq16_rises_and_nothing_falls() -> None:
    before = dict.fromkeys(guide.SCORES, 0.5)
    cases = {
        "is to be adopted": {"dpq16": 0.6},
        "DPQ16 rises in no case": {"dpq16t": 0.6, "error": 0.3},
        "some scores of the sheet fall": {"dpq16": 0.6, "pin_pull": 0.4},
    }
    for words, after in cases.items():
        pairs = {score: (before[score], after.get(score, before[score])) for score in guide.SCORES}
        assert words in guide.quoted(rows_of(pairs, 0.0))["verdict"]


def test_the_gain_in_hidden_pins_is_a_share_and_the_interval_holds_the_mean() -> None:
    rows = rows_of({"error": (0.4, 0.3)}, 0.0)
    rows[1]["error"] = 0.34  # one run of one album
    gain = guide.Gain.of(rows, "error")
    assert gain.by_seed == pytest.approx([0.2, 0.25, 0.25, 0.25, 0.25])
    low, high = gain.interval or (1.0, 0.0)
    # the mean is 0.24, the standard error 0.01, and t of 97.5 % with 4 degrees of freedom 2.776
    assert (low, high) == pytest.approx((0.24 - 0.02776, 0.24 + 0.02776), abs=1e-4)
    assert str(gain).startswith("+24.0 % (+21.2 % to +26.8 %)")
    assert guide.Gain.of([row for row in rows if row["seed"] == 0], "error").interval is None


def test_albums_of_ones_own_are_measured_after_the_sample_album() -> None:
    units = guide.units(Request(2, albums=(Path("somewhere/summer"), Path("winter"))))
    assert list(dict.fromkeys(unit["album"] for unit in units)) == [guide.SAMPLE, "summer", "winter"]
    assert len(units) == 2 * 3 * len(guide.PINS) * len(guide.FEATURES)
