"""Deep image matching: the two halves of a feature vector are matched again with few pairs to learn from.

Data: ResNet20 features of CIFAR-10, by the shipped weights (`--cifar10`) or from a file (`--features`), split 32 + 32.
STL10, the paper's second set, cannot be had; scikit-learn's digits stand in for it, even pixel rows against odd ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.solver import LsmiSinkhorn, Problem

UNPAIRED = 500
BASIS = 500
PAIRS = tuple(range(10, 101, 10))
QUICK_PAIRS = (10, 100)
REACHED = {"top1": 0.61, "class": 0.97, "top1_rounded": 0.79}
"""What the authors' code reaches on the authors' features with n = 100."""
SOLVERS = {
    "paper": LsmiSinkhorn(basis=BASIS, epsilon=0.3, lam=1e-3),
    "sharper": LsmiSinkhorn(basis=BASIS, epsilon=0.1, lam=1e-4),
}
"""The paper's epsilon, and a smaller one with a smaller lambda: a less blurred plan, whose largest entry says more."""
SCORES = ("top1", "top2", "class", "top1_rounded", "class_rounded")

Halves = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]  # x (N, d), y (N, d), labels (N,)


def sources(request: Request) -> list[str]:
    """The data sets that can be had for this request."""
    given = [name for name, key in (("cifar10", "cifar10"), ("authors", "features")) if key in request.data]
    return [*given, "digits"]


def settings(request: Request) -> dict[str, Any]:
    solvers = {f"settings “{name}”": solver for name, solver in SOLVERS.items()}
    return {"n_x = n_y": UNPAIRED, **solvers, "data": sources(request)}


def units(request: Request) -> list[Unit]:
    return request.seed_units(data=sources(request), solver=SOLVERS, n=QUICK_PAIRS if request.quick else PAIRS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    x, y, labels = _halves(str(unit["data"]), request.data.get(_file(str(unit["data"]))))
    solver = replace(SOLVERS[str(unit["solver"])], seed=int(unit["seed"]))
    return [match(x, y, labels, int(unit["n"]), solver)]


def match(x: NDArray[Any], y: NDArray[Any], labels: NDArray[np.int64], n: int, solver: LsmiSinkhorn) -> Row:
    """Hide the pairing of 500 samples, keep n pairs, match, and count what came back right."""
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(solver.seed)
    chosen = rng.permutation(len(x))[: n + UNPAIRED]
    pairs, hidden = chosen[:n], chosen[n:]
    shuffle = rng.permutation(UNPAIRED)
    problem = Problem(x[pairs], y[pairs], x[hidden], y[hidden][shuffle])
    plan = np.asarray(solver.solve(problem).plan)
    best = shuffle[np.argsort(-plan, axis=1)[:, :2]]  # (500, 2), which hidden sample each row takes for its own
    rounded = shuffle[linear_sum_assignment(-np.log(np.maximum(plan, np.finfo(plan.dtype).tiny)))[1]]
    own, kind = np.arange(UNPAIRED), labels[hidden]
    return {
        "top1": float(np.mean(best[:, 0] == own)),
        "top2": float(np.mean((best == own[:, None]).any(1))),
        "class": float(np.mean(kind[best[:, 0]] == kind)),
        "top1_rounded": float(np.mean(rounded == own)),
        "class_rounded": float(np.mean(kind[rounded] == kind)),
    }


def _file(source: str) -> str:
    return {"authors": "features"}.get(source, source)


@cache
def _halves(source: str, path: Path | None) -> Halves:
    if source == "digits":
        from sklearn.datasets import load_digits

        digits = load_digits()
        even, odd = digits.images[:, ::2] / 16, digits.images[:, 1::2] / 16
        return even.reshape(-1, 32), odd.reshape(-1, 32), digits.target
    assert path is not None
    features, labels = features_file(path) if source == "authors" else _cifar10(path)
    return features[:, :32], features[:, 32:], labels


def features_file(path: Path) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Features (N, 64) and labels (N,) from an .npz file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return file["feats"], file["labels"]
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{path} is not an .npz file with `feats` and `labels`") from error


def _cifar10(path: Path) -> tuple[NDArray[Any], NDArray[np.int64]]:
    from album_app.experiments.cifar10 import test_features, test_images

    return test_features(path), test_images(path).labels


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for source in dict.fromkeys(str(row["data"]) for row in rows):
        few, many = (average(rows, "class", data=source, solver="sharper", n=n) for n in (10, 100))
        found.append(Claim(f"{source}: more pairs match better", f"class {few:.2f} to {many:.2f}", many > few))
    if any(row["data"] == "authors" for row in rows):
        for solver, (score, reached) in product(SOLVERS, REACHED.items()):
            ours = average(rows, score, data="authors", solver=solver, n=100)
            text = f"authors' features, n = 100, {solver}: {score} at least {reached}, as the authors' code"
            found.append(Claim(text, f"{ours:.3f}", ours >= reached))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    for axes, name in zip(np.atleast_1d(figure.subplots(1, len(names), sharey=True)), names, strict=True):
        here = sorted({int(row["n"]) for row in rows if row["data"] == name})
        for score in SCORES:
            axes.plot(
                here, [average(rows, score, data=name, solver="sharper", n=n) for n in here], marker="o", label=score
            )
        axes.set(title=f"{name}, sharper", xlabel="pairs n", ylim=(0, 1))
        axes.grid(alpha=0.3)
    axes.legend(loc="lower right")


EXPERIMENTS = [
    Experiment(
        name="matching",
        what="Deep image matching: features split in two are matched again with 10..100 pairs (the paper's Fig. 7).",
        takes="2 minutes per data set",
        needs="scikit-learn's digits; better with --cifar10 and --features",
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Share of correct matches", ["data", "solver", "n"], SCORES)],
    )
]
