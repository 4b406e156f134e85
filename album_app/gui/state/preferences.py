"""What the program remembers between starts: a table of choices, and the window's own state."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from album_app.language import LANGUAGES, mark, reason, tr
from album_app.layout.options import Options
from album_app.paths import check_writable, preferences_file, private_file, private_folder
from album_app.photos.features import ready_titles


@dataclass(frozen=True)
class Preference:
    """One choice of the preferences dialog; `choices` gives values and what is shown for them, None means yes or no."""

    key: str
    title: str
    default: Any
    choices: Callable[[], dict[str, str]] | None = None
    hint: str = ""


PREFERENCES = (
    Preference(
        "theme",
        mark("Theme"),
        "system",
        lambda: {"system": tr("Follow the system"), "light": tr("Light"), "dark": tr("Dark")},
    ),
    Preference(
        "language",
        mark("Language"),
        "system",
        lambda: {"system": tr("Follow the system")} | LANGUAGES,
        hint=mark("Used from the next start on."),
    ),
    Preference(
        "motion",
        mark("Motion"),
        "full",
        lambda: {"full": tr("Photos glide to their places"), "reduced": tr("Reduced: photos appear in place")},
    ),
    Preference("recursive", mark("Include folders inside folders"), True, hint=mark("Used when a folder is opened.")),
    Preference("features", mark("New albums are arranged by"), Options.features, ready_titles),
    Preference(
        "memory",
        mark("Memory for small pictures"),
        "100",
        lambda: {size: f"{size} MB" for size in ("100", "200", "400", "800")},
        hint=mark("Used when an album is opened; sharper pictures are read where you look."),
    ),
    Preference("confirm_unsaved", mark("Ask before unsaved work is closed"), True),
)

_BY_KEY = {preference.key: preference for preference in PREFERENCES}


class Preferences:
    """Choices by key, and anything else under a key of its own; written as they change.

    Where they cannot be written they hold as long as the program runs, and `trouble` says why.
    """

    def __init__(self) -> None:
        file = preferences_file()
        self.trouble = ""
        try:
            private_folder(file.parent)
            private_file(file)
            check_writable(file)
        except OSError as problem:
            self.trouble = reason(problem)
        self._settings = QSettings(str(file), QSettings.Format.IniFormat)

    def get(self, key: str) -> Any:
        """The choice for a key of the table."""
        preference = _BY_KEY[key]
        value = self._settings.value(f"preferences/{key}", preference.default)
        if preference.choices is None:
            return value in (True, "true", "1")
        return value if value in preference.choices() else preference.default

    def is_chosen(self, key: str) -> bool:
        """Whether the user has ever said something else or the same about a key of the table."""
        return self._settings.contains(f"preferences/{_BY_KEY[key].key}")

    def set(self, key: str, value: Any) -> None:
        self._settings.setValue(f"preferences/{_BY_KEY[key].key}", value)

    def bytes(self, key: str) -> QByteArray | None:
        """The remembered state of a window or splitter."""
        value = self._settings.value(f"window/{key}")
        return value if isinstance(value, QByteArray) else None

    def word(self, key: str, default: str = "") -> str:
        """A remembered folder, format, or such."""
        return str(self._settings.value(f"window/{key}", default))

    def remember(self, key: str, value: Any) -> None:
        self._settings.setValue(f"window/{key}", value)

    def save(self) -> None:
        self._settings.sync()
