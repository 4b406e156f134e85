"""Months below the columns of a timeline: room is made for them on every sheet, and they stand below their photos."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout import Layout, Options, rectangle
from album_app.photos.album import Album, Photo
from album_app.render import RenderSettings, plan_page
from album_app.render.page.compose import time_labels
from tests.render.write_sheet import write_sheet

MARKED = RenderSettings(time_marks=True)


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Twelve photos, one a month."""
    photos = []
    for k in range(12):
        file = tmp_path / f"{k}.png"
        Image.new("RGB", (8, 8), (20 * k, 90, 120)).save(file)
        taken = datetime(2025, 1, 10) + timedelta(days=30 * k)
        photos.append(Photo(file, file.name, file.stat().st_size, file.stat().st_mtime_ns, 8, 8, taken))
    return Album((tmp_path,), tuple(photos))


@pytest.fixture
def layout() -> Layout:
    order = np.arange(12).reshape(6, 2).T.ravel()
    return Layout(rectangle(2, 6), order, np.ones(12, np.float32), options=Options(time_weight=0.3))


@pytest.mark.parametrize("paper", ["", "A4", "1920x1080"])
def test_room_is_made_for_them_below_the_cells(layout: Layout, album: Album, paper: str) -> None:
    plan = plan_page(layout.shape, replace(MARKED, paper=paper, margin=0))
    labels = time_labels(layout, album.photos, plan)
    assert [label.text for label in labels] == ["Jan 2025", "Mar", "May", "Jul", "Sep", "Nov"]
    below = plan.geometry.rect((1, 0))[1] + plan.geometry.cell_height
    assert all(below < label.y - 0.5 * label.size and label.y < plan.height for label in labels)
    for column, label in enumerate(labels):
        x, _, width, _ = plan.geometry.rect((0, column))
        assert x <= label.x <= x + width + plan.geometry.gap


def test_without_them_nothing_changes(layout: Layout, album: Album) -> None:
    plan = plan_page(layout.shape, RenderSettings())
    assert time_labels(layout, album.photos, plan) == () and plan.geometry.bottom == plan.geometry.top


def test_a_sheet_that_does_not_follow_time_has_none(layout: Layout, album: Album) -> None:
    plan = plan_page(layout.shape, MARKED)
    assert time_labels(replace(layout, options=Options()), album.photos, plan) == ()


def test_words_that_do_not_fit_are_left_out(layout: Layout, album: Album) -> None:
    texts = [
        label.text for label in time_labels(layout, album.photos, plan_page(layout.shape, replace(MARKED, cell=24)))
    ]
    assert "Jan 2025" not in texts


@pytest.mark.parametrize("suffix", ["svg", "html"])
def test_they_are_written_as_text(layout: Layout, album: Album, tmp_path: Path, suffix: str) -> None:
    file = write_sheet(layout, album, tmp_path / f"sheet.{suffix}", MARKED)
    content = file.read_text("utf-8")
    assert all(word in content for word in ("Jan 2025", "Mar", "Nov"))
    plain = write_sheet(layout, album, tmp_path / f"plain.{suffix}", RenderSettings()).read_text("utf-8")
    assert "Jan 2025" not in plain
