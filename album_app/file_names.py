"""Names of files that any system can have: which Windows has not, how it reaches deep folders, what to suggest."""

import re

from album_app.language import mark

FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
LONGEST_PATH = 200
"""Windows finds no path of more than 260 characters by its plain name, nor a file still being written beside it."""


def complaint(name: str) -> str:
    """Why Windows would write no file of this name, or another one; nothing where it would.

    >>> complaint("aux.jpg"), complaint("auxiliary.jpg")
    ('Windows keeps this name for a device', '')
    """
    if name.split(".")[0].rstrip(" ").lower() in DEVICES:
        return mark("Windows keeps this name for a device")
    if name.endswith((".", " ")):
        return mark("on Windows no name ends with a dot or a space")
    found = FORBIDDEN.search(name)
    return mark("on Windows no name has “{character}” in it").format(character=found[0]) if found else ""


def suggested(title: str, otherwise: str) -> str:
    """A name for a file after what it is of, without suffix, that every system can have.

    >>> suggested("Crete: 2024?", "Untitled"), suggested("/", "Untitled"), suggested("con", "Untitled")
    ('Crete- 2024', 'Untitled', 'con_')
    """
    name = FORBIDDEN.sub("-", title).strip(" .-") or otherwise
    return f"{name}_" if complaint(name) else name


def reachable(path: str) -> str:
    r"""An absolute path as Windows finds it however long it is.

    >>> reachable(r"C:\Crete\sheet.png")
    'C:\\Crete\\sheet.png'
    >>> reachable("C:\\" + 300 * "x")[:8], reachable(r"\\server\share" + "\\" + 300 * "x")[:14]
    ('\\\\?\\C:\\x', '\\\\?\\UNC\\server')
    """
    if len(path) <= LONGEST_PATH or path.startswith("\\\\?\\"):
        return path
    return f"\\\\?\\UNC{path[1:]}" if path.startswith("\\\\") else f"\\\\?\\{path}"
