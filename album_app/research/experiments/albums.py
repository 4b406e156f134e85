"""Shared by the album experiments: photos and CIFAR-10 images with features, the paper's sheets, and their pictures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.layout import Layout, Options, Pins, Shape, ShapeSpec, build_shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.evaluation.suggest import preset_pins
from album_app.own_files import SHEET, SOFTWARE
from album_app.paths import Replacing, atomic_write
from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.features import extractor
from album_app.research.experiments.runner import MissingData
from album_app.research.experiments.study import Request, Row
from album_app.research.training.cifar10 import HOW_TO_GET_IT, Labelled, read_cifar10

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")


def given(request: Request) -> Path:
    """The path of CIFAR-10 that the user gave."""
    if "cifar10" not in request.data:
        raise MissingData(f"it needs CIFAR-10: say with --cifar10 where it is; {HOW_TO_GET_IT}")
    return request.data["cifar10"]


@cache
def test_images(source: Path, count: int | None = None) -> Labelled:
    """The first `count` test images, or all."""
    whole = read_cifar10(source, "test")
    return Labelled(whole.pictures[:count], whole.labels[:count])


@cache
def test_features(source: Path, count: int | None = None) -> NDArray[Any]:
    """(count, 64), the ResNet20 features of the first test images."""
    pictures, network = test_images(source, count).pictures, extractor("resnet20")
    return np.concatenate([network.extract(list(pictures[at : at + 100])) for at in range(0, len(pictures), 100)])


PHOTOS = 320
CELL, LABEL_HEIGHT = 32, 28
"""Pixels: the side of a photo in pictures of sheets, and the height of their labels."""
SHEETS: Mapping[str, tuple[ShapeSpec, str]] = {
    "16x20": (ShapeSpec("rectangle", rows=16, columns=20), "corners"),
    "20x20": (ShapeSpec("rectangle", rows=20, columns=20), "corners"),
    "triangle": (ShapeSpec("triangle", cells=PHOTOS), "corners"),
    "ECML PKDD": (ShapeSpec("text", text="ECML PKDD", wrap=False, cells=PHOTOS), "letters"),
}
"""The paper's sheets: their shape, and where their pins are."""
AUTHORS_PINS = ("img295", "img31", "img16", "img33")
"""The names of the blue, orange, green and black photo that the authors' code pins in the corners, row by row."""
PAPER, BARE, REFINED = "paper's settings", "bare", "refined"
METHODS: Mapping[str, Options] = {
    PAPER: Options(refine=False, epsilon=0.3, lam=1e-3),
    BARE: Options(refine=False),
    REFINED: Options(),
}
"""PAPER: the paper's epsilon and a lambda of its grid, where each cell shows its most likely photo, with repetitions.

BARE: our settings with one-to-one rounding. REFINED: these with our refinement.
"""
AUTHORS = "authors' settings"
WITH_AUTHORS: Mapping[str, Options] = {AUTHORS: Options(refine=False, beta=0.2, epsilon=0.5, lam=1e-4), **METHODS}
"""METHODS and the settings of the authors' code for these pins, where each cell shows its most likely photo."""


@dataclass(frozen=True, eq=False)
class Material:
    """The photos of an experiment: features (n, d), small pictures and names."""

    features: NDArray[Any]
    thumbnails: Sequence[NDArray[np.uint8] | None]
    names: Sequence[str]


def colour_material(request: Request, features: str = "rgb") -> Material:
    """320 photos of the given folder, or of the sample album, spread evenly over it."""
    return _material(request.data.get("photos"), features)


@cache
def _material(folder: Path | None, features: str) -> Material:
    from album_app.photos.album_features import album_features
    from album_app.photos.thumbnails import load_thumbnails
    from album_app.sample.sample_album import sample_folder

    album = scan(folder or sample_folder())
    chosen = np.unique(np.linspace(0, len(album) - 1, min(PHOTOS, len(album))).round().astype(int))
    photos = [album.photos[place] for place in chosen]
    with Cache.open() as kept:
        rows = album_features(photos, features, kept)
        return Material(rows, load_thumbnails(photos, kept), [photo.name for photo in photos])


def suggested_pins(material: Material, sheet: str, shape: Shape) -> Pins:
    """Pins of photos that are far apart, in the cells where the paper has pins."""
    return preset_pins(SHEETS[sheet][1], material.features, shape)


def authors_pins(material: Material, sheet: str, shape: Shape) -> Pins:
    """Pins of the authors' photos in the corners."""
    places = {Path(name).stem: place for place, name in enumerate(material.names)}
    if missing := [name for name in AUTHORS_PINS if name not in places]:
        raise UsageError(f"the paper's photos must have {missing[0]}.jpg among them, which its authors pin")
    return Pins({places[name]: cell for name, cell in zip(AUTHORS_PINS, shape.corners, strict=True)})


PinsOf = Callable[[Material, str, Shape], Pins]


def lay_out(
    material: Material, sheet: str, options: Options, seed: int, pins_of: PinsOf = suggested_pins
) -> tuple[Layout, Pins]:
    """The material on one of the paper's sheets, and the pins there."""
    shape = build_shape(SHEETS[sheet][0], len(material.features))
    pins = pins_of(material, sheet, shape)
    return arrange(material.features, shape, pins, replace(options, seed=seed)), pins


def by_method(material: Material, sheet: str, method: str, seed: int, pins_of: PinsOf = suggested_pins) -> Layout:
    """The material on one of the paper's sheets by one of the methods."""
    layout, _ = lay_out(material, sheet, WITH_AUTHORS[method], seed, pins_of)
    return most_likely(layout) if method in (PAPER, AUTHORS) else layout


def most_likely(layout: Layout) -> Layout:
    """The sheet as the paper shows it: each cell without a pin shows the unpinned photo with most mass there."""
    shown, guide = layout.photo_at.copy(), layout.guide
    assert isinstance(guide, PlanGuide)
    loose = ~np.isin(guide.photos, list(layout.pins))
    pinned = {layout.shape.index_of(cell) for cell in layout.pins.values()}
    for place in sorted(set(range(len(shown))) - pinned):
        shown[place] = guide.photos[loose][guide.column(place)[loose].argmax()]
    return replace(layout, photo_at=shown, scores={})


def method_settings(methods: Mapping[str, Options] = METHODS) -> dict[str, Any]:
    """The methods as a page lists them."""
    shows = {BARE: "rounded one-to-one", REFINED: "refined"}
    return {
        f"“{name}”": f"{options}, {shows.get(name, 'the most likely photo of each cell')}"
        for name, options in methods.items()
    }


def scored(layout: Layout, features: NDArray[Any]) -> Row:
    """A layout's scores, and the counts that are needed to judge them."""
    counts: Row = {"shown": len(layout.shown), "photos": len(features), "cells": layout.shape.count}
    in_place = sum(layout.photo_in(cell) == photo for photo, cell in layout.pins.items())
    counts |= {"repeats": layout.repeats, "pins": len(layout.pins), "pins_in_place": in_place}
    return {**counts, **layout_scores(layout, features), "seconds": sum(layout.seconds.values())}


def compare_sheets(
    name: str,
    sheets: Iterable[str],
    material: Material,
    folder: Path,
    lay_out: Callable[[str, str], Layout],
    replacing: Replacing,
) -> list[Path]:
    """Write for each sheet a picture of its layouts by all methods."""
    return [
        _side_by_side(
            {method: lay_out(sheet, method) for method in METHODS},
            material,
            folder / f"{name}-{sheet.lower().replace(' ', '-')}.jpg",
            replacing,
        )
        for sheet in sheets
    ]


def _side_by_side(layouts: Mapping[str, Layout], material: Material, path: Path, replacing: Replacing) -> Path:
    """Write a picture of layouts side by side, or of wide layouts below each other, with labels and marked pins."""
    from album_app.render.export import preview
    from album_app.render.page.settings import RenderSettings

    settings = RenderSettings(cell=CELL, mark_pins=True)
    sheets = [preview(layout, material.thumbnails, settings, 10_000) for layout in layouts.values()]
    width, height = sheets[0].width, sheets[0].height + LABEL_HEIGHT
    wide = width > 2 * height
    step = (0, height) if wide else (width, 0)
    page = Image.new("RGB", (width, len(sheets) * height) if wide else (len(sheets) * width, height), "white")
    pen = ImageDraw.Draw(page)
    for place, (name, sheet) in enumerate(zip(layouts, sheets, strict=True)):
        left, top = place * step[0], place * step[1]
        pen.text((left + CELL // 4, top), name, fill="black", font_size=LABEL_HEIGHT * 0.7)
        page.paste(sheet, (left, top + LABEL_HEIGHT))
    with atomic_write(path, SHEET, replacing) as temporary:
        page.save(temporary, quality=82, comment=SOFTWARE)
    return path
