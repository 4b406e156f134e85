"""Run time of LSMI-Sinkhorn against entropic Gromov-Wasserstein (POT), on two 2-D random measures."""

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import log
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from album_app.baselines.dependence import GROMOV_EPSILON, GROMOV_ITERATIONS, gromov_plan
from album_app.research.experiments import study
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit, Value, Verdict
from album_app.research.experiments.synthetic_data import RUN_TIME_PAIRS, points
from album_app.solver import LsmiSinkhorn, Problem

RUNS_OF_SIZES = {100: 10, 200: 10, 500: 10, 1000: 10, 2000: 3, 4000: 3, 7000: 3}
"""Seeds of each size, at most. Gromov-Wasserstein takes two minutes at 4,000 samples, ten at 7,000, and would take half
an hour at 10,000, the largest size of the paper."""
QUICK_SIZES = (100, 200)
LARGE = 1000
TIME = "processor seconds"
"""The measure by which methods are compared: on one thread it equals the time on an otherwise idle machine."""
OURS, EXACT, TORCH = (f"LSMI-Sinkhorn ({kind})" for kind in ("numpy", "numpy, POT's precision and stopping", "torch"))
PEER = "Gromov-Wasserstein (POT)"
CASES = {OURS: "as shipped", EXACT: "at POT's precision and stopping", TORCH: "as shipped, torch"}
"""The names of our methods in claims."""
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
        "n": RUN_TIME_PAIRS,
        **SOLVERS,
        "without a dtype": "float32 where its rounding cannot be seen in the plan, marginals to 1e-5, otherwise 1e-9",
        PEER: f"squared loss, epsilon {GROMOV_EPSILON}, {GROMOV_ITERATIONS} iterations; POT's defaults: float64,"
        " plan to 1e-9, Sinkhorn from scratch in every iteration, at most 1000 sweeps, marginals to 1e-9",
        "machine": f"{_processor()}, {os.cpu_count()} CPUs, no GPU used, one thread",
    }


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def units(request: Request) -> list[Unit]:
    if request.quick:
        return request.seed_units(n_x=QUICK_SIZES, method=METHODS)
    timed = ((size, replace(request, seeds=min(request.seeds, runs))) for size, runs in RUNS_OF_SIZES.items())
    return [unit for size, few in timed for unit in few.seed_units(n_x=[size], method=METHODS)]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    method, problem = str(unit["method"]), points(int(unit["n_x"]), int(unit["seed"]))
    _warm_up(method)
    busy, clock, processor = _load(), time.perf_counter(), time.process_time()
    with threadpool_limits(1):
        METHODS[method](problem)
    seconds, processor = time.perf_counter() - clock, time.process_time() - processor
    return [{"seconds": seconds, TIME: processor, "load before": busy, "load after": _load()}]


def _load() -> Value:
    """The load of the last minute, where the system reports it."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else "unknown"


@cache
def _warm_up(method: str) -> None:
    """Run each method once, so that imports and compilation are not timed."""
    METHODS[method](points(20, 0))


def ratios(rows: Sequence[Row], ours: str) -> dict[int, list[float]]:
    """How many times longer Gromov-Wasserstein takes, in each run of each size that both were timed on."""
    found: dict[int, list[float]] = {}
    for n, seed in sorted({(int(row["n_x"]), int(row["seed"])) for row in rows}):
        peer, own = (study.average(rows, TIME, method=method, n_x=n, seed=seed) for method in (PEER, ours))
        if peer / own == peer / own:
            found.setdefault(n, []).append(peer / own)
    return found


def faster(times: Mapping[int, Sequence[float]], n: int) -> Verdict:
    """Whether Gromov-Wasserstein takes more than ten times as long at a size, by the logarithms of the ratios.

    Its time depends on the data, so that a single run is taken to scatter like those of the largest size with several.
    """
    logs = {size: [log(ratio / 10) for ratio in each] for size, each in times.items()}
    several = [each for each in logs.values() if len(each) > 1]
    return study.paired(logs[n]) if len(logs[n]) > 1 else study.of_one_run(logs[n][0], several[-1] if several else [])


def slope(rows: Sequence[Row], method: str) -> float:
    """The power of n that the time grows with, from LARGE on; nan where fewer than two sizes were timed."""
    timed = [
        row
        for row in study.agreeing(rows, {"method": method})
        if int(row["n_x"]) >= LARGE and study.numbers([row], TIME)
    ]
    if len({row["n_x"] for row in timed}) < 2:
        return float("nan")
    return float(np.polyfit(np.log(study.numbers(timed, "n_x")), np.log(study.numbers(timed, TIME)), 1)[0])


def claims(rows: Sequence[Row]) -> list[Claim]:
    return [claim for ours in SOLVERS if (times := ratios(rows, ours)) for claim in _claims(rows, ours, times)]


def _claims(rows: Sequence[Row], ours: str, times: Mapping[int, Sequence[float]]) -> list[Claim]:
    """Claims at every size, as in the paper, and at the largest size, which matters most."""
    statement = "an order of magnitude faster" if ours != TORCH else ""
    text, largest = "LSMI-Sinkhorn is more than 10 times faster than Gromov-Wasserstein", max(times)
    verdicts = {n: faster(times, n) for n in times}
    every = ", ".join(f"{median(each):.1f} times at {n} ({study.word(verdicts[n].holds)})" for n, each in times.items())
    growth = f"from {LARGE} on ours takes as n^{slope(rows, ours):.2f}, theirs as n^{slope(rows, PEER):.2f}"
    there = f"{median(times[largest]):.1f} times, {study.p_text(verdicts[largest].p_value)}; {growth}"
    return [
        Claim(text, every, study.best_of(list(verdicts.values())), statement, case=CASES[ours], scope="every size"),
        Claim(text, there, verdicts[largest].holds, statement, case=CASES[ours], scope=f"n_x = {largest}"),
    ]


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """How many times as long Gromov-Wasserstein takes, and the powers of n."""
    exact, shipped = ratios(rows, EXACT), ratios(rows, OURS)
    seconds = study.numbers(study.agreeing(rows, {"method": PEER, "n_x": LARGE}), TIME) or [float("nan")]
    cases = {f"{n:,} ({median(each):.1f} times)": faster(exact, n).holds for n, each in exact.items()}
    slopes = {
        f"slope_{key}": f"{slope(rows, name):.2f}" for key, name in (("exact", EXACT), ("ours", OURS), ("peer", PEER))
    }
    return {
        **slopes,
        "largest": f"{max(exact):,}",
        "exact": study.sorted_out(cases, "more at", "a tie at", "less at"),
        "shipped_last": f"{median(shipped[max(exact)]):.1f}",
        "peer_range": f"{min(seconds):.1f} to {max(seconds):.1f}",
    }


def plot(rows: Sequence[Row], figure: Any) -> None:
    axes = figure.subplots()
    for method in METHODS:
        study.curve(axes, study.agreeing(rows, {"method": method}), TIME, "n_x", method)
    axes.set(xlabel="unpaired samples n_x = n_y", ylabel=TIME, xscale="log", yscale="log")
    axes.grid(alpha=0.3, which="both")
    axes.legend()


def _sorted(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (int(row["n_x"]), list(METHODS).index(str(row["method"]))))


EXPERIMENTS = [
    Experiment(
        name="runtime",
        what="Run time against Gromov-Wasserstein, n = 100 pairs, n_x = n_y from 100 to 7,000 (the paper's Fig. 2).",
        takes="75 minutes, most of it Gromov-Wasserstein at the largest sizes",
        needs="nothing",
        settings=settings,
        quoted=quoted,
        seeds=10,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Seconds", ["n_x", "method"], [TIME, "seconds", "load before", "load after"], derived=_sorted)],
    )
]
