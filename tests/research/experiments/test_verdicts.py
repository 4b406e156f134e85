"""A verdict is only given where runs differ by more than they scatter."""

import pytest

from album_app.research.experiments.study import (
    Claim,
    Row,
    Verdict,
    above,
    against_a_mean,
    below,
    best_of,
    lower_by_seed,
    paired,
)


def test_a_difference_in_every_run_is_a_verdict_and_one_within_the_scatter_a_tie() -> None:
    assert paired([0.10, 0.11, 0.09, 0.10]).holds is True
    assert paired([-0.10, -0.11, -0.09, -0.10]).holds is False
    assert paired([0.3, -0.2, 0.1, -0.1]).holds is None


def test_it_is_the_paired_t_test() -> None:
    stats = pytest.importorskip("scipy.stats")
    gains = [0.4, 0.1, -0.1, 0.3, 0.2]
    assert paired(gains).p_value == pytest.approx(stats.ttest_1samp(gains, 0.0).pvalue)


def test_one_run_decides_nothing() -> None:
    assert paired([5.0]).holds is None and against_a_mean([5.0], 4.0, 2).holds is None


def test_a_mean_of_few_runs_is_not_taken_for_exact() -> None:
    values = [0.50, 0.60, 0.55, 0.45, 0.52, 0.58]
    assert against_a_mean(values, 0.05, 2).p_value > against_a_mean(values, 0.05, 200).p_value


def test_runs_are_compared_seed_by_seed() -> None:
    rows: list[Row] = []
    for seed in range(6):
        rows += [{"seed": seed, "method": "a", "error": seed + 0.1 * (seed % 2)}]
        rows += [{"seed": seed, "method": "b", "error": seed + 0.5}]
    assert lower_by_seed(rows, "error", "a", "b").holds is True
    assert lower_by_seed(rows, "error", "b", "a").holds is False


def test_many_runs_of_few_seeds_are_few_runs() -> None:
    rows: list[Row] = [{"seed": seed, "n": n, "smi": 1.0 + 0.1 * seed} for seed in (-1, 0, 1) for n in range(100)]
    assert above(rows, "smi", 0.8).p_value == pytest.approx(paired([0.1, 0.2, 0.3]).p_value)
    assert above(rows, "smi", 0.8).holds is None
    assert above(rows, "smi", 0.0).holds is True and below(rows, "smi", 0.0).holds is False
    assert below(rows, "smi", 2.0).gain == pytest.approx(1.0)


def test_best_is_better_than_all() -> None:
    better, worse, tie = Verdict(1.0, 0.001), Verdict(-1.0, 0.001), Verdict(1.0, 0.01)
    assert best_of([better, better]) is True
    assert best_of([better, tie]) is None
    assert best_of([better, tie, worse]) is False
    assert [Claim("", "", each).verdict for each in (True, False, None)] == ["yes", "no", "tie"]
