"""The photos before and after the current one: where the arrows lead, and the strip that shows them below it."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from album_app.gui.state.pictures import Pictures
from album_app.gui.style.design import DARK_ROOM, HAIR, ROOM, ROUND_SMALL, TIGHT
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

STRIP_PX = 68
"""The height of the strip in pixels."""
TILE_PX = 52
"""The side of a photo in the strip, in pixels."""
OTHERS_OPACITY = 0.6


def row_of_photos(document: Document, photo: int, listed: Sequence[int]) -> tuple[int, ...]:
    """The photos that one without a cell is seen among: those of its stack, else those listed; none for one with."""
    if document.layout is not None and document.layout.cell_of(photo) is not None:
        return ()
    if photo in document.covered:
        return tuple(sorted(document.stack_of[document.covered[photo]]))
    return tuple(listed) if photo in listed else ()


def next_photo(
    document: Document, row: Sequence[int], photo: int, down: int, across: int, last: Cell | None = None
) -> int | None:
    """The next photo of the row, or of the sheet where there is no row, in the direction of an arrow.

    A photo that has lost its cell meanwhile is left from `last`, the cell where it lay.
    """
    if row:
        place = row.index(photo) + down + across
        return row[place] if 0 <= place < len(row) else None
    layout = document.layout
    return None if layout is None else _beside(layout, layout.cell_of(photo) or last, down, across)


def _beside(layout: Layout, cell: Cell | None, down: int, across: int) -> int | None:
    if cell is None:
        return None
    row, column = cell[0] + down, cell[1] + across
    while 0 <= row < layout.shape.rows and 0 <= column < layout.shape.columns:
        other = layout.photo_in((row, column)) if (row, column) in layout.shape else None
        if other is not None:
            return other
        row, column = row + down, column + across
    return None


class Filmstrip:
    """Which photos the strip shows, and where they are painted."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self.tiles: list[tuple[int, QRectF]] = []

    def lay_out(self, order: Sequence[int], current: int, width: float, bottom: float) -> None:
        """Show as many photos as there is room for; the current one lies in the middle where it can."""
        step = TILE_PX + TIGHT
        room = max(1, int(width - 2 * ROOM) // step)
        place = order.index(current) if current in order else 0
        first = max(0, min(place - room // 2, len(order) - room))
        seen = order[first : first + room]
        left = (width - len(seen) * step + TIGHT) / 2
        top = bottom - STRIP_PX + (STRIP_PX - TILE_PX) / 2 - TIGHT
        self.tiles = [(photo, QRectF(left + k * step, top, TILE_PX, TILE_PX)) for k, photo in enumerate(seen)]

    def photo_at(self, position: QPointF) -> int | None:
        """The photo under a point."""
        return next((photo for photo, tile in self.tiles if tile.contains(position)), None)

    def paint(self, painter: QPainter, current: int, together: Collection[int]) -> None:
        """Paint the strip; photos that are not seen above it are dimmed."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for photo, tile in self.tiles:
            picture = self._pictures.image(photo)
            painter.setOpacity(1.0 if photo in together else OTHERS_OPACITY)
            if picture is None:
                painter.fillRect(tile, QColor(DARK_ROOM.hover))
            else:
                least = min(picture.width(), picture.height())
                middle = QRectF((picture.width() - least) / 2, (picture.height() - least) / 2, least, least)
                painter.drawImage(tile, picture, middle)
            painter.setOpacity(1.0)
            if photo == current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(DARK_ROOM.accent), HAIR))
                painter.drawRoundedRect(tile.adjusted(-HAIR, -HAIR, HAIR, HAIR), ROUND_SMALL, ROUND_SMALL)
