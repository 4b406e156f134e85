"""A poster over small pages: together they show all of it, and where they overlap they show the same."""

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from album_app.errors import UsageError
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album
from album_app.render import PAPERS, RenderSettings
from album_app.render.painters.pdf import EDGE, Poster
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

LONG = st.floats(50, 5000)


@given(width=LONG, height=LONG, overlap=st.floats(0, 50), paper=st.sampled_from(["A5", "A4", "Letter", "A3"]))
def test_every_point_of_a_poster_is_on_a_page_and_pages_overlap(
    width: float, height: float, overlap: float, paper: str
) -> None:
    poster = Poster.over((width, height), PAPERS[paper], overlap)
    pages = list(poster)
    assert len(pages) == poster.rows * poster.columns
    across, down = poster.window
    assert across <= poster.page[0] - 2 * EDGE + 1e-6 and down <= poster.page[1] - 2 * EDGE + 1e-6
    for first, second in itertools.pairwise(pages):
        if first.row == second.row:
            assert first.left + across - second.left == pytest.approx(poster.overlap)
    assert pages[0].left == 0 and pages[0].bottom + down == pytest.approx(height)
    assert pages[-1].left + across == pytest.approx(width) and pages[-1].bottom == pytest.approx(0, abs=1e-6)


@given(width=LONG, height=LONG, overlap=st.floats(0, 50), paper=st.sampled_from(["A4", "A3"]))
def test_seams_lie_in_the_middle_of_what_two_pages_show(
    width: float, height: float, overlap: float, paper: str
) -> None:
    poster = Poster.over((width, height), PAPERS[paper], overlap)
    across, down = poster.seams
    assert (len(across), len(down)) == (poster.columns - 1, poster.rows - 1)
    pages = {(page.row, page.column): page for page in poster}
    for column, share in enumerate(across, start=1):
        left, right = pages[0, column - 1].left + poster.window[0], pages[0, column].left
        assert share * width == pytest.approx((left + right) / 2)
    for row, share in enumerate(down, start=1):
        above, below = pages[row - 1, 0].bottom, pages[row, 0].bottom + poster.window[1]
        assert height - share * height == pytest.approx((above + below) / 2)


LINE = re.compile(r"(\S+) (\S+) m (\S+) (\S+) l S")


def test_hair_lines_stand_outside_the_window_at_its_corners_and_where_a_neighbour_begins_or_ends() -> None:
    poster = Poster(1000, 1500, (595, 842), 28)
    assert (poster.rows, poster.columns) == (2, 2)
    right, top = (EDGE + side for side in poster.window)
    for page in poster:
        lines = [tuple(map(float, line)) for line in LINE.findall(poster.marks(page))]
        upright = [line for line in lines if line[0] == line[2]]
        flat = [line for line in lines if line[1] == line[3]]
        assert len(upright) + len(flat) == len(lines)
        across = right - poster.overlap if page.column == 0 else EDGE + poster.overlap
        down = EDGE + poster.overlap if page.row == 0 else top - poster.overlap
        assert sorted({x for x, *_ in upright}) == pytest.approx(sorted([EDGE, across, right]), abs=0.01)
        assert sorted({y for _, y, *_ in flat}) == pytest.approx(sorted([EDGE, down, top]), abs=0.01)
        for _, y, _, end in upright:
            assert max(y, end) <= EDGE + 0.01 or min(y, end) >= top - 0.01
        for x, _, end, _ in flat:
            assert max(x, end) <= EDGE + 0.01 or min(x, end) >= right - 0.01
        assert len(upright) == len(flat) == 6, "at both ends of the window"


def test_pages_between_others_have_lines_on_both_sides() -> None:
    poster = Poster(1500, 2200, (595, 842), 28)
    assert (poster.rows, poster.columns) == (3, 3)
    counts = [len(LINE.findall(poster.marks(page))) for page in poster]
    assert counts == [12, 14, 12, 14, 16, 14, 12, 14, 12]


def test_pages_lie_in_the_way_that_takes_fewer() -> None:
    wide = Poster.over((760, 500), PAPERS["A4"], 10)
    assert wide.page[0] > wide.page[1] and len(list(wide)) < len(list(Poster(760, 500, (595, 842), 28)))


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no poppler")
def test_the_pages_of_a_pdf_put_together_are_the_sheet(layout: Layout, album: Album, tmp_path: Path) -> None:
    look = {"paper": "A2", "dpi": 72, "title": "Crete", "background": "ivory", "caption": "name"}
    whole = _drawn(write_sheet(layout, album, tmp_path / "whole.pdf", RenderSettings(**look)))[0]  # type: ignore[arg-type]
    path = write_sheet(layout, album, tmp_path / "poster.pdf", RenderSettings(**look, poster="A4"))  # type: ignore[arg-type]
    poster = Poster.over(whole.size, PAPERS["A4"], 10)
    pages = _drawn(path)
    assert len(pages) == poster.rows * poster.columns > 4
    glued = Image.new("RGB", whole.size)
    top = poster.page[1] - EDGE - poster.window[1]
    inner = (round(EDGE), round(top), round(EDGE + poster.window[0]), round(top + poster.window[1]))
    for page, image in zip(poster, pages, strict=True):
        assert image.size == pytest.approx(poster.page, abs=1)
        glued.paste(image.crop(inner), (round(page.left), round(whole.height - page.bottom - poster.window[1])))
    difference = np.abs(np.asarray(glued, int) - np.asarray(whole, int)).mean()
    assert difference < 3
    margins = np.asarray(pages[0].convert("L"), int)[-int(EDGE) + 1 :]
    assert (margins < 200).any(), "marks stand in the margin"


def _drawn(path: Path) -> list[Image.Image]:
    subprocess.run(["pdftoppm", "-r", "72", "-png", path, path.with_suffix("")], check=True)
    return [Image.open(found).convert("RGB") for found in sorted(path.parent.glob(f"{path.stem}-*.png"))]


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no poppler")
def test_each_page_says_where_it_belongs(album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(paper="A3", dpi=72, poster="A4")
    path = write_sheet(layout_of(rectangle(2, 3), list(range(6))), album, tmp_path / "poster.pdf", settings)
    text = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout
    places = re.findall(r"row (\d) of (\d), column (\d) of (\d)", text)
    rows, columns = int(places[0][1]), int(places[0][3])
    assert [(int(row), int(column)) for row, _, column, _ in places] == [
        (row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)
    ]


@pytest.mark.parametrize(
    ("name", "poster"), [("sheet.png", "A4"), ("sheet.pdf", "1920x1080"), ("sheet.pdf", "50x50mm")]
)
def test_impossible_posters_are_refused(name: str, poster: str, layout: Layout, album: Album, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="pages"):
        write_sheet(layout, album, tmp_path / name, RenderSettings(paper="A2", dpi=72, poster=poster))


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no poppler")
def test_printers_reach_all_marks_and_the_label(album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(paper="A3", dpi=72, poster="A4")
    path = write_sheet(layout_of(rectangle(2, 3), list(range(6))), album, tmp_path / "poster.pdf", settings)
    beyond = int(10 / 25.4 * 72) - 1
    for image in _drawn(path):
        page = np.asarray(image.convert("L"), int)
        page[beyond:-beyond, beyond:-beyond] = 255
        assert page.min() > 200, "10 mm at each edge are empty"
