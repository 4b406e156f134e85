"""Measures LSMI-Sinkhorn against the algorithm on POT's Sinkhorn and against Gromov-Wasserstein, and how it scales.

Ratios compare runs of one call; seconds alone say little on a busy machine.
"""

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from album_app.baselines.dependence import gromov_plan
from album_app.memory import peak_bytes
from album_app.research.benchmarks import Goal
from album_app.research.experiments.synthetic_data import points
from album_app.solver import LsmiSinkhorn, Problem, density_ratio
from album_app.solver.minibatch import solve_in_batches
from album_app.solver.model import PaperModel
from album_app.solver.threads import one_thread

GROWTH_SIZES = (500, 1000, 2000, 4000, 8000)
LARGEST = 10_000
"""Samples of the largest problem that is solved whole."""
SWEEPS, TOLERANCE, ETA = 1000, 1e-5, 1e-6
"""The stopping rule of both solvers: sweeps per iteration, error of the marginals, change of the transport plan."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=5, help="how often short runs are repeated; the fastest counts")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes (n = 4000 and more)")
    parser.add_argument(
        "--memory-of", type=int, metavar="N", help="solve one problem of that size, print peak megabytes"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.memory_of:
        print(_peak_megabytes(arguments.memory_of))
        return 0
    goals = [*_album(arguments.rounds), *_against_pot(arguments.rounds), *_against_gromov(arguments.quick)]
    goals += [*_growth(arguments.quick), *_batches(arguments.quick), *([] if arguments.quick else _memory())]
    print()
    for goal in goals:
        print(goal)
    return 0


def album(rows: int = 16, columns: int = 20, features: int = 192, pins: int = 4) -> Problem:
    """A problem like that of an album: smooth features of photos, coordinates of cells, and pinned corners."""
    rng = np.random.default_rng(0)
    cells = np.stack(np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij"), -1).reshape(-1, 2) / columns
    waves = rng.standard_normal((2, features)) * 3
    photos = np.sin(cells @ waves + rng.uniform(0, 6, features)) + 0.3 * rng.standard_normal((len(cells), features))
    corners = np.array([0, columns - 1, len(cells) - columns, len(cells) - 1])[:pins]
    rest = np.setdiff1d(np.arange(len(cells)), corners)
    return Problem(photos[corners], cells[corners], photos[rng.permutation(rest)], cells[rest])


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The seconds of some work in the fastest of some rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def on_pot(problem: Problem, solver: LsmiSinkhorn) -> float:
    """The SMI by Algorithm 1 with POT's stabilised Sinkhorn in float64, each transport solved from scratch."""
    import ot

    model = PaperModel.of(problem, solver.basis, solver.seed)
    factor = model.factor(solver.lam)
    p, q = ot.unif(problem.n_x), ot.unif(problem.n_y)
    plan = np.outer(p, q)
    for _ in range(solver.iterations):
        h = solver.beta * model.h_pairs + (1 - solver.beta) * model.expectation(plan)
        alpha = density_ratio.fit(factor, h)
        before, cost = plan, -(1 - solver.beta) * model.cost(alpha)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where it stops after its sweeps, as ours does, too
            plan = ot.bregman.sinkhorn_stabilized(p, q, cost, solver.epsilon, numItermax=SWEEPS, stopThr=TOLERANCE)
        if np.linalg.norm(plan - before) <= solver.eta:
            break
    return model.smi(alpha)


def _album(rounds: int) -> list[Goal]:
    problem = album()
    with one_thread():
        taken = seconds(lambda: LsmiSinkhorn(epsilon=0.1).solve(problem), 4 * rounds)
    print(f"316 photos with 192 features on 16 x 20 less 4 corners, b = 200: {taken:.3f} s")
    return [Goal("316 + 4 photos, 192 features, one thread, b = 200: seconds", taken, most=0.04)]


def _against_pot(rounds: int) -> list[Goal]:
    print(f"\n{'the same algorithm and stopping rule':<44}{'ours':>10}{'on POT':>10}{'ratio':>8}")
    cases = {
        "320 photos on 16 x 20 cells": (album(), 0.1, 5),
        "2000 points, independent": (points(2000), 0.3, 5),
        "320 points, independent: 9 sweeps suffice": (points(320), 0.3, None),
    }
    goals = []
    for name, (problem, epsilon, least) in cases.items():
        solver = LsmiSinkhorn(epsilon=epsilon, sweeps=SWEEPS, tolerance=TOLERANCE, eta=ETA)
        repeats = rounds if problem.n_x < 1000 else 2
        solver.solve(problem)
        ours = seconds(partial(solver.solve, problem), repeats)
        theirs = seconds(partial(on_pot, problem, solver), repeats)
        print(f"{name:<44}{ours:>10.3f}{theirs:>10.3f}{theirs / ours:>8.1f}", flush=True)
        goals.append(Goal(f"times faster than on POT's stabilised Sinkhorn, {name}", theirs / ours, least=least))
    return goals


def _against_gromov(quick: bool) -> list[Goal]:
    print(f"\n{'against Gromov-Wasserstein (POT)':<44}{'ours':>10}{'GW':>10}{'ratio':>8}")
    goals = []
    for n, least in ((1000, 10), (4000, 15))[: 1 if quick else 2]:
        problem = points(n)
        ours, theirs = seconds(partial(LsmiSinkhorn().solve, problem), 3), seconds(partial(gromov_plan, problem), 1)
        print(f"{f'n_x = n_y = {n}':<44}{ours:>10.3f}{theirs:>10.3f}{theirs / ours:>8.1f}", flush=True)
        goals.append(Goal(f"times faster than Gromov-Wasserstein, n = {n}", theirs / ours, least=least))
    return goals


def _growth(quick: bool) -> list[Goal]:
    sizes = GROWTH_SIZES[:3] if quick else GROWTH_SIZES
    times = [seconds(partial(LsmiSinkhorn().solve, points(n)), 3 if n <= 2000 else 1) for n in sizes]
    print("\ngrowth: " + ", ".join(f"{n}: {taken:.2f} s" for n, taken in zip(sizes, times, strict=True)))
    return [Goal(f"exponent of time from {sizes[0]} to {sizes[-1]} points", exponent(sizes, times), most=2.1)]


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The slope of the line through log time over log size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def _memory() -> list[Goal]:
    command = [sys.executable, "-m", "album_app", "bench", "solver", "--memory-of", str(LARGEST)]
    start = time.perf_counter()
    megabytes = float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    print(f"\n{LARGEST} x {LARGEST}: {time.perf_counter() - start:.1f} s with start-up, {megabytes:.0f} MB at the peak")
    return [Goal(f"peak memory at {LARGEST} x {LARGEST}, gigabytes", megabytes / 1000, most=3)]


def _batches(quick: bool) -> list[Goal]:
    """Compare batches and landmarks with all samples at once: error of SMI, error of the ratio, processor seconds."""
    print(f"\n{'many samples, linear data, 5 features':<44}{'SMI off':>10}{'ratio off':>10}{'seconds':>10}")
    goals = []
    for n in (1000,) if quick else (5000, 10_000, 100_000):
        rng = np.random.default_rng(n)
        x = rng.standard_normal((2 * n + 600, 5))
        y = 0.5 * x + 0.1 * rng.standard_normal(x.shape)
        problem, new = Problem(x[:100], y[:100], x[600 : n + 600], y[n + 600 :]), (x[100:600], y[100:600])
        whole = LsmiSinkhorn().solve(problem) if n <= LARGEST else None
        methods = {
            "all samples, another basis": LsmiSinkhorn(seed=1).solve if n <= 5000 else None,
            "1000 landmarks": LsmiSinkhorn(landmarks=1000).solve,
            "batches of 1000": solve_in_batches,
        }
        for name, solve in methods.items():
            if solve is None:
                continue
            begun = time.process_time()
            found = solve(problem)
            taken = time.process_time() - begun
            line = f"{f'n = {n}, {name}':<44}"
            if whole is None:
                print(f"{line}{'':>20}{taken:>10.1f}", flush=True)
                continue
            expected = whole.ratio(*new)
            off = float(np.linalg.norm(found.ratio(*new) - expected) / np.linalg.norm(expected))
            print(f"{line}{abs(found.smi / whole.smi - 1):>10.3f}{off:>10.3f}{taken:>10.1f}", flush=True)
            if solve is solve_in_batches:
                goals.append(Goal(f"error of the ratio by batches, n = {n}", off, most=0.05))
    return goals


def _peak_megabytes(n: int) -> float:
    LsmiSinkhorn().solve(points(n))
    return peak_bytes() / 1e6
