"""Facets: what photos can be filtered and coloured by: their folders, their keywords, and the columns of a table."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.file_names import natural_key
from album_app.language import mark, tr
from album_app.photos.album import Photo

FOLDER, KEYWORDS = "folder", "keywords"
TITLES = {FOLDER: mark("Folder"), KEYWORDS: mark("Keywords")}
TEXT, NUMBER, DATE = "text", "number", "date"

MOST_SINGLE_LABELS = 12
"""Labels of one photo each; a column with more of them, such as one of file names, groups nothing and is no facet."""

MOST_CODES = 10
"""A column of whole numbers with at most this many different values, on more photos than that, holds classes, which
are labels and have no order."""

Flags = NDArray[np.bool_]

_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?")
_GERMAN_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_PART_OF_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?")


@dataclass(frozen=True, eq=False)
class Facet:
    """One thing that is known of photos.

    A photo can have several labels (keywords, a folder and those around it); `main` is the one that stands for it.
    Numbers and dates have a value for each photo instead, dates in days, and no labels.
    """

    key: str
    kind: str  # TEXT, NUMBER or DATE
    labels: tuple[str, ...]  # in natural order
    main: NDArray[np.int32]  # (photos,) a label, -1 without one
    pairs: NDArray[np.int32]  # (photo, label) of every label of every photo
    numbers: NDArray[np.float64]  # (photos,), nan without one
    words: tuple[str, str] = ("", "")  # the least and the largest value as they are written

    @property
    def title(self) -> str:
        return tr(TITLES[self.key]) if self.key in TITLES else self.key

    @property
    def is_range(self) -> bool:
        """Whether values have an order that a range can be chosen from."""
        return self.kind != TEXT

    @property
    def counts(self) -> NDArray[np.intp]:
        """How many photos each label has."""
        return np.bincount(self.pairs[:, 1], minlength=len(self.labels))

    @property
    def known(self) -> Flags:
        """For every photo whether anything is known of it."""
        return ~np.isnan(self.numbers) if self.is_range else self.main >= 0

    def with_label(self, label: str) -> Flags:
        """For every photo whether it has a label; an empty one asks for photos without any."""
        if not label:
            return ~self.known
        found = np.zeros(len(self.main), bool)
        if label in self.labels:
            found[self.pairs[self.pairs[:, 1] == self.labels.index(label), 0]] = True
        return found

    def between(self, low: str, high: str) -> Flags:
        """For every photo whether its value lies in a range; an empty end is open, one without a value a UsageError."""
        first, last = bounds(low, self.kind)[0], bounds(high, self.kind)[1]
        with np.errstate(invalid="ignore"):
            found: Flags = (self.numbers >= first) & (self.numbers <= last)
        return found


def bounds(words: str, kind: str) -> tuple[float, float]:
    """The first and the last value that words mean: "1999" as a date is a whole year; no text leaves both open."""
    words = words.strip()
    if not words:
        return -math.inf, math.inf
    value = _number(words) if kind == NUMBER else _day(words)
    if value is not None:
        return value, value + (1 - 1e-6 if kind == DATE and value == int(value) else 0)
    part = _PART_OF_DATE.fullmatch(words) if kind == DATE else None
    if part is not None and int(part[1]) > 0 and (part[2] is None or 1 <= int(part[2]) <= 12):
        year, month = int(part[1]), int(part[2] or 0)
        after = (year + 1, 1) if month in (0, 12) else (year, month + 1)
        if after[0] <= 9999:
            return float(date(year, month or 1, 1).toordinal()), date(*after, 1).toordinal() - 1e-6
    text = (
        mark("“{words}” is no number.") if kind == NUMBER else mark("“{words}” is no date; write 2024-05-31 or 2024.")
    )
    raise UsageError(tr(text, words=words))


def _number(words: str) -> float | None:
    """A number as tables write it, with a point or a comma."""
    plain = words.replace("\u2212", "-").replace(" ", "").replace("\u00a0", "")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", plain):
        return None
    value = float(plain)
    return value if math.isfinite(value) else None


def _day(words: str) -> float | None:
    """A date, or a date and a time, in days."""
    when = date_of_words(words)
    return None if when is None else when.toordinal() + (when.hour * 3600 + when.minute * 60 + when.second) / 86400


def date_of_words(words: str) -> datetime | None:
    """A date, or a date and a time, as tables write it."""
    found, german = _DAY.fullmatch(words), _GERMAN_DAY.fullmatch(words)
    try:
        if german is not None:
            return datetime(int(german[3]), int(german[2]), int(german[1]))
        if found is None:
            return None
        return datetime(*(int(part or 0) for part in found.groups()))  # type: ignore[arg-type]
    except ValueError:
        return None


def facets_of(photos: Sequence[Photo]) -> dict[str, Facet]:
    """All facts that these photos differ in, by key; a column of the table hides a fact of the same name."""
    made: dict[str, Facet | None] = {}
    names = photos[0].metadata.row.names if photos else ()
    for column, name in enumerate(names):
        made[name] = _column(name, [photo.metadata.row.values[column] for photo in photos])
    made.setdefault(FOLDER, _labelled(FOLDER, [_folders(photo.name) for photo in photos], _last))
    made.setdefault(KEYWORDS, _labelled(KEYWORDS, [photo.metadata.keywords for photo in photos], _commonest))
    return {key: facet for key, facet in made.items() if facet is not None}


def _column(name: str, values: Sequence[str]) -> Facet | None:
    given = [value for value in values if value]
    for kind, parse in ((NUMBER, _number), (DATE, _day)):
        numbers = _all_parsed(given, parse)
        is_code = kind == NUMBER and len(numbers) <= MOST_CODES < len(given) and all(map(str.isdecimal, numbers))
        if numbers and not is_code:
            return _ordered(name, kind, values, numbers)
    return _labelled(name, [(value,) if value else () for value in values], _last)


def _all_parsed(values: Sequence[str], parse: Callable[[str], float | None]) -> dict[str, float]:
    """What all values mean; nothing where one of them has no such meaning."""
    found: dict[str, float] = {}
    for value in values:
        if value not in found:
            number = parse(value)
            if number is None:
                return {}
            found[value] = number
    return found


def _ordered(key: str, kind: str, values: Sequence[str], numbers: Mapping[str, float]) -> Facet | None:
    if len(numbers) < 2:
        return None
    ends = min(numbers, key=numbers.__getitem__), max(numbers, key=numbers.__getitem__)
    found = np.array([numbers.get(value, math.nan) for value in values])
    return Facet(key, kind, (), np.full(len(values), -1, np.int32), np.empty((0, 2), np.int32), found, ends)


Choose = Callable[[Sequence[str], Mapping[str, int]], str]
"""Which of a photo's labels stands for it, given how many photos each label has."""


def _last(labels: Sequence[str], counts: Mapping[str, int]) -> str:
    return labels[-1]


def _commonest(labels: Sequence[str], counts: Mapping[str, int]) -> str:
    return max(labels, key=counts.__getitem__)


def _labelled(key: str, of_photo: Sequence[Sequence[str]], choose: Choose) -> Facet | None:
    """A facet of labels; None where photos have equal labels, or many labels that no two share."""
    counts = Counter(label for labels in of_photo for label in dict.fromkeys(labels))
    alone = len(counts) > MOST_SINGLE_LABELS and max(counts.values()) == 1
    if alone or not any(count < len(of_photo) for count in counts.values()):
        return None
    labels = tuple(sorted(counts, key=natural_key))
    place = {label: k for k, label in enumerate(labels)}
    main = np.array([place[choose(found, counts)] if found else -1 for found in of_photo], np.int32)
    pairs = [(photo, place[label]) for photo, found in enumerate(of_photo) for label in dict.fromkeys(found)]
    no_numbers = np.full(len(of_photo), math.nan)
    return Facet(key, TEXT, labels, main, np.array(pairs, np.int32).reshape(-1, 2), no_numbers)


def _folders(name: str) -> tuple[str, ...]:
    """The folders around a photo, the outermost first: "a/b/c.jpg" lies in "a" and in "a/b"."""
    return tuple(accumulate(name.split("/")[:-1], lambda outer, inner: f"{outer}/{inner}"))


def facet_named(facets: Mapping[str, Facet], name: str) -> Facet:
    """The facet that words on the command line or in a form mean; else a UsageError names all of them."""
    for key, facet in facets.items():
        if name.casefold() in (key.casefold(), facet.title.casefold()):
            return facet
    text = mark("There is no column “{name}”; there are {columns}.")
    nothing = mark("There is no column “{name}”: these photos have no table, folders or keywords.")
    columns = ", ".join(facet.title for facet in facets.values())
    raise UsageError(tr(text if facets else nothing, name=name, columns=columns))
