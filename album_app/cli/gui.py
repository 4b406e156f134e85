"""`album-app [FOLDER | PROJECT.album | photos...]`: the desktop program."""

import argparse
import os
import sys
from difflib import get_close_matches
from pathlib import Path

from album_app.cli import COMMANDS
from album_app.errors import AlbumError, UsageError
from album_app.language import mark, tr

WITHOUT_SCREEN = mark("There is no display to open a window on; `album-app arrange FOLDER -o SHEET` needs none.")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar=tr("PATH"), help=tr("a folder, a project file, or photos to open")
    )
    parser.add_argument("--sample", action="store_true", help=tr("open the built-in sample album"))


def run(arguments: argparse.Namespace) -> int:
    if arguments.sample and arguments.paths:
        raise UsageError(tr("--sample opens the built-in sample album and goes with no other path"))
    for path in arguments.paths[:1]:
        _check_command(path)
    if not has_display() and not os.environ.get("QT_QPA_PLATFORM"):  # with this variable Qt can run without a display
        missing = next((path for path in arguments.paths if not path.exists()), None)
        raise AlbumError(tr(WITHOUT_SCREEN) if missing is None else _nowhere(missing))
    from album_app.gui.window.app import run as run_window

    return run_window(arguments.paths, arguments.sample)


def _check_command(path: Path) -> None:
    """Refuse a path that does not exist but is almost the name of a command: it is probably mistyped."""
    meant = [] if path.exists() else get_close_matches(str(path), COMMANDS, n=1, cutoff=0.7)
    if meant:
        raise UsageError(tr("{nowhere} Did you mean `album-app {meant}`?", nowhere=_nowhere(path), meant=meant[0]))


def _nowhere(path: Path) -> str:
    return tr("There is no command, file or folder “{path}”.", path=path)


def has_display() -> bool:
    """Whether this computer has a display for a window."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
