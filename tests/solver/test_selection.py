"""Model selection: it finds dependence where there is some, invents none, and says why."""

from dataclasses import replace

import numpy as np
import pytest

from album_app.baselines import lsmi, lsmi_full, lsmi_opt
from album_app.errors import Stopped
from album_app.research.experiments.synthetic_data import semi_supervised, synthetic_pairs
from album_app.solver import LsmiSinkhorn, Problem, select

SEEDS = range(3)


def estimate(problem: Problem, seed: int) -> float:
    return select(problem, LsmiSinkhorn(seed=seed)).solver.solve(problem).smi


def test_independent_data_stay_independent() -> None:
    estimates = [estimate(semi_supervised("random", 50, 200, 200, seed), seed) for seed in SEEDS]
    assert max(estimates) < 0.1


def test_a_winner_that_ranks_no_partner_above_strangers_is_not_believed() -> None:
    problem = semi_supervised("random", 6, 100, 100, seed=1)
    selection = select(problem)
    winner = min(selection.candidates, key=lambda candidate: candidate.error)
    believed = winner.solver.solve(problem).smi
    assert selection.dependent is False and winner.p_value > 0.01
    assert believed > 0.25
    assert selection.solver.solve(problem).smi < 0.1


def test_nearer_to_the_truth_than_pairs_alone() -> None:
    truth = lsmi_full(*synthetic_pairs("linear", 3000, seed=100))
    problems = [semi_supervised("linear", 50, 200, 200, seed) for seed in SEEDS]
    ours = np.mean([estimate(problem, seed) for seed, problem in zip(SEEDS, problems, strict=True)])
    pairs_alone = np.mean([lsmi(problem).smi for problem in problems])
    best_lambda = np.mean([lsmi_opt(problem, full=truth).smi for problem in problems])
    assert abs(ours - truth.smi) < 0.2 * truth.smi
    assert abs(ours - truth.smi) < abs(pairs_alone - truth.smi)
    assert abs(ours - truth.smi) < abs(best_lambda - truth.smi)


def test_candidates_and_reason_are_told() -> None:
    problem = semi_supervised("linear", 12, 60, 50)
    seen: list[tuple[int, int]] = []
    selection = select(problem, folds=2, betas=[0.2, 0.8], on_progress=lambda *at: seen.append(at))
    assert seen == [(i + 1, 16) for i in range(16)]
    assert len(selection.candidates) == 8
    best = min(selection.candidates, key=lambda candidate: candidate.error)
    assert selection.solver == best.solver
    assert selection.dependent and "hold-out error" in selection.reason


def test_epsilon_can_be_selected_too() -> None:
    selection = select(semi_supervised("linear", 12, 60, 50), lams=[1e-3], betas=[0.2], epsilons=[0.1, 10.0])
    assert selection.solver.epsilon == 0.1


def test_what_one_epsilon_alone_would_have_selected_is_still_known() -> None:
    problem, few = semi_supervised("linear", 12, 60, 50), {"lams": [1e-2, 1e-4], "betas": [0.2, 0.8]}
    both = select(problem, epsilons=[0.1, 0.3], **few)
    assert both.among(lambda solver: solver.epsilon == 0.3) == select(problem, **few)


def test_too_few_pairs_leave_the_settings() -> None:
    problem, solver = semi_supervised("linear", 3, 20, 20), LsmiSinkhorn(lam=0.5, beta=0.3)
    selection = select(problem, solver)
    assert selection.solver == solver and not selection.candidates and selection.dependent is None
    assert "3 pairs are too few" in selection.reason


def test_four_pairs_are_enough() -> None:
    assert len(select(semi_supervised("linear", 4, 30, 20)).candidates) == 20


def test_shuffled_pairs_are_no_evidence() -> None:
    problem = semi_supervised("linear", 30, 60, 60)
    shuffled = replace(problem, y_pairs=np.roll(problem.y_pairs, 1, axis=0))
    assert select(problem).dependent
    selection = select(shuffled)
    assert selection.dependent is False and "no evidence" in selection.reason


def test_numpy_and_torch_select_the_same() -> None:
    problem, solver = semi_supervised("linear", 10, 40, 30), LsmiSinkhorn(dtype="float64")
    few = {"lams": [1e-2, 1e-4], "betas": [0.2, 1.0], "folds": 2}
    expected, found = select(problem, solver, **few), select(problem, replace(solver, device="cpu"), **few)
    errors = [[candidate.error for candidate in selection.candidates] for selection in (expected, found)]
    assert errors[1] == pytest.approx(errors[0], rel=1e-6)


def test_selection_can_be_stopped() -> None:
    seen: list[int] = []
    with pytest.raises(Stopped):
        select(
            semi_supervised("linear", 8, 30, 30),
            on_progress=lambda done, _: seen.append(done),
            stop=lambda: len(seen) > 2,
        )
    assert seen == [1, 2, 3]


def test_there_must_be_candidates() -> None:
    with pytest.raises(ValueError, match="lams must hold at least one candidate"):
        select(semi_supervised("linear", 8, 30, 30), lams=[])


def test_folds_must_hold_something_out() -> None:
    with pytest.raises(ValueError, match="folds must be at least 2, not 1"):
        select(semi_supervised("linear", 8, 30, 30), folds=1)


def hidden_matching(seed: int, n: int = 12, hidden: int = 100) -> tuple[Problem, np.ndarray]:
    """Rectified features and a rectified mixture of them: n pairs are known, the others' order is hidden."""
    rng = np.random.default_rng(seed)
    x = np.maximum(rng.standard_normal((n + hidden, 8)), 0) ** 2
    y = np.maximum(x @ rng.standard_normal((8, 8)), 0)
    order = rng.permutation(hidden)
    shuffled = np.empty_like(y[n:])
    shuffled[order] = y[n:]
    return Problem(x[:n], y[:n], x[n:], shuffled), order


def test_the_rank_of_held_out_partners_selects_what_matches() -> None:
    candidates = {"lams": (1e-4, 1e-5, 1e-6), "betas": (0.2,), "widths": (1.0, 2.0), "roots": (False, True)}
    shares = []
    for seed in (0, 2, 3):
        problem, order = hidden_matching(seed)
        by_rank = select(problem, by="rank", **candidates)
        assert "log-rank of held-out partners" in by_rank.reason
        for selection in (by_rank, select(problem)):
            shares.append(np.mean(selection.solver.solve(problem).match()[1] == order))
    assert np.mean(shares[::2]) > 1.5 * np.mean(shares[1::2])


def test_held_out_partners_are_ranked_as_if_they_had_taken_part() -> None:
    problem = semi_supervised("linear", 20, 60, 50)
    solver = LsmiSinkhorn(lam=1e-3, beta=0.2, dtype="float64", sweeps=5000)
    (candidate,) = select(problem, solver, lams=[1e-3], betas=[0.2], folds=20).candidates
    log_ranks = []
    for held_out in range(20):
        others = np.setdiff1d(np.arange(20), [held_out])
        solution = solver.solve(problem.with_pairs(others))
        x, y = (
            np.concatenate([side[[held_out]], rest])
            for side, rest in ((problem.x_pairs, problem.x), (problem.y_pairs, problem.y))
        )
        logits = solution.state.scale * solution.ratio(x, y)
        f, g = solution.potentials
        own_f, own_g = -np.log(np.exp(logits[0, 1:] + g).sum()), -np.log(np.exp(logits[1:, 0] + f).sum())
        own_f, own_g = own_f - np.log(60), own_g - np.log(50)
        above = np.sum(logits[0, 1:] + g > logits[0, 0] + own_g), np.sum(logits[1:, 0] + f > logits[0, 0] + own_f)
        log_ranks.append(0.5 * (np.log((above[0] + 1) / 51) + np.log((above[1] + 1) / 61)))
    assert candidate.log_rank == pytest.approx(np.mean(log_ranks), abs=0.02)


def test_a_p_value_is_small_but_never_zero() -> None:
    x = np.random.default_rng(0).standard_normal((400, 2))
    (candidate,) = select(Problem(x[:300], x[:300], x[300:], x[300:]), lams=[1e-3], betas=[0.5]).candidates
    assert 0.0 < candidate.p_value < 1e-30


def test_an_unknown_criterion_is_named() -> None:
    with pytest.raises(ValueError, match="by must be one of error, rank, not 'luck'"):
        select(semi_supervised("linear", 8, 30, 30), by="luck")
