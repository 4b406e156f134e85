"""`album-app cache`: what the cache of thumbnails and features holds, or nothing any more."""

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="forget all thumbnails and features")


def run(arguments: argparse.Namespace) -> int:
    from album_app.errors import AlbumError
    from album_app.photos.cache import Cache

    with Cache.open() as cache:
        info = cache.info()
        if not info.working:
            raise AlbumError(f"the cache {info.path} cannot be used here; the program does without it")
        if arguments.clear:
            cache.clear()
            left = cache.info()
            if left.thumbnails or left.features:
                raise AlbumError("the cache is in use by another program; try again")
            freed = info.file_bytes - left.file_bytes
            print(f"Cleared {info.path} ({_megabytes(max(freed, 0))} freed)")
            return 0
    print(f"Cache      {info.path}")
    print(f"Size       {_megabytes(info.file_bytes)} of at most {_megabytes(info.limit_bytes)}")
    print(f"Thumbnails {info.thumbnails}")
    for key, count in info.features.items():
        print(f"Features   {count} {key}")
    return 0


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
