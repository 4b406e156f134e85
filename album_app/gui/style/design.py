"""The design sheet: named values for type sizes, distances, radii, shadows and motion in the whole window.

Colours are in `theme`, since they differ between light and dark.
"""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont

SMALL_PX, BODY_PX, LARGE_PX = 11, 13, 16
"""Heights of type in pixels: of notes and values, of ordinary text, and of the headings of pages."""
MEDIUM, SEMIBOLD = 500, 600
"""Weights of type: of the titles of sections and cards, and of the main action of a page."""

HAIR, TIGHT, SNUG, ROOM, WIDE, APART = 2, 4, 8, 12, 16, 24
"""Distances in pixels between two things, from a hairline to separate parts of a page."""

ROUND_SMALL, ROUND, ROUND_CARD = 4, 6, 10
"""Radii of corners in pixels: of check boxes and keys, of controls, and of cards and everything that floats."""

SHADOW_BLUR_PX, SHADOW_OPACITY, SHADOW_DROP_PX = 16, 0.15, 4
"""The soft shadow of everything that floats: its reach, its opacity at the edge, and its distance downwards."""

QUICK_MS, CALM_MS, LONGEST_MS = 200, 350, 700
"""Milliseconds that motion takes: of a control, of a card, and of the whole sheet. What does not change is still."""

TRAY_WIDTH_PX, PANEL_WIDTH_PX = 260, 300
"""Widths of the tray and of the panel until the user drags their edges."""
ICON_PX, SMALL_ICON_PX = 20, 16
"""Sides of icons: in the toolbar, and in small controls."""


@dataclass(frozen=True)
class Dark:
    """Colours around a photo that is seen large. They are dark in both themes, so that nothing outshines the photo."""

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
    """The sizes of this sheet, enlarged in proportion if the system asks for larger type."""
    body = max(BODY_PX, system_px)
    return TypeSizes(round(body * SMALL_PX / BODY_PX), body, round(body * LARGE_PX / BODY_PX))


def body_font(system: QFont, system_px: int) -> QFont:
    """The font of the system in the size of this sheet, with digits of equal width so that counts stay in place."""
    font = QFont(system)
    font.setPixelSize(type_sizes(system_px).body)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def shadow_colours() -> list[QColor]:
    """The colour that each pixel of a shadow adds, from the outside in; together they have SHADOW_OPACITY."""
    steps = range(1, SHADOW_BLUR_PX + 1)
    whole = sum(steps)
    return [QColor.fromRgbF(0.0, 0.0, 0.0, SHADOW_OPACITY * step / whole) for step in steps]
