"""Run time of LSMI-Sinkhorn against entropic Gromov-Wasserstein (POT), on two 2-D random measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from album_app.baselines.gromov import EPSILON, ITERATIONS, gromov_plan
from album_app.experiments.bench_solver import PAIRS, points
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.solver import LsmiSinkhorn, Problem

SIZES = (100, 200, 500, 1000, 2000, 4000, 7000, 10_000)
QUICK_SIZES = (100, 400)
LIMIT = 120.0
"""Gromov-Wasserstein is not run on sizes beyond the first that took longer (seconds)."""


def _numpy(problem: Problem) -> None:
    LsmiSinkhorn().solve(problem)


def _torch(problem: Problem) -> None:
    LsmiSinkhorn(device="cpu").solve(problem)


def _gromov(problem: Problem) -> None:
    gromov_plan(problem)


METHODS: dict[str, Callable[[Problem], None]] = {
    "LSMI-Sinkhorn (numpy)": _numpy,
    "LSMI-Sinkhorn (torch)": _torch,
    "Gromov-Wasserstein (POT)": _gromov,
}


def settings(request: Request) -> dict[str, Any]:
    return {"n": PAIRS, "Gromov-Wasserstein": f"squared loss, epsilon {EPSILON}, {ITERATIONS} iterations"}


def units(request: Request) -> list[Unit]:
    return request.seed_units(method=METHODS, n_x=QUICK_SIZES if request.quick else SIZES)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    method, n = str(unit["method"]), int(unit["n_x"])
    before = [row for row in rows if row["method"] == method and int(row["n_x"]) < n]
    if any(row.get("seconds", 0) == "over the limit" or float(row["seconds"]) > LIMIT for row in before):
        return [{"seconds": "over the limit"}]
    problem = points(n, int(unit["seed"]))
    METHODS[method](points(50, 0))  # what is imported and compiled on first use is not the method's time
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
