"""Run time of LSMI-Sinkhorn against entropic Gromov-Wasserstein (POT), on two 2-D random measures."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from album_app.baselines.gromov import EPSILON, ITERATIONS, gromov_plan
from album_app.experiments.benchmarks.solver import PAIRS, points
from album_app.experiments.drawing import curve
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, Value, agreeing, average, numbers
from album_app.solver import LsmiSinkhorn, Problem

SIZES = (100, 200, 500, 1000, 2000, 7000)
"""The paper goes on to 10,000, where Gromov-Wasserstein alone would take half an hour."""
QUICK_SIZES = (100, 200)
LARGE = 1000
TIME = "processor seconds"
"""What methods are compared by: with one thread they are the seconds of a machine that does nothing else."""
OURS, EXACT, TORCH = (f"LSMI-Sinkhorn ({kind})" for kind in ("numpy", "numpy, POT's precision and stopping", "torch"))
PEER = "Gromov-Wasserstein (POT)"
SOLVERS = {
    OURS: LsmiSinkhorn(),
    EXACT: LsmiSinkhorn(dtype="float64", sweeps=1000, tolerance=1e-9),
    TORCH: LsmiSinkhorn(device="cpu"),
}
METHODS: dict[str, Callable[[Problem], object]] = {
    **{name: solver.solve for name, solver in SOLVERS.items()},
    PEER: gromov_plan,
}


def settings(request: Request) -> dict[str, Any]:
    return {
        "n": PAIRS,
        **SOLVERS,
        "without a dtype": "float32 where its rounding cannot be seen in the plan, marginals to 1e-5, otherwise 1e-9",
        PEER: f"squared loss, epsilon {EPSILON}, {ITERATIONS} iterations; POT's defaults: float64, plan to 1e-9,"
        " Sinkhorn from scratch in every iteration, at most 1000 sweeps, marginals to 1e-9",
        "machine": f"{_processor()}, {os.cpu_count()} CPUs, no GPU used, one thread",
    }


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def units(request: Request) -> list[Unit]:
    return request.seed_units(n_x=QUICK_SIZES if request.quick else SIZES, method=METHODS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    method, problem = str(unit["method"]), points(int(unit["n_x"]), int(unit["seed"]))
    _warm_up(method)
    busy, clock, processor = _load(), time.perf_counter(), time.process_time()
    with threadpool_limits(1):
        METHODS[method](problem)
    seconds, processor = time.perf_counter() - clock, time.process_time() - processor
    return [{"seconds": seconds, TIME: processor, "load before": busy, "load after": _load()}]


def _load() -> Value:
    """Processes that wanted a processor in the last minute, as the system tells it; it does not on every system."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else "unknown"


@cache
def _warm_up(method: str) -> None:
    """What is imported and compiled on first use is not the method's time."""
    METHODS[method](points(20, 0))


def ratios(rows: Sequence[Row], ours: str) -> dict[int, float]:
    """How many times longer Gromov-Wasserstein takes, at each size that both were timed on."""
    sizes = sorted({int(row["n_x"]) for row in rows})
    found = {n: average(rows, TIME, method=PEER, n_x=n) / average(rows, TIME, method=ours, n_x=n) for n in sizes}
    return {n: ratio for n, ratio in found.items() if ratio == ratio}


def slope(rows: Sequence[Row], method: str) -> float:
    """The power of n that the time grows with, from LARGE on; nan where fewer than two sizes were timed."""
    timed = [row for row in agreeing(rows, {"method": method}) if int(row["n_x"]) >= LARGE and numbers([row], TIME)]
    if len({row["n_x"] for row in timed}) < 2:
        return float("nan")
    return float(np.polyfit(np.log(numbers(timed, "n_x")), np.log(numbers(timed, TIME)), 1)[0])


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for ours in SOLVERS:
        if times := ratios(rows, ours):
            below = [str(n) for n, ratio in times.items() if ratio <= 10]
            measured = ", ".join(f"{ratio:.1f} times at {n}" for n, ratio in times.items())
            measured += f"; not more than 10 at {', '.join(below)}" if below else "; more than 10 at every size"
            measured += f"; from 1000 on ours takes as n^{slope(rows, ours):.2f}, theirs as n^{slope(rows, PEER):.2f}"
            text = f"{ours}: more than 10 times faster than Gromov-Wasserstein at the largest size both were timed on"
            statement = "an order of magnitude faster" if ours != TORCH else ""
            found.append(Claim(text, measured, list(times.values())[-1] > 10, statement))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    axes = figure.subplots()
    for method in METHODS:
        curve(axes, agreeing(rows, {"method": method}), TIME, "n_x", method)
    axes.set(xlabel="unpaired samples n_x = n_y", ylabel=TIME, xscale="log", yscale="log")
    axes.grid(alpha=0.3, which="both")
    axes.legend()


def _sorted(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (int(row["n_x"]), list(METHODS).index(str(row["method"]))))


EXPERIMENTS = [
    Experiment(
        name="runtime",
        what="Run time against Gromov-Wasserstein, n = 100 pairs, n_x = n_y from 100 to 7,000 (the paper's Fig. 2).",
        takes="20 minutes, most of it Gromov-Wasserstein",
        needs="nothing",
        seeds=1,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Seconds", ["n_x", "method"], [TIME, "seconds", "load before", "load after"], derived=_sorted)],
    )
]
