"""Deep image matching: the two halves of a feature vector are matched again with few pairs to learn from.

Data: ResNet20 features of CIFAR-10, by the shipped weights (`--cifar10`) or from a file (`--features`), split 32 + 32.
STL10, the paper's second set, cannot be had; scikit-learn's digits stand in for it, even pixel rows against odd ones.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.research.experiments import study
from album_app.research.experiments.figures.estimators import validation
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import MATCHING, LsmiSinkhorn, Problem, Selection, select

UNPAIRED = 500
BASIS = 500
PAIRS = tuple(range(10, 101, 10))
QUICK_PAIRS = (10, 100)
REACHED = {
    10: {"top1": (0.25, 2), "top2": (0.36, 2), "class": (0.80, 2), "top1_rounded": (0.26, 16)},
    50: {"top1": (0.542, 16), "top2": (0.70, 2), "class": (0.95, 2), "top1_rounded": (0.708, 16)},
    100: {"top1": (0.61, 2), "top2": (0.78, 2), "class": (0.97, 2), "top1_rounded": (0.79, 2)},
}
"""Results of the authors' code on the authors' features by n: means, and their number of seeds."""
AUTHORS, SHARPER, SELECTED = "authors' settings", "sharper", "selected"
RANKED, RANKED_ROOTS = "selected by rank", "selected by rank, square roots"
BY_RANK = {RANKED: (False,), RANKED_ROOTS: (False, True)}
"""Settings chosen by the rank of held-out partners in the plan, and the transforms of the features among them.

The candidates were settled on seeds from 100 on; the runs shown are those before.
"""
BAGGED, BASES = "selected by rank, square roots, five bases", 5
"""RANKED_ROOTS with the mean of the logarithms of the transport plans of this number of bases."""
SOLVERS = {
    AUTHORS: LsmiSinkhorn(basis=BASIS, epsilon=0.3, lam=1e-3),
    SHARPER: LsmiSinkhorn(basis=BASIS, epsilon=0.1, lam=1e-4),
}
"""The settings of the authors' code, and others whose plan is less blurred, so that its largest entry says more.

`SELECTED` is the first with lambda and beta cross-validated, as the paper has it.
"""
METHODS = (*SOLVERS, SELECTED, *BY_RANK, BAGGED)
"""The last is compared with one basis, the others with the authors' code."""
SCORES = ("top1", "top2", "class", "top1_rounded", "class_rounded")
SHOWN = ("top1", "top2", "top1_rounded", "class")
SHORT = (".3f", ".3f")

Halves = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]  # x (N, d), y (N, d), labels (N,)


def sources(request: Request) -> list[str]:
    """The data sets that this request gives."""
    given = [name for name, key in (("cifar10", "cifar10"), ("authors", "features")) if key in request.data]
    return [*given, "digits"]


def settings(request: Request) -> dict[str, Any]:
    solvers = {f"“{name}”": solver for name, solver in SOLVERS.items()}
    tried = "lambda of {lams} and beta of {betas} cross-validated, {folds} folds".format(**validation(request))
    selected = f"{SOLVERS[AUTHORS]}, but {tried}"
    ranked = f"{SOLVERS[AUTHORS]}, but {MATCHING}, 5 folds; with square roots: of the features, or not"
    at = f"at n = {', '.join(map(str, REACHED))}"
    by_rank = {f"“{RANKED}”, {at}": ranked, f"“{BAGGED}”, {at}": f"the mean log plan of {BASES} seeds of the basis"}
    return {"n_x = n_y": UNPAIRED, **solvers, f"“{SELECTED}”, {at}": selected, **by_rank}


def units(request: Request) -> list[Unit]:
    data = sources(request)
    fixed = request.seed_units(data=data, solver=SOLVERS, n=QUICK_PAIRS if request.quick else PAIRS)
    chosen = request.seed_units(data=data, solver=[SELECTED], n=QUICK_PAIRS[-1:] if request.quick else REACHED)
    if request.quick:
        return fixed + chosen
    ranked = request.seed_units(data=data, n=REACHED, solver=[*BY_RANK, BAGGED])
    return fixed + chosen + [{key: unit[key] for key in fixed[0]} for unit in ranked]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    data, name, n, seed = str(unit["data"]), str(unit["solver"]), int(unit["n"]), int(unit["seed"])
    path = request.data.get(_file(data))
    x, y, labels = _halves(data, path)
    problem, right, kinds = hidden_pairing(x, y, labels, n, seed)
    solver = replace(SOLVERS.get(name, SOLVERS[AUTHORS]), seed=seed)
    chosen: Row = {}
    if name == SELECTED:
        solver = select(problem, solver, **validation(request)).solver
        chosen = {"beta": solver.beta, "lambda": solver.lam}
    if roots := BY_RANK.get(RANKED_ROOTS if name == BAGGED else name):
        solver = _by_rank(data, path, n, seed).among(lambda each: each.roots in roots, "rank").solver
        chosen = {"beta": solver.beta, "lambda": solver.lam, "width": solver.width, "roots": int(solver.roots)}
    plans = [replace(solver, seed=seed + k).solve(problem).plan for k in range(BASES if name == BAGGED else 1)]
    return [{**matched(plans, right, kinds), **chosen}]


@lru_cache(maxsize=1)
def _by_rank(data: str, path: Path | None, n: int, seed: int) -> Selection:
    """All candidates are solved once; both selections by rank choose among them."""
    problem = hidden_pairing(*_halves(data, path), n, seed)[0]
    solver = replace(SOLVERS[AUTHORS], seed=seed)
    return select(problem, solver, roots=BY_RANK[RANKED_ROOTS], **MATCHING)


def hidden_pairing(
    x: NDArray[Any], y: NDArray[Any], labels: NDArray[np.int64], n: int, seed: int
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """A problem with n pairs and 500 more samples whose pairing is hidden; which x each y' is of, and their classes."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(x))[: n + UNPAIRED]
    pairs, hidden = chosen[:n], chosen[n:]
    shuffle = rng.permutation(UNPAIRED)
    return Problem(x[pairs], y[pairs], x[hidden], y[hidden][shuffle]), shuffle, labels[hidden]


def matched(plans: Sequence[NDArray[Any]], right: NDArray[np.int64], kinds: NDArray[np.int64]) -> Row:
    """What plans (500, 500) brought back by the mean of their logarithms: its largest entries, and rounded."""
    from scipy.optimize import linear_sum_assignment

    cost = -np.mean([np.log(np.maximum(plan, np.finfo(np.float64).tiny)) for plan in plans], axis=0)
    best = right[np.argsort(cost, axis=1)[:, :2]]  # (500, 2), what each row takes for its own
    rounded = right[linear_sum_assignment(cost)[1]]
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
    from album_app.research.experiments.albums import test_features, test_images

    return test_features(path), test_images(path).labels


NAMES = {"authors": "authors' features", "cifar10": "our features", "digits": "digits"}
"""The names of the data in claims."""


def _few_tens(source: str, rows: Sequence[Row]) -> Claim:
    here = study.agreeing(rows, {"data": source, "solver": SELECTED, "n": 50})
    verdict = study.above(here, "class", 0.9)
    kind, partner = (study.average(here, column) for column in ("class", "top1_rounded"))
    measured = f"class {kind:.2f}, the partner itself {partner:.2f}; class above by {verdict}"
    statement = "high accuracy with a few tens of pairs"
    return Claim(
        "nine classes of ten right with 50 pairs", measured, verdict.holds, statement, case=f"{NAMES[source]}, selected"
    )


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for source in dict.fromkeys(str(row["data"]) for row in rows):
        for solver in SOLVERS:
            here = [{**row, "pairs": str(row["n"])} for row in study.agreeing(rows, {"data": source, "solver": solver})]
            few, many = (study.average(here, "class", n=n) for n in (10, 100))
            gain = study.lower_by_seed(here, "class", "10", "100", by="pairs")
            measured = f"class {few:.2f} to {many:.2f}: {gain}"
            found.append(Claim("more pairs match better", measured, gain.holds, case=f"{source}, {solver}"))
    found += [_few_tens(source, rows) for source in NAMES if study.agreeing(rows, {"data": source, "solver": SELECTED})]
    for source, n in product(dict.fromkeys(str(row["data"]) for row in rows), REACHED):
        if here := study.agreeing(rows, {"data": source, "n": n, "solver": (RANKED_ROOTS, BAGGED)}):
            found.append(_more_bases(source, n, here))
    for n, solver in product(REACHED, METHODS[:-1]):
        here = study.agreeing(rows, {"data": "authors", "solver": solver, "n": n})
        found += [_against_the_authors(here, n, solver, score) for score in SHOWN if here]
    return found


MORE_BASES = "five bases bring back more partners than one"


def _more_bases(source: str, n: int, rows: Sequence[Row]) -> Claim:
    one, several = (study.average(rows, "top1_rounded", solver=solver) for solver in (RANKED_ROOTS, BAGGED))
    verdict = study.lower_by_seed(rows, "top1_rounded", RANKED_ROOTS, BAGGED, by="solver")
    case = f"{source}, n = {n}, selected by rank, square roots"
    return Claim(MORE_BASES, f"{one:.3f} to {several:.3f}: {verdict}", verdict.holds, case=case)


def _against_the_authors(rows: Sequence[Row], n: int, solver: str, score: str) -> Claim:
    """Whether our mean is above the authors' by more than runs differ."""
    values, (reached, runs) = study.numbers(rows, score), REACHED[n][score]
    verdict = study.against_a_mean(values, fmean(values) - reached, runs)
    text, case = f"{score} above the authors' code", f"authors' features, n = {n}, {solver}"
    measured = f"{study.spread(values, SHORT)} ({len(values)} seeds), the authors' {reached} ({runs} seeds): {verdict}"
    return Claim(text, measured, verdict.holds, case=case)


def _sorted(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (str(row["data"]), int(row["n"]), METHODS.index(str(row["solver"]))))


def plot(rows: Sequence[Row], figure: Any) -> None:
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    grid = figure.subplots(len(SHOWN), len(names), sharex=True, sharey="row", squeeze=False)
    for (score, name), axes in zip(product(SHOWN, names), grid.flat, strict=True):
        for solver in METHODS:
            if here := study.agreeing(rows, {"data": name, "solver": solver}):
                study.curve(axes, here, score, "n", solver, linestyle="-" if solver in SOLVERS else "--")
        if name == "authors":
            axes.plot(list(REACHED), [at[score][0] for at in REACHED.values()], "kx", label="authors' code")
        axes.grid(alpha=0.3)
    for axes, name in zip(grid[0], names, strict=True):
        axes.set_title(name)
    for axes, score in zip(grid[:, 0], SHOWN, strict=True):
        axes.set_ylabel(score)
    figure.supxlabel("pairs n")
    handles = {
        label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """The shares of partners brought back, rounded one-to-one, by data, method and n; and how widely they scatter."""
    who = {"protocol": SELECTED, "rank": RANKED, "roots": RANKED_ROOTS, "bagged": BAGGED}
    found = {}
    for data, (key, solver), n in product(("cifar10", "authors", "digits"), who.items(), REACHED):
        here = study.numbers(study.agreeing(rows, {"data": data, "solver": solver, "n": n}), "top1_rounded") or [
            float("nan")
        ]
        found[f"{data}_{key}_{n}"] = f"{100 * fmean(here):.0f}"
        found[f"{data}_{key}_{n}_range"] = f"{100 * min(here):.0f} to {100 * max(here):.0f}"
    for data in NAMES:
        found[f"{data}_class"] = f"{100 * study.average(rows, 'class', data=data, solver=SELECTED, n=50):.0f}"
    reached = {f"code_{n}": f"{100 * scores['top1_rounded'][0]:.0f}" for n, scores in REACHED.items()}
    held = {
        f"{source} with n = {n}": _more_bases(source, n, both).holds
        for source, n in product(dict.fromkeys(str(row["data"]) for row in rows), REACHED)
        if (both := study.agreeing(rows, {"data": source, "n": n, "solver": (RANKED_ROOTS, BAGGED)}))
    }
    more = study.sorted_out(held, "more than one basis on", "a tie on", "fewer on")
    return {**found, **reached, "more_bases": more, "runs": str(len({row["seed"] for row in rows}))}


EXPERIMENTS = [
    Experiment(
        name="matching",
        what="Deep image matching: features split in two are matched again with 10..100 pairs (the paper's Fig. 7).",
        takes="5 minutes per data set",
        needs="scikit-learn's digits; better with --cifar10 and --features",
        seeds=8,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[
            study.side_by_side(
                "Share of partners brought back, rounded", ["data", "solver"], "top1_rounded", REACHED, _sorted
            ),
            Table("Share of correct matches", ["data", "n", "solver"], SCORES, {"n": tuple(REACHED)}, _sorted),
        ],
    )
]
