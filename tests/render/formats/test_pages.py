"""PDF and SVG: whole documents, every photo a picture of its own, text that can be read again."""

import base64
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album
from album_app.render import RenderSettings, plan_page
from album_app.render.page.text_faces import built_in, face_for
from album_app.render.painters import pdf
from tests.fonts import MakeFont
from tests.render.conftest import COLOURS, layout_of, near
from tests.render.write_sheet import write_sheet

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
FANCY = RenderSettings(
    paper="A5",
    dpi=150,
    caption="name",
    title="Crete <summer> & (sea) \\ “2024”",
    corner=0.15,
    border=0.5,
    border_colour="teal",
    mark_pins=True,
    background="ivory",
)


def objects_of(data: bytes) -> dict[int, bytes]:
    """Every object of a PDF, found through its table of offsets."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])  # type: ignore[index]
    assert data[start : start + 5] == b"xref\n"
    first, count = map(int, data[start + 5 :].split(b"\n", 1)[0].split())
    entries = data[start:].split(b"\n", 2)[2]
    assert first == 0 and entries.startswith(b"0000000000 65535 f ")
    found = {}
    for number in range(1, count):
        line = entries[20 * number : 20 * number + 20]
        assert re.fullmatch(rb"\d{10} 00000 n \n", line)
        body = data[int(line[:10]) :]
        assert body.startswith(b"%d 0 obj\n" % number)
        found[number] = body[: body.index(b"\nendobj\n")]
    trailer = data[start:].split(b"trailer\n")[1]
    assert b"/Size %d" % count in trailer and b"/Root" in trailer
    return found


def stream_of(body: bytes) -> bytes:
    head, rest = body.split(b"\nstream\n", 1)
    data = rest[: int(re.search(rb"/Length (\d+)", head)[1])]  # type: ignore[index]
    assert rest[len(data) :] == b"\nendstream"
    return zlib.decompress(data) if b"/FlateDecode" in head else data


def test_pdf_is_well_formed_and_every_photo_is_a_picture(layout: Layout, album: Album, tmp_path: Path) -> None:
    objects = objects_of(write_sheet(layout, album, tmp_path / "sheet.pdf", FANCY).read_bytes())
    pictures = [body for body in objects.values() if b"/DCTDecode" in body]
    assert len(pictures) == 6
    for body, colour in zip(pictures, COLOURS, strict=True):
        assert near(Image.open(BytesIO(stream_of(body))).getpixel((5, 5)), colour)
    for body in objects.values():
        for number in re.findall(rb"(\d+) 0 R", body.split(b"\nstream\n")[0]):
            assert int(number) in objects
    profile = next(body for body in objects.values() if b"/N 3" in body)
    assert stream_of(profile)[36:40] == b"acsp"


@pytest.mark.parametrize(
    ("paper", "points"), [("A4", (595.2756, 841.8898)), ("A0", (2383.937, 3370.3937)), ("Letter", (612, 792))]
)
def test_pdf_pages_have_the_papers_exact_size(
    album: Album, tmp_path: Path, paper: str, points: tuple[float, float]
) -> None:
    settings = RenderSettings(paper=paper, landscape="portrait", dpi=72)
    data = write_sheet(layout_of(rectangle(1, 1), [0]), album, tmp_path / "sheet.pdf", settings).read_bytes()
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None and (float(box[1]), float(box[2])) == pytest.approx(points, abs=1e-3)


@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_a_repeated_photo_is_stored_once(album: Album, tmp_path: Path, suffix: str) -> None:
    layout = layout_of(rectangle(2, 4), [0, 1] * 4)
    data = write_sheet(layout, album, tmp_path / f"sheet.{suffix}").read_bytes()
    assert len(re.findall(rb"/DCTDecode|<image ", data)) == 2
    if suffix == "svg":
        assert len(re.findall(rb"<use ", data)) == 6


def test_small_photos_are_not_blown_up(album: Album, tmp_path: Path) -> None:
    layout = layout_of(rectangle(1, 1), [0])
    data = write_sheet(layout, album, tmp_path / "s.pdf", RenderSettings(paper="A3", fit="whole")).read_bytes()
    assert b"/Width 160 /Height 80" in data


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no PDF reader here")
def test_pdf_looks_like_the_picture(layout: Layout, album: Album, tmp_path: Path) -> None:
    pdf = write_sheet(layout, album, tmp_path / "sheet.pdf", FANCY)
    png = write_sheet(layout, album, tmp_path / "sheet.png", FANCY)
    done = subprocess.run(
        ["pdftoppm", "-r", "150", "-png", "-singlefile", str(pdf), str(tmp_path / "page")],
        capture_output=True,
        check=True,
    )
    assert not done.stderr
    page, sheet = Image.open(tmp_path / "page.png").convert("RGB"), Image.open(png).convert("RGB")
    assert abs(page.width - sheet.width) <= 1 and abs(page.height - sheet.height) <= 1
    plan = plan_page(layout.shape, FANCY)
    for i, colour in enumerate(COLOURS):
        x, y, width, height = plan.tile_rect(layout.shape.cell(i))
        for place in ((x + width // 2, y + height // 2), (x + width // 2, y + 1), (x, y)):
            assert near(page.getpixel(place), sheet.getpixel(place), 40), (i, colour, place)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no PDF reader here")
def test_pdf_text_can_be_read_again(layout: Layout, album: Album, tmp_path: Path) -> None:
    pdf = write_sheet(layout, album, tmp_path / "sheet.pdf", FANCY)
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True).stdout.decode()
    assert FANCY.title in text
    assert all(f"photo-{i}" in text for i in range(6))


def test_a_raised_and_a_shifted_glyph_stay_so_in_a_pdf(
    make_font: MakeFont, layout: Layout, album: Album, tmp_path: Path
) -> None:
    letter = [(60, 0, 460, 700)]
    make_font("Rising", {"Ω": letter, "Ψ": letter}, features="feature kern { pos u03A8 <30 120 0 0>; } kern;")
    face = face_for("ΩΨ")
    glyphs = face.shaped("ΩΨΩ")
    assert [(glyph.x, glyph.y) for glyph in glyphs] == [(0, 0), (30, 120), (0, 0)]
    objects = objects_of(write_sheet(layout, album, tmp_path / "s.pdf", RenderSettings(title="ΩΨΩ")).read_bytes())
    texts = [stream_of(body) for body in objects.values() if b"\nstream\n" in body and b"/DCT" not in body]
    (words,) = [text for text in texts if b" Tf " in text]
    size, rise = re.search(rb"/\S+ ([\d.]+) Tf", words), re.search(rb"\] TJ ([\d.]+) Ts \[", words)
    assert size is not None and rise is not None
    assert float(rise[1]) == pytest.approx(0.12 * float(size[1]), rel=1e-2)
    begin, end = words.index(b"[<"), words.index(b"] TJ ET")
    shifts = re.findall(rb"(?<=[>\[ ])-?[\d.]+(?= |<|\])", words[begin:end].replace(rise[0], b""))
    assert [float(shift) for shift in shifts if float(shift)] == [-30, 30], "what follows stands where it would"


@pytest.mark.parametrize("title", ["Crete", "Κρήτη"])
def test_a_page_carries_only_the_glyphs_it_shows(layout: Layout, album: Album, tmp_path: Path, title: str) -> None:
    face = face_for(title)
    if face.lacks(title):
        pytest.skip("no font here has these characters")
    objects = objects_of(write_sheet(layout, album, tmp_path / "s.pdf", RenderSettings(title=title)).read_bytes())
    (data,) = [stream_of(body) for body in objects.values() if b"/Length1" in body]
    font = TTFont(BytesIO(data))
    outlines = {font.getGlyphID(name) for name in font.getGlyphOrder() if font["glyf"][name].numberOfContours}
    assert {face.glyphs[ord(c)] for c in title} <= outlines, "under the numbers that the page uses"
    assert len(outlines) <= 3 * len(title) and len(data) < 20_000
    assert any(b"/BaseFont /ALBUMA+" in body for body in objects.values())


def test_svg_carries_only_the_glyphs_it_shows(layout: Layout, album: Album, tmp_path: Path) -> None:
    text = write_sheet(layout, album, tmp_path / "s.svg", RenderSettings(title="Crete")).read_text()
    data = base64.b64decode(re.search(r"data:font/ttf;base64,([^\"]*)", text)[1])  # type: ignore[index]
    assert set(TTFont(BytesIO(data)).getBestCmap()) == {ord(c) for c in "Crete"}
    plain = write_sheet(layout, album, tmp_path / "s.svg", RenderSettings()).read_text()
    assert "font-face" not in plain


def test_text_in_a_font_that_cannot_be_embedded_is_still_drawn(
    layout: Layout, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "face_for", lambda line: replace(built_in(), embeddable=False))
    objects = objects_of(write_sheet(layout, album, tmp_path / "s.pdf", RenderSettings(title="Title")).read_bytes())
    masks = [body for body in objects.values() if b"/DeviceGray" in body]
    assert len(masks) == 1 and max(stream_of(masks[0])) == 255


def test_svg_is_valid_and_holds_every_photo(layout: Layout, album: Album, tmp_path: Path) -> None:
    root = ET.parse(write_sheet(layout, album, tmp_path / "sheet.svg", FANCY)).getroot()
    plan = plan_page(layout.shape, FANCY)
    assert root.get("viewBox") == f"0 0 {plan.width} {plan.height}"
    assert {root.get("width"), root.get("height")} == {"148mm", "210mm"}
    images = list(root.iter(f"{SVG}image"))
    for image, colour in zip(images, COLOURS, strict=True):
        data = base64.b64decode(image.get(HREF, "").removeprefix("data:image/jpeg;base64,"))
        assert near(Image.open(BytesIO(data)).getpixel((5, 5)), colour)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts == [FANCY.title, *(f"photo-{i}" for i in range(6))]
    rects = {(rect.get("x"), rect.get("y"), rect.get("width"), rect.get("height")) for rect in root.iter(f"{SVG}rect")}
    assert ("0", "0", str(plan.width), str(plan.height)) in rects, "the background"
    for place, element in enumerate(root.iter(f"{SVG}g")):
        x, y, width, height = plan.tile_rect(layout.shape.cell(place))
        border = plan.border
        assert element.get("transform") == f"translate({round(x + border, 3):g} {round(y + border, 3):g})"
        (image,) = element.iter(f"{SVG}image")
        size = float(image.get("width", 0)), float(image.get("height", 0))
        assert size == pytest.approx((width - 2 * border, height - 2 * border), abs=0.01)
    fills = {element.get("fill") for element in root.iter()}
    assert fills >= {"#fffff0", "#008080", "#ffffff"}, "the paper, borders and pins"
    assert all(re.fullmatch("#[0-9a-f]{6}", element.get("fill", "#000000")) for element in root.iter())
    clips = {clip.get("id") for clip in root.iter(f"{SVG}clipPath")}
    used = {group.get("clip-path") for group in root.iter(f"{SVG}g")}
    assert len(clips) == 1 and used == {f"url(#{name})" for name in clips}


def test_transparent_pages_have_no_background(layout: Layout, album: Album, tmp_path: Path) -> None:
    settings = RenderSettings(background=None)
    root = ET.parse(write_sheet(layout, album, tmp_path / "sheet.svg", settings)).getroot()
    assert not list(root.iter(f"{SVG}rect"))
