"""The tray: the photos of the album in a list, below sections, search and filters."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.canvas.tiles.marks import CanvasColours
from album_app.gui.controls.sections import IconChoiceBox, named
from album_app.gui.controls.sections import button as push_button
from album_app.gui.state.details import Details
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets, PhotoWords
from album_app.gui.state.pictures import Pixels
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.tray.filters import (
    SELECTED_CELL,
    FacetBar,
    FilterField,
    MonthBox,
    PlaceChooser,
    SectionBar,
)
from album_app.gui.tray.model import (
    ALL,
    EXCLUDED,
    SIMILAR,
    SKIPPED,
    STACKED,
    UNPLACED,
    TrayModel,
    section_rows,
)
from album_app.gui.tray.photo_list import TrayDelegate, TrayList
from album_app.language import mark, number, tr
from album_app.layout.editing.edits import all_again, alone
from album_app.layout.project.document import Document, not_photos
from album_app.photos.album import Photo

if TYPE_CHECKING:
    from album_app.photos.find import Found


@dataclass(frozen=True)
class Ranking:
    """Photos in a special order, such as by likeness; the first `marked` are not dimmed on the sheet."""

    title: str
    photos: tuple[int, ...]
    marked: int
    like: tuple[int, ...] = ()
    unlike: tuple[int, ...] = ()
    count: int | None = None  # how many photos are listed, if the user can choose that

    @property
    def listed(self) -> tuple[int, ...]:
        return self.photos[: self.count]


def _nothing_found(text: str) -> str:
    """A sentence that no photo has this name, with known words that are similar."""
    from album_app.photos.classes import nearest_words, word_for

    sentence = tr("Nothing is called “{name}”.", name=text)
    nearest = nearest_words(text) if word_for(text) is None else []
    return f"{sentence} {tr('Known words: {words}.', words=', '.join(nearest))}" if nearest else sentence


FILTER_MS = 80
"""Milliseconds from the last key to filtering."""
NAME, DATE, LIKENESS = "name", "date", "likeness"
ORDERS = {NAME: mark("Name"), DATE: mark("Date"), LIKENESS: mark("Likeness")}
IN_ROWS = (UNPLACED, STACKED, EXCLUDED, SKIPPED)
"""Sections that are listed in rows with words."""


class Tray(QWidget):
    """Lists the photos, which can be dragged to the `target`. Tray and sheet have one selection.

    Signals:
        menu_requested(QPoint): a context menu is wanted at this global position, for the session's selection
        large_requested(int): a photo is to be seen large
        go_to_requested(int): a photo is to be shown on the sheet
        likeness_requested(): the photos are to be listed by likeness to the selected one
        pin_requested(str, list, object): the first photos of a list are to be pinned: its title, its photos, the place
    """

    pin_requested = Signal(str, list, object)

    likeness_requested = Signal()

    menu_requested = Signal(QPoint)
    large_requested = Signal(int)
    go_to_requested = Signal(int)

    def __init__(
        self,
        session: Session,
        photos: PhotoStore,
        details: Details,
        words: PhotoWords,
        facets: PhotoFacets,
        target: Canvas,
    ) -> None:
        super().__init__()
        self._session = session
        self._photos = photos
        self._details = details
        self._words = words
        self._shows_word: tuple[str, tuple[int, ...]] = ("", ())  # a text, and the photos that show it
        self._target = target
        self._section = ALL
        self.ranking: Ranking | None = None
        # the album whose months are offered, and its photos that do not count
        self._dated: tuple[tuple[Photo, ...], set[int]] | None = None
        self.setObjectName("tray")
        self.setAccessibleName(tr("Photo tray"))
        self.model = TrayModel()
        self.field = FilterField()
        self.order = IconChoiceBox("sort", {key: tr(title) for key, title in ORDERS.items()})
        self.order.setAccessibleName(tr("Order of the photos"))
        self.order.setToolTip(tr("The order in which photos are listed"))
        self._by = NAME
        self.months = MonthBox()
        self._facets = facets
        self.facet_bar = FacetBar(facets)
        self.list = TrayList(session, self.model, target, self)
        self._delegate = TrayDelegate(photos, CanvasColours.from_palette(theme.current()), self.list)
        self.list.setItemDelegate(self._delegate)
        self.empty_note = QLabel()
        self.empty_note.setProperty("role", "muted")
        self.empty_note.setWordWrap(True)
        self._sections = SectionBar(self.width())
        self.section_buttons = self._sections.buttons
        self._build()
        self._listen()
        self.list.show_in_rows(False)
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 0, 0)
        column.setSpacing(8)
        inset = QVBoxLayout()
        inset.setContentsMargins(0, 0, 10, 0)
        inset.addWidget(self._sections)
        inset.addWidget(self._similar_bar())
        inset.addWidget(self._filter_bar())
        inset.addWidget(self.facet_bar)
        inset.addWidget(self._alone_bar())
        inset.addLayout(self._hits_line())
        column.addLayout(inset)
        column.addWidget(self.list, 1)
        bar = self.facet_bar
        facets = (bar.columns, bar.values, bar.low, bar.high, bar.alone, bar.clear_button, self.all_again)
        stops = [*self.section_buttons.values(), self.field, self.order, self.months, *facets]
        stops += [self.pin_button, self.list]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _hits_line(self) -> QHBoxLayout:
        """How many photos were found, and a button that pins the best of them."""
        hint = tr("Pin the first photos of this list to a corner, an edge, the middle or a cell")
        self.pin_button = push_button(tr("Pin to…"), self.ask_place, hint)
        self.places = PlaceChooser(self)
        self.places.chosen.connect(self._pin_found)
        across = QHBoxLayout()
        across.addWidget(self.empty_note, 1)
        across.addWidget(self.pin_button, 0, Qt.AlignmentFlag.AlignRight)
        return across

    def _filter_bar(self) -> QWidget:
        """The filter across the whole width, with the order and the months as icons at its end."""
        bar = QFrame()
        bar.setObjectName("filterBar")
        across = QHBoxLayout(bar)
        across.setContentsMargins(1, 1, 1, 1)
        across.setSpacing(0)
        across.addWidget(self.field, 1)
        across.addWidget(self.order)
        across.addWidget(self.months)
        return bar

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sections.fit(self.width())

    def _similar_bar(self) -> QWidget:
        self._bar = QWidget()
        across = QHBoxLayout(self._bar)
        across.setContentsMargins(2, 0, 0, 0)
        self._bar_text = QLabel()
        self._bar_text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long name is cut off
        back = QToolButton()
        back.setObjectName("closeButton")
        back.setAccessibleName(tr("Back to all photos"))
        back.setToolTip(tr("Back to all photos"))
        back.clicked.connect(lambda checked=False: self.show_section(ALL))
        self.count = named(QSpinBox(minimum=1), tr("Number of photos that are listed"))
        self.count.setToolTip(self.count.accessibleName())
        self.count.valueChanged.connect(self._list_other_count)
        across.addWidget(self._bar_text, 1)
        across.addWidget(self.count)
        across.addWidget(back)
        self._bar.hide()
        return self._bar

    def _alone_bar(self) -> QWidget:
        """What the sheet shows alone, and a button to show all photos again."""
        self._alone = QWidget()
        across = QHBoxLayout(self._alone)
        across.setContentsMargins(2, 0, 0, 0)
        self._alone_words = QLabel()
        self._alone_words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.all_again = push_button(
            tr("All photos"), self.show_all_again, tr("Show all photos on the sheet again, as before")
        )
        across.addWidget(self._alone_words, 1)
        across.addWidget(self.all_again)
        self._alone.hide()
        return self._alone

    def show_alone(self) -> None:
        """Have the sheet show nothing but the listed photos; they keep being listed."""
        document, picked = self._session.document, self.facet_bar.picked
        if document is None:
            return
        if self._filtering.isActive():
            self._filtering.stop()
            self.relist()
        typed = self.field.text().strip()
        words = " · ".join(filter(None, (typed, "" if picked is None else picked.words)))
        if not words and self.months.month is None:
            self._session.tell(tr("Filter the photos first: the sheet then shows only those."))
            return
        title = words or self.months.currentText()
        if self._session.edit(alone, title, [row for row in self.model.rows if row >= 0]):
            self.field.clear()
            self.months.reset()
            self.facet_bar.clear()
            self.relist()

    @Slot()
    def show_all_again(self) -> None:
        """Have the sheet show all photos, as before some were shown alone."""
        self._session.edit(all_again)

    def _listen(self) -> None:
        self._filtering = QTimer(self, interval=FILTER_MS, singleShot=True)
        self._filtering.timeout.connect(self._search)
        self._sections.chosen.connect(self.show_section)
        self._words.found.connect(self._found)
        self._words.searching_changed.connect(self._follow_search)
        self.field.textChanged.connect(lambda text: self._filtering.start())
        self.field.left_downwards.connect(self._go_to_first)
        self.months.activated.connect(lambda place: self.relist())
        self.facet_bar.changed.connect(self.relist)
        self._facets.changed.connect(self._follow_lines)
        self.facet_bar.alone_wanted.connect(self.show_alone)
        self.order.activated.connect(lambda place: self.sort_by(self.order.itemData(place)))
        session = self._session
        session.destroyed.connect(self._filtering.stop)
        session.opened.connect(self._opened)
        session.document_changed.connect(self.refresh)
        session.layout_changed.connect(self.refresh)
        self._photos.pictures_changed.connect(self._pictures_changed)
        self._photos.foci_changed.connect(self._pictures_changed)
        self.list.coarse_seen.connect(self._details.request)
        self._details.arrived.connect(self._sharper_arrived)
        session.selection_changed.connect(self._follow_selection)
        self.list.chosen.connect(self._chosen)
        self.list.menu_requested.connect(self.menu_requested)
        self.list.large_requested.connect(self.large_requested)
        self.list.go_to_requested.connect(self.go_to_requested)

    @Slot(str)
    def show_section(self, section: str) -> None:
        """List the photos of a section."""
        self._section, self.ranking = section, None
        self.section_buttons[section].setChecked(True)
        self._bar.hide()
        self._tell_order(self._by)
        self.list.show_in_rows(section in IN_ROWS)
        self.refresh()

    def sort_by(self, order: str) -> None:
        """List photos by name, by date, or by likeness to the selected one."""
        if order != LIKENESS:
            self._by = order
            self.show_section(ALL if self._section == SIMILAR else self._section)
        elif self._session.current is not None:
            self.likeness_requested.emit()
        else:
            self._session.tell(tr("Select a photo first: the others are listed by their likeness to it."))
            self._tell_order(self._by)

    def _tell_order(self, order: str) -> None:
        self.order.show_value(order)

    def show_ranking(self, ranking: Ranking) -> None:
        """List photos in a special order, with a button to list all again."""
        document = self._session.document
        if document is not None and all(photo < len(document.album) for photo in ranking.like):
            self._section, self.ranking = SIMILAR, ranking
            self._bar_text.setText(ranking.title)
            self._bar_text.setToolTip(ranking.title)
            self.count.setVisible(ranking.count is not None)
            self.count.setMaximum(max(1, len(ranking.photos)))
            self.count.setValue(ranking.count or 1)
            self._bar.show()
            self._tell_order(LIKENESS if ranking.like else self._by)
            self.field.clear()
            self.list.show_in_rows(False)
            self.refresh()
            self.list.scrollToTop()

    @Slot(int)
    def _list_other_count(self, count: int) -> None:
        if self.ranking is not None and self.ranking.count is not None and self.ranking.count != count:
            self.ranking = replace(self.ranking, count=count, marked=count)
            self.relist()

    @property
    def to_pin(self) -> tuple[str, list[int]]:
        """The list in words, and its photos, the best first; "" and no photos for a plain list."""
        text = self.field.text().strip()
        if text:
            shows = self._shows_word[1] if self._shows_word[0] == text else ()
            return tr("“{name}”", name=text), list(shows) or [row for row in self.model.rows if row >= 0]
        if self.ranking is not None:
            return self.ranking.title, list(self.ranking.listed)
        return "", []

    def ask_place(self) -> None:
        """Ask where the first photos of the list are to be pinned."""
        what, photos = self.to_pin
        if photos:
            below = self.pin_button.mapToGlobal(QPoint(0, self.pin_button.height() + 4))
            self.places.ask(tr("Pin {what} to…", what=what), below, self._session.cell is not None)

    @Slot(str)
    def _pin_found(self, place: str) -> None:
        at = self._session.cell if place == SELECTED_CELL else place
        if at is not None:
            self.pin_requested.emit(*self.to_pin, at)

    def set_colours(self, colours: CanvasColours) -> None:
        """Dress for another theme."""
        self._delegate.set_colours(colours)
        self.list.viewport().update()

    @Slot()
    def _opened(self) -> None:
        self._delegate.thumbnails.forget()
        self.field.clear()
        self.months.reset()
        self.facet_bar.clear()
        self.show_section(ALL)

    @Slot()
    def refresh(self) -> None:
        """Read the document again."""
        document = self._session.document
        count = 0 if document is None else len(document.album)
        if self.ranking is not None:
            if any(photo >= count for photo in self.ranking.like):
                self.show_section(ALL)
                return
            self.ranking = replace(self.ranking, photos=tuple(photo for photo in self.ranking.photos if photo < count))
        self._follow_months(document)
        alone_now = "" if document is None else document.alone
        self._alone.setVisible(bool(alone_now))
        self._alone_words.setText(tr("Only {view}", view=alone_now))
        self._alone_words.setToolTip(self._alone_words.text())
        self._sections.show_counts(self._photos.counts(), self._section)
        self.relist()

    def _follow_months(self, document: Document | None) -> None:
        """Offer the months of the photos, which are counted again only if other photos belong to the album."""
        damaged = self._photos.pictures.damaged
        gone: set[int] = set() if document is None else not_photos(document, damaged) | document.excluded
        photos = () if document is None else document.album.photos
        if self._dated is None or self._dated[0] is not photos or self._dated[1] != gone:
            self._dated = photos, gone
            self.months.follow(photo for place, photo in enumerate(photos) if place not in gone)

    @Slot()
    def relist(self) -> None:
        """List the photos of the section that words, month and columns leave."""
        pictures, month = self._photos.pictures, self.months.month
        words, by_date = self.field.text(), self._by == DATE
        self.model.show(
            *(self._session.document, self._section, words, () if self.ranking is None else self.ranking.listed),
            *(pictures.damaged, pictures.flaws, by_date, month),
            showing=self._shows_word[1] if self._shows_word[0] == words.strip() else (),
            picked=self.facet_bar.picked,
        )
        self._show_hits()
        self._tell_if_empty()
        self._follow_selection()

    @Slot()
    def _follow_lines(self) -> None:
        """Look for words in the values of another table, too."""
        self.model.lines = self._facets.photos
        self.relist()

    @Slot()
    def _search(self) -> None:
        """List the photos with the words in name, caption or table, and search for photos that show what they name."""
        self.relist()
        if self.field.text().strip():
            self.list.scrollToTop()
        self._words.search(self.field.text().strip())

    @property
    def _still_looks(self) -> bool:
        """Whether nothing was found yet and the search goes on."""
        return self._words.is_searching and not self.model.rows and bool(self.field.text().strip())

    @Slot()
    def _follow_search(self) -> None:
        self._show_hits()
        self._tell_if_empty()

    @Slot(str, object)
    def _found(self, text: str, found: "Found") -> None:
        is_first = self._shows_word[0] != text  # later parts leave the list where the user has scrolled it
        self._shows_word = text, tuple(hit.photo for hit in found.hits)
        if text == self.field.text().strip():
            self.relist()
            if is_first:
                self.list.scrollToTop()

    def all_to_select(self) -> list[int]:
        """The photos for "Select all": those listed if a filter is set or the focus is in the tray, else all."""
        if self._filtering.isActive():
            self._filtering.stop()
            self.relist()
        here = self.isAncestorOf(self.window().focusWidget())
        if here or self.is_filtered:
            rows = self.model.rows
        else:
            rows = section_rows(self._session.document, ALL, self._photos.pictures.damaged)
        return [row for row in rows if row >= 0]

    @property
    def is_filtered(self) -> bool:
        """Whether words, a month or a column narrow the list."""
        chosen = self.months.month is not None or self.facet_bar.picked is not None
        return chosen or bool(self.field.text().strip())

    def _show_hits(self) -> None:
        """Dim all photos on the sheet but those found; for a photo in a stack, the stack is not dimmed."""
        document = self._session.document
        filtered, photos = self.is_filtered, self.model.rows
        if not filtered and self.ranking is not None:
            filtered, photos = True, self.ranking.listed[: self.ranking.marked]
        narrowed = self.months.month is not None or self.facet_bar.picked is not None
        if self._still_looks and narrowed:
            photos = self.model.before_words
        if document is None or not filtered or self._section == SKIPPED or (self._still_looks and not narrowed):
            self._target.set_highlight(None)
        else:
            covered = document.covered
            self._target.set_highlight(covered.get(photo, photo) for photo in photos if photo >= 0)

    @Slot()
    def _go_to_first(self) -> None:
        """Move the focus from the words to the first photo that they found, and select it."""
        self._filtering.stop()
        self.relist()
        if self.model.rows:
            self.list.setFocus()
            self.list.setCurrentIndex(self.model.index(0))

    def _tell_if_empty(self) -> None:
        nothing = {
            UNPLACED: tr("Every photo has a cell."),
            STACKED: tr("No photo lies in a stack."),
            EXCLUDED: tr("No photo is excluded."),
            SKIPPED: tr("Every file could be read."),
        }.get(self.model.section, tr("No photo to show."))
        if self.months.month is not None:
            nothing = tr("No photo of that month.")
        typed, picked = self.field.text().strip(), self.facet_bar.picked is not None
        filtered, ranked = bool(typed) or picked, self.ranking is not None
        if filtered and self.model.rows:
            everything = self.model.unfiltered if typed else self._photos.counts().photos
            nothing = tr("{found} of {all}", found=number(len(self.model.rows)), all=number(everything))
            if typed and self._words.is_searching:
                nothing += f" · {tr('Looking for “{name}” in the photos…', name=typed)}"
        elif ranked and self.model.rows:
            all_photos = number(self._photos.counts().photos)
            nothing = tr("{found} of {all}", found=number(len(self.model.rows)), all=all_photos)
        elif self._still_looks:
            nothing = tr("Looking for “{name}” in the photos…", name=typed)
        elif typed:
            nothing = _nothing_found(typed)
        elif picked:
            nothing = tr("No photo has these values.")
        self.empty_note.setText(nothing)
        self.empty_note.setVisible(filtered or ranked or not self.model.rows)
        self.pin_button.setVisible(bool(self.model.rows) and (filtered or ranked))

    @Slot(list)
    def _pictures_changed(self, photos: list[int]) -> None:
        self._delegate.thumbnails.forget(set(photos))
        pictures = self._photos.pictures
        if not (pictures.damaged.keys() | pictures.flaws.keys()).isdisjoint(photos):
            self.refresh()
        if self.list.shows_any(photos):
            self.list.viewport().update()

    @Slot(object)
    def _sharper_arrived(self, pixels: dict[int, Pixels]) -> None:
        self._delegate.thumbnails.sharpen(pixels)
        self.list.viewport().update()

    @Slot()
    def _follow_selection(self) -> None:
        self.list.follow(self._session.selected)

    @Slot(list)
    def _chosen(self, photos: list[int]) -> None:
        document = self._session.document
        layout = None if document is None else document.layout
        cell = layout.cell_of(photos[-1]) if layout is not None and photos else None
        stays = cell is None or self._session.on_empty_cell  # where the photo could be pinned
        self._session.select(photos, self._session.cell if stays else cell)
