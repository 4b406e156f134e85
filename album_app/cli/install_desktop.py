"""`album-app install-desktop`: puts the program into the menus of a Linux desktop, or removes it."""

import argparse
import sys

from album_app.cli.sheet_arguments import add_force
from album_app.errors import AlbumError
from album_app.language import tr, trn


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help=tr("remove everything that was installed"))
    add_force(parser, has_folder=False)


def run(arguments: argparse.Namespace) -> int:
    from album_app.desktop import data_home, install, own_command, remove

    if sys.platform in ("win32", "darwin"):
        raise AlbumError(tr("`install-desktop` is for Linux desktops; elsewhere start `album-app` from a terminal."))
    if arguments.remove:
        files, home = remove(), str(data_home())
        removed = trn(
            "Removed {count} file from {folder}.", "Removed {count} files from {folder}.", len(files), folder=home
        )
        print(removed if files else tr("There was nothing to remove."))
        return 0
    from album_app.gui.style.icons import png

    install(png, own_command(), arguments.force)
    print(tr("Album App is in the menu now, and opens its projects: see {folder}.", folder=str(data_home())))
    print(tr("`album-app install-desktop --remove` takes everything away again."))
    return 0
