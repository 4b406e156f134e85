"""What lies over and below a photo in the large view: buttons and their edits, facts, and the strip of neighbours."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from album_app.file_names import undirected
from album_app.gui.controls.sections import named
from album_app.gui.state.pictures import Pictures
from album_app.gui.state.session import Session
from album_app.gui.style.design import DARK_ROOM, HAIR, ICON_PX, ROOM, ROUND_SMALL, SNUG, TIGHT
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import in_bytes, place_words, taken_words
from album_app.gui.window.large_view.panes import Pane
from album_app.language import mark, number, shown, tr
from album_app.layout.captions import caption_of, row_words
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.editing.edits import always_shown, excluded, included
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

BETWEEN = "   ·   "
BAR_PX = 44
"""Height of the line of facts and buttons, in logical pixels."""
ROUND_BUTTON_PX = 40
ON_PHOTO = {
    "left": ("left", mark("Photo on the left")),
    "right": ("right", mark("Photo on the right")),
    "close": ("close", mark("Close the large view")),
}
WHILE_SEEING = {
    "pin": ("pin", mark("Pin it where it is (P)")),
    "always": ("eye", mark("Always show (A)")),
    "exclude": ("exclude", mark("Exclude from album (X)")),
    "caption": ("caption", mark("Caption (F2)")),
    "crop": ("crop", mark("Crop (K)")),
    "compare": ("panel", mark("Show the next photo next to it (C)")),
    "facts": ("info", mark("Date, camera and size (I)")),
}
WHILE_CROPPING = {
    "more": ("minus", mark("Show more of the photo (−)")),
    "less": ("plus", mark("Show less of the photo (+)")),
    "reset": ("", mark("Reset")),
    "cancel": ("", mark("Cancel")),
    "done": ("", mark("Done")),
}
"""Buttons by key: the name of the icon, and the name of the button, which it shows in words if it has no icon."""
TOGGLES = ("pin", "always", "exclude", "facts")
STRIP_PX = 68
"""Height of the strip of neighbours, in logical pixels."""
TILE_PX = 52
"""Side of a photo in the strip, in logical pixels."""
OTHERS_OPACITY = 0.6
"""Opacity of photos in the strip that are not seen above it."""


class PhotoEdits(QObject):
    """Edits the document for the large view, which hides the sheet and the status bar.

    Undo goes back no further than to the opening of the view, because the results of earlier edits are hidden.

    Signals:
        refused(str): why an edit could not be made
    """

    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._first_step = self._undone = 0
        session.document_changed.connect(self._on_document)

    def begin(self) -> None:
        """Begin to count the edits that can be undone here: the view opens."""
        self._first_step, self._undone = self._session.undo_stack.index(), 0

    @Slot()
    def _on_document(self) -> None:
        if self._session.undo_stack.is_recording:
            self._undone = 0

    def toggle_pin(self, photo: int) -> None:
        """Pin a photo where it is, or unpin it."""
        self._edit(pinned_or_let_go, [photo], None)

    def toggle_excluded(self, photo: int) -> None:
        """Take a photo out of the album, or back into it."""
        document = self._session.document
        if document is not None:
            self._edit(included if photo in document.excluded else excluded, [photo])

    def toggle_always_shown(self, photo: int) -> None:
        """Always show a photo on the sheet, even if there are few cells, or stop doing so."""
        document = self._session.document
        if document is not None:
            self._edit(always_shown, [photo], photo not in document.always_shown)

    def undo(self) -> None:
        """Undo the last edit that was made in this view."""
        if self._session.undo_stack.index() > self._first_step:
            self._session.undo_stack.undo()
            self._undone += 1

    def redo(self) -> None:
        """Redo an edit that was undone in this view."""
        if self._undone:
            self._undone -= 1
            self._session.undo_stack.redo()

    def _edit(self, make: Callable[..., Any], *args: object) -> None:
        self._session.notice.connect(self.refused)
        self._session.edit(make, *args)
        self._session.notice.disconnect(self.refused)


def facts_of(
    document: Document, pane: Pane, row: Sequence[int], detailed: bool, camera: str | None, flaw: str = ""
) -> list[str]:
    """What is said about the photo of a pane: name, title, place, and whether it is read, missing or excluded.

    `detailed` adds date, camera and size. `row` are the photos that the arrows go through; it is empty if they go over
    the sheet. `flaw` says what is missing of a photo whose file is damaged.
    """
    index = pane.photo
    if not 0 <= index < len(document.album):
        return []
    photo = document.dated_photos[index]
    title = caption_of(document.captioned_album.photos[index], "title")
    parts = [undirected(photo.name), *([undirected(title)] if title else [])]
    if detailed:
        parts += map(undirected, row_words(photo))
        parts += [*taken_words(photo), *([camera] if camera else [])]
        parts += [f"{photo.width} × {photo.height}", in_bytes(photo.size)]
    cell = document.layout.cell_of(index) if document.layout is not None else None
    if cell is not None:
        place = place_words(cell, document.shape.pages)
        parts.append(tr("{place}, pinned", place=place) if index in document.pins else place)
    if index in row:
        parts.append(tr("photo {place} of {count}", place=number(row.index(index) + 1), count=number(len(row))))
    if index in document.always_shown:
        parts.append(tr("always shown"))
    if index in document.excluded:
        parts.append(tr("excluded"))
    if flaw:
        parts.append(shown(flaw))
    if index in document.missing:
        parts.append(tr("file not found"))
    elif pane.pixels is None:
        parts.append(tr("being read…") if pane.reading else tr("cannot be shown"))
    return parts


def in_one_line(facts: Sequence[str], width: float, font: QFontMetrics) -> str:
    """The facts in one line of this width; a long file name is shortened in its middle."""
    if not facts:
        return ""
    rest = font.horizontalAdvance(BETWEEN.join(["", *facts[1:]]))
    name = font.elidedText(facts[0], Qt.TextElideMode.ElideMiddle, int(width - rest))
    return BETWEEN.join([name, *facts[1:]])


class Controls:
    """All buttons of the large view, by their keys; `run` has the function that each of them calls."""

    def __init__(self, parent: QWidget, run: Mapping[str, Callable[[], None]]) -> None:
        self._parent = parent
        tables = ON_PHOTO | WHILE_SEEING | WHILE_CROPPING
        self.buttons = {key: self._button(*entry, run[key]) for key, entry in tables.items()}
        for key in TOGGLES:
            self.buttons[key].setCheckable(True)
        for key in ON_PHOTO:
            self.buttons[key].setProperty("round", True)
        self.buttons["done"].setProperty("main", True)
        self._seeing, self._cropping = self._row_of(list(WHILE_SEEING)), self._row_of(list(WHILE_CROPPING))

    def _button(self, picture: str, name: str, run: Callable[[], None]) -> QToolButton:
        made = named(QToolButton(self._parent), tr(name), "lightboxButton")
        if picture:
            made.setToolTip(tr(name))
            made.setIcon(icon(picture, DARK_ROOM.text, DARK_ROOM.line))
            made.setIconSize(QSize(ICON_PX, ICON_PX))
        else:
            made.setText(tr(name))
            made.setProperty("worded", True)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda checked=False: run())
        return made

    def _row_of(self, keys: Sequence[str]) -> QWidget:
        holder = QWidget(self._parent)
        row = QHBoxLayout(holder)
        row.setContentsMargins(ROOM, TIGHT, ROOM, TIGHT)
        row.setSpacing(TIGHT)
        for key in keys:
            self.buttons[key].setMinimumSize(BAR_PX - SNUG, BAR_PX - SNUG)
            row.addWidget(self.buttons[key])
        return holder

    def show_state(self, document: Document, photo: int, facts_shown: bool, can_add: bool) -> None:
        """Check the buttons of what is true of a photo, and enable those of what can be done with it."""
        pinned, out = photo in document.pins, photo in document.excluded
        placed = document.layout is not None and document.layout.cell_of(photo) is not None
        states = {"pin": pinned, "exclude": out, "always": photo in document.always_shown, "facts": facts_shown}
        for key, on in states.items():
            self.buttons[key].setChecked(on)
        self._call("pin", tr("Unpin (P)") if pinned else tr("Pin it where it is (P)"))
        self._call("exclude", tr("Take back into album (X)") if out else tr("Exclude from album (X)"))
        self.buttons["pin"].setEnabled(pinned or placed)
        self.buttons["crop"].setEnabled(photo not in document.missing)
        self.buttons["compare"].setEnabled(can_add)

    def show_cropping(self, is_on: bool, can_reset: bool) -> None:
        """Show the buttons for choosing a crop, or those for looking at a photo."""
        self._seeing.setVisible(not is_on)
        self._cropping.setVisible(is_on)
        self.buttons["reset"].setEnabled(can_reset)

    def _call(self, key: str, name: str) -> None:
        self.buttons[key].setToolTip(name)
        self.buttons[key].setAccessibleName(name)

    @property
    def in_focus_order(self) -> list[QToolButton]:
        """The buttons that Tab visits, in this order."""
        return [button for button in self.buttons.values() if button.isEnabled() and button.isVisible()]

    @property
    def bar_width(self) -> int:
        """Width of the buttons in the line of facts."""
        return (self._cropping if self._cropping.isVisible() else self._seeing).sizeHint().width()

    def place(self, width: int, height: int, foot: int) -> None:
        """Place the buttons in a view of this size whose foot, with facts and strip, is `foot` pixels high."""
        mirrored = self._parent.layoutDirection() == Qt.LayoutDirection.RightToLeft
        middle, far = (height - foot - ROUND_BUTTON_PX) // 2, width - ROUND_BUTTON_PX - ROOM
        for key, x, y in (("left", ROOM, middle), ("right", far, middle), ("close", ROOM if mirrored else far, ROOM)):
            self.buttons[key].setGeometry(x, y, ROUND_BUTTON_PX, ROUND_BUTTON_PX)
        for holder in (self._seeing, self._cropping):
            across = holder.sizeHint().width()
            holder.setGeometry(0 if mirrored else width - across, height - foot, across, BAR_PX)


def row_of_photos(document: Document, photo: int, listed: Sequence[int]) -> tuple[int, ...]:
    """The photos that the arrows go through from a photo without a cell: those of its stack, or else those listed.

    The row is empty for a photo on the sheet: from there the arrows go over the sheet.
    """
    if document.layout is not None and document.layout.cell_of(photo) is not None:
        return ()
    if photo in document.covered:
        return tuple(sorted(document.stack_of[document.covered[photo]]))
    return tuple(listed) if photo in listed else ()


def next_photo(
    document: Document, row: Sequence[int], photo: int, down: int, across: int, last: Cell | None = None
) -> int | None:
    """The photo that an arrow leads to: the next one of the row, or of the sheet if the row is empty.

    If the photo has lost its cell meanwhile, the arrow starts from `last`, the cell where it lay.
    """
    if row:
        place = row.index(photo) + down + across
        return row[place] if 0 <= place < len(row) else None
    layout = document.layout
    return None if layout is None else _next_on_sheet(layout, layout.cell_of(photo) or last, down, across)


def _next_on_sheet(layout: Layout, cell: Cell | None, down: int, across: int) -> int | None:
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
    """The strip of neighbours below the photo: which ones it shows, and where they are painted."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self.tiles: list[tuple[int, QRectF]] = []

    def lay_out(self, order: Sequence[int], current: int, width: float, bottom: float) -> None:
        """Choose as many photos as fit into `width`, with the current one in the middle unless it is near an end."""
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
        """Paint the strip; photos that are not among `together`, those seen above it, are dimmed."""
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
