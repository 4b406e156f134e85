"""The user's photos are only ever read: what is written must not be one of them."""

import os
from pathlib import Path

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.photos.album import Album, Photo, Skipped


def same_file(album: Album, target: Path) -> list[Photo | Skipped]:
    """The files found with an album that are this very file, by whatever name."""
    try:
        wanted = target.stat()
    except OSError:
        return []
    everything: tuple[Photo | Skipped, ...] = (*album.photos, *album.skipped)
    return [item for item in everything if _is_same(item.path, wanted)]


def refuse_original(album: Album, target: Path) -> None:
    """Raise `UsageError` where a file to be written is one of the album's pictures, be it a damaged or a huge one."""
    found = same_file(album, target)
    if any(not isinstance(item, Skipped) or item.fault in ("damaged", "too large") for item in found):
        raise UsageError(
            tr("{target} is one of the photos and must not be overwritten.", target=printable(str(target)))
        )


def _is_same(path: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), status)
    except OSError:
        return False
