"""The cells of the sheet for screen readers: each an object with a name, a place, a state and actions of its own."""

from functools import cache
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget
from shiboken6 import VoidPtr, getCppPointer

from album_app.gui.canvas.sheet_view import SheetView, line_about_cell
from album_app.language import mark, tr
from album_app.layout.editing.drops import pinned_or_let_go
from album_app.layout.shapes.shape import Cell

NOTHING = VoidPtr(0)
"""The null pointer, which C++ expects instead of None."""
PRESS, PIN, UNPIN, LARGE = mark("Press"), mark("Pin here"), mark("Unpin"), mark("Large view")


class CellActions(QAccessibleActionInterface):
    """What a screen reader can do with a cell: select it, pin or unpin its photo, show it large."""

    def __init__(self, access: "CellAccess") -> None:
        super().__init__()
        self._access = access

    def actionNames(self) -> list[str]:
        if self._access.photo is None:
            return [PRESS]
        return [PRESS, UNPIN if self._access.pinned else PIN, LARGE]

    def localizedActionName(self, name: str) -> str:
        return tr(name)

    def localizedActionDescription(self, name: str) -> str:
        return ""

    def keyBindingsForAction(self, name: str) -> list[str]:
        return {PIN: ["P"], UNPIN: ["P"], LARGE: ["Return"]}.get(name, [])

    def doAction(self, name: str) -> None:
        sheet, cell, photo = self._access.sheet, self._access.cell, self._access.photo
        if name not in self.actionNames():
            return
        if name == PRESS:
            sheet.session.select(() if photo is None else (photo,), cell)
        elif name == LARGE:
            sheet.large_requested.emit(photo)
        elif photo is not None:
            sheet.session.edit(pinned_or_let_go, (photo,), cell)


class CellAccess(QAccessibleInterface):
    """One cell, named by its number on the open sheet."""

    def __init__(self, sheet: SheetView, number: int) -> None:
        super().__init__()
        self.sheet = sheet
        self._number = number
        self._actions = CellActions(self)
        self._pointer = VoidPtr(*getCppPointer(self._actions))

    @property
    def cell(self) -> Cell | None:
        shape = self.sheet.scene.shape
        return None if shape is None or self._number >= shape.count else shape.cell(self._number)

    @property
    def photo(self) -> int | None:
        return self.sheet.scene.photo_in(self.cell)

    @property
    def pinned(self) -> bool:
        document, photo = self.sheet.session.document, self.photo
        return document is not None and photo is not None and document.pins.get(photo) == self.cell

    def isValid(self) -> bool:
        return self.cell is not None

    def text(self, kind: QAccessible.Text) -> str:
        return line_about_cell(self.sheet.session.document, self.cell) if kind == QAccessible.Text.Name else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Do nothing: the name of a cell is that of its photo."""

    def rect(self) -> QRect:
        if self.cell is None:
            return QRect()
        area = self.sheet.cell_rect(self.cell).toRect()
        return QRect(self.sheet.mapToGlobal(area.topLeft()), area.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Cell

    def state(self) -> QAccessible.State:
        state, session = QAccessible.State(), self.sheet.session
        state.focusable = state.selectable = state.checkable = True
        state.checked = self.pinned
        state.selected = self.photo is not None and self.photo in session.selected
        state.focused = self.sheet.hasFocus() and session.cell == self.cell
        return state

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self.sheet)

    def window(self) -> QWindow:
        return self.sheet.window().windowHandle()

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        """A bare pointer for C++; with None, the question of a screen reader would end the program."""
        return self._pointer if kind == QAccessible.InterfaceType.ActionInterface else NOTHING

    def object(self) -> Any:
        return None

    def child(self, number: int) -> Any:
        return None

    def childAt(self, x: int, y: int) -> Any:
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def focusChild(self) -> Any:
        return None

    def relations(self, match: Any = None) -> list[Any]:
        return []


class SheetAccess(QAccessibleWidget):
    """The sheet; its children are the cells, row by row, which are made when they are first asked for."""

    def __init__(self, sheet: SheetView) -> None:
        super().__init__(sheet, QAccessible.Role.Table, tr("Sheet"))
        self._sheet = sheet
        self._cells: dict[int, CellAccess] = {}

    def childCount(self) -> int:
        shape = self._sheet.scene.shape
        return 0 if shape is None else shape.count

    def child(self, number: int) -> Any:
        if not 0 <= number < self.childCount():
            return None
        if number not in self._cells:
            self._cells[number] = CellAccess(self._sheet, number)
            QAccessible.registerAccessibleInterface(self._cells[number])
        return self._cells[number]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return next((number for number, cell in self._cells.items() if cell is child), -1)

    def childAt(self, x: int, y: int) -> Any:
        return self._of(self._sheet.cell_at(self._sheet.mapFromGlobal(QPoint(x, y)).toPointF()))

    def focusChild(self) -> Any:
        return self._of(self._sheet.session.cell) if self._sheet.hasFocus() else None

    def _of(self, cell: Cell | None) -> Any:
        number = number_of(self._sheet, cell)
        return None if number is None else self.child(number)


def number_of(sheet: SheetView, cell: Cell | None) -> int | None:
    """The number of the child of the sheet that is this cell."""
    shape = sheet.scene.shape
    return shape.index_of(cell) if shape is not None and cell is not None and cell in shape else None


def tell_focus(sheet: SheetView, cell: Cell | None) -> None:
    """Have a screen reader follow the keyboard to a cell."""
    number = number_of(sheet, cell)
    if QAccessible.isActive() and number is not None:
        event = QAccessibleEvent(sheet, QAccessible.Event.Focus)
        event.setChild(number)
        QAccessible.updateAccessibility(event)


@cache
def offer_cells() -> None:
    """Have Qt find the cells of every sheet for screen readers; what answers for a sheet lives as long as the sheet."""

    def make(key: str, thing: QObject) -> Any:
        if not isinstance(thing, SheetView):
            return None
        thing.access = SheetAccess(thing)
        return thing.access

    QAccessible.installFactory(make)
