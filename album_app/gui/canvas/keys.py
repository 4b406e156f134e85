"""The keyboard on the canvas: moves the cell that keys act on, and does everything that the mouse can do."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from album_app.gui.canvas.gesture_states import EXTEND, REPLACE, TOGGLE, neighbour
from album_app.gui.canvas.hand import Hand
from album_app.gui.canvas.maps import PLACES
from album_app.gui.canvas.photo_cards import AlternativesStrip, StackCard
from album_app.gui.canvas.sheet_view import SheetView
from album_app.gui.controls.ask_user import pin_or_let_go
from album_app.gui.state.advice import Proposals
from album_app.language import tr
from album_app.layout.editing.edits import unpinned
from album_app.layout.editing.hold import cells_held, sheet_held
from album_app.layout.shapes.frames import Frames
from album_app.layout.shapes.shape import Cell, Shape

KEY = Qt.Key
PAGE = 5
"""Rows that Page Up and Page Down move."""
ARROWS = {KEY.Key_Left: (0, -1), KEY.Key_Right: (0, 1), KEY.Key_Up: (-1, 0), KEY.Key_Down: (1, 0)}
STEPS = ARROWS | {KEY.Key_PageUp: (-PAGE, 0), KEY.Key_PageDown: (PAGE, 0)}
ENDS = {KEY.Key_Home: 0, KEY.Key_End: -1}


class Keys:
    """Keys of the canvas: arrows, Enter, P, M, A, B, S, H, Delete, plus and minus, Space, Esc, the menu key."""

    def __init__(
        self, canvas: SheetView, hand: Hand, strip: AlternativesStrip, stack_card: StackCard, proposals: Proposals
    ) -> None:
        self._canvas = canvas
        self._hand = hand
        self._strip = strip
        self._stack_card = stack_card
        self._proposals = proposals
        self._session = canvas.session
        self._plain: dict[int, Callable[[], None]] = {
            KEY.Key_P: self._pin,
            KEY.Key_M: self.pick_up,
            KEY.Key_A: self._show_alternatives,
            KEY.Key_S: self._open_stack,
            KEY.Key_H: self._hold_sheet,
            KEY.Key_Delete: self._unpin,
            KEY.Key_Backspace: self._unpin,
            KEY.Key_Plus: canvas.zoom_in,
            KEY.Key_Equal: canvas.zoom_in,
            KEY.Key_Minus: canvas.zoom_out,
        }

    def press(self, event: QKeyEvent) -> bool:
        """Act on a key that is pressed; whether it is one of the canvas."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        if key in STEPS or key in ENDS:
            self._go(key, shift, ctrl)
        elif key in (KEY.Key_Return, KEY.Key_Enter) and not ctrl:
            self._enter(shift)
        elif key == KEY.Key_Escape:
            return self._escape()
        elif key == KEY.Key_Space:
            self._space(ctrl)
        elif key == KEY.Key_Shift:
            self._hand.hold_shift(True)
            return False
        elif key == KEY.Key_Alt and self._hand.carried is not None:
            self._hand.hold_alt(True)
        elif key == KEY.Key_B and not modifiers:
            self._show_before(event.isAutoRepeat())
        elif key == KEY.Key_H and modifiers == Qt.KeyboardModifier.ShiftModifier:
            self._hold_selection()
        elif key in self._plain and (not modifiers or key in (KEY.Key_Plus, KEY.Key_Equal)) and not ctrl:
            self._plain[key]()
        else:
            return False
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Act on a key that is released; whether it is one of the canvas."""
        if event.isAutoRepeat():
            return False
        if event.key() == KEY.Key_Shift:
            self._hand.hold_shift(False)
        elif event.key() == KEY.Key_Alt and self._hand.carried is not None:
            self._hand.hold_alt(False)
            return True
        elif event.key() == KEY.Key_B and self._canvas.is_showing_before:
            self._leave_before()
            return True
        elif event.key() == KEY.Key_Space:
            self._let_space_go()
            return True
        return False

    def enter(self, reason: Qt.FocusReason) -> None:
        """The canvas got the focus; after Tab some cell must show that."""
        by_key = reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self._session.cell is None:
            self._move_to(self._cursor(), REPLACE)

    def leave(self) -> None:
        """The canvas lost the focus."""
        self._let_space_go()
        self._leave_before()
        carried = self._hand.carried
        if carried is not None and carried.keyboard:
            self._hand.cancel()

    def open_menu(self) -> None:
        """The menu key: a context menu next to the keyboard's cell."""
        self._choose_cursor()
        cell = self._session.cell
        rect = self._canvas.rect() if cell is None else self._canvas.cell_rect(cell).toRect()
        self._canvas.menu_requested.emit(self._canvas.mapToGlobal(rect.center()))

    @property
    def _shape(self) -> Shape | None:
        return self._canvas.scene.shape

    def _cursor(self) -> Cell | None:
        """The cell of the keyboard; None before there is one."""
        carried = self._hand.carried
        if carried is not None and carried.keyboard:
            return carried.target
        if self._shape is None:
            return None
        cell = self._session.cell
        return cell if cell is not None and cell in self._shape else None

    def _go(self, key: Qt.Key, shift: bool, ctrl: bool) -> None:
        shape, cell = self._shape, self._cursor()
        if shape is None:
            return
        if cell is None:
            target = shape.cell(0)
        elif key in ENDS:
            target = _end(self._canvas.scene.frames, cell, ENDS[key], whole=ctrl)
        else:
            target = _stepped(self._canvas.scene.frames, cell, *STEPS[key])
        if self._hand.carried is not None:
            self._hand.carry_to(target)
            self._canvas.reveal(target)
        elif ctrl and not shift and key in STEPS:
            self._session.select(self._session.selected, target)
            self._show(target)
        else:
            self._move_to(target, EXTEND if shift else REPLACE)

    def _move_to(self, cell: Cell | None, mode: str) -> None:
        if cell is None and self._shape is not None:
            cell = self._shape.cell(0)
        if cell is not None:
            self._hand.choose(cell, mode)
            self._show(cell)

    def _show(self, cell: Cell) -> None:
        self._canvas.reveal(cell)
        self._canvas.describe(cell, delay=False)

    def _choose_cursor(self) -> None:
        """Select the photo in the cell of the keyboard for a key if no photo is selected."""
        cell = self._cursor()
        if cell is not None and not self._session.selected and self._hand.carried is None:
            self._move_to(cell, REPLACE)

    def _enter(self, shift: bool) -> None:
        if self._hand.carried is not None:
            self._hand.put_down(swap=shift)
        elif self._proposals.current is not None:
            self._proposals.accept_by_key()
        elif self._session.on_empty_cell:
            self._session.tell(tr("There is no photo in this cell."))
        else:
            self._choose_cursor()
            if self._session.current is not None:
                self._canvas.large_requested.emit(self._session.current)

    def _escape(self) -> bool:
        if self._hand.carried is not None or self._hand.band is not None:
            self._hand.cancel()
        elif self._proposals.current is not None:
            self._proposals.dismiss()
        elif self._strip.isVisible():
            self._strip.show_for(None)
        elif self._canvas.heatmap.name == PLACES:
            self._canvas.places_left.emit()
        elif self._canvas.card_by_key:
            self._canvas.describe(None)
        elif self._session.selected:
            self._session.select((), self._session.cell)
        else:
            return False
        return True

    def _space(self, ctrl: bool) -> None:
        if ctrl and self._session.cell is not None:
            self._hand.choose(self._session.cell, TOGGLE)
        elif not ctrl:
            self._choose_cursor()
            self._hand.space = True
            self._hand.show_cursor()

    def _let_space_go(self) -> None:
        self._hand.space = False
        self._hand.show_cursor()

    def pick_up(self) -> None:
        """Carry the photo in the cell of the keyboard, with the other selected ones; drop it if one is carried."""
        cell = self._cursor()
        if self._hand.carried is not None:
            self._hand.put_down()
        elif cell is not None and self._canvas.scene.photo_in(cell) is not None:
            held = self._canvas.scene.photo_in(cell)
            others = [photo for photo in self._session.selected if photo != held]
            photos = [*others, held] if held in self._session.selected else [held]
            self._hand.pick_up([photo for photo in photos if photo is not None], cell, cell)

    def _show_alternatives(self) -> None:
        cell = self._cursor()
        self._strip.show_for(None if cell == self._strip.cell else cell)

    def _open_stack(self) -> None:
        self._choose_cursor()
        self._stack_card.show_for(self._session.current)

    def _pin(self) -> None:
        self._choose_cursor()
        self._canvas.describe(None)  # the card would hide the photos that move now
        pin_or_let_go(self._canvas, self._session, self._session.cell)

    def _show_before(self, repeated: bool) -> None:
        """Show the sheet before the last edit as long as the key is pressed."""
        done = self._session.undo_stack.done
        if repeated or self._hand.carried is not None:
            return
        if not done or done[0].before.layout is None:
            self._session.tell(tr("There was no other sheet before."))
            return
        self._canvas.show_before(done[0].before.layout)
        self._canvas.hint.emit(tr("Before “{edit}”", edit=done[0].text()))

    def _leave_before(self) -> None:
        if self._canvas.is_showing_before:
            self._canvas.show_now()
            self._canvas.hint.emit("")

    def _hold_sheet(self) -> None:
        document = self._session.document
        if document is not None:
            self._session.edit(sheet_held, not document.is_held)

    def _hold_selection(self) -> None:
        self._choose_cursor()
        self._session.edit(cells_held, self._session.selected)

    def _unpin(self) -> None:
        self._choose_cursor()
        self._session.edit(unpinned, self._session.selected)


def _stepped(frames: Frames, cell: Cell, down: int, right: int) -> Cell:
    """The cell one or more steps away, or the last one on the way."""
    for _ in range(max(abs(down), abs(right))):
        cell = neighbour(frames, cell, (down > 0) - (down < 0), (right > 0) - (right < 0))
    return cell


def _end(frames: Frames, cell: Cell, end: int, whole: bool) -> Cell:
    """The first or last cell of the row, or of the whole sheet."""
    if whole:
        return frames.cell(0 if end == 0 else len(frames) - 1)
    row = frames.grid[cell[0]]
    return frames.cell(int(row[row >= 0][end]))
