"""The colours of the program: a light and a dark palette of our own."""

from dataclasses import dataclass

SYSTEM, LIGHT, DARK = "system", "light", "dark"


@dataclass(frozen=True)
class Palette:
    """Every colour of the program, as #rrggbb."""

    name: str
    window: str
    surface: str  # fields, lists
    raised: str  # buttons, menus
    hover: str
    line: str
    text: str
    muted: str
    accent: str
    accent_text: str
    pin: str
    success: str
    warning: str
    error: str
    cell: str  # an empty cell
    canvas: str


PALETTES = {
    LIGHT: Palette(
        name=LIGHT,
        window="#f7f6f4",
        surface="#ffffff",
        raised="#ffffff",
        hover="#efedea",
        line="#dfdcd7",
        text="#262422",
        muted="#6f6a64",
        accent="#2b6b8f",
        accent_text="#ffffff",
        pin="#d9572b",
        success="#2c6e3f",
        warning="#9a6200",
        error="#b3362b",
        cell="#e4e1dc",
        canvas="#eeece8",
    ),
    DARK: Palette(
        name=DARK,
        window="#1f2023",
        surface="#27292d",
        raised="#303338",
        hover="#383b41",
        line="#3c3f45",
        text="#e9e7e4",
        muted="#a1a3a8",
        accent="#6fb1d6",
        accent_text="#10222c",
        pin="#ff8a5c",
        success="#7fc492",
        warning="#e3b25a",
        error="#f2877c",
        cell="#2a2c30",
        canvas="#17181a",
    ),
}
