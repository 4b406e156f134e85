"""Papers and screens that are filled: no holes, next to nothing left over, and a title with room of its own."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from album_app.errors import UsageError
from album_app.layout.shapes.shape import LeftOver, ShapeSpec, build_shape, filling_rectangle, rectangle
from album_app.photos.album import Album, Photo
from album_app.render import RenderSettings, filling_paper, parse_paper, plan_page, spec_for_paper
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

PAPERS = [("3840x2160", None), ("1920x1080", 0), ("50x70cm", 0), *[(f"A{i}", None) for i in range(6)], ("700x500mm", 5)]


def left_over_of(aspect: float) -> LeftOver:
    """What square cells leave of an area with this width by height."""
    return lambda rows, columns: 1 - np.minimum(columns / rows / aspect, rows / columns * aspect)


def left_over(photos: int, settings: RenderSettings) -> float:
    """The share of a sheet within its margins and below its title that no cell covers."""
    shape = build_shape(spec_for_paper(photos, settings), photos)
    assert 0.5 * photos < shape.count <= photos
    plan = plan_page(shape, settings)
    geometry = plan.geometry
    assert 0.88 < geometry.cell_width / (geometry.cell_height - plan.caption) < 1.14
    scale = plan.dpi / 25.4 if parse_paper(settings.paper).unit == "mm" else 1
    margin = 0.04 * min(plan.width, plan.height) if settings.margin is None else settings.margin * scale
    room = (plan.width - 2 * margin) * (plan.height - 2 * margin - plan.header)
    across = plan.width - geometry.left - geometry.right
    down = plan.height - geometry.top - geometry.bottom
    return 1 - across * down / room


@pytest.mark.parametrize(("paper", "margin"), PAPERS)
@pytest.mark.parametrize("photos", [57, 100, 320, 1013])
@pytest.mark.parametrize("title", ["", "Crete"])
def test_papers_and_screens_are_covered(paper: str, margin: float | None, photos: int, title: str) -> None:
    assert left_over(photos, RenderSettings(paper=paper, margin=margin, title=title, fit_paper=True)) <= 0.01


@pytest.mark.parametrize("settings", [{"gap": 3}, {"caption": "name"}, {"gap": 0}, {"landscape": "landscape"}])
def test_gaps_captions_and_orientation_are_reckoned_with(settings: dict[str, object]) -> None:
    assert left_over(320, RenderSettings(paper="A3", fit_paper=True, **settings)) <= 0.01  # type: ignore[arg-type]


def test_a_paper_lies_as_it_is_named_unless_it_is_turned() -> None:
    def wide(**settings: str) -> bool:
        spec = spec_for_paper(320, RenderSettings(**settings))  # type: ignore[arg-type]
        plan = plan_page(rectangle(spec.rows, spec.columns), RenderSettings(**settings))  # type: ignore[arg-type]
        assert (plan.width > plan.height) is (spec.columns > spec.rows)
        return spec.columns > spec.rows

    assert not wide(paper="A4") and not wide(paper="50x70cm") and wide(paper="70x50cm")
    assert wide(paper="A4", landscape="landscape") and not wide(paper="70x50cm", landscape="portrait")


@given(photos=st.integers(1, 3000), aspect=st.floats(0.3, 3))
def test_a_filling_rectangle_has_no_hole_and_leaves_few_out(photos: int, aspect: float) -> None:
    rows, columns = filling_rectangle(photos, left_over_of(aspect))
    assert 1 <= rows * columns <= photos
    if photos >= 300:
        assert rows * columns >= 0.9 * photos
        assert left_over_of(aspect)(np.array([rows]), np.array([columns]))[0] <= 0.1


def test_known_rectangles() -> None:
    assert filling_rectangle(12, left_over_of(4 / 3)) == (3, 4)
    assert filling_rectangle(13, left_over_of(4 / 3)) == (3, 4)
    assert filling_rectangle(100, left_over_of(1)) == (10, 10)
    assert filling_rectangle(1, left_over_of(2)) == (1, 1)


def test_without_a_paper_there_is_nothing_to_fit() -> None:
    with pytest.raises(UsageError, match="is no paper"):
        spec_for_paper(10, RenderSettings())


def test_a_title_turns_no_paper() -> None:
    for rows in range(3, 30):
        for columns in range(3, 30):
            plans = [plan_page(rectangle(rows, columns), RenderSettings(paper="A4", title=t)) for t in ("", "Crete")]
            assert plans[0].width == plans[1].width


@pytest.mark.parametrize("margin", [0.0, 2.0, None])
@pytest.mark.parametrize("paper", ["", "A5", "1920x1080"])
def test_a_title_never_touches_the_edge_nor_the_photos(
    margin: float | None, paper: str, album: Album, tmp_path: Path
) -> None:
    title = "MÅgQ| a very long title that goes on and on, and on and on, until there is no room left for it at all"
    settings = RenderSettings(cell=80, paper=paper, dpi=100, margin=margin, title=title, background="white")
    layout = layout_of(rectangle(2, 3), list(range(6)))
    plan = plan_page(layout.shape, settings)
    sheet = np.asarray(Image.open(write_sheet(layout, album, tmp_path / "sheet.png", settings)).convert("L"))
    rows = np.flatnonzero((sheet[: round(plan.geometry.top)] < 200).any(axis=1))
    columns = np.flatnonzero((sheet[: round(plan.geometry.top)] < 200).any(axis=0))
    room = 0.25 * plan.title_size
    assert rows[0] >= room and columns[0] >= room and columns[-1] < plan.width - room
    assert rows[-1] <= plan.geometry.top - room


@pytest.mark.parametrize(("letters", "whole"), [(20, True), (90, True), (400, False)])
def test_a_long_title_is_set_smaller_before_words_are_left_out(
    letters: int, whole: bool, album: Album, tmp_path: Path
) -> None:
    title = " ".join(["Abcdefghi"] * (letters // 10))
    layout = layout_of(rectangle(2, 3), list(range(6)))
    sheet = write_sheet(layout, album, tmp_path / "sheet.svg", RenderSettings(paper="A4", title=title)).read_text()
    assert (f">{title}</text>" in sheet) == whole


def test_a_photo_fills_a_cell_that_is_not_square_without_being_stretched(tmp_path: Path) -> None:
    wheel = Image.new("L", (400, 400))
    ImageDraw.Draw(wheel).ellipse((100, 100, 300, 300), fill=255)
    path = tmp_path / "wheel.png"
    wheel.convert("RGB").save(path)
    album = Album((tmp_path,), (Photo(path, path.name, 1, 0, 400, 400),))
    settings = RenderSettings(paper="440x400px", margin=0, fit_paper=True)
    sheet = Image.open(write_sheet(layout_of(rectangle(1, 1), [0]), album, tmp_path / "sheet.png", settings))
    assert sheet.size == (440, 400)
    left, top, right, bottom = sheet.convert("L").point(lambda value: 255 * (value > 128)).getbbox()  # type: ignore
    assert abs((right - left) - (bottom - top)) <= 2 and right - left == pytest.approx(220, abs=3)


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_with_a_bleed_photos_go_on_beyond_the_edge(suffix: str, album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(paper="100x150mm", dpi=127, margin=0, gap=0, fit_paper=True, bleed=3)
    plan = plan_page(rectangle(3, 2), settings)
    assert (plan.width, plan.height) == (500 + 30, 750 + 30)
    assert plan.tile_rect((0, 0)) == (0, 0, 265, 265) and plan.tile_rect((1, 1)) == (265, 265, 265, 250)
    assert plan.tile_rect((2, 1)) == (265, 515, 265, 265)
    path = write_sheet(layout_of(rectangle(3, 2), list(range(6))), album, tmp_path / f"sheet.{suffix}", settings)
    if suffix == "png":
        image = Image.open(path)
        assert image.size == (530, 780)
        for corner, colour in (((0, 0), 0), ((529, 0), 1), ((0, 779), 4), ((529, 779), 5)):
            assert near(image.getpixel(corner), COLOURS[colour])
    elif suffix == "pdf":
        data = path.read_bytes()
        points = [round(mm * 72 / 25.4, 2) for mm in (106, 156, 3, 103, 153)]
        boxes = {name: numbers(data, name) for name in (b"MediaBox", b"TrimBox", b"BleedBox")}
        assert boxes[b"MediaBox"] == boxes[b"BleedBox"] == pytest.approx([0, 0, *points[:2]], abs=0.02)
        assert boxes[b"TrimBox"] == pytest.approx([points[2], points[2], *points[3:]], abs=0.02)


def numbers(data: bytes, name: bytes) -> list[float]:
    return [float(number) for number in re.search(rb"/%s \[([^]]*)\]" % name, data)[1].split()]  # type: ignore[index]


def test_a_photo_within_its_margin_stays_there(album: Album) -> None:
    settings = RenderSettings(paper="A5", margin=5, bleed=3)
    bare = plan_page(rectangle(2, 3), RenderSettings(paper="A5", margin=5))
    plan = plan_page(rectangle(2, 3), settings)
    x, y, width, height = bare.tile_rect((0, 0))
    assert plan.tile_rect((0, 0)) == (x + plan.bleed, y + plan.bleed, width, height)


def test_cut_marks_point_at_the_papers_corners_and_stay_off_the_print(album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(paper="100x150mm", dpi=254, bleed=3, cut_marks=True, background="teal", margin=10)
    layout = layout_of(rectangle(3, 2), list(range(6)))
    plan = plan_page(layout.shape, settings)
    sheet = np.asarray(Image.open(write_sheet(layout, album, tmp_path / "sheet.png", settings)).convert("L"), int)
    trim = round(plan.trim)
    assert (plan.width, plan.height) == (1000 + 2 * trim, 1500 + 2 * trim) and trim == 30 + 80
    assert np.flatnonzero(sheet[5] < 100) == pytest.approx([trim, trim + 1000], abs=1)
    assert (sheet[trim - 30 : trim, 200:900] == sheet[trim + 10, 300]).all()  # the background goes on into the bleed
    assert (sheet[70:78, 200:900] == 255).all()
    teal = sheet[trim + 10, 300]
    for way in (sheet, sheet[::-1], sheet.T, sheet.T[::-1]):
        assert (way[trim - 29 : trim, 300:700] == teal).all() and (way[70:78, 300:700] == 255).all(), (
            "on all four sides"
        )


def test_the_boxes_of_a_pdf_with_cut_marks_say_where_it_is_cut(album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(paper="100x150mm", bleed=3, cut_marks=True)
    written = write_sheet(layout_of(rectangle(3, 2), list(range(6))), album, tmp_path / "sheet.pdf", settings)
    data = Path(written).read_bytes()
    points = 72 / 25.4
    boxes = {name: numbers(data, name) for name in (b"MediaBox", b"BleedBox", b"TrimBox")}
    sizes = {name: [(box[2] - box[0]) / points, (box[3] - box[1]) / points] for name, box in boxes.items()}
    assert sizes[b"TrimBox"] == pytest.approx([100, 150], abs=0.05)
    assert sizes[b"BleedBox"] == pytest.approx([106, 156], abs=0.1)
    assert sizes[b"MediaBox"] == pytest.approx([122, 172], abs=0.2)  # whole pixels


@pytest.mark.parametrize(
    "spec", [ShapeSpec("heart"), ShapeSpec("text", text="NEW\\nYORK"), ShapeSpec("text", text="ROME", wrap=True)]
)
def test_a_shape_without_a_choice_stays_as_it_is_on_any_paper(spec: ShapeSpec) -> None:
    assert filling_paper(spec, 300, RenderSettings(paper="A2")) is spec
