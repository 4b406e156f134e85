"""A text as signs, each drawn in one go: a letter with its marks, letters that join, an emoji; and who comes first."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from album_app.errors import UsageError
from album_app.language import tr
from album_app.photos.fonts import BUILT_IN, Font

MAX_CHARACTERS = 100
ZERO_WIDTH_JOINER, AS_EMOJI = "\u200d", "\ufe0f"
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
FIRST_EMOJI = 0x1F000
CONJOINS = 9  # the combining class of signs that join a consonant with the next
JOINED_SCRIPTS = {"ARABIC", "SYRIAC", "MANDAIC", "MONGOLIAN", "NKO", "ADLAM", "DEVANAGARI", "BENGALI", "GURMUKHI"}
_SAME = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "\u00a0": " ", "\t": " ", "„": "“", "‚": ",", "ı": "i"})


@dataclass(frozen=True)
class Sign:
    """What is drawn in one go, the font to draw it with, and whether it is read from right to left."""

    text: str
    font: Font = BUILT_IN
    leftwards: bool = False


def text_lines(text: str) -> list[str]:
    """The lines of a text, accents composed, blanks tidied; both a line break and a written \\n begin a new line."""
    plain = unicodedata.normalize("NFC", text.replace("\\n", "\n")).translate(_SAME)
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise UsageError(tr("The text is empty: type at least one letter."))
    if sum(map(len, lines)) > MAX_CHARACTERS:
        raise UsageError(tr("The text is too long for a sheet: at most {most} characters.", most=MAX_CHARACTERS))
    return lines


def parts(word: str) -> list[str]:
    """The parts of a word that are drawn in one go."""
    found: list[str] = []
    for character in word:
        if found and _belongs(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def is_emoji(part: str) -> bool:
    """Whether a part of a text is meant as a picture."""
    return AS_EMOJI in part or ord(part[0]) >= FIRST_EMOJI


def letters_in(part: str) -> int:
    """How many letters join in a part of a text: one, unless its script joins them."""
    joined = [character for character in part if _joined_script(character)]
    return max(1, sum(unicodedata.category(character)[0] != "M" for character in joined))


def _belongs(part: str, character: str) -> bool:
    """Whether a character is drawn together with those before it."""
    if unicodedata.category(character)[0] == "M" or character == ZERO_WIDTH_JOINER or ord(character) in SKIN_TONES:
        return True
    if part[-1] == ZERO_WIDTH_JOINER or unicodedata.combining(part[-1]) == CONJOINS:
        return True
    if ord(character) in FLAG_LETTERS:
        return len(part) == 1 and ord(part) in FLAG_LETTERS
    return _joined_script(character) and _joined_script(part[0])


def _joined_script(character: str) -> bool:
    return unicodedata.name(character, "").split(" ")[0] in JOINED_SCRIPTS


def leftwards(part: str) -> bool | None:
    """Whether a part of a text is read from right to left; None where that is for its neighbours to say."""
    kinds = [unicodedata.bidirectional(character) for character in part]
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), None)


def is_number(part: str) -> bool:
    """Whether a part of a text is a digit, which is read from left to right in every script."""
    return unicodedata.bidirectional(part[0]) in ("EN", "AN")


def as_seen(line: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """The places of a line's parts (blanks among them) from left to right, each with whether it is read leftwards.

    This is the Unicode bidirectional algorithm for a line without explicit directions: levels, then reversals.
    """
    levels = _levels(line)
    order = list(range(len(line)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = max(end, start + 1)
    return ((place, levels[place] % 2 == 1) for place in order)


def _levels(line: Sequence[str]) -> list[int]:
    """How deep each part is nested: odd where it is read leftwards."""
    strong = [leftwards(part) for part in line]
    base = int(next((way for way in strong if way is not None), False))
    before = _nearest(strong, bool(base))
    after = _nearest(strong[::-1], bool(base))[::-1]
    numbers = [is_number(part) or _in_number(line, place) for place, part in enumerate(line)]
    levels = []
    for number, way, ahead, behind in zip(numbers, strong, before, after, strict=True):
        if way is not None:
            levels.append(int(way))
        elif number:
            levels.append(2 if ahead else 0)
        else:
            levels.append(int(ahead) if ahead == behind else base)
    return [2 if base and not level % 2 else level for level in levels]


def _in_number(line: Sequence[str], place: int) -> bool:
    """Whether a part stands between two digits, as a decimal point does."""
    around = [*line[place - 1 : place], *line[place + 1 : place + 2]]
    return line[place] != " " and len(around) == 2 and all(map(is_number, around))


def _nearest(ways: list[bool | None], base: bool) -> list[bool]:
    """For each part the direction of the last one before it (or its own) that has one."""
    found = []
    for way in ways:
        base = base if way is None else way
        found.append(base)
    return found
