"""Claims on estimates of SMI are judged run by run, against peers with either basis, and can fail or tie."""

from collections.abc import Mapping, Sequence

import pytest

from album_app.research.experiments.figures import uci
from album_app.research.experiments.figures.estimators import (
    METHODS,
    OUR_BASIS,
    OUR_TRUTH,
    OURS,
    PEERS,
    SELECTED,
    TRUTH,
    YARDSTICKS,
    more_pairs_claims,
    nearest_where,
    nearness_claims,
    with_errors,
    with_methods,
)
from album_app.research.experiments.figures.smi import PAIRS, claims, claims_against_the_authors
from album_app.research.experiments.runner import load
from album_app.research.experiments.study import UNSEEN, Request, Row, average

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
    assert judged(wild, about(1.9)) == [None, None]  # nearer on average alone would be a yes


def test_few_pairs_and_many_are_judged_apart() -> None:
    assert judged(about(0.1), about(1.5), n=10) == [False, False]
    assert judged(about(1.9), about(1.5), n=90) == [True, True]
    assert judged(about(1.9), about(1.5), n=30) == []


def test_the_truth_is_one_estimate_however_many_runs_there_are() -> None:
    units = with_methods(Request(3).seed_units(n=(10, 50)))
    assert {unit["seed"] for unit in units if unit["method"] in YARDSTICKS} == {0}
    assert {unit["seed"] for unit in units if unit["method"] == OURS} == {0, 1, 2}


def test_other_yardsticks_have_their_say_next_to_the_verdict() -> None:
    rows = runs({**THEIRS, OUR_TRUTH: (1.1,), **dict.fromkeys(OUR_BASIS.values(), about(1.0)), OURS: about(1.9)})
    claim = nearness_claims(rows, ["linear"], "")[0]
    assert claim.holds is True and "by the other yardsticks: our basis no" in claim.measured
    assert nearest_where(rows, ["linear"], "n >= 50", PEERS) == "nearer on linear"
    assert nearest_where(rows, ["linear"], "n >= 50", PEERS, OUR_TRUTH) == "not nearer on linear"


def test_runs_with_other_pairs_of_the_same_seed_do_not_make_gromov_smi_surely_small() -> None:
    """Each seed has one Gromov-Wasserstein plan for all n."""
    seeds = {"random": 0.1, "linear": 1.9, "nonlinear": 1.0, "pca": 1.0}
    rows = [
        row
        for n in PAIRS
        for data, value in seeds.items()
        for row in runs({**THEIRS, OURS: about(1.9), "Gromov-SMI": about(value, 0.1)}, n, data)
    ]
    small = {claim.text: claim.holds for claim in claims("", rows) if "Gromov-SMI is below" in claim.text}
    assert list(small.values()) == [None, True, True]


def test_underestimating_is_a_tie_where_a_method_does_so_only_sometimes() -> None:
    rows = runs({**THEIRS, "LSMI (opt)": (1.5, 2.5, 1.8, 2.2, 1.9), OURS: about(1.9)}, data="wine")
    held = {claim.text: claim.holds for claim in uci.claims(rows)}
    assert held["wine, all n: LSMI and LSMI (opt) underestimate"] is None
    assert held["wine, all n: Gromov-SMI overestimates by a large margin (a quarter)"] is False


def test_more_pairs_have_to_bring_every_run_nearer() -> None:
    def claim(many: Sequence[float]) -> bool | None:
        rows = runs({TRUTH: about(2.0, 0.0), OURS: about(1.5)}) + runs({TRUTH: about(2.0, 0.0), OURS: many}, 100)
        return more_pairs_claims(rows, ["linear"], "")[0].holds

    assert claim(about(1.8)) is True and claim(about(1.2)) is False
    assert claim((1.4, 1.6, 1.5, 1.45, 1.6)) is None


def test_methods_with_settings_of_ours_are_judged_by_seeds_on_which_none_was_chosen() -> None:
    for name in ("synthetic", "synthetic-unequal", "uci", "plan"):
        experiment = load(name)
        units = experiment.units(Request(2, first_seed=experiment.first_seed))
        assert {unit["seed"] for unit in units} == {UNSEEN, UNSEEN + 1}


def test_selecting_epsilon_is_judged_against_the_authors_code_too() -> None:
    far = {TRUTH: (2.6,) * SEEDS, **dict.fromkeys(METHODS[1:], about(2.6)), SELECTED: about(1.0)}
    rows = [row for data in ("random", "linear", "nonlinear", "pca") for row in runs(far, data=data)]
    held = {claim.text: claim.holds for claim in claims_against_the_authors(rows)}
    assert held["linear, n = 50: the mean of LSMI-Sinkhorn is nearer to LSMI (full) than the authors' code"] is True
    assert held[f"linear, n = 50: the mean of {SELECTED} is nearer to LSMI (full) than the authors' code"] is False
