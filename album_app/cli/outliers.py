"""`album-app outliers FOLDER`: the photos that fit badly anywhere, the worst fit first."""

import argparse
import json

from album_app.cli.progress import progress_bars
from album_app.cli.sheet_arguments import add_folder, add_quiet
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.photos.cache import Cache

USUAL_COUNT = 20


def configure(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "--count",
        type=int,
        default=USUAL_COUNT,
        metavar="N",
        help=tr("list this number of photos (default: {value})", value=USUAL_COUNT),
    )
    parser.add_argument("--json", action="store_true", help=tr("print the names as JSON"))
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.files import read_album
    from album_app.photos.find import outliers

    if arguments.count < 1:
        raise UsageError(tr("--count is at least 1, not {count}.", count=arguments.count))

    bars = progress_bars(arguments.quiet)
    with Cache.open() as cache:
        photos = read_album(arguments.folder, bars, cache).photos
    with bars(tr("Looking at photos")) as on_progress:
        found = outliers(photos, on_progress=on_progress)[: arguments.count]
    paths = [str(photos[photo].path) for photo in found]
    if arguments.json:
        print(json.dumps({"photos": paths}, indent=2))
    else:
        for path in paths:
            print(printable(path))
    return 0
