"""`album-app twins FOLDER`: which photos are near-duplicates of each other, best first, as a CSV."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from album_app.photos.album import Photo

COLUMNS = ("stack", "photo", "best", "width", "height", "sharpness", "taken")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the photos, with all folders inside")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.csv", help="where to (default: standard output)")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.pipeline import read_album
    from album_app.cli.progress import Bar
    from album_app.photos.cache import Cache
    from album_app.photos.twins import with_twins

    def bars(label: str) -> Bar:
        return Bar(label, False if arguments.quiet else None)

    with Cache.open() as cache:
        album = read_album(arguments.folder, bars, cache)
        with bars("Comparing photos") as on_progress:
            photos = with_twins(album, cache, on_progress=on_progress).photos
    text = _table(photos)
    if arguments.output is None:
        print(text, end="")
    else:
        _write(text, arguments.output)
    return 0


def _table(photos: "Sequence[Photo]") -> str:
    import csv
    import io

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(photos))
    return text.getvalue()


def _rows(photos: "Sequence[Photo]") -> "Iterator[tuple[object, ...]]":
    from album_app.layout.pins import harmless
    from album_app.photos.names import printable
    from album_app.photos.twins import stacks

    for number, (best, others) in enumerate(sorted(stacks(photos).items()), 1):
        for i in (best, *others):
            photo = photos[i]
            name = harmless(printable(photo.name))
            taken = photo.date.isoformat(" ") if photo.date is not None else ""
            yield number, name, int(i == best), photo.width, photo.height, f"{photo.sharpness:.1f}", taken


def _write(text: str, path: Path) -> None:
    from album_app.errors import AlbumError
    from album_app.paths import atomic_write

    try:
        with atomic_write(path) as temporary:
            temporary.write_bytes(text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise AlbumError(f"The list could not be written to {path}: {error.strerror}.") from error
