"""`album-app [FOLDER | PROJECT.album | photos...]`: the desktop program."""

import argparse
import os
import sys
from pathlib import Path

from album_app.errors import AlbumError, UsageError

WITHOUT_SCREEN = "There is no display to open a window on; `album-app arrange FOLDER -o SHEET` needs none."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="a folder, a project file, or photos to open"
    )
    parser.add_argument("--sample", action="store_true", help="open the built-in sample album")


def run(arguments: argparse.Namespace) -> int:
    if arguments.sample and arguments.paths:
        raise UsageError("--sample opens the built-in sample album and goes with no other path")
    if not has_display() and not os.environ.get("QT_QPA_PLATFORM"):  # Qt can be told to do without one
        missing = next((path for path in arguments.paths if not path.exists()), None)
        raise AlbumError(WITHOUT_SCREEN if missing is None else f"There is no file or folder {str(missing)!r}.")
    from album_app.gui.window.app import run as run_window

    return run_window(arguments.paths, arguments.sample)


def has_display() -> bool:
    """Whether a window could be shown here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
