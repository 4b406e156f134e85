"""A choice of colours: a few good ones, transparent, and any other."""

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog

from album_app.gui.controls.choice_box import ChoiceBox
from album_app.language import mark, tr

COLOURS = {
    "white": mark("White"),
    "#f4f1ea": mark("Paper"),
    "#808080": mark("Grey"),
    "#202124": mark("Charcoal"),
    "black": mark("Black"),
}
TRANSPARENT, OTHER = "transparent", "other"


class ColourBox(ChoiceBox):
    """Gives a colour name or #rrggbb, None for transparent.

    Signals:
        changed(): another colour was chosen
    """

    changed = Signal()

    def __init__(self, name: str, transparent: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setIconSize(QSize(14, 14))
        for colour, title in COLOURS.items():
            self.addItem(_swatch(colour), tr(title), colour)
        if transparent:
            self.addItem(tr("Transparent"), TRANSPARENT)
        self.addItem(tr("Other…"), OTHER)
        self._last = 0
        self.activated.connect(self._on_chosen)

    @property
    def colour(self) -> str | None:
        value = self.currentData()
        return None if value == TRANSPARENT else str(value)

    def set_colour(self, colour: str | None) -> None:
        """Show a colour without telling anybody."""
        place = self.findData(TRANSPARENT if colour is None else colour)
        if place < 0 and colour is not None:
            place = self.count() - 1
            self.insertItem(place, _swatch(colour), colour, colour)
        self.setCurrentIndex(max(0, place))
        self._last = self.currentIndex()

    @Slot(int)
    def _on_chosen(self, index: int) -> None:
        if self.itemData(index) != OTHER:
            self._last = index
            self.changed.emit()
            return
        dialog = QColorDialog(self)
        dialog.colorSelected.connect(self._on_other)
        dialog.rejected.connect(lambda: self.setCurrentIndex(self._last))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(QColor)
    def _on_other(self, colour: QColor) -> None:
        self.set_colour(colour.name())
        self.changed.emit()


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(28, 28)
    picture.fill(QColor("#8a8a8a"))
    with QPainter(picture) as painter:
        painter.fillRect(2, 2, 24, 24, QColor(colour))
    return QIcon(picture)
