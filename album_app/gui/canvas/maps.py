"""Colours that stand for numbers or values, each with its legend.

A map over the sheet shows how sure the place of each photo is, or where else one photo could go. Frames around photos
show the value of each photo in a column, such as its folder or its year.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QLinearGradient, QPainter, QPen

from album_app.gui.canvas.overlays import CARD_PADDING, paint_card_ground
from album_app.gui.canvas.tiles.marks import CanvasColours
from album_app.gui.state.advice import Advice
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.colouring import Colouring, ramp
from album_app.layout.layout import Layout
from album_app.layout.shapes.frames import SheetGeometry
from album_app.layout.shapes.shape import Shape

HEAT_STOPS = ((0.0, "#3b1c6b"), (0.25, "#7a2382"), (0.5, "#c73e68"), (0.75, "#f28a4b"), (1.0, "#fbe28a"))
"""Colours of a map, from the value 0 to 1."""
HEAT_ALPHA = 190
"""Opacity of a map, of 255."""
FRAME_SHARE, MOST_FRAME_PX = 0.07, 6.0
"""Width of a coloured frame: a share of a tile's side, but at most this many logical pixels."""
LONGEST_LEGEND_WORDS_PX = 160
"""Longer words in a legend are cut, in logical pixels."""


def heat_lookup() -> NDArray[np.uint32]:
    """256 colours from dark violet (0) to light yellow (1), premultiplied."""
    stops = np.array([place for place, _ in HEAT_STOPS])
    colours = [QColor(name) for _, name in HEAT_STOPS]
    at = np.linspace(0, 1, 256)
    table = np.full(256, HEAT_ALPHA << 24, np.uint32)
    for shift, channel in ((16, QColor.red), (8, QColor.green), (0, QColor.blue)):
        part = np.interp(at, stops, [channel(colour) for colour in colours]) * HEAT_ALPHA / 255
        table |= np.round(part).astype(np.uint32) << np.uint32(shift)
    return table


def heat_image(shape: Shape, values: NDArray[np.floating]) -> QImage:
    """One pixel per cell, coloured by a value in 0..1; transparent where there is no cell or no value."""
    level = np.clip(np.nan_to_num(values) * 255, 0, 255).astype(np.int64)
    pixels = np.zeros((shape.rows, shape.columns), np.uint32)
    pixels[shape.mask] = np.where(np.isnan(values), np.uint32(0), heat_lookup()[level])
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, shape.columns, shape.rows, 4 * shape.columns, form).copy()


def paint_heat(painter: QPainter, sheet: SheetGeometry, image: QImage) -> None:
    """Paint a map over the whole sheet, a rectangle per frame."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    half, frames = sheet.gap / 2, sheet.frames
    if np.all(frames.boxes[:, 2:] == 1) and not (frames.boxes[:, 0] % 1).any():
        (across, down), (rows, columns) = sheet.pitch, frames.grid.shape
        place = QRectF(sheet.left - half, sheet.top - half, columns * across, rows * down)
        painter.drawImage(place, image)
        return
    for (x, y, width, height), (row, column) in zip(sheet.rects.tolist(), frames.cells.tolist(), strict=True):
        place = QRectF(x - half, y - half, width + sheet.gap, height + sheet.gap)
        painter.drawImage(place, image, QRectF(column, row, 1, 1))


def paint_legend(
    painter: QPainter, area: QRect, sheet: QRectF, ends: tuple[str, str], colours: CanvasColours, font: QFont
) -> None:
    """Paint the legend of a map in the lower left corner, below the sheet if there is room; in logical pixels."""
    low, high = ends
    metrics = QFontMetricsF(font)
    bar = 120.0
    width = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high) + bar + 4 * CARD_PADDING
    height = metrics.height() + 0.8 * CARD_PADDING
    below = min(max((area.bottom() - sheet.bottom() - height) / 2, 3.0), 14.0)
    card = QRectF(area.left() + 14, area.bottom() - height - below, width, height)
    paint_card_ground(painter, card, colours)
    painter.setFont(font)
    painter.setPen(QColor(colours.muted))
    inner = card.adjusted(CARD_PADDING, 0, -CARD_PADDING, 0)
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute  # the colours run from left to right
    painter.drawText(inner, middle | Qt.AlignmentFlag.AlignLeft, low)
    painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, high)
    start = inner.left() + metrics.horizontalAdvance(low) + CARD_PADDING
    scale = QRectF(start, card.center().y() - 4, bar, 8)
    ramp = QLinearGradient(scale.topLeft(), scale.topRight())
    for place, colour in HEAT_STOPS:
        ramp.setColorAt(place, QColor(colour))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ramp)
    painter.drawRoundedRect(scale, 4, 4)


def paint_frames(painter: QPainter, tiles: Sequence[QRectF], colour: QColor, ratio: float) -> None:
    """Paint a frame inside the edge of each tile; it is wider on larger tiles."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    side = min(tiles[0].width(), tiles[0].height())
    width = float(round(min(max(1.0, FRAME_SHARE * side), MOST_FRAME_PX * ratio)))
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    inside = width / 2
    painter.drawRects([tile.adjusted(inside, inside, -inside, -inside) for tile in tiles])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def paint_colour_legend(
    painter: QPainter, area: QRect, sheet: QRectF, colouring: Colouring, colours: CanvasColours, font: QFont
) -> None:
    """Paint the legend of coloured frames above the sheet, or over its upper edge; in logical pixels."""
    metrics = QFontMetricsF(font)
    side, gap, line = 0.75 * metrics.height(), 0.5 * CARD_PADDING, 1.25 * metrics.height()
    entries: list[tuple[str, tuple[QColor, ...]]] = [(f"{colouring.title}:", ())]
    if colouring.is_ramp:
        entries.append((colouring.ends[0], ()))
        entries.append((colouring.ends[1], tuple(QColor(*shade) for shade in ramp().tolist())))
    entries += [(words, (QColor(*colour),)) for words, colour in colouring.entries]
    placed: list[tuple[float, int, str, tuple[QColor, ...], float]] = []
    x, row, room, widest = 0.0, 0, area.width() - 28 - 2 * CARD_PADDING, 0.0
    for words, shades in entries:
        text = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, LONGEST_LEGEND_WORDS_PX)
        bar = side if len(shades) == 1 else 100.0 if shades else 0.0
        width = metrics.horizontalAdvance(text) + (bar + gap if shades else 0.0)
        if x and x + width > room:
            x, row = 0.0, row + 1
        placed.append((x, row, text, shades, bar))
        widest, x = max(widest, x + width), x + width + 1.6 * CARD_PADDING
    height = (row + 1) * line + 0.8 * CARD_PADDING
    above = min(max((sheet.top() - area.top() - height) / 2, 3.0), 14.0)
    card = QRectF(area.left() + 14, area.top() + above, widest + 2 * CARD_PADDING, height)
    paint_card_ground(painter, card, colours)
    painter.setFont(font)
    for x, row, text, shades, bar in placed:
        left, top = card.left() + CARD_PADDING + x, card.top() + 0.4 * CARD_PADDING + row * line
        for place, shade in enumerate(shades):
            step = bar / len(shades)
            painter.fillRect(QRectF(left + place * step, top + (line - side) / 2, step + 0.5, side), shade)
        painter.setPen(QColor(colours.text))
        start = left + (bar + gap if shades else 0.0)
        rest = QRectF(start, top, card.right() - start, line)
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


NO_MAP, CONFIDENCE, PLACES = "", "confidence", "places"
SMALLEST_SPREAD = 0.02
"""A map of confidences that differ by less than this is not stretched over all colours."""


class HeatMap(QObject):
    """The map that the user has switched on, as a picture with one pixel per cell.

    Signals:
        changed(): there is another picture, or none
    """

    changed = Signal()

    def __init__(self, session: Session, advice: Advice) -> None:
        super().__init__(session)
        self._session = session
        self._advice = advice
        self.name = NO_MAP
        self.image: QImage | None = None
        self.legend: tuple[str, str] | None = None  # words for the values 0 and 1
        session.layout_changed.connect(self.refresh)
        session.selection_changed.connect(self._follow_selection)
        session.opened.connect(self.refresh)

    def switch(self, name: str) -> None:
        """Show another map: "" for none."""
        self.name = name
        if name == PLACES and self._session.current is None:
            self._session.tell(tr("Select a photo to see where else it could go."))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        document = self._session.document
        layout = None if document is None else document.layout
        photo = self._session.current
        if self.name == CONFIDENCE and layout is not None:
            self._show(layout, stretched_confidence(layout), (tr("unsure"), tr("sure of its place")))
        elif self.name == PLACES and layout is not None and photo is not None:
            self._advice.places(photo, lambda shares: self._show_places(layout, shares))
        else:
            self._show(None, None, None)

    @Slot()
    def _follow_selection(self) -> None:
        if self.name == PLACES:
            self.refresh()

    def _show_places(self, layout: Layout, shares: NDArray[np.floating]) -> None:
        if self.name == PLACES:
            largest = float(shares.max()) if len(shares) else 0.0
            self._show(layout, shares / largest if largest > 0 else shares, (tr("unlikely"), tr("likely")))

    def _show(self, layout: Layout | None, values: NDArray[np.floating] | None, legend: tuple[str, str] | None) -> None:
        self.image = self.legend = None
        if layout is not None and values is not None and len(values) == layout.shape.count:
            self.image, self.legend = heat_image(layout.shape, values), legend
        self.changed.emit()


def stretched_confidence(layout: Layout) -> NDArray[np.floating]:
    """How sure the place of each photo is, from 0 to 1, stretched over all colours.

    Pinned cells, which are certain, do not count for the scale, because they would leave few colours for the others.
    """
    values = np.where(layout.photo_at >= 0, layout.confidence, np.nan).astype(np.float64)
    pinned = [layout.shape.index_of(cell) for cell in layout.pins.values() if cell in layout.shape]
    free = np.delete(values, pinned)
    free = free[~np.isnan(free)]
    low, high = (float(end) for end in np.quantile(free, (0.02, 0.98))) if len(free) else (0.0, 1.0)
    if high - low < SMALLEST_SPREAD:
        low, high = 0.0, 1.0
    return np.clip((values - low) / (high - low), 0.0, 1.0)
