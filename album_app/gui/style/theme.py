"""The look of the program: a light and a dark palette of our own, and one style sheet made from either."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from album_app.gui.style.style_sheet import style_sheet

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
        warning="#e3b25a",
        error="#f2877c",
        cell="#2a2c30",
        canvas="#17181a",
    ),
}

_chosen = SYSTEM


def apply(choice: str) -> Palette:
    """Dress the whole application; `choice` is system, light or dark."""
    global _chosen  # noqa: PLW0603
    _chosen = choice
    palette = current()
    application, sheet = QApplication.instance(), style_sheet(palette)
    if isinstance(application, QApplication) and application.styleSheet() != sheet:
        application.setPalette(_qt_palette(palette))
        application.setStyleSheet(sheet)
    return palette


def current() -> Palette:
    """The palette in use; by the system's wish unless the user chose one."""
    if _chosen in PALETTES:
        return PALETTES[_chosen]
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return PALETTES[DARK if dark else LIGHT]


def _qt_palette(palette: Palette) -> QPalette:
    role = QPalette.ColorRole
    roles = {
        role.Window: palette.window,
        role.WindowText: palette.text,
        role.Base: palette.surface,
        role.AlternateBase: palette.hover,
        role.Text: palette.text,
        role.Button: palette.raised,
        role.ButtonText: palette.text,
        role.BrightText: palette.error,
        role.ToolTipBase: palette.raised,
        role.ToolTipText: palette.text,
        role.Highlight: palette.accent,
        role.HighlightedText: palette.accent_text,
        role.Link: palette.accent,
        role.PlaceholderText: palette.muted,
        role.Light: palette.raised,
        role.Midlight: palette.hover,
        role.Mid: palette.line,
        role.Dark: palette.line,
        role.Shadow: palette.canvas,
    }
    colours = QPalette()
    for name, colour in roles.items():
        colours.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        colours.setColor(QPalette.ColorGroup.Disabled, name, QColor(palette.muted))
    return colours
