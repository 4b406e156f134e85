"""Scrolls to the control that has got the keyboard, with some of what is around it."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

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
        inside = self._area.widget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self._area.ensureWidgetVisible(now, 0, AROUND)
