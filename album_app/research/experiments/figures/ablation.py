"""What each part contributes, one at a time: start, basis, epsilon, lambda, gamma (the follow slider), refinement."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Options, Pins, build_shape
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.field import Pull
from album_app.layout.arranging.first_sheet import rounded_sheet
from album_app.layout.arranging.guide import PlanGuide, draw_landmarks, pose, solver_for
from album_app.layout.evaluation.insight import hidden_pin_error
from album_app.layout.evaluation.scores import leave_one_pin_out
from album_app.layout.evaluation.suggest import preset_pins
from album_app.research.experiments import albums, study
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit
from album_app.solver import LsmiSinkhorn, Problem

SHEET = "16x20"
FULL = Options()
BARE, BY_PAPER = replace(FULL, refine=False), albums.METHODS[albums.PAPER]
FOLLOWS = (0.0, 0.25, 0.75, 1.0)
VARIANTS: dict[str, Options] = {
    "as shipped": FULL,
    **{f"basis {basis}": replace(FULL, basis=basis) for basis in (20, 50, 100, 400)},
    **{f"epsilon {epsilon}": replace(FULL, epsilon=epsilon) for epsilon in (0.03, 0.3, 1.0)},
    **{f"lambda {lam}": replace(FULL, lam=lam) for lam in (1e-4, 1e-2)},
    **{f"follow {follow}": replace(FULL, follow=follow) for follow in FOLLOWS},
    "no refinement": BARE,
    "no refinement, paper's settings": BY_PAPER,
}
RANDOM_STARTS = {"no refinement, random start": BARE, "no refinement, paper's settings, random start": BY_PAPER}
"""Albums always start from a uniform plan; for these variants the experiment itself solves from a random start."""
QUICK = ("as shipped", "follow 0.0", "follow 1.0", "no refinement", "no refinement, random start")
SCORES = ("dpq16", "pin_pull", "leave_one_pin_out", "seconds")
Choose = Callable[[Problem, LsmiSinkhorn], LsmiSinkhorn]
"""Chooses the solver for a problem, given the solver of the album's options."""


def settings(request: Request) -> dict[str, Any]:
    gamma = ", ".join(f"{follow} is {Pull.of(follow).plan:.3g}" for follow in (*FOLLOWS[:2], FULL.follow, *FOLLOWS[2:]))
    return {
        "photos": request.data.get("photos", "the sample album, generated pictures"),
        "shown": albums.PHOTOS,
        "sheet": f"{SHEET}, corner pins",
        "as shipped": FULL,
        "paper's settings": BY_PAPER,
        "follow": f"as gamma, the weight of log Pi in the refinement: {gamma}",
        "leave_one_pin_out": "mean distance from a pin's cell to where the other pins' plan puts its photo, by the"
        " sheet's diagonal; lower is better, the middle of the sheet is half a diagonal from every corner",
        "variants": [*VARIANTS, *RANDOM_STARTS],
    }


def units(request: Request) -> list[Unit]:
    return request.seed_units(variant=QUICK if request.quick else [*VARIANTS, *RANDOM_STARTS])


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material, variant, seed = albums.colour_material(request), str(unit["variant"]), int(unit["seed"])
    if variant in RANDOM_STARTS:
        layout, error = start_randomly(material, replace(RANDOM_STARTS[variant], seed=seed))
    else:
        options = replace(VARIANTS[variant], seed=seed)
        layout, pins = albums.lay_out(material, SHEET, options, seed)
        error = hidden_pin_error(material.features, layout.shape, pins, options)
    return [{**albums.scored(layout, material.features), "leave_one_pin_out": error}]


def start_randomly(material: albums.Material, options: Options) -> tuple[Layout, float]:
    """A rounded sheet whose transport plan started at random as in the paper, and its leave-one-pin-out error."""
    spec, preset = albums.SHEETS[SHEET]
    shape = build_shape(spec, len(material.features))
    pins = preset_pins(preset, material.features, shape)
    begun = time.perf_counter()
    arrangement = Arrangement.of(material.features, shape, pins)
    guide = guide_by(_from_anywhere, arrangement, options)
    sheet = rounded_sheet(arrangement, guide, arrangement.loose_photos, arrangement.free_cells, options.seed)
    seconds = {"solve": time.perf_counter() - begun}

    def plan_without(others: Pins, photo: int) -> NDArray[np.float32]:
        hiding = Arrangement.of(material.features, shape, others, known=arrangement.space)
        return guide_by(_from_anywhere, hiding, options).row(photo)

    error = leave_one_pin_out(pins, shape, plan_without)
    return Layout(shape, sheet, np.zeros(shape.count, np.float32), pins, seconds=seconds), error


def _from_anywhere(problem: Problem, solver: LsmiSinkhorn) -> LsmiSinkhorn:
    return replace(solver, start="random")


def guide_by(choose: Choose, arrangement: Arrangement, options: Options) -> PlanGuide:
    """The guide of an album by a solver that `choose` gives, which can differ from the options in more ways."""
    photos, cells = draw_landmarks(arrangement, options.seed)
    problem = pose(arrangement, photos, cells)
    return PlanGuide.of(arrangement, choose(problem, solver_for(options)).solve(problem), photos, cells)


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = [
        _lower("refinement raises DPQ16", rows, "dpq16", "no refinement", "as shipped"),
        _lower("follow 0 to 1 raises the pins' pull", rows, "pin_pull", "follow 0.0", "follow 1.0"),
    ]
    for other in ("epsilon 0.3", "lambda 0.0001"):
        if study.agreeing(rows, {"variant": other}):
            text = f"the shipped epsilon and lambda foresee a hidden pin better than the paper's {other}"
            found.append(_lower(text, rows, "leave_one_pin_out", "as shipped", other))
    return found


def _lower(text: str, rows: Sequence[Row], score: str, low: str, high: str) -> Claim:
    """Whether a score is lower by one variant than by another."""
    verdict = study.lower_by_seed(rows, score, low, high, by="variant")
    means = [f"{study.average(rows, score, variant=variant):.3f} ({variant})" for variant in (low, high)]
    return Claim(text, f"{score} {' and '.join(means)}: {verdict}", verdict.holds)


def plot(rows: Sequence[Row], figure: Any) -> None:
    variants = list(dict.fromkeys(str(row["variant"]) for row in rows))[::-1]
    shown = SCORES[:3]
    for axes, score in zip(figure.subplots(1, len(shown), sharey=True), shown, strict=True):
        found = [study.numbers([row for row in rows if row["variant"] == variant], score) for variant in variants]
        colours = ["tab:orange" if variant == "as shipped" else "tab:blue" for variant in variants]
        spreads = [study.deviation(values) for values in found]
        axes.barh(variants, [float(np.mean(values)) for values in found], xerr=spreads, color=colours, capsize=2)
        axes.set(title=score, xlim=(0, 1))
        axes.tick_params(labelsize=8)
        axes.grid(alpha=0.3, axis="x")


EXPERIMENTS = [
    Experiment(
        name="ablation",
        what="Ours: what start, basis, epsilon, lambda, follow and refinement each contribute to a sheet's scores.",
        takes="2 minutes",
        needs="the sample album, or --photos FOLDER",
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[Table("Scores", ["variant"], SCORES)],
    )
]
