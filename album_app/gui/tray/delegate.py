"""How an entry of the tray looks: a square in a grid, or a row with words where there is something to tell."""

from collections import OrderedDict
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QImage, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from album_app.gui.canvas.tiles.placeholders import CanvasColours, badge_image, tinted
from album_app.gui.canvas.tiles.tile_cache import picture_tile
from album_app.gui.canvas.tiles.tiles import scaled, tile_image
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import READY, Pixels
from album_app.gui.tray.model import LINE_ROLE, Index, Line

GRID_SIDE, GRID_GAP = 70, 8
ROW_SIDE, ROW_HEIGHT = 44, 56
KEPT = 600
BADGE = 18
FAINT_OPACITY = 0.45
MARGIN = 3
CORNER = 6.0


class Thumbnails:
    """Small pixmaps of photos, made when first seen; the least recently seen ones are let go.

    Round corners and badges are part of them: painting must be one call, as each into Qt may wait for other threads.
    """

    def __init__(self, photos: PhotoStore, colours: CanvasColours) -> None:
        self._photos = photos
        self._colours = colours
        self._sharper: OrderedDict[int, Pixels] = OrderedDict()
        self.coarse: dict[int | str, int] = {}  # photos less sharp than they could be -> the side that they want
        self._kept: OrderedDict[tuple[int | str, int, float, bool, bool], QPixmap] = OrderedDict()

    def pixmap(self, photo: int, side: int, ratio: float, pinned: bool = False, faint: bool = False) -> QPixmap:
        """A photo as a square of `side` logical pixels with room for its badge around: `side` + 2 * MARGIN wide.

        Photos without a picture share the pixmap of their state.
        """
        state = self._photos.pictures.state(photo)
        key = (photo if state == READY else state, side, ratio, pinned, faint)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        edge, pictures = round(side * ratio), self._photos.pictures
        sharper = self._sharper.get(photo)
        if sharper is not None and state == READY:
            tile = scaled(sharper, edge, edge)
        else:
            tile = picture_tile(pictures, photo, edge, self._colours, ratio, self._photos.crop_of(photo, 1.0))
        if sharper is None and not pictures.sharp_at(photo, edge):
            self.coarse[photo] = max(edge, self.coarse.get(photo, 0))
        self._kept[key] = self._framed(tile_image(tile), ratio, pinned, faint)
        if len(self._kept) > KEPT:
            (former, *_), _ = self._kept.popitem(last=False)
            self.coarse.pop(former, None)
        return self._kept[key]

    def sharpen(self, pixels: Mapping[int, Pixels]) -> None:
        """Take sharper pictures of photos than the small ones that are kept of all."""
        self.forget(set(pixels))
        self._sharper.update(pixels)
        while len(self._sharper) > KEPT:
            self._sharper.popitem(last=False)

    def forget(self, photos: set[int] | None = None) -> None:
        """Make the pixmaps of photos anew when next seen, of all if None."""
        for key in [key for key in self._kept if photos is None or key[0] in photos]:
            del self._kept[key]
            self.coarse.pop(key[0], None)
        for photo in list(self._sharper) if photos is None else photos & self._sharper.keys():
            del self._sharper[photo]

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self.forget()

    def _framed(self, image: QImage, ratio: float, pinned: bool, faint: bool) -> QPixmap:
        margin, badge = round(MARGIN * ratio), round(BADGE * ratio)
        pixmap = QPixmap(image.width() + 2 * margin, image.height() + 2 * margin)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(margin, margin)
            painter.setOpacity(FAINT_OPACITY if faint else 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(image))
            painter.drawRoundedRect(image.rect(), CORNER * ratio, CORNER * ratio)
            painter.setOpacity(1.0)
            if pinned:
                painter.drawImage(image.width() - badge + margin, -margin, badge_image(badge, self._colours))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap


class TrayDelegate(QStyledItemDelegate):
    """Paints entries; `in_rows` tells whether as rows or as a grid."""

    def __init__(self, photos: PhotoStore, colours: CanvasColours, parent: QWidget) -> None:
        super().__init__(parent)
        self.in_rows = False
        self.thumbnails = Thumbnails(photos, colours)
        self._colours = colours

    def set_colours(self, colours: CanvasColours) -> None:
        self._colours = colours
        self.thumbnails.set_colours(colours)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if self.in_rows:
            return QSize(120, ROW_HEIGHT)
        return QSize(GRID_SIDE + GRID_GAP, GRID_SIDE + GRID_GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line, area = index.data(LINE_ROLE), option.rect
        if line is None:
            return
        if self.in_rows:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_ground(painter, option)
            tile = QRect(area.left() + 6, area.center().y() - ROW_SIDE // 2, ROW_SIDE, ROW_SIDE)
            self._paint_words(painter, option, line)
        else:
            tile = QRect(area.left() + GRID_GAP // 2, area.top() + GRID_GAP // 2, GRID_SIDE, GRID_SIDE)
        self._paint_tile(painter, tile, line, option)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        alpha = 60 if option.state & QStyle.StateFlag.State_Selected else 24
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tinted(self._colours.accent, alpha))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 7, 7)

    def _paint_tile(self, painter: QPainter, tile: QRect, line: Line, option: QStyleOptionViewItem) -> None:
        if line.photo is None:
            self._paint_file(painter, QRectF(tile))
        else:
            ratio = option.widget.devicePixelRatioF()
            faint = line.off and not self.in_rows
            pixmap = self.thumbnails.pixmap(line.photo, tile.width(), ratio, line.pinned, faint)
            painter.drawPixmap(tile.left() - MARGIN, tile.top() - MARGIN, pixmap)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        strong = selected or bool(option.state & QStyle.StateFlag.State_HasFocus)
        if strong or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(tinted(self._colours.accent, 255 if strong else 120), 2.5))
            painter.setBrush(tinted(self._colours.accent, 50 if selected else 0))
            painter.drawRoundedRect(tile, CORNER, CORNER)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inner = tile.adjusted(3, 3, -3, -3)
            painter.setPen(QPen(QColor(self._colours.background), 1.5))
            painter.drawRoundedRect(inner, CORNER - 2, CORNER - 2)
            painter.setPen(QPen(QColor(self._colours.text), 1.5, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(inner, CORNER - 2, CORNER - 2)

    def _paint_file(self, painter: QPainter, rect: QRectF) -> None:
        """A file that is no photo."""
        painter.setPen(QPen(tinted(self._colours.muted, 120), 1.5))
        painter.setBrush(QColor(self._colours.cell))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(QPen(QColor(self._colours.error), 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        middle, reach = rect.center(), rect.width() * 0.14
        for slope in (1, -1):
            painter.drawLine(middle - QPointF(reach, slope * reach), middle + QPointF(reach, slope * reach))

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, line: Line) -> None:
        area = option.rect.adjusted(ROW_SIDE + 16, 8, -8, -8)
        if line.other is not None:
            side = ROW_SIDE - 8
            icon_rect = QRect(area.right() - side, option.rect.center().y() - side // 2, side, side)
            ratio = option.widget.devicePixelRatioF()
            pixmap = self.thumbnails.pixmap(line.other, side, ratio)
            painter.drawPixmap(icon_rect.left() - MARGIN, icon_rect.top() - MARGIN, pixmap)
            area.setRight(icon_rect.left() - 8)
        half = area.height() // 2
        upper, lower = area.adjusted(0, 0, 0, -half), area.adjusted(0, half, 0, 0)
        _paint_elided(painter, upper, line.title, option.font, self._colours.text, Qt.TextElideMode.ElideMiddle)
        detail = " · ".join(filter(None, (line.detail, line.caption)))
        _paint_elided(painter, lower, detail, option.font, self._colours.muted, Qt.TextElideMode.ElideRight)


def _paint_elided(painter: QPainter, area: QRect, text: str, font: QFont, colour: str, mode: Qt.TextElideMode) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetrics(font).elidedText(text, mode, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
