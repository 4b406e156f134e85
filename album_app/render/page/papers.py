"""Sizes a sheet can have: papers in millimetres, screens in pixels, and whatever else a person writes down."""

import re
from dataclasses import dataclass

from album_app.errors import UsageError
from album_app.language import mark, tr

MM_PER_INCH = 25.4


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
        """The same paper lying on its other side."""
        return Paper(self.height, self.width, self.unit)

    def lying(self, orientation: str) -> "Paper":
        """The paper in portrait or landscape; as it is with any other word."""
        wide = self.width >= self.height
        turn = (orientation == "portrait" and wide) or (orientation == "landscape" and not wide)
        return self.turned() if turn else self

    def pixels(self, dpi: float) -> tuple[int, int]:
        """Width and height in whole pixels."""
        scale = dpi / MM_PER_INCH if self.unit == "mm" else 1.0
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def points(self, dpi: float) -> tuple[float, float]:
        """Width and height in points (1/72 inch), exactly."""
        scale = 72 / (MM_PER_INCH if self.unit == "mm" else dpi)
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
"""What people call some of them, spaces left out."""

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
