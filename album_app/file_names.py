"""Names of files and photos: which ones Windows refuses, how to sort them, how to show them.

A photo's name keeps the bytes of its file's real name, as Python does (`surrogateescape`), so that it leads back to the
file. It survives JSON (with `ensure_ascii`) and text files written with `errors="surrogateescape"`; what is shown on a
screen is `printable(name)`.
"""

import re
from collections import Counter
from collections.abc import Sequence

from album_app.language import StoredText, mark

FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
MARK = "\ufffd"
"""Stands in place of characters that cannot be shown."""
_DIRECTION_MARKS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], MARK)
LONGEST_PATH = 200
"""Characters; a longer path gets a prefix on Windows, where a plain path has at most 260 characters.

The difference leaves room for the name of an unfinished file in the folder.
"""


def complaint(name: str) -> str:
    """Why Windows could not write a file of this name, or would give it another one; empty where it can write it.

    >>> complaint("aux.jpg"), complaint("auxiliary.jpg")
    ('Windows keeps this name for a device', '')
    """
    if name.split(".")[0].rstrip(" ").lower() in DEVICES:
        return mark("Windows keeps this name for a device")
    if name.endswith((".", " ")):
        return mark("on Windows no name ends with a dot or a space")
    found = FORBIDDEN.search(name)
    return StoredText("on Windows no name has “{character}” in it", character=found[0]) if found else ""


def suggested(title: str, otherwise: str) -> str:
    """A file name without suffix for a title, valid on every system; `otherwise` where no valid character is left.

    >>> suggested("Crete: 2024?", "Untitled"), suggested("/", "Untitled"), suggested("con", "Untitled")
    ('Crete- 2024', 'Untitled', 'con_')
    """
    name = FORBIDDEN.sub("-", title).strip(" .-") or otherwise
    return f"{name}_" if complaint(name) else name


def reachable(path: str) -> str:
    r"""An absolute path in the form in which Windows accepts any length.

    >>> reachable(r"C:\Crete\sheet.png")
    'C:\\Crete\\sheet.png'
    >>> reachable("C:\\" + 300 * "x")[:8], reachable(r"\\server\share" + "\\" + 300 * "x")[:14]
    ('\\\\?\\C:\\x', '\\\\?\\UNC\\server')
    """
    if len(path) <= LONGEST_PATH or path.startswith("\\\\?\\"):
        return path
    return f"\\\\?\\UNC{path[1:]}" if path.startswith("\\\\") else f"\\\\?\\{path}"


def natural_key(name: str) -> tuple[object, ...]:
    """Sorts names as people do: folder by folder, numbers by value, upper and lower case together."""
    return (*(_natural_part(part) for part in name.casefold().split("/")), ((name, 0),))


def _natural_part(part: str) -> tuple[tuple[str, int], ...]:
    """A pair for each character and for each run of digits, which sorts by its value among the digits."""
    pieces = re.findall(r"\d+|\D", part)
    return tuple(("0", int(piece)) if piece.isdecimal() else (piece, 0) for piece in pieces)


LONGEST_MESSAGE = 480
"""Characters of a message to the user; with the program's name in front of it, it stays below 500."""


def bounded(message: str) -> str:
    """The message, without its middle if it is very long because of very long names.

    >>> bounded("short"), len(bounded("n" * 5000))
    ('short', 479)
    """
    half = LONGEST_MESSAGE // 2 - 1
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:half]}…{message[-half:]}"


def undirected(text: str) -> str:
    """The text with marks in place of characters that change the direction of writing."""
    return text.translate(_DIRECTION_MARKS)


def printable(name: str) -> str:
    """The name as it is shown: each undecodable byte and control character is replaced by a mark."""
    clean = name.encode("utf-8", "replace").decode("utf-8") if any("\ud800" <= c <= "\udfff" for c in name) else name
    return "".join(character if character.isprintable() else MARK for character in clean)


def unique_names(names: Sequence[str], folders: Sequence[str]) -> list[str]:
    """The names; a name that occurs more than once gets the name of its album folder in front."""
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
