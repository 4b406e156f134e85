"""Papers, and the sizes of everything on them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.errors import UsageError
from album_app.layout.layout import Layout
from album_app.layout.shapes.outlines import HEXAGON_SHIFT
from album_app.layout.shapes.shape import ShapeSpec, build_shape, rectangle
from album_app.render import PAPERS, RenderSettings, filling_paper, format_of, memory_needed, parse_paper, plan_page
from album_app.render.page.plan import LARGEST_PICTURE, USUAL_CELL


def test_papers_by_name_and_size() -> None:
    assert parse_paper("a4").pixels(300) == (2480, 3508)
    assert parse_paper("A0").pixels(300) == (9933, 14043)
    assert parse_paper("Letter").points(300) == pytest.approx((612, 792))
    assert parse_paper("Legal").points(72) == pytest.approx((612, 1008))
    assert parse_paper("50 x 70 cm") == parse_paper("50x70cm") == PAPERS["50x70 cm"]
    assert parse_paper("210x297mm") == PAPERS["A4"]
    assert parse_paper("Full HD") == PAPERS["1920x1080"]
    assert parse_paper("8.5x11in").points(300) == pytest.approx((612, 792))
    assert parse_paper("3000x2000px").pixels(72) == parse_paper("3000×2000").pixels(300) == (3000, 2000)


def test_papers_have_the_sizes_that_their_names_say() -> None:
    for name, paper in PAPERS.items():
        size = [float(side) for side in name.removesuffix(" cm").split("x")] if "x" in name else []
        scale = 10 if name.endswith(" cm") else 1
        assert not size or (paper.width, paper.height) == (size[0] * scale, size[1] * scale), name
        assert paper.unit == ("px" if size and scale == 1 else "mm")
    for larger, smaller in itertools.pairwise(["A0", "A1", "A2", "A3", "A4", "A5"]):
        halved = (PAPERS[larger].height // 2, PAPERS[larger].width)
        assert (PAPERS[smaller].width, PAPERS[smaller].height) == halved
    assert (PAPERS["A0"].width, PAPERS["A0"].height) == (841, 1189)
    inches = [("Letter", 8.5, 11), ("Legal", 8.5, 14), ("Tabloid", 11, 17)]
    for name, width, height in inches:
        assert (PAPERS[name].width, PAPERS[name].height) == pytest.approx((width * 25.4, height * 25.4))


@pytest.mark.parametrize("words", ["A9", "", "x", "0x100mm", "10x", "-5x5mm", "infxinfmm"])
def test_what_is_no_paper_is_said(words: str) -> None:
    with pytest.raises(UsageError):
        parse_paper(words)


def test_paper_turns_to_where_photos_are_larger() -> None:
    wide = plan_page(rectangle(4, 10), RenderSettings(paper="A4"))
    tall = plan_page(rectangle(10, 4), RenderSettings(paper="A4"))
    assert (wide.width, wide.height) == (tall.height, tall.width) == (3508, 2480)
    forced = plan_page(rectangle(4, 10), RenderSettings(paper="A4", landscape="portrait"))
    assert forced.width < forced.height and forced.tile < wide.tile
    screen = plan_page(rectangle(10, 4), RenderSettings(paper="1920x1080"))
    assert (screen.width, screen.height) == (1920, 1080)


def test_lengths_are_millimetres_on_paper_and_pixels_elsewhere() -> None:
    paper = plan_page(rectangle(2, 2), RenderSettings(paper="A4", dpi=254, gap=3, margin=10, border=1))
    assert paper.geometry.gap == 30 and paper.border == pytest.approx(10)
    assert min(paper.geometry.left, paper.geometry.top) == pytest.approx(100, abs=1)
    cells = plan_page(rectangle(2, 3), RenderSettings(cell=50, gap=3, margin=10))
    assert (cells.width, cells.height) == (3 * 50 + 2 * 3 + 20, 2 * 50 + 3 + 20)
    screen = plan_page(rectangle(2, 3), RenderSettings(paper="1920x1080", gap=7))
    assert (screen.width, screen.height, screen.geometry.gap) == (1920, 1080, 7)


def test_too_many_photos_for_a_paper() -> None:
    with pytest.raises(UsageError, match="do not fit on A5"):
        plan_page(rectangle(300, 300), RenderSettings(paper="A5", dpi=72))
    with pytest.raises(UsageError, match="do not fit"):
        plan_page(rectangle(2, 2), RenderSettings(paper="A5", margin=500))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cell", 0),
        ("dpi", 0),
        ("gap", -1),
        ("margin", float("nan")),
        ("border", float("inf")),
        ("corner", 0.6),
        ("quality", 101),
        ("fit", "x"),
        ("caption", "all"),
        ("caption", "{title.x}"),
        ("landscape", "upside"),
        ("background", "pinkish"),
        ("background", "#ffffff80"),
        ("border_colour", "#12"),
        ("paper", "A17"),
    ],
)
def test_settings_are_checked(name: str, value: object) -> None:
    with pytest.raises(UsageError):
        RenderSettings(**{name: value})  # type: ignore[arg-type]


@given(
    rows=st.integers(1, 30),
    columns=st.integers(1, 30),
    paper=st.sampled_from(["", *PAPERS, "123x77mm"]),
    caption=st.sampled_from(["none", "name"]),
    title=st.sampled_from(["", "Title"]),
    gap=st.sampled_from([None, 0.0, 1.5]),
    shift=st.sampled_from([0.0, HEXAGON_SHIFT]),
)
def test_everything_lies_on_the_sheet_and_nothing_overlaps(
    rows: int, columns: int, paper: str, caption: str, title: str, gap: float | None, shift: float
) -> None:
    settings = RenderSettings(paper=paper, caption=caption, title=title, gap=gap, dpi=200)
    plan = plan_page(replace(rectangle(rows, columns), shift=shift), settings)
    covered = np.zeros((rows, columns, 4))
    for row in range(rows):
        for column in range(columns):
            x, y, width, height = plan.tile_rect((row, column))
            assert x >= 0 and x + width <= plan.width and y >= 0 and y + height <= plan.height
            assert width == height == plan.tile
            covered[row, column] = x, y, x + width, y + height + plan.caption
    assert (covered[:, 1:, 0] >= covered[:, :-1, 2]).all() and (covered[1:, :, 1] >= covered[:-1, :, 3]).all()
    if title:
        x, y, width, height = plan.title_rect()
        assert y >= 0 and y + height <= covered[0, 0, 1] and x >= 0 and x + width <= plan.width


def test_a_scaled_plan_keeps_its_proportions() -> None:
    plan = plan_page(rectangle(5, 7), RenderSettings(paper="A3", title="T", caption="name"))
    small = plan.scaled(0.1)
    assert small.width == pytest.approx(plan.width / 10, abs=1)
    assert small.tile == pytest.approx(plan.tile / 10) and small.points == plan.points
    assert small.title_size == pytest.approx(plan.title_size / 10)


def test_what_is_seen_of_a_photo_lies_within_its_border() -> None:
    wide = plan_page(rectangle(3, 4), RenderSettings(paper="A4", dpi=254, gap=0, margin=0, border=2, fit_paper=True))
    _, _, width, height = wide.geometry.rect((1, 1))
    assert width != height and wide.border == pytest.approx(20)
    assert wide.aspect((1, 1)) == pytest.approx((width - 40) / (height - 40))
    aspects = np.array([4.0, 1.0, 0.25, 1.0])
    shape = replace(rectangle(2, 2), is_justified=True)
    rows = plan_page(
        Layout(shape, np.arange(4), np.zeros(4), aspects=aspects), RenderSettings(cell=100, gap=0, border=25)
    )
    assert rows.border == 25
    for cell in ((0, 0), (0, 1), (1, 0), (1, 1)):
        _, _, width, height = rows.geometry.rect(cell)
        border = min(25, width / 4, height / 4)
        assert rows.aspect(cell) == pytest.approx((width - 2 * border) / (height - 2 * border))


def test_where_rows_are_shifted_those_that_touch_the_edge_of_the_paper_go_on_beyond_it() -> None:
    shape = replace(rectangle(3, 4), shift=HEXAGON_SHIFT)
    plan = plan_page(shape, RenderSettings(cell=40, gap=0, margin=0, bleed=5))
    assert plan.size == (4 * 40 + 20 + 10, 3 * 40 + 10)
    ends = [[plan.tile_rect((row, column)) for column in (0, 3)] for row in range(3)]
    assert [(first[0], last[0] + last[2]) for first, last in ends] == [(0, 165), (25, 190), (0, 165)]
    assert [(first[1], first[3]) for first, _ in ends] == [(0, 45), (45, 40), (85, 45)]


def test_photos_are_smaller_where_a_picture_of_them_all_would_not_fit_into_memory() -> None:
    assert plan_page(rectangle(16, 20), RenderSettings()).tile == USUAL_CELL
    for rows, columns in ((1, 100_000), (250, 400), (100_000, 1), (120, 150)):
        plan = plan_page(rectangle(rows, columns), RenderSettings())
        assert plan.tile < USUAL_CELL and plan.width * plan.height < 1.3 * LARGEST_PICTURE
        assert memory_needed(format_of("sheet.png"), plan) < 1e9
    assert plan_page(rectangle(250, 400), RenderSettings(cell=96)).tile == 96, "what is asked for is done"
    assert plan_page(rectangle(250, 400), RenderSettings(paper="A0")).tile < 96, "a paper has its own size"


@pytest.mark.parametrize("caption", ["none", "name"])
@pytest.mark.parametrize("paper", ["A4", "300x200mm", "1920x1080px"])
def test_rows_of_whole_photos_fill_a_paper_with_gaps_and_captions(paper: str, caption: str) -> None:
    aspects = np.random.default_rng(1).choice([2 / 3, 1.0, 4 / 3, 3 / 2], 150)
    settings = RenderSettings(paper=paper, dpi=100, caption=caption)
    spec = replace(filling_paper(ShapeSpec("rows"), 150, settings), photo_aspect=float(aspects.mean()))
    shape = build_shape(spec, 150)
    layout = Layout(shape, np.arange(150), np.zeros(150), aspects=aspects)
    plan = plan_page(layout, settings)
    x, y, width, height = plan.geometry.rects.T
    assert x.min() >= 0 and y.min() >= 0 and (x + width).max() <= plan.width and (y + height).max() <= plan.height
    assert width / (height - plan.caption) == pytest.approx(aspects, rel=1e-3), "every photo is whole"
    covered = (width * height).sum() / (plan.width * plan.height)
    assert covered > 0.7, "and little of the paper stays empty"


def test_marks_point_along_the_edges_of_the_paper_and_lie_alike_on_all_its_sides() -> None:
    plan = plan_page(rectangle(4, 6), RenderSettings(paper="A5", dpi=300, bleed=3, cut_marks=True))
    marks, (width, height) = np.array(plan.marks), plan.size
    assert len(marks) == 8 and marks.min() >= 0
    x, y, wide, high = marks.T
    assert ((x + wide) <= width).all() and ((y + high) <= height).all()
    ends = (x == 0) | (y == 0) | np.isclose(x + wide, width) | np.isclose(y + high, height)
    assert ends.all(), "each begins at the edge of the page"
    for mirrored in ((width - x - wide, y, wide, high), (x, height - y - high, wide, high)):
        assert np.array(sorted(np.transpose(mirrored).tolist())) == pytest.approx(
            np.array(sorted(marks.tolist())), abs=1e-6
        )
    edges = (plan.trim, width - plan.trim), (plan.trim, height - plan.trim)
    for middles, sides, long in ((x + wide / 2, edges[0], high > wide), (y + high / 2, edges[1], wide > high)):
        away = np.abs(middles[long][:, None] - np.array(sides)).min(axis=1)
        assert long.sum() == 4 and away == pytest.approx(np.zeros(4), abs=0.01), "along where the paper is cut"
