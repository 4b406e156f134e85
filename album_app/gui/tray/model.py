"""The photos of the tray as a Qt model, filtered, ordered and found by words."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    QTimer,
)

from album_app.file_names import undirected
from album_app.gui.style.wording import place_words
from album_app.language import begun, mark, shown, tr
from album_app.layout.project.document import Document, excluded_photos, in_album, in_stacks, unplaced, unusable
from album_app.photos.album import Album, Photo
from album_app.photos.facets import Flags
from album_app.photos.time_order import in_time_order

NAMES_PER_STEP = 4000
"""Names that are prepared for the search between two pauses."""
PAUSE_MS = 10
"""Milliseconds of a pause, in which the window handles events."""
END, FOUND = b"\xff", b"\xfe"
"""The byte after each name, and the byte before each word that was found; UTF-8 text contains neither."""


def folded(text: str) -> str:
    """A text without case and accents, so that "malaga" and "Málaga" are equal, however the accent is encoded."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign)).casefold()


class NameSearch(QObject):
    """Finds photos by their names, their captions and what a table says about them.

    These words are prepared step by step, because those of 100,000 photos would stop the window.

    Photos come first, then skipped files from the last to the first, so that index -1 is the first skipped file.
    """

    def __init__(self, parent: QObject, names_per_step: int = NAMES_PER_STEP) -> None:
        super().__init__(parent)
        self._names_per_step = names_per_step
        self._known: tuple[Album, Mapping[int, str], Sequence[Photo]] | None = None
        self._text = b""
        self._left: Iterator[str] = iter(())
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._read_few)

    def follow(self, album: Album, captions: Mapping[int, str] | None = None, lines: Sequence[Photo] = ()) -> None:
        """Prepare the words of this album, some at a time; `lines` are its photos with their lines of a table."""
        captions = captions or {}
        known = self._known
        same = known is not None and known[0] is album and known[1] == captions and known[2] is lines
        if not same:
            self._known, self._text = (album, captions, lines), b""
            photos = lines if len(lines) == len(album) else album.photos
            skipped = (file.name for file in reversed(album.skipped))
            self._left = chain((_words_of(photo, captions.get(k, "")) for k, photo in enumerate(photos)), skipped)
            self._timer.start()

    @property
    def is_ready(self) -> bool:
        """Whether all names of the album are prepared."""
        return not self._timer.isActive()

    def with_words(self, album: Album, words: Sequence[str]) -> NDArray[np.bool_]:
        """For every photo whether its words contain all these, without case and accents: (photos + skipped files,)."""
        if self._known is None or self._known[0] is not album:
            self.follow(album)
        while not self.is_ready:
            self._read_few()
        found = np.ones(len(album) + len(album.skipped), bool)
        for word in words:
            found &= self._with_word(word)
        return found

    def _read_few(self) -> None:
        names = list(islice(self._left, self._names_per_step))
        if names:
            text = folded("\0".join([*names, ""]))  # no name contains a NUL
            self._text += text.encode("utf-8", "surrogatepass").replace(b"\0", END)
        else:
            self._timer.stop()

    def _with_word(self, word: str) -> NDArray[np.bool_]:
        sought = folded(word).encode("utf-8", "surrogatepass")
        if not sought:
            return np.ones(self._text.count(END), bool)
        marked = np.frombuffer(self._text.replace(sought, FOUND + sought[1:]), np.uint8)
        signs = np.concatenate([np.frombuffer(END, np.uint8), marked[marked >= FOUND[0]]])
        ends = np.flatnonzero(signs[1:] == END[0])
        found: NDArray[np.bool_] = signs[ends] == FOUND[0]
        return found


def _words_of(photo: Photo, caption: str) -> str:
    """Everything that a photo is found by, on lines of their own, so that no word is found across two of them."""
    notes = photo.metadata
    if not (caption or notes.title or notes.description or notes.keywords or notes.row.values):
        return photo.name
    said = photo.name, caption or notes.title, notes.description, *notes.keywords, *notes.row.values
    return "\n".join(filter(None, said)).replace("\0", " ")


ALL, UNPLACED, STACKED = "all", "unplaced", "stacked"
EXCLUDED, SKIPPED, SIMILAR = "excluded", "skipped", "similar"
SECTIONS = {
    ALL: mark("All"),
    UNPLACED: mark("Unplaced"),
    STACKED: mark("In stacks"),
    EXCLUDED: mark("Excluded"),
    SKIPPED: mark("Skipped"),
}
Index = QModelIndex | QPersistentModelIndex

Faults = Mapping[int, str]
"""Photos that turned out to have no picture in them, each with the reason."""

LINE_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Line:
    """What one entry of the tray shows."""

    photo: int | None  # None for a file that was skipped
    title: str
    detail: str = ""
    other: int | None = None  # the photo that this one resembles
    pinned: bool = False
    off: bool = False  # not on the sheet
    caption: str = ""


def section_rows(document: Document | None, section: str, damaged: Faults) -> Sequence[int]:
    """The photos of a section; skipped files are -1, -2, ... by their order, damaged and missing ones after them."""
    if document is None:
        return []
    if section == SKIPPED:
        return [*range(-1, -len(document.album.skipped) - 1, -1), *unusable(document, damaged)]
    if section == UNPLACED:
        return unplaced(document, damaged)
    if section == STACKED:
        return in_stacks(document, damaged)
    if section == EXCLUDED:
        return excluded_photos(document, damaged)
    return in_album(document, damaged)


def line_for(document: Document, row: int, damaged: Faults, flaws: Faults) -> Line:
    """The line for a row of a section: where its photo is, or why it is not on the sheet."""
    if row < 0:
        skipped = document.album.skipped[-row - 1]
        return Line(None, undirected(skipped.name), shown(skipped.reason), off=True)
    photo, layout = document.album.photos[row], document.layout
    cell = None if layout is None else layout.cell_of(row)
    other = None if layout is None else layout.resembles.get(row)
    if row in document.missing:
        detail = tr("File not found")
    elif row in damaged:
        detail = shown(damaged[row])
    elif row in document.aside:
        detail = tr("Not in “{view}”, which the sheet shows alone", view=document.alone)
    elif row in document.excluded:
        detail = tr("You excluded it")
    elif cell is not None:
        detail = begun(place_words(cell, document.shape.pages))
    elif row in document.covered:
        other = document.covered[row]
        detail = tr("Under {name}", name=document.short_name(other))
    elif other is not None:
        detail = tr("No cell left; like {name}", name=document.short_name(other))
    else:
        detail = tr("Waits for a cell")
    flaw = flaws.get(row, photo.damage)
    if flaw and row not in damaged:
        detail = f"{detail} · {shown(flaw)}"
    name, caption = undirected(photo.name), undirected(document.captions.get(row, ""))
    return Line(row, name, detail, other if cell is None else None, row in document.pins, cell is None, caption)


@dataclass(frozen=True, eq=False)
class Picked:
    """The photos that fulfil all wishes about columns, and the wishes in words."""

    photos: Flags
    words: str


Wanted = tuple[Document | None, str, Faults, tuple[int, ...], bool, tuple[int, int] | None, Picked | None]
"""What decides which rows there are before words narrow them: the arguments of `show` except the words."""


class TrayModel(QStringListModel):
    """The rows of one section that pass the filter.

    To Qt it is a list of empty strings, so that Qt counts rows without a call into Python. Texts are made only for the
    rows in sight.
    """

    def __init__(self) -> None:
        super().__init__()
        self.section = ALL
        self.rows: Sequence[int] = ()
        self.lines: Sequence[Photo] = ()
        """The photos of the album with their lines of a table, which words are looked for in; none without a table."""
        self._document: Document | None = None
        self._damaged: Faults = {}
        self._flaws: Faults = {}
        self._wanted: Wanted | None = None
        self._found: Sequence[int] = ()  # the rows before words narrow them
        self._found_places: NDArray[np.intp] | None = None  # `_found` as an array, made when it is needed
        self._names = NameSearch(self)
        self._dated: tuple[Album, list[int]] | None = None
        self._in_order = True  # whether rows are in the order of the album
        self._row_of: dict[int, int] | None = None  # photo -> row in another order, made when it is needed

    def show(
        self,
        document: Document | None,
        section: str,
        words: str = "",
        similar: Sequence[int] = (),
        damaged: Faults | None = None,
        flaws: Faults | None = None,
        by_date: bool = False,
        month: tuple[int, int] | None = None,
        showing: Sequence[int] = (),
        picked: Picked | None = None,
    ) -> None:
        """List the rows of a section that the words find; first the photos that are `showing` what the words name.

        If no row changes, only their texts are updated.
        """
        self.section, self._document, self._damaged = section, document, dict(damaged or {})
        self._flaws = dict(flaws or {})
        self._in_order = section in (ALL, UNPLACED, STACKED, EXCLUDED) and not by_date
        wanted = (document, section, self._damaged, tuple(similar), by_date, month, picked)
        if wanted != self._wanted:
            self._wanted, self._found, self._found_places = wanted, self._rows_of(*wanted), None
        if document is not None:
            self._names.follow(document.album, document.captions, self.lines)
        rows = self._filtered(words.split())
        if showing and words.strip():
            listed = set(self._found)
            first = dict.fromkeys(photo for photo in showing if photo in listed)
            rows = [*first, *(row for row in rows if row not in first)]
            self._in_order = False
        if rows == self.rows:
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.rows = rows
        self._row_of = None
        self._have_rows(len(rows))

    def _have_rows(self, count: int) -> None:
        """Have `count` empty strings, which Qt adds or removes without a call into Python for each."""
        self.beginResetModel()
        self.blockSignals(True)
        more = count - self.rowCount()
        if more > 0:
            self.insertRows(0, more)
        else:
            self.removeRows(0, -more)
        self.blockSignals(False)
        self.endResetModel()

    @property
    def before_words(self) -> Sequence[int]:
        """The rows that there would be without words."""
        return self._found

    @property
    def unfiltered(self) -> int:
        """How many rows there would be without words."""
        return len(self._found)

    def line(self, row: int) -> Line | None:
        """The line of a row."""
        if self._document is None or not 0 <= row < len(self.rows):
            return None
        return line_for(self._document, self.rows[row], self._damaged, self._flaws)

    def photos_at(self, rows: Sequence[int]) -> list[int]:
        """The photos of rows, without skipped files."""
        return [self.rows[row] for row in rows if self.rows[row] >= 0]

    def selection_of(self, rows: Sequence[int]) -> QItemSelection:
        """A selection of these rows, made of runs of neighbouring rows."""
        selection = QItemSelection()
        for first, last in _runs(sorted(rows)):
            selection.append(QItemSelectionRange(self.index(first), self.index(last)))
        return selection

    def row_of(self, photo: int) -> int | None:
        """The row of a photo, if it is listed."""
        if self._in_order:
            row = bisect_left(self.rows, photo)
            return row if row < len(self.rows) and self.rows[row] == photo else None
        if self._row_of is None:
            self._row_of = {photo: row for row, photo in enumerate(self.rows)}
        return self._row_of.get(photo)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row())
        if line is None:
            return None
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            pinned = tr("pinned") if line.pinned else ""
            words = " · ".join(filter(None, (line.title, line.caption, line.detail, pinned)))
            return f"<qt>{escape(words)}</qt>" if role == Qt.ItemDataRole.ToolTipRole else words  # no text is markup
        return None

    def _rows_of(
        self,
        document: Document | None,
        section: str,
        damaged: Faults,
        similar: Sequence[int],
        by_date: bool,
        month: tuple[int, int] | None,
        picked: Picked | None,
    ) -> Sequence[int]:
        """The rows of a section in their order, without the filter by name."""
        found = section_rows(document, section, damaged)
        if document is None or section == SKIPPED:
            return found
        if section == SIMILAR:
            known = set(found)
            found = [photo for photo in similar if photo in known]
        elif by_date:
            among = set(found)
            found = [photo for photo in self._by_date(document.album) if photo in among]
        if picked is not None:
            found = [row for row in found if row < len(picked.photos) and picked.photos[row]]
        if month is not None:
            taken = [photo.taken for photo in document.album.photos]
            found = [row for row in found if (day := taken[row]) is not None and (day.year, day.month) == month]
        return found

    def _filtered(self, words: Sequence[str]) -> Sequence[int]:
        """The rows that contain all words, see `NameSearch`; the identical object if all rows do."""
        if not words or self._document is None:
            return self._found
        if self._found_places is None:
            self._found_places = np.array(self._found, np.intp)
        passing = self._names.with_words(self._document.album, words)[self._found_places]
        if passing.all():
            return self._found
        rows: list[int] = self._found_places[passing].tolist()
        return rows

    def _by_date(self, album: Album) -> list[int]:
        """The photos from the oldest to the newest, those without a date last; sorted once per album."""
        if self._dated is None or self._dated[0] is not album:
            self._dated = (album, in_time_order(album.photos))
        return self._dated[1]


def _runs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of neighbouring numbers in a sorted list, as (first, last)."""
    start = 0
    for place in range(1, len(rows) + 1):
        if place == len(rows) or rows[place] != rows[place - 1] + 1:
            yield rows[start], rows[place - 1]
            start = place
