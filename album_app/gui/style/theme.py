"""Light and dark: the palettes, the style sheet made from them, and the theme in use."""

from dataclasses import asdict, dataclass
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from album_app.gui.style import design
from album_app.gui.style.icons import icon_file

SYSTEM, LIGHT, DARK, CONTRAST = "system", "light", "dark", "contrast"


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
    disabled: str  # words of what cannot be used now
    accent: str
    accent_text: str
    pin: str
    success: str
    warning: str
    error: str
    knob: str  # of sliders: light in both themes
    cell: str  # an empty cell
    canvas: str
    mat: str  # around the pages of a preview; no page has this colour


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
        disabled="#6f6a64",
        accent="#2b6b8f",
        accent_text="#ffffff",
        pin="#d9572b",
        success="#2c6e3f",
        warning="#9a6200",
        error="#b3362b",
        knob="#ffffff",
        cell="#e4e1dc",
        canvas="#eeece8",
        mat="#e3e0db",
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
        disabled="#a1a3a8",
        accent="#6fb1d6",
        accent_text="#10222c",
        pin="#f0652f",
        success="#7fc492",
        warning="#e3b25a",
        error="#f2877c",
        knob="#e9e7e4",
        cell="#2a2c30",
        canvas="#17181a",
        mat="#2b2d32",
    ),
    CONTRAST: Palette(
        name=CONTRAST,
        window="#000000",
        surface="#000000",
        raised="#000000",
        hover="#3a3a3a",
        line="#ffffff",
        text="#ffffff",
        muted="#d6d6d6",
        disabled="#9a9a9a",
        accent="#ffd500",
        accent_text="#000000",
        pin="#ff8a3d",
        success="#8df58d",
        warning="#ffd500",
        error="#ff9d94",
        knob="#ffffff",
        cell="#2b2b2b",
        canvas="#000000",
        mat="#3a3a3a",
    ),
}


def style_sheet(palette: Palette) -> str:
    """The style sheet for a palette."""
    pictures = {name: icon_file(name, palette.muted) for name in ("chevron-down", "chevron-up", "close")}
    pictures["check"] = icon_file("check", palette.accent_text)
    pictures["check-disabled"] = icon_file("check", palette.surface if palette.name == CONTRAST else palette.muted)
    names = {name.replace("-", "_"): path for name, path in pictures.items()}
    return Template(SHEET).substitute(asdict(palette), **names, **_measures())


def _measures() -> dict[str, str]:
    """The sizes and distances of the design sheet, by their names in the style sheet."""
    known = QApplication.instance() is not None
    sizes = design.type_sizes(QApplication.font().pixelSize() if known else design.BODY_PX)
    lengths = {
        "small": sizes.small,
        "body": sizes.body,
        "large": sizes.large,
        "tight": design.TIGHT,
        "snug": design.SNUG,
        "room": design.ROOM,
        "round_small": design.ROUND_SMALL,
        "round_card": design.ROUND_CARD,
        "round": design.ROUND,
    }
    mirrored = known and QApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return {name: f"{length}px" for name, length in lengths.items()} | {
        "filled": "add-page" if mirrored else "sub-page",  # the part of a slider's groove before its knob
        "semibold": str(design.SEMIBOLD),
        **{f"dark_{name}": colour for name, colour in asdict(design.DARK_ROOM).items()},
    }


SHEET = """
QWidget { color: $text; }
QMainWindow, QDialog { background: $window; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 5px 7px; }

QMenuBar { background: $window; border-bottom: 1px solid $line; padding: 2px 6px; }
QMenuBar::item { background: transparent; padding: 5px 9px; border-radius: $round; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $raised; border: 1px solid $line; padding: 5px; }
QMenu::item { padding: 6px 28px 6px 12px; border-radius: $round; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QMenu::icon { padding-left: 8px; }

QToolBar { background: $window; border: 0; border-bottom: 1px solid $line; padding: 5px 10px; spacing: 2px; }
QToolBar::separator { width: 1px; background: $line; margin: 5px 7px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: $round; padding: 5px 9px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $hover; border-color: $line; }
QToolButton:disabled { color: $disabled; }
QToolButton:focus { border-color: $accent; }
QToolButton#closeButton { qproperty-icon: url("$close"); qproperty-iconSize: 16px 16px; padding: 4px; }
QToolButton::menu-indicator { image: none; }

QPushButton {
    background: $raised; border: 1px solid $line; border-radius: $round; padding: 5px 12px; min-height: 18px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $hover; border-color: $muted; }
QPushButton:focus { border-color: $accent; outline: 0; }
QPushButton:disabled { color: $disabled; background: $window; }
QPushButton[primary="true"], QToolButton[primary="true"] {
    background: $accent; color: $accent_text; border-color: $accent; font-weight: $semibold; padding: 6px 16px; }
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { border-color: $text; }
QPushButton[primary="true"]:focus, QToolButton[primary="true"]:focus {
    border: 2px solid $text; padding: 5px 15px; }
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled {
    background: $hover; color: $muted; border-color: $line; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; padding: 5px 8px; }
QPushButton[flat="true"]:hover { background: $hover; }
QPushButton[flat="true"]:focus { border-color: $accent; }

QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: $surface; border: 1px solid $line; border-radius: $round; padding: 4px 7px; min-height: 19px;
    selection-background-color: $accent; selection-color: $accent_text; }
QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: $accent; }
QFrame#filterBar { background: $surface; border: 1px solid $line; border-radius: $round; }
QFrame#filterBar QLineEdit { border: 0; background: transparent; min-height: 26px; }
QFrame#filterBar QLineEdit:focus { border: 1px solid $accent; padding: 3px 6px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
    color: $disabled; background: $window; }
QSpinBox, QDoubleSpinBox { padding: 3px 0 3px 6px; min-height: 20px; }
QAbstractSpinBox QLineEdit { border: 0; padding: 0; min-height: 0; background: transparent; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url("$chevron_down"); width: 12px; height: 12px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView {
    background: $raised; border: 1px solid $line; padding: 4px; outline: 0;
    selection-background-color: $hover; selection-color: $text; }
QComboBox QAbstractItemView::item { min-height: 25px; padding-left: 4px; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button {
    border: 0; background: transparent; width: 18px; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover,
QSpinBox::down-button:hover, QDoubleSpinBox::down-button:hover { background: $hover; border-radius: 3px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$chevron_up"); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$chevron_down"); width: 9px; height: 9px; }

QCheckBox, QRadioButton { spacing: 8px; padding: 2px 0; }
QCheckBox::indicator, QListView::indicator {
    width: 15px; height: 15px; border: 1px solid $muted; border-radius: $round_small; background: $surface; }
QCheckBox::indicator:checked,
QListView::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:disabled { border-color: $line; background: $window; }
QCheckBox::indicator:checked:disabled { background: $line; border-color: $line; image: url("$check_disabled"); }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }
QCheckBox:focus { color: $accent; }

QSlider { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::$filled:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
    background: $knob; border: 1px solid $muted; width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border: 2px solid $accent; }
QSlider::$filled:horizontal:disabled { background: $line; }

QScrollArea, QListView, QTableView { border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QListView, QListWidget, QTreeView, QTableView { background: $surface; border: 0; outline: 0; }
QListView::item, QListWidget::item { border-radius: $round; }
QListView::item:hover { background: $hover; }
QListView::item:selected { background: $accent; color: $accent_text; }
QWidget#tray QListView { background: $window; }
QListWidget[framed="true"] { border: 1px solid $line; border-radius: $round; padding: 2px; }
QListWidget[framed="true"]:focus { border-color: $accent; }
QHeaderView::section { background: $window; border: 0; border-bottom: 1px solid $line; padding: 5px; color: $muted; }

QSplitter::handle { background: $line; }
QStatusBar { background: $window; border-top: 1px solid $line; }
QStatusBar[quiet="true"] { border-top-color: $window; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { padding: 0 $room; }
QProgressBar { background: $line; border: 0; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QFrame#sidePanel { background: $window; }
QFrame#sectionHeader { border-top: 1px solid $line; }
QToolButton#sectionTitle, QToolButton#sectionTitle:checked {
    background: transparent; font-weight: $semibold; padding: 9px 4px; border: 0; border-radius: 0; text-align: left; }
QToolButton#sectionTitle:hover { background: transparent; color: $accent; }
QToolButton#sectionTitle:focus {
    color: $accent; border: 2px solid $accent; border-radius: $round_small; padding: 7px 2px; }
QLineEdit[role="wrong"] { border-color: $error; }
QLabel[role="title"] { font-size: $large; font-weight: $semibold; }
QLabel[role="heading"] { font-weight: $semibold; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="value"] { font-weight: $semibold; }
QLabel[role="note"] { color: $muted; font-size: $small; }
QLabel[role="success"] { color: $success; }
QLabel[role="warning"] { color: $warning; }
QLabel[role="error"] { color: $error; }
QLabel[role="key"] {
    background: $surface; border: 1px solid $line; border-bottom-width: 2px;
    border-radius: $round_small; padding: 1px 6px; }
QFrame#messageBar { background: $raised; border: 1px solid $line; border-radius: $round_card; }
QFrame#messageBar[kind="error"] { border-left: 5px solid $error; }
QFrame#messageBar[kind="error"] QLabel { color: $error; }
QFrame#messageBar[kind="success"] { border-left: 5px solid $success; }
QFrame#messageBar[kind="success"] QLabel { color: $success; }
QToolButton#smallPicture { padding: 1px; }
QFrame#offer { background: $hover; border-radius: $round; }
QFrame#dropZone { background: $surface; border: 2px dashed $line; border-radius: $round_card; }
QFrame#dropZone[active="true"] { border-color: $accent; background: $hover; }
QToolButton#recentCard { background: $surface; border: 1px solid $line; border-radius: $round_card; padding: 8px; }
QToolButton#recentCard:hover, QToolButton#recentCard:focus { border-color: $accent; }
QFrame#segments { background: $canvas; border-radius: $round; }
QFrame#segments QPushButton {
    border: 0; background: transparent; color: $muted; font-size: $small;
    padding: 4px 3px; border-radius: $round; margin: 2px; }
QFrame#segments QPushButton:checked { background: $raised; color: $text; border: 1px solid $line; padding: 3px 2px; }
QFrame#segments QPushButton:focus { color: $accent; }
QToolButton#lightboxButton {
    color: $dark_text; border: 1px solid transparent; border-radius: $round; padding: 0; }
QToolButton#lightboxButton[worded="true"] { padding: 0 $room; }
QToolButton#lightboxButton[main="true"] { background: $dark_accent; color: $dark_ground; font-weight: $semibold; }
QToolButton#lightboxButton:disabled { color: $dark_faint; }
QToolButton#lightboxButton:hover, QToolButton#lightboxButton:checked { background: $dark_hover; }
QToolButton#lightboxButton[main="true"]:hover { background: $dark_text; }
QToolButton#lightboxButton:focus { border: 2px solid $dark_accent; }
QToolButton#lightboxButton[main="true"]:focus { border: 2px solid $dark_text; }
QToolButton#lightboxButton[round="true"] {
    background: rgba(28, 29, 32, 190); border: 1px solid $dark_line; border-radius: 20px; }
QToolButton#lightboxButton[round="true"]:hover { background: $dark_hover; }
QToolButton#lightboxButton[round="true"]:focus { border: 2px solid $dark_accent; }
QToolButton#exportCard { background: $surface; border: 1px solid $line; border-radius: $round_card; padding: $snug; }
QToolButton#exportCard:hover { background: $hover; }
QToolButton#exportCard:checked { background: $hover; border: 2px solid $accent; padding: 7px; font-weight: $semibold; }
QToolButton#exportCard:focus { border: 2px solid $text; padding: 7px; }
QToolButton#exportCard:checked:focus { border: 4px solid $accent; padding: 5px; }
QLabel#previewPane, QFrame#previewPane { background: $mat; border-radius: $round_card; }
"""


HOVER_SHARE = 0.25
"""Share of the text colour in the ground under the pointer, when the system chooses the colours."""
_chosen = SYSTEM
_of_system: QPalette | None = None  # the colours of the system, read before a theme is used


def apply(choice: str) -> Palette:
    """Use a theme in the whole application; `choice` is system, light, dark or contrast."""
    global _chosen, _of_system  # noqa: PLW0603
    _chosen = choice
    _of_system = _of_system or QPalette(QGuiApplication.palette())
    palette = current()
    application, sheet = QApplication.instance(), style_sheet(palette)
    if isinstance(application, QApplication) and application.styleSheet() != sheet:
        application.setPalette(_qt_palette(palette))
        application.setStyleSheet(sheet)
    return palette


def current() -> Palette:
    """The palette in use: the user's choice, or the one that the system asks for."""
    if _chosen in PALETTES:
        return PALETTES[_chosen]
    if _of_system is not None and _system_wants_contrast():
        return of_system(_of_system)
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return PALETTES[DARK if dark else LIGHT]


def _system_wants_contrast() -> bool:
    """Whether the system asks for high contrast; Qt says so from 6.10 on."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return bool(hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast)


def of_system(colours: QPalette) -> Palette:
    """A palette of the colours that the system forces, with lines in the colour of its text."""
    role = QPalette.ColorRole

    def named(which: QPalette.ColorRole) -> str:
        return colours.color(QPalette.ColorGroup.Active, which).name()

    ground, text = colours.color(role.Window), colours.color(role.WindowText)
    hover, strong = _mixed(ground, text, HOVER_SHARE).name(), text.name()
    return Palette(
        name=CONTRAST,
        window=ground.name(),
        surface=named(role.Base),
        raised=named(role.Button),
        hover=hover,
        line=strong,
        text=strong,
        muted=strong,
        disabled=colours.color(QPalette.ColorGroup.Disabled, role.WindowText).name(),
        accent=named(role.Highlight),
        accent_text=named(role.HighlightedText),
        pin=named(role.Highlight),
        success=strong,
        warning=strong,
        error=strong,
        knob=strong,
        cell=hover,
        canvas=ground.name(),
        mat=hover,
    )


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """A colour between two, with this share of the other."""
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + share * (b - a)) for a, b in pairs))


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
        colours.setColor(QPalette.ColorGroup.Disabled, name, QColor(palette.disabled))
    return colours
