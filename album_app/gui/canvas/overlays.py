"""What is painted over the tiles: selection, focus, ghost and target of a drag, and small cards.

`tiles.marks` paints what belongs to single tiles, such as pins; `maps` paints colours that stand for values.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from album_app.gui.canvas.tiles.marks import CanvasColours, tinted
from album_app.gui.style.design import SHADOW_BLUR_PX, SHADOW_DROP_PX, SNUG, TIGHT, shadow_colours

CARD_PADDING = 10.0
"""Logical pixels between the edge of a card and its words."""
CARD_FROM_EDGE = 6.0
"""Logical pixels that stay free between a card and the edge of the window."""
MOST_GLOWING = 300
"""More selected tiles than this get a plain line instead of a glow, which takes longer to paint."""
DIM_ALPHA = 205
"""Opacity, of 255, of the veil over photos that do not stand out."""
REGION_LABEL_SIZE = 14
"""Height of the letters of a region's name, in pixels."""
LABEL_GROUND = "#141517"
"""The colour behind a region's name in both themes; it is dark enough for white letters over any photo."""


def paint_selection(
    painter: QPainter,
    tiles: Sequence[QRectF],
    colours: CanvasColours,
    ratio: float,
    *,
    most_glowing: int = MOST_GLOWING,
) -> None:
    """A soft glow and a clear line around each selected tile; more than `most_glowing` tiles get the line alone.

    The photos keep their colours.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if len(tiles) > most_glowing:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for colour, width in (("#ffffff", 3.0), (colours.accent, 2.0)):
            painter.setPen(QPen(QColor(colour), width * ratio))
            painter.drawRects(list(tiles))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return
    for tile in tiles:
        unit = ratio * min(1.0, max(0.6, tile.width() / (32 * ratio)))
        for colour, width, alpha in ((colours.accent, 11.0, 60), ("#ffffff", 6.0, 230), (colours.accent, 3.2, 255)):
            painter.setPen(QPen(tinted(colour, alpha), width * unit))
            _draw_around(painter, tile, unit)


def paint_dimmed(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours) -> None:
    """A veil in the colour of the background over each tile."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(colours.background, DIM_ALPHA))
    painter.drawRects(list(tiles))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def paint_hits(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours, ratio: float) -> None:
    """A line around each tile that was found; thinner on small tiles."""
    if not tiles:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    width = min(2.5 * ratio, max(1.0, 0.06 * tiles[0].width()))
    painter.setPen(QPen(QColor(colours.accent), width))
    inside = width / 2
    painter.drawRects([tile.adjusted(inside, inside, -inside, -inside) for tile in tiles])


def paint_focus(painter: QPainter, tile: QRectF, colours: CanvasColours, ratio: float) -> None:
    """The cell that the keyboard acts on: a dashed line that shows on any photo."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colours.background), 2.0 * ratio))
    _draw_around(painter, tile, 3.0 * ratio)
    pen = QPen(QColor(colours.text), 2.0 * ratio)
    pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    _draw_around(painter, tile, 3.0 * ratio)


def paint_handle(painter: QPainter, corner: QRectF, colours: CanvasColours, ratio: float) -> None:
    """A small square at the corner of a tile, by which the tile is made larger."""
    painter.setPen(QPen(QColor("#ffffff"), 1.5 * ratio))
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(corner, 2 * ratio, 2 * ratio)


def paint_hover(painter: QPainter, tile: QRectF, colours: CanvasColours, ratio: float) -> None:
    """A faint light on the cell under the pointer."""
    painter.setBrush(QColor(255, 255, 255, 26 if colours.dark else 46))
    painter.setPen(QPen(tinted(colours.accent, 150), 1.5 * ratio))
    _draw_around(painter, tile, 0.0)


def paint_flash(painter: QPainter, tile: QRectF, share: float, colours: CanvasColours, ratio: float) -> None:
    """A ring that closes in on a tile while `share` goes from 0 to 1."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(tinted(colours.accent, round(255 * (1 - share))), 3.0 * ratio))
    _draw_around(painter, tile, (1 - share) * max(12.0 * ratio, tile.width()))


def paint_held_sheet(painter: QPainter, sheet: QRectF, colours: CanvasColours, ratio: float) -> None:
    """A line around a held sheet, and a padlock in the middle of its upper edge."""
    around, colour = sheet.adjusted(-5 * ratio, -5 * ratio, 5 * ratio, 5 * ratio), tinted(colours.accent, 200)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.5 * ratio))
    painter.drawRoundedRect(around, 4 * ratio, 4 * ratio)
    middle, side = QPointF(around.center().x(), max(around.top(), 12 * ratio)), 9 * ratio
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.background))
    painter.drawEllipse(middle, 1.3 * side, 1.3 * side)
    painter.setPen(QPen(colour, 1.5 * ratio))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(QRectF(middle.x() - 0.32 * side, middle.y() - 0.7 * side, 0.64 * side, 0.9 * side), 0, 180 * 16)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(middle.x() - 0.55 * side, middle.y() - 0.22 * side, 1.1 * side, 0.8 * side), 2, 2)


def paint_band(painter: QPainter, band: QRectF, colours: CanvasColours, ratio: float) -> None:
    """The rubber band."""
    painter.setPen(QPen(QColor(colours.accent), ratio))
    painter.setBrush(tinted(colours.accent, 40))
    painter.drawRoundedRect(band, 3 * ratio, 3 * ratio)


def _draw_around(painter: QPainter, tile: QRectF, distance: float) -> None:
    radius = 0.08 * tile.width() + distance
    painter.drawRoundedRect(tile.adjusted(-distance, -distance, distance, distance), radius, radius)


def paint_hole(painter: QPainter, tile: QRectF, colours: CanvasColours, ratio: float) -> None:
    """The place that a photo was taken from."""
    pen = QPen(tinted(colours.muted, 160), 1.5 * ratio)
    pen.setDashPattern([3.0, 3.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _draw_around(painter, tile, -1.0 * ratio)


def paint_changes(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours, ratio: float) -> None:
    """A line around each tile, other than the target, that would change if the button was released now."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for tile in tiles:
        for colour, width in (("#ffffff", 4.0), (colours.accent, 2.0)):
            painter.setPen(QPen(QColor(colour), width * ratio))
            _draw_around(painter, tile, 0.0)


def paint_target(painter: QPainter, tile: QRectF, colours: CanvasColours, ratio: float, swap: bool) -> None:
    """The cell that would receive what is dragged; two arrows show that the photos would trade places."""
    colour = colours.pin if swap else colours.accent
    painter.setBrush(tinted(colour, 90))
    painter.setPen(QPen(QColor("#ffffff"), 6.0 * ratio))
    _draw_around(painter, tile, 1.5 * ratio)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), 3.0 * ratio))
    _draw_around(painter, tile, 1.5 * ratio)
    if swap:
        _paint_arrows(painter, tile, ratio)


def _paint_arrows(painter: QPainter, tile: QRectF, ratio: float) -> None:
    painter.save()
    painter.translate(tile.center())
    reach = min(tile.width() * 0.3, 16 * ratio)
    for colour, width in ((QColor(0, 0, 0, 140), 5.0), (QColor("#ffffff"), 2.5)):
        painter.setPen(
            QPen(colour, width * ratio, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        for turn in (1, -1):
            y, tip = -0.4 * reach * turn, reach * turn
            painter.drawLine(QPointF(-tip, y), QPointF(tip, y))
            painter.drawPolyline(
                [QPointF(tip * 0.55, y - 0.4 * reach), QPointF(tip, y), QPointF(tip * 0.55, y + 0.4 * reach)]
            )
    painter.restore()


def ghost_image(picture: QImage, count: int, colours: CanvasColours, ratio: float, font: QFont) -> QImage:
    """The picture under the pointer during a drag: a photo with a shadow, or a pile with the number of photos."""
    side, border = picture.width(), round(14 * ratio)
    ghost = QImage(side + 2 * border, side + 2 * border, QImage.Format.Format_ARGB32_Premultiplied)
    ghost.fill(Qt.GlobalColor.transparent)
    tile = QRectF(border, border, side, side)
    with QPainter(ghost) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_shadow(painter, tile, 0.08 * side, ratio)
        for layer in range(min(count - 1, 2), 0, -1):
            painter.setPen(QPen(QColor(255, 255, 255, 200), ratio))
            painter.setBrush(QColor(colours.cell))
            painter.drawRoundedRect(tile.translated(4 * layer * ratio, -4 * layer * ratio), 0.08 * side, 0.08 * side)
        clip = QPainterPath()
        clip.addRoundedRect(tile, 0.08 * side, 0.08 * side)
        painter.setClipPath(clip)
        painter.drawImage(tile.topLeft(), picture)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(255, 255, 255, 220), 2 * ratio))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(tile, 0.08 * side, 0.08 * side)
        if count > 1:
            _paint_number(painter, QPointF(tile.left(), tile.top()), count, colours, ratio, font)
    return ghost


def _paint_number(
    painter: QPainter, at: QPointF, number: int, colours: CanvasColours, ratio: float, font: QFont
) -> None:
    radius = 11 * ratio
    bubble = QRectF(at.x() - 0.5 * radius, at.y() - 0.5 * radius, 2 * radius, 2 * radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent))
    painter.drawEllipse(bubble)
    bold = QFont(font)
    bold.setPixelSize(max(8, round(12 * ratio)))
    bold.setBold(True)
    painter.setFont(bold)
    painter.setPen(QColor(colours.background))
    painter.drawText(bubble, Qt.AlignmentFlag.AlignCenter, str(number) if number < 100 else "99+")


def ghost_middle(x: float, y: float, side: float) -> QPointF:
    """The middle of a dragged picture of this side: next to the pointer, so that the target cell stays visible."""
    return QPointF(x + 0.42 * side, y + 0.42 * side)


def paint_shadow(painter: QPainter, rect: QRectF, radius: float, ratio: float) -> None:
    """A soft shadow below a raised rectangle."""
    painter.setPen(Qt.PenStyle.NoPen)
    drop = SHADOW_DROP_PX * ratio
    for spread, colour in enumerate(shadow_colours()):
        reach = (SHADOW_BLUR_PX - spread) * ratio
        painter.setBrush(colour)
        painter.drawRoundedRect(
            rect.adjusted(-reach, drop - reach, reach, drop + reach), radius + reach, radius + reach
        )


def paint_time_marks(
    painter: QPainter,
    area: QRect,
    sheet: QRectF,
    marks: Sequence[tuple[float, str]],
    colours: CanvasColours,
    font: QFont,
) -> None:
    """Days, months or years below a timeline or over its lower edge, as (distance from its left edge, words)."""
    metrics, free = QFontMetricsF(font), sheet.left()
    top = min(sheet.bottom() + 4, area.bottom() - metrics.height() - 4)
    painter.setFont(font)
    for along, words in marks:
        left, width = sheet.left() + along, metrics.horizontalAdvance(words)
        if left < free:  # it would overlap the words before it
            continue
        ground = QRectF(left - 1, top, width + 10, metrics.height() + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tinted(colours.background, 225))
        painter.drawRoundedRect(ground, 3, 3)
        painter.setBrush(QColor(colours.accent))
        painter.drawRect(QRectF(left, top + 2, 2, metrics.height() - 2))
        painter.setPen(QColor(colours.text))
        painter.drawText(ground.adjusted(7, 0, 4, 0), Qt.AlignmentFlag.AlignVCenter, words)
        free = left + width + 12


def paint_card(
    painter: QPainter, tile_rect: QRectF, area: QRect, lines: Sequence[str], colours: CanvasColours, font: QFont
) -> None:
    """A small card next to a tile, with a title and further lines, inside the window; in logical pixels."""
    title = QFont(font)
    title.setWeight(QFont.Weight.DemiBold)
    fonts = [title, *[font] * (len(lines) - 1)]
    metrics, room = [QFontMetricsF(f) for f in fonts], area.width() - 2 * (CARD_PADDING + CARD_FROM_EDGE)
    middle = Qt.TextElideMode.ElideMiddle
    lines = [metric.elidedText(line, middle, room) for metric, line in zip(metrics, lines, strict=True)]
    sizes = [metric.size(0, line) for metric, line in zip(metrics, lines, strict=True)]
    width = max(size.width() for size in sizes) + 2 * CARD_PADDING
    height = sum(size.height() for size in sizes) + 1.4 * CARD_PADDING
    card = card_place(tile_rect, QSizeF(width, height), area)
    paint_card_ground(painter, card, colours)
    y = card.top() + 0.7 * CARD_PADDING
    for line, line_font, size in zip(lines, fonts, sizes, strict=True):
        painter.setFont(line_font)
        painter.setPen(QColor(colours.text if line_font is title else colours.muted))
        box = QRectF(card.left() + CARD_PADDING, y, size.width() + 1, size.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)
        y += size.height()


def card_place(tile_rect: QRectF, size: QSizeF, area: QRect) -> QRectF:
    """Where a card lies: below the tile, or above it where there is no room below; never outside the window."""
    left, right = area.left() + CARD_FROM_EDGE, area.right() - CARD_FROM_EDGE
    x = min(max(tile_rect.center().x() - size.width() / 2, left), right - size.width())
    below = tile_rect.bottom() + 8
    fits = below + size.height() <= area.bottom() - CARD_FROM_EDGE
    y = below if fits else tile_rect.top() - 8 - size.height()
    return QRectF(x, max(y, area.top() + CARD_FROM_EDGE), size.width(), size.height())


def paint_card_ground(painter: QPainter, card: QRectF, colours: CanvasColours) -> None:
    paint_shadow(painter, card, 8, 1.0)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(tinted(colours.card, 244))
    painter.drawRoundedRect(card, 8, 8)


def paint_region_label(painter: QPainter, word: str, middle: QPointF, ratio: float, right: float) -> None:
    """A word over a region in white on a dark chip, readable on any photos, kept inside the sheet's width."""
    font = QFont(painter.font())
    font.setPixelSize(round(REGION_LABEL_SIZE * ratio))
    font.setWeight(QFont.Weight.Medium)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(word) + 2 * SNUG * ratio, metrics.height() + TIGHT * ratio
    left = min(max(middle.x() - width / 2, 0.0), max(0.0, right - width))
    chip = QRectF(left, middle.y() - height / 2, width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(LABEL_GROUND, 205))
    painter.drawRoundedRect(chip, height / 2, height / 2)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, word)
