"""What is drawn on tiles: pin, star, count of a stack and padlock; and emblems for photos without a picture."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QRadialGradient,
)

from album_app.gui.canvas.tiles.tiles import Tile, image_tile
from album_app.gui.state.pictures import DAMAGED, LOADING, MISSING
from album_app.gui.style.theme import Palette

EMBLEMS = (LOADING, MISSING, DAMAGED)
"""States of photos without a picture, each with an emblem."""
SMALLEST_DRAWN = 12
"""On a smaller tile no emblem is drawn, in logical pixels."""


@dataclass(frozen=True)
class CanvasColours:
    """What the canvas paints with, each as #rrggbb."""

    background: str
    cell: str
    line: str
    card: str
    text: str
    muted: str
    accent: str
    pin: str
    warning: str
    error: str
    dark: bool

    @classmethod
    def from_palette(cls, palette: Palette) -> "CanvasColours":
        return cls(
            background=palette.canvas,
            cell=palette.cell,
            line=palette.line,
            card=palette.raised,
            text=palette.text,
            muted=palette.muted,
            accent=palette.accent,
            pin=palette.pin,
            warning=palette.warning,
            error=palette.error,
            dark=QColor(palette.canvas).lightness() < 128,
        )

    @property
    def background_number(self) -> int:
        """0xffRRGGBB."""
        return QColor(self.background).rgb()


def tinted(colour: str, alpha: int) -> QColor:
    """A colour with an opacity: `alpha` of 255."""
    shade = QColor(colour)
    shade.setAlpha(alpha)
    return shade


def emblem_tile(index: int, width: int, height: int, colours: CanvasColours, ratio: float = 1.0) -> Tile:
    """The tile of a photo that is still loading, missing or damaged."""
    image, side = _blank(width, height, colours.cell), min(width, height)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        sheen = QLinearGradient(0, 0, width, height)
        sheen.setColorAt(0, QColor(colours.cell).lighter(106))
        sheen.setColorAt(1, QColor(colours.cell).darker(106))
        painter.fillRect(image.rect(), sheen)
        if side >= SMALLEST_DRAWN * ratio:
            painter.translate((width - side) / 2, (height - side) / 2)
            _EMBLEM_PAINTERS[EMBLEMS[index]](painter, side, colours)
        elif EMBLEMS[index] != LOADING:
            painter.fillRect(image.rect(), tinted(_state_colour(EMBLEMS[index], colours), 110))
    return image_tile(image)


def cell_tile(width: int, height: int, radius: float, colours: CanvasColours, ratio: float = 1.0) -> Tile:
    """An empty frame: hardly lighter or darker than the canvas, with a thin line around."""
    image = _blank(width, height, colours.background)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colours.line), max(1.0, ratio))
        half = pen.widthF() / 2
        painter.setPen(pen if min(width, height) >= SMALLEST_DRAWN * ratio / 2 else Qt.PenStyle.NoPen)
        painter.setBrush(tinted(colours.cell, 150))
        inner = max(0.0, radius - half)
        painter.drawRoundedRect(QRectF(half, half, width - 2 * half, height - 2 * half), inner, inner)
    return image_tile(image)


def badge_image(diameter: int, colours: CanvasColours) -> QImage:
    """The badge of a pinned tile: a pushpin on a round disc with a soft shadow, on a transparent ground."""
    image = QImage(diameter, diameter, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle = diameter / 2
        shadow = QRadialGradient(middle, middle + 0.04 * diameter, middle)
        shadow.setColorAt(0.78, QColor(0, 0, 0, 110))
        shadow.setColorAt(1.0, QColor(0, 0, 0, 0))
        painter.setBrush(shadow)
        painter.drawEllipse(image.rect())
        disc = QLinearGradient(0, 0, 0, diameter)
        disc.setColorAt(0, QColor(colours.pin).lighter(112))
        disc.setColorAt(1, QColor(colours.pin).darker(106))
        painter.setBrush(disc)
        painter.setPen(QPen(QColor(255, 255, 255, 235), max(1.0, 0.06 * diameter)))
        painter.drawEllipse(QPointF(middle, middle), 0.40 * diameter, 0.40 * diameter)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#ffffff"))
        painter.translate(middle, middle)
        painter.rotate(38)
        painter.scale(diameter, diameter)
        painter.drawPath(pushpin())
    return image


def pushpin() -> QPainterPath:
    """A pushpin around the origin, upright, about half a unit tall."""
    pin = QPainterPath()
    pin.addRoundedRect(QRectF(-0.12, -0.235, 0.24, 0.065), 0.03, 0.03)
    pin.moveTo(-0.075, -0.19)
    pin.lineTo(0.075, -0.19)
    pin.lineTo(0.085, -0.03)
    pin.quadTo(0.15, 0.0, 0.15, 0.065)
    pin.lineTo(-0.15, 0.065)
    pin.quadTo(-0.15, 0.0, -0.085, -0.03)
    pin.closeSubpath()
    pin.moveTo(-0.018, 0.06)
    pin.lineTo(0.018, 0.06)
    pin.lineTo(0.006, 0.255)
    pin.lineTo(-0.006, 0.255)
    pin.closeSubpath()
    pin.setFillRule(Qt.FillRule.WindingFill)
    return pin


def _blank(width: int, height: int, colour: str) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def _state_colour(state: str, colours: CanvasColours) -> str:
    return {MISSING: colours.warning, DAMAGED: colours.error}.get(state, colours.muted)


def _picture_frame() -> QPainterPath:
    frame = QPainterPath()
    frame.addRoundedRect(QRectF(0.24, 0.28, 0.52, 0.44), 0.05, 0.05)
    return frame


def _hills() -> QPainterPath:
    hills = QPainterPath(QPointF(0.27, 0.68))
    hills.lineTo(0.42, 0.48)
    hills.lineTo(0.52, 0.60)
    hills.lineTo(0.60, 0.52)
    hills.lineTo(0.73, 0.68)
    hills.closeSubpath()
    hills.addEllipse(QPointF(0.62, 0.40), 0.045, 0.045)
    return hills


def _prepared(painter: QPainter, side: int, state: str, colours: CanvasColours, dashed: bool = False) -> QColor:
    ink = tinted(_state_colour(state, colours), 120 if state == LOADING else 220)
    painter.scale(side, side)
    pen = QPen(ink, 0.028, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    if dashed:
        pen.setDashPattern([2.2, 2.2])
    painter.setPen(pen)
    return ink


def _paint_loading(painter: QPainter, side: int, colours: CanvasColours) -> None:
    ink = _prepared(painter, side, LOADING, colours)
    painter.drawPath(_picture_frame())
    painter.fillPath(_hills(), ink)


def _paint_missing(painter: QPainter, side: int, colours: CanvasColours) -> None:
    ink = _prepared(painter, side, MISSING, colours, dashed=True)
    painter.drawPath(_picture_frame())
    painter.setPen(QPen(ink, 0.045, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    question = QPainterPath(QPointF(0.44, 0.44))
    question.cubicTo(0.44, 0.35, 0.57, 0.35, 0.57, 0.44)
    question.cubicTo(0.57, 0.50, 0.50, 0.50, 0.50, 0.56)
    painter.drawPath(question)
    painter.drawPoint(QPointF(0.50, 0.64))


def _paint_damaged(painter: QPainter, side: int, colours: CanvasColours) -> None:
    ink = _prepared(painter, side, DAMAGED, colours)
    tear = QPainterPath(QPointF(0.54, 0.24))
    for x, y in ((0.46, 0.38), (0.55, 0.46), (0.44, 0.58), (0.51, 0.76)):
        tear.lineTo(x, y)
    right = QPainterPath(tear)
    for x, y in ((1.0, 0.76), (1.0, 0.24)):
        right.lineTo(x, y)
    right.closeSubpath()
    torn = _picture_frame().intersected(right)
    painter.drawPath(torn.translated(0.04, 0.02))
    rest = _picture_frame().subtracted(right)
    painter.drawPath(rest.translated(-0.02, 0.0))
    painter.fillPath(_hills().subtracted(right).translated(-0.02, 0.0), ink)
    painter.fillPath(_hills().intersected(right).translated(0.04, 0.02), ink)


_EMBLEM_PAINTERS = {LOADING: _paint_loading, MISSING: _paint_missing, DAMAGED: _paint_damaged}


PIN_SHARE, PIN_SIZES = 0.38, (9.0, 26.0)
"""The badge of a pin: its diameter as a share of the tile, and its limits in pixels."""
NEW_SHARE, NEW_LARGEST = 0.22, 16.0
"""The dot of a new photo: its diameter as a share of the tile, and at most, in pixels."""
HELD_SHARE, HELD_LARGEST = 0.22, 13.0
"""The padlock of a held cell: its width as a share of the tile, and at most, in pixels."""
STAR_SHARE, STAR_SIZES = 0.2, (6.0, 15.0)
"""The star of a photo that is always shown: its width as a share of the tile, at least and at most, in pixels."""
STACK_SHARE, STACK_SIZES, SMALLEST_COUNTED = 0.24, (12.0, 20.0), 28.0
"""The count of a stack: its height as a share of the tile, its limits, and the narrowest tile with one, in pixels."""


def badge_rect(tile: QRectF, ratio: float) -> QRectF:
    """Where the badge of a pin is: at the upper right corner of a tile, reaching a little beyond it."""
    diameter = round(min(max(PIN_SIZES[0] * ratio, PIN_SHARE * tile.width()), PIN_SIZES[1] * ratio))
    hang = 0.16 * diameter
    return QRectF(round(tile.right() - diameter + hang), round(tile.top() - hang), diameter, diameter)


def paint_pins(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours, ratio: float) -> None:
    """A badge on every pinned tile."""
    if not tiles:
        return
    badge = badge_image(int(badge_rect(tiles[0], ratio).width()), colours)
    for tile in tiles:
        painter.drawImage(badge_rect(tile, ratio).topLeft(), badge)


def paint_new(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours, ratio: float) -> None:
    """A dot with a white rim in the upper left corner, and a line around each tile that was just added."""
    for tile in tiles:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colours.accent), max(1.0, min(2.5 * ratio, 0.06 * tile.width()))))
        painter.drawRect(tile)
        diameter = min(max(6.0 * ratio, NEW_SHARE * tile.width()), NEW_LARGEST * ratio)
        painter.setPen(QPen(QColor("#ffffff"), max(1.0, 0.12 * diameter)))
        painter.setBrush(QColor(colours.accent))
        painter.drawEllipse(QRectF(tile.left() - 0.2 * diameter, tile.top() - 0.2 * diameter, diameter, diameter))


def paint_always_shown(painter: QPainter, tiles: Iterable[QRectF], ratio: float) -> None:
    """A small white star in the upper left corner of every tile whose photo is always shown."""
    for tile in tiles:
        side = min(max(STAR_SIZES[0] * ratio, STAR_SHARE * tile.width()), STAR_SIZES[1] * ratio)
        middle = QPointF(tile.left() + 0.75 * side, tile.top() + 0.75 * side)
        corners = []
        for corner in range(10):
            reach, angle = side / 2 if corner % 2 == 0 else 0.21 * side, math.pi * (corner / 5 - 0.5)
            corners.append(middle + QPointF(reach * math.cos(angle), reach * math.sin(angle)))
        painter.setPen(QPen(QColor(0, 0, 0, 140), 0.12 * side))
        painter.setBrush(QColor("#ffffff"))
        painter.drawPolygon(QPolygonF(corners))


def stack_badge_rect(tile: QRectF, ratio: float) -> QRectF:
    """Where the count of a stack is: in the lower right corner of a tile."""
    height = min(max(STACK_SIZES[0] * ratio, STACK_SHARE * tile.width()), STACK_SIZES[1] * ratio)
    width, inset = 1.7 * height, 0.2 * height
    return QRectF(tile.right() - width - inset, tile.bottom() - height - inset, width, height)


def paint_stacks(painter: QPainter, tiles: Iterable[tuple[QRectF, int]], ratio: float) -> None:
    """How many photos a stack has, on each of its tiles that is large enough."""
    for tile, count in tiles:
        if tile.width() < SMALLEST_COUNTED * ratio:
            continue
        rect = stack_badge_rect(tile, ratio)
        painter.setPen(QPen(QColor(255, 255, 255, 190), ratio))
        painter.setBrush(QColor(20, 20, 24, 190))
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        font = QFont()
        font.setPixelSize(max(7, round(0.66 * rect.height())))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"×{count}")


def paint_held(painter: QPainter, tiles: Iterable[QRectF], ratio: float) -> None:
    """A small padlock in the lower left corner of every tile that is held; small tiles get a dot."""
    for tile in tiles:
        side = min(max(5.0 * ratio, HELD_SHARE * tile.width()), HELD_LARGEST * ratio)
        inset = 0.25 * side
        body = QRectF(tile.left() + inset, tile.bottom() - inset - 0.6 * side, side, 0.6 * side)
        if side >= 8.0 * ratio:
            for colour, width in ((QColor(0, 0, 0, 120), 0.3), (QColor("#ffffff"), 0.14)):
                painter.setPen(QPen(colour, width * side))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                arch = QRectF(body.left() + 0.22 * side, body.top() - 0.36 * side, 0.56 * side, 0.7 * side)
                painter.drawArc(arch, 0, 180 * 16)
        painter.setPen(QPen(QColor(0, 0, 0, 120), 0.1 * side))
        painter.setBrush(QColor("#ffffff"))
        painter.drawRoundedRect(body, 0.12 * side, 0.12 * side)


def paint_missing(painter: QPainter, tiles: Sequence[QRectF], colours: CanvasColours, ratio: float) -> None:
    """A question mark in the lower left corner of every tile whose file is missing."""
    for tile in tiles:
        diameter = min(max(PIN_SIZES[0] * ratio, PIN_SHARE * tile.width()), PIN_SIZES[1] * ratio)
        disc = QRectF(tile.left() + 0.06 * diameter, tile.bottom() - 1.06 * diameter, diameter, diameter)
        painter.setPen(QPen(QColor("#ffffff"), ratio))
        painter.setBrush(QColor(colours.warning))
        painter.drawEllipse(disc)
        font = QFont()
        font.setPixelSize(max(7, round(0.72 * diameter)))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff" if not colours.dark else "#1a1a1a"))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "?")
