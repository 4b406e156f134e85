"""What the sheet shall look like: one immutable value, checked when it is made."""

import math
from dataclasses import dataclass

from album_app.errors import UsageError
from album_app.language import mark, short_number, tr
from album_app.render.page.colours import parse_colour
from album_app.render.page.papers import parse_paper

ORIENTATIONS = ("auto", "portrait", "landscape")
FITS = ("crop", "whole")
CAPTIONS = ("none", "name", "date")
PAGE_TITLES = ("number", "date", "none")


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

    cell: int | None = None  # side of a photo in pixels, where no paper is named; None: chosen to suit
    paper: str = ""  # a name from PAPERS, "210x297mm" or "3000x2000px"
    fit_paper: bool = False  # cells a little wider or higher than square, so that nothing of the paper is left over
    dpi: int = 300
    landscape: str = "auto"  # auto: whichever way the photos come out larger
    gap: float | None = None  # None: chosen to suit
    margin: float | None = None  # None: chosen to suit
    bleed: float = 0.0  # what is printed beyond the paper's edge and cut away
    cut_marks: bool = False
    poster: str = ""  # the paper of the pages that a PDF is spread over, if it is to be put together by hand
    overlap: float = 10.0  # of these pages, in millimetres
    background: str | None = "white"  # a name or #rrggbb; None is transparent
    fit: str = "crop"
    corner: float = 0.0  # radius as a share of a photo's shorter side, 0 to 0.5
    border: float = 0.0
    border_colour: str = "black"
    caption: str = "none"
    title: str = ""
    page_titles: str = "number"  # what stands below the pages of a book
    mark_pins: bool = False
    time_marks: bool = False  # days, months or years below the columns of a timeline
    quality: int = 90  # of pictures in lossy formats
    megabytes: float | None = None  # of a web page; None: chosen to suit
    names: bool = True  # whether a web page tells the names and dates of the photos

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
_CHOICES = (("landscape", ORIENTATIONS), ("fit", FITS), ("caption", CAPTIONS), ("page_titles", PAGE_TITLES))
_WORDS = {
    "cell": mark("cell size"),
    "landscape": "orientation",
    "corner": mark("corner radius"),
    "border": mark("border width"),
    "page_titles": mark("page titles"),
}
