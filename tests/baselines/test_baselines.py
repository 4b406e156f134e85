"""Each method of comparison on a problem whose answer is known."""

import numpy as np
import pytest

from album_app.baselines import gromov_plan, gromov_smi, kernelized_sorting, lsmi, lsmi_full, lsmi_opt, lsom
from album_app.baselines.dependence import DRAWS, UNTESTED_LAMBDA, lsmi_of_pairs
from album_app.research.experiments.synthetic_data import semi_supervised, synthetic_pairs
from album_app.solver import InvalidInput, Problem


def gaussian_pairs(rho: float, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((count, 1))
    return x, rho * x + np.sqrt(1 - rho**2) * rng.standard_normal((count, 1))


def hidden_turn(n: int, hidden: int, seed: int) -> tuple[Problem, np.ndarray]:
    """Points of a lopsided cloud and the same turned about: n pairs are known, the others' order is hidden."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(1.5, size=(n + hidden, 2)) * (3.0, 1.0)
    angle = 0.4
    y = x @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shuffle = rng.permutation(hidden)
    return Problem(x[:n], y[:n], x[n:], y[n:][shuffle]), np.argsort(shuffle)


def matched(plan: np.ndarray, truth: np.ndarray) -> float:
    return float(np.mean(plan.argmax(axis=1) == truth))


@pytest.mark.parametrize("draw", DRAWS)
def test_lsmi_of_jointly_gaussian_pairs_comes_near_the_truth_from_below(draw: str) -> None:
    estimates = []
    for rho, off in ((0.3, 0.25), (0.5, 0.25), (0.7, 0.4)):
        truth = rho**2 / (2 * (1 - rho**2))
        estimates.append(lsmi_of_pairs(*gaussian_pairs(rho, 5000), lam=1e-4, draw=draw).smi)
        assert truth * (1 - off) <= estimates[-1] <= truth * 1.1
    assert estimates == sorted(estimates)


def test_lsmi_of_independent_pairs_is_nearly_zero() -> None:
    assert lsmi_full(*synthetic_pairs("random", 5000, 0)).smi < 0.05


def test_lsmi_opt_uses_the_lambda_of_the_full_data() -> None:
    full = lsmi_full(*synthetic_pairs("linear", 2000, 0))
    problem = semi_supervised("linear", 30, 40, 40)
    assert lsmi_opt(problem, full=full).smi == lsmi(problem, lam=full.lam).smi


def test_lsmi_with_too_few_pairs_to_hold_out_keeps_its_default_and_without_pairs_says_so() -> None:
    problem = semi_supervised("linear", 3, 20, 20)
    assert lsmi(problem).lam == UNTESTED_LAMBDA
    with pytest.raises(InvalidInput, match="LSMI needs pairs"):
        lsmi(problem.with_pairs([]))


def test_lsmi_sees_a_ratio_that_is_high_on_pairs_and_low_between_strangers() -> None:
    x, y = gaussian_pairs(0.9, 1000)
    estimate = lsmi_of_pairs(x, y)
    assert np.diag(estimate.ratio(x[:50], y[:50])).mean() > 2 * estimate.ratio(x[:50], y[:50]).mean()


def test_gromov_wasserstein_finds_a_rigid_motion_without_pairs() -> None:
    problem, truth = hidden_turn(0, 60, 0)
    plan = gromov_plan(problem)
    assert plan.shape == (60, 60)
    assert np.allclose(plan.sum(axis=1), 1 / 60, atol=1e-4)
    assert matched(plan, truth) > 0.8


def test_a_plan_that_is_not_finite_is_not_passed_over_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    import ot

    monkeypatch.setattr(ot.gromov, "entropic_gromov_wasserstein", lambda *_, **__: np.full((60, 40), np.nan))
    with pytest.warns(UserWarning, match="no finite plan"):
        plan = gromov_plan(semi_supervised("linear", 10, 60, 40))
    assert plan == pytest.approx(np.full((60, 40), 1 / 2400))


def test_gromov_smi_pairs_as_many_as_the_smaller_side_has() -> None:
    estimate = gromov_smi(semi_supervised("linear", 10, 60, 40))
    assert estimate.plan is not None
    assert estimate.plan.shape == (60, 40)
    assert np.isfinite(estimate.smi)


def test_lsom_recovers_a_hidden_permutation_from_some_pairs() -> None:
    problem, truth = hidden_turn(30, 60, 1)
    estimate = lsom(problem)
    assert estimate.plan is not None
    assert np.array_equal(estimate.plan.sum(axis=0), estimate.plan.sum(axis=1))
    assert matched(estimate.plan, truth) > 0.6


def test_lsom_estimates_smi_by_its_own_formula() -> None:
    problem, _ = hidden_turn(30, 60, 1)
    estimate = lsom(problem, beta=0.3)
    assert estimate.plan is not None
    at_pairs = np.diag(estimate.ratio(problem.x_pairs, problem.y_pairs)).mean()
    at_matches = estimate.ratio(problem.x, problem.y)[estimate.plan > 0].mean()
    assert estimate.smi == pytest.approx(0.5 * (0.3 * at_pairs + 0.7 * at_matches) - 0.5)


def test_the_basis_is_drawn_as_it_is_called() -> None:
    x, y = gaussian_pairs(0.9, 60)
    drawn = {draw: lsmi_of_pairs(x, y, lam=1e-3, basis=20, draw=draw) for draw in DRAWS}
    partners = {}
    for draw, estimate in drawn.items():
        x_basis, y_basis = estimate.x_kernel.basis, estimate.y_kernel.basis
        own_x, own_y = (k.basis * k.width + k.centre for k in (estimate.x_kernel, estimate.y_kernel))
        assert len(x_basis) == len(y_basis) == 20
        partners[draw] = sum(
            int(np.abs(x - a).argmin() == np.abs(y - b).argmin()) for a, b in zip(own_x, own_y, strict=True)
        )
    assert partners["pairs"] == 20
    assert 10 <= partners["coupled"] <= 13
    assert partners["strangers"] <= 3


def test_kernelized_sorting_recovers_a_hidden_permutation_without_pairs() -> None:
    problem, truth = hidden_turn(0, 60, 2)
    estimate = kernelized_sorting(problem)
    assert estimate.plan is not None
    assert matched(estimate.plan, truth) > 0.8


@pytest.mark.parametrize("method", [lsom, kernelized_sorting])
def test_methods_for_square_problems_refuse_others_in_a_sentence(method) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match="as many unpaired x as y, not 30 and 20"):
        method(semi_supervised("linear", 5, 30, 20))
