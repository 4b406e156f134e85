"""`album-app [FOLDER | PROJECT.album | photos...]`: the desktop program."""

import argparse
from pathlib import Path

from album_app.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="a folder, a project file, or photos to open"
    )
    parser.add_argument("--sample", action="store_true", help="open the built-in sample album")


def run(arguments: argparse.Namespace) -> int:
    if arguments.sample and arguments.paths:
        raise UsageError("--sample opens the built-in sample album and goes with no other path")
    from album_app.gui.window.app import run as run_window

    return run_window(arguments.paths, arguments.sample)
