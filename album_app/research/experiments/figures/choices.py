"""Choices that differ from the paper, and choices that follow it, each compared with its alternatives.

For estimates of SMI these are the plan's start and the candidates for lambda; for albums the kernel width and how
settings are found. An album's pins lie where linear assignment sorting puts them, so that no sheet of ours decides it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Options, Pins, build_shape
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.evaluation.scores import leave_one_pin_out
from album_app.research.experiments import study
from album_app.research.experiments.albums import PHOTOS, SHEETS, colour_material
from album_app.research.experiments.figures import smi, uci
from album_app.research.experiments.figures.ablation import SHEET, Choose, guide_by
from album_app.research.experiments.figures.estimators import EPSILON, TRUTH
from album_app.research.experiments.peers import las
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.research.experiments.synthetic_data import semi_supervised
from album_app.solver import LsmiSinkhorn, Problem, select
from album_app.solver.selection import BETAS, LAMBDAS

FIRST_SEED = 200
"""Later than any seed on which settings were tried."""
PAIRS, UNPAIRED = 50, 500
PINS, QUICK_PINS = 12, 5
SHIPPED, FROM_ANYWHERE = "as shipped", "random start"
GRIDS: Mapping[str, Sequence[float]] = {
    SHIPPED: LAMBDAS,
    "lambda in half decades": (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4),
    "lambda down to 1e-5": (*LAMBDAS, 1e-5),
    "lambda 0.001": (1e-3,),
    "lambda 0.0001": (1e-4,),
}
"""The candidates for lambda of each variant; beta is cross-validated in all of them."""
EVERY = tuple(sorted({lam for lams in GRIDS.values() for lam in lams}, reverse=True))
GROUPS: Mapping[str, Sequence[str]] = {"synthetic data": smi.DEPENDENT, "UCI data": uci.DATA_SETS}
ESTIMATED = tuple(name for names in GROUPS.values() for name in names)
ALBUMS = {"the sample album": "", "the paper's photos": "flickr"}
"""The albums with the data that they need; the user may give other photos in place of the sample album."""
ALBUM_LAMBDAS = (1.0, 0.3, 0.1, 0.01, 0.001)
SELECTION_SAMPLES, SELECTION_STEPS = 100, 8
"""Photos, cells and basis functions in a selection of settings for an album, and its iterations."""


def _selected(by: str, widths: Sequence[float], problem: Problem, solver: LsmiSinkhorn) -> LsmiSinkhorn:
    quick = replace(solver, basis=SELECTION_SAMPLES, iterations=SELECTION_STEPS, landmarks=SELECTION_SAMPLES)
    found = select(problem, quick, by=by, lams=ALBUM_LAMBDAS, betas=[solver.beta], widths=widths).solver
    return replace(solver, lam=found.lam, width=found.width)


def _as_wide(width: float, problem: Problem, solver: LsmiSinkhorn) -> LsmiSinkhorn:
    return replace(solver, width=width)


BY_RANK, BY_ERROR = "selected by rank", "selected by the hold-out error"
WIDTHS = (1.0, 1.5, 2.0, 3.0)
CHOICES: Mapping[str, Choose] = {
    SHIPPED: partial(_as_wide, 1.0),
    **{f"width {width:g}": partial(_as_wide, width) for width in WIDTHS[1:]},
    BY_RANK: partial(_selected, "rank", WIDTHS),
    BY_ERROR: partial(_selected, "error", WIDTHS[:1]),
}


def settings(request: Request) -> dict[str, Any]:
    return {
        "SMI": f"n = {PAIRS}, n_x = n_y = {UNPAIRED} at most, epsilon {EPSILON}, beta of {BETAS}, 5 folds",
        "error of SMI": f"|SMI - {TRUTH}|",
        **{f"“{name}”": lams for name, lams in GRIDS.items()},
        f"“{FROM_ANYWHERE}”": "the settings selected as shipped, solved from a random plan",
        "albums": f"{PHOTOS} photos by RGB on {SHEET}; pins: {PINS} of them where linear assignment sorting puts them",
        "error of an album": "the distance from a hidden pin to where the others' plan puts it, by the diagonal",
        "as shipped, albums": Options(),
        "selected": f"widths {WIDTHS} by rank, 1 by the hold-out error; lambda of {ALBUM_LAMBDAS}, 5 folds",
    }


def units(request: Request) -> list[Unit]:
    albums = [name for name, key in ALBUMS.items() if not key or key in request.data]
    names = [*ESTIMATED, *albums]
    return request.seed_units(data=["linear", albums[0]] if request.quick else names)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    name, seed = str(unit["data"]), int(unit["seed"])
    return _album(name, seed, request) if name in ALBUMS else _estimates(name, seed, request)


def _estimates(name: str, seed: int, request: Request) -> list[Row]:
    """Rows for all grids: the candidates are solved once, and every grid chooses among them."""
    if name in uci.DATA_SETS:
        problem, truth = uci.problem_of(name, PAIRS, seed), uci.truth_of(name, TRUTH)
    else:
        problem = semi_supervised(name, PAIRS, UNPAIRED, UNPAIRED, seed)
        truth = smi.truth_of(smi.QUICK_TRUTH_PAIRS if request.quick else smi.TRUTH_PAIRS, name, TRUTH)
    betas, folds = (BETAS[:1], 2) if request.quick else (BETAS, 5)
    found = select(problem, LsmiSinkhorn(epsilon=EPSILON), lams=EVERY, betas=betas, folds=folds)
    solvers = {
        variant: found.among(lambda solver, lams=lams: solver.lam in lams).solver  # type: ignore[misc]
        for variant, lams in GRIDS.items()
    }
    solvers[FROM_ANYWHERE] = replace(solvers[SHIPPED], start="random")
    return [_estimate(variant, solver, problem, truth.smi) for variant, solver in solvers.items()]


def _estimate(variant: str, solver: LsmiSinkhorn, problem: Problem, truth: float) -> Row:
    found = solver.solve(problem).smi
    return {"variant": variant, "error": abs(found - truth), "smi": found, "truth": truth, "lam": solver.lam}


def _album(name: str, seed: int, request: Request) -> list[Row]:
    key = ALBUMS[name]
    features = colour_material(replace(request, data={"photos": request.data[key]}) if key else request).features
    shape = build_shape(SHEETS[SHEET][0], len(features))
    by_sorting = las(features, shape, Pins(), seed).photo_at
    places = np.random.default_rng(seed).choice(shape.count, QUICK_PINS if request.quick else PINS, replace=False)
    pins = Pins({int(by_sorting[place]): shape.cell(int(place)) for place in places})
    arrangement, options = Arrangement.of(features, shape, pins), Options(seed=seed)

    def plan_without(choose: Choose, others: Pins, photo: int) -> NDArray[np.float32]:
        hiding = Arrangement.of(features, shape, others, known=arrangement.space)
        return guide_by(choose, hiding, options).row(photo)

    return [
        {"variant": variant, "error": leave_one_pin_out(pins, shape, partial(plan_without, choose))}
        for variant, choose in CHOICES.items()
    ]


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for group, names in {**GROUPS, **{album: (album,) for album in ALBUMS}}.items():
        here = study.agreeing(rows, {"data": tuple(names)})
        for variant in dict.fromkeys(str(row["variant"]) for row in here):
            if variant not in (SHIPPED, FROM_ANYWHERE):
                found.append(_better(group, variant, here))
    return [_same_from_anywhere(rows), *found]


def _better(group: str, variant: str, rows: Sequence[Row]) -> Claim:
    before, after = (study.average(rows, "error", variant=each) for each in (SHIPPED, variant))
    verdict = study.lower_by_seed(rows, "error", variant, SHIPPED, by="variant")
    what = "a hidden pin lands nearer" if group in ALBUMS else "SMI is nearer to LSMI (full)"
    measured = f"off by {after:.3f} after {before:.3f}: {verdict}"
    return Claim(what, measured, verdict.holds, case=f"{group}, {variant}")


SMI_TOLERANCE = 0.01
"""Values of SMI that differ by at most this count as equal."""


def _same_from_anywhere(rows: Sequence[Row]) -> Claim:
    apart = _apart(rows)
    text = f"the SMI is the same in every run, to {SMI_TOLERANCE}"
    measured = f"at most {max(apart):.2g} apart in {len(apart)} runs"
    return Claim(text, measured, max(apart) <= SMI_TOLERANCE, case=FROM_ANYWHERE)


def _apart(rows: Sequence[Row]) -> list[float]:
    """How far the SMI of each run changes if it begins at a random start."""
    uniform, anywhere = (study.agreeing(rows, {"variant": each}) for each in (SHIPPED, FROM_ANYWHERE))
    smi_of = {(row["data"], row["seed"]): float(row["smi"]) for row in uniform if "smi" in row}
    return [abs(float(row["smi"]) - smi_of[row["data"], row["seed"]]) for row in anywhere]


def plot(rows: Sequence[Row], figure: Any) -> None:
    """Plot estimates and albums apart, because their variants differ."""
    named = list(dict.fromkeys(str(row["data"]) for row in rows))
    parts = [[name for name in named if (name in ALBUMS) is album] for album in (False, True)]
    figure.set_size_inches(14, 3.2)
    places = figure.subfigures(1, len(parts), width_ratios=[len(names) + 2 for names in parts])
    for place, names in zip(places, parts, strict=True):
        panels = place.subplots(1, len(names), sharey=True, squeeze=False)[0]
        for axes, name in zip(panels, names, strict=True):
            _bars(axes, name, study.agreeing(rows, {"data": name}))


def _bars(axes: Any, name: str, rows: Sequence[Row]) -> None:
    variants = list(dict.fromkeys(str(row["variant"]) for row in rows))[::-1]
    errors = [study.numbers(study.agreeing(rows, {"variant": variant}), "error") for variant in variants]
    colours = ["tab:orange" if variant == SHIPPED else "tab:blue" for variant in variants]
    spreads = [study.deviation(values) for values in errors]
    axes.barh(variants, [float(np.mean(values)) for values in errors], xerr=spreads, color=colours, capsize=2)
    axes.set_title(name.replace("_", " "), fontsize=9)
    axes.set_xlabel("error")
    axes.set_xlim(left=0)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.3, axis="x")


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """Errors by data and variant, what a fixed lambda gives, and how much the start matters."""
    found = {"apart": f"{max(_apart(rows)):.1g}", "runs": str(len({row["seed"] for row in rows}))}
    for name in ESTIMATED:
        for key, variant in (("high", "lambda 0.001"), ("low", "lambda 0.0001"), ("chosen", SHIPPED)):
            found[f"{name}_{key}"] = f"{study.average(rows, 'smi', data=name, variant=variant):.2f}"
        found[f"{name}_truth"] = f"{study.average(rows, 'truth', data=name):.2f}"
    for group, names in GROUPS.items():
        key = group.partition(" ")[0]
        here = study.agreeing(rows, {"data": tuple(names)})
        for short, variant in (
            ("before", SHIPPED),
            ("half", "lambda in half decades"),
            ("deep", "lambda down to 1e-5"),
        ):
            found[f"{key}_{short}"] = f"{study.average(here, 'error', variant=variant):.2f}"
    for key, album in zip(("sample", "flickr"), ALBUMS, strict=True):
        for short, variant in (("before", SHIPPED), ("rank", BY_RANK), ("error", BY_ERROR)):
            found[f"{key}_{short}"] = f"{study.average(rows, 'error', data=album, variant=variant):.3f}"
    held = {claim.case: claim.holds for claim in claims(rows)[1:]}
    for key, which in (("grids", ("half decades", "1e-5")), ("albums", (BY_RANK, BY_ERROR))):
        for verdict, holds in (("nearer", True), ("farther", False)):
            names = [name for name, found_so in held.items() if found_so is holds and name.endswith(which)]
            found[f"{key}_{verdict}"] = study.listed(names)
    return {**found, "pins": str(PINS)}


EXPERIMENTS = [
    Experiment(
        name="choices",
        what="Ours: what other choices would bring: the start and candidates for lambda for SMI, settings for albums.",
        takes="10 minutes",
        needs="the sample album, or --photos FOLDER; better with --flickr FOLDER",
        seeds=6,
        first_seed=FIRST_SEED,
        settings=settings,
        quoted=quoted,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[
            Table("SMI; error = |SMI - LSMI (full)|", ["data", "variant"], ["smi", "error"], {"data": ESTIMATED}),
            Table(
                "Albums; error = how far a hidden pin lands", ["data", "variant"], ["error"], {"data": tuple(ALBUMS)}
            ),
        ],
    )
]
