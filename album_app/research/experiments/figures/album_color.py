"""Photo album summarisation by colour: 320 photos on the paper's sheets, by the paper's settings and by ours."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from album_app.layout import Layout
from album_app.research.experiments import albums, study
from album_app.research.experiments.runner import MissingData
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit

QUICK_SHEETS = ("16x20", "ECML PKDD")
AUTHORS_SHEETS = ("16x20", "20x20")
TABLES = [
    Table("Scores", ["sheet", "method"], ["dpq16", "pin_pull", "seconds"]),
    Table("Counts", ["sheet", "method"], ["shown", "photos", "cells", "repeats", "pins", "pins_in_place"]),
]


def settings(request: Request) -> dict[str, Any]:
    photos = request.data.get("photos", "the sample album, generated pictures")
    given = {"photos": photos, "shown": albums.PHOTOS, "features": "rgb, 8 x 8", "pins": "suggested photos far apart"}
    return {**given, **albums.method_settings()}


def units(request: Request) -> list[Unit]:
    return request.seed_units(sheet=QUICK_SHEETS if request.quick else albums.SHEETS, method=albums.METHODS)


def authors_settings(request: Request) -> dict[str, Any]:
    """As above with the authors' pins; the photos have to be given."""
    if "flickr" not in request.data:
        raise MissingData("it needs the paper's photos: say with --flickr FOLDER where they are")
    given = {"photos": "the paper's 320 of Flickr", "pins": f"in the corners {', '.join(albums.AUTHORS_PINS)}"}
    return {**settings(request), **given, **albums.method_settings(albums.WITH_AUTHORS)}


def authors_units(request: Request) -> list[Unit]:
    return request.seed_units(sheet=QUICK_SHEETS[:1] if request.quick else AUTHORS_SHEETS, method=albums.WITH_AUTHORS)


def measure_authors(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material = albums.colour_material(replace(request, data={"photos": request.data["flickr"]}))
    layout = albums.by_method(material, str(unit["sheet"]), str(unit["method"]), int(unit["seed"]), albums.authors_pins)
    return [albums.scored(layout, material.features)]


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    material = albums.colour_material(request)
    layout = albums.by_method(material, str(unit["sheet"]), str(unit["method"]), int(unit["seed"]))
    return [albums.scored(layout, material.features)]


def claims(rows: Sequence[Row]) -> list[Claim]:
    ours = study.agreeing(rows, {"method": (albums.BARE, albums.REFINED)})
    repeats, missed = (
        max(study.numbers(ours, "repeats")),
        sum(int(row["pins"]) - int(row["pins_in_place"]) for row in ours),
    )
    text = "every photo at most once, every pin in its cell"
    found = [
        Claim(text, f"{repeats:.0f} repeats, {missed} pins missed", repeats == missed == 0, case="bare and refined")
    ]
    for sheet in dict.fromkeys(str(row["sheet"]) for row in rows):
        here = study.agreeing(rows, {"sheet": sheet})
        found += [
            _left_out(sheet, method, here)
            for method in (albums.AUTHORS, albums.PAPER)
            if study.agreeing(here, {"method": method})
        ]
        found.append(_refinement(sheet, here))
        found += [
            _topology(sheet, method, here)
            for method in (albums.AUTHORS, albums.PAPER)
            if study.agreeing(here, {"method": method})
        ]
    return found


def _topology(sheet: str, method: str, rows: Sequence[Row]) -> Claim:
    pull = study.above(study.agreeing(rows, {"method": method}), "pin_pull", 0.5)
    text = "photos around a pin are like it (pin pull above 0.5)"
    return Claim(text, f"above by {pull}", pull.holds, "good colour topology", case=f"{sheet}, {method}")


def _left_out(sheet: str, method: str, rows: Sequence[Row]) -> Claim:
    shown, photos, cells = (study.average(rows, column, method=method) for column in ("shown", "photos", "cells"))
    text = f"the most likely photo of each cell, by the {method}, leaves photos out"
    measured = f"{shown:.0f} of {photos:.0f} photos in {cells:.0f} cells"
    return Claim(text, measured, shown < min(photos, cells), case=sheet)


def _refinement(sheet: str, rows: Sequence[Row]) -> Claim:
    bare, refined = (study.average(rows, "dpq16", method=method) for method in (albums.BARE, albums.REFINED))
    gain, pull = (
        study.lower_by_seed(rows, "dpq16", albums.BARE, albums.REFINED),
        study.average(rows, "pin_pull", method=albums.REFINED),
    )
    measured = f"DPQ16 {bare:.3f} to {refined:.3f}: {gain}; pin pull then {pull:.3f}"
    text = "refinement brings like photos together and keeps the pins' pull (above 0.5)"
    return Claim(text, measured, gain.holds if pull > 0.5 else False, case=sheet)


def plot(rows: Sequence[Row], figure: Any) -> None:
    sheets = list(dict.fromkeys(str(row["sheet"]) for row in rows))
    for axes, score in zip(figure.subplots(1, 2, sharey=True), ("dpq16", "pin_pull"), strict=True):
        study.bars(
            axes, rows, score, {"sheet": sheets, "method": list(dict.fromkeys(str(row["method"]) for row in rows))}
        )
        axes.set(title=score, ylim=(0, 1))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)


def pictures(request: Request, folder: Path) -> list[Path]:
    material, sheets = albums.colour_material(request), QUICK_SHEETS if request.quick else albums.SHEETS

    def layout(sheet: str, method: str) -> Layout:
        return albums.by_method(material, sheet, method, 0)

    return albums.compare_sheets("album-color", sheets, material, folder, layout, request.replacing)


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
        what="The paper's 320 photos by colour, with the photos that its authors' code pins in the corners (Fig. 8 a):"
        " scores alone.",
        takes="1 minute",
        needs="--flickr FOLDER",
        shareable=False,
        settings=authors_settings,
        units=authors_units,
        measure=measure_authors,
        claims=claims,
        plot=plot,
        tables=TABLES,
    ),
]
