"""PDF: pages of vector text and embedded photos; a poster is one sheet spread over several pages."""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image

from album_app.language import mark, tr
from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.own_files import SOFTWARE
from album_app.photos.faces import Box
from album_app.render.page.compose import Sheet
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import MM_PER_INCH, POINTS_PER_INCH, Colour, Paper, RenderSettings, parse_paper
from album_app.render.page.text_faces import Face, face_for
from album_app.render.painters.pixels import jpeg, part_of, part_suffix, srgb, text_mask

Entries = dict[str, str]


class PdfFile:
    """Writes objects one after the other, so that memory never holds more than one of them."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at: dict[int, int] = {}
        self._next = 1
        self._position = 0
        self._write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def reserve(self) -> int:
        """A number for an object that others must name before it is written."""
        number = self._next
        self._next += 1
        return number

    def add(self, entries: Entries, number: int | None = None) -> int:
        """Write a dictionary and return its number."""
        return self._object(_dictionary(entries), number)

    def add_list(self, items: list[str]) -> int:
        """Write an array and return its number."""
        return self._object(f"[{' '.join(items)}]".encode("ascii"), None)

    def stream(self, data: bytes, entries: Entries, compress: bool = True) -> int:
        """Write data with a dictionary that describes it, and return its number."""
        if compress:
            data = zlib.compress(data, 6)
            entries = {**entries, "Filter": "/FlateDecode"}
        head = _dictionary({**entries, "Length": str(len(data))})
        return self._object(head + b"\nstream\n" + data + b"\nendstream", None)

    def finish(self, root: int, info: int) -> None:
        """Write the table of objects and the trailer."""
        start = self._position
        lines = [f"xref\n0 {self._next}\n0000000000 65535 f \n"]
        lines += [f"{self._at[number]:010d} 00000 n \n" for number in range(1, self._next)]
        trailer = _dictionary({"Size": str(self._next), "Root": ref(root), "Info": ref(info)})
        self._write("".join(lines).encode("ascii") + b"trailer\n" + trailer)
        self._write(f"\nstartxref\n{start}\n%%EOF\n".encode("ascii"))

    def _object(self, body: bytes, number: int | None) -> int:
        number = self.reserve() if number is None else number
        self._at[number] = self._position
        self._write(f"{number} 0 obj\n".encode("ascii") + body + b"\nendobj\n")
        return number

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._position += len(data)


def ref(number: int) -> str:
    """How one object names another."""
    return f"{number} 0 R"


def number(value: float) -> str:
    """A number as short as it can be written."""
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def text_string(text: str) -> str:
    """A string of any characters, in hexadecimal."""
    return "<FEFF" + text.encode("utf-16-be", "replace").hex().upper() + ">"


def _dictionary(entries: Entries) -> bytes:
    inner = " ".join(f"/{key} {value}" for key, value in entries.items())
    return f"<< {inner} >>".encode("ascii")


POINTS_PER_MM = POINTS_PER_INCH / MM_PER_INCH
REACH = 10 * POINTS_PER_MM
"""Printers do not reach all that is within this many points of the edge of a page."""
CUT_MARK_LENGTH = 3 * POINTS_PER_MM
EDGE = REACH + CUT_MARK_LENGTH
"""Points from each edge of a poster's page to the printed part of the poster; marks and the label lie between."""
PAGE_LABEL_SIZE = 8.0
"""Points."""
PAGE_LABEL_BASE = REACH + 0.2 * PAGE_LABEL_SIZE
"""Height of a page label's baseline; letters such as "p" reach below it."""


@dataclass(frozen=True)
class Page:
    """A page of a poster: its row and column, and the point of the poster at the lower left corner of its part."""

    row: int
    column: int
    left: float
    bottom: float


@dataclass(frozen=True)
class Poster:
    """Overlapping pages of one size that together show a whole sheet; lengths are in points."""

    width: float
    height: float
    page: tuple[float, float]
    overlap: float

    @classmethod
    def over(cls, size: tuple[float, float], paper: Paper, overlap_mm: float) -> "Poster":
        """The poster on pages in the orientation that takes fewer of them."""
        ways = (cls(*size, way.points(POINTS_PER_INCH), overlap_mm * POINTS_PER_MM) for way in (paper, paper.turned()))
        return min(ways, key=lambda poster: poster.rows * poster.columns)

    @property
    def window(self) -> tuple[float, float]:
        """Width and height of the printed part of each page, which is within the reach of printers."""
        across = self.width + (self.columns - 1) * self.overlap
        down = self.height + (self.rows - 1) * self.overlap
        return across / self.columns, down / self.rows

    @property
    def columns(self) -> int:
        return _count(self.width, self.page[0] - 2 * EDGE, self.overlap)

    @property
    def rows(self) -> int:
        return _count(self.height, self.page[1] - 2 * EDGE, self.overlap)

    def __iter__(self) -> Iterator[Page]:
        """The pages, row by row from the top left."""
        across, down = (side - self.overlap for side in self.window)
        for row in range(self.rows):
            for column in range(self.columns):
                yield Page(row, column, column * across, self.height - self.window[1] - row * down)

    @property
    def seams(self) -> tuple[list[float], list[float]]:
        """Where pages meet, in the middle of their overlap: shares of the width and, from the top, of the height."""
        across, down = (side - self.overlap for side in self.window)
        middle = self.overlap / 2
        return (
            [(column * across + middle) / self.width for column in range(1, self.columns)],
            [(row * down + middle) / self.height for row in range(1, self.rows)],
        )

    def label(self, page: Page) -> str:
        row, column = page.row + 1, page.column + 1
        text = mark("row {row} of {rows}, column {column} of {columns}")
        return tr(text, row=row, rows=self.rows, column=column, columns=self.columns)

    def show(self, page: Page, name: str) -> str:
        """The instructions that draw the part of the poster for a page; `name` is that of the poster."""
        width, height = self.window
        shift = f"1 0 0 1 {number(EDGE - page.left)} {number(EDGE - page.bottom)} cm"
        return f"q {_rectangle(EDGE, EDGE, width, height)} W n {shift} /{name} Do Q"

    def marks(self, page: Page) -> str:
        """The instructions for hairlines at the corners of the printed part, and where its neighbours begin or end."""
        right, top = EDGE + self.window[0], EDGE + self.window[1]
        xs = [EDGE, right]
        ys = [EDGE, top]
        xs += [EDGE + self.overlap] if page.column else []
        xs += [right - self.overlap] if page.column < self.columns - 1 else []
        ys += [top - self.overlap] if page.row else []
        ys += [EDGE + self.overlap] if page.row < self.rows - 1 else []
        lines = [(x, y, x, y - CUT_MARK_LENGTH) for x in xs for y in (EDGE, top + CUT_MARK_LENGTH)]
        lines += [(x, y, x - CUT_MARK_LENGTH, y) for y in ys for x in (EDGE, right + CUT_MARK_LENGTH)]
        return "0.25 w " + " ".join("{} {} m {} {} l S".format(*map(number, line)) for line in lines)


def poster_of(plan: PagePlan, settings: RenderSettings) -> Poster:
    """The pages that a sheet is spread over.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import plan_page
    >>> settings = RenderSettings(paper="A2", poster="A4")
    >>> poster = poster_of(plan_page(rectangle(16, 20), settings), settings)
    >>> poster.rows, poster.columns, len(list(poster))
    (2, 4, 8)
    """
    return Poster.over(plan.points, parse_paper(settings.poster), settings.overlap)


def _count(length: float, window: float, overlap: float) -> int:
    return max(1, math.ceil((length - overlap) / (window - overlap) - 1e-9))


def _rectangle(*corner_and_size: float) -> str:
    return " ".join(map(number, corner_and_size)) + " re"


CIRCLE_HANDLE = 0.5523
"""Length of a Bézier curve's handles, as a share of the radius, at which it looks like a quarter circle."""
SUBSET_PREFIX = "ALBUMA"
"""Six letters before the name of a font that is embedded in part."""
GREY: Colour = (70, 70, 70)
WIDTH_TOLERANCE = 0.01
"""Thousandths of the text size by which a glyph may be wider than its font says without being corrected."""
TEXT_SCALE = 4
"""Pictures of text have this many times the resolution of the sheet."""


class PdfPainter:
    """Writes each photo to the file when it is first drawn, and the instructions of the pages at the end."""

    def __init__(self, file: BinaryIO, sheet: Sheet) -> None:
        self._pdf = PdfFile(file)
        self._settings = sheet.settings
        self._title = sheet.title
        self._pages: list[tuple[list[str], Entries]] = []
        self._pictures: dict[str, int] = {}
        self._used: dict[Face, dict[int, str]] = {}  # the glyphs of each font that are shown, and what they stand for
        profile = self._pdf.stream(srgb(), {"N": "3", "Alternate": "/DeviceRGB"})
        self._colours = self._pdf.add_list(["/ICCBased", ref(profile)])
        self.turn_to(sheet)

    def turn_to(self, sheet: Sheet) -> None:
        """Begin the next page."""
        plan = self._plan = sheet.plan
        across, down = plan.points[0] / plan.width, plan.points[1] / plan.height
        self._page = [f"{across:.6f} 0 0 {down:.6f} 0 0 cm /sRGB cs"]
        self._pages.append((self._page, self._boxes()))

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        image = part_of(image, part)
        name = f"P{key}x{image.width}x{image.height}{part_suffix(part)}"
        if name not in self._pictures:
            data = jpeg(image, self._settings.quality)
            entries = _image_entries(image.size, ref(self._colours)) | {"Filter": "/DCTDecode"}
            self._pictures[name] = self._pdf.stream(data, entries, compress=False)
        clip = f"{self._outline(rect, radius)} W n " if radius > 0 else ""
        self._place(name, rect, clip)

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        self._page.append(f"{_ink(colour)} {self._outline(rect, radius)} f")

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        face = face or face_for(line)
        if not face.embeddable:
            self._text_as_picture(line, x, y, size, colour, face)
            return
        self._page.append(self._words(line, x, self._plan.height - y, size, colour, face))

    def _words(self, line: str, x: float, base: float, size: float, colour: Colour, face: Face) -> str:
        """The instructions for a line centred at x; `base` is the height of its baseline above the lower edge.

        Where a glyph is shifted, or not as wide as its font says, the next glyphs are moved by the difference.
        """
        name, shaped = self._font_name(face), face.shaped(line)
        parts, run = [], ""
        for glyph in shaped:
            if not self._used[face].get(glyph.number):
                self._used[face][glyph.number] = glyph.text
            after = face.widths[glyph.number] - glyph.advance + glyph.x
            if glyph.x or glyph.y:
                parts += [f"<{run}>"] if run else []
                parts.append(f"{number(-glyph.x)}")
                run = ""
            run += f"{glyph.number:04X}"
            if glyph.y:
                rise = number(glyph.y * size / 1000)
                parts.append(f"] TJ {rise} Ts [<{run}>] TJ 0 Ts [")
                run = ""
            if abs(after) > WIDTH_TOLERANCE:
                parts += [f"<{run}>"] if run else []
                parts.append(number(after))
                run = ""
        parts += [f"<{run}>"] if run else []
        place = f"{number(x - face.width(line, size) / 2)} {number(base)}"
        return f"BT {_ink(colour)} /{name} {number(size)} Tf {place} Td [{' '.join(parts)}] TJ ET"

    def finish(self) -> None:
        """Write fonts, pages and catalogue."""
        settings, poster = self._settings, None
        if settings.poster:
            poster = poster_of(self._plan, settings)
        labels = [self._label(poster, page) for page in poster] if poster else []
        fonts = {self._font_name(face): self._font(face, glyphs) for face, glyphs in self._used.items()}
        colours = {"sRGB": self._colours}
        resources = _resources({"XObject": self._pictures, "Font": fonts, "ColorSpace": colours})
        parent = self._pdf.reserve()
        if poster is None:
            pages = [self._add_page(parent, page, boxes, resources) for page, boxes in self._pages]
        else:
            resources = _resources({"XObject": {"Sheet": self._form(resources)}, "Font": fonts, "ColorSpace": colours})
            media = {"MediaBox": f"[0 0 {number(poster.page[0])} {number(poster.page[1])}]"}
            contents = ([poster.show(page, "Sheet"), poster.marks(page)] for page in poster)
            pages = [
                self._add_page(parent, [*content, label], media, resources)
                for content, label in zip(contents, labels, strict=True)
            ]
        self._pdf.add({"Type": "/Pages", "Kids": f"[{' '.join(map(ref, pages))}]", "Count": str(len(pages))}, parent)
        root = self._pdf.add({"Type": "/Catalog", "Pages": ref(parent)})
        info = {"Producer": text_string(SOFTWARE)}
        self._pdf.finish(root, self._pdf.add(info | ({"Title": text_string(self._title)} if self._title else {})))

    def _add_page(self, parent: int, instructions: list[str], boxes: Entries, resources: str) -> int:
        content = self._pdf.stream("\n".join(instructions).encode("ascii"), {})
        return self._pdf.add(
            {"Type": "/Page", "Parent": ref(parent), **boxes, "Contents": ref(content), "Resources": resources}
        )

    def _form(self, resources: str) -> int:
        """Write the whole sheet as a form, of which pages can show parts; the number of the form."""
        width, height = self._plan.points
        box = f"[0 0 {number(width)} {number(height)}]"
        entries = {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources}
        return self._pdf.stream("\n".join(self._page).encode("ascii"), entries)

    def _label(self, poster: Poster, page: Page) -> str:
        text = poster.label(page)
        return (
            f"/sRGB cs {self._words(text, poster.page[0] / 2, PAGE_LABEL_BASE, PAGE_LABEL_SIZE, GREY, face_for(text))}"
        )

    def _boxes(self) -> Entries:
        """The boxes of the page: all of it, its printed part, and where it is cut."""
        width, height = self._plan.points
        scale = width / self._plan.width
        insets = {"MediaBox": 0.0, "BleedBox": self._plan.slug * scale, "TrimBox": self._plan.trim * scale}
        corners = {name: (by, by, width - by, height - by) for name, by in insets.items()}
        return {name: f"[{' '.join(map(number, box))}]" for name, box in corners.items()}

    def _place(self, name: str, rect: Rect, clip: str = "") -> None:
        x, y, width, height = rect
        matrix = f"{number(width)} 0 0 {number(height)} {number(x)} {number(self._plan.height - y - height)}"
        self._page.append(f"q {clip}{matrix} cm /{name} Do Q")

    def _outline(self, rect: Rect, radius: float) -> str:
        """A path around a rectangle with round corners."""
        x, y, width, height = rect[0], self._plan.height - rect[1] - rect[3], rect[2], rect[3]
        radius = min(radius, width / 2, height / 2)
        if radius <= 0:
            return f"{number(x)} {number(y)} {number(width)} {number(height)} re"
        near, far = radius, radius * (1 - CIRCLE_HANDLE)
        right, top = x + width, y + height
        curves = (
            (right - near, y, right - far, y, right, y + far, right, y + near),
            (right, top - near, right, top - far, right - far, top, right - near, top),
            (x + near, top, x + far, top, x, top - far, x, top - near),
            (x, y + near, x, y + far, x + far, y, x + near, y),
        )
        path = [f"{number(x + near)} {number(y)} m"]
        for corner in curves:
            path.append("{} {} l {} {} {} {} {} {} c".format(*map(number, corner)))
        return " ".join([*path, "h"])

    def _text_as_picture(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face) -> None:
        """Write text in a font that cannot be embedded, as its colour behind a fine mask."""
        mask, left, top = text_mask(line, x * TEXT_SCALE, y * TEXT_SCALE, size * TEXT_SCALE, face)
        shape = self._pdf.stream(mask.tobytes(), _image_entries(mask.size, "/DeviceGray"))
        entries = _image_entries((1, 1), ref(self._colours)) | {"SMask": ref(shape)}
        name = f"T{len(self._pictures)}"
        self._pictures[name] = self._pdf.stream(bytes(colour), entries)
        self._place(name, (left / TEXT_SCALE, top / TEXT_SCALE, mask.width / TEXT_SCALE, mask.height / TEXT_SCALE))

    def _font_name(self, face: Face) -> str:
        self._used.setdefault(face, {})
        return f"F{list(self._used).index(face)}"

    def _font(self, face: Face, glyphs: dict[int, str]) -> int:
        """Embed the glyphs in use of a TrueType font, with their widths and what they mean in Unicode."""
        name = f"/{SUBSET_PREFIX}+{_safe(face.name)}"
        data = face.subset((), glyphs)
        file = self._pdf.stream(data, {"Length1": str(len(data))})
        descriptor = self._pdf.add(
            {
                "Type": "/FontDescriptor",
                "FontName": name,
                "Flags": "4",
                "FontBBox": "[-500 -300 1500 1000]",
                "ItalicAngle": "0",
                "Ascent": "800",
                "Descent": "-200",
                "CapHeight": "700",
                "StemV": "80",
                "FontFile2": ref(file),
            }
        )
        descendant = self._pdf.add(
            {
                "Type": "/Font",
                "Subtype": "/CIDFontType2",
                "BaseFont": name,
                "CIDSystemInfo": "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
                "CIDToGIDMap": "/Identity",
                "FontDescriptor": ref(descriptor),
                "W": f"[{' '.join(f'{glyph} [{number(face.widths[glyph])}]' for glyph in sorted(glyphs))}]",
            }
        )
        return self._pdf.add(
            {
                "Type": "/Font",
                "Subtype": "/Type0",
                "BaseFont": name,
                "Encoding": "/Identity-H",
                "DescendantFonts": f"[{ref(descendant)}]",
                "ToUnicode": ref(self._pdf.stream(_meanings(glyphs), {})),
            }
        )


def _image_entries(size: tuple[int, int], colours: str) -> Entries:
    return {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": str(size[0]),
        "Height": str(size[1]),
        "ColorSpace": colours,
        "BitsPerComponent": "8",
    }


def _resources(kinds: dict[str, dict[str, int]]) -> str:
    inner = (f"/{kind} << {' '.join(f'/{k} {ref(v)}' for k, v in names.items())} >>" for kind, names in kinds.items())
    return f"<< {' '.join(inner)} >>"


def _meanings(glyphs: dict[int, str]) -> bytes:
    """The table that lets a reader copy and search the text."""
    pairs = [f"<{glyph:04X}> <{c.encode('utf-16-be').hex().upper()}>" for glyph, c in sorted(glyphs.items()) if c]
    blocks = [pairs[i : i + 100] for i in range(0, len(pairs), 100)]
    lines = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Sheet def /CMapType 2 def\n"
        f"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n{lines}\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode("ascii")


def _ink(colour: Colour) -> str:
    return " ".join(number(channel / 255) for channel in colour) + " sc"


def _safe(name: str) -> str:
    return "".join(c for c in name if c.isascii() and c.isalnum()) or "Font"
