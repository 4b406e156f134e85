"""A project file: a document written as JSON and read back.

A file of versions 0.1 and 0.2 lacks some values; each of these has its default.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, astuple, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app import __version__
from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import reason, tr
from album_app.layout.crops import LARGEST_ZOOM, HandCrop
from album_app.layout.layout import STAGES, Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.project.json_io import Node, finite, json_pieces, with_stored_text
from album_app.layout.project.photo_paths import pack_album, pack_place, unpack_album, unpack_place
from album_app.layout.shapes.blocks import LARGEST_SIZE, Variation
from album_app.layout.shapes.outlines import MAX_CELLS
from album_app.layout.shapes.pages import Pages
from album_app.layout.shapes.shape import KINDS, Cell, Shape, ShapeSpec, book_name
from album_app.own_files import PROJECT, PROJECT_FORMAT
from album_app.paths import atomic_write, is_file, read_bounded
from album_app.photos.album import Album, replacing
from album_app.photos.features.extractor import BLEND_WEIGHT, FORMER_BLEND_WEIGHT
from album_app.photos.tables import Table, read_table
from album_app.work import Stop, check

PROJECT_SUFFIX = ".album"

VERSION = 1
"""The version of the file format; files of later versions are refused."""

LARGEST_FILE = 128_000_000
"""Bytes; larger files are refused before they are read."""

FULL, EMPTY = "#", "."
"""How a grid of cells is written: a cell, and a place without a cell."""

LARGEST_GRID = 100 * MAX_CELLS
"""The most characters of a grid."""


def save_project(
    document: Document, path: str | os.PathLike[str], stop: Stop | None = None, *, agreed: bool = False
) -> None:
    """Write a document as a project file; an older one of that name is replaced only when all went well.

    A layout that is not of the document's shape any more is left out. A file that is no project is replaced only if
    the user `agreed`, and never if it belongs to the album.
    """
    target, kept = Path(path).absolute(), replacing(document.album, agreed)
    layout = document.layout if document.layout and document.layout.shape.same_cells(document.shape) else None
    content = {
        "format": PROJECT_FORMAT,
        "version": VERSION,
        "program": __version__,
        "album": pack_album(document.album, target.parent),
        "shape": pack_shape(document.spec, document.shape, target.parent),
        "pins": pack_pins(document.pins),
        "options": pack_options(document.options),
        "excluded": sorted(document.excluded),
        "is_held": document.is_held,
        "held": sorted(document.held),
        "always_shown": sorted(document.always_shown),
        "stacks": document.stacks,
        "title": document.title,
        "subtitle": document.subtitle,
        "cover": document.cover,
        "chapter_titles": [[page, text] for page, text in sorted(document.chapter_titles.items())],
        "sizes": [[photo, size] for photo, size in sorted(document.sizes.items())],
        "variation": pack_variation(document.variation),
        "crops": [[photo, *astuple(crop)] for photo, crop in sorted(document.crops.items())],
        "captions": [[photo, text] for photo, text in sorted(document.captions.items())],
        "table": pack_table(document.table, target.parent) if document.table else None,
        "colour_by": document.colour_by,
        "alone": document.alone,
        "aside": sorted(document.aside),
        "layout": pack_layout(layout) if layout else None,
    }
    try:
        with atomic_write(target, PROJECT, kept) as temporary, temporary.open("w", encoding="ascii") as file:
            for piece in json_pieces(content):
                file.write(piece)
                check(stop)
    except OSError as error:
        name = printable(target.name)
        raise AlbumError(
            tr("The project “{name}” could not be saved: {reason}.", name=name, reason=reason(error))
        ) from error


def load_project(path: str | os.PathLike[str], *, largest_file: int = LARGEST_FILE) -> Document:
    """Read a project file of at most `largest_file` bytes; photos that are not found are kept and marked as missing."""
    source = Path(path).absolute()
    node = _opened(source, largest_file)
    album, missing = unpack_album(node["album"], source.parent)
    spec, shape = unpack_shape(node["shape"], source.parent)
    photos = len(album)
    options = unpack_options(node["options"])
    layout, stacks, title = node.get("layout"), node.get("stacks"), node.get("title")
    always, is_held, held = node.get("always_shown"), node.get("is_held"), node.get("held")
    sizes, crops = node.get("sizes"), node.get("crops")
    captions, table, colour_by = node.get("captions"), node.get("table"), node.get("colour_by")
    alone, aside = node.get("alone"), node.get("aside")
    return Document(
        album,
        spec,
        shape,
        unpack_pins(node["pins"], shape, photos),
        options,
        frozenset(photo.integer(0, photos - 1) for photo in node["excluded"].items()),
        _with_aspects(unpack_layout(layout, shape, photos, options), album) if layout else None,
        missing,
        stacks=unpack_stacks(stacks, photos) if stacks else (),
        title=title.text() if title else "",
        subtitle=subtitle.text() if (subtitle := node.get("subtitle")) else "",
        cover=cover.text() if (cover := node.get("cover")) else Document.cover,
        chapter_titles=unpack_captions(titles, MAX_CELLS) if (titles := node.get("chapter_titles")) else {},
        sizes=unpack_sizes(sizes, photos) if sizes else {},
        variation=unpack_variation(node.get("variation"), photos),
        crops=unpack_crops(crops, photos) if crops else {},
        captions=unpack_captions(captions, photos) if captions else {},
        table=unpack_table(table, source.parent) if table else None,
        colour_by=colour_by.text() if colour_by else "",
        alone=alone.text() if alone and aside else "",
        aside=frozenset(photo.integer(0, photos - 1) for photo in aside.items()) if aside else frozenset(),
        always_shown=frozenset(photo.integer(0, photos - 1) for photo in always.items()) if always else frozenset(),
        is_held=is_held is not None and is_held.boolean() and layout is not None,
        held=frozenset(unpack_cell(cell, shape) for cell in held.items()) if held else frozenset(),
    )


def _with_aspects(layout: Layout, album: Album) -> Layout:
    """A layout of justified rows with the proportions of the photos."""
    return replace(layout, aspects=album.aspects) if layout.shape.needs_aspects else layout


def _opened(source: Path, largest_file: int) -> Node:
    """The content of a project file that this program can read."""
    name = printable(source.name)
    try:
        content = read_bounded(source, largest_file)
    except OSError as error:
        raise AlbumError(
            tr("The project “{name}” could not be opened: {reason}.", name=name, reason=reason(error))
        ) from error
    node = Node.parse(content, name)
    if not isinstance(node.value, dict) or node.value.get("format") != PROJECT_FORMAT:
        raise UsageError(tr("“{name}” is not a project of Album App.", name=name))
    if node["version"].integer(1, 2**31) > VERSION:
        raise UsageError(
            tr("“{name}” was saved by a newer version of Album App; update the program to open it.", name=name)
        )
    return node


def pack_shape(spec: ShapeSpec, shape: Shape, base: Path) -> dict[str, Any]:
    """The requested shape and its cells, so that a sheet does not change when a later version draws shapes
    differently."""
    wanted: dict[str, Any] = asdict(spec)
    if spec.mask:
        wanted["mask"] = pack_place(Path(spec.mask).absolute(), base)
    rows = ["".join(FULL if cell else EMPTY for cell in row) for row in shape.mask]
    centres = [list(cell) for cell in shape.centres]
    pages = None if shape.pages is None else asdict(shape.pages)
    return {
        "wanted": wanted,
        "name": shape.name,
        "cells": rows,
        "centres": centres,
        "remark": shape.remark,
        "readable_from": shape.readable_from,
        "pages": pages,
    }


def unpack_shape(node: Node, base: Path) -> tuple[ShapeSpec, Shape]:
    """The wanted shape and its cells; what an older file does not say has its default."""
    wanted = node["wanted"]
    if wanted["kind"].text() not in KINDS:
        wanted["kind"].fail(tr("one of {choices}", choices=", ".join(KINDS)))
    mask = wanted["mask"]
    place = ""
    if isinstance(mask.value, dict):
        places = unpack_place(mask, base)
        place = str(next((path for path in places if is_file(path)), places[0]))
    spec = ShapeSpec(**_given(wanted, ShapeSpec, without="mask"))
    remark, needed = node.get("remark"), node.get("readable_from")
    shape = Shape(
        _mask(node["cells"]),
        node["name"].text(),
        remark=remark.text() if remark else "",
        readable_from=needed.integer(0, MAX_CELLS) if needed else 0,
        shift=KINDS[spec.kind].shift,
        is_justified=spec.justified or spec.kind == "rows",
        fills_pages=spec.kind == "pages" and spec.fill_pages,
    )
    centres = tuple(unpack_cell(centre, shape) for centre in node["centres"].items())
    pages = _pages(node, shape)
    name = shape.name if pages is None else book_name(pages.count, pages.rows, pages.columns)
    return replace(spec, mask=place), replace(shape, name=name, centres=centres, pages=pages)


def _pages(node: Node, shape: Shape) -> Pages | None:
    """The pages of a book, if they have just these cells."""
    found = node.get("pages")
    if found is None:
        return None
    pages = Pages(**{field.name: found[field.name].integer(1, MAX_CELLS) for field in fields(Pages)})
    if pages.count * pages.size != shape.count or not np.array_equal(pages.mask, shape.mask):
        found.fail(tr("the pages of these cells"))
    return pages


def _mask(node: Node) -> NDArray[np.bool_]:
    rows = [row.text() for row in node.items()]
    if sum(map(len, rows)) > LARGEST_GRID:
        node.fail(tr("a smaller grid"))
    marks = set().union(*rows)
    if len({len(row) for row in rows}) != 1 or not marks <= {FULL, EMPTY} or FULL not in marks:
        node.fail(tr("rows of equal length made of {full} and {empty}", full=FULL, empty=EMPTY))
    grid = "".join(rows)
    if grid.count(FULL) > MAX_CELLS:
        node.fail(tr("a grid of at most {most} cells", most=MAX_CELLS))
    cells: NDArray[np.bool_] = np.frombuffer(grid.encode("ascii"), dtype=np.uint8) == ord(FULL)
    return cells.reshape(len(rows), -1)


def unpack_cell(node: Node, shape: Shape) -> Cell:
    """A cell of the shape."""
    row, column = node.items(2)
    cell = row.integer(0, shape.rows - 1), column.integer(0, shape.columns - 1)
    if cell not in shape:
        node.fail(tr("a cell of the shape"))
    return cell


def pack_pins(pins: Pins) -> list[dict[str, Any]]:
    """Pins in the order they were made."""
    return [{"photo": photo, "cell": list(cell)} for photo, cell in pins.items()]


def unpack_pins(node: Node, shape: Shape, photos: int) -> Pins:
    """Pins, each of a photo of the album in a cell of the shape."""
    pins = [(item["photo"].integer(0, photos - 1), unpack_cell(item["cell"], shape)) for item in node.items()]
    if len({photo for photo, _ in pins}) < len(pins) or len({cell for _, cell in pins}) < len(pins):
        node.fail(tr("pins of different photos in different cells"))
    return Pins(dict(pins))


def unpack_stacks(node: Node, photos: int) -> tuple[tuple[int, ...], ...]:
    """Stacks of at least two photos of the album, none of them in two."""
    stacks = tuple(tuple(photo.integer(0, photos - 1) for photo in stack.items()) for stack in node.items())
    members = [photo for stack in stacks for photo in stack]
    if len(set(members)) < len(members) or min(map(len, stacks), default=2) < 2:
        node.fail(tr("stacks of different photos"))
    return stacks


def unpack_sizes(node: Node, photos: int) -> dict[int, int]:
    """The sizes of large photos."""
    pairs = [pair.items(2) for pair in node.items()]
    return {photo.integer(0, photos - 1): size.integer(2, LARGEST_SIZE) for photo, size in pairs}


def pack_variation(variation: Variation) -> dict[str, Any]:
    """How much sizes vary, and what is larger for that."""
    return {**asdict(variation), "photos": sorted(variation.photos)}


def unpack_variation(node: Node | None, photos: int) -> Variation:
    """How much sizes vary; they do not in an older file."""
    if node is None:
        return Variation()
    larger = frozenset(photo.integer(0, photos - 1) for photo in node["photos"].items())
    grid = (node[name].integer(0, MAX_CELLS) for name in ("rows", "columns"))
    return Variation(node["amount"].number(0, 1), larger, *grid)


def unpack_crops(node: Node, photos: int) -> dict[int, HandCrop]:
    """The crops that were chosen by hand."""
    found = {}
    for item in node.items():
        photo, x, y, zoom = item.items(4)
        crop = HandCrop(x.number(0, 1), y.number(0, 1), zoom.number(1, LARGEST_ZOOM))
        found[photo.integer(0, photos - 1)] = crop
    return found


def unpack_captions(node: Node, count: int) -> dict[int, str]:
    """Captions by photo, or titles of chapters by page; `count` is the number of photos or the most pages."""
    pairs = [pair.items(2) for pair in node.items()]
    return {place.integer(0, count - 1): text.text() for place, text in pairs}


def pack_table(table: Table, base: Path) -> dict[str, Any]:
    """Where the file of a table is, and what it was like."""
    return {**pack_place(table.path, base), "sha256": table.digest}


def unpack_table(node: Node, base: Path) -> Table:
    """The table as its file is now; one that cannot be read keeps its name and is marked as missing."""
    places, digest = unpack_place(node, base), node["sha256"].text()
    for place in places:
        if is_file(place):
            try:
                table = read_table(place)
                return replace(table, is_changed=table.digest != digest)
            except UsageError:
                continue
    return Table(places[0], digest, is_missing=True)


def pack_options(options: Options) -> dict[str, Any]:
    """All options by name."""
    return {**asdict(options), "features": _written(options.features)}


def _written(features: str) -> str:
    """The name of features as a file keeps it: with the weight of a blend, which may be another one some day."""
    return f"blend:{BLEND_WEIGHT:g}" if features == "blend" else features


def _read(features: str) -> str:
    """The name of features that a file means: a blend without a weight is one of earlier versions."""
    return f"blend:{FORMER_BLEND_WEIGHT:g}" if features == "blend" else features


def unpack_options(node: Node) -> Options:
    """Options; those a file does not name have their default."""
    try:
        given = _given(node, Options)
        return Options(**given | ({"features": _read(given["features"])} if "features" in given else {}))
    except UsageError as error:
        raise UsageError(tr("“{source}” is damaged: {error}", source=node.source, error=error)) from error


def _given(node: Node, kind: Any, without: str = "") -> dict[str, Any]:
    """The values of a dataclass that a node names, each of the kind of its default."""
    named = {field.name: (node.get(field.name), field.default) for field in fields(kind) if field.name != without}
    return {name: value.like(default) for name, (value, default) in named.items() if value is not None}


def pack_layout(layout: Layout) -> dict[str, Any]:
    """A layout without what the solver knows."""
    return {
        "photos": layout.photo_at.tolist(),
        "sizes": [[photo, size] for photo, size in sorted(layout.sizes.items())],
        "confidence": [finite(round(value, 4)) for value in layout.confidence.tolist()],
        "pins": pack_pins(layout.pins),
        "smi": finite(layout.smi),
        "stage": layout.stage,
        "resembles": [[left_out, shown] for left_out, shown in layout.resembles.items()],
        "seconds": _finite_values(layout.seconds),
        "scores": _finite_values(layout.scores),
        "arranged": layout.arranged,
        "converged": layout.converged,
        **with_stored_text("degenerate", layout.degenerate),
        "fresh_roughness": finite(layout.fresh_roughness),
        "features": _written(layout.options.features) if layout.options else None,
        "features_key": layout.features_key,
        "lone": sorted(layout.lone),
    }


def unpack_layout(node: Node, shape: Shape, photos: int, options: Options) -> Layout:
    """A layout on a shape for an album of `photos` photos, arranged with `options`.

    The layout itself says which features it was made with: they may have stood in for those that the options name.
    The scores of a layout that does not say so are left out, because they may be by other features.
    """
    pairs = [pair.items(2) for pair in node["resembles"].items()]
    if node["stage"].text() not in STAGES:
        node["stage"].fail(tr("one of {choices}", choices=", ".join(STAGES)))
    smi, stage = node.get("smi"), node["stage"].text()
    arranged, converged = (node.get(name) for name in ("arranged", "converged"))
    roughness, features, key = (node.get(name) for name in ("fresh_roughness", "features", "features_key"))
    sizes, lone = node.get("sizes"), node.get("lone")
    return Layout(
        shape,
        np.array([photo.integer(-1, photos - 1) for photo in node["photos"].items(shape.count)], dtype=np.int64),
        np.array([_share(value) for value in node["confidence"].items(shape.count)], dtype=np.float32),
        unpack_pins(node["pins"], shape, photos),
        smi.number() if smi else float("nan"),
        {a.integer(0, photos - 1): b.integer(0, photos - 1) for a, b in pairs},
        stage,
        {name: value.number() for name, value in node["seconds"].entries()},
        scores={name: value.number() for name, value in node["scores"].entries()} if key else {},
        arranged=arranged.boolean() if arranged else stage != "first" or smi is None or bool(smi.number()),
        converged=converged is None or converged.boolean(),
        sizes=unpack_sizes(sizes, photos) if sizes else {},
        degenerate=node.stored_text("degenerate"),
        fresh_roughness=roughness.number(0) if roughness else 0.0,
        options=replace(options, features=_read(features.text()) if features else options.features),
        features_key=key.text() if key else "",
        lone=frozenset(photo.integer(0, photos - 1) for photo in lone.items()) if lone else frozenset(),
    )


def _share(node: Node) -> float:
    return 0.0 if node.value is None else node.number(0, 1)


def _finite_values(values: Mapping[str, float]) -> dict[str, float]:
    return {name: number for name, value in values.items() if (number := finite(value)) is not None}
