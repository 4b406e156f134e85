"""The menu of recent albums: a click opens one, the right button or the menu key asks what else to do with it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QKeyCombination, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from album_app.file_names import undirected
from album_app.gui.state.recent import Recent
from album_app.gui.style.wording import literal
from album_app.language import tr

Choices = Callable[[Recent], Sequence[tuple[str, Callable[[], None]]]]
"""What can be done with an album, the first of it by a click."""


MENU_KEY = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)


class RecentMenu(QMenu):
    """Lists recent albums, the latest first."""

    def __init__(self, parent: QWidget, choices: Choices) -> None:
        super().__init__(tr("Open recent"), parent, toolTipsVisible=True)
        self._choices = choices

    def fill(self, albums: Sequence[Recent]) -> None:
        """Show other albums than before."""
        self.clear()
        self.setEnabled(bool(albums))
        for album in albums:
            action = self.addAction(literal(undirected(album.name)))
            action.setToolTip(album.paths[0])
            action.setData(album)
            action.triggered.connect(lambda checked=False, album=album: self._choices(album)[0][1]())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The right button opens no album: it asks for the menu."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+F10 is the menu key of those who have none."""
        if event.keyCombination() == MENU_KEY:
            self._ask_by_key()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._ask_by_key()
        else:
            self._ask_about(self.actionAt(event.pos()), event.pos())

    def _ask_by_key(self) -> None:
        action = self.activeAction()
        if isinstance(action, QAction):
            self._ask_about(action, self.actionGeometry(action).center())

    def _ask_about(self, action: QAction | None, at: QPoint) -> None:
        if isinstance(action, QAction) and isinstance(action.data(), Recent):
            self._ask(action.data(), self.mapToGlobal(at))

    def _ask(self, album: Recent, position: QPoint) -> None:
        menu = QMenu(self)
        for text, run in self._choices(album):
            menu.addAction(text).triggered.connect(lambda checked=False, run=run: self._do(run))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)

    def _do(self, run: Callable[[], None]) -> None:
        """All menus close, as after any choice."""
        menu: QWidget | None = self
        while isinstance(menu, QMenu):
            menu.close()
            menu = menu.parentWidget()
        run()
