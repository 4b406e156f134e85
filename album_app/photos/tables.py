"""Tables of the user's own: a text file with a line per photo, whose columns become facts about the photos.

One column names the photos: by the name in the album, by the name of the file, or by this name without its suffix. It
is the column that names most photos.
"""

import csv
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from io import StringIO
from pathlib import Path
from unicodedata import normalize
from weakref import ReferenceType, ref

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import reason, tr, trn
from album_app.paths import read_bounded
from album_app.photos.album import Album
from album_app.photos.decoding.header import TABLE, Row
from album_app.photos.facets import date_of_words

LARGEST_TABLE = 256_000_000
"""Bytes of a table that is read."""
MOST_COLUMNS = 200
LONGEST_VALUE = 500
"""Characters of a value; longer ones are cut."""
DELIMITERS = ",;\t"
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, eq=False)
class Table:
    """The lines of a table as they are in its file, and which file that was."""

    path: Path
    digest: str  # SHA-256 of the file, in hexadecimal
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    is_changed: bool = False  # whether the file is not the one that the project was saved with
    is_missing: bool = False  # whether the file could not be read, so that nothing but its name is known

    @property
    def name(self) -> str:
        return printable(self.path.name)

    @property
    def missing_words(self) -> str:
        """A sentence about a table that could not be read again."""
        return tr("The table {name} was not found where it was.", name=printable(str(self.path)))


@dataclass(frozen=True)
class Match:
    """How a table fits an album: which column names the photos, and which line belongs to which photo."""

    column: int
    row_of: dict[int, int]  # photo -> line
    strangers: int  # lines that name no photo of the album

    def remark(self, photos: int) -> str:
        """A sentence about lines without a photo and photos without a line; empty where there are none."""
        without, said = photos - len(self.row_of), []
        if self.strangers:
            said.append(
                trn(
                    "{count} line of the table names no photo of this album.",
                    "{count} lines of the table name no photo of this album.",
                    self.strangers,
                )
            )
        if without:
            said.append(
                trn("{count} photo has no line in the table.", "{count} photos have no line in the table.", without)
            )
        return " ".join(said)


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a table of columns with a header: commas, semicolons or tabs; UTF-8, UTF-16 or Latin-1."""
    source = Path(path).absolute()
    name = printable(str(path))
    try:
        content = read_bounded(source, LARGEST_TABLE)
    except OSError as error:
        raise UsageError(
            tr("The table {name} could not be read: {reason}.", name=name, reason=reason(error))
        ) from error
    if b"\0" in content and not content.startswith(BYTE_ORDER_MARKS):
        raise UsageError(tr("{name} is no table of text.", name=name))
    text = _decoded(content)
    try:
        lines = _lines(text, _delimiter(text))
        columns = _columns(next(lines, []), name)
        rows = tuple(_row(line, len(columns)) for line in lines if any(value.strip() for value in line))
    except csv.Error as error:
        raise UsageError(tr("{name} is no table of text.", name=name)) from error
    if not rows:
        raise UsageError(tr("The table {name} has no lines below its header.", name=name))
    return Table(source, hashlib.sha256(content).hexdigest(), columns, rows)


def _decoded(content: bytes) -> str:
    if content.startswith(BYTE_ORDER_MARKS):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _delimiter(text: str) -> str:
    """The character that divides the header into most columns."""
    header = text.lstrip().partition("\n")[0]
    return max(DELIMITERS, key=lambda sign: len(next(_lines(header, sign), [])))


def _lines(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter)


def _columns(header: Sequence[str], name: str) -> tuple[str, ...]:
    """The names of the columns, one line each; a column without a name gets its number."""
    if len(header) > MOST_COLUMNS:
        raise UsageError(tr("The table {name} has more than {most} columns.", name=name, most=MOST_COLUMNS))
    columns = tuple(_tidy(title) or tr("Column {number}", number=place) for place, title in enumerate(header, start=1))
    twice = [title for title, count in Counter(columns).items() if count > 1]
    if twice:
        raise UsageError(tr("The table {name} has two columns called “{column}”.", name=name, column=twice[0]))
    return columns


def _row(line: Sequence[str], columns: int) -> tuple[str, ...]:
    values = [_tidy(value) for value in line[:columns]]
    return (*values, *("" for _ in range(columns - len(values))))


def _tidy(value: str) -> str:
    """A value on one line, of bounded length, without characters that cannot be shown."""
    if not value.isprintable():
        value = "".join(sign if sign.isprintable() else " " for sign in value)
    return " ".join(value.split())[:LONGEST_VALUE]


def match(table: Table, album: Album) -> Match:
    """Which line belongs to which photo; a UsageError where no column names photos, or several lines name the same."""
    if table.is_missing:
        return Match(0, {}, 0)
    places = _Names(photo.name for photo in album.photos)
    found = [[places.find(row[column]) for row in table.rows] for column in range(len(table.columns))]
    column = max(range(len(found)), key=lambda k: (len({place for place in found[k] if place >= 0}), -k))
    named = [(place, line) for line, place in enumerate(found[column]) if place >= 0]
    if not named:
        raise UsageError(
            tr(
                "No column of the table {name} names photos of this album; the columns are {columns}, and the photos "
                "have names such as {photo}.",
                name=table.name,
                columns=", ".join(table.columns[:8]),
                photo=printable(album.photos[0].name) if len(album) else "",
            )
        )
    _check_several(table, album, column, [place for place, _ in named], found[column].count(_SEVERAL))
    return Match(column, dict(named), found[column].count(_NONE))


def _check_several(table: Table, album: Album, column: int, named: Sequence[int], unclear: int) -> None:
    """Refuse photos with several lines, and names that several photos have."""
    twice = [place for place, count in Counter(named).items() if count > 1]
    if twice:
        raise UsageError(
            trn(
                "In the table {name} {count} photo has several lines: {photo}.",
                "In the table {name} {count} photos have several lines, the first one {photo}.",
                len(twice),
                name=table.name,
                photo=printable(album.photos[twice[0]].name),
            )
        )
    if unclear:
        raise UsageError(
            trn(
                "In the table {name} {count} line names several photos; write folders, too, in the column “{column}”.",
                "In the table {name} {count} lines name several photos; write folders, too, in the column “{column}”.",
                unclear,
                name=table.name,
                column=table.columns[column],
            )
        )


_NONE, _SEVERAL = -1, -2


class _Names:
    """Finds photos by their names in a table: by the whole name, else without the folder, else without the suffix."""

    def __init__(self, names: Iterable[str]) -> None:
        self._ways: tuple[dict[str, int], ...] = ({}, {}, {})
        for place, name in enumerate(names):
            whole = _folded(name)
            file = whole.rsplit("/", 1)[-1]
            for way, key in zip(self._ways, (whole, file, file.rsplit(".", 1)[0]), strict=True):
                way[key] = place if key not in way else _SEVERAL

    def find(self, value: str) -> int:
        """The photo with this name; _NONE where there is none, _SEVERAL where there is more than one."""
        name = _folded(value.replace("\\", "/")).removeprefix("./")
        for way in self._ways:
            if name and name in way:
                return way[name]
        if "/" in name:  # a longer path than the album's, as another program wrote it
            parts = name.split("/")
            tails = ("/".join(parts[start:]) for start in range(1, len(parts) - 1))
            return next((self._ways[0][tail] for tail in tails if tail in self._ways[0]), _NONE)
        return _NONE


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


class _Last:
    """Keeps the album that was last joined with its table, because every edit of a document asks for it again."""

    def __init__(self) -> None:
        self._known: tuple[ReferenceType[Album], Table, Album] | None = None

    def of(self, album: Album, table: Table) -> Album:
        known = self._known
        if known is None or known[0]() is not album or known[1] is not table:
            known = self._known = ref(album), table, _tabled(album, table, match(table, album))
        return known[2]


_last = _Last()


def with_table(album: Album, table: Table | None, matched: Match | None = None) -> Album:
    """The album whose photos have the values of their lines; the last answer is kept for the next call."""
    if table is None or table.is_missing:
        return album
    return _last.of(album, table) if matched is None else _tabled(album, table, matched)


def _tabled(album: Album, table: Table, matched: Match) -> Album:
    nothing = ("",) * len(table.columns)
    column = date_column(table)
    photos = []
    for place, photo in enumerate(album.photos):
        line = matched.row_of.get(place)
        row = Row(table.columns, nothing if line is None else table.rows[line], column)
        day = _date_in(row.get(column)) if column and photo.date is None else None
        dated = photo if day is None else replace(photo, taken=day, taken_by=TABLE)
        photos.append(replace(dated, metadata=replace(photo.metadata, row=row)))
    return replace(album, photos=tuple(photos))


DATE_TITLES = frozenset(("date", "year", "dated", "taken", "when", "datum", "jahr", "datierung"))
"""Words in the title of a column that holds dates or years."""
LEAST_DATED = 0.5
"""A column holds dates if more than this share of its values tell one: museums also write "unknown"."""
_YEAR = re.compile(r"(?<!\d)([12]\d{3})(?!\d)")


def date_column(table: Table) -> str:
    """The column that tells when photos were taken; "" where there is none.

    It is the first one whose title says so and whose values are dates or years, else the first one of whole dates.
    """
    titled = [bool(DATE_TITLES & set(re.split(r"\W+|_", title.casefold()))) for title in table.columns]
    for by_title in (True, False):
        for place, title in enumerate(table.columns):
            values = [row[place] for row in table.rows if row[place]]
            read = _date_in if by_title else date_of_words
            count = sum(read(value) is not None for value in values)
            if (titled[place] or not by_title) and count > LEAST_DATED * len(values):
                return title
    return ""


def _date_in(value: str) -> datetime | None:
    """A date, or the beginning of the first year in words such as "c. 1875"."""
    year = _YEAR.search(value)
    return date_of_words(value) or (None if year is None else datetime(int(year[1]), 1, 1))
