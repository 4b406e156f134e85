"""`album-app install-desktop`: the program in the menus of a Linux desktop, or there no more."""

import argparse
import sys

from album_app.errors import AlbumError

ELSEWHERE = "install-desktop is for Linux desktops; on Windows and macOS start album-app from a terminal."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help="take away everything that was installed")


def run(arguments: argparse.Namespace) -> int:
    from album_app.desktop import data_home, install, own_command, remove

    if sys.platform in ("win32", "darwin"):
        raise AlbumError(ELSEWHERE)
    if arguments.remove:
        files = remove()
        print(f"Removed {len(files)} files from {data_home()}." if files else "There was nothing to remove.")
        return 0
    from album_app.gui.style.icons import png

    files = install(png, own_command())
    print(f"Album App is in the menu now, and opens .album files: {len(files)} files in {data_home()}.")
    print("`album-app install-desktop --remove` takes them away again.")
    return 0
