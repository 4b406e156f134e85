"""The settings of a sheet: colours, paper and everything else, checked when they are made."""

import math
import re
from dataclasses import dataclass

from PIL import ImageColor

from album_app.errors import UsageError
from album_app.language import mark, short_number, tr
from album_app.layout.captions import check_template

Colour = tuple[int, int, int]

TRANSPARENT = ("transparent", "none")


def parse_colour(words: str) -> Colour:
    """Red, green and blue of "navy", "#1e1e1e" or "rgb(30, 30, 30)".

    >>> parse_colour("navy"), parse_colour("#1e1e1e")
    ((0, 0, 128), (30, 30, 30))
    """
    try:
        colour = ImageColor.getrgb(words.strip())
    except ValueError:
        raise UsageError(
            tr("“{words}” is no colour; write a name such as white or navy, or #rrggbb.", words=words)
        ) from None
    if len(colour) == 4 and colour[3] != 255:
        raise UsageError(
            tr("The colour “{words}” is half transparent; use a solid one, or “transparent”.", words=words)
        )
    return colour[0], colour[1], colour[2]


def hexadecimal(colour: Colour) -> str:
    """#rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def parse_background(words: str) -> str | None:
    """A background for the settings: the words of a valid colour, or None if it is transparent.

    >>> parse_background("ivory")
    'ivory'
    >>> parse_background("transparent") is None
    True
    """
    if words.strip().lower() in TRANSPARENT:
        return None
    parse_colour(words)
    return words


def ink_on(background: Colour | None) -> Colour:
    """The colour of text on a background: nearly black, or nearly white on dark ones."""
    if background is None:
        return 118, 118, 118
    red, green, blue = background
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return (38, 38, 38) if light else (236, 236, 236)


MM_PER_INCH, CM_PER_INCH, POINTS_PER_INCH = 25.4, 2.54, 72
COARSE_DPI = 150
"""Dots per inch below which a printed photo looks coarse at reading distance."""


@dataclass(frozen=True)
class Paper:
    """A width and a height, in millimetres or in pixels.

    >>> Paper(210, 297)
    Paper(width=210, height=297, unit='mm')
    """

    width: float
    height: float
    unit: str = "mm"

    def turned(self) -> "Paper":
        """The paper with width and height exchanged."""
        return Paper(self.height, self.width, self.unit)

    def lying(self, orientation: str) -> "Paper":
        """The paper in portrait or landscape; any other word leaves it unchanged."""
        wide = self.width >= self.height
        turn = (orientation == "portrait" and wide) or (orientation == "landscape" and not wide)
        return self.turned() if turn else self

    def pixels(self, dpi: float) -> tuple[int, int]:
        """Width and height in whole pixels."""
        scale = dpi / MM_PER_INCH if self.unit == "mm" else 1.0
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def points(self, dpi: float) -> tuple[float, float]:
        """Width and height in points (1/72 inch), exactly."""
        scale = POINTS_PER_INCH / (MM_PER_INCH if self.unit == "mm" else dpi)
        return self.width * scale, self.height * scale


PAPERS = {
    "A5": Paper(148, 210),
    "A4": Paper(210, 297),
    "A3": Paper(297, 420),
    "A2": Paper(420, 594),
    "A1": Paper(594, 841),
    "A0": Paper(841, 1189),
    mark("Letter"): Paper(215.9, 279.4),
    mark("Legal"): Paper(215.9, 355.6),
    mark("Tabloid"): Paper(279.4, 431.8),
    "30x40 cm": Paper(300, 400),
    "50x70 cm": Paper(500, 700),
    "1920x1080": Paper(1920, 1080, "px"),
    "2560x1440": Paper(2560, 1440, "px"),
    "3840x2160": Paper(3840, 2160, "px"),
}
NICKNAMES = {"fullhd": "1920x1080", "4k": "3840x2160"}
"""Other names of papers, in small letters without spaces."""

_MM = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "m": 1000.0}
_NUMBER = r"(\d{1,6}(?:\.\d+)?)"
_SIZE = re.compile(rf"{_NUMBER}\s*(?:x|\u00d7|\*)\s*{_NUMBER}\s*(mm|cm|in|m|px)?")


def parse_paper(words: str) -> Paper:
    """A paper by its name ("A2", "50x70cm", "4K") or its size ("210x297mm", "3000x2000px"; no unit means pixels).

    >>> parse_paper("50x70cm").width, parse_paper("3000x2000px").unit, parse_paper("4K").height
    (500, 'px', 2160)
    """
    wanted = _plain(words)
    wanted = NICKNAMES.get(wanted, wanted)
    for name, paper in PAPERS.items():
        if wanted == _plain(name):
            return paper
    size = _SIZE.fullmatch(words.strip().lower())
    if size is None:
        choices = ", ".join(PAPERS)
        raise UsageError(
            tr(
                "“{words}” is no paper; choose one of {choices}, or a size like 210x297mm or 3000x2000px.",
                words=words,
                choices=choices,
            )
        )
    width, height, unit = float(size[1]), float(size[2]), size[3] or "px"
    scale = _MM.get(unit, 1.0)
    if min(width, height) * scale < 1:
        raise UsageError(tr("The paper “{words}” has no area.", words=words))
    return Paper(width * scale, height * scale, "px" if unit == "px" else "mm")


def _plain(words: str) -> str:
    return re.sub(r"\s+", "", words).lower().replace("\u00d7", "x")


ORIENTATIONS = ("auto", "portrait", "landscape")
FITS = ("crop", "whole")
PAGE_TITLES = ("number", "date", "chapter", "none")
COVERS = ("auto", "photos", "none")
"""Names for the picture on a book's cover: a photo that the program chooses, many photos, or no picture."""


@dataclass(frozen=True)
class RenderSettings:
    """How a layout is drawn; lengths are in millimetres on paper, in pixels on anything else.

    >>> RenderSettings(paper="A2", title="Crete 2024").dpi
    300
    >>> RenderSettings(quality=300)
    Traceback (most recent call last):
        ...
    album_app.errors.UsageError: The quality must lie between 1 and 100, not 300.
    """

    cell: int | None = None  # side of a photo in pixels, where no paper is named; None: `usual_cell`
    paper: str = ""  # a name from PAPERS, "210x297mm" or "3000x2000px"
    fit_paper: bool = False  # stretch cells a little, so that they fill the paper
    dpi: int = 300
    landscape: str = "auto"  # one of ORIENTATIONS; auto: the one in which photos are larger
    gap: float | None = None  # between photos; None: a share of a photo's side
    margin: float | None = None  # around the photos; None: a share of the sheet's shorter side
    bleed: float = 0.0  # what is printed beyond the paper's edge and cut away
    cut_marks: bool = False
    poster: str = ""  # the paper of the pages over which a PDF is spread; empty: one page
    overlap: float = 10.0  # of a poster's pages, in millimetres
    background: str | None = "white"  # a name or #rrggbb; None is transparent
    fit: str = "crop"
    corner: float = 0.0  # radius as a share of a photo's shorter side, 0 to 0.5
    border: float = 0.0
    border_colour: str = "black"
    caption: str = "none"  # one of CAPTIONS, or a template such as "{title}, {date:%Y}"
    title: str = ""
    subtitle: str = ""  # below the title on a book's cover
    cover: str = "auto"  # the picture on a book's cover: one of COVERS, or the name of a photo
    chapter_titles: tuple[tuple[int, str], ...] = ()  # chosen by the user, each with its page from 0 on
    page_titles: str = "number"  # below the pages of a book, and above those where a chapter begins
    mark_pins: bool = False
    time_marks: bool = False  # days, months or years below the columns of a timeline
    quality: int = 90  # of pictures in lossy formats
    megabytes: float | None = None  # of a web page or animation; None: `usual_megabytes` or MEGABYTES
    names: bool = True  # whether a web page shows the names and dates of the photos
    region_names: bool = False  # whether a web page can show names over regions of the sheet
    colour_by: str = ""  # what the frames' colours mean: a column of the table, folder or keywords
    filters: str = ""  # the columns that a web page filters by, with commas between them; "all" for all of them
    columns: tuple[str, ...] = ()  # of the table that captions may name

    def __post_init__(self) -> None:
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and low <= value <= high):
                raise UsageError(
                    tr(
                        "The {word} must lie between {low} and {high}, not {value}.",
                        word=tr(_WORDS.get(name, name)),
                        low=short_number(low),
                        high=short_number(high),
                        value=value,
                    )
                )
        for name, choices in _CHOICES:
            if getattr(self, name) not in choices:
                word = _WORDS.get(name, name)
                raise UsageError(
                    tr(
                        "The {word} must be one of {choices}, not “{value}”.",
                        word=tr(word),
                        choices=", ".join(choices),
                        value=getattr(self, name),
                    )
                )
        check_template(self.caption, self.columns)
        for colour in (self.background, self.border_colour):
            if colour is not None:
                parse_colour(colour)
        for paper in (self.paper, self.poster):
            if paper:
                parse_paper(paper)


_RANGES = (
    ("cell", 4, 4096),
    ("dpi", 1, 2400),
    ("gap", 0, 10_000),
    ("margin", 0, 10_000),
    ("corner", 0, 0.5),
    ("bleed", 0, 100),
    ("overlap", 0, 50),
    ("border", 0, 1000),
    ("quality", 1, 100),
    ("megabytes", 0.5, 2000),
)
_CHOICES = (("landscape", ORIENTATIONS), ("fit", FITS), ("page_titles", PAGE_TITLES))
_WORDS = {
    "cell": mark("cell size"),
    "landscape": "orientation",
    "corner": mark("corner radius"),
    "border": mark("border width"),
    "page_titles": mark("page titles"),
}
