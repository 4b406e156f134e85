"""Fonts made for tests: glyphs of boxes and strokes, and a system that has these fonts and no others."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import Glyph

from album_app.layout.shapes.lettering import typesetting
from album_app.photos import fonts

Box = tuple[int, int, int, int]
"""Left, bottom, right, top, in thousandths of the size."""

MakeFont = Callable[..., Path]


def glyph_of(boxes: Sequence[Box]) -> Glyph:
    """A glyph of filled boxes."""
    pen = TTGlyphPen(None)
    for left, bottom, right, top in boxes:
        pen.moveTo((left, bottom))
        for corner in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


@pytest.fixture
def make_font(tmp_path: Path, no_fonts: None) -> MakeFont:
    """Adds a font to the fonts of the test: letters made of boxes, further glyphs, and OpenType features as text."""

    def make(
        name: str, letters: dict[str, Sequence[Box]], others: dict[str, Sequence[Box]] | None = None, features: str = ""
    ) -> Path:
        names = {letter: f"u{ord(letter):04X}" for letter in letters}
        drawn = {".notdef": [(50, 0, 450, 700)], **{names[letter]: letters[letter] for letter in letters}}
        drawn |= dict(others or {})
        builder = FontBuilder(1000, isTTF=True)
        builder.setupGlyphOrder(list(drawn))
        builder.setupCharacterMap({ord(letter): names[letter] for letter in letters})
        builder.setupGlyf({glyph: glyph_of(boxes) for glyph, boxes in drawn.items()})
        sides = {glyph: (max(box[2] for box in boxes), min(box[0] for box in boxes)) for glyph, boxes in drawn.items()}
        builder.setupHorizontalMetrics(sides)
        builder.setupHorizontalHeader(ascent=900, descent=-200)
        builder.setupNameTable({"familyName": name, "styleName": "Regular"})
        builder.setupOS2(sCapHeight=700)
        builder.setupPost()
        if features:
            addOpenTypeFeaturesFromString(builder.font, features)
        path = tmp_path / "fonts" / f"{name.replace(' ', '')}-Regular.ttf"
        path.parent.mkdir(exist_ok=True)
        builder.save(path)
        forget()
        return path

    return make


@pytest.fixture
def no_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system without fonts of its own."""
    monkeypatch.setattr(fonts, "font_folders", lambda: [tmp_path / "fonts"])
    forget()
    yield
    forget()


def forget() -> None:
    """Look at the system's fonts anew."""
    for cached in (fonts.font_files, fonts.best_font, typesetting.lines_of, typesetting.set_text):
        cached.cache_clear()
