"""Features and quick settings for the tests of this room, the laws of a sheet, and a project to save."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.field import Field
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from album_app.photos.album import Album, Photo, Skipped

FAST = Options(basis=40, iterations=3)
FILES = ["a.jpg", "b.jpg", "trip/c.jpg", "trip/d.jpg"]


def photos(count: int, seed: int = 0, axes: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((count, axes)).astype(np.float32)


def means(field: Field, photo_at: NDArray[np.int64], radius: int) -> NDArray[np.float32]:
    """The mean point around each cell."""
    return field.with_means(np.zeros((len(photo_at), field.points.shape[1]), np.float32), photo_at, radius)


def check_sheet(layout: Layout, taking_part: set[int], pins: Pins, fill: str) -> None:
    """The laws of a sheet."""
    on_sheet = layout.photo_at[layout.photo_at >= 0]
    assert set(on_sheet.tolist()) <= taking_part
    assert all(layout.photo_in(cell) == photo for photo, cell in pins.items())
    count, times = np.unique(on_sheet, return_counts=True)
    cells = layout.shape.count
    assert len(layout.shown) == len(count) == min(len(taking_part), cells)
    if fill == "repeat" and len(taking_part) < cells:
        assert (layout.photo_at >= 0).all()
        assert times.max() <= -(-cells // len(taking_part))
    else:
        assert layout.repeats == 0
    assert set(layout.resembles) == taking_part - set(layout.shown)
    assert set(layout.resembles.values()) <= set(layout.shown)
    assert ((layout.confidence >= 0) & (layout.confidence <= 1)).all()


def make_document(folder: Path, files: list[str] | None = None, **changes: Any) -> Document:
    photos = []
    for index, file in enumerate(files or FILES):
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * (index + 1))
        status = path.stat()
        taken = datetime(2024, 5, 1, 12, 30) + timedelta(days=index) if index else None
        photos.append(Photo(path, file, status.st_size, status.st_mtime_ns, 400, 300, taken))
    skipped = (Skipped(folder / "note.txt", "note.txt", "no picture", "unsupported"),)
    shape = build_shape(ShapeSpec("rectangle", 2, 2), 4)
    layout = Layout(
        shape,
        np.array([1, 0, -1, 3]),
        np.array([0.25, 1, 0, 0.5], dtype=np.float32),
        Pins({1: (0, 0)}),
        smi=1.5,
        converged=False,
        degenerate="all samples of x coincide",
        resembles={2: 3},
        stage="rounded",
        seconds={"solve": 0.25},
        scores={"dpq16": 0.875},
        features_key="lab:8/1",
    )
    document = Document(
        Album((folder,), tuple(photos), skipped),
        ShapeSpec("rectangle", 2, 2),
        shape,
        Pins({1: (0, 0)}),
        Options(features="lab", follow=0.25, seed=7),
        frozenset({2}),
        layout,
    )
    return replace(document, **changes)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    save_project(make_document(tmp_path / "home" / "photos"), tmp_path / "home" / "crete.album")
    return tmp_path / "home" / "crete.album"
