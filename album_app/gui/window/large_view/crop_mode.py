"""Choosing the part of a photo that its frame shows, by moving the outline of the frame over the whole photo.

The document changes only when the choice is kept, by one step of undo; leaving the mode changes nothing.
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from album_app.gui.controls.sections import percent
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style.design import APART, DARK_ROOM
from album_app.gui.window.large_view.panes import PhotoZoom
from album_app.language import mark, tr
from album_app.layout.crops import HandCrop, adjusted, crop
from album_app.layout.editing.edits import cropped
from album_app.photos.faces import Box

HELP = mark("Drag or arrows: shift · wheel or + and −: zoom · 0: reset · Enter: keep · Esc: cancel")
KEY_SHIFT, KEY_SHIFT_FAR = 0.01, 0.1
"""Share of the photo by which an arrow key shifts the crop: alone, and together with Shift."""
MOST_ENLARGED = 4.0
"""A pixel of a small photo becomes at most this many logical pixels wide: a blurred photo can be cropped, too."""
HANDLE_PX = 22
"""Length of the strokes at the corners, in logical pixels; a press this close to a corner takes hold of it."""
SAME_SHARE = 1e-4
"""Two crops are the same if their edges differ by less than this share of the photo."""
LINE_PX, THIRDS_PX = 2, 1
"""Widths of the outline and of the lines that divide it into thirds, in logical pixels."""
OUTSIDE_OPACITY, THIRDS_OPACITY = 0.68, 0.45
"""Opacity of the shade outside the outline, and of the lines at its thirds."""


class CropMode:
    """The crop of one photo while the user chooses it; the mode is off until `begin`."""

    def __init__(self, session: Session, photos: PhotoStore) -> None:
        self._session, self._photos = session, photos
        self.photo = -1
        self.chosen: HandCrop | None = None  # None if the program chooses
        self._photo_aspect = self._frame_aspect = 1.0
        self._held: tuple[float, float] | None = None  # where the pointer took hold, in shares of the photo
        self._before: HandCrop | None = None  # the choice when the pointer took hold
        self._corner: tuple[int, int] | None = None  # the corner that the pointer holds: 0 or 1 across and down

    @property
    def is_on(self) -> bool:
        return self.photo >= 0

    @property
    def box(self) -> Box:
        """The part that the frame would show: left, top, right and bottom as shares of the photo."""
        return crop(self._photo_aspect, self._frame_aspect, self._photos.focus(self.photo), self.chosen)

    def begin(self, photo: int) -> None:
        """Switch the mode on, with the crop that the photo has now."""
        document = self._session.document
        if document is None or not 0 <= photo < len(document.album):
            return
        picture = document.album.photos[photo]
        self.photo, self.chosen = photo, document.crops.get(photo)
        self._photo_aspect = max(1, picture.width) / max(1, picture.height)
        self._frame_aspect = 1.0 if document.layout is None else document.layout.frame_aspect(photo)
        self.let_go()

    def keep(self) -> None:
        """Crop the photo as chosen, by one edit, and switch the mode off."""
        photo, chosen = self.photo, self.chosen
        self.leave()
        self._session.edit(cropped, photo, chosen)

    def leave(self) -> None:
        """Switch the mode off without changing the photo's crop."""
        self.photo = -1
        self.let_go()

    def reset(self) -> None:
        """Let the program choose the crop again."""
        self.chosen = None

    def shift(self, right: float, down: float) -> None:
        """Move the outline by shares of the photo."""
        self._adjust(right, down)

    def zoom(self, factor: float) -> None:
        """Show less of the photo by this factor; a factor below 1 shows more."""
        self._adjust(factor=factor)

    def _adjust(self, right: float = 0.0, down: float = 0.0, factor: float = 1.0) -> None:
        before, former = self.box, self.chosen
        self.chosen = adjusted(before, self._zoom, right, down, factor)
        if _alike(before, self.box):
            self.chosen = former

    @property
    def _zoom(self) -> float:
        return 1.0 if self.chosen is None else self.chosen.zoom

    def hold(self, at: QPointF, shown: QRectF, reach: float) -> None:
        """Take hold of the outline, or of a corner within `reach` pixels; the photo is painted at `shown`."""
        outline = self.outline(shown)
        corners = {(0, 0): outline.topLeft(), (1, 0): outline.topRight()}
        corners |= {(0, 1): outline.bottomLeft(), (1, 1): outline.bottomRight()}
        near, place = min(((at - point).manhattanLength(), place) for place, point in corners.items())
        self._corner = place if near <= reach else None
        self._held, self._before = _share(at, shown), self.chosen

    def drag(self, at: QPointF, shown: QRectF) -> None:
        """Move what the pointer holds to the point `at`."""
        if self._held is None:
            return
        x, y = _share(at, shown)
        if self._corner is None:
            self.chosen = self._before
            self._adjust(x - self._held[0], y - self._held[1])
        else:
            self._pull_corner(self._corner, x, y)

    def _pull_corner(self, corner: tuple[int, int], x: float, y: float) -> None:
        """Move a corner to the pointer as far as the proportions allow; the opposite corner stays."""
        box = self.box
        width, height = box[2] - box[0], box[3] - box[1]
        across = (x - box[0]) if corner[0] else (box[2] - x)
        down = (y - box[1]) if corner[1] else (box[3] - y)
        zoom = self._zoom
        # The crop becomes as large as the pointer asks for, but does not reach beyond the photo.
        room = min((1 - box[0] if corner[0] else box[2]) / width, (1 - box[1] if corner[1] else box[3]) / height, zoom)
        wanted = min(max(across / width, down / height, 1e-3), room)
        after = adjusted(box, zoom, factor=1 / wanted)
        grown = zoom / after.zoom - 1
        right, below = (grown * width / 2, grown * height / 2)
        self._adjust(right if corner[0] else -right, below if corner[1] else -below, 1 / wanted)

    def let_go(self) -> None:
        self._held = self._corner = None

    @property
    def is_held(self) -> bool:
        return self._held is not None

    def words(self, name: str) -> str:
        """A sentence about the crop, for screen readers and for the line below the photo."""
        left, top, right, bottom = map(percent, self.box)
        how = tr("by hand") if self.chosen is not None else tr("chosen by the program")
        said = mark("Crop of {name}, {how}: {left} to {right} across, {top} to {bottom} down")
        return tr(said, name=name, how=how, left=left, right=right, top=top, bottom=bottom)

    def fitted(self, width: float, height: float, room: tuple[float, float], ratio: float) -> PhotoZoom:
        """The whole photo, as large as possible with a margin around it, in which corners can be grasped."""
        margin = 2 * APART * ratio
        across, down = max(1.0, room[0] - margin), max(1.0, room[1] - margin)
        return PhotoZoom(width, height, room, min(across / width, down / height, MOST_ENLARGED * ratio))

    def outline(self, shown: QRectF) -> QRectF:
        """The rectangle of the crop on a photo that is painted at `shown`."""
        left, top, right, bottom = self.box
        corner = QPointF(shown.left() + left * shown.width(), shown.top() + top * shown.height())
        return QRectF(corner.x(), corner.y(), (right - left) * shown.width(), (bottom - top) * shown.height())

    def paint(self, painter: QPainter, shown: QRectF, ratio: float) -> None:
        """Dim what the frame does not show, and draw its outline with thirds and corners; lengths are device pixels."""
        outline = self.outline(shown)
        outside, inside = QPainterPath(), QPainterPath()
        outside.addRect(shown)
        inside.addRect(outline)
        ground = QColor(DARK_ROOM.ground)
        ground.setAlphaF(OUTSIDE_OPACITY)
        painter.fillPath(outside.subtracted(inside), ground)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        faint, light = QColor(DARK_ROOM.text), QColor(DARK_ROOM.text)
        faint.setAlphaF(THIRDS_OPACITY)
        painter.setPen(QPen(faint, THIRDS_PX * ratio))
        for third in (1, 2):
            x = outline.left() + third * outline.width() / 3
            y = outline.top() + third * outline.height() / 3
            painter.drawLine(QPointF(x, outline.top()), QPointF(x, outline.bottom()))
            painter.drawLine(QPointF(outline.left(), y), QPointF(outline.right(), y))
        for colour, width in (
            (QColor(DARK_ROOM.ground), 2 * LINE_PX),
            (light, LINE_PX),
        ):  # visible on light photos, too
            painter.setPen(QPen(colour, width * ratio))
            painter.drawRect(outline)
        pen = QPen(light, 2 * LINE_PX * ratio)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        stroke = min(HANDLE_PX * ratio, outline.width() / 3, outline.height() / 3)
        for point, across, down in (
            (outline.topLeft(), stroke, stroke),
            (outline.topRight(), -stroke, stroke),
            (outline.bottomLeft(), stroke, -stroke),
            (outline.bottomRight(), -stroke, -stroke),
        ):
            painter.drawLine(point, point + QPointF(across, 0))
            painter.drawLine(point, point + QPointF(0, down))


def _alike(one: Box, other: Box) -> bool:
    return all(abs(a - b) < SAME_SHARE for a, b in zip(one, other, strict=True))


def _share(at: QPointF, shown: QRectF) -> tuple[float, float]:
    """A point as shares of the photo's width and height."""
    return (at.x() - shown.left()) / shown.width(), (at.y() - shown.top()) / shown.height()
