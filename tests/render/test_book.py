"""A book as files: a page each, a cover with the title, numbered pictures, all of them or none."""

from dataclasses import replace
from datetime import datetime
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import AlbumError
from album_app.layout.editing.book import page_title
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import book, rectangle
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.header import CAMERA, FILE, Metadata
from album_app.render import RenderSettings, files_of, format_of, plan_page, preview
from album_app.render.book import book_sheets, plan_book_page, plan_for, representative, side_by_side
from album_app.render.formats.format import PixelFormat
from album_app.render.page.compose import Sheet
from album_app.render.page.plan import PagePlan
from tests.fonts import MakeFont
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

SMALL = RenderSettings(cell=60, dpi=96)


@pytest.fixture
def pages() -> Layout:
    """Six photos on three pages of one row with two cells."""
    shape = book(3, 1, 2)
    layout = layout_of(shape, [-1] * 6)
    photo_at = layout.photo_at.copy()
    photo_at[shape.reading] = range(6)
    return replace(layout, photo_at=photo_at)


def drawn_pages(pages: Layout, album: Album, settings: RenderSettings) -> list[Sheet]:
    return book_sheets(pages, album.photos, plan_book_page(pages.shape, settings), settings)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".tif"])
def test_pictures_are_numbered_and_hold_a_page_each(pages: Layout, album: Album, tmp_path: Path, suffix: str) -> None:
    first = write_sheet(pages, album, tmp_path / f"trip{suffix}", SMALL)
    names = [f"trip-0{number}{suffix}" for number in (1, 2, 3)]
    assert sorted(file.name for file in tmp_path.iterdir()) == names and first.name == names[0]
    plan = plan_book_page(pages.shape, SMALL)
    for number, name in enumerate(names):
        with Image.open(tmp_path / name) as image:
            assert image.size == plan.size
            for column in (0, 1):
                x, y, width, height = plan.tile_rect((0, column))
                pixel = image.convert("RGB").getpixel((x + width // 2, y + height // 2))
                assert near(pixel, COLOURS[2 * number + column])


def test_a_title_has_a_cover_of_its_own(pages: Layout, album: Album, tmp_path: Path) -> None:
    settings = replace(SMALL, title="Crete")
    write_sheet(pages, album, tmp_path / "trip.svg", settings)
    files = files_of(pages.shape, tmp_path / "trip.svg", settings)
    assert [file.name for file in files] == ["trip-00.svg", "trip-01.svg", "trip-02.svg", "trip-03.svg"]
    texts = [file.read_text() for file in files]
    assert ["Crete</text>" in text for text in texts] == [True, False, False, False]
    assert [text.count("<image") for text in texts] == [1, 2, 2, 2]
    assert [">2</text>" in text for text in texts] == [False, False, True, False]


def test_a_pdf_has_a_page_for_each(pages: Layout, album: Album, tmp_path: Path) -> None:
    settings = replace(SMALL, title="Crete", paper="A5", bleed=3, cut_marks=True)
    content = write_sheet(pages, album, tmp_path / "trip.pdf", settings).read_bytes()
    assert content.count(b"/Type /Page ") == 4 and b"/Count 4" in content
    assert content.count(b"/TrimBox") == 4 and content.count(b"/Subtype /Image") == 7
    assert [file.name for file in tmp_path.iterdir()] == ["trip.pdf"]


def test_a_web_page_has_pages_side_by_side(pages: Layout, album: Album, tmp_path: Path) -> None:
    text = write_sheet(pages, album, tmp_path / "trip.html", SMALL).read_text()
    assert all(f',"{number}",' in text for number in (1, 2, 3))
    assert [file.name for file in tmp_path.iterdir()] == ["trip.html"]


@pytest.mark.parametrize(
    ("titles", "below"),
    [("number", ["1", "2"]), ("date", ["1 · 1–2 May 2024", "2 · 3–4 May 2024"]), ("none", [])],
)
def test_what_stands_below_a_page(pages: Layout, album: Album, titles: str, below: list[str]) -> None:
    sheets = drawn_pages(pages, album, replace(SMALL, page_titles=titles))
    assert [label.text for sheet in sheets[:2] for label in sheet.labels] == below
    for label in (label for sheet in sheets for label in sheet.labels):
        plan = sheets[0].plan
        assert plan.height - plan.geometry.bottom < label.y < plan.height


def test_dates_that_only_files_tell_are_called_so() -> None:
    by_file = [Photo(Path("a"), "a", 1, 1, 4, 3, datetime(2026, 7, day), FILE) for day in (6, 4)]
    assert page_title(2, by_file) == "2 · 4–6 July 2026 (the file's time)"
    by_camera = Photo(Path("b"), "b", 1, 1, 4, 3, datetime(2026, 8, 1), CAMERA)
    assert page_title(2, [*by_file, by_camera]) == "2 · 1 August 2026"


@pytest.mark.parametrize(("titles", "below"), [("number", 3), ("none", 0)])
def test_pages_without_titles_have_none_on_paper_nor_side_by_side(
    pages: Layout, album: Album, titles: str, below: int
) -> None:
    settings = RenderSettings(paper="A5", dpi=96, page_titles=titles)
    assert sum(len(sheet.labels) for sheet in drawn_pages(pages, album, settings)) == below
    plan = plan_for(pages, settings, format_of("trip.html"))
    assert len(side_by_side(pages, album.photos, plan, settings).labels) == below


def test_side_by_side_every_number_stands_below_the_middle_of_its_page(pages: Layout, album: Album) -> None:
    sheet = side_by_side(pages, album.photos, plan_for(pages, SMALL, format_of("trip.html")), SMALL)
    assert [label.text for label in sheet.labels] == ["1", "2", "3"]
    for number, label in enumerate(sheet.labels):
        rects = np.array(
            [sheet.plan.geometry.rect(cell) for photo in (2 * number, 2 * number + 1) for cell in sheet.cells[photo]]
        )
        left, right = rects[:, 0].min(), (rects[:, 0] + rects[:, 2]).max()
        assert label.x == pytest.approx((left + right) / 2, abs=0.01)
        assert label.y > (rects[:, 1] + rects[:, 3]).max()


@pytest.mark.parametrize("way", ["portrait", "landscape"])
def test_a_cover_of_photos_shows_the_first_and_the_last_in_a_grid_in_the_middle(
    pages: Layout, album: Album, way: str
) -> None:
    settings = RenderSettings(paper="A5", dpi=100, landscape=way, title="Crete", cover="photos")
    (cover, *_) = drawn_pages(pages, album, settings)
    assert min(cover.cells) == 0 and max(cover.cells) == 5
    x, y, width, height = np.array([cover.plan.geometry.rect(cell) for (cell,) in cover.cells.values()]).T
    assert x.min() == pytest.approx(cover.plan.width - (x + width).max()), "as far from the left as from the right"
    assert width == pytest.approx(height, rel=0.05)
    steps = np.diff(np.unique(x.round(3)))
    assert steps == pytest.approx(np.full(len(steps), width[0] + cover.plan.geometry.gap), abs=0.01)
    assert (x + width).max() - x.min() <= 0.9 * cover.plan.width and (y + height).max() < cover.labels[0].y


def test_without_a_margin_nothing_stands_below(pages: Layout, album: Album) -> None:
    assert not any(sheet.labels for sheet in drawn_pages(pages, album, replace(SMALL, margin=0)))


def test_all_pages_or_none(pages: Layout, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trip-01.png").write_bytes(b"old")
    written = []

    def fail_at_last(kind: PixelFormat, file: object, *rest: object) -> None:
        written.append(file)
        if len(written) == 3:
            raise OSError(28, "full")

    monkeypatch.setattr(PixelFormat, "write", fail_at_last)
    with pytest.raises(AlbumError, match="not enough space"):
        write_sheet(pages, album, tmp_path / "trip.png", SMALL, agreed=True)
    assert len(written) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["trip-01.png"]
    assert (tmp_path / "trip-01.png").read_bytes() == b"old"


def test_no_page_replaces_a_photo(pages: Layout, album: Album) -> None:
    folder = album.photos[0].path.parent
    original = folder / "photo-01.png"
    with Image.open(album.photos[0].path) as image:
        image.save(original)
    known = replace(album, photos=(replace(album.photos[0], path=original), *album.photos[1:]))
    with pytest.raises(AlbumError, match=r"photo-01\.png could not be written: it belongs to the album"):
        write_sheet(pages, known, folder / "photo.png", SMALL)
    original.unlink()


def test_a_preview_shows_all_pages(pages: Layout, album: Album) -> None:
    pictures = [None] * 6
    whole = preview(pages, pictures, replace(SMALL, title="Crete", paper="A5"), 400, album=album)
    assert max(whole.size) <= 400
    assert near(whole.getpixel((2, 2)), (255, 255, 255))
    on_red = preview(pages, pictures, replace(SMALL, title="Crete", paper="A5"), 400, album=album, around="#ff0000")
    red = [colour for _, colour in on_red.getcolors(100_000) if near(colour, (255, 0, 0))]
    assert red and on_red.getpixel((2, 2)) == whole.getpixel((2, 2)), "between the pages alone"


def test_a_preview_lays_the_pages_out_in_rows_with_a_gap_between_them(pages: Layout, album: Album) -> None:
    whole = preview(pages, [None] * 6, RenderSettings(paper="A5"), 2000, album=album, around="#ff0000")
    seen = np.abs(np.asarray(whole.convert("RGB"), int) - [255, 0, 0]).sum(axis=2) > 60
    across = pages.shape.pages.across if pages.shape.pages is not None else 1
    assert across == 2, "three pages: two in the first row, one in the second"
    height, width = seen.shape
    gap = 0.05 * min(width / 2.05, height / 2.05)
    page = (width - gap) / 2, (height - gap) / 2
    assert page[1] / page[0] == pytest.approx(148 / 210, rel=0.02)
    for row, column, there in ((0, 0, True), (0, 1, True), (1, 0, True), (1, 1, False)):
        left, top = column * (page[0] + gap), row * (page[1] + gap)
        inside = seen[round(top) + 3 : round(top + page[1]) - 3, round(left) + 3 : round(left + page[0]) - 3]
        assert inside.all() == there and inside.any() == there


def test_a_preview_shows_a_book_on_a_web_page_as_one_sheet_below_its_title(pages: Layout, album: Album) -> None:
    settings, kind = replace(SMALL, title="Crete"), format_of("crete.html")
    plan = plan_for(pages, settings, kind)
    assert preview(pages, [None] * 6, settings, 10_000, album=album, kind=kind).size == plan.size
    assert preview(pages, [None] * 6, settings, 10_000, album=album, kind=format_of("crete.pdf")).size != plan.size


def ended(pages: Layout, photos: int) -> Layout:
    """The book with its first photos alone, the last page partly empty, and pages that its photos fill."""
    shape = replace(book(2, 2, 3), fills_pages=True)
    photo_at = np.full(shape.count, -1)
    photo_at[shape.reading[:photos]] = np.arange(photos)
    return Layout(shape, photo_at, np.zeros(shape.count), aspects=np.array([1.5, 0.7, 1.0, 1.3, 0.6, 1.8] * 2))


@pytest.mark.parametrize("photos", range(1, 12))
@pytest.mark.parametrize("caption", [0.0, 0.2])
def test_photos_of_a_sparse_page_fill_it_and_never_overlap(pages: Layout, photos: int, caption: float) -> None:
    layout = ended(pages, photos)
    frames = layout.frames(0.05, caption)
    shown = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]]
    assert sorted(shown[shown >= 0]) == list(range(photos)), "each photo once"
    on_page = layout.shape.pages.page_of(frames.cells) if layout.shape.pages is not None else np.zeros(len(frames))
    for page, (top, left) in enumerate([(0, 0), layout.shape.pages.origin(1)] if layout.shape.pages else []):
        boxes = frames.boxes[(on_page == page) & (shown >= 0)]
        x, y, width, height = boxes.T
        assert (x >= left - 1e-9).all() and (x + width <= left + 3 + 1e-9).all()
        assert (y >= top - 1e-9).all() and (y + height <= top + 2 + 1e-9).all()
        for one, other in combinations(boxes, 2):
            apart = np.maximum(one[:2] - other[:2] - other[2:], other[:2] - one[:2] - one[2:]).max()
            assert apart >= -1e-9
        if 1 < len(boxes) < 6:
            assert (width * height).sum() > 0.7 * 6, "little of the page stays free"
    assert all(frames.of((row, column)) >= 0 for row, column in layout.shape.cells.tolist())


def test_whole_photos_keep_their_proportions_on_a_sparse_page(pages: Layout) -> None:
    layout = ended(pages, 10)
    layout = replace(layout, shape=replace(layout.shape, is_justified=True))
    frames = layout.frames(0.05, 0.1)
    photos = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]]
    last = np.flatnonzero(photos >= 6)
    seen = frames.boxes[last, 2:] - (0.05, 0.15)
    assert len(last) == 4 and layout.aspects is not None
    assert seen[:, 0] / seen[:, 1] == pytest.approx(layout.aspects[photos[last]])


def test_a_sparse_page_stays_as_it_is_in_a_book_of_fixed_cells(pages: Layout) -> None:
    layout = ended(pages, 8)
    fixed = replace(layout, shape=replace(layout.shape, fills_pages=False))
    assert (fixed.frames().boxes[:, 2:] == 1).all()


def test_a_large_photo_stays_larger_than_others_of_a_sparse_page(pages: Layout) -> None:
    layout = ended(pages, 0)
    photo_at = layout.photo_at.copy()
    photo_at[layout.shape.reading[[0, 1, 3, 4]]] = 2
    photo_at[layout.shape.reading[[2, 5]]] = [0, 1]
    photo_at[layout.shape.reading[6:10]] = 3
    photo_at[layout.shape.reading[[6, 7, 9, 10]]] = 3
    photo_at[layout.shape.reading[8]] = 4
    layout = replace(layout, photo_at=photo_at, sizes={2: 2, 3: 2})
    frames = layout.frames()
    areas = {
        int(layout.photo_at[layout.shape.index_of(frames.cell(number))]): float(np.prod(frames.boxes[number, 2:]))
        for number in range(len(frames))
    }
    assert areas[2] == 4.0, "a full page keeps its frames"
    assert areas[3] > areas[4]


def test_the_number_of_a_page_stands_ten_millimetres_from_its_edge(pages: Layout, album: Album) -> None:
    sheet = drawn_pages(pages, album, RenderSettings(paper="A4", dpi=254))[1]
    (label,) = sheet.labels
    assert label.text == "2" and label.size == pytest.approx(8 / 72 * 254)
    assert sheet.plan.height - label.y == pytest.approx(100)
    lowest = max(sheet.plan.tile_rect((0, column))[1] + sheet.plan.tile_rect((0, column))[3] for column in (0, 1))
    assert lowest < label.y - label.size, "and below the photos"


def test_a_cover_shows_the_photo_that_was_chosen_with_title_and_subtitle(pages: Layout, album: Album) -> None:
    name = album.photos[3].name
    settings = RenderSettings(paper="A5", dpi=100, title="Crete", subtitle="Two weeks in May", cover=name)
    cover = drawn_pages(pages, album, settings)[0]
    assert list(cover.cells) == [3] and [label.text for label in cover.labels] == ["Crete", "Two weeks in May"]
    x, y, width, height = cover.plan.tile_rect((0, 0))
    title, subtitle = cover.labels
    assert x > 0 and x + width < cover.plan.width and y > 0
    assert y + height < title.y - 0.7 * title.size < title.y < subtitle.y - 0.7 * subtitle.size
    assert subtitle.y < cover.plan.height and subtitle.size < title.size
    bare = drawn_pages(pages, album, replace(settings, cover="none"))[0]
    assert not bare.cells and len(bare.labels) == 2
    many = drawn_pages(pages, album, replace(settings, cover="photos"))[0]
    assert len(many.cells) > 1 and all(len(cells) == 1 for cells in many.cells.values())


@pytest.mark.parametrize("photo", [0, 1], ids=["as wide as can be", "as high as can be"])
def test_on_paper_with_a_bleed_the_cover_is_the_same_within_the_cut(pages: Layout, album: Album, photo: int) -> None:
    words = {"title": "Crete", "subtitle": "Two weeks in May", "cover": album.photos[photo].name}
    settings = RenderSettings(paper="A5", dpi=254, **words)
    plain, wide = (drawn_pages(pages, album, replace(settings, bleed=bleed))[0] for bleed in (0, 5))
    trim = wide.plan.trim
    assert trim == pytest.approx(50)
    (one,), (other,) = (list(cover.cells.values()) for cover in (plain, wide))
    moved = np.array(wide.plan.geometry.rect(other[0])) - [trim, trim, 0, 0]
    assert moved == pytest.approx(np.array(plain.plan.geometry.rect(one[0])), abs=1.5)
    for label, same in zip(wide.labels, plain.labels, strict=True):
        assert (label.x - trim, label.y - trim, label.size) == pytest.approx((same.x, same.y, same.size), abs=1.5)


def test_a_rated_photo_goes_on_the_cover(pages: Layout, album: Album) -> None:
    photos = list(album.photos)
    photos[4] = replace(photos[4], metadata=replace(photos[4].metadata, rating=5))
    rated = replace(album, photos=tuple(photos))
    assert list(drawn_pages(pages, rated, RenderSettings(title="Crete"))[0].cells) == [4]


def test_chapters_begin_with_their_titles_above_the_photos(pages: Layout, album: Album) -> None:
    dates = [datetime(2024, 5, 3), datetime(2024, 5, 9), *[datetime(2024, 8, 1)] * 4]
    photos = [replace(photo, taken=day, taken_by=CAMERA) for photo, day in zip(album.photos, dates, strict=False)]
    settings = RenderSettings(paper="A4", dpi=100, page_titles="chapter")
    dated = replace(album, photos=(*photos, *album.photos[6:]))
    sheets = drawn_pages(pages, dated, settings)
    assert [[label.text for label in sheet.labels] for sheet in sheets] == [
        ["May 2024", "1"],
        ["August 2024", "2"],
        ["3"],
    ]
    assert sheets[0].labels[0].y < sheets[0].plan.tile_rect((0, 0))[1]
    for sheet in sheets[:2]:
        (x, y, width, height), plain = sheet.plan.tile_rect((0, 1)), sheets[2].plan.tile_rect((0, 1))
        assert y + height <= sheet.plan.height and x + width <= sheet.plan.width and height > 0.6 * plain[3]
    back = replace(dated, photos=(*photos[::-1], *album.photos[6:]))
    assert [len(sheet.labels) for sheet in drawn_pages(pages, back, settings)] == [1, 1, 1], "not in the order of time"


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


@pytest.mark.parametrize("paper", ["A5", "400x100mm", "100x400mm", "1920x1080", "210x210mm"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 12, 20])
def test_a_cover_of_any_number_of_photos_has_a_cell_for_each(count: int, paper: str) -> None:
    known, shape = photos(*[900] * count, height=600), book(-(-count // 6), 2, 3)
    photo_at = np.full(shape.count, -1)
    photo_at[shape.reading[:count]] = np.arange(count)
    layout = Layout(shape, photo_at, np.zeros(shape.count))
    settings = RenderSettings(paper=paper, dpi=72, landscape="landscape", title="Crete", cover="photos")
    cover = book_sheets(layout, known, plan_book_page(shape, settings), settings)[0]
    rects = np.array([cover.plan.geometry.rect(cell) for (cell,) in cover.cells.values()])
    assert len(np.unique(rects[:, :2], axis=0)) == len(rects) == len(cover.cells) <= count
    assert (rects[:, :2] >= 0).all() and (rects[:, :2] + rects[:, 2:] <= cover.plan.size).all()


@pytest.mark.parametrize(("gap", "expected"), [(0.0, 0), (2.54, 10)])
def test_the_photos_of_a_cover_keep_the_gap_that_was_asked_for(
    pages: Layout, album: Album, gap: float, expected: int
) -> None:
    settings = RenderSettings(paper="A5", dpi=100, title="Crete", cover="photos", gap=gap)
    cover = drawn_pages(pages, album, settings)[0]
    x, _, width, _ = np.array([cover.plan.geometry.rect(cell) for (cell,) in cover.cells.values()]).T
    assert np.diff(np.unique(x.round(2))) - width[0] == pytest.approx(expected, abs=0.02)


def test_the_texts_of_a_book_have_one_font(pages: Layout, album: Album, no_fonts: None, make_font: MakeFont) -> None:
    """The built-in font has no dash between two dates; then the title is in the font that has all letters, too."""
    letters = "".join(sorted(set("Crete 2024–May123456789")))
    make_font("Whole", {letter: [(0, 0, 400, 700)] for letter in letters})
    dates = [datetime(2024, 5, 3 + 2 * k) for k in range(6)]
    known = [replace(photo, taken=day, taken_by=CAMERA) for photo, day in zip(album.photos, dates, strict=False)]
    settings = RenderSettings(paper="A4", dpi=100, page_titles="chapter", title="Crete")
    sheets = drawn_pages(pages, replace(album, photos=(*known, *album.photos[6:])), settings)
    labels = [label for sheet in sheets for label in sheet.labels]
    assert any("–" in label.text for label in labels) and labels[0].text == "Crete"
    assert {label.face.name for label in labels if label.face is not None} == {"Whole"}
    assert all(label.face is not None for label in labels)


def test_the_title_of_a_chapter_is_ten_millimetres_from_the_edge_of_the_paper(pages: Layout, album: Album) -> None:
    known = [replace(photo, taken=datetime(2024, 5, 3), taken_by=CAMERA) for photo in album.photos]
    settings = RenderSettings(paper="A4", dpi=254, page_titles="chapter", margin=2)
    sheet = drawn_pages(pages, replace(album, photos=tuple(known)), settings)[0]
    title = sheet.labels[0]
    assert title.y - 0.7 * title.size >= 99 and title.y < sheet.plan.tile_rect((0, 0))[1]
