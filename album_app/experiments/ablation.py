"""What each part contributes: start, basis, epsilon, gamma (the follow slider) and refinement, one change at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from album_app.experiments.albums import PHOTOS, colour_material, lay_out, scored
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average
from album_app.layout import Options
from album_app.layout.insight import hidden_pin_error

FULL = Options()
VARIANTS: dict[str, Options] = {
    "as shipped": FULL,
    "no refinement": replace(FULL, refine=False),
    **{f"basis {basis}": replace(FULL, basis=basis) for basis in (20, 50, 100, 400)},
    **{f"epsilon {epsilon}": replace(FULL, epsilon=epsilon) for epsilon in (0.03, 0.3, 1.0)},
    **{f"follow {follow}": replace(FULL, follow=follow) for follow in (0.0, 0.25, 0.75, 1.0)},
    **{f"lambda {lam}": replace(FULL, lam=lam) for lam in (1e-4, 1e-2)},
}
QUICK = ("as shipped", "no refinement", "follow 0.0", "follow 1.0")
SCORES = ("dpq16", "pin_pull", "leave_one_pin_out", "seconds")


def settings(request: Request) -> dict[str, Any]:
    return {"photos": request.data.get("photos", "the sample album"), "shown": PHOTOS, "sheet": "16x20, corner pins"}


def units(request: Request) -> list[Unit]:
    return request.seed_units(variant=QUICK if request.quick else VARIANTS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material, options = colour_material(request), VARIANTS[str(unit["variant"])]
    layout, pins = lay_out(material, "16x20", options, int(unit["seed"]))
    error = hidden_pin_error(material.features, layout.shape, pins, options)
    return [{**scored(layout, material.features), "leave_one_pin_out": error}]


def claims(rows: Sequence[Row]) -> list[Claim]:
    bare, full = (average(rows, "dpq16", variant=variant) for variant in ("no refinement", "as shipped"))
    loose, tight = (average(rows, "pin_pull", variant=f"follow {follow}") for follow in (0.0, 1.0))
    return [
        Claim("refinement raises DPQ16", f"{bare:.3f} to {full:.3f}", full > bare),
        Claim("follow 0 to 1 raises the pins' pull", f"{loose:.3f} to {tight:.3f}", tight > loose),
    ]


def plot(rows: Sequence[Row], figure: Any) -> None:
    axes = figure.subplots()
    for variant in dict.fromkeys(str(row["variant"]) for row in rows):
        x, y = (average(rows, score, variant=variant) for score in ("pin_pull", "dpq16"))
        axes.scatter(x, y)
        axes.annotate(variant, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=8)
    axes.set(xlabel="pin pull", ylabel="DPQ16", title="one change at a time from what is shipped")
    axes.grid(alpha=0.3)


EXPERIMENTS = [
    Experiment(
        name="ablation",
        what="Ours: what basis, epsilon, lambda, follow and refinement each contribute to the scores of a sheet.",
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
