"""What an export starts from: cards with a picture of the sheet on each of them, or the choice of the last export."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from album_app.gui.controls.sections import named
from album_app.gui.state.pictures import calm_picture
from album_app.gui.style import theme
from album_app.gui.style.design import SNUG
from album_app.language import mark, tr
from album_app.layout.project.document import Document
from album_app.render import FORMATS, RenderSettings, parse_paper
from album_app.render.presets import Choice

PICTURE = QSize(120, 72)
"""Size of the picture on a card, in logical pixels."""
SHEET_PX = 720
"""The longer side, in pixels, of the sheet that the pictures on all cards are scaled from."""
POSTER, BOOK, CARD, WEB_PAGE, WALLPAPER, PRINT = "poster", "book", "card", "web", "wallpaper", "print"
LEAST_POSTER_MM = 297.0
"""Millimetres: a paper whose shorter side is at least this long (A3 and larger) counts as a poster."""


def _wallpaper() -> Choice:
    """A picture with as many pixels as the screen."""
    screen = QGuiApplication.primaryScreen()
    size = QSize(1920, 1080) if screen is None else screen.size() * screen.devicePixelRatio()
    paper = f"{size.width()}x{size.height()}"
    return Choice("PNG", RenderSettings(paper=paper, background="#101010", margin=0))


def _web_page() -> Choice:
    return Choice(next(name for name, kind in FORMATS.items() if kind.to_look_around))


@dataclass(frozen=True)
class Card:
    """One thing that a sheet can become: its name, a sentence that describes it, and the choice that makes it."""

    title: str
    about: str
    choice: Callable[[], Choice]


CARDS = {
    POSTER: Card(
        mark("Poster"), mark("A PDF of 42 × 59 cm for a print shop"), lambda: Choice("PDF", RenderSettings(paper="A2"))
    ),
    BOOK: Card(
        mark("Book"),
        mark("A PDF with a page for each page of the sheet"),
        lambda: Choice("PDF", RenderSettings(paper="A4")),
    ),
    CARD: Card(
        mark("Card"), mark("A PDF of the size of a postcard"), lambda: Choice("PDF", RenderSettings(paper="148x105mm"))
    ),
    WEB_PAGE: Card(mark("Web page"), mark("One file to send around: everyone can zoom into it"), _web_page),
    WALLPAPER: Card(mark("Wallpaper"), mark("A picture with the pixels of this screen"), _wallpaper),
    PRINT: Card(
        mark("Print at home"), mark("On the paper of your printer"), lambda: Choice("PDF", RenderSettings(paper="A4"))
    ),
}


def card_of(choice: Choice, is_book: bool) -> str:
    """The key of the card that a choice belongs to; "" if it belongs to none."""
    if choice.kind.to_look_around:
        return WEB_PAGE
    if not choice.settings.paper:
        return ""
    paper = parse_paper(choice.settings.paper)
    if paper.unit == "px":
        return WALLPAPER
    if is_book:
        return BOOK
    if paper == parse_paper(CARDS[CARD].choice().settings.paper):
        return CARD
    return POSTER if min(paper.width, paper.height) >= LEAST_POSTER_MM else ""


def first_choice(document: Document) -> Choice:
    """The choice for a first export: a book if the sheet has pages, otherwise a poster."""
    choice = CARDS[POSTER if document.shape.pages is None else BOOK].choice()
    return replace(choice, settings=with_own_texts(document, choice.settings))


def memory_key(document: Document, places: Sequence[Path] = ()) -> str:
    """The key of the preference that remembers the choice of the last export.

    Sheets and books have keys of their own, so that a book does not start from the paper of a poster. With `places`
    (the project file or the folders of an album) the key is that of this album alone.
    """
    kind = "export" if document.shape.pages is None else "book_export"
    names = "\n".join(str(place.absolute()) for place in places)
    return f"{kind}/{zlib.crc32(names.encode(errors='surrogateescape'))}" if places else kind


def with_own_texts(document: Document, settings: RenderSettings) -> RenderSettings:
    """The settings with the texts that belong to the document: titles, the cover and the columns of its table."""
    own = replace(settings, title=document.title, subtitle=document.subtitle, cover=document.cover)
    return replace(own, columns=document.columns, chapter_titles=tuple(sorted(document.chapter_titles.items())))


def with_chapters(choice: Choice, document: Document) -> Choice:
    """The choice with chapter titles if the document has chapters, unless the titles of pages are switched off."""
    has_chapters = document.has_chapters or (document.shape.pages is not None and bool(document.chapter_titles))
    wanted = has_chapters and choice.settings.page_titles != "none"
    return replace(choice, settings=replace(choice.settings, page_titles="chapter")) if wanted else choice


class ExportCards(QWidget):
    """A row of cards, of which one or none is chosen.

    Signals:
        chosen(str): a card was clicked
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("What the sheet becomes"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SNUG)
        self.buttons: dict[str, QToolButton] = {}
        for key, card in CARDS.items():
            button = named(QToolButton(), tr(card.title), "exportCard")
            button.setText(tr(card.title))
            button.setToolTip(tr(card.about))
            button.setAccessibleDescription(tr(card.about))
            button.setCheckable(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setIconSize(PICTURE)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda checked=False, key=key: self.chosen.emit(key))
            button.installEventFilter(self)
            row.addWidget(button)
            self.buttons[key] = button
        self.show_sheet(QImage())

    def show_chosen(self, chosen: str) -> None:
        """Mark the card with this key; "" marks none."""
        for key, button in self.buttons.items():
            button.setChecked(key == chosen)

    def focus_chosen(self) -> None:
        """Give the keyboard to the card that is chosen, so that no other one looks chosen, too."""
        for button in self.buttons.values():
            if button.isChecked():
                button.setFocus()

    def eventFilter(self, card: QObject, event: QEvent) -> bool:
        """Arrows go from card to card; Enter chooses one, and on the chosen one does what it always does."""
        if (
            not isinstance(event, QKeyEvent)
            or event.type() != QEvent.Type.KeyPress
            or not isinstance(card, QToolButton)
        ):
            return False
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            cards = list(self.buttons.values())
            right = (key == Qt.Key.Key_Right) != self.isRightToLeft()
            cards[(cards.index(card) + (1 if right else -1)) % len(cards)].setFocus(Qt.FocusReason.TabFocusReason)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not card.isChecked():
            card.click()
            return True
        return False

    def show_sheet(self, sheet: QImage, across: int = 1) -> None:
        """Draw a sheet that is `across` photos wide on each card; a null picture leaves the cards without a sheet."""
        ratio = self.devicePixelRatio()
        sheet = calm_picture(sheet, across, PICTURE.width())
        for key, button in self.buttons.items():
            button.setIcon(QIcon(_picture(key, sheet, ratio)))


def _picture(key: str, sheet: QImage, ratio: float) -> QPixmap:
    picture = QPixmap(PICTURE * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        DRAWN[key](painter, sheet)
    return picture


def _paper(painter: QPainter, at: QRectF, colour: str = "#ffffff", round_by: float = 0.0) -> None:
    painter.setPen(QPen(QColor(theme.current().line), 1))
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(at, round_by, round_by)


def _sheet_in(painter: QPainter, sheet: QImage, room: QRectF, fill: bool = False) -> None:
    """Draw the sheet in the middle of `room`: the whole sheet, or with `fill` as much of it as covers the room."""
    if sheet.isNull():
        painter.fillRect(room, QColor(theme.current().cell))
        return
    pick = max if fill else min
    scale = pick(room.width() / sheet.width(), room.height() / sheet.height())
    size = QRectF(0, 0, sheet.width() * scale, sheet.height() * scale)
    size.moveCenter(room.center())
    painter.save()
    painter.setClipRect(room)
    ratio = painter.device().devicePixelRatio()
    drawn = sheet.scaled(  # `scaled` averages the pixels, `drawImage` would pick some of them
        (size.size() * ratio).toSize().expandedTo(QSize(1, 1)),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    painter.drawImage(size, drawn)
    painter.restore()


def _draw_poster(painter: QPainter, sheet: QImage) -> None:
    wide = sheet.isNull() or sheet.width() >= sheet.height()
    at = QRectF(0, 0, 94, 66) if wide else QRectF(0, 0, 48, 68)
    at.moveCenter(QPointF(60, 36))
    _paper(painter, at)
    _sheet_in(painter, sheet, at.adjusted(5, 5, -5, -5))


def _draw_book(painter: QPainter, sheet: QImage) -> None:
    for left, part in ((14.0, 0), (60.0, 1)):
        page = QRectF(left, 6, 46, 60)
        _paper(painter, page)
        half = sheet if sheet.isNull() else sheet.copy(part * sheet.width() // 2, 0, sheet.width() // 2, sheet.height())
        _sheet_in(painter, half, page.adjusted(5, 5, -5, -9), fill=True)
    painter.setPen(QPen(QColor(0, 0, 0, 50), 2))
    painter.drawLine(QPointF(60, 7), QPointF(60, 65))


def _draw_card(painter: QPainter, sheet: QImage) -> None:
    at = QRectF(26, 13, 68, 48)
    _paper(painter, at, round_by=3)
    _sheet_in(painter, sheet, at.adjusted(4, 4, -4, -4))


def _draw_web_page(painter: QPainter, sheet: QImage) -> None:
    at = QRectF(12, 5, 96, 62)
    _paper(painter, at, "#17181a", 4)
    painter.setPen(Qt.PenStyle.NoPen)
    for place, colour in enumerate(("#e0665c", "#e3b25a", "#7fc492")):
        painter.setBrush(QColor(colour))
        painter.drawEllipse(QPointF(19 + 6 * place, 11), 1.8, 1.8)
    _sheet_in(painter, sheet, at.adjusted(4, 13, -4, -4))


def _draw_wallpaper(painter: QPainter, sheet: QImage) -> None:
    at = QRectF(14, 4, 92, 55)
    _paper(painter, at, "#101010", 3)
    _sheet_in(painter, sheet, at.adjusted(3, 3, -3, -3))
    painter.setPen(QPen(QColor(theme.current().muted), 2))
    painter.drawLine(QPointF(48, 66), QPointF(72, 66))
    painter.drawLine(QPointF(60, 59), QPointF(60, 66))


def _draw_print(painter: QPainter, sheet: QImage) -> None:
    palette = theme.current()
    page = QRectF(34, 4, 52, 40)
    _paper(painter, page)
    _sheet_in(painter, sheet, page.adjusted(4, 4, -4, -6))
    painter.setPen(QPen(QColor(palette.muted), 1.6))
    painter.setBrush(QColor(palette.raised))
    painter.drawRoundedRect(QRectF(22, 40, 76, 24), 4, 4)
    painter.drawLine(QPointF(32, 56), QPointF(88, 56))


DRAWN: dict[str, Callable[[QPainter, QImage], None]] = {
    POSTER: _draw_poster,
    BOOK: _draw_book,
    CARD: _draw_card,
    WEB_PAGE: _draw_web_page,
    WALLPAPER: _draw_wallpaper,
    PRINT: _draw_print,
}
