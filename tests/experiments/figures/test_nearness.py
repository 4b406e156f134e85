"""Claims on estimates of SMI are judged run by run, beside peers with either basis, and can fail or tie."""

from collections.abc import Mapping, Sequence

import pytest

from album_app.experiments.figures.estimators import METHODS, OUR_BASIS, OURS, PEERS, SELECTED, TRUTH
from album_app.experiments.figures.nearness import more_pairs_claims, nearness_claims, with_errors
from album_app.experiments.figures.smi import claims_beside_the_authors
from album_app.experiments.study import Row, agreeing, average

SEEDS = 5


def runs(smi: Mapping[str, Sequence[float]], n: int = 50, data: str = "linear") -> list[Row]:
    return [
        {"data": data, "n": n, "seed": seed, "method": method, "smi": value}
        for method, values in smi.items()
        for seed, value in enumerate(values)
    ]


def about(value: float, scatter: float = 0.02) -> tuple[float, ...]:
    return tuple(value + scatter * (seed - 2) for seed in range(SEEDS))


THEIRS = {TRUTH: about(2.0, 0.0), **dict.fromkeys(PEERS, about(1.0))}


def judged(ours: Sequence[float], with_our_basis: Sequence[float], n: int = 50) -> list[bool | None]:
    rows = runs({**THEIRS, **dict.fromkeys(OUR_BASIS.values(), with_our_basis), OURS: ours}, n)
    return [claim.holds for claim in nearness_claims(rows, ["linear"], "")]


def test_peers_are_judged_with_their_basis_and_with_ours() -> None:
    assert judged(about(1.9), about(1.5)) == [True, True]
    assert judged(about(1.5), about(1.9)) == [True, False]


def test_a_difference_smaller_than_the_scatter_is_a_tie() -> None:
    scattered = (1.3, 1.7, 1.4, 1.6, 1.5)
    assert judged(about(1.9), scattered) == [True, True]
    assert judged(about(1.5), scattered) == [True, None]


def test_errors_that_cancel_in_the_mean_do_not_count_as_near() -> None:
    wild = (1.0, 3.0, 1.0, 3.0, 2.0)
    rows = runs({**THEIRS, OURS: wild})
    assert average(with_errors(rows), "error", method=OURS) == pytest.approx(0.8)
    assert judged(wild, about(1.9)) == [None, False]


def test_few_pairs_and_many_are_judged_apart() -> None:
    assert judged(about(0.1), about(1.5), n=10) == [False, False]
    assert judged(about(1.9), about(1.5), n=90) == [True, True]
    assert judged(about(1.9), about(1.5), n=30) == []


def test_the_truth_is_one_estimate_however_many_runs_there_are() -> None:
    rows = with_errors(runs({TRUTH: (2.0, 2.0, 2.0), OURS: (1.0, 1.0, 1.0)}))
    assert [len(agreeing(rows, {"method": method})) for method in (TRUTH, OURS)] == [1, 3]


def test_more_pairs_have_to_bring_every_run_nearer() -> None:
    def claim(many: Sequence[float]) -> bool | None:
        rows = runs({TRUTH: about(2.0, 0.0), OURS: about(1.5)}) + runs({TRUTH: about(2.0, 0.0), OURS: many}, 100)
        return more_pairs_claims(rows, ["linear"], "")[0].holds

    assert claim(about(1.8)) is True and claim(about(1.2)) is False
    assert claim((1.4, 1.6, 1.5, 1.45, 1.6)) is None


def test_seeds_run_after_epsilon_was_settled_are_judged_by_themselves() -> None:
    good_then_bad = (*(2.6 - 0.01 * (seed % 3) for seed in range(11)), 1.0, 1.1, 0.9)
    smi = {TRUTH: (2.6,) * 14, **dict.fromkeys((*METHODS[1:], SELECTED), good_then_bad)}
    rows = [row for data in ("random", "linear", "nonlinear", "pca") for row in runs(smi, data=data)]
    late = [claim for claim in claims_beside_the_authors(rows) if claim.text.startswith("linear, n = 50, seeds from")]
    assert [claim.holds for claim in late] == [False]
