"""The fonts of text on sheets: the one that ships with Pillow, or one of the system where Pillow's lacks characters."""

import base64
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import ImageFont

from album_app.file_names import undirected
from album_app.photos.fonts import BUILT_IN, Font, best_font

if TYPE_CHECKING:
    import uharfbuzz

ELLIPSIS = "\u2026"
FORBIDDEN = 0x0002 | 0x0100
"""Bits of a font that forbid embedding it, or embedding a part of it."""
DRAWING = {"OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "prep"}
"""The tables of a font that describe glyphs; the others are for setting text, which is done before."""


@dataclass(frozen=True, eq=False)
class Face:
    """A font, the glyph of each of its characters, and the width of each glyph in thousandths of the size."""

    font: Font
    glyphs: Mapping[int, int] = field(repr=False)
    widths: tuple[float, ...] = field(repr=False)
    embeddable: bool = False  # whether a file may contain the glyphs that it shows

    @property
    def name(self) -> str:
        """The name of the font's family."""
        return self.font.names[0]

    def at(self, size: float, text: str) -> ImageFont.FreeTypeFont:
        """The font in a size, as Pillow draws this text with it."""
        return self.font.at(max(1.0, size), text)

    def lacks(self, text: str) -> int:
        """How many characters of a text the font cannot draw."""
        return sum(ord(c) not in self.glyphs for c in text)

    def width(self, text: str, size: float) -> float:
        """The width of a line of text."""
        return sum(glyph.advance for glyph in self.shaped(text)) * size / 1000

    def shaped(self, text: str) -> "tuple[Glyph, ...]":
        """The glyphs of a line from left to right, with joined letters and placed marks."""
        return _shaped(self.font, text)

    def subset(self, characters: Iterable[str], glyphs: Iterable[int] = ()) -> bytes:
        """A TrueType file with only these characters and glyphs, which keep their numbers."""
        from fontTools import subset

        options = subset.Options(retain_gids=True, hinting=False, layout_features=[], notdef_outline=True)
        file = BytesIO()
        with self.font.opened() as font:
            options.drop_tables = sorted(set(font.keys()) - DRAWING)
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=[ord(c) for c in characters], gids=list(glyphs))
            cutter.subset(font)
            font.save(file)
        return file.getvalue()


@dataclass(frozen=True)
class Glyph:
    """A glyph of a line: its number, advance and shift in thousandths of the size, and the text that it stands for."""

    number: int
    advance: float
    x: float
    y: float
    text: str


@lru_cache(maxsize=4096)
def _shaped(font: Font, text: str) -> tuple[Glyph, ...]:
    """The glyphs of a line: HarfBuzz shapes each run of one direction."""
    import uharfbuzz

    font.tried(text)
    face = _shaping_face(font)
    shaper, scale = uharfbuzz.Font(face), 1000 / face.upem
    glyphs: list[Glyph] = []
    for run in _runs(text):
        buffer = uharfbuzz.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        uharfbuzz.shape(shaper, buffer)
        starts = sorted({info.cluster for info in buffer.glyph_infos})
        ends = dict(zip(starts, [*starts[1:], len(run)], strict=True))
        mapped: set[int] = set()
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            words = "" if info.cluster in mapped else run[info.cluster : ends[info.cluster]]
            mapped.add(info.cluster)
            advance, x, y = (scale * value for value in (place.x_advance, place.x_offset, place.y_offset))
            glyphs.append(Glyph(info.codepoint, advance, x, y, words))
    return tuple(glyphs)


def _runs(text: str) -> list[str]:
    """The parts of a text that have one direction each, in their order on the line from left to right."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    strong = [True if kind in ("R", "AL") else False if kind in ("L", "EN", "AN") else None for kind in kinds]
    base = next((kind in ("R", "AL") for kind in kinds if kind in ("R", "AL", "L")), False)
    runs: list[tuple[bool, str]] = []
    for place, character in enumerate(text):
        is_leftwards = strong[place]
        if (
            is_leftwards is None
        ):  # neutral: it has the direction of both neighbours if they agree, or else that of the line
            before = runs[-1][0] if runs else base
            after = next((known for known in strong[place:] if known is not None), base)
            is_leftwards = before if before == after else base
        if runs and runs[-1][0] == is_leftwards:
            runs[-1] = is_leftwards, runs[-1][1] + character
        else:
            runs.append((is_leftwards, character))
    words = [run for _, run in runs]
    return words[::-1] if base else words


@lru_cache(maxsize=32)
def _shaping_face(font: Font) -> "uharfbuzz.Face":
    import uharfbuzz

    source = font.source()
    blob = uharfbuzz.Blob.from_file_path(source) if isinstance(source, str) else uharfbuzz.Blob(source.getvalue())
    return uharfbuzz.Face(blob, font.number)


@cache
def built_in() -> Face:
    """The font inside Pillow, which is the same on every system and has plain English letters only."""
    return read_face(BUILT_IN)


def font_face(characters: Iterable[str]) -> str:
    """A rule for style sheets of SVG and HTML that embeds the built-in font with these characters; empty for none."""
    if not (drawn := sorted(characters)):
        return ""
    data = base64.b64encode(built_in().subset(drawn)).decode("ascii")
    return f'@font-face {{ font-family: "{built_in().name}"; src: url("data:font/ttf;base64,{data}"); }}'


def face_for(text: str) -> Face:
    """The face of the first font that has every character of a text, or of the font that lacks fewest."""
    font = best_font(text)
    return built_in() if font == BUILT_IN else read_face(font)


def printable(text: str) -> str:
    """A text without line breaks, control characters, undecodable bytes and characters that no font has.

    Characters that change the direction of writing become marks, as in lists and messages.
    """
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in undirected(text))
    shown = unicodedata.normalize("NFC", " ".join(shown.split()))
    face = face_for(shown)
    return "".join(c if not face.lacks(c) else _plain(c, face) for c in shown)


def _plain(character: str, face: Face) -> str:
    """The letter without its accents if the font has that letter, otherwise nothing."""
    base = unicodedata.normalize("NFKD", character)[:1]
    return base if base.isalpha() and not face.lacks(base) else ""


def letters_without_glyph(texts: Iterable[str]) -> str:
    """The characters of texts, each once, that no font of this computer has; they would be left out."""
    missing: dict[str, None] = {}
    for text in texts:
        visible = "".join(c for c in unicodedata.normalize("NFC", undirected(text)) if c.isprintable())
        face = face_for(visible)
        missing |= dict.fromkeys(c for c in visible if face.lacks(c) and not _plain(c, face))
    return "".join(missing)


def shorten(text: str, size: float, width: float, face: Face | None = None) -> str:
    """The text, or as much of its beginning as fits into a width, with an ellipsis."""
    face = face or face_for(text)
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


@lru_cache(maxsize=32)
def read_face(font: Font) -> Face:
    """The face of a font."""
    with font.opened() as tables:
        scale = 1000 / tables["head"].unitsPerEm
        glyphs = {character: tables.getGlyphID(glyph) for character, glyph in tables.getBestCmap().items()}
        widths = tuple(tables["hmtx"][glyph][0] * scale for glyph in tables.getGlyphOrder())
        allowed = "OS/2" not in tables or not tables["OS/2"].fsType & FORBIDDEN
        return Face(font, glyphs, widths, embeddable="glyf" in tables and allowed)
