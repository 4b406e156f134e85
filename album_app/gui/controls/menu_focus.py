"""Gives the keyboard back to where it was when a menu of the menu bar is left without a choice."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget


class MenuFocus(QObject):
    """Watches a menu bar: one Esc leads back from an open menu, wherever the keyboard was before."""

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._before: QWidget | None = None
        for action in bar.actions():
            menu = action.menu()
            if isinstance(menu, QMenu):
                menu.aboutToHide.connect(self._look_later)
        bar.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._note)

    @Slot(QWidget, QWidget)
    def _note(self, former: QWidget | None, now: QWidget | None) -> None:
        if now is self._bar and former is not None and former.window() is self._bar.window():
            self._before = former
            former.destroyed.connect(self._forget)

    @Slot()
    def _forget(self) -> None:
        self._before = None

    @Slot()
    def _look_later(self) -> None:
        """Once it is clear whether another menu opens instead."""
        QTimer.singleShot(0, self, self._give_back)

    def eventFilter(self, bar: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self._look_later()
        return False

    @Slot()
    def _give_back(self) -> None:
        stays = self._bar.window().focusWidget() is self._bar and QApplication.activePopupWidget() is None
        if stays and self._before is not None:
            self._before.setFocus()
