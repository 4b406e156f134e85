"""The dialog in which the user ticks the groups of near-duplicates that are to be stacked."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from album_app.file_names import undirected
from album_app.gui.controls.sections import muted, named, square_picture
from album_app.gui.state.pictures import Pictures
from album_app.language import tr, trn
from album_app.layout.project.document import Document

Groups = Sequence[Sequence[int]]
Index = QModelIndex | QPersistentModelIndex

PICTURE_PX, GAP_PX = 72, 6
"""Side of a small picture, and the gap between two of them, in logical pixels."""
TICK_WIDTH_PX = 34
"""Width of the tick box with the space around it."""
CORNER_PX = 6
"""Radius of the corners of the line around a selected group."""
WORDS_HEIGHT_PX = 20
"""Height of the line of words below the pictures."""
MOST_PIXMAPS = 400
"""The most scaled pictures that are kept; the oldest are dropped first."""
GROUP_ROLE = Qt.ItemDataRole.UserRole


class _GroupDelegate(QStyledItemDelegate):
    """Paints a group: a tick box, a row of small pictures, and the words of the item below them.

    Pictures are scaled when they come into sight, so that a list of thousands of groups opens at once.
    """

    def __init__(self, pictures: Pictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._pixmaps: dict[int, QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(TICK_WIDTH_PX + 4 * (PICTURE_PX + GAP_PX), PICTURE_PX + WORDS_HEIGHT_PX + 3 * GAP_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        words = QStyleOptionViewItem(option)
        words.rect = option.rect.adjusted(GAP_PX, PICTURE_PX + GAP_PX, 0, 0)
        words.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        super().paint(painter, words, index)  # the tick box and the words, as the style draws them
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(option.palette.highlight().color(), 2))
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), CORNER_PX, CORNER_PX)
            painter.setPen(option.palette.text().color())
        group: Sequence[int] = index.data(GROUP_ROLE)
        left, top = option.rect.left() + TICK_WIDTH_PX, option.rect.top() + GAP_PX
        room = max(1, (option.rect.width() - TICK_WIDTH_PX) // (PICTURE_PX + GAP_PX))
        shown = group if len(group) <= room else group[: room - 1]
        for photo in shown:
            painter.drawPixmap(QRect(left, top, PICTURE_PX, PICTURE_PX), self._pixmap(photo))
            left += PICTURE_PX + GAP_PX
        if len(shown) < len(group):
            more = tr("+{count}", count=len(group) - len(shown))
            painter.drawText(QRect(left, top, PICTURE_PX, PICTURE_PX), Qt.AlignmentFlag.AlignCenter, more)

    def _pixmap(self, photo: int) -> QPixmap:
        if photo not in self._pixmaps:
            while len(self._pixmaps) >= MOST_PIXMAPS:
                del self._pixmaps[next(iter(self._pixmaps))]
            self._pixmaps[photo] = square_picture(self._pictures.image(photo), PICTURE_PX)
        return self._pixmaps[photo]


class NearDuplicateGroups(QDialog):
    """Shows all groups ticked, and calls `answer` with those that the user leaves ticked; closing it stacks nothing."""

    def __init__(
        self,
        parent: QWidget,
        document: Document,
        groups: Groups,
        pictures: Pictures,
        answer: Callable[[Groups], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Stack near-duplicates"))
        self._groups, self._answer = list(groups), answer
        self.list = named(QListWidget(), tr("Groups of near-duplicates"))
        self.list.setItemDelegate(_GroupDelegate(pictures, self.list))
        self.list.setUniformItemSizes(True)
        for group in self._groups:
            self.list.addItem(_item(document, group))
        self.list.itemChanged.connect(self._count)
        if self._groups:
            self.list.setCurrentRow(0)
        headline = QLabel(trn("{count} group of near-duplicates", "{count} groups of near-duplicates", len(groups)))
        headline.setProperty("role", "heading")
        words = tr(
            "A stack takes one cell and shows its first photo. Untick groups whose photos you want to see one by one."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 16)
        column.setSpacing(12)
        for widget in (headline, muted(words, wrap=True), self.list, self._buttons()):
            column.addWidget(widget)
        room = parent.size()
        self.resize(min(640, room.width() - 40), min(620, room.height() - 30))
        self._count()

    def _buttons(self) -> QWidget:
        role = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        self.stack_button = QPushButton()
        self.stack_button.setProperty("primary", True)
        self.stack_button.setDefault(True)
        self.stack_button.clicked.connect(self._stack)
        self.tick_button = named(QPushButton(tr("Untick all")), tr("Untick all"))
        self.tick_button.setAutoDefault(False)
        self.tick_button.clicked.connect(self._tick_or_untick)
        box.addButton(self.stack_button, role.AcceptRole)
        box.addButton(self.tick_button, role.ActionRole)
        box.addButton(QDialogButtonBox.StandardButton.Cancel)
        box.rejected.connect(self.reject)
        return box

    @property
    def ticked(self) -> list[Sequence[int]]:
        """The groups that are to be stacked."""
        rows = range(self.list.count())
        return [self._groups[row] for row in rows if self.list.item(row).checkState() == Qt.CheckState.Checked]

    def _count(self) -> None:
        count = len(self.ticked)
        words = trn("Stack {count} group", "Stack {count} groups", count)
        self.stack_button.setText(words)
        self.stack_button.setAccessibleName(words)
        self.stack_button.setEnabled(count > 0)
        self.tick_button.setText(tr("Untick all") if count else tr("Tick all"))
        self.tick_button.setAccessibleName(self.tick_button.text())

    def _tick_or_untick(self) -> None:
        state = Qt.CheckState.Unchecked if self.ticked else Qt.CheckState.Checked
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            self.list.item(row).setCheckState(state)
        self.list.blockSignals(False)
        self.list.viewport().update()
        self._count()

    def _stack(self) -> None:
        chosen = self.ticked
        self.accept()
        self._answer(chosen)


def _item(document: Document, group: Sequence[int]) -> QListWidgetItem:
    names = [undirected(document.album.photos[photo].name.rsplit("/", 1)[-1]) for photo in group]
    words = trn("{count} photo: {names}", "{count} photos: {names}", len(group), names=", ".join(names))
    item = QListWidgetItem(words)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked)
    item.setData(GROUP_ROLE, tuple(group))
    item.setToolTip("\n".join(names))
    return item
