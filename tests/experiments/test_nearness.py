"""Claims on estimates of SMI are judged run by run, beside LSMI with the same basis, and can fail."""

from collections.abc import Mapping, Sequence

import pytest

from album_app.experiments.figures.nearness import COUPLED, METHODS, OURS, SELECTED, TRUTH, nearness_claims, with_errors
from album_app.experiments.figures.smi import claims_beside_the_authors
from album_app.experiments.study import Row, agreeing, average


def runs(smi: Mapping[str, Sequence[float]], n: int = 50, data: str = "linear") -> list[Row]:
    return [
        {"data": data, "n": n, "seed": seed, "method": method, "smi": value}
        for method, values in smi.items()
        for seed, value in enumerate(values)
    ]


PEERS = dict.fromkeys(METHODS[1:-1], (1.0, 1.0))


def test_errors_that_cancel_in_the_mean_do_not_count_as_near() -> None:
    rows = runs({TRUTH: (2.0, 2.0), **PEERS, COUPLED: (1.5, 1.5), OURS: (1.0, 3.0)})
    assert average(with_errors(rows), "error", method=OURS) == pytest.approx(1.0)
    peers, same_basis = nearness_claims(rows, ["linear"])
    assert peers.text.startswith("linear, n >= 50") and not same_basis.holds
    assert "LSMI-Sinkhorn 2.00 ± 1.41, off by 1.00" in same_basis.measured


def test_few_pairs_and_many_are_judged_apart() -> None:
    many = runs({TRUTH: (2.0, 2.0), **PEERS, COUPLED: (1.5, 1.5), OURS: (1.9, 2.0)})
    few = runs({TRUTH: (2.0, 2.0), **PEERS, COUPLED: (1.5, 1.5), OURS: (0.1, 0.1)}, n=10)
    assert [claim.holds for claim in nearness_claims(many + few, ["linear"])] == [False, False, True, True]


def test_the_truth_is_one_estimate_however_many_runs_there_are() -> None:
    rows = with_errors(runs({TRUTH: (2.0, 2.0, 2.0), OURS: (1.0, 1.0, 1.0)}))
    assert [len(agreeing(rows, {"method": method})) for method in (TRUTH, OURS)] == [1, 3]


def test_seeds_run_after_epsilon_was_settled_are_judged_by_themselves() -> None:
    good_then_bad = (2.6,) * 11 + (1.0,) * 2
    smi = {TRUTH: (2.6,) * 13, **dict.fromkeys((*METHODS[1:], COUPLED, SELECTED), good_then_bad)}
    rows = [row for data in ("random", "linear", "nonlinear", "pca") for row in runs(smi, data=data)]
    holds = {claim.text: claim.holds for claim in claims_beside_the_authors(rows)}
    text = "the mean of LSMI-Sinkhorn (epsilon selected) as near to LSMI (full) as the authors' code"
    assert holds[f"linear, n = 50: {text}"]
    assert not holds[f"linear, n = 50, seeds from 11 on: {text}"]
