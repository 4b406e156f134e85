"""Photo album summarisation by colour: 320 photos on the paper's sheets, by the paper's settings and by ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from album_app.experiments.albums import (
    BARE,
    COLOURS,
    METHODS,
    PAPER,
    PHOTOS,
    REFINED,
    SHEETS,
    by_method,
    colour_material,
    coloured_pins,
    compare_sheets,
    method_settings,
    scored,
)
from album_app.experiments.catalogue import MissingData
from album_app.experiments.drawing import bars
from album_app.experiments.study import Claim, Experiment, Request, Row, Table, Unit, agreeing, average, numbers
from album_app.experiments.verdicts import lower_by_seed
from album_app.layout import Layout

QUICK_SHEETS = ("16x20", "ECML PKDD")
COLOURED_SHEETS = ("16x20", "20x20")
TABLES = [
    Table("Scores", ["sheet", "method"], ["dpq16", "pin_pull", "seconds"]),
    Table("Counts", ["sheet", "method"], ["shown", "photos", "cells", "repeats", "pins", "pins_in_place"]),
]


def settings(request: Request) -> dict[str, Any]:
    photos = request.data.get("photos", "the sample album, generated pictures")
    given = {"photos": photos, "shown": PHOTOS, "features": "rgb, 8 x 8", "pins": "suggested photos far apart"}
    return {**given, **method_settings()}


def units(request: Request) -> list[Unit]:
    return request.seed_units(sheet=QUICK_SHEETS if request.quick else SHEETS, method=METHODS)


def coloured_settings(request: Request) -> dict[str, Any]:
    """As above with the paper's pins; the photos have to be given."""
    if "photos" not in request.data:
        raise MissingData("it needs the paper's photos or others of yours: say with --photos FOLDER where they are")
    pins = f"in the corners the photos nearest on average to {COLOURS}"
    return {**settings(request), "photos": "given by the user", "pins": pins}


def coloured_units(request: Request) -> list[Unit]:
    return request.seed_units(sheet=QUICK_SHEETS[:1] if request.quick else COLOURED_SHEETS, method=METHODS)


def measure_coloured(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material = colour_material(request)
    layout = by_method(material, str(unit["sheet"]), str(unit["method"]), int(unit["seed"]), coloured_pins)
    return [scored(layout, material.features)]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material = colour_material(request)
    layout = by_method(material, str(unit["sheet"]), str(unit["method"]), int(unit["seed"]))
    return [scored(layout, material.features)]


def claims(rows: Sequence[Row]) -> list[Claim]:
    ours = [row for row in rows if row["method"] != PAPER]
    repeats, missed = max(numbers(ours, "repeats")), sum(int(row["pins"]) - int(row["pins_in_place"]) for row in ours)
    text = "bare and refined: every photo at most once, every pin in its cell"
    found = [Claim(text, f"{repeats:.0f} repeats, {missed} pins missed", repeats == missed == 0)]
    for sheet in dict.fromkeys(str(row["sheet"]) for row in rows):
        shown, fit = (average(rows, column, sheet=sheet, method=PAPER) for column in ("shown", "cells"))
        photos = average(rows, "photos", sheet=sheet, method=PAPER)
        measured = f"{shown:.0f} of {photos:.0f} photos in {fit:.0f} cells"
        text = f"{sheet}: the most likely photo of each cell, by the paper's settings, leaves photos out"
        found.append(Claim(text, measured, shown < min(photos, fit)))
        found.append(_refinement(sheet, agreeing(rows, {"sheet": sheet})))
    return found


def _refinement(sheet: str, rows: Sequence[Row]) -> Claim:
    bare, refined = (average(rows, "dpq16", method=method) for method in (BARE, REFINED))
    gain, pull = lower_by_seed(rows, "dpq16", BARE, REFINED), average(rows, "pin_pull", method=REFINED)
    measured = f"DPQ16 {bare:.3f} to {refined:.3f}: {gain}; pin pull then {pull:.3f}"
    text = f"{sheet}: refinement brings like photos together and keeps the pins' pull (above 0.5)"
    return Claim(text, measured, gain.holds if pull > 0.5 else False)


def plot(rows: Sequence[Row], figure: Any) -> None:
    sheets = list(dict.fromkeys(str(row["sheet"]) for row in rows))
    for axes, score in zip(figure.subplots(1, 2, sharey=True), ("dpq16", "pin_pull"), strict=True):
        bars(axes, rows, score, {"sheet": sheets, "method": list(METHODS)})
        axes.set(title=score, ylim=(0, 1))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)


def pictures(request: Request, folder: Path) -> list[Path]:
    material, sheets = colour_material(request), QUICK_SHEETS if request.quick else SHEETS

    def layout(sheet: str, method: str) -> Layout:
        return by_method(material, sheet, method, 0)

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
        tables=TABLES,
        pictures=pictures,
    ),
    Experiment(
        name="album-corners",
        what="Photos of your own, such as the paper's, by colour with a blue, an orange, a green and a black one in the"
        " corners (Fig. 8 a): scores alone.",
        takes="1 minute",
        needs="--photos FOLDER",
        shareable=False,
        settings=coloured_settings,
        units=coloured_units,
        measure=measure_coloured,
        claims=claims,
        plot=plot,
        tables=TABLES,
    ),
]
