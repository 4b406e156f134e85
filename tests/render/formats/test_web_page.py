"""The web page as a file: self-contained, within its size, and telling no more than it should."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from datetime import datetime
from html import unescape
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import UsageError
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import book, rectangle
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.header import Metadata, Row
from album_app.render import RenderSettings, estimated_bytes, format_of, plan_page
from album_app.render.formats.web_page import ByteBudget, Compressor, compressed, usual_megabytes
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

EVIL = '"><script>alert(1)</script>.jpg'
GPS_TAG = 0x8825


class Page(HTMLParser):
    """The elements of a page with their texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        self._inside = attributes.get("id") or tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        self.texts[self._inside] = self.texts.get(self._inside, "") + data

    def with_type(self, kind: str) -> list[str]:
        return [self.texts[found["id"] or ""] for _, found in self.elements if found.get("type") == kind]

    def policy(self) -> str:
        return next(found["content"] or "" for _, found in self.elements if "http-equiv" in found)


def page_of(layout: Layout, album: Album, folder: Path, settings: RenderSettings | None = None) -> Page:
    return Page(write_sheet(layout, album, folder / "sheet.html", settings).read_text("utf-8"))


def noise(side: int, seed: int) -> Image.Image:
    """A picture with as much detail as any photo has, at every size."""
    random = np.random.default_rng(seed)
    image = np.full((side, side, 3), 128.0)
    for cells in (4, 16, 64, 256, side):
        coarse = Image.fromarray(random.integers(0, 255, (min(cells, side), min(cells, side), 3), dtype=np.uint8))
        image += (np.asarray(coarse.resize((side, side)), float) - 128) / 3
    return Image.fromarray(image.clip(0, 255).astype(np.uint8))


def test_every_photo_is_there_whole_and_once(layout: Layout, album: Album, tmp_path: Path) -> None:
    page = page_of(layout, album, tmp_path, RenderSettings(cell=20))
    pictures = [Image.open(BytesIO(base64.b64decode(text))) for text in page.with_type("image/webp")]
    assert [picture.size for picture in pictures] == [(160, 80), (80, 160)] * 3
    assert all(near(picture.getpixel((5, 5)), colour) for picture, colour in zip(pictures, COLOURS, strict=True))
    drawing = json.loads(page.texts["drawing"])
    assert drawing["photos"] == [[160, 80], [80, 160]] * 3
    assert [item[0] for item in drawing["items"] if isinstance(item[0], int)] == [0, 1, 2, 3, 4, 5]


def test_a_photo_that_is_repeated_is_embedded_once(album: Album, tmp_path: Path) -> None:
    page = page_of(layout_of(rectangle(1, 3), [2, 2, 4]), album, tmp_path)
    assert len(page.with_type("image/webp")) == 2
    items = json.loads(page.texts["drawing"])["items"]
    assert [item[0] for item in items if isinstance(item[0], int)] == [0, 0, 1]


def test_the_policy_lets_in_nothing_but_the_pages_own_script_and_style(
    layout: Layout, album: Album, tmp_path: Path
) -> None:
    page = page_of(layout, album, tmp_path)
    policy = dict(part.strip().split(" ", 1) for part in page.policy().split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    for directive, element in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(page.texts[element].encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert policy["img-src"] == "data: blob:" and policy["font-src"] == "data:"
    addresses = [found.get(name) for _, found in page.elements for name in ("src", "href") if found.get(name)]
    assert addresses and all(address and address.startswith("data:") for address in addresses)


def test_names_and_titles_are_only_ever_text(layout: Layout, album: Album, tmp_path: Path) -> None:
    evil = Photo(album.photos[0].path, EVIL, 1, 0, 160, 80)
    settings = RenderSettings(title=EVIL, caption="name")
    page = page_of(layout, Album(album.roots, (evil, *album.photos[1:])), tmp_path, settings)
    scripts = [found.get("type") for tag, found in page.elements if tag == "script"]
    assert scripts == ["application/json", None, *["image/webp"] * 6]
    assert page.texts["title"] == EVIL and EVIL in page.texts["span"]
    assert page.elements[-1] == ("script", {"type": "image/webp", "id": "photo-5"})


def test_the_page_tells_names_but_neither_folders_nor_places(layout: Layout, album: Album, tmp_path: Path) -> None:
    located = tmp_path / "secret-folder" / "located.jpg"
    located.parent.mkdir()
    exif = Image.Exif()
    exif.get_ifd(GPS_TAG)[1] = "N"
    exif.get_ifd(GPS_TAG)[2] = (35.0, 20.0, 30.0)
    Image.new("RGB", (90, 60), "navy").save(located, exif=exif, comment=b"a secret comment")
    assert b"Exif" in located.read_bytes()
    photos = (Photo(located, "beach/located.jpg", 1, 0, 90, 60), *album.photos[1:])
    path = write_sheet(layout, Album((tmp_path,), photos), tmp_path / "sheet.html")
    page = Page(path.read_text("utf-8"))
    assert "beach/located.jpg" in page.texts["span"]
    embedded = [base64.b64decode(text) for text in page.with_type("image/webp")]
    for data in (path.read_bytes(), *embedded):
        for reported in (b"secret", str(tmp_path).encode(), str(Path.home()).encode() + b"/", b"Exif", b"EXIF", b"GPS"):
            assert reported not in data
    assert not Image.open(BytesIO(embedded[0])).getexif()


def test_names_and_dates_are_left_out_when_asked(layout: Layout, album: Album, tmp_path: Path) -> None:
    reported = page_of(layout, album, tmp_path)
    assert "photo-3.png" in reported.texts["span"] and "4 May 2024" in reported.texts["time"]
    path = write_sheet(layout, album, tmp_path / "sheet.html", RenderSettings(names=False))
    assert not re.search(rb"photo-3\.png|2024-05|May 2024", path.read_bytes())
    assert "Photo 4" in Page(path.read_text("utf-8")).texts["li"]


def test_a_photo_that_cannot_be_read_is_told_and_left_out(layout: Layout, broken: Album, tmp_path: Path) -> None:
    missing: list[int] = []
    path = write_sheet(layout, broken, tmp_path / "sheet.html", on_missing=lambda photo, why: missing.append(photo))
    assert missing == [1, 2]
    page = Page(path.read_text("utf-8"))
    assert len(page.with_type("image/webp")) == 4 and "gone" not in page.texts["span"]


@pytest.mark.parametrize("megabytes", [0.5, 1.0])
def test_a_page_keeps_to_the_size_it_is_given(megabytes: float, tmp_path: Path) -> None:
    photos = []
    for i in range(8):
        path = tmp_path / f"{i}.jpg"
        noise(1100, i).save(path, quality=92)
        photos.append(Photo(path, path.name, 1, 0, 1100, 1100))
    album = Album((tmp_path,), tuple(photos))
    settings = RenderSettings(megabytes=megabytes)
    path = write_sheet(layout_of(rectangle(2, 4), list(range(8))), album, tmp_path / "sheet.html", settings)
    assert 0.5 * megabytes < path.stat().st_size / 1e6 <= megabytes


def test_usual_sizes_and_large_views_are_as_promised() -> None:
    assert usual_megabytes(320) == 12 and ByteBudget.of(12, 320).side == 1024
    assert usual_megabytes(10_000) == 60 and ByteBudget.of(60, 10_000).side >= 320
    assert usual_megabytes(1) < 3
    kind = format_of("sheet.html")
    assert estimated_bytes(kind, plan_page(rectangle(16, 20), RenderSettings()), RenderSettings()) == 12_000_000


@pytest.mark.parametrize("most", [60_000, 9_000, 700, 150])
def test_a_picture_is_compressed_into_any_number_of_bytes(most: int) -> None:
    data = compressed(noise(400, 0), 90, most)
    assert len(data) <= most
    if most > 1000:
        assert len(data) > 0.6 * most  # as good as they allow
        assert Image.open(BytesIO(data)).size == (400, 400)


def test_what_one_photo_leaves_over_is_shared_by_the_others() -> None:
    budget = ByteBudget(1000, 4)
    assert budget.take() == 250 and budget.share == 250
    budget.give_back(150)
    assert budget.share == 300


def test_photos_are_compressed_in_order_and_never_take_more_than_there_is() -> None:
    images = [noise(120 + 40 * (k % 3), k) for k in range(14)]

    def run() -> list[bytes]:
        compressor = Compressor(ByteBudget(90_000, len(images)), 90)
        done = [data for image in images for data in compressor.add(image)]
        return [*done, *compressor.rest()]

    pictures = run()
    assert [Image.open(BytesIO(data)).size for data in pictures] == [image.size for image in images]
    assert 0.6 * 90_000 < sum(map(len, pictures)) <= 90_000
    assert pictures == run()


def test_the_same_sheet_makes_the_same_page(layout: Layout, album: Album, tmp_path: Path) -> None:
    first, second = (write_sheet(layout, album, tmp_path / f"{name}.html").read_bytes() for name in "ab")
    assert first == second


@pytest.mark.parametrize("megabytes", [0, float("nan"), 1e9])
def test_impossible_sizes_are_refused(megabytes: float) -> None:
    with pytest.raises(UsageError, match="megabytes"):
        RenderSettings(megabytes=megabytes)


@pytest.mark.parametrize(("taken_by", "words"), [("camera", "4 July 2026"), ("file", "4 July 2026 (the file's time)")])
def test_a_date_that_is_only_the_files_time_says_so(
    layout: Layout, album: Album, tmp_path: Path, taken_by: str, words: str
) -> None:
    day = datetime(2026, 7, 4, 12)
    dated = replace(album, photos=tuple(replace(photo, taken=day, taken_by=taken_by) for photo in album.photos))
    write_sheet(layout, dated, tmp_path / "sheet.html", RenderSettings(cell=16))
    written = unescape((tmp_path / "sheet.html").read_text("utf-8"))
    assert f'<time datetime="2026-07-04"> {words}</time>' in written


def test_captions_and_the_columns_that_the_page_filters_by_can_be_found(
    layout: Layout, album: Album, tmp_path: Path
) -> None:
    row = Row(("file", "title", "price"), ("p.jpg", "Dog & bone", "900"))
    works = replace(album, photos=tuple(replace(photo, metadata=Metadata("Own", row=row)) for photo in album.photos))

    def written(**choice: str) -> str:
        return write_sheet(layout, works, tmp_path / "sheet.html", RenderSettings(cell=16, **choice)).read_text("utf-8")

    plain, captioned = written(), written(caption="title")
    assert not any(words in plain for words in ("Own", "Dog", "900"))
    assert "<em> Own</em>" in captioned and "Dog" not in captioned
    some = written(filters="title")
    assert "<em> title: Dog &amp; bone</em>" in some and "900" not in some
    assert "<em> price: 900</em>" in written(filters="all")


def test_a_page_without_a_title_is_named_after_the_folder_unless_names_are_left_out(
    layout: Layout, album: Album, tmp_path: Path
) -> None:
    folder = album.photos[0].path.parent.name
    for settings, title in (
        (RenderSettings(), folder),
        (RenderSettings(title="Crete"), "Crete"),
        (RenderSettings(names=False), "Album App"),
    ):
        written = write_sheet(layout, album, tmp_path / "sheet.html", settings, agreed=True).read_text("utf-8")
        assert f"<title>{title}</title>" in unescape(written)


def test_the_photos_of_a_book_are_listed_page_by_page(album: Album, tmp_path: Path) -> None:
    shape = book(2, 2, 2)
    photo_at = np.full(shape.count, -1)
    photo_at[shape.reading[:6]] = np.arange(6)
    written = write_sheet(Layout(shape, photo_at, np.zeros(8)), album, tmp_path / "book.html").read_text("utf-8")
    listed = [unescape(name) for name in re.findall("<li><span>([^<]*)", written)]
    assert listed == [photo.name for photo in album.photos[:6]]
