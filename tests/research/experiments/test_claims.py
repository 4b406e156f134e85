"""Claims say yes and no as the rows do: run time, matching, and what the album's sheets count."""

from itertools import product

import numpy as np
import pytest

from album_app.errors import AlbumError
from album_app.layout import Pins, ShapeSpec, build_shape
from album_app.research.experiments.figures import choices, convergence, estimators, matching, runtime
from album_app.research.experiments.runner import table_text
from album_app.research.experiments.study import Request, Row


def timed(ratios: dict[int, float], seed: int = 0) -> list[Row]:
    """Rows of ours at a second each, and of Gromov-Wasserstein at that many."""
    ours: list[Row] = [{"method": runtime.OURS, "n_x": n, "seed": seed, runtime.TIME: 1.0} for n in ratios]
    return ours + [{"method": runtime.PEER, "n_x": n, "seed": seed, runtime.TIME: at} for n, at in ratios.items()]


@pytest.mark.parametrize(
    ("ratios", "holds"),
    [
        ({100: 17.0, 500: 2.6, 7000: 43.0}, [False, True]),
        ({100: 17.0, 500: 9.6, 7000: 43.0}, [None, True]),  # 9.6 is ten within the spread
        ({100: 17.0, 500: 17.0, 7000: 2.0}, [False, False]),
        ({100: 17.0, 500: 17.0, 7000: 11.0}, [None, None]),
        ({100: 17.0, 500: 17.0, 7000: 43.0}, [True, True]),
    ],
)
def test_the_speed_is_judged_at_every_size_and_at_the_largest(
    ratios: dict[int, float], holds: list[bool | None]
) -> None:
    """Small sizes were timed three times, and scatter by 3 %; the largest one once."""
    several = {n: ratio for n, ratio in ratios.items() if n < 7000}
    rows = timed(ratios) + [
        row
        for seed, factor in ((1, 0.97), (2, 1.03))
        for row in timed({n: factor * ratio for n, ratio in several.items()}, seed)
    ]
    every, largest = runtime.claims(rows)
    assert [every.holds, largest.holds] == holds
    assert all(f"{ratio:.1f} times at {n}" in every.measured for n, ratio in ratios.items())
    assert "n_x = 7000" in largest.text and "theirs as n^" in largest.measured


def test_a_run_that_was_disturbed_does_not_decide_a_ratio() -> None:
    rows = [row for seed, ratio in enumerate((12.0, 300.0, 11.0)) for row in timed({100: ratio}, seed)]
    assert "12.0 times at 100 (tie)" in runtime.claims(rows)[0].measured


def test_the_largest_sizes_are_timed_three_times_and_smaller_ones_as_often_as_asked() -> None:
    units = runtime.units(Request(5))
    assert {unit["seed"] for unit in units if unit["n_x"] == 7000} == {0, 1, 2}
    assert {unit["seed"] for unit in units if unit["n_x"] == 1000} == set(range(5))


def test_sizes_are_listed_in_their_order_however_they_were_run() -> None:
    lines = table_text(runtime.EXPERIMENTS[0].tables[0], timed({7000: 9.0}) + timed({100: 5.0})).splitlines()[4:]
    assert [line.split(" | ")[0] for line in lines] == ["| 100", "| 100", "| 7000", "| 7000"]


@pytest.mark.parametrize(("by", "holds"), [(0.1, True), (0.0, None), (-0.1, False)])
def test_every_score_is_judged_against_the_authors_code_by_its_scatter(by: float, holds: bool | None) -> None:
    rows: list[Row] = []
    for (n, reached), solver, seed in product(matching.REACHED.items(), matching.METHODS, range(5)):
        scores = {score: mean + by + 0.01 * (seed - 2) for score, (mean, _) in reached.items()}
        rows.append({"data": "authors", "solver": solver, "n": n, "seed": seed, **scores})
    compared = [claim for claim in matching.claims(rows) if "above the authors' code" in claim.text]
    assert len(compared) == 3 * (len(matching.METHODS) - 1) * len(matching.SHOWN)
    assert all(claim.holds is holds for claim in compared)


@pytest.mark.parametrize(("by", "holds"), [(0.1, True), (0.0, None), (-0.1, False)])
def test_five_bases_are_judged_against_one_run_by_run(by: float, holds: bool | None) -> None:
    rows: list[Row] = []
    for seed in range(5):
        for solver, gain in ((matching.RANKED_ROOTS, 0.0), (matching.BAGGED, by + 0.001 * (seed % 2) * (by != 0.0))):
            scores = dict.fromkeys(matching.SCORES, 0.8 + 0.05 * seed + gain)
            rows.append({"data": "digits", "solver": solver, "n": 10, "seed": seed, **scores})
    assert [claim.holds for claim in matching.claims(rows) if "five bases" in claim.text] == [holds]


def test_the_mean_of_log_plans_is_what_several_bases_are_matched_by() -> None:
    right = np.arange(matching.UNPAIRED)
    truth, wrong = np.full((2, len(right), len(right)), 1e-6)
    truth[right, right], wrong[right, np.roll(right, 1)] = 1e-3, 1e-4
    kinds = right % 2
    assert matching.matched([truth, wrong], right, kinds)["top1_rounded"] == 1.0
    assert matching.matched([wrong, wrong, truth], right, kinds)["top1_rounded"] == 0.0


def test_a_choice_is_judged_by_its_error_and_a_start_by_the_largest_difference() -> None:
    def rows_of(data: str, errors: dict[str, float]) -> list[Row]:
        return [
            {"data": data, "seed": seed, "variant": variant, "error": error + 0.01 * seed, "smi": 1.0 + error}
            for seed in range(4)
            for variant, error in errors.items()
        ]

    better, same = "lambda in half decades", "lambda 0.001"
    rows = rows_of("wine", {choices.SHIPPED: 0.5, choices.FROM_ANYWHERE: 0.52, better: 0.3, same: 0.5})
    album = rows_of("the sample album", {choices.SHIPPED: 0.1, "width 2": 0.2})
    held = {claim.case: claim.holds for claim in choices.claims(rows + album)}
    assert held == {
        "random start": False,
        f"UCI data, {better}": True,
        f"UCI data, {same}": None,
        "the sample album, width 2": False,
    }


def test_the_settings_do_not_depend_on_which_data_are_at_hand(tmp_path) -> None:
    assert matching.settings(Request(1)) == matching.settings(Request(1, data={"features": tmp_path}))


def test_the_most_likely_photos_repeat_but_leave_the_pins_alone() -> None:
    from album_app.layout.arranging.arrange import arrange
    from album_app.research.experiments.albums import METHODS, PAPER, most_likely

    features = np.random.default_rng(0).random((60, 5))
    shape = build_shape(ShapeSpec("rectangle", rows=6, columns=10), 60)
    pins = Pins({3: (0, 0), 40: (5, 9)})
    layout = arrange(features, shape, pins, METHODS[PAPER])
    shown = most_likely(layout)
    assert layout.repeats == 0 < shown.repeats
    assert shown.photo_in((0, 0)) == 3 and shown.photo_in((5, 9)) == 40
    assert (np.isin(shown.photo_at, list(pins))).sum() == 2


def test_the_corners_have_the_photos_that_the_authors_pin_there() -> None:
    from album_app.research.experiments.albums import AUTHORS_PINS, Material, authors_pins

    names = [f"img{number}.jpg" for number in range(1, 321)]
    shape = build_shape(ShapeSpec("rectangle", rows=16, columns=20), 320)
    pins = authors_pins(Material(np.zeros((320, 5)), [None] * 320, names), "16x20", shape)
    assert [names[photo] for photo in pins] == [f"{name}.jpg" for name in AUTHORS_PINS]
    assert list(pins.values()) == [(0, 0), (0, 19), (15, 0), (15, 19)]
    with pytest.raises(AlbumError, match="img295"):
        authors_pins(Material(np.zeros((3, 5)), [None] * 3, names[:3]), "16x20", shape)


def test_every_method_has_a_curve_of_its_own() -> None:
    looks = [tuple(sorted(style.items())) for style in estimators.STYLES.values()]
    assert set(estimators.STYLES) == {*estimators.METHODS, estimators.SELECTED}
    assert len(set(looks)) == len(looks)
    dots = [(style["color"], style.get("marker", "o")) for style in estimators.STYLES.values()]
    assert len({*dots}) == len(dots)  # a quick run draws dots


def test_iterations_that_agree_are_one_number() -> None:
    assert convergence._between([3, 3]) == "3" and convergence._between([4, 3, 6]) == "3 to 6"
