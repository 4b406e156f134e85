"""What has become of an album's folders since they were looked at: photos that appeared, changed or vanished.

Cheap however many photos there are: a folder is listed again only where its own time has changed, and of each photo
that is known nothing but its size and time is asked.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from album_app.photos.album import Photo
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.image_formats import is_photo
from album_app.photos.decoding.sandbox import headers
from album_app.work import Stop, check

PHOTOS_PER_CHECK = 512


@dataclass(frozen=True)
class Folder:
    """A folder as it was: its time, and the names of photos, folders, and files that are none in spite of theirs."""

    time: int
    photos: frozenset[str]
    folders: frozenset[str]
    others: frozenset[str] = frozenset()


Listing = Mapping[Path, Folder]


@dataclass(frozen=True)
class News:
    """Files that appeared, photos (by index) whose files are others than before, and those whose files are gone."""

    new: tuple[Path, ...] = ()
    changed: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.changed or self.gone)


def listing(roots: Iterable[Path], recursive: bool, former: Listing | None = None, stop: Stop | None = None) -> Listing:
    """The photos' names under folders; what `former` knows of a folder whose time is the same is taken from there.

    Files that it does not know are opened, to tell photos from others and from sheets that this program wrote.
    """
    found: dict[Path, Folder] = {}
    waiting = list(roots)
    while waiting:
        check(stop)
        path = waiting.pop()
        with suppress(OSError):
            if path not in found:
                known = (former or {}).get(path)
                folder = _listed(path, known)
                found[path] = folder if former is None or folder is known else _sifted(path, folder, known, stop)
                waiting += [path / name for name in folder.folders] if recursive else []
    return found


def _listed(path: Path, known: Folder | None) -> Folder:
    time = path.stat().st_mtime_ns
    if known is not None and known.time == time:
        return known
    with os.scandir(path) as entries:
        seen = [entry for entry in entries if not entry.name.startswith(".")]
    folders = frozenset(entry.name for entry in seen if entry.is_dir(follow_symlinks=False))
    return Folder(time, frozenset(e.name for e in seen if e.name not in folders and is_photo(e.name)), folders)


def _sifted(path: Path, folder: Folder, known: Folder | None, stop: Stop | None) -> Folder:
    """The folder without what turns out to be no photo, once its header is read; what is known is not opened."""
    known = known or Folder(0, frozenset(), frozenset())
    others = known.others & folder.photos
    fresh = sorted(folder.photos - known.photos - others)
    for name, found in zip(fresh, headers([path / name for name in fresh]), strict=True):
        check(stop)
        if found.fault == "unsupported" if isinstance(found, Undecodable) else found.is_sheet:
            others |= {name}
    return replace(folder, photos=folder.photos - others, others=others)


def news(photos: Sequence[Photo], missing: frozenset[int], before: Listing, now: Listing, stop: Stop | None) -> News:
    """What is different now, where `missing` are the photos whose files were not there before."""
    fresh = [
        path / name
        for path, folder in now.items()
        for name in folder.photos.difference(before[path].photos if path in before else ())
    ]
    known = {photo.path for photo in photos} if fresh else set()
    changed, gone = [], []
    for index, photo in enumerate(photos):
        if index % PHOTOS_PER_CHECK == 0:
            check(stop)
        try:
            status = photo.path.stat()
        except OSError:
            if index not in missing:
                gone.append(index)
            continue
        if index in missing or (status.st_size, status.st_mtime_ns) != (photo.size, photo.mtime_ns):
            changed.append(index)
    return News(tuple(sorted(path for path in fresh if path not in known)), tuple(changed), tuple(gone))
