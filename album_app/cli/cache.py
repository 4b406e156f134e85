"""`album-app cache`: shows or clears the cache of thumbnails and features."""

import argparse

from album_app.errors import AlbumError
from album_app.language import number, tr


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help=tr("forget all thumbnails and features"))


def run(arguments: argparse.Namespace) -> int:
    from album_app.photos.cache import Cache

    with Cache.open() as cache:
        info = cache.info()
        if arguments.clear:
            cache.clear()
        left = cache.info()
        if not left.working and (left.file_bytes or not arguments.clear):
            raise AlbumError(tr("the cache {path} cannot be used here; the program does without it", path=info.path))
        if arguments.clear:
            if left.thumbnails or left.features:
                raise AlbumError(tr("the cache is in use by another program; try again"))
            freed = info.file_bytes - left.file_bytes
            print(tr("Cleared {path} ({size} freed)", path=info.path, size=_megabytes(max(freed, 0))))
            return 0
    size, most = _megabytes(info.file_bytes), _megabytes(info.limit_bytes)
    print(tr("Cache      {path}", path=info.path))
    print(tr("Size       {size} of at most {most}", size=size, most=most))
    print(tr("Thumbnails {count}", count=info.thumbnails))
    for key, count in info.features.items():
        print(tr("Features   {count} {key}", count=count, key=key))
    return 0


def _megabytes(count: int) -> str:
    return f"{number(count / 1e6, 1)} MB"
