"""What follows from what the hand did: selection, pins and drags, through the session."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from album_app.gui.canvas.annotated_sheet import AnnotatedSheet
from album_app.gui.canvas.gestures import gesture_states
from album_app.gui.canvas.gestures.gesture_states import (
    ADD,
    EXTEND,
    REPLACE,
    TOGGLE,
    Cancelled,
    Carrying,
    Choose,
    ChooseWithin,
    DragOut,
    Drop,
    Intent,
    MovePage,
    Pan,
    State,
    Unpin,
)
from album_app.gui.canvas.overlays import ghost_image, ghost_middle
from album_app.gui.canvas.tiles.tiles import tile_image
from album_app.gui.controls.file_drag import drag_out
from album_app.layout.editing.book import page_moved
from album_app.layout.editing.edits import unpinned
from album_app.layout.shapes.shape import Cell

GHOST_SIDES = (56.0, 120.0)


class Performer:
    """Performs intents on the canvas and its session."""

    def __init__(self, canvas: AnnotatedSheet) -> None:
        self._canvas = canvas
        self._session = canvas.session
        self._anchor: Cell | None = None
        self.before_band: tuple[int, ...] = ()

    def perform(self, intent: Intent, state: State) -> None:
        """Do what an intent says; `state` is what the hand held until now."""
        match intent:
            case Pan(dx, dy):
                self._canvas.pan_by(dx, dy)
            case Choose(cell, mode):
                self.choose(cell, mode)
            case ChooseWithin():
                self._choose_within(intent)
            case Drop():
                self._drop(intent, state)
            case MovePage(page, to):
                self._session.edit(page_moved, page, to)
            case Unpin(photo):
                self._session.edit(unpinned, [photo])
            case DragOut(photos):
                self._drag_out(photos)
            case Cancelled():
                self._put_back(state)

    def choose(self, cell: Cell | None, mode: str = REPLACE) -> None:
        """Select what is in a cell, and let the keyboard act on it."""
        scene, selected = self._canvas.scene, self._session.selected
        photo = scene.photo_in(cell)
        if mode == EXTEND and self._anchor is not None and cell is not None and scene.shape is not None:
            cells = gesture_states.block(scene.shape, self._anchor, cell)
            self._session.select(scene.photos_in([*cells, cell]), cell)
            return
        self._anchor = cell
        if mode == TOGGLE and photo is not None:
            rest = tuple(other for other in selected if other != photo)
            self._session.select(rest if photo in selected else (*rest, photo), cell)
        else:
            self._session.select(() if photo is None else (photo,), cell)

    def ghost(self, photos: Sequence[int]) -> QImage:
        """What hangs on the pointer while photos are dragged."""
        ratio = self._canvas.ratio
        side = min(max(self._canvas.scene.view.side * 1.06, GHOST_SIDES[0] * ratio), GHOST_SIDES[1] * ratio)
        picture = tile_image(self._canvas.scene.tile_cache.picture(photos[-1], round(side)))
        return ghost_image(picture, len(photos), self._canvas.colours, ratio, QApplication.font())

    def _choose_within(self, intent: ChooseWithin) -> None:
        ratio, scene = self._canvas.ratio, self._canvas.scene
        rect = QRectF(intent.x * ratio, intent.y * ratio, intent.width * ratio, intent.height * ratio)
        photos = scene.photos_in(scene.cells_within(rect))
        self._session.select((*self.before_band, *photos) if intent.mode == ADD else photos)

    def _drop(self, drop: Drop, state: State) -> None:
        if not drop.photos:
            return
        self._canvas.hint.emit("")
        self._release_tile(drop.photos[-1], drop.origin, state)
        if not self._session.drop(drop.photos, drop.cell, drop.swap):
            self._canvas.show_layout()

    def _put_back(self, state: State) -> None:
        if isinstance(state, Carrying) and state.photos and state.origin is not None:
            self._release_tile(state.photos[-1], state.origin, state)
            self._canvas.show_layout()
        self._canvas.hint.emit("")

    def _release_tile(self, photo: int, origin: Cell | None, state: State) -> None:
        """Let the tile begin its way where the ghost hangs."""
        if isinstance(state, Carrying) and not state.keyboard:
            ratio, half = self._canvas.ratio, self._canvas.scene.view.side / 2
            middle = ghost_middle(state.x * ratio, state.y * ratio, 2 * half)
            self._canvas.scene.lift(photo, origin, middle - QPointF(half, half), self._canvas.now)

    def _drag_out(self, photos: Sequence[int]) -> None:
        self._canvas.show_layout()
        self._canvas.hint.emit("")
        if self._session.document is not None:
            drag_out(self._canvas, self._session.document, photos, self.ghost(photos))
