"""Input that Qt does not handle as the program wants it.

The keyboard focus scrolls into view and returns from menus; fields leave the wheel, undo and the shortcuts of the
window to what is around them; photos are dragged and copied as files.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDrag, QImage, QKeyEvent, QKeySequence, QPixmap, QShortcut, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)

from album_app.layout.project.document import Document
from album_app.layout.project.project_file import PROJECT_SUFFIX

FOCUS_MARGIN_PX = 24
"""Room that stays visible above and below the focused control, in pixels."""


class KeepFocusInSight(QObject):
    """Scrolls the focused control of a scroll area into view; Qt does so for some controls only, without a margin."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, former: QWidget | None, now: QWidget | None) -> None:
        """Wait until the focus has arrived: when a widget is hidden, it may pass through other controls."""
        QTimer.singleShot(0, self, self._show)

    @Slot()
    def _show(self) -> None:
        inside, now = self._area.widget(), QApplication.focusWidget()
        if now is not None and inside is not None and inside.isAncestorOf(now):
            self._area.ensureWidgetVisible(now, 0, FOCUS_MARGIN_PX)


class MenuKey(QShortcut):
    """Shift+F10 opens the context menu of the focused widget, as the menu key does."""

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
    """Returns the focus after Esc in a menu to the widget that had it before the menu bar."""

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
        """Wait until it is clear whether another menu opens instead."""
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


class SheetUndo(QObject):
    """Passes undo and redo from fields on to the sheet, if the field itself has nothing to undo or redo.

    Fields with `give_up` have no undo of their own, because the sheet follows the typing. `give_up` then drops what
    was typed and has not reached the sheet.
    """

    def __init__(
        self, *fields: QAbstractSpinBox | QLineEdit | QPlainTextEdit, give_up: Callable[[], bool] | None = None
    ) -> None:
        super().__init__(fields[0])
        self._give_up = give_up
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, field: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        undo, redo = event.matches(QKeySequence.StandardKey.Undo), event.matches(QKeySequence.StandardKey.Redo)
        if event.type() == QEvent.Type.KeyPress:  # the sheet had nothing to undo or redo
            if undo and self._give_up is not None:
                self._give_up()
            return self._give_up is not None and (undo or redo)
        line = field if isinstance(field, QLineEdit) and self._give_up is None and field.text() else None
        through = (undo and not (line and line.isUndoAvailable())) or (redo and not (line and line.isRedoAvailable()))
        if through:
            event.ignore()
        return through


COMMON_IN_FIELDS = "ACVXYZ"
"""Ctrl with one of these letters belongs to a field: select all, copy, paste, cut, redo and undo."""


class WindowKeysFirst(QObject):
    """Has the shortcuts of a window work while a field in it has the focus.

    Some systems give fields keys such as Ctrl+E for the end of the line. Ctrl and a letter goes to the window, unless
    the letter is one that people use in fields.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, former: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, QLineEdit | QAbstractSpinBox | QPlainTextEdit) and now.window() is self._window:
            now.installEventFilter(self)  # Qt moves a filter that is installed already

    def eventFilter(self, field: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        modifiers, key = event.modifiers(), event.key()
        with_ctrl = modifiers & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.ControlModifier
        through = with_ctrl and Qt.Key.Key_A <= key <= Qt.Key.Key_Z and chr(key) not in COMMON_IN_FIELDS
        if through:
            event.ignore()
        return through


class LeaveWheel(QObject):
    """Lets the wheel scroll the area around a control, instead of changing a control that is not focused."""

    def __init__(self, control: QAbstractSlider | QAbstractSpinBox) -> None:
        super().__init__(control)
        self._control = control
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel itself gives none
        control.installEventFilter(self)

    def eventFilter(self, control: QObject, event: QEvent) -> bool:
        passing = isinstance(event, QWheelEvent) and not self._control.hasFocus()
        if passing:
            event.ignore()
        return passing


def photo_mime(document: Document, photos: Sequence[int]) -> QMimeData:
    """The files of photos as data for a drag or the clipboard, which other programs and windows understand."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(document.album.photos[photo].path)) for photo in photos])
    return data


def local_paths(data: QMimeData | None) -> list[Path]:
    """The local files and folders in the data of a drag or of the clipboard, which is None when that is empty."""
    return [] if data is None else [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def dragged_files(data: QMimeData) -> list[Path]:
    """The dragged files that may be photos, judged by their names; none if a project file is among them."""
    paths = local_paths(data)
    return [] if any(path.suffix.lower() == PROJECT_SUFFIX for path in paths) else paths


def known_photos(document: Document, paths: Sequence[Path]) -> tuple[int, ...]:
    """The photos of the album whose files these are; none if a file is of no photo in the album."""
    wanted = set(paths)
    found = {photo.path: index for index, photo in enumerate(document.album.photos) if photo.path in wanted}
    return tuple(found[path] for path in paths) if len(found) == len(wanted) else ()


def drag_out(source: QWidget, document: Document, photos: Sequence[int], picture: QImage) -> None:
    """Let the user drag photos to other programs; returns when the drag has ended."""
    drag = QDrag(source)
    drag.setMimeData(photo_mime(document, photos))
    pixmap = QPixmap.fromImage(picture)
    pixmap.setDevicePixelRatio(source.devicePixelRatioF())
    drag.setPixmap(pixmap)
    drag.setHotSpot(QPoint(round(pixmap.deviceIndependentSize().width() / 2), 12))
    drag.exec(Qt.DropAction.CopyAction)
