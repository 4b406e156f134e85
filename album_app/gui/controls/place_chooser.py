"""A small picture of a sheet whose corners, edges, middle and selected cell can be chosen as a place for photos."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from album_app.language import begun, tr
from album_app.layout.evaluation.suggest import PLACES

SIGNS = ("↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘")
SIDE_PX = 44
"""Width and height of a button."""
SELECTED_CELL = "cell"


class PlaceChooser(QFrame):
    """Pops up, asks for a place, and goes away; arrow keys move between the places.

    Signals:
        chosen(str): one of `PLACES`, or SELECTED_CELL
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("placeChooser")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Place on the sheet"))
        self._heading = QLabel(wordWrap=True)
        self.buttons: dict[str, QPushButton] = {}
        grid = QGridLayout()
        grid.setSpacing(4)
        group = QButtonGroup(self)
        for k, (place, (words, _)) in enumerate(PLACES.items()):
            button = QPushButton(SIGNS[k])
            button.setFixedSize(SIDE_PX, SIDE_PX)
            button.setAccessibleName(begun(tr(words)))
            button.setToolTip(begun(tr(words)))
            button.clicked.connect(lambda checked=False, place=place: self._choose(place))
            group.addButton(button)
            grid.addWidget(button, *divmod(k, 3))
            self.buttons[place] = button
        self.cell_button = QPushButton(tr("The selected cell"))
        self.cell_button.clicked.connect(lambda checked=False: self._choose(SELECTED_CELL))
        column = QVBoxLayout(self)
        column.addWidget(self._heading)
        column.addLayout(grid)
        column.addWidget(self.cell_button)

    def ask(self, question: str, at: QPoint, has_cell: bool) -> None:
        """Show the places at a point of the screen."""
        self._heading.setText(question)
        self.cell_button.setVisible(has_cell)
        self.adjustSize()
        room = self.screen().availableGeometry()
        left = max(room.left(), min(at.x(), room.right() - self.width()))
        top = max(room.top(), min(at.y(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.buttons["middle"].setFocus()

    def _choose(self, place: str) -> None:
        self.hide()
        self.chosen.emit(place)
