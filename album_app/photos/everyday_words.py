"""Everyday words in English and German, and the classes of ImageNet that each of them covers."""

import difflib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from album_app.language import current
from album_app.photos.features.class_names import class_names
from album_app.shipped import resource

TABLE_FILE = "words/everyday.txt"
MOST_SUGGESTIONS = 3
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
        """The word in the language that is spoken."""
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
    lines = resource(TABLE_FILE).read_text(encoding="utf-8").splitlines()
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
    """Every folded name with its word; one that both languages have, such as "boot", is the spoken one's."""
    english = {_folded(name): word for word in _words() for name in word.english}
    german = {_folded(name): word for word in _words() for name in word.german}
    return english | german if german_first else german | english
