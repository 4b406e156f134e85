"""`album-app twins FOLDER`: which photos are near-duplicates of each other, best first, as a CSV."""

import argparse

from album_app.cli.progress import progress_bars
from album_app.cli.sheet_arguments import Once, add_folder, add_force, add_quiet, file_path
from album_app.language import tr
from album_app.own_files import STACK_LIST
from album_app.paths import Replacing
from album_app.photos.album import replacing
from album_app.photos.cache import Cache


def configure(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=file_path,
        action=Once,
        metavar=tr("FILE.csv"),
        help=tr("write to this file (default: standard output)"),
    )
    add_force(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.files import read_album, refuse_foreign
    from album_app.layout.editing.stacks import stacks_csv, write_stacks_csv
    from album_app.photos.near_duplicates import near_duplicates
    from album_app.render import check_folder

    bars = progress_bars(arguments.quiet)
    output, force = arguments.output, arguments.force
    if output is not None:
        check_folder(output)
        refuse_foreign(output, STACK_LIST, Replacing(force, (arguments.folder,)))
    with Cache.open() as cache:
        album = read_album(arguments.folder, bars, cache)
        kept = replacing(album, force)
        if output is not None:
            refuse_foreign(output, STACK_LIST, kept)
        with bars(tr("Comparing photos")) as on_progress:
            found = near_duplicates(album, cache, on_progress=on_progress)
    if output is None:
        print(stacks_csv(found.photos, found.groups), end="")
    else:
        write_stacks_csv(output, found.photos, found.groups, kept)
    return 0
