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
from album_app.experiments.drawing import curve
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, agreeing, average, numbers, spread
from album_app.solver import LsmiSinkhorn, Problem
from album_app.solver.selection import BETAS, LAMBDAS, select

UNPAIRED = 500
BASIS = 500
PAIRS = tuple(range(10, 101, 10))
QUICK_PAIRS = (10, 100)
REACHED = {
    10: {"top1": 0.25, "top2": 0.36, "class": 0.80, "top1_rounded": 0.30},
    50: {"top1": 0.54, "top2": 0.70, "class": 0.95, "top1_rounded": 0.73},
    100: {"top1": 0.61, "top2": 0.78, "class": 0.97, "top1_rounded": 0.79},
}
"""What the authors' code reaches on the authors' features, by n: means of two seeds."""
AUTHORS, SHARPER, SELECTED = "authors' settings", "sharper", "selected"
SOLVERS = {
    AUTHORS: LsmiSinkhorn(basis=BASIS, epsilon=0.3, lam=1e-3),
    SHARPER: LsmiSinkhorn(basis=BASIS, epsilon=0.1, lam=1e-4),
}
"""What the authors' code is run with, and a less blurred plan, whose largest entry says more.

The third method, `SELECTED`, is the first with lambda and beta cross-validated, as the paper has it.
"""
METHODS = (*SOLVERS, SELECTED)
SCORES = ("top1", "top2", "class", "top1_rounded", "class_rounded")

Halves = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]  # x (N, d), y (N, d), labels (N,)


def sources(request: Request) -> list[str]:
    """The data sets that can be had for this request."""
    given = [name for name, key in (("cifar10", "cifar10"), ("authors", "features")) if key in request.data]
    return [*given, "digits"]


def settings(request: Request) -> dict[str, Any]:
    solvers = {f"“{name}”": solver for name, solver in SOLVERS.items()}
    selected = f"{SOLVERS[AUTHORS]}, but lambda of {LAMBDAS} and beta of {BETAS} cross-validated, 5 folds"
    return {"n_x = n_y": UNPAIRED, **solvers, f"“{SELECTED}”, at n = {', '.join(map(str, REACHED))}": selected}


def units(request: Request) -> list[Unit]:
    data = sources(request)
    fixed = request.seed_units(data=data, solver=SOLVERS, n=QUICK_PAIRS if request.quick else PAIRS)
    return fixed + request.seed_units(data=data, solver=[SELECTED], n=QUICK_PAIRS[-1:] if request.quick else REACHED)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    x, y, labels = _halves(str(unit["data"]), request.data.get(_file(str(unit["data"]))))
    name, seed = str(unit["solver"]), int(unit["seed"])
    problem, right, kinds = hidden_pairing(x, y, labels, int(unit["n"]), seed)
    solver = replace(SOLVERS.get(name, SOLVERS[AUTHORS]), seed=seed)
    chosen: Row = {}
    if name == SELECTED:
        solver = select(problem, solver).solver
        chosen = {"beta": solver.beta, "lambda": solver.lam}
    return [{**matched(np.asarray(solver.solve(problem).plan), right, kinds), **chosen}]


def hidden_pairing(
    x: NDArray[Any], y: NDArray[Any], labels: NDArray[np.int64], n: int, seed: int
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """A problem with n pairs and 500 more samples whose pairing is hidden; which x each y' is of, and their classes."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(x))[: n + UNPAIRED]
    pairs, hidden = chosen[:n], chosen[n:]
    shuffle = rng.permutation(UNPAIRED)
    return Problem(x[pairs], y[pairs], x[hidden], y[hidden][shuffle]), shuffle, labels[hidden]


def matched(plan: NDArray[Any], right: NDArray[np.int64], kinds: NDArray[np.int64]) -> Row:
    """What a plan (500, 500) brought back: by its largest entries, and by its one-to-one rounding."""
    from scipy.optimize import linear_sum_assignment

    best = right[np.argsort(-plan, axis=1)[:, :2]]  # (500, 2), which hidden sample each row takes for its own
    rounded = right[linear_sum_assignment(-np.log(np.maximum(plan, np.finfo(plan.dtype).tiny)))[1]]
    own = np.arange(UNPAIRED)
    return {
        "top1": float(np.mean(best[:, 0] == own)),
        "top2": float(np.mean((best == own[:, None]).any(1))),
        "class": float(np.mean(kinds[best[:, 0]] == kinds)),
        "top1_rounded": float(np.mean(rounded == own)),
        "class_rounded": float(np.mean(kinds[rounded] == kinds)),
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
        for solver in SOLVERS:
            few, many = (average(rows, "class", data=source, solver=solver, n=n) for n in (10, 100))
            text = f"{source}, {solver}: more pairs match better"
            found.append(Claim(text, f"class {few:.2f} to {many:.2f}", many > few))
    if any(row["data"] == "authors" for row in rows):
        found += [_against_the_authors(rows, n, solver) for n in REACHED for solver in METHODS]
    return found


def _against_the_authors(rows: Sequence[Row], n: int, solver: str) -> Claim:
    """Whether our means reach the authors' in every score."""
    here = agreeing(rows, {"data": "authors", "solver": solver, "n": n})
    short = [score for score, reached in REACHED[n].items() if not average(here, score) >= reached]
    theirs = ", ".join(f"{score} {reached}" for score, reached in REACHED[n].items())
    ours = ", ".join(f"{score} {spread(numbers(here, score))}" for score in REACHED[n])
    text = f"authors' features, n = {n}, {solver}: at least {theirs} (the authors' code, 2 seeds)"
    return Claim(text, ours + (f"; short in {', '.join(short)}" if short else ""), not short)


def _sorted(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (str(row["data"]), int(row["n"]), METHODS.index(str(row["solver"]))))


def plot(rows: Sequence[Row], figure: Any) -> None:
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    shown = ("top1", "top1_rounded", "class")
    grid = figure.subplots(len(shown), len(names), sharex=True, sharey="row", squeeze=False)
    for (score, name), axes in zip(product(shown, names), grid.flat, strict=True):
        for solver in METHODS:
            here = agreeing(rows, {"data": name, "solver": solver})
            curve(axes, here, score, "n", solver, linestyle="--" if solver == SELECTED else "-")
        if name == "authors":
            axes.plot(list(REACHED), [at[score] for at in REACHED.values()], "kx", label="authors' code")
        axes.grid(alpha=0.3)
    for axes, name in zip(grid[0], names, strict=True):
        axes.set_title(name)
    for axes, score in zip(grid[:, 0], shown, strict=True):
        axes.set_ylabel(score)
    figure.supxlabel("pairs n")
    handles = {
        label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4)


EXPERIMENTS = [
    Experiment(
        name="matching",
        what="Deep image matching: features split in two are matched again with 10..100 pairs (the paper's Fig. 7).",
        takes="5 minutes per data set",
        needs="scikit-learn's digits; better with --cifar10 and --features",
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Share of correct matches", ["data", "n", "solver"], SCORES, {"n": tuple(REACHED)}, _sorted)],
    )
]
