"""What photos show: the ten likeliest of ImageNet's classes of each, and the everyday words that cover the classes."""

import ast
import difflib
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app import shipped_file
from album_app.language import current, mark
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.album_features import album_rows
from album_app.photos.cache import Cache, FileState
from album_app.photos.features.extractor import Features, Image
from album_app.photos.features.lite0 import CLASSES_KEY, KEPT_CLASSES, Lite0
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.work import OnProgress, Stop

LIST_FILE, LIST_NAME = "models/_meta.py", "_IMAGENET_CATEGORIES"
"""The file in torchvision's folder, and the variable in it, that have the names of ImageNet's classes."""


@cache
def class_names() -> tuple[str, ...]:
    """The names of ImageNet's classes; none where torchvision has no list of them.

    The list is read from the source file, because importing torchvision takes seconds.
    """
    if "torchvision.models._meta" in sys.modules:
        return tuple(getattr(sys.modules["torchvision.models._meta"], LIST_NAME, ()))
    package = find_spec("torchvision")
    for folder in (package.submodule_search_locations if package else None) or ():
        path = Path(folder) / LIST_FILE
        if path.is_file():
            return _listed(path)
    return ()


def _listed(path: Path) -> tuple[str, ...]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == LIST_NAME:
            return tuple(ast.literal_eval(statement.value))
    return ()


Numbers = NDArray[np.floating]

COLOUR_WORDS = (
    *(mark("black"), mark("white"), mark("grey"), mark("red"), mark("orange"), mark("brown"), mark("yellow")),
    *(mark("green"), mark("blue"), mark("purple"), mark("pink")),
)
BLACK_BELOW, WHITE_FROM = 0.18, 0.85
"""Brightness, from 0 to 1: darker pixels are black, lighter ones without colour are white."""
GREY_BELOW = 0.16
"""Saturation below which a pixel has no colour."""
BROWN_BELOW, PINK_BELOW = 0.62, 0.55
"""Orange that is darker than the first is brown; light red that is less saturated than the second is pink."""
HUES = ((15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (295, "purple"), (345, "pink"))
"""The hue in degrees at which each colour ends; the last stretch is red again."""
MOST_PIXELS = 32
"""Pixels along a side that are looked at."""


def colour_shares(picture: Image) -> Numbers:
    """The share of a picture's pixels that each of COLOUR_WORDS describes; the shares add up to 1.

    >>> shares = colour_shares(np.full((4, 4, 3), (30, 60, 220), np.uint8))
    >>> COLOUR_WORDS[shares.argmax()], float(shares.max())
    ('blue', 1.0)
    """
    step = max(1, -(-max(picture.shape[:2]) // MOST_PIXELS))
    pixels = picture[::step, ::step].reshape(-1, 3).astype(np.float32) / 255
    brightness, lowest = pixels.max(axis=1), pixels.min(axis=1)
    span = brightness - lowest
    saturation = span / np.maximum(brightness, 1e-6)
    words = _hue_words(_hue(pixels, brightness, span))
    number = {word: place for place, word in enumerate(COLOUR_WORDS)}
    words[(words == number["orange"]) & (brightness < BROWN_BELOW)] = number["brown"]
    words[(words == number["red"]) & (saturation < PINK_BELOW) & (brightness > BROWN_BELOW)] = number["pink"]
    words[saturation < GREY_BELOW] = number["grey"]
    words[(saturation < GREY_BELOW) & (brightness >= WHITE_FROM)] = number["white"]
    words[brightness < BLACK_BELOW] = number["black"]
    return np.bincount(words, minlength=len(COLOUR_WORDS)) / max(1, len(words))


def _hue(pixels: Numbers, brightness: Numbers, span: Numbers) -> Numbers:
    """Degrees around the colour circle: red 0, green 120, blue 240."""
    red, green, blue = pixels.T
    safe = np.maximum(span, 1e-6)
    hue: Numbers = np.where(
        brightness == red,
        (green - blue) / safe % 6,
        np.where(brightness == green, (blue - red) / safe + 2, (red - green) / safe + 4),
    )
    hue *= 60
    return hue


def _hue_words(hue: Numbers) -> NDArray[np.intp]:
    ends = np.array([end for end, _ in HUES])
    names = [COLOUR_WORDS.index(word) for _, word in (*HUES, (360, "red"))]
    words: NDArray[np.intp] = np.array(names, np.intp)[np.searchsorted(ends, hue, side="right")]
    return words


TABLE_FILE = "words/everyday.txt"
MOST_SUGGESTIONS = 3
"""Words that are suggested for one that is not known."""
LEAST_LIKENESS = 0.72
"""How alike a suggestion's letters must be to what was typed, from 0 to 1: lower values suggest unrelated words."""
ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("en", ""), ("er", ""), ("n", ""), ("e", ""))
"""Endings of plurals in either language, and what takes their place."""


@dataclass(frozen=True)
class Word:
    """A word that photos can be found by: its names, its classes, and whether photos with faces count as well.

    Where no class belongs to a word, `instead` is the English name of the word that is nearest in meaning.
    """

    english: tuple[str, ...]
    german: tuple[str, ...] = ()
    classes: frozenset[int] = frozenset()
    with_faces: bool = False
    instead: str = ""

    @property
    def title(self) -> str:
        """The word in the language of the program."""
        return self.german[0] if self.german and current() == "de" else self.english[0]


def word_for(text: str) -> Word | None:
    """What a typed word or phrase stands for: a word of the table in either language, or the name of a class.

    >>> word = word_for("Hunde")
    >>> word.title, len(word.classes)
    ('dog', 118)
    """
    found = _entry(text)
    return None if found is None or found.instead else found


def nearest_words(text: str) -> list[str]:
    """Words that photos can be found by, near what was typed: in meaning where that is known, else in their letters.

    >>> nearest_words("helicopter")
    ['airplane']
    """
    found = _entry(text)
    related = word_for(found.instead) if found is not None else None
    if related is not None:
        return [related.title]
    names = {_folded(name): name for word in _words() if not word.instead for name in (*word.german, *word.english)}
    alike = difflib.get_close_matches(_folded(text), list(names), MOST_SUGGESTIONS, LEAST_LIKENESS)
    return [names[form] for form in alike]


def everyday_words() -> list[Word]:
    """The words of the table that photos can be found by."""
    return [word for word in _table() if not word.instead]


def _entry(text: str) -> Word | None:
    known = _by_name(current() == "de")
    return next((known[form] for form in _forms(text) if form in known), None)


def _folded(text: str) -> str:
    """A text without capitals and accents, its words one space apart."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.split())


def _forms(text: str) -> Iterator[str]:
    """The names that a typed text may mean: itself, or its singular."""
    folded = _folded(text)
    yield folded
    for ending, instead in ENDINGS:
        if folded.endswith(ending) and len(folded) > len(ending) + 2:
            yield folded.removesuffix(ending) + instead


@cache
def _table() -> list[Word]:
    lines = shipped_file(TABLE_FILE).read_text(encoding="utf-8").splitlines()
    return [_word(*line.split("|")) for line in lines if line and not line.startswith("#")]


def _word(english: str, german: str, covered: str) -> Word:
    """A line of the table; what it covers reads like "7-24 80", "faces 981" or "= airplane"."""
    names, others = (tuple(name.strip() for name in part.split(",")) for part in (english, german))
    if covered.strip().startswith("="):
        return Word(names, others, instead=covered.strip(" ="))
    ends = [part.partition("-") for part in covered.split() if part != "faces"]
    classes = frozenset(n for first, _, last in ends for n in range(int(first), int(last or first) + 1))
    return Word(names, others, classes, with_faces="faces" in covered)


@cache
def _words() -> list[Word]:
    """The names of the classes, then the words of the table."""
    return [*(Word((name,), classes=frozenset({number})) for number, name in enumerate(class_names())), *_table()]


@cache
def _by_name(german_first: bool) -> dict[str, Word]:
    """Words by their folded names. A name in both languages, as "boot" is, belongs to the language of the program."""
    english = {_folded(name): word for word in _words() for name in word.english}
    german = {_folded(name): word for word in _words() for name in word.german}
    return english | german if german_first else german | english


@dataclass(frozen=True, eq=False)
class Classes:
    """The likeliest classes of photos, (n, 10), and their probabilities, zeros for photos that nothing is known of."""

    numbers: NDArray[np.int16]
    probabilities: NDArray[np.float32]

    @classmethod
    def of(cls, rows: Sequence[Features | None]) -> "Classes":
        """Classes from rows of the cache."""
        empty = np.zeros(2 * KEPT_CLASSES, np.float32)
        table = np.stack([empty if row is None else row for row in rows]) if rows else np.empty((0, len(empty)))
        numbers, probabilities = np.split(table, 2, axis=1)
        return cls(numbers.astype(np.int16), probabilities.astype(np.float32))

    def __len__(self) -> int:
        return len(self.numbers)

    def probability_of(self, classes: frozenset[int]) -> NDArray[np.float32]:
        """How likely each photo is to show one of these classes."""
        wanted = np.isin(self.numbers, list(classes))
        total: NDArray[np.float32] = np.where(wanted, self.probabilities, 0).sum(axis=1, dtype=np.float32)
        return total


def known_classes(photos: Sequence[FileState], cache: Cache) -> list[Features | None]:
    """The rows of classes that the cache has."""
    found = cache.get_features(photos, CLASSES_KEY)
    return [row if row is not None and len(row) == 2 * KEPT_CLASSES else None for row in found]


def classes_of(
    photos: Sequence[Photo],
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    on_part: Callable[[Classes], None] | None = None,
    stop: Stop | None = None,
) -> Classes:
    """The likeliest classes of photos; a helper process looks at those that the cache does not know.

    `on_part` gets the classes that are known so far, for all photos, before and while the helper looks at others.
    """
    with Cache.open(cache_folder) as cache:
        rows = known_classes(photos, cache)
    unknown = [place for place, row in enumerate(rows) if row is None]
    if unknown:
        request = CachedPhotos(tuple(photos[place] for place in unknown), cache_folder)
        answers = answers_of(
            look_at_photos,
            request,
            mark("for features"),
            settings=ONE_THREAD,
            on_progress=on_progress,
            stop=stop,
        )
        for found in chain([{}], answers):
            for place, row in found.items():
                rows[unknown[place]] = row
            if on_part is not None:
                on_part(Classes.of(rows))
    return Classes.of(rows)


PHOTOS_PER_ANSWER = 100
"""The helper process tells the classes of this many photos at a time, so that a search can list what it has found."""


def look_at_photos(request: CachedPhotos, on_progress: OnProgress) -> Iterator[dict[int, NDArray[np.float32]]]:
    """In a helper process: the rows of classes by place, of photos that can be read; the cache then knows them."""
    network = Lite0()
    with Cache.open(request.cache_folder) as cache:
        for start in range(0, len(request.photos), PHOTOS_PER_ANSWER):
            photos = request.photos[start : start + PHOTOS_PER_ANSWER]
            so_far = partial(_report_after, on_progress, start, len(request.photos))
            found = album_rows(photos, network, cache, on_progress=so_far)
            places = [place for place, row in enumerate(found) if row is not None]
            known = [row for row in found if row is not None]
            if known:
                rows = network.by_products(np.stack(known))[CLASSES_KEY]
                cache.put_features([photos[place] for place in places], CLASSES_KEY, rows)
                yield {start + place: row for place, row in zip(places, rows, strict=True)}


def _report_after(on_progress: OnProgress, before: int, total: int, done: int, of: int) -> None:
    """Report the progress of a part, before which some photos were done, as that of the whole."""
    on_progress(before + done, total)
