"""A book as files: a page each, a cover with the title, numbered pictures, all of them or none."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from album_app.errors import AlbumError
from album_app.layout.editing.book import page_title
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import book
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.dates import CAMERA, FILE
from album_app.render import RenderSettings, files_of, preview
from album_app.render.book import book_sheets, page_plan
from album_app.render.formats.format import PixelFormat
from album_app.render.page.compose import Sheet
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
    return book_sheets(pages, album.photos, page_plan(pages.shape, settings), settings)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".tif"])
def test_pictures_are_numbered_and_hold_a_page_each(pages: Layout, album: Album, tmp_path: Path, suffix: str) -> None:
    first = write_sheet(pages, album, tmp_path / f"trip{suffix}", SMALL)
    names = [f"trip-0{number}{suffix}" for number in (1, 2, 3)]
    assert sorted(file.name for file in tmp_path.iterdir()) == names and first.name == names[0]
    plan = page_plan(pages.shape, SMALL)
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
    assert [text.count("<image") for text in texts] == [0, 2, 2, 2]
    assert [">2</text>" in text for text in texts] == [False, False, True, False]


def test_a_pdf_has_a_page_for_each(pages: Layout, album: Album, tmp_path: Path) -> None:
    settings = replace(SMALL, title="Crete", paper="A5", bleed=3, cut_marks=True)
    content = write_sheet(pages, album, tmp_path / "trip.pdf", settings).read_bytes()
    assert content.count(b"/Type /Page ") == 4 and b"/Count 4" in content
    assert content.count(b"/TrimBox") == 4 and content.count(b"/Subtype /Image") == 6
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
