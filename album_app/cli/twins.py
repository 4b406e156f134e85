"""`album-app twins FOLDER`: which photos are near-duplicates of each other, best first, as a CSV."""

import argparse
from pathlib import Path

from album_app.language import tr


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar=tr("FOLDER"), help=tr("the photos, with all folders inside"))
    parser.add_argument(
        "-o", "--output", type=Path, metavar=tr("FILE.csv"), help=tr("where to (default: standard output)")
    )
    parser.add_argument("--quiet", action="store_true", help=tr("show no progress"))


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.pipeline import read_album
    from album_app.cli.progress import Bar
    from album_app.layout.editing.stacks import stacks_csv, write_stacks_csv
    from album_app.photos.cache import Cache
    from album_app.photos.twins import near_duplicates

    def bars(label: str) -> Bar:
        return Bar(label, False if arguments.quiet else None)

    with Cache.open() as cache:
        album = read_album(arguments.folder, bars, cache)
        with bars(tr("Comparing photos")) as on_progress:
            found = near_duplicates(album, cache, on_progress=on_progress)
    if arguments.output is None:
        print(stacks_csv(found.photos, found.groups), end="")
    else:
        write_stacks_csv(arguments.output, found.photos, found.groups)
    return 0
