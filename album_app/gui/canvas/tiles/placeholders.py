"""Small drawings on the canvas: tiles of photos without a picture, empty cells, the pin badge; and its colours."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPainterPath, QPen, QRadialGradient

from album_app.gui.canvas.tiles.tiles import Tile, image_tile
from album_app.gui.state.pictures import DAMAGED, LOADING, MISSING
from album_app.gui.style.theme import Palette

EMBLEMS = (LOADING, MISSING, DAMAGED)
SMALLEST_DRAWN = 12


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
    """A colour that lets something shine through: alpha of 255."""
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
    """The pin that a pinned tile wears: a pushpin on a round disc with a soft shadow, transparent around."""
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
