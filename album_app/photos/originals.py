"""The user's files are only ever read: what is written must not take the place of one of them."""

from album_app.paths import Replacing
from album_app.photos.album import Album


def replacing(album: Album, agreed: bool = False) -> Replacing:
    """Which existing files a write may replace while an album is open: none of the album's folders and files."""
    files = (*(photo.path for photo in album.photos), *(item.path for item in album.skipped))
    return Replacing(agreed, tuple(dict.fromkeys((*album.roots, *(file.parent for file in files)))), files)
