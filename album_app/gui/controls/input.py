"""Input that Qt does not handle as the program wants it.

The keyboard focus scrolls into view and returns from menus; fields leave the wheel and undo to what is around them;
photos are dragged and copied as files.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDrag, QImage, QKeyEvent, QKeySequence, QPixmap, QShortcut
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


class SheetUndo(QObject):
    """Lets undo and redo through to the sheet from fields that are empty or have nothing typed to take back.

    Where the sheet follows the typing, `give_up` says so: these fields have no undo of their own, and what the sheet
    has not followed yet is given up by it.
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
        if event.type() == QEvent.Type.KeyPress:  # it comes this far where the sheet has nothing to undo or redo
            if undo and self._give_up is not None:
                self._give_up()
            return self._give_up is not None and (undo or redo)
        line = field if isinstance(field, QLineEdit) and self._give_up is None and field.text() else None
        through = (undo and not (line and line.isUndoAvailable())) or (redo and not (line and line.isRedoAvailable()))
        if through:
            event.ignore()
        return through


class LeaveWheel(QObject):
    """Keeps the wheel from changing a control that it passes over: without the focus it scrolls what is around."""

    def __init__(self, control: QAbstractSlider | QAbstractSpinBox) -> None:
        super().__init__(control)
        self._control = control
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel itself gives none
        control.installEventFilter(self)

    def eventFilter(self, control: QObject, event: QEvent) -> bool:
        passing = event.type() == QEvent.Type.Wheel and not self._control.hasFocus()
        if passing:
            event.ignore()
        return passing


def photo_mime(document: Document, photos: Sequence[int]) -> QMimeData:
    """Photos as their files, which is all that another program or window can know them by."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(document.album.photos[photo].path)) for photo in photos])
    return data


def local_paths(data: QMimeData | None) -> list[Path]:
    """The files and folders of this computer that are dragged or copied; an empty clipboard has no data at all."""
    return [] if data is None else [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def dragged_files(data: QMimeData) -> list[Path]:
    """Files that may be photos; none where a project is among them. Only their names are looked at."""
    paths = local_paths(data)
    return [] if any(path.suffix.lower() == PROJECT_SUFFIX for path in paths) else paths


def known_photos(document: Document, paths: Sequence[Path]) -> tuple[int, ...]:
    """The photos of the album that these files are; none where a file is not among them."""
    wanted = set(paths)
    found = {photo.path: index for index, photo in enumerate(document.album.photos) if photo.path in wanted}
    return tuple(found[path] for path in paths) if len(found) == len(wanted) else ()


def drag_out(source: QWidget, document: Document, photos: Sequence[int], picture: QImage) -> None:
    """Hand photos over to the desktop; returns when they were dropped somewhere or not."""
    drag = QDrag(source)
    drag.setMimeData(photo_mime(document, photos))
    pixmap = QPixmap.fromImage(picture)
    pixmap.setDevicePixelRatio(source.devicePixelRatioF())
    drag.setPixmap(pixmap)
    drag.setHotSpot(QPoint(round(pixmap.deviceIndependentSize().width() / 2), 12))
    drag.exec(Qt.DropAction.CopyAction)
