"""The pages of a book on the canvas: their paper and titles, the page under a point, and a page that is moved."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from album_app.gui.canvas.scene import Framed, Scene
from album_app.gui.canvas.tiles.marks import CanvasColours, tinted
from album_app.gui.style.design import ROUND_SMALL
from album_app.layout.editing.book import page_titles
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.pages import GUTTER, Pages
from album_app.layout.shapes.shape import Shape

TITLE_SHARE = 0.38
"""Height of the letters of a title, as a share of a cell."""
TITLE_SIZES = 8.0, 15.0
"""Smallest and largest height of these letters, in pixels; smaller titles are not painted."""
TITLE_STRIP = 0.62
"""Height of the strip below a page in which its title stands, in cells."""
PAPER_MARGIN = 0.14
"""How far the paper of a page reaches beyond its photos, in cells."""


def room_below(sheet: Framed) -> float:
    """The room below a sheet for the titles of its lowest pages, in cells; 0 if it is not a book."""
    shape = sheet.shape if isinstance(sheet, Layout) else sheet
    return TITLE_STRIP if isinstance(shape, Shape) and shape.pages is not None else 0.0


def page_at(scene: Scene, x: float, y: float) -> tuple[int | None, bool]:
    """The page under a point, and whether it is on the title below it."""
    pages = None if scene.shape is None else scene.shape.pages
    if pages is None:
        return None, False
    column, row = scene.view.geometry.units(x, y)
    down, within = divmod(math.floor(row), pages.rows + GUTTER)
    over, column_on_page = divmod(math.floor(column), pages.columns + GUTTER)
    page = down * pages.across + over
    if not (0 <= over < pages.across and 0 <= page < pages.count) or column_on_page >= pages.columns:
        return None, False
    return page, within >= pages.rows


class PageTitles:
    """The titles below the pages of a document, computed once for each layout and its chapter titles."""

    def __init__(self) -> None:
        self._known: tuple[object, object, list[str]] = None, None, []

    def of(self, document: Document) -> list[str]:
        """The titles, page by page."""
        layout = document.layout
        if layout is None:
            return []
        own = document.chapter_titles
        if self._known[0] is not layout or self._known[1] is not own:
            self._known = layout, own, page_titles(layout, document)
        return self._known[2]


def paint_papers(painter: QPainter, scene: Scene, colours: CanvasColours, ratio: float) -> None:
    """Paint the edge of the paper around the photos of each page."""
    pages = None if scene.shape is None else scene.shape.pages
    if pages is None:
        return
    beyond = PAPER_MARGIN * scene.view.step
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(tinted(colours.text, 70), ratio))
    for page in range(pages.count):
        paper = page_rect(scene, pages, page).adjusted(-beyond, -beyond, beyond, beyond)
        painter.drawRoundedRect(paper, ROUND_SMALL * ratio, ROUND_SMALL * ratio)


def paint_titles(painter: QPainter, scene: Scene, titles: list[str], colours: CanvasColours, ratio: float) -> None:
    """Paint the title below each page, unless cells are too small."""
    pages = None if scene.shape is None else scene.shape.pages
    size = min(TITLE_SHARE * scene.view.side, TITLE_SIZES[1] * ratio)
    if pages is None or size < TITLE_SIZES[0] * min(1.0, ratio):
        return
    font = QFont()
    font.setPixelSize(round(size))
    painter.setFont(font)
    painter.setPen(QColor(colours.text))
    for page, title in enumerate(titles[: pages.count]):
        painter.drawText(title_rect(scene, pages, page), Qt.AlignmentFlag.AlignCenter, title)


def paint_moved(painter: QPainter, scene: Scene, page: int, target: int | None, colours: CanvasColours) -> None:
    """Paint the page that is dragged pale, and a bar where it would go."""
    pages = None if scene.shape is None else scene.shape.pages
    if pages is None:
        return
    veil = QColor(colours.background)
    veil.setAlpha(150)
    painter.fillRect(page_rect(scene, pages, page), veil)
    if target is None or target == page:
        return
    rect, gap = page_rect(scene, pages, target), scene.view.step / 2
    x = rect.left() - gap if target < page else rect.right() + gap
    painter.setPen(QPen(QColor(colours.accent), max(3.0, scene.view.side * 0.08), c=Qt.PenCapStyle.RoundCap))
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))


def page_rect(scene: Scene, pages: Pages, page: int) -> QRectF:
    """Where the cells of a page are, in device pixels."""
    (row, column), geometry = pages.origin(page), scene.view.geometry
    (across, down), gap = geometry.pitch, geometry.gap
    left, top = geometry.left + column * across, geometry.top + row * down
    return QRectF(left, top, pages.columns * across - gap, pages.rows * down - gap)


def title_rect(scene: Scene, pages: Pages, page: int) -> QRectF:
    """The strip for the title of a page: as wide as the page and half of the gutters on both sides."""
    rect, step = page_rect(scene, pages, page), scene.view.step
    top = rect.bottom() + PAPER_MARGIN * step
    return QRectF(rect.left() - step / 2, top, rect.width() + step, (TITLE_STRIP - PAPER_MARGIN) * step)
