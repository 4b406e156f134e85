"""Text on sheets: the font that ships with Pillow, and a font of the system where that one lacks the characters."""

import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from PIL import ImageFont

from album_app.photos.names import undirected

ELLIPSIS = "\u2026"
FALLBACKS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "segoeui.ttf",
    "arial.ttf",
    "Arial Unicode.ttf",
    "NotoSansCJK-Regular.ttc",
    "wqy-zenhei.ttc",
    "msyh.ttc",
    "msgothic.ttc",
    "malgun.ttf",
    "PingFang.ttc",
)
TRUETYPE = (b"\x00\x01\x00\x00", b"true")


@dataclass(frozen=True, eq=False)
class Face:
    """A font file, the glyph of each of its characters, and the width of each glyph in thousandths of the size."""

    name: str
    data: bytes = field(repr=False)
    glyphs: Mapping[int, int] = field(repr=False)
    widths: tuple[float, ...] = field(repr=False)

    @property
    def embeddable(self) -> bool:
        """Whether the file can go into a PDF as it is."""
        return self.data[:4] in TRUETYPE

    def at(self, size: float) -> ImageFont.FreeTypeFont:
        """The font as Pillow draws it."""
        return _sized(self, max(1.0, round(size, 2)))

    def lacks(self, text: str) -> int:
        """How many of the characters it cannot draw."""
        return sum(ord(c) not in self.glyphs for c in text)

    def width(self, text: str, size: float) -> float:
        """How wide a line of text is: the sum of its characters' widths."""
        return sum(self.widths[self.glyphs.get(ord(c), 0)] for c in text) * size / 1000


@lru_cache(maxsize=64)
def _sized(face: Face, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(face.data), size)


@cache
def built_in() -> Face:
    """The font inside Pillow: the same everywhere, plain English letters only."""
    font = ImageFont.load_default(16)
    data = getattr(font, "font_bytes", b"")
    return _face("Aileron", data)


@cache
def _system_faces() -> tuple[Face, ...]:
    faces = []
    for name in FALLBACKS:
        try:
            path = Path(str(ImageFont.truetype(name, 16).path))
            faces.append(_face(path.stem, path.read_bytes()))
        except (OSError, struct.error, KeyError, IndexError):
            continue
    return tuple(faces)


def face_for(text: str) -> Face:
    """The first font that has every character of a text, or the one that lacks fewest."""
    if not built_in().lacks(text):
        return built_in()
    return min((built_in(), *_system_faces()), key=lambda face: face.lacks(text))


def printable(text: str) -> str:
    """A text without line breaks, control characters and undecodable bytes, in characters that some font has.

    What would turn the direction of writing becomes a mark, as in lists and messages.
    """
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in undirected(text))
    shown = unicodedata.normalize("NFC", " ".join(shown.split()))
    face = face_for(shown)
    return "".join(c if not face.lacks(c) else _plain(c, face) for c in shown)


def _plain(character: str, face: Face) -> str:
    """A letter without its accents where the font has only that, a question mark for anything else."""
    base = unicodedata.normalize("NFKD", character)[:1]
    return base if not face.lacks(base) else "?"


def shorten(text: str, size: float, width: float) -> str:
    """As much of a text as fits into a width, with an ellipsis where something is left out."""
    face = face_for(text)
    if face.width(text, size) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if face.width(text[:middle].rstrip() + ELLIPSIS, size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


def _face(name: str, data: bytes) -> Face:
    """Read the two tables of a TrueType or OpenType file that say which glyphs it has and how wide they are."""
    start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
    count = struct.unpack_from(">H", data, start + 4)[0]
    records = (struct.unpack_from(">4sIII", data, start + 12 + 16 * i) for i in range(count))
    tables = {tag: offset for tag, _, offset, _ in records}
    units = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    glyphs = struct.unpack_from(">H", data, tables[b"maxp"] + 4)[0]
    advances = struct.unpack_from(">" + "Hh" * metrics, data, tables[b"hmtx"])[::2]
    widths = [advance * 1000 / units for advance in advances]
    widths += widths[-1:] * (glyphs - metrics)
    return Face(name, data, _characters(data, tables[b"cmap"]), tuple(widths))


def _characters(data: bytes, table: int) -> dict[int, int]:
    """Character -> glyph from the widest Unicode table of a font."""
    found: dict[int, int] = {}
    for i in range(struct.unpack_from(">H", data, table + 2)[0]):
        platform, _, offset = struct.unpack_from(">HHI", data, table + 4 + 8 * i)
        kind = struct.unpack_from(">H", data, table + offset)[0]
        if platform in (0, 3) and kind in (4, 12):
            found |= (_segments if kind == 4 else _groups)(data, table + offset)
    return found


def _segments(data: bytes, at: int) -> dict[int, int]:
    """A character table of format 4: ranges, each with a shift or a list of glyphs."""
    count = struct.unpack_from(">H", data, at + 6)[0] // 2
    read = [struct.unpack_from(f">{count}H", data, at + 14 + shift) for shift in (0, 2 * count + 2, 4 * count + 2)]
    offsets_at = at + 16 + 6 * count
    offsets = struct.unpack_from(f">{count}H", data, offsets_at)
    found = {}
    for i, (end, start, delta, offset) in enumerate(zip(*read, offsets, strict=True)):
        for character in range(start, min(end, 0xFFFE) + 1):
            glyph = character
            if offset:
                place = offsets_at + 2 * i + offset + 2 * (character - start)
                glyph = struct.unpack_from(">H", data, place)[0]
            if offset and not glyph:
                continue
            found[character] = (glyph + delta) & 0xFFFF
    return {character: glyph for character, glyph in found.items() if glyph}


def _groups(data: bytes, at: int) -> dict[int, int]:
    """A character table of format 12: ranges of consecutive glyphs."""
    found: dict[int, int] = {}
    for i in range(struct.unpack_from(">I", data, at + 12)[0]):
        start, end, glyph = struct.unpack_from(">III", data, at + 16 + 12 * i)
        found.update(zip(range(start, end + 1), range(glyph, glyph + end - start + 1), strict=True))
    return found
