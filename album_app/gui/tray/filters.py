"""What narrows the list of the tray: sections, words, columns of values, months; and where to pin what was found."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.errors import UsageError
from album_app.gui.controls.input import SheetUndo
from album_app.gui.controls.sections import ChoiceBox, IconChoiceBox, button, muted, set_role
from album_app.gui.state.photo_words import PhotoFacets
from album_app.gui.style.design import ROOM
from album_app.gui.style.wording import literal
from album_app.gui.tray.model import ALL, EXCLUDED, SECTIONS, SKIPPED, STACKED, UNPLACED, Picked
from album_app.language import begun, day_in, number, tr
from album_app.layout.evaluation.suggest import PLACES
from album_app.layout.project.document import Counts
from album_app.photos.album import Photo
from album_app.photos.facets import Facet, Flags

SIGNS_OF_PLACES = ("↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘")
SIDE_PX = 44
"""Width and height of a button."""
SELECTED_CELL = "cell"
"""Stands for the selected cell among the places."""


class PlaceChooser(QFrame):
    """A popup that asks for a place on the sheet; arrow keys move between the places.

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
            button = QPushButton(SIGNS_OF_PLACES[k])
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


MOST_VALUES = 400
"""The most values of a column that are listed; of more, the most frequent are."""
TYPING_MS = 250
"""Milliseconds from the last key to filtering by a range."""
NO_LABEL = "\0"
"""Stands in the list of values for photos without a value."""


@dataclass(frozen=True)
class Wish:
    """What photos must have in a column: a value, or a range whose ends may be open."""

    label: str | None = None
    low: str = ""
    high: str = ""

    def words(self, title: str) -> str:
        if self.label is not None:
            return f"{title}: {self.label or tr('not known')}"
        return f"{title}: {self.low}–{self.high}"


Month = tuple[int, int]
"""Year and month."""

ONLY_IF_ANY = (STACKED, EXCLUDED)
"""Sections whose buttons are hidden while there is nothing to list."""
MOST_IN_A_ROW = 3
"""The most section buttons side by side; more stand in rows of two."""


class SectionBar(QFrame):
    """A button for each section of the tray, with the number of its photos.

    Signals:
        chosen(str): the photos of this section are to be listed
    """

    chosen = Signal(str)

    def __init__(self, width: int) -> None:
        super().__init__()
        self.setObjectName("segments")
        self.buttons: dict[str, QPushButton] = {}
        self._room = width
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2, 2, 2, 2)
        self._grid.setSpacing(0)
        group = QButtonGroup(self)
        for section in SECTIONS:
            made = QPushButton(self)
            made.setCheckable(True)
            made.clicked.connect(lambda checked=False, section=section: self.chosen.emit(section))
            group.addButton(made)
            self.buttons[section] = made
        self.buttons[ALL].setChecked(True)
        self._hidden: Collection[str] = ()
        self._in_one_row = True
        self._place(hidden=set(ONLY_IF_ANY))

    def show_counts(self, counts: Counts, listed: str) -> None:
        """Show how many photos each section has; the button of the `listed` section is never hidden."""
        numbers = {
            ALL: counts.photos,
            UNPLACED: counts.unplaced,
            STACKED: counts.stacked,
            EXCLUDED: counts.excluded,
            SKIPPED: counts.skipped,
        }
        self._place({section for section in ONLY_IF_ANY if not numbers[section] and section != listed})
        for section, made in self.buttons.items():
            count, title = numbers[section], tr(SECTIONS[section])
            made.setText(f"{title} {number(count)}")
            made.setToolTip(made.text())
            made.setAccessibleName(
                tr("Skipped files: {listed}", listed=count)
                if section == SKIPPED
                else tr("{section} photos: {listed}", section=title, listed=count)
            )
        self._place(self._hidden)

    def fit(self, width: int) -> None:
        """Place the buttons anew for a tray of this width."""
        self._room = width
        self._place(self._hidden)

    def _place(self, hidden: Collection[str]) -> None:
        """Place the buttons side by side if their words fit, or in rows of two; move nothing without need."""
        shown = [made for section, made in self.buttons.items() if section not in hidden]
        words = sum(made.sizeHint().width() for made in shown)
        in_one_row = len(shown) <= MOST_IN_A_ROW and words <= self._room - 2 * ROOM
        if hidden == self._hidden and in_one_row == self._in_one_row:
            return
        self._hidden, self._in_one_row = hidden, in_one_row
        for section, made in self.buttons.items():
            made.setVisible(section not in hidden)
        for place, made in enumerate(shown):
            self._grid.addWidget(made, *((0, place) if in_one_row else divmod(place, 2)))


class FacetBar(QFrame):
    """Lets the user choose a column and a wish about it; photos have to fulfil the wishes about all columns.

    Signals:
        changed(): other photos fulfil the wishes
        alone_wanted(): the sheet is to show nothing but the listed photos
    """

    changed = Signal()
    alone_wanted = Signal()

    def __init__(self, facets: PhotoFacets) -> None:
        super().__init__()
        self._facets = facets
        self._wishes: dict[str, Wish] = {}
        self.picked: Picked | None = None
        self.columns = ChoiceBox()
        self.columns.setAccessibleName(tr("Column to filter by"))
        self.columns.setToolTip(tr("Filter by folder, keyword or a column of the table"))
        self.values = ChoiceBox()
        self.values.setAccessibleName(tr("Value to filter by"))
        self.low, self.high = QLineEdit(), QLineEdit()
        self.low.setAccessibleName(tr("From"))
        self.high.setAccessibleName(tr("To"))
        self._dash = muted("–")
        self._words = QLabel()
        self._words.setProperty("role", "muted")
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.alone = button(tr("Only these"), self.alone_wanted.emit, tr("Show nothing but these photos on the sheet"))
        self.clear_button = QToolButton()
        self.clear_button.setObjectName("closeButton")
        self.clear_button.setAccessibleName(tr("Filter by no column"))
        self.clear_button.setToolTip(tr("Filter by no column"))
        self._typing = QTimer(self, interval=TYPING_MS, singleShot=True)
        self._build()
        self.columns.activated.connect(self._show_column)
        self.values.activated.connect(self._on_value)
        for end in (self.low, self.high):
            SheetUndo(end)
            end.textEdited.connect(lambda text: self._typing.start())
        self._typing.timeout.connect(self._on_range)
        self.clear_button.clicked.connect(lambda checked=False: self.clear())
        facets.changed.connect(self._follow)
        self._follow()

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for box in (self.columns, self.values):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        grid.addWidget(self.columns, 0, 0)
        wanted = QWidget()
        across = QHBoxLayout(wanted)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(4)
        for widget in (self.values, self.low, self._dash, self.high):
            across.addWidget(widget, 0 if widget is self._dash else 1)
            widget.setMinimumWidth(0)
        grid.addWidget(wanted, 0, 1)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)  # a value is followed by its number of photos
        self._line = QWidget()
        line = QHBoxLayout(self._line)
        line.setContentsMargins(2, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self._words, 1)
        line.addWidget(self.clear_button)
        grid.addWidget(self._line, 1, 0, 1, 2)
        grid.addWidget(self.alone, 2, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    @Slot()
    def _follow(self) -> None:
        """Offer the columns of the album; wishes about other columns are forgotten."""
        facets, chosen = self._facets.facets, self.columns.currentData()
        self.columns.clear()
        for key, facet in facets.items():
            self.columns.addItem(literal(facet.title), key)
        self.columns.show_value(chosen if chosen in facets else next(iter(facets), None))
        self._wishes = {key: wish for key, wish in self._wishes.items() if key in facets}
        self.setVisible(bool(facets))
        self._show_column()
        self._pick()

    @property
    def _facet(self) -> "Facet | None":
        return self._facets.facets.get(self.columns.currentData())

    @Slot()
    def _show_column(self) -> None:
        """Show the controls for a column, with the wish about it."""
        facet = self._facet
        is_range = facet is not None and facet.is_range
        self.values.setVisible(not is_range)
        for widget in (self.low, self._dash, self.high):
            widget.setVisible(is_range)
        if facet is None:
            return
        wish = self._wishes.get(facet.key, Wish())
        if is_range:
            for end, text, known in zip((self.low, self.high), (wish.low, wish.high), facet.words, strict=True):
                end.setText(text)
                end.setPlaceholderText(known)
        else:
            self._fill_values(facet)
            self.values.show_value(NO_LABEL if wish.label == "" else wish.label)

    def _fill_values(self, facet: "Facet") -> None:
        counts = facet.counts
        common = sorted(np.argsort(-counts, kind="stable")[:MOST_VALUES].tolist())
        self.values.clear()
        self.values.addItem(tr("All"), None)
        for label in common:
            words = facet.labels[label]
            self.values.addItem(literal(f"{words} ({number(int(counts[label]))})"), words)
        without = int((~facet.known).sum())
        if without:
            self.values.addItem(f"{tr('not known')} ({number(without)})", NO_LABEL)

    @Slot(int)
    def _on_value(self, place: int) -> None:
        value = self.values.itemData(place)
        self._wish(None if value is None else Wish("" if value == NO_LABEL else value))

    @Slot()
    def _on_range(self) -> None:
        self._typing.stop()
        low, high = self.low.text().strip(), self.high.text().strip()
        self._wish(Wish(low=low, high=high) if low or high else None)

    def _wish(self, wish: Wish | None) -> None:
        facet = self._facet
        if facet is None:
            return
        self._wishes.pop(facet.key, None)
        if wish is not None:
            self._wishes[facet.key] = wish
        self._pick()

    def choose(self, key: str, wish: Wish | None) -> None:
        """Set the wish about a column, and show the column; nothing happens if the album lacks it."""
        if key not in self._facets.facets:
            return
        self.columns.show_value(key)
        self._wish(wish)
        self._show_column()

    def clear(self) -> None:
        """Forget all wishes."""
        self._wishes = {}
        self._show_column()
        self._pick()

    def _pick(self) -> None:
        """Find the photos that fulfil all wishes; the end of a range that is no value is marked and ignored."""
        facets, before = self._facets.facets, self.picked
        kept: Flags | None = None
        words = []
        wrong = False
        for key, wish in self._wishes.items():
            try:
                found = flags(facets, key, wish)
            except UsageError as error:
                wrong = True
                self.low.setToolTip(str(error))
                continue
            kept = found if kept is None else kept & found
            words.append(wish.words(facets[key].title))
        for end in (self.low, self.high):
            set_role(end, "wrong" if wrong else "")
        self.picked = None if kept is None else Picked(kept, " · ".join(words))
        self._words.setText("" if self.picked is None else self.picked.words)
        self._words.setToolTip(self._words.text())
        self._line.setVisible(bool(self._wishes))
        self.alone.setVisible(self.picked is not None)
        if self.picked is not before:
            self.changed.emit()


def flags(facets: "Mapping[str, Facet]", key: str, wish: Wish) -> "Flags":
    """For every photo whether it fulfils a wish about a column."""
    facet = facets[key]
    return facet.with_label(wish.label) if wish.label is not None else facet.between(wish.low, wish.high)


class FilterField(QLineEdit):
    """A line to type words into.

    Signals:
        left_downwards(): the focus is to go to the list
    """

    left_downwards = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Filter"))
        self.setAccessibleName(tr("Filter photos by name, caption or table, or by what they show"))
        self.setToolTip(tr("Filter photos by name, caption or table, or by what they show"))
        self.setClearButtonEnabled(True)
        SheetUndo(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_downwards.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()  # the sheet is no longer dimmed; a second Esc leaves the line
        else:
            super().keyPressEvent(event)


class MonthBox(IconChoiceBox):
    """The months of an album with their numbers of photos; hidden where there are not at least two."""

    def __init__(self) -> None:
        super().__init__("calendar")
        self._months: Counter[Month] = Counter()
        self.setAccessibleName(tr("Month of the photos"))
        self.setToolTip(tr("List the photos of one month"))
        self.hide()

    @property
    def month(self) -> Month | None:
        """The chosen month; None for all."""
        chosen: Month | None = self.currentData()
        return chosen

    def follow(self, photos: Iterable[Photo]) -> None:
        """Offer the months in which photos were taken; the chosen one stays chosen if it is among them."""
        months = Counter((photo.taken.year, photo.taken.month) for photo in photos if photo.taken is not None)
        if months == self._months:
            return
        self._months, chosen = months, self.month
        self.clear()
        self.addItem(tr("All months"), None)
        for year, month in sorted(months):
            name = day_in(date(year, month, 1), "yMMMM")
            self.addItem(f"{name} ({number(months[year, month])})", (year, month))
        self.setCurrentIndex(max(0, self.findData(chosen)) if chosen is not None else 0)
        self.setVisible(len(months) > 1)

    def reset(self) -> None:
        """List all months again."""
        self.setCurrentIndex(0)
