"""The report of a sheet as JSON, which `arrange` writes and `score` reads."""

import hashlib
import json
import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from album_app import __version__
from album_app.cli.pipeline import Outcome
from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import reason, tr, trn
from album_app.layout import Cell, Layout, Options, Pins, Shape
from album_app.layout.crops import WHOLE
from album_app.layout.editing.book import chapter_titles, page_layouts, page_title
from album_app.layout.editing.timeline import flow
from album_app.layout.evaluation.insight import smi_significance
from album_app.layout.evaluation.scores import layout_scores, value_agreement
from album_app.layout.project.json_io import read_json
from album_app.layout.project.project_file import LARGEST_GRID
from album_app.layout.shapes.outlines import MAX_CELLS
from album_app.own_files import REPORT, REPORT_PROGRAM, SOFTWARE
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write, read_bounded
from album_app.photos.album import Album, Photo
from album_app.photos.facets import facets_of
from album_app.photos.tables import Table
from album_app.photos.time_order import by_file_time
from album_app.photos.walk import companions_of
from album_app.render.page.settings import CM_PER_INCH
from album_app.work import batches_of, in_threads

SCORES = ("dpq16", "pin_pull", "coverage")
FILES_AT_ONCE = 16
"""Files that a thread reads before the next batch."""
STEPS = ("scan", "features", "solve", "round", "refine", "render")
LARGEST_REPORT = 128_000_000
"""Bytes of a report that is read, at most."""


def report_of(outcome: Outcome, options: Options, table: Table | None = None) -> dict[str, Any]:
    """All that scripts need to know about a sheet, and all that is needed to make it again."""
    album, layout = outcome.album, outcome.drawn
    names = [photo.name for photo in album.photos]
    scores = layout_scores(outcome.layout, outcome.features, outcome.active)
    return {
        REPORT_PROGRAM: f"{SOFTWARE} {__version__}",
        "photos": len(names),
        "cells": layout.shape.count,
        "shown": len(layout.shown),
        "repeats": layout.repeats,
        "shape": {"rows": layout.shape.rows, "columns": layout.shape.columns},
        **({"pages": _pages(outcome, names)} if layout.shape.pages is not None else {}),
        "placement": _placement(outcome, names),
        "word_pins": [
            {"word": pinned.word, "place": pinned.place, "photos": [names[photo] for photo in pinned.photos]}
            for pinned in outcome.word_pins
        ],
        "left_out": [
            {"photo": names[photo], "resembles": names[shown]} for photo, shown in sorted(layout.resembles.items())
        ],
        "excluded": [names[photo] for photo in sorted(outcome.wishes.excluded)],
        "always_shown": [names[photo] for photo in sorted(outcome.wishes.always)],
        "stacks": [[names[photo] for photo in stack] for stack in outcome.stacks],
        "damaged": [{"photo": photo.name, "what": photo.damage} for photo in album.photos if photo.damage],
        "companions": _companions(album),
        "skipped": [{"file": item.name, "reason": item.reason} for item in (*album.skipped, *outcome.unshown)],
        "smi": _finite(layout.smi),
        "smi_z": _finite(smi_significance(outcome.layout, outcome.features)),
        "converged": layout.converged,
        "degenerate": layout.degenerate,
        "scores": {name: _finite(scores.get(name)) for name in SCORES},
        "neighbours_alike": _alike(outcome),
        "seconds": {name: _finite(outcome.seconds.get(name, 0.0)) for name in STEPS},
        "options": asdict(options),
        **_repeatable(outcome, table),
        **({"timeline": _timeline(outcome)} if options.time_weight else {}),
    }


def _alike(outcome: Outcome) -> list[dict[str, Any]]:
    """For each column (folder, keywords, text): the share of neighbours with equal values, and the share by chance."""
    found = []
    for facet in facets_of(outcome.album.photos).values():
        agreement = None if facet.is_range else value_agreement(outcome.drawn, facet.main)
        if agreement is not None:
            values = {
                "values": len(facet.labels),
                "share": _finite(agreement.share),
                "chance": _finite(agreement.chance),
            }
            found.append({"column": facet.key, **values})
    return found


def _repeatable(outcome: Outcome, table: Table | None) -> dict[str, Any]:
    """The settings of the export, and the SHA-256 of every file that was read or written."""
    plan = outcome.plan
    digests = {} if table is None else {"table": {"file": str(table.path), "sha256": table.digest}}
    return {
        "settings": None if plan is None else {"format": plan.kind.name, **asdict(plan.settings)},
        "sheet": [{"file": str(path), "sha256": digest_of(path)} for path in outcome.files],
        **digests,
        "files": [
            {"photo": photo.name, "bytes": photo.size, "sha256": digest}
            for photo, digest in zip(outcome.album.photos, digests_of(outcome.album.photos), strict=True)
        ],
    }


def digests_of(photos: Sequence[Photo]) -> list[str | None]:
    """The SHA-256 of the files of photos; None for a file that can no longer be read."""

    def read(batch: Sequence[int]) -> Generator[tuple[int, str | None], None, None]:
        for place in batch:
            yield place, digest_of(photos[place].path)

    found = dict(in_threads(read, batches_of(len(photos), FILES_AT_ONCE)))
    return [found[place] for place in range(len(photos))]


def digest_of(path: Path) -> str | None:
    """The SHA-256 of a file in hexadecimal; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _companions(album: Album) -> list[dict[str, Any]]:
    """The raw files and films that lie next to photos of the same name, and are represented by them."""
    found = companions_of(photo.path for photo in album.photos)
    return [
        {"photo": photo.name, "files": [file.name for file in found[photo.path]]}
        for photo in album.photos
        if photo.path in found
    ]


def _pages(outcome: Outcome, names: list[str]) -> list[dict[str, Any]]:
    """The pages of a book in order, each with its dates, the chapter that begins on it, and its photos row by row."""
    photos = outcome.album.photos
    chapters = chapter_titles(outcome.drawn, photos, outcome.chapter_titles)
    return [
        {
            "page": number,
            "chapter": chapters.get(number - 1, ""),
            "title": page_title(number, [photos[photo] for photo in page.shown]),
            "photos": [names[photo] for photo in dict.fromkeys(page.photo_at.tolist()) if photo >= 0],
        }
        for number, page in enumerate(page_layouts(outcome.drawn), start=1)
    ]


def _timeline(outcome: Outcome) -> dict[str, Any]:
    """How well the columns follow time, and the photos that are dated only by the time of their files."""
    photos = outcome.album.photos
    return {
        "rank_correlation": _finite(flow(outcome.drawn, photos)),
        "dated_by_file": [photos[photo].name for photo in by_file_time(photos)],
    }


def _placement(outcome: Outcome, names: list[str]) -> list[dict[str, Any]]:
    """Each placed photo: its cell, its frame as x, y, width and height, and the visible part of it.

    A frame is measured in centimetres from the upper left corner of the paper, or in cells where there is no paper. A
    crop has left, top, right and bottom as shares of the photo.
    """
    layout, album = outcome.drawn, outcome.album
    plan = None if outcome.plan is None else outcome.plan.page
    on_paper = plan is not None and bool(outcome.plan and outcome.plan.settings.paper) and layout.shape.pages is None
    frames, whole = layout.frames(), outcome.plan is not None and outcome.plan.settings.fit == "whole"
    found = []
    for number, (cell, box) in enumerate(zip(frames.cells.tolist(), frames.boxes.tolist(), strict=True)):
        at = layout.shape.index_of((cell[0], cell[1]))
        photo = int(layout.photo_at[at])
        if photo < 0:
            continue
        aspect = plan.aspect((cell[0], cell[1])) if plan and layout.shape.pages is None else box[2] / box[3]
        crop = WHOLE if whole else outcome.crops.of(photo, float(album.aspects[photo]), aspect)
        if plan is not None and on_paper:
            box = [CM_PER_INCH * length / plan.dpi for length in plan.geometry.rects[number].tolist()]
            box[3] -= CM_PER_INCH * plan.caption / plan.dpi
        found.append(
            {
                "photo": names[photo],
                "cell": cell,
                "size": layout.sizes.get(photo, 1),
                "pinned": layout.pins.get(photo) == tuple(cell),
                "confidence": _finite(float(layout.confidence[at])),
                "frame": [round(length, 4) for length in box],
                "crop": [round(share, 4) for share in crop],
            }
        )
    return found


def write_report(report: Mapping[str, Any], path: Path, replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Write a report in ASCII, in which names of any bytes are read back unchanged."""
    try:
        with atomic_write(path, REPORT, replacing) as temporary:
            temporary.write_text(json.dumps(report, indent=1, ensure_ascii=True, allow_nan=False) + "\n", "ascii")
    except OSError as problem:
        raise AlbumError(
            tr("The report {path} could not be written: {reason}.", path=path, reason=reason(problem))
        ) from problem


@dataclass(frozen=True)
class ReportedSheet:
    """The sheet of a report."""

    placement: Mapping[Cell, str]
    pinned: frozenset[Cell]
    left_out: tuple[str, ...]
    cells: int


def read_report(path: Path) -> ReportedSheet:
    """Read from a report what is needed to score its sheet again."""
    name = printable(str(path))
    try:
        report = read_json(read_bounded(path, LARGEST_REPORT))
        placement = {_cell(item["cell"]): str(item["photo"]) for item in report["placement"]}
        pinned = frozenset(_cell(item["cell"]) for item in report["placement"] if item["pinned"] is True)
        reported = ReportedSheet(
            placement, pinned, tuple(str(item["photo"]) for item in report["left_out"]), int(report["cells"])
        )
    except OSError as problem:
        raise UsageError(
            tr("The report {name} could not be read: {reason}.", name=name, reason=reason(problem))
        ) from problem
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as problem:
        raise UsageError(tr("{name} is not a report that `album-app arrange` wrote.", name=name)) from problem
    if not reported.placement:
        raise UsageError(tr("The report {name} tells of no photo in any cell.", name=name))
    if np.prod(_extent(reported)) > LARGEST_GRID:
        raise UsageError(tr("The report {name} tells of more cells than a sheet can have.", name=name))
    return reported


def _extent(reported: ReportedSheet) -> tuple[int, int]:
    """The rows and columns of the smallest grid that holds all cells."""
    return max(row for row, _ in reported.placement) + 1, max(column for _, column in reported.placement) + 1


def _cell(pair: Any) -> Cell:
    row, column = int(pair[0]), int(pair[1])
    if not (0 <= row < MAX_CELLS and 0 <= column < MAX_CELLS):
        raise ValueError(pair)
    return row, column


def rebuilt(reported: ReportedSheet, album: Album) -> tuple[Layout, list[int]]:
    """The layout of a report on the photos of an album, and the photos that took part."""
    names = dict.fromkeys([*reported.placement.values(), *reported.left_out])
    index = {name: album.index_of(name) for name in names}
    absent = [name for name, photo in index.items() if photo is None]
    if absent:
        raise AlbumError(
            trn(
                "{count} of the {photos} photos in the report are not in this folder, the first one {name}.",
                "{count} of the {photos} photos in the report are not in this folder, the first one {name}.",
                len(absent),
                photos=len(names),
                name=printable(absent[0]),
            )
        )
    known = {name: photo for name, photo in index.items() if photo is not None}
    mask = np.zeros(_extent(reported), dtype=bool)
    mask[tuple(zip(*reported.placement, strict=True))] = True
    shape = Shape(mask, "report")
    photo_at = [known[reported.placement[cell]] for cell in map(shape.cell, range(shape.count))]
    pins = Pins({known[reported.placement[cell]]: cell for cell in reported.pinned})
    layout = Layout(shape, np.array(photo_at), np.ones(shape.count, np.float32), pins)
    return layout, sorted(known.values())


def _finite(value: float | None) -> float | None:
    return round(float(value), 6) if value is not None and math.isfinite(value) else None
