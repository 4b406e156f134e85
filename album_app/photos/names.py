"""Names of photos: their order, their uniqueness, and a form of them that can always be shown.

A name keeps the bytes of the file's real name, as Python does (`surrogateescape`), so that it leads back to the file.
It survives JSON (with `ensure_ascii`) and text files written with `errors="surrogateescape"`; to a screen goes
`printable(name)`.
"""

import re
from collections import Counter
from collections.abc import Sequence

MARK = "\ufffd"
_TURNING = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], MARK)


def natural_key(name: str) -> tuple[object, ...]:
    """Sorts names as people do: folder by folder, numbers by value, upper and lower case together."""
    return (*(_natural_part(part) for part in name.casefold().split("/")), ((name, 0),))


def _natural_part(part: str) -> tuple[tuple[str, int], ...]:
    """One pair a character, and one for each run of digits: by its value, where digits sort among characters."""
    pieces = re.findall(r"\d+|\D", part)
    return tuple(("0", int(piece)) if piece.isdecimal() else (piece, 0) for piece in pieces)


def undirected(text: str) -> str:
    """The text with marks in place of the characters that turn the direction of what follows."""
    return text.translate(_TURNING)


def printable(name: str) -> str:
    """The name for people: undecodable bytes and control characters are replaced by marks, one for one."""
    clean = name.encode("utf-8", "replace").decode("utf-8") if any("\ud800" <= c <= "\udfff" for c in name) else name
    return "".join(character if character.isprintable() else MARK for character in clean)


def unique_names(names: Sequence[str], folders: Sequence[str]) -> list[str]:
    """The names, those that occur more than once with the name of their root's folder in front."""
    counts = Counter(names)
    taken = {name for name, count in counts.items() if count == 1}
    result = []
    for name, folder in zip(names, folders, strict=True):
        unique = name if counts[name] == 1 else _free(name, folder, taken)
        taken.add(unique)
        result.append(unique)
    return result


def _free(name: str, folder: str, taken: set[str]) -> str:
    number = 1
    candidate = f"{folder}/{name}"
    while candidate in taken:
        number += 1
        candidate = f"{folder} ({number})/{name}"
    return candidate
