"""What the program remembers between starts: the choices of the user, and the state of the window."""

import base64
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QLockFile

from album_app.language import LANGUAGES, mark, reason, tr
from album_app.layout.options import Options
from album_app.paths import atomic_write, check_writable, preferences_file, private_folder
from album_app.photos.features import ready_titles
from album_app.state_files import Value, read_preferences

log = logging.getLogger("album_app.gui.preferences")

LOCK_MS = 2000
"""The longest wait for another window that writes the file, which takes some milliseconds."""


@dataclass(frozen=True)
class Preference:
    """One line of the preferences dialog.

    `choices` gives the values and the words for them; None means yes or no. With `files`, which are the kinds of files
    to choose from, the value is the path of a file, or empty.
    """

    key: str
    title: str
    default: Any
    choices: Callable[[], dict[str, str]] | None = None
    hint: str = ""
    files: str = ""


PREFERENCES = (
    Preference(
        "theme",
        mark("Theme"),
        "system",
        lambda: {
            "system": tr("Follow the system"),
            "light": tr("Light"),
            "dark": tr("Dark"),
            "contrast": tr("High contrast"),
        },
    ),
    Preference(
        "language",
        mark("Language"),
        "system",
        lambda: {"system": tr("Follow the system")} | LANGUAGES,
        hint=mark("Takes effect at the next start."),
    ),
    Preference(
        "motion",
        mark("Motion"),
        "full",
        lambda: {"full": tr("Photos glide to their places"), "reduced": tr("Reduced: photos appear in place")},
    ),
    Preference(
        "recursive", mark("Include folders inside folders"), True, hint=mark("Takes effect when a folder is opened.")
    ),
    Preference("features", mark("New albums are arranged by"), Options.features, ready_titles),
    Preference(
        "memory",
        mark("Memory for small pictures"),
        "100",
        lambda: {size: f"{size} MB" for size in ("100", "200", "400", "800")},
        hint=mark("Takes effect when an album is opened. Where you zoom in, sharper pictures are read anyway."),
    ),
    Preference("confirm_unsaved", mark("Ask before unsaved work is closed"), True),
    Preference(
        "text_model",
        mark("Text-image model"),
        "",
        files=mark("Weights (*.bin *.pt *.safetensors);;All files (*)"),
        hint=mark("Finds photos by any words. Needs album-app[words] and a model of OpenCLIP."),
    ),
)

_BY_KEY = {preference.key: preference for preference in PREFERENCES}


class Preferences:
    """The choices by their keys, and other values by keys of their own, written in the background as they change.

    Each window writes only what was changed in it, so two programs keep each other's changes. If the file cannot be
    written, `trouble` says why, and changes last as long as the program runs.
    """

    def __init__(self) -> None:
        self._file = preferences_file()
        self.trouble = ""
        try:
            private_folder(self._file.parent)
            check_writable(self._file)
        except OSError as problem:
            self.trouble = reason(problem)
        self._values = read_preferences(keep_damaged=True)
        self._unwritten: dict[str, Value] = {}
        self._collecting = False
        self._changing, self._writing = threading.Lock(), threading.Lock()

    def get(self, key: str) -> Any:
        """The choice for a key of the table."""
        preference = _BY_KEY[key]
        value = self._values.get(f"preferences/{key}", preference.default)
        if preference.files:
            return str(value)
        if preference.choices is None:
            return value in (True, "true", "1")
        return value if value in preference.choices() else preference.default

    def is_chosen(self, key: str) -> bool:
        """Whether the user has ever made a choice for a key of the table, even if it is the default."""
        return f"preferences/{_BY_KEY[key].key}" in self._values

    def set(self, key: str, value: Value) -> None:
        self._keep(f"preferences/{_BY_KEY[key].key}", value)

    def bytes(self, key: str) -> QByteArray | None:
        """The remembered state of a window or splitter."""
        try:
            return QByteArray(base64.b64decode(self.word(key), validate=True)) or None
        except ValueError:
            return None

    def word(self, key: str, default: str = "") -> str:
        """A remembered folder or format, or another text."""
        return str(self._values.get(f"window/{key}", default))

    def remember(self, key: str, value: Value | QByteArray) -> None:
        kept = base64.b64encode(value.data()).decode("ascii") if isinstance(value, QByteArray) else value
        self._keep(f"window/{key}", kept)

    def _keep(self, key: str, value: Value) -> None:
        if self._values.get(key) == value:
            return
        with self._changing:
            is_first = not self._unwritten
            self._values[key] = self._unwritten[key] = value
        if is_first and not self._collecting:
            threading.Thread(target=self.save, name="preferences", daemon=True).start()

    @contextmanager
    def saved_together(self) -> Iterator[None]:
        """Write what is remembered within the block at its end, in this thread."""
        self._collecting = True
        try:
            yield
        finally:
            self._collecting = False
            self.save()

    def save(self) -> None:
        """Write what changed since the last time."""
        with self._writing:
            with self._changing:
                changed, self._unwritten = self._unwritten, {}
            if not changed:
                return
            try:
                private_folder(self._file.parent)
                lock = QLockFile(str(self._file.with_suffix(".lock")))
                is_locked = lock.tryLock(LOCK_MS)
                text = json.dumps(read_preferences(keep_damaged=True) | changed, indent=1)
                with atomic_write(self._file) as temporary:
                    temporary.write_text(text, encoding="ascii")
                if is_locked:
                    lock.unlock()
            except OSError as problem:
                log.warning("Preferences cannot be written: %s", problem)
