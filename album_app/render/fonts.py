"""Text on sheets: the font that ships with Pillow, and a font of the system where that one lacks the characters."""

import base64
import unicodedata
from collections.abc import Iterable, Mapping
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
FORBIDDEN = 0x0002 | 0x0100
"""Bits by which a font's maker says that it must not be embedded, or not in part."""
DRAWING = {"OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "prep"}
"""The tables that say how glyphs look; those for setting text are not needed where each glyph has its place."""


@dataclass(frozen=True, eq=False)
class Face:
    """A font file, the glyph of each of its characters, and the width of each glyph in thousandths of the size."""

    name: str
    data: bytes = field(repr=False)
    glyphs: Mapping[int, int] = field(repr=False)
    widths: tuple[float, ...] = field(repr=False)
    embeddable: bool = False  # whether a page may carry those of its glyphs that it shows

    def at(self, size: float) -> ImageFont.FreeTypeFont:
        """The font as Pillow draws it."""
        return _sized(self, max(1.0, round(size, 2)))

    def lacks(self, text: str) -> int:
        """How many of the characters it cannot draw."""
        return sum(ord(c) not in self.glyphs for c in text)

    def width(self, text: str, size: float) -> float:
        """How wide a line of text is: the sum of its characters' widths."""
        return sum(self.widths[self.glyphs.get(ord(c), 0)] for c in text) * size / 1000

    def subset(self, characters: Iterable[str]) -> bytes:
        """A TrueType file that draws these characters and no others, each glyph under its old number."""
        from fontTools import subset
        from fontTools.ttLib import TTFont

        options = subset.Options(retain_gids=True, hinting=False, layout_features=[], notdef_outline=True)
        font = TTFont(BytesIO(self.data), fontNumber=0, recalcTimestamp=False)
        options.drop_tables = sorted(set(font.keys()) - DRAWING)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=[ord(c) for c in characters])
        cutter.subset(font)
        file = BytesIO()
        font.save(file)
        return file.getvalue()


@lru_cache(maxsize=64)
def _sized(face: Face, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(face.data), size)


@cache
def built_in() -> Face:
    """The font inside Pillow: the same everywhere, plain English letters only."""
    font = ImageFont.load_default(16)
    data = getattr(font, "font_bytes", b"")
    return read_face("Aileron", data)


def font_face(characters: Iterable[str]) -> str:
    """The built-in font with these characters, as style sheets of SVG and HTML embed it; nothing for none."""
    if not (drawn := sorted(characters)):
        return ""
    data = base64.b64encode(built_in().subset(drawn)).decode("ascii")
    return f'@font-face {{ font-family: "{built_in().name}"; src: url("data:font/ttf;base64,{data}"); }}'


@cache
def _system_face(name: str) -> Face | None:
    """A font of the system, None where there is no such file or it cannot be read, whatever is wrong with it."""
    try:
        path = Path(str(ImageFont.truetype(name, 16).path))
        return read_face(path.stem, path.read_bytes())
    except Exception:
        return None


def face_for(text: str) -> Face:
    """The first font that has every character of a text, or the one that lacks fewest."""
    best = built_in()
    for name in FALLBACKS:
        if not best.lacks(text):
            break
        face = _system_face(name)
        best = face if face is not None and face.lacks(text) < best.lacks(text) else best
    return best


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


def read_face(name: str, data: bytes) -> Face:
    """A face from the content of a TrueType or OpenType file, or the first one of a collection."""
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), fontNumber=0, lazy=True)
    scale = 1000 / font["head"].unitsPerEm
    glyphs = {character: font.getGlyphID(glyph) for character, glyph in font.getBestCmap().items()}
    widths = tuple(font["hmtx"][glyph][0] * scale for glyph in font.getGlyphOrder())
    allowed = "OS/2" not in font or not font["OS/2"].fsType & FORBIDDEN
    return Face(name, data, glyphs, widths, embeddable="glyf" in font and allowed)
