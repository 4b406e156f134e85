"""Installs the program into the menus of a Linux desktop (its entry, icons and file type), and removes it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from album_app import shipped_file
from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.own_files import MENU_ENTRY, PROGRAM_ID
from album_app.paths import Replacing, atomic_write, is_file, own_kind

ID = PROGRAM_ID
FILE_TYPE = "application/x-album-app"
FOLDERS = "inode/directory"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
PICTURES = {f"apps/{ID}": "album-app", f"mimetypes/{FILE_TYPE.replace('/', '-')}": "album-file"}
"""The path under which a desktop looks for an icon, and the name of our icon for it."""
TEXTS = {f"applications/{ID}.desktop": ".desktop", f"metainfo/{ID}.metainfo.xml": ".metainfo.xml",
         f"mime/packages/{ID}.xml": ".xml"}  # fmt: skip
REFRESH = (
    ("update-desktop-database", "-q", "applications"),
    ("update-mime-database", "mime"),
    ("gtk-update-icon-cache", "-q", "-t", "-f", "icons/hicolor"),
)
"""Commands that tell a running desktop about the change; their last word is a folder. Any of them may be missing."""
SECONDS_TO_REFRESH = 60

DrawIcon = Callable[[str, int], bytes]
"""Draws one of the program's icons, by its name and width in pixels, as the bytes of a PNG."""


def data_home() -> Path:
    """The folder in which desktops look for the data of this user."""
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def own_command() -> list[str]:
    """The command line that starts this installation from any folder."""
    started = Path(sys.argv[0]).absolute()
    if getattr(sys, "frozen", False):
        return [sys.executable]
    if started.name == "album-app" and os.access(started, os.X_OK):
        return [str(started)]
    return [sys.executable, "-m", "album_app"]


def install(draw_icon: DrawIcon, command: Sequence[str], force: bool = False) -> list[Path]:
    """Write the files for a desktop and return those written; the default program for folders stays the same.

    Files of an earlier installation are replaced, other files only with `force`.
    """
    contents = _contents(draw_icon, command)
    contents = {path: content for path, content in contents.items() if not _holds(path, content)}
    replacing = Replacing(force or _is_installed())
    foreign = next(filter(is_file, contents), None)
    if foreign is not None and not replacing.agreed:
        name = printable(str(foreign))
        raise UsageError(tr("{name} exists, and Album App did not write it; --force replaces it.", name=name))
    for_folders = _default_program(FOLDERS)
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path, replacing=replacing) as temporary:
            temporary.write_bytes(content)
    _refresh()
    if for_folders and _default_program(FOLDERS) != for_folders:
        _run("xdg-mime", "default", for_folders, FOLDERS)
    return list(contents)


def _holds(path: Path, content: bytes) -> bool:
    return is_file(path) and path.read_bytes() == content


def remove() -> list[Path]:
    """Remove the files that `install` wrote, and folders that are empty then; return the removed files."""
    if not _is_installed():
        return []
    found = [path for path in _places() if path.is_file() or path.is_symlink()]
    for path in reversed(found):  # the entry goes last, because it identifies the other files as ours
        path.unlink()
    if found:
        _refresh()
    for path in found:
        for folder in path.relative_to(data_home()).parents[:-1]:
            with suppress(OSError):
                (data_home() / folder).rmdir()
    return found


def _is_installed() -> bool:
    """Whether the program wrote the entry in the menu; then it wrote all files with its ID in their names."""
    return own_kind(data_home() / f"applications/{ID}.desktop") == MENU_ENTRY


def _places() -> list[Path]:
    return [data_home() / name for name in TEXTS] + [path for path, *_ in _icons()]


def _icons() -> list[tuple[Path, str, int]]:
    """The file, the icon and the width in pixels of each picture; width 0 is a vector drawing."""
    home = data_home() / "icons" / "hicolor"
    return [
        (home / (f"{size}x{size}" if size else "scalable") / f"{place}{'.png' if size else '.svg'}", icon, size)
        for place, icon in PICTURES.items()
        for size in (*SIZES, 0)
    ]


def _contents(draw_icon: DrawIcon, command: Sequence[str]) -> dict[Path, bytes]:
    contents = {data_home() / name: shipped_file(f"desktop/{ID}{end}").read_bytes() for name, end in TEXTS.items()}
    entry = data_home() / f"applications/{ID}.desktop"
    contents[entry] = contents[entry].replace(b"Exec=album-app", b"Exec=" + os.fsencode(quoted(command)))
    for path, icon, size in _icons():
        contents[path] = draw_icon(icon, size) if size else shipped_file(f"icons/{icon}.svg").read_bytes()
    return contents


def quoted(command: Sequence[str]) -> str:
    """A command with the quoting of desktop entries.

    >>> quoted(["/home/me/My programs/album-app"])
    '"/home/me/My programs/album-app"'
    >>> quoted(["/usr/bin/python3", "-m", "album_app"])
    '/usr/bin/python3 -m album_app'
    """
    return " ".join(_quoted_word(word) for word in command)


def _quoted_word(word: str) -> str:
    if any(ord(sign) < 32 for sign in word):
        raise AlbumError(tr("No desktop entry can name {word}, because its path holds a line break.", word=repr(word)))
    if word.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum():
        return word
    for sign in ("\\", '"', "`", "$"):
        word = word.replace(sign, "\\" + sign)
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'


def _default_program(file_type: str) -> str:
    """The desktop entry that opens files of a type; empty where that cannot be found out."""
    return _run("xdg-mime", "query", "default", file_type).strip()


def _refresh() -> None:
    for tool, *options, folder in REFRESH:
        if (data_home() / folder).is_dir():
            _run(tool, *options, str(data_home() / folder))


def _run(tool: str, *words: str) -> str:
    """The output of a desktop's tool; without the tool a desktop notices changes by itself, or at the next login."""
    found = shutil.which(tool)
    if found is None:
        return ""
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(
            [found, *words], capture_output=True, text=True, check=False, timeout=SECONDS_TO_REFRESH
        ).stdout
    return ""
