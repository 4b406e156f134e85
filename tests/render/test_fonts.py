"""Text: which font, which characters, how much of it fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.render import fonts
from album_app.render.fonts import ELLIPSIS, built_in, face_for, printable, shorten


def test_the_built_in_font_is_read_right() -> None:
    face = built_in()
    assert face.embeddable and not face.lacks("Album App 2024" + ELLIPSIS) and face.lacks("é漢") == 2
    assert face.width("iiii", 10) < face.width("WWWW", 10)
    drawn = face.at(200).getlength("Hmn")
    assert face.width("Hmn", 200) == pytest.approx(drawn, rel=0.02)


def test_what_turns_the_direction_of_writing_is_seen() -> None:
    for character in "\u061c\u200e\u200f\u202a\u202e\u2066\u2069":
        assert character not in printable(f"photo{character}gpj.exe") and printable(f"a{character}b") != "ab"


def test_names_become_printable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printable("two\nlines\tand \x00 more") == "two lines and more"
    assert "\udcff" not in printable("caf\udcff.jpg")
    monkeypatch.setattr(fonts, "_system_faces", lambda: ())
    assert printable("Müller, Crète") == "Muller, Crete"
    assert printable("漢字 A") == "?? A"


@given(st.text(max_size=40), st.floats(4, 60), st.floats(0, 400))
def test_shortened_text_fits(text: str, size: float, width: float) -> None:
    text = printable(text)
    short = shorten(text, size, width)
    assert face_for(short).width(short, size) <= width or not short or short == text
    assert short == text or short == "" or (short.endswith(ELLIPSIS) and text.startswith(short[:-1]))


def test_long_names_end_with_an_ellipsis() -> None:
    assert shorten("IMG_20240517_183012_HDR", 10, 60).endswith(ELLIPSIS)
    assert shorten("IMG_1", 10, 60) == "IMG_1"
