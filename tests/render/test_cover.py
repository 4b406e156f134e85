"""Which photo stands for all on the cover of a book."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Photo
from album_app.photos.decoding.metadata import Metadata
from album_app.render import RenderSettings, plan_page
from album_app.render.cover import representative
from album_app.render.page.plan import PagePlan
from tests.render.conftest import layout_of

ENOUGH = 400
"""Pixels for 150 dots per inch across four fifths of a page of 1,000 pixels at 300 dots per inch."""


@pytest.fixture
def plan() -> PagePlan:
    return plan_page(rectangle(2, 2), RenderSettings(paper="1000x1000px", dpi=300))


@pytest.fixture
def layout() -> Layout:
    """Four photos that fit equally well but for the last, which fits best."""
    return replace(layout_of(rectangle(2, 2), [0, 1, 2, 3]), confidence=np.array([0.5, 0.5, 0.5, 0.9], np.float32))


def photos(*widths: int, height: int = 5000) -> list[Photo]:
    return [Photo(Path(f"{k}.jpg"), f"{k}.jpg", 1, 1, width, height) for k, width in enumerate(widths)]


def test_stars_go_before_size_size_before_pixels_and_pixels_before_fit(layout: Layout, plan: PagePlan) -> None:
    large, small = 9000, 100
    assert representative(layout, photos(large, large, large, large), plan) == 3, "it fits best"
    assert representative(layout, photos(small, large, small, small), plan) == 1, "it alone has enough pixels"
    sized = replace(layout, sizes={2: 2})
    assert representative(sized, photos(small, large, small, small), plan) == 2, "it is the largest"
    starred = photos(small, large, small, small)
    starred[0] = replace(starred[0], metadata=Metadata(rating=4))
    assert representative(sized, starred, plan) == 0
    even = replace(layout, confidence=np.full(4, 0.5, np.float32))
    assert representative(even, photos(large, large, large, large), plan) == 0, "the first of equals"


@pytest.mark.parametrize(("width", "height", "chosen"), [(ENOUGH, 5000, 0), (ENOUGH - 1, 5000, 3), (5000, 199, 3)])
def test_enough_pixels_are_those_of_the_part_that_is_shown(
    layout: Layout, plan: PagePlan, width: int, height: int, chosen: int
) -> None:
    """A picture is at most twice as wide as high, so a strip has fewer pixels than its width."""
    known = photos(width, 10, 10, 10, height=height)
    assert representative(layout, known, plan) == chosen
