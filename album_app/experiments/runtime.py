"""Run time of LSMI-Sinkhorn against entropic Gromov-Wasserstein (POT), on two 2-D random measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.solver import LsmiSinkhorn, Problem

PAIRS = 100
SIZES = (100, 200, 500, 1000, 2000, 4000, 7000, 10_000)
QUICK_SIZES = (100, 400)
GW_EPSILON, GW_ITERATIONS = 0.005, 20
LIMIT = 120.0
"""Gromov-Wasserstein is not run on sizes beyond the first that took longer (seconds)."""


def _problem(n: int, seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((PAIRS + n, 2)), rng.standard_normal((PAIRS + n, 2))
    return Problem(x[:PAIRS], y[:PAIRS], x[PAIRS:], y[PAIRS:])


def _numpy(problem: Problem) -> None:
    LsmiSinkhorn().solve(problem)


def _torch(problem: Problem) -> None:
    LsmiSinkhorn(device="cpu").solve(problem)


def _gromov(problem: Problem) -> None:
    from album_app.baselines.gromov import gromov_plan

    gromov_plan(problem, epsilon=GW_EPSILON, iterations=GW_ITERATIONS)


METHODS: dict[str, Callable[[Problem], None]] = {
    "LSMI-Sinkhorn (numpy)": _numpy,
    "LSMI-Sinkhorn (torch)": _torch,
    "Gromov-Wasserstein (POT)": _gromov,
}


def settings(request: Request) -> dict[str, Any]:
    return {"n": PAIRS, "Gromov-Wasserstein": f"squared loss, epsilon {GW_EPSILON}, {GW_ITERATIONS} iterations"}


def units(request: Request) -> list[Unit]:
    return request.seed_units(method=METHODS, n_x=QUICK_SIZES if request.quick else SIZES)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    method, n = str(unit["method"]), int(unit["n_x"])
    before = [row for row in rows if row["method"] == method and int(row["n_x"]) < n]
    if any(row.get("seconds", 0) == "over the limit" or float(row["seconds"]) > LIMIT for row in before):
        return [{"seconds": "over the limit"}]
    problem = _problem(n, int(unit["seed"]))
    METHODS[method](_problem(50, 0))  # what is imported and compiled on first use is not the method's time
    start = time.perf_counter()
    METHODS[method](problem)
    return [{"seconds": time.perf_counter() - start}]


def claims(rows: Sequence[Row]) -> list[Claim]:
    ours, peer = "LSMI-Sinkhorn (numpy)", "Gromov-Wasserstein (POT)"
    sizes = sorted({int(row["n_x"]) for row in rows if row["method"] == peer and not isinstance(row["seconds"], str)})
    if not sizes:
        return []
    largest = sizes[-1]
    ratio = average(rows, "seconds", method=peer, n_x=largest) / average(rows, "seconds", method=ours, n_x=largest)
    text = "faster than Gromov-Wasserstein by more than one order of magnitude"
    return [Claim(text, f"{ratio:.0f} times at n_x = {largest}", ratio > 10)]


def plot(rows: Sequence[Row], figure: Any) -> None:
    axes = figure.subplots()
    for method in METHODS:
        timed = [row for row in rows if row["method"] == method and not isinstance(row["seconds"], str)]
        here = sorted({int(row["n_x"]) for row in timed})
        axes.plot(here, [average(timed, "seconds", n_x=n) for n in here], marker="o", label=method)
    axes.set(xlabel="unpaired samples n_x = n_y", ylabel="seconds", xscale="log", yscale="log")
    axes.grid(alpha=0.3, which="both")
    axes.legend()


EXPERIMENTS = [
    Experiment(
        name="runtime",
        what="Run time against Gromov-Wasserstein, n = 100 pairs, n_x = n_y from 100 to 10,000 (the paper's Fig. 2).",
        takes="10 minutes, most of it Gromov-Wasserstein",
        needs="nothing",
        seeds=3,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Seconds", ["method", "n_x"], ["seconds"])],
    )
]
