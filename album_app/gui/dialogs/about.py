"""What the Help menu opens: the About box, and the list of shortcuts and mouse gestures."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from album_app import __version__
from album_app.gui.controls.sections import button, muted
from album_app.gui.style.design import APART, ROOM, SNUG
from album_app.gui.style.icons import pixmap
from album_app.language import mark, tr

WORDS_PX = 380
"""Width of the sentences in the About box."""
ICON_SIDE_PX = 72
"""Side of the program's icon in the About box."""


class AboutDialog(QDialog):
    """Says what the program does; its buttons open the help page and the list of shortcuts."""

    def __init__(self, parent: QWidget, show_help: Callable[[], None], show_shortcuts: Callable[[], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About Album App"))
        sign = QLabel()
        sign.setPixmap(pixmap("album-app", "", ICON_SIDE_PX, self.devicePixelRatio()))
        name = QLabel("Album App")
        name.setProperty("role", "title")
        about = QLabel(
            tr(
                "Turns a folder of photos into a sheet where every picture sits next to its kin, by "
                "LSMI-Sinkhorn: the few photos you pin teach it where the others belong."
            )
        )
        about.setWordWrap(True)
        promise = muted(tr("Your photos are only ever read. Free software under the MIT licence."), wrap=True)
        for wrapped in (about, promise):
            wrapped.setFixedWidth(WORDS_PX)
            wrapped.setMinimumHeight(wrapped.heightForWidth(WORDS_PX))
        words = QVBoxLayout()
        words.setSpacing(SNUG)
        for widget in (
            name,
            muted(tr("Version {version}", version=__version__)),
            about,
            promise,
        ):
            words.addWidget(widget)
        across = QHBoxLayout()
        across.setSpacing(APART)
        across.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        across.addLayout(words, 1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(button(tr("Help"), show_help))
        foot.addWidget(button(tr("Shortcuts"), show_shortcuts))
        foot.addStretch(1)
        foot.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(APART, APART, APART, ROOM)
        whole.setSpacing(APART)
        whole.addLayout(across)
        whole.addLayout(foot)


SCROLL_BAR_PX = 40
"""Width of the scroll bar of the list of shortcuts, with the space around it."""
Keys = Sequence[tuple[str, str]]
"""Pairs of what to press and what that does."""

GESTURES = (
    (mark("Drag a photo to a cell"), mark("Pin it there")),
    (mark("Drag onto a pinned photo"), mark("Swap the two pins")),
    (mark("Shift while dropping"), mark("Swap the two photos and pin both")),
    (mark("Drag while the sheet is held"), mark("Swap the two photos; nothing else moves")),
    (mark("Alt while dragging"), mark("Show the sheet as it would become")),
    (mark("B held down"), mark("Show the sheet before the last edit")),
    (mark("Click on the pin"), mark("Unpin")),
    (mark("M, arrows, Enter"), mark("The same drag with the keyboard; Shift+Enter swaps, Esc cancels")),
    (mark("Wheel, + and −"), mark("Zoom at the pointer; by keyboard, at the cell")),
    (mark("Space- or middle-drag"), mark("Move the sheet")),
    (mark("Double-click"), mark("Large view")),
    (mark("Arrows"), mark("Go from cell to cell; with Shift, select")),
    (mark("Ctrl+arrows, Ctrl+Space"), mark("Go without selecting; select one more, or no longer")),
    (mark("Esc in tray or panel"), mark("Back to the sheet")),
    (mark("Menu key or Shift+F10"), mark("What can be done with a photo")),
    (mark("Drop files on a cell"), mark("Add them and pin them there; the keyboard copies and pastes them")),
    (mark("Drag a photo out"), mark("Copy it to another program")),
    (mark("Alt-drag and Alt-wheel"), mark("Shift and zoom a photo within its frame; Alt-double-click resets it")),
)
IN_LARGE_VIEW = (
    (mark("Arrows, PgUp and PgDown"), mark("Go to the neighbours, and on in reading order")),
    (mark("P, X, A"), mark("Pin it, exclude it, always show it")),
    (mark("F2, K"), mark("Write its caption, choose its crop")),
    (mark("C, I"), mark("Show the next photo next to it; date, camera and size")),
    (mark("0, 1, + and −"), mark("The whole photo, 100 %, zoom")),
)


class ShortcutsDialog(QDialog):
    """The shortcuts of all menus and the gestures on the sheet, in two columns, or in one if the dialog is narrow."""

    def __init__(self, parent: QWidget, menus: Mapping[str, Keys]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Shortcuts"))
        self.resize(min(1100, parent.width() - 60), min(680, parent.height() - 60))
        inside = QWidget()
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(24, 20, 24, 20)
        columns.setSpacing(36)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(_group(tr("On the sheet"), [(tr(keys), tr(what)) for keys, what in GESTURES]))
        left.addWidget(_group(tr("In the large view"), [(tr(keys), tr(what)) for keys, what in IN_LARGE_VIEW]))
        for place, (menu, keys) in enumerate(menus.items()):
            (right if place > 1 else left).addWidget(_group(menu, keys))
        for column in (left, right):
            column.setSpacing(18)
            column.addStretch(1)
            columns.addLayout(column, 1)
        if inside.minimumSizeHint().width() > self.width() - SCROLL_BAR_PX:
            columns.setDirection(QHBoxLayout.Direction.TopToBottom)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        area.setAccessibleName(tr("List of shortcuts"))
        self._bar = area.verticalScrollBar()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 16, 14)
        whole.addWidget(area, 1)
        whole.addWidget(buttons)
        area.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll to both ends by Home and End; the area scrolls itself by the other keys."""
        ends = {Qt.Key.Key_Home: self._bar.minimum(), Qt.Key.Key_End: self._bar.maximum()}
        if event.key() in ends:
            self._bar.setValue(ends[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def _group(title: str, lines: Keys) -> QWidget:
    group = QWidget()
    grid = QGridLayout(group)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setVerticalSpacing(6)
    grid.setHorizontalSpacing(14)
    grid.setColumnStretch(1, 1)
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    grid.addWidget(heading, 0, 0, 1, 2)
    for line, (keys, what) in enumerate(lines, 1):
        key = QLabel(keys)
        key.setProperty("role", "key")
        text = QLabel(what)
        text.setWordWrap(True)
        grid.addWidget(key, line, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(text, line, 1)
    return group
