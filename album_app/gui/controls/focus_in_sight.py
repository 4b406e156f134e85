"""Scrolls to the control that has got the keyboard, with some of what is around it."""

from PySide6.QtCore import QObject, QTimer, Slot
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
        """Once the keyboard has arrived: on its way from what is hidden it may pass here."""
        QTimer.singleShot(0, self, self._show)

    @Slot()
    def _show(self) -> None:
        inside, now = self._area.widget(), QApplication.focusWidget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self._area.ensureWidgetVisible(now, 0, AROUND)
