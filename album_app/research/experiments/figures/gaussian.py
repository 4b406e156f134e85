"""SMI against a known truth: jointly Gaussian x and y, whose SMI is known in closed form, and the bias of ours.

With d independent pairs of features, each of correlation rho, p(x, y) / p(x) p(y) is a product of d ratios, the mean of
its square over p(x) p(y) is (1 - rho^2)^-d, and SMI = ((1 - rho^2)^-d - 1) / 2.
"""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.baselines import Estimate, gromov_plan
from album_app.baselines.dependence import Matrix
from album_app.research.experiments import study
from album_app.research.experiments.figures import estimators
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, Problem, TensorSinkhorn, select
from album_app.solver.inference import lower_bound

DIMENSIONS, CORRELATIONS, PAIRS = (1, 2), (0.0, 0.5, 0.8, 0.95), (10, 50, 200, 1000)
QUICK = ((1,), (0.0, 0.8), (50,))
UNPAIRED = 300
FULL_PAIRS, QUICK_FULL_PAIRS = 10_000, 1000
FAR = 3.0
"""A truth that is this many times higher than the curves of a panel is not drawn, only written in its title."""
SCOPES = {"n = 10": (10,), "n >= 50": PAIRS[1:]}


def true_smi(dimension: int, rho: float) -> float:
    """The SMI of x and y in closed form."""
    return 0.5 * ((1.0 - rho**2) ** -dimension - 1.0)


def gaussian_pairs(dimension: int, rho: float, count: int, seed: int) -> tuple[Matrix, Matrix]:
    """Pairs (count, d) whose features have correlation rho, one by one."""
    rng = np.random.default_rng([seed, dimension, round(1000 * rho)])
    x, noise = rng.standard_normal((2, count, dimension))
    return x, rho * x + np.sqrt(1.0 - rho**2) * noise


def _of(name: str) -> tuple[int, float]:
    dimension, rho = name.split()
    return int(dimension), float(rho)


def problem_of(name: str, n: int, seed: int) -> Problem:
    """n pairs, and unpaired samples of other pairs each."""
    x, y = gaussian_pairs(*_of(name), 2 * UNPAIRED + n, seed)
    rest = 2 * UNPAIRED
    return Problem(x[rest:], y[rest:], x[:UNPAIRED], y[UNPAIRED:rest])


@cache
def _full(pairs: int, name: str, yardstick: str) -> Estimate:
    return estimators.full_by(yardstick, *gaussian_pairs(*_of(name), pairs, 1_000_000))


@lru_cache(maxsize=1)
def _gromov(name: str, n: int, seed: int) -> NDArray[Any]:
    return gromov_plan(problem_of(name, n, seed))


def settings(request: Request) -> dict[str, Any]:
    return {
        "data": f"jointly Gaussian, d features of correlation rho each, n_x = n_y = {UNPAIRED} of other pairs",
        "truth": "((1 - rho^2)^-d - 1) / 2",
        "pairs of LSMI (full)": f"{QUICK_FULL_PAIRS if request.quick else FULL_PAIRS} others",
        **estimators.method_settings(request),
    }


def units(request: Request) -> list[Unit]:
    dimensions, correlations, pairs = QUICK if request.quick else (DIMENSIONS, CORRELATIONS, PAIRS)
    cases = request.seed_units(d=dimensions, rho=correlations, n=pairs)
    return [{key: unit[key] for key in ("d", "rho", "n", "method", "seed")} for unit in estimators.with_methods(cases)]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    dimension, rho = int(unit["d"]), float(unit["rho"])
    full = partial(_full, QUICK_FULL_PAIRS if request.quick else FULL_PAIRS)
    case = estimators.Case(f"{dimension} {rho}", int(unit["n"]), int(unit["seed"]), problem_of, full, _gromov)
    truth = true_smi(dimension, rho)
    found = estimators.measure(case, str(unit["method"]), request)
    bias = float(found["smi"]) - truth
    return [{**found, "truth": truth, "bias": bias, "error": abs(bias)}]


def claims(rows: Sequence[Row]) -> list[Claim]:
    dependent = [{**row, "share": float(row["error"]) / float(row["truth"])} for row in rows if float(row["rho"]) > 0.0]
    found = [_yardstick(row) for row in _once(study.agreeing(dependent, {"method": tuple(estimators.YARDSTICKS)}))]
    for scope, pairs in SCOPES.items():
        for dimension in DIMENSIONS:
            here = study.agreeing(dependent, {"d": dimension, "n": tuple(pairs)})
            if here:
                found.append(_nearest(f"d = {dimension}, rho > 0", scope, here))
    return found


def _once(rows: Sequence[Row]) -> list[Row]:
    """One row for the yardstick of each data set, which is equal in every run."""
    return list({(row["d"], row["rho"], row["method"]): row for row in rows}.values())


def _yardstick(row: Row) -> Claim:
    smi, truth = float(row["smi"]), float(row["truth"])
    case = f"d = {row['d']}, rho = {row['rho']}"
    text = f"{row['method']} is within a tenth of the true SMI"
    measured = f"{smi:.3f} of {truth:.3f}, lambda {row['lam']}"
    return Claim(text, measured, abs(smi - truth) <= 0.1 * truth, case=case)


def _nearest(case: str, scope: str, rows: Sequence[Row]) -> Claim:
    peers = {peer: study.lower_by_seed(rows, "share", estimators.OURS, peer) for peer in estimators.PEERS}
    off = {who: f"{study.average(rows, 'share', method=who):.0%}" for who in (estimators.OURS, *peers)}
    nearer = "; ".join(f"{peer} by {off[peer]}, ours nearer by {verdict}" for peer, verdict in peers.items())
    measured = f"{estimators.OURS} off by {off[estimators.OURS]} of the truth; {nearer}"
    text = "LSMI-Sinkhorn is nearer to the true SMI than each of the paper's methods"
    return Claim(text, measured, study.best_of(list(peers.values())), case=case, scope=scope)


def plot(rows: Sequence[Row], figure: Any) -> None:
    places = list(dict.fromkeys((row["d"], row["rho"]) for row in rows))
    pairs = sorted({int(row["n"]) for row in rows})
    figure.set_size_inches(11, 6)
    dimensions = len({dimension for dimension, _ in places})
    for axes, (dimension, rho) in zip(
        np.ravel(figure.subplots(dimensions, len(places) // dimensions, sharex=True)), places, strict=True
    ):
        here = study.agreeing(rows, {"d": dimension, "rho": rho})
        for method, style in estimators.STYLES.items():
            if runs := study.agreeing(here, {"method": method}):
                study.curve(axes, runs, "smi", "n", method, **style)
        truth, top = float(here[0]["truth"]), axes.get_ylim()[1]
        axes.axhline(truth, color="tab:purple", linewidth=1, label="the true SMI")
        axes.set_title(f"d = {dimension}, rho = {rho}: truth {truth:.3g}", fontsize=9)
        axes.set(xscale="log", xlabel="pairs n", ylabel="SMI", ylim=(-0.02 * top, top if truth > FAR * top else None))
        axes.set_xticks(pairs, [str(n) for n in pairs])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=8)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Means by d, rho, n and who."""
    who = {"full": estimators.TRUTH, "ours": estimators.OURS, "gromov": "Gromov-SMI"}
    cases = {(row["d"], row["rho"], row["n"]): float(row["truth"]) for row in rows}
    found = {}
    for d, rho, n in cases:
        place = f"d{d}_rho{round(100 * float(rho))}"
        for key, method in who.items():
            found[f"{key}_{place}_n{n}"] = f"{study.average(rows, 'smi', d=d, rho=rho, n=n, method=method):.2f}"
        found[f"truth_{place}"] = f"{cases[d, rho, n]:.3g}"
    return found


BIAS_CORRELATIONS, BIAS_PAIRS = (0.0, 0.5, 0.8), (10, 50, 200)
QUICK_BIAS = ((0.0, 0.8), (10,))
DEFAULT, SELECTED, TENSOR = "default", "selected", "tensor"
BOUND, SELECTED_BOUND = "bound", "bound, selected"
ESTIMATORS = (DEFAULT, SELECTED, TENSOR, BOUND, SELECTED_BOUND)
SELECTABLE = LsmiSinkhorn(epsilon=estimators.EPSILON)
"""The solver whose lam and beta are selected by cross-validation."""
TENSOR_SOLVER = TensorSinkhorn(width=1.0, epsilon=0.3, lam=1e-2, beta=0.5)
"""Regularised like the paper's model at its default settings; the settings for matching would fit noise."""


def bias_settings(request: Request) -> dict[str, Any]:
    return {
        "data": f"jointly Gaussian, one feature each of correlation rho, n_x = n_y = {UNPAIRED} of other pairs",
        DEFAULT: LsmiSinkhorn(),
        SELECTED: f"{SELECTABLE}, except lam and beta, by {estimators.validation(request)}",
        TENSOR: TENSOR_SOLVER,
        BOUND: "the cross-fitted lower bound, 5 folds, at the default settings, and at the selected ones",
    }


def bias_units(request: Request) -> list[Unit]:
    correlations, pairs = QUICK_BIAS if request.quick else (BIAS_CORRELATIONS, BIAS_PAIRS)
    return request.seed_units(rho=correlations, n=pairs)


def measure_bias(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    rho, seed = float(unit["rho"]), int(unit["seed"])
    problem, truth = problem_of(f"1 {rho}", int(unit["n"]), seed), true_smi(1, rho)
    selected = select(problem, SELECTABLE, **estimators.validation(request)).solver
    found = {
        DEFAULT: LsmiSinkhorn().solve(problem).smi,
        SELECTED: selected.solve(problem).smi,
        TENSOR: TENSOR_SOLVER.solve(problem).smi,
        BOUND: lower_bound(problem, LsmiSinkhorn().solve, seed=seed),
        SELECTED_BOUND: lower_bound(problem, selected.solve, seed=seed),
    }
    return [{"estimator": name, "smi": value, "truth": truth, "bias": value - truth} for name, value in found.items()]


def bias_claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for estimator in ESTIMATORS:
        for rho, n in dict.fromkeys((float(row["rho"]), int(row["n"])) for row in rows):
            here = study.agreeing(rows, {"rho": rho, "n": n, "estimator": estimator})
            verdict = study.paired([-value for value in study.numbers(here, "bias")])
            text, case = "the estimate is below the true SMI on average", f"{estimator}, rho = {rho}"
            measured = f"{study.average(here, 'smi'):.3f} of {true_smi(1, rho):.3f}: {verdict}"
            found.append(Claim(text, measured, verdict.holds, case=case, scope=f"n = {n}"))
    return found


def plot_bias(rows: Sequence[Row], figure: Any) -> None:
    correlations = list(dict.fromkeys(float(row["rho"]) for row in rows))
    pairs = sorted({int(row["n"]) for row in rows})
    figure.set_size_inches(11, 3.6)
    for axes, rho in zip(np.ravel(figure.subplots(1, len(correlations))), correlations, strict=True):
        for place, estimator in enumerate(ESTIMATORS):
            here = [
                study.numbers(study.agreeing(rows, {"rho": rho, "n": n, "estimator": estimator}), "bias") for n in pairs
            ]
            means = [np.mean(each) for each in here]
            errors = [np.std(each) / np.sqrt(len(each)) for each in here]
            shifted = np.arange(len(pairs)) + 0.08 * (place - 2)
            axes.errorbar(shifted, means, errors, marker="o", markersize=3, label=estimator)
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set(title=f"rho = {rho}, true SMI {true_smi(1, rho):.3f}", xlabel="pairs n", ylabel="bias")
        axes.set_xticks(range(len(pairs)), [str(n) for n in pairs])
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8)


def bias_quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Mean estimates by estimator, rho and n."""
    short = {DEFAULT: "default", SELECTED: "selected", TENSOR: "tensor", BOUND: "bound", SELECTED_BOUND: "bound2"}
    found = {"runs": str(len({row["seed"] for row in rows}))}
    for estimator, key in short.items():
        for rho, n in dict.fromkeys((float(row["rho"]), int(row["n"])) for row in rows):
            mean = study.average(rows, "smi", estimator=estimator, rho=rho, n=n)
            found[f"{key}_rho{round(10 * rho)}_n{n}"] = f"{mean:.2f}"
            found[f"truth_rho{round(10 * rho)}"] = f"{true_smi(1, rho):.2f}"
    return found


EXPERIMENTS = [
    Experiment(
        name="gaussian",
        what="Ours: SMI of jointly Gaussian data against its closed form, d = 1, 2, rho = 0 to 0.95, n = 10 to 1000.",
        takes="10 minutes",
        needs="nothing",
        seeds=10,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("SMI and its distance from the truth", ["d", "rho", "truth", "n", "method"], ["smi", "bias"])],
    ),
    Experiment(
        name="bias",
        what="Ours: the bias of SMI by the default, the selected, the tensor model and the cross-fitted lower bound.",
        takes="4 minutes",
        needs="nothing",
        seeds=8,
        quick_seeds=2,
        first_seed=50,
        settings=bias_settings,
        quoted=bias_quoted,
        units=bias_units,
        measure=measure_bias,
        claims=bias_claims,
        plot=plot_bias,
        tables=[Table("SMI and its bias", ["rho", "truth", "n", "estimator"], ["smi", "bias"])],
    ),
]
