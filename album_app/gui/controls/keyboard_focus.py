"""Keyboard focus: scrolls the focused control into view, and lets menus return the focus."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QScrollArea, QWidget

AROUND = 24


class KeepFocusInSight(QObject):
    """Follows the keyboard in a scroll area; Qt itself does so only for some controls, and only just."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, former: QWidget | None, now: QWidget | None) -> None:
        """Once the keyboard has arrived: on its way from what is hidden it may pass here."""
        QTimer.singleShot(0, self, self._show)

    @Slot()
    def _show(self) -> None:
        inside, now = self._area.widget(), QApplication.focusWidget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self._area.ensureWidgetVisible(now, 0, AROUND)


class MenuKey(QShortcut):
    """Shift+F10 asks what has the keyboard for its context menu, as the menu key does."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(QKeySequence("Shift+F10"), window)
        self.activated.connect(self._ask)

    @Slot()
    def _ask(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None:
            middle = focused.rect().center()
            by_key = QContextMenuEvent.Reason.Keyboard
            QApplication.sendEvent(focused, QContextMenuEvent(by_key, middle, focused.mapToGlobal(middle)))


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
