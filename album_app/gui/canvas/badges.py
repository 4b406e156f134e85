"""What single tiles wear: a pin, the dot of a new photo, a star, the count of a stack, a padlock, a question mark."""

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from album_app.gui.canvas.tiles.placeholders import CanvasColours, badge_image

SHARE = 0.38
SIZES = (9.0, 26.0)
NEW_SHARE, NEW_LARGEST = 0.22, 16.0
"""The dot of a new photo: its diameter as a share of the tile, and at most, in pixels."""
HELD_SHARE, HELD_LARGEST = 0.22, 13.0
"""The padlock of a held cell: its width as a share of the tile, and at most, in pixels."""
STAR_SHARE, STAR_SIZES = 0.2, (6.0, 15.0)
"""The star of a photo that is always shown: its width as a share of the tile, at least and at most, in pixels."""
STACK_SHARE, STACK_SIZES, SMALLEST_COUNTED = 0.24, (12.0, 20.0), 28.0


def badge_rect(tile: QRectF, ratio: float) -> QRectF:
    """Where a tile wears its pin: in the upper right corner, hanging over it a little."""
    diameter = round(min(max(SIZES[0] * ratio, SHARE * tile.width()), SIZES[1] * ratio))
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
    """Where a tile wears the count of its stack: in the lower right corner."""
    height = min(max(STACK_SIZES[0] * ratio, STACK_SHARE * tile.width()), STACK_SIZES[1] * ratio)
    width, inset = 1.7 * height, 0.2 * height
    return QRectF(tile.right() - width - inset, tile.bottom() - height - inset, width, height)


def paint_stacks(painter: QPainter, tiles: Iterable[tuple[QRectF, int]], ratio: float) -> None:
    """How many photos a stack has, on each tile that shows one and is large enough to tell."""
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
        diameter = min(max(SIZES[0] * ratio, SHARE * tile.width()), SIZES[1] * ratio)
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
