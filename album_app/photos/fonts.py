"""The fonts that can be used: the one inside Pillow and those of the system, with what they can draw."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import ImageFont, features

from album_app.errors import UsageError
from album_app.language import tr
from album_app.paths import is_file
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.font_facts import TRIAL_SIZE, FontFacts, facts_of
from album_app.photos.sandbox import draws_text, font_facts
from album_app.work import Stop, check

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
PLAIN = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "segoeui.ttf",
    "arial.ttf",
    "Arial.ttf",
    "Arial Unicode.ttf",
    "NotoSansCJK-Regular.ttc",
    "wqy-zenhei.ttc",
    "YuGothM.ttc",
    "msyh.ttc",
    "msgothic.ttc",
    "malgun.ttf",
    "ヒラギノ角ゴシック W3.ttc",
    "PingFang.ttc",
    "AppleSDGothicNeo.ttc",
)
"""Files of sans serif fonts with many letters, those to be tried first."""
EMOJI = ("NotoColorEmoji.ttf", "Apple Color Emoji.ttc", "seguiemj.ttf", "NotoEmoji-Regular.ttf")
IGNORABLE = {0x200C, 0x200D, *range(0xFE00, 0xFE10)}
"""Joiners and variation selectors: they change letters, and a font need not draw them."""
REGULAR = ("regular", "book", "roman", "normal", "w3", "")
"""Names of styles that are neither bold nor slanted."""


@dataclass(frozen=True)
class Font:
    """One font: a file and its number in it, or the one inside Pillow where there is no file."""

    path: Path | None = None
    number: int = 0

    @property
    def names(self) -> tuple[str, str]:
        """Family and style: ("DejaVu Sans", "Bold")."""
        facts = _facts(self)
        return facts.family, facts.style

    @property
    def name(self) -> str:
        """Family and style; a regular style is left out."""
        family, style = self.names
        return family if style.lower() in REGULAR else f"{family} {style}"

    @property
    def characters(self) -> frozenset[int]:
        """The code points it has glyphs for."""
        return _facts(self).characters

    @property
    def pictures(self) -> bool:
        """Whether its glyphs are pictures of a few sizes, as emoji often are."""
        return bool(_facts(self).strikes)

    def lacks(self, text: str) -> str:
        """The characters of a text that it cannot draw, each once."""
        return "".join(dict.fromkeys(c for c in text if ord(c) not in self.characters and ord(c) not in IGNORABLE))

    def at(self, size: float, text: str) -> ImageFont.FreeTypeFont:
        """The font as Pillow draws a text; a font made of pictures has only the size of its pictures.

        A process within limits draws the text first; a font that fails there is a UsageError.
        """
        return _sized(self, self.tried(text, round(size, 2)))

    def tried(self, text: str, size: float = TRIAL_SIZE) -> float:
        """The size at which the font has drawn a text in a process within limits; UsageError if it could not."""
        strikes = _facts(self).strikes
        size = max(strikes) if strikes else size
        if self.path is not None and text and not _draws(self, text, size):
            raise UsageError(tr("The font {path} cannot be read.", path=self.path))
        return size

    def opened(self) -> "TTFont":
        """Its tables, read as they are asked for."""
        from fontTools.ttLib import TTFont

        return TTFont(self.source(), fontNumber=self.number, lazy=True, recalcTimestamp=False)

    def source(self) -> "str | BytesIO":
        """Its file, or its bytes where it has none."""
        return str(self.path) if self.path else BytesIO(_built_in_bytes())


BUILT_IN = Font()


def can_shape() -> bool:
    """Whether letters that change with their neighbours can be drawn: this takes Raqm in Pillow, and FriBiDi."""
    return bool(features.check("raqm"))


def installed(stop: Stop | None = None) -> tuple[Font, ...]:
    """All readable fonts of the system, by family and style; after a stop, the next call reads the others."""
    fonts = _fonts_in(font_files())
    unread = [font for font in fonts if font not in _known]
    for font, facts in zip(unread, font_facts([(str(font.path), font.number) for font in unread]), strict=True):
        _known[font] = facts
        check(stop)
    return _by_name(fonts)


@lru_cache(maxsize=1)
def _fonts_in(files: tuple[Path, ...]) -> tuple[Font, ...]:
    return tuple(font for path in files for font in _inside(path))


@lru_cache(maxsize=1)
def _by_name(fonts: tuple[Font, ...]) -> tuple[Font, ...]:
    found = {font: font.names for font in fonts if _readable_names(font)}
    return tuple(sorted(found, key=lambda font: (found[font][0].lower(), not _is_regular(font), found[font][1])))


def families(stop: Stop | None = None) -> list[str]:
    """The names of all readable font families of the system."""
    return list(dict.fromkeys(font.names[0] for font in installed(stop)))


@cache
def font_files() -> tuple[Path, ...]:
    """The font files of the system, those that suit most texts first."""
    files = {path for folder in font_folders() for path in _files(folder) if is_file(path)}
    return tuple(sorted(files, key=_preference))


def find_font(wanted: str) -> Font:
    """The font that is called `wanted` (a file, a family, or family and style); the built-in one for an empty name."""
    if not wanted:
        return BUILT_IN
    if Path(wanted).suffix.lower() in SUFFIXES or os.sep in wanted:
        return _from_file(Path(wanted))
    name = " ".join(wanted.lower().split())
    for font in installed():
        if name in (font.names[0].lower(), font.name.lower(), " ".join(font.names).lower()):
            return font
    raise UsageError(tr("There is no font called “{wanted}” on this computer; name one, or its file.", wanted=wanted))


def font_with(text: str, emoji: bool = False) -> Font | None:
    """The first font of the system that has every character of a text; fonts of pictures only if emoji are wanted."""
    for path in _ordered(font_files(), emoji):
        with suppress(OSError):
            font = next(_inside(path), None)
            if font is not None and not font.lacks(text) and (emoji or not font.pictures):
                return font
    return None


@lru_cache(maxsize=1024)
def best_font(text: str) -> Font:
    """The built-in font if it has every character of a text, else one that has, else the one that lacks fewest."""
    found = font_with(text) if BUILT_IN.lacks(text) else BUILT_IN
    plain = (Font(path) for path in font_files() if path.name in PLAIN)
    return found or min((BUILT_IN, *filter(_readable_names, plain)), key=lambda font: len(font.lacks(text)))


def _ordered(files: tuple[Path, ...], emoji: bool) -> Iterable[Path]:
    return sorted(files, key=lambda path: path.name not in EMOJI) if emoji else files


def _preference(path: Path) -> tuple[int, bool, bool, str, str]:
    """Plain fonts first, then regular ones without serifs, emoji last."""
    rank = PLAIN.index(path.name) if path.name in PLAIN else len(PLAIN) + (path.name in EMOJI)
    stem = path.stem.lower()
    return rank, not stem.endswith(("-regular", "sans")), "serif" in stem or "mono" in stem, path.name, str(path)


def font_folders() -> list[Path]:
    """Where this system keeps its fonts, the user's own among them."""
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", str(home / "AppData/Local"))
        return [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts", Path(local) / "Microsoft/Windows/Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = os.environ.get("XDG_DATA_HOME") or str(home / ".local/share")
    return [Path(folder) / "fonts" for folder in (*shared.split(":"), own)] + [home / ".fonts"]


def _files(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        yield from (Path(parent) / name for name in names if name.lower().endswith(SUFFIXES))


def _from_file(path: Path) -> Font:
    font = Font(path.absolute())
    try:
        _facts(font)
    except OSError as fault:
        raise UsageError(tr("The font {path} cannot be read.", path=path)) from fault
    return font


def _inside(path: Path) -> Iterator[Font]:
    """The fonts in a file: one, or all of a collection."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        return
    count = int.from_bytes(head[8:12]) if head[:4] == b"ttcf" else 1
    yield from (Font(path, number) for number in range(min(count, 64)))


def _readable_names(font: Font) -> tuple[str, str] | None:
    with suppress(OSError):
        return font.names
    return None


def _is_regular(font: Font) -> bool:
    return font.names[1].lower() in REGULAR


class UnreadableFont(OSError):
    """A font file that is damaged, or that is no font file."""


_known: dict[Font, FontFacts | Undecodable] = {}
"""What was found out about fonts, by a process within limits."""


def _facts(font: Font) -> FontFacts:
    """What a font holds; UnreadableFont where it did not pass its trial."""
    if font not in _known:
        if font.path is None:
            with font.opened() as tables:
                _known[font] = facts_of(tables)
        else:
            (_known[font],) = font_facts([(str(font.path), font.number)])
    facts = _known[font]
    if isinstance(facts, Undecodable):
        raise UnreadableFont(facts.reason)
    return facts


@lru_cache(maxsize=4096)
def _draws(font: Font, text: str, size: float) -> bool:
    return draws_text(str(font.path), font.number, text, size)


@lru_cache(maxsize=64)
def _sized(font: Font, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font.source(), size, font.number)


def _built_in_bytes() -> bytes:
    font = ImageFont.load_default(16)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise UsageError(tr("Letters need a Pillow with FreeType, which this installation lacks."))
    return bytes(font.font_bytes)
