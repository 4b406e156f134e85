"""What a font file holds, read by a process within limits: only a font that passes this trial is opened elsewhere."""

from dataclasses import dataclass
from typing import Any

from PIL import ImageFont, features

from album_app.language import mark
from album_app.paths import is_file
from album_app.photos.decoding.decode import Undecodable

TRIAL_SIZE = 40
"""Pixels of the letters that are drawn in the trial."""
MOST_TRIED = 400
"""Letters that are drawn in the trial: enough for the whole Latin script, and drawn within a tenth of a second."""
WIDEST_LETTER = 30
"""How wide a character may be, as a multiple of the size: the widest one of Unicode takes about 12."""
DAMAGED = mark("damaged: not a font that can be drawn")


@dataclass(frozen=True)
class FontFacts:
    """Family and style, the code points that the font has glyphs for, and the sizes in pixels of a font of pictures."""

    family: str
    style: str
    characters: frozenset[int]
    strikes: tuple[int, ...]


def read_font(path: str, number: int) -> FontFacts:
    """Read and try out one font of a file; any problem becomes Undecodable."""
    if not is_file(path):
        raise Undecodable(mark("it is not a file"))
    try:
        from fontTools.ttLib import TTFont

        with TTFont(path, fontNumber=number, lazy=True, recalcTimestamp=False) as tables:
            facts = facts_of(tables)
            _ = tables["head"].unitsPerEm, tables["hmtx"].metrics, tables.getGlyphOrder()
            _ = tables["OS/2"].fsType if "OS/2" in tables else 0
        _try_out(path, number, facts)
    except MemoryError:
        raise
    except Exception as error:  # a mutated font makes fontTools raise anything
        raise Undecodable(DAMAGED) from error
    return facts


def facts_of(tables: Any) -> FontFacts:
    """The facts in the tables of an opened font."""
    names = tables["name"]
    strikes: tuple[int, ...] = ()
    if "CBLC" in tables:
        strikes = tuple(strike.bitmapSizeTable.ppemY for strike in tables["CBLC"].strikes)
    elif "sbix" in tables:
        strikes = tuple(tables["sbix"].strikes)
    return FontFacts(
        str(names.getBestFamilyName() or "Unnamed"),
        str(names.getBestSubFamilyName() or ""),
        frozenset(tables.getBestCmap() or ()),
        strikes,
    )


def _try_out(path: str, number: int, facts: FontFacts) -> None:
    """Draw letters from all over the font."""
    font = ImageFont.truetype(path, max(facts.strikes) if facts.strikes else TRIAL_SIZE, number)
    letters = sorted(facts.characters)
    for code in letters[:: max(1, -(-len(letters) // MOST_TRIED))]:
        if not 0xD800 <= code < 0xE000 and 0x20 <= code < 0x110000:
            font.getmask(chr(code))


def try_text(path: str, number: int, text: str, size: float, widest_letter: float = WIDEST_LETTER) -> None:
    """Draw and set a text as the program is about to; any problem becomes Undecodable."""
    if not is_file(path):
        raise Undecodable(mark("it is not a file"))
    try:
        import uharfbuzz

        font = ImageFont.truetype(path, size, number)
        for direction in (None, "ltr", "rtl") if features.check("raqm") else (None,):
            if font.getlength(text, direction=direction) > widest_letter * size * len(text):
                raise Undecodable(DAMAGED)
            font.getmask(text, direction=direction)
            font.getmask(text, "RGBA", direction=direction)
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        uharfbuzz.shape(uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path), number)), buffer)
    except (MemoryError, Undecodable):
        raise
    except Exception as error:
        raise Undecodable(DAMAGED) from error
