"""The design sheet: type sizes, spacing, radii, shadows and motion as named values that the whole window follows.

Colours are in `theme`, since they differ between light and dark.
"""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont

SMALL_PX, BODY_PX, LARGE_PX = 11, 13, 16
"""Heights of type in pixels: notes and values, everything else, headings of pages."""
MEDIUM, SEMIBOLD = 500, 600
"""Weights of type: titles of sections and cards, the one main action of a page."""

HAIR, TIGHT, SNUG, ROOM, WIDE, APART = 2, 4, 8, 12, 16, 24
"""Distances in pixels; no other distance separates two things."""

ROUND_SMALL, ROUND, ROUND_CARD = 4, 6, 10
"""Radii of corners in pixels: boxes to tick and keys, controls, cards and everything that floats."""

SHADOW_BLUR_PX, SHADOW_OPACITY, SHADOW_DROP_PX = 16, 0.15, 4
"""What floats casts a soft shadow: its reach, its darkness at the edge, and how far below it lies."""

QUICK_MS, CALM_MS, LONGEST_MS = 200, 350, 700
"""Motion: what changes moves, what stays is still. A control, a card, the whole sheet."""

TRAY_WIDTH_PX, PANEL_WIDTH_PX = 260, 300
"""Widths of the columns on both sides of the sheet, until the user drags their edges."""
ICON_PX, SMALL_ICON_PX = 20, 16


@dataclass(frozen=True)
class Dark:
    """Colours over a photo that is seen large, in both themes: nothing light competes with the photo."""

    ground: str = "#121315"
    bar: str = "#1c1d20"
    hover: str = "#2e3035"
    line: str = "#3c3f45"
    text: str = "#f2f0ec"
    faint: str = "#a9a7a3"
    accent: str = "#6fb1d6"
    pin: str = "#e8622f"


DARK_ROOM = Dark()


@dataclass(frozen=True)
class TypeSizes:
    """The three heights of type in pixels."""

    small: int
    body: int
    large: int


def type_sizes(system_px: int) -> TypeSizes:
    """The sheet's own sizes, or larger ones in the same proportions where the system asks for larger type."""
    body = max(BODY_PX, system_px)
    return TypeSizes(round(body * SMALL_PX / BODY_PX), body, round(body * LARGE_PX / BODY_PX))


def body_font(system: QFont, system_px: int) -> QFont:
    """The system's own face in the size of the sheet, with figures of equal width so that counts do not twitch."""
    font = QFont(system)
    font.setPixelSize(type_sizes(system_px).body)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def shadow_colours() -> list[QColor]:
    """What each pixel of a shadow's reach adds, from the outside in; together they are as dark as its edge."""
    steps = range(1, SHADOW_BLUR_PX + 1)
    whole = sum(steps)
    return [QColor.fromRgbF(0.0, 0.0, 0.0, SHADOW_OPACITY * step / whole) for step in steps]
