"""Small files in the state folder: JSON of plain values, read safely even if they are damaged or hostile."""

import json
import logging
import math
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from album_app.paths import PathLike, is_file, preferences_file, read_bounded

log = logging.getLogger("album_app.state_files")

LARGEST_BYTES = 1_000_000
"""Size of the largest file that is read; the program itself writes far smaller ones."""
OLD_PREFERENCES = "preferences.ini"
"""The file in which earlier versions kept preferences; they are still read."""
DAMAGED = ".damaged"
"""The suffix of a file that was set aside because it could not be read; it is kept, so that its content is not lost."""
_set_aside: list[Path] = []
_naming = threading.Lock()
"""Held while a file is renamed and remembered, so that `newly_set_aside` never misses a file that is gone."""
_SECTION = re.compile(r"\[(preferences|window)\]")
_PLAIN_LINE = re.compile(r"([A-Za-z0-9_%\\ ]{1,60})=([^@\"\\\x00-\x1f]{0,2000})")

Value = str | bool
"""The types of a preference; bytes are kept as base64."""


def read_state(path: PathLike) -> Any:
    """The JSON in a file; None where there is no file, or where it cannot be read. Infinite numbers are refused."""
    return _read(path)[0]


def _read(path: PathLike, kind: type = object) -> tuple[Any, bool]:
    """The JSON in a file, and whether the file is damaged or holds something other than a `kind`."""
    try:
        text = read_bounded(path, LARGEST_BYTES).decode("utf-8", "surrogateescape")
        found = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except FileNotFoundError:
        return None, False
    except (OSError, ValueError, RecursionError) as problem:
        log.warning("%r cannot be read: %s", str(path), problem)
        return None, True
    return found, not isinstance(found, kind)


def read_or_set_aside(path: Path, kind: type) -> Any:
    """The JSON in a file; None where there is no file, and where it does not hold a `kind`, which sets it aside."""
    found, is_damaged = _read(path, kind)
    if is_damaged:
        set_aside(path)
        return None
    return found


def set_aside(path: Path) -> None:
    """Rename a damaged file, and remember it for `newly_set_aside`."""
    if not is_file(path):
        return
    with _naming, suppress(OSError):
        path.replace(path.with_suffix(DAMAGED))
        log.warning("%s is damaged and set aside.", path.name)
        _set_aside.append(path.with_suffix(DAMAGED))


def newly_set_aside() -> list[Path]:
    """The files that were set aside since the last call."""
    with _naming:
        found, _set_aside[:] = list(_set_aside), []
    return found


def read_preferences(keep_damaged: bool = False) -> dict[str, Value]:
    """The user's preferences by key; those of an earlier version if there is no newer file.

    With `keep_damaged` a damaged file is set aside, as the window wants it; commands leave the file where it is.
    """
    file = preferences_file()
    found = read_or_set_aside(file, dict) if keep_damaged else read_state(file)
    if isinstance(found, dict):
        return {key: value for key, value in found.items() if isinstance(value, Value)}
    return _old_preferences(file.with_name(OLD_PREFERENCES))


def _old_preferences(path: Path) -> dict[str, Value]:
    """The plain values in an INI file; lines that encode other values are left out and never decoded."""
    try:
        lines = read_bounded(path, LARGEST_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return {}
    kept: dict[str, Value] = {}
    section = ""
    for line in lines:
        if line.startswith("["):
            match = _SECTION.fullmatch(line)
            section = match[1] if match else ""
        elif section and (match := _PLAIN_LINE.fullmatch(line)):
            key = match[1].replace("%20", " ").replace("\\", "/")
            value = match[2]
            kept[f"{section}/{key}"] = value == "true" if value in ("true", "false") else value
    return kept


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is too large")
    return value
