"""The hand on the canvas: gives Qt's events to `gesture_states`, and performs the intents that come back.

While photos are carried, hovering computes the edit that a drop makes; the drop applies that edit.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from album_app.gui.canvas import gesture_states as states
from album_app.gui.canvas.book_pages import page_at
from album_app.gui.canvas.overlays import ghost_image, ghost_middle
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.canvas.tiles.marks import badge_rect
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.controls.input import drag_out, dragged_files, known_photos
from album_app.gui.state.advice import Advice
from album_app.language import tr
from album_app.layout.crops import HandCrop, adjusted
from album_app.layout.editing.book import page_moved
from album_app.layout.editing.drops import dropped
from album_app.layout.editing.edits import Edit, cropped, resized, unpinned
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell

EDGE = 28.0
"""Photos that are carried nearer to the border of the canvas than this scroll the sheet, in logical pixels."""
EDGE_STEP = 9.0
"""Logical pixels by which the sheet then scrolls with every painting."""
SMALLEST_BADGE_TARGET = 32.0
"""On a tile narrower than this, a click on the badge selects the photo instead, in logical pixels."""
HANDLE = 12.0
"""The side of the corner by which a tile is made larger, in logical pixels."""
GHOST_SIDES = (56.0, 120.0)
"""The smallest and the largest side of the picture under the pointer, in logical pixels."""
MOST_OUTLINED = 60
"""If a drop changes more cells than this, they are not outlined."""
BUTTONS = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)


class Hand:
    """What the user does on the canvas by pointer, and carries by keyboard."""

    def __init__(self, canvas: SheetView, advice: Advice) -> None:
        self._canvas = canvas
        self._advice = advice
        self._foreseen: Edit | None = None  # the edit whose layout is shown, or looked for
        self._session = canvas.session
        self._anchor: Cell | None = None  # the first cell of a block that Shift selects
        self._before_band: tuple[int, ...] = ()  # what was selected when the rubber band began
        self.state: states.State = states.IDLE
        self.outcome: Edit | None = None  # the edit that a drop makes now
        self._decided_for: Document | None = None  # the document that `outcome` was computed for
        self._wish: tuple[Sequence[int], Cell, bool] | None = None  # photos, cell and swap that it was computed for
        self.ghost: QImage | None = None  # the picture under the pointer
        self.space = False  # whether Space is pressed, so that a drag moves the sheet
        self._button = Qt.MouseButton.NoButton  # the button that began the gesture, and ends it
        self._files: list[Path] = []  # the files that a drag of the desktop brings
        self._photos: tuple[int, ...] = ()  # the photos of the album that these files are

    def press(self, event: QMouseEvent) -> None:
        self._canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        if isinstance(self.state, states.Idle) and event.button() in BUTTONS:
            self._button = event.button()
            self._before_band = self._session.selected
            self._become(states.press(self._pointer(event)))

    def move(self, event: QMouseEvent) -> None:
        pointer = self._pointer(event)
        self._become(*states.move(self.state, pointer, self._session.selected))
        if isinstance(self.state, states.Idle):
            self.show_cursor(on_handle=pointer.handle)
            self._canvas.describe(pointer.cell if pointer.inside else None)

    def release(self, event: QMouseEvent) -> None:
        if event.button() == self._button:
            pointer = self._pointer(event)
            if self.carried is not None:  # the button may be released where no move was reported
                self._become(*states.move(self.state, pointer, self._session.selected))
            self._become(*states.release(self.state, pointer))

    def cancel(self) -> None:
        """Cancel the gesture."""
        self._files, self._photos = [], ()
        self._become(*states.cancel(self.state))

    def follow(self, document: Document) -> None:
        """Cancel the gesture if this document lacks its photos or cells; otherwise compute its outcome again."""
        count = len(document.album)
        if max(self._photos, default=-1) >= count or not states.is_there(self.state, count, document.shape):
            self.cancel()
        elif self.carried is not None:
            self._decide()

    def open_menu(self, position: QPoint, global_position: QPoint) -> None:
        """Select what is under the pointer, unless it is selected already, and ask for its menu."""
        self.cancel()
        cell = self._canvas.cell_at(QPointF(position))
        photo = self._canvas.scene.photo_in(cell)
        if photo is None and cell is not None and len(self._session.selected) == 1:
            self._session.select(self._session.selected, cell)  # the selected photo could be pinned there
        elif photo is None or photo not in self._session.selected:
            self.choose(cell)
        else:
            self._session.select((*self._session.selected, photo), cell)
        self._canvas.describe(None)
        self._canvas.menu_requested.emit(global_position)

    def hold_shift(self, held: bool) -> None:
        """Shift was pressed or released, perhaps during a drag."""
        self._become(states.with_swap(self.state, held))

    def hold_alt(self, held: bool) -> None:
        """Alt was pressed or released, perhaps during a drag."""
        self._become(states.with_foresight(self.state, held))

    def carry_over(self, photos: Sequence[int], position: QPointF, shift: bool) -> None:
        """Photos from the tray hover over a point of the canvas."""
        inside = self._canvas.rect().contains(position.toPoint())
        cell = self._canvas.cell_at(position) if inside else None
        self._become(states.Carrying(tuple(photos), None, cell, shift, position.x(), position.y()))

    def let_go(self) -> None:
        """Drop photos from elsewhere where they hover."""
        held = self.carried
        if held is None or held.target is None:
            self.cancel()
        else:
            self._become(states.IDLE, states.Drop(held.photos, held.target, None))

    def drag_in(self, event: QDragEnterEvent) -> None:
        """A drag of the desktop enters: find out which files and photos it brings."""
        document = self._session.document
        self._files = [] if document is None else dragged_files(event.mimeData())
        self._photos = () if document is None else known_photos(document, self._files)
        self.drag_over(event)

    def drag_over(self, event: QDropEvent) -> None:
        """A drag of the desktop hovers: photos of the album, or other files."""
        if not self._files:
            event.ignore()
            return
        self.carry_over(self._photos, event.position(), _shift(event.modifiers()))
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def drop(self, event: QDropEvent) -> None:
        """A drag of the desktop ends here."""
        self.drag_over(event)
        if self._photos:
            self.let_go()
        elif self._files:
            self._canvas.files_dropped.emit(self._files, self._canvas.cell_at(event.position()))
            self.cancel()

    def pick_up(self, photos: Sequence[int], origin: Cell | None, over: Cell) -> None:
        self._become(states.pick_up(photos, origin, over))

    def carry_to(self, cell: Cell) -> None:
        self._become(states.carry_to(self.state, cell))

    def put_down(self, swap: bool = False) -> None:
        """Drop what the keyboard carries; with `swap` it trades places with the photo there."""
        held = self.carried
        self._become(states.with_swap(self.state, swap and held is not None and held.target != held.origin))
        self._become(*states.put_down(self.state))

    @property
    def carried(self) -> states.Carrying | None:
        return self.state if isinstance(self.state, states.Carrying) else None

    @property
    def band(self) -> QRectF | None:
        """The rubber band, in logical pixels."""
        if not isinstance(self.state, states.Banding):
            return None
        return QRectF(QPointF(self.state.x, self.state.y), QPointF(self.state.to_x, self.state.to_y)).normalized()

    @property
    def near_edge(self) -> bool:
        """Whether photos are carried at the border of the canvas, so that the sheet scrolls."""
        return self._edge_push() != (0.0, 0.0)

    def push_at_edges(self) -> None:
        """Scroll the sheet while photos are carried at the border of the canvas."""
        push, carried = self._edge_push(), self.carried
        if carried is not None and push != (0.0, 0.0):
            self._canvas.pan_by(*push)
            self._become(states.carry_to(carried, self._canvas.cell_at(QPointF(carried.x, carried.y))))

    def show_cursor(self, on_handle: bool = False) -> None:
        """Show an open hand while the sheet can be moved, and a closed one during a drag."""
        by_pointer = self.carried is not None and not self.carried.keyboard
        if by_pointer or isinstance(self.state, states.Panning | states.CarryingPage):
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif on_handle or isinstance(self.state, states.Resizing):
            self._canvas.setCursor(Qt.CursorShape.SizeFDiagCursor)
        elif self.space:
            self._canvas.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._canvas.unsetCursor()

    def _become(self, state: states.State, intent: states.Intent = states.NOTHING) -> None:
        """Take on a state, compute the outcome of a drop, perform the intent, and show it all."""
        if isinstance(intent, states.Drop):
            self._decide()  # a solve may have changed the document since the pointer moved
        former, decided, self.state = self.state, self.outcome, state
        carried = self.carried
        self._decide()
        self._foresee()
        self._canvas.held = states.taken_from_sheet(state) if self._foreseen is None else None
        if isinstance(former, states.Carrying) != (carried is not None):
            self.ghost = None if carried is None or not carried.photos else self.ghost_of(carried.photos)
            self._canvas.describe(None)
            self._canvas.repaint_tiles()
        self._perform(intent, former, decided)
        if carried is not None:
            self._canvas.hint.emit(self._hint(carried))
            if self.near_edge:
                self._canvas.animate()
        if state != former:
            self.show_cursor()
            self._canvas.update()

    def _decide(self) -> None:
        """Compute the edit that a drop makes now, unless it is known."""
        document, carried = self._session.document, self.carried
        wish = None
        if document is not None and carried is not None and carried.target is not None and carried.photos:
            wish = carried.photos, carried.target, carried.swap
        if document is not self._decided_for or wish != self._wish:
            self._decided_for, self._wish = document, wish
            self.outcome = None if document is None or wish is None else dropped(document, *wish)

    def _foresee(self) -> None:
        """Show the layout that a drop would lead to, while Alt is pressed."""
        carried, wanted = self.carried, None
        if carried is not None and carried.foresees:
            wanted = self.outcome
        if wanted is self._foreseen or (wanted is not None and _same_sheet(wanted, self._foreseen)):
            return
        was_shown, self._foreseen = self._foreseen is not None, wanted
        if wanted is None:
            self._advice.forget_foreseen()
            if was_shown and carried is not None:
                self._canvas.show_layout()
            return

        def on_found(layout: Layout) -> None:
            if self._foreseen is wanted:
                self._canvas.show_foreseen(layout)

        self._advice.foresee(wanted, on_found)

    @property
    def changes(self) -> list[Cell]:
        """The cells whose photos a drop would change at once; none if they are more than MOST_OUTLINED."""
        layout = None if self._decided_for is None else self._decided_for.layout
        after = None if self.outcome is None else self.outcome.document.layout
        if layout is None or after is None or not layout.shape.same_cells(after.shape):
            return []
        changed = np.flatnonzero(layout.photo_at != after.photo_at).tolist()
        return [layout.shape.cell(index) for index in changed] if len(changed) <= MOST_OUTLINED else []

    @property
    def hint_lines(self) -> list[str]:
        """What a drop would do, in lines of words at the pointer."""
        carried = self.carried
        if carried is None or carried.target is None:
            return []
        lines = [line for line in self._hint(carried).split(" · ") if line]
        if lines and self.outcome is not None and not carried.foresees:
            lines.append(tr("Alt shows the sheet as it would become"))
        return lines

    def _hint(self, carried: states.Carrying) -> str:
        """What a drop would do, in words."""
        if carried.target is None:
            return tr("Esc cancels")
        if not carried.photos:
            return tr("Files are added to the album and pinned here")
        hint = "" if self.outcome is None else self.outcome.hint
        if carried.keyboard:
            keys = tr("Enter pins, Shift+Enter swaps, Esc cancels")
            return " · ".join(filter(None, (hint.partition(" · ")[0], keys)))
        return hint

    def _pointer(self, event: QMouseEvent) -> states.Pointer:
        canvas, position = self._canvas, event.position()
        cell = canvas.cell_at(position) if canvas.rect().contains(position.toPoint()) else None
        page, title = page_at(canvas.scene, position.x() * canvas.ratio, position.y() * canvas.ratio)
        middle = Qt.MouseButton.MiddleButton in (event.button(), event.buttons())
        return states.Pointer(
            position.x(),
            position.y(),
            cell,
            canvas.scene.photo_in(cell),
            badge=self._on_badge(cell, position),
            page=page,
            title=title,
            inside=canvas.window().rect().contains(canvas.mapTo(canvas.window(), position.toPoint())),
            shift=_shift(event.modifiers()),
            ctrl=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier),
            alt=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier),
            handle=self.on_handle(position),
            pan=middle or self.space,
        )

    def _on_badge(self, cell: Cell | None, position: QPointF) -> bool:
        document = self._session.document
        photo = self._canvas.scene.photo_in(cell)
        if cell is None or photo is None or document is None or document.pins.get(photo) != cell:
            return False
        rect = self._canvas.cell_rect(cell)
        return rect.width() >= SMALLEST_BADGE_TARGET and badge_rect(rect, 1.0).contains(position)

    def _edge_push(self) -> tuple[float, float]:
        carried, area = self.carried, QRectF(self._canvas.rect())
        if carried is None or carried.keyboard or not area.contains(carried.x, carried.y):
            return 0.0, 0.0
        sheet = self._canvas.sheet_rect()
        left = carried.x < EDGE and sheet.left() < area.left()
        right = carried.x > area.right() - EDGE and sheet.right() > area.right()
        top = carried.y < EDGE and sheet.top() < area.top()
        bottom = carried.y > area.bottom() - EDGE and sheet.bottom() > area.bottom()
        return EDGE_STEP * (left - right), EDGE_STEP * (top - bottom)

    def _perform(self, intent: states.Intent, state: states.State, outcome: Edit | None) -> None:
        """Perform an intent; `state` is the state before it, and `outcome` the edit that a drop makes."""
        match intent:
            case states.Pan(dx, dy):
                self._canvas.pan_by(dx, dy)
            case states.Choose(cell, mode):
                self.choose(cell, mode)
            case states.ChooseWithin():
                self._choose_within(intent)
            case states.Drop():
                self._drop(intent, state, outcome)
            case states.PushPhoto(photo, cell, dx, dy):
                self.crop(photo, cell, dx, dy)
            case states.Resize(photo, (row, column), (to_row, to_column)):
                self._session.edit(resized, [photo], size=max(1, to_row - row + 1, to_column - column + 1))
            case states.MovePage(page, to):
                self._session.edit(page_moved, page, to)
            case states.Unpin(photo):
                self._session.edit(unpinned, [photo])
            case states.DragOut(photos):
                self._drag_out(photos)
            case states.Cancelled():
                self._put_back(state)

    def choose(self, cell: Cell | None, mode: str = states.REPLACE) -> None:
        """Select what is in a cell, which becomes the cell of the keyboard."""
        scene, selected = self._canvas.scene, self._session.selected
        photo = scene.photo_in(cell)
        if mode == states.EXTEND and self._anchor is not None and cell is not None and scene.shape is not None:
            cells = states.block(scene.frames, self._anchor, cell)
            self._session.select(scene.photos_in([*cells, cell]), cell)
            return
        self._anchor = cell
        if mode == states.TOGGLE and photo is not None:
            rest = tuple(other for other in selected if other != photo)
            self._session.select(rest if photo in selected else (*rest, photo), cell)
        else:
            self._session.select(() if photo is None else (photo,), cell)

    def crop(self, photo: int, cell: Cell, dx: float, dy: float, zoom: float = 1.0) -> None:
        """Move a photo within its frame by logical pixels, and zoom it by a factor."""
        document, rect = self._session.document, self._canvas.cell_rect(cell)
        if document is None or rect.isEmpty():
            return
        box = self._canvas.scene.tile_cache.shown_part(photo)
        now = document.crops.get(photo, HandCrop())
        across, along = -dx / rect.width() * (box[2] - box[0]), -dy / rect.height() * (box[3] - box[1])
        after = adjusted(box, now.zoom, across, along, zoom)
        self._session.edit(cropped, photo, after, merge=f"crop {photo}")

    def on_handle(self, position: QPointF) -> bool:
        """Whether a point is on the corner by which the selected tile is made larger."""
        corner = self.handle
        return corner is not None and corner.contains(position)

    @property
    def handle(self) -> QRectF | None:
        """The corner by which the one selected tile is made larger or smaller, in logical pixels."""
        cell, scene, document = self._session.cell, self._canvas.scene, self._session.document
        if len(self._session.selected) != 1 or document is None or cell is None or scene.shape is None:
            return None
        if cell not in scene.shape or scene.shape.shift or scene.shape.is_justified:
            return None
        rect = self._canvas.cell_rect(cell)
        if scene.photo_in(cell) != self._session.current or rect.width() < SMALLEST_BADGE_TARGET:
            return None
        return QRectF(rect.right() - HANDLE / 2, rect.bottom() - HANDLE / 2, HANDLE, HANDLE)

    def ghost_of(self, photos: Sequence[int]) -> QImage:
        """The picture under the pointer while photos are dragged."""
        ratio = self._canvas.ratio
        side = min(max(self._canvas.scene.view.side * 1.06, GHOST_SIDES[0] * ratio), GHOST_SIDES[1] * ratio)
        picture = tile_image(self._canvas.scene.tile_cache.picture(photos[-1], round(side)))
        return ghost_image(picture, len(photos), self._canvas.colours, ratio, QApplication.font())

    def _choose_within(self, intent: states.ChooseWithin) -> None:
        ratio, scene = self._canvas.ratio, self._canvas.scene
        rect = QRectF(intent.x * ratio, intent.y * ratio, intent.width * ratio, intent.height * ratio)
        photos = scene.photos_in(scene.cells_within(rect))
        self._session.select((*self._before_band, *photos) if intent.mode == states.ADD else photos)

    def _drop(self, drop: states.Drop, state: states.State, outcome: Edit | None) -> None:
        if not drop.photos:
            return
        self._canvas.hint.emit("")
        self._release_tile(drop.photos[-1], drop.origin, state)
        if not self._session.put(drop.photos, drop.cell, outcome):
            self._canvas.show_layout()

    def _put_back(self, state: states.State) -> None:
        if isinstance(state, states.Carrying) and state.photos and state.origin is not None:
            self._release_tile(state.photos[-1], state.origin, state)
        if isinstance(state, states.Carrying) and (state.foresees or (state.photos and state.origin is not None)):
            self._canvas.show_layout()
        self._canvas.hint.emit("")

    def _release_tile(self, photo: int, origin: Cell | None, state: states.State) -> None:
        """Let the tile begin its way where the picture under the pointer is."""
        if isinstance(state, states.Carrying) and not state.keyboard:
            ratio, side = self._canvas.ratio, self._canvas.scene.view.side
            scene, tile = self._canvas.scene, QRectF(0, 0, side, side)
            if origin is not None and scene.shape is not None and origin in scene.shape:
                tile = scene.rect_of(origin)
            middle = ghost_middle(state.x * ratio, state.y * ratio, side)
            half = QPointF(tile.width() / 2, tile.height() / 2)
            scene.lift(photo, origin, middle - half, self._canvas.now)

    def _drag_out(self, photos: Sequence[int]) -> None:
        self._canvas.show_layout()
        self._canvas.hint.emit("")
        if self._session.document is not None:
            drag_out(self._canvas, self._session.document, photos, self.ghost_of(photos))


def _same_sheet(edit: Edit, other: Edit | None) -> bool:
    """Whether two edits of one document lead to equal pins and equal photos in all cells."""
    if other is None or edit.document.pins != other.document.pins:
        return False
    one, two = edit.document.layout, other.document.layout
    return one is not None and two is not None and np.array_equal(one.photo_at, two.photo_at)


def _shift(modifiers: Qt.KeyboardModifier) -> bool:
    return bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
