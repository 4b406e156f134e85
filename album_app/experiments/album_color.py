"""Photo album summarisation by colour: 320 photos on the paper's sheets, the bare method beside the refined one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from album_app.experiments.albums import METHODS, PHOTOS, SHEETS, colour_material, compare_sheets, lay_out, scored
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average, numbers
from album_app.layout import Layout

QUICK_SHEETS = ("16x20", "ECML PKDD")


def settings(request: Request) -> dict[str, Any]:
    return {"photos": request.data.get("photos", "the sample album"), "shown": PHOTOS, "features": "rgb, 8 x 8"}


def units(request: Request) -> list[Unit]:
    return request.seed_units(sheet=QUICK_SHEETS if request.quick else SHEETS, method=METHODS)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material = colour_material(request)
    layout, _ = lay_out(material, str(unit["sheet"]), METHODS[str(unit["method"])], int(unit["seed"]))
    return [scored(layout, material.features)]


def claims(rows: Sequence[Row]) -> list[Claim]:
    repeats, missed = max(numbers(rows, "repeats")), sum(int(row["pins"]) - int(row["pins_in_place"]) for row in rows)
    found = [
        Claim(
            "every photo at most once, every pin in its cell",
            f"{repeats:.0f} repeats, {missed} pins missed",
            repeats == missed == 0,
        )
    ]
    for sheet in dict.fromkeys(str(row["sheet"]) for row in rows):
        bare, refined = (average(rows, "dpq16", sheet=sheet, method=method) for method in METHODS)
        pull = average(rows, "pin_pull", sheet=sheet, method="refined")
        measured = f"DPQ16 {bare:.3f} to {refined:.3f}, pin pull then {pull:.3f}"
        found.append(
            Claim(
                f"{sheet}: refinement brings like photos together and keeps the pins' pull",
                measured,
                refined > bare and pull > 0.5,
            )
        )
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    sheets = list(dict.fromkeys(str(row["sheet"]) for row in rows))
    for axes, score in zip(figure.subplots(1, 2, sharey=True), ("dpq16", "pin_pull"), strict=True):
        for place, method in enumerate(METHODS):
            at = [k + 0.4 * place - 0.2 for k in range(len(sheets))]
            axes.bar(at, [average(rows, score, sheet=sheet, method=method) for sheet in sheets], 0.38, label=method)
        axes.set(title=score, ylim=(0, 1))
        axes.set_xticks(range(len(sheets)), sheets)
    axes.legend(loc="lower right")


def pictures(request: Request, folder: Path) -> list[Path]:
    material, sheets = colour_material(request), QUICK_SHEETS if request.quick else SHEETS

    def layout(sheet: str, method: str) -> Layout:
        return lay_out(material, sheet, METHODS[method], 0)[0]

    return compare_sheets("album-color", sheets, material, folder, layout)


EXPERIMENTS = [
    Experiment(
        name="album-color",
        what="320 photos by colour on 16 x 20, 20 x 20, a triangle and ECML PKDD, corners or letters pinned (Fig. 8).",
        takes="1 minute",
        needs="the sample album, or --photos FOLDER",
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[
            Table("Scores", ["sheet", "method"], ["dpq16", "pin_pull", "seconds"]),
            Table("Counts", ["sheet", "method"], ["shown", "photos", "cells", "repeats", "pins", "pins_in_place"]),
        ],
        pictures=pictures,
    )
]
