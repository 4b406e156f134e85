"""The look of the program: the palette in use, and one style sheet made from it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from album_app.gui.style.palette import DARK, LIGHT, PALETTES, SYSTEM, Palette
from album_app.gui.style.style_sheet import style_sheet

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
