"""An album: the photos of some folders and files in a natural order, and what was skipped and why."""

import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.file_names import natural_key, unique_names
from album_app.paths import Replacing
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.header import FILE, NO_METADATA, NO_SHOT, Metadata, Shot, when_taken
from album_app.photos.decoding.image_formats import MADE_HERE, is_photo
from album_app.photos.read_once import facts_of
from album_app.photos.reading import Facts
from album_app.photos.walk import Found, Walk, is_companion, stem_of
from album_app.work import OnProgress, Stop, batches_of, in_threads, report, tapering_batches

PathLike = str | os.PathLike[str]
FILES_AT_ONCE = 256
"""Files that a thread reads at a time."""
FEW_AT_ONCE = 8
"""Files that a thread reads at a time while the time for decoding is limited, so that the limit is noticed soon."""
LARGE_FILE_BYTES = 1_500_000
"""A file with at least this many bytes is taken for a photo as cameras make them."""
MANY_LARGE_FILES = 24
"""From this number of large files on, no file is decoded in limited time, because previews are there sooner."""
FIRST_FILES = 1024
"""Where the time for decoding is limited, only this number of files may be decoded at all."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One picture file as it was when the album was scanned; `name` is its identity within the album.

    >>> photo = Photo(Path("trip/sea.jpg"), "sea.jpg", size=1200, mtime_ns=0, width=300, height=200)
    >>> photo.name, photo.width / photo.height, photo.date
    ('sea.jpg', 1.5, None)
    """

    path: Path
    name: str
    size: int
    mtime_ns: int
    width: int
    height: int
    taken: datetime | None = None
    taken_by: str = ""
    """Where the date comes from: CAMERA, NAME, FILE or TABLE of `decoding.header`; empty where it is not known."""
    sharpness: float = 0.0
    """For the comparison with near-duplicates; 0 until near-duplicates were looked for."""
    damage: str = ""
    """Words on what is missing of the picture; empty where nothing is missing."""
    metadata: Metadata = NO_METADATA
    """What people noted about it in its file."""
    camera: str = ""
    shot: Shot = NO_SHOT
    """How it was taken, as far as its file says."""

    @property
    def date(self) -> datetime | None:
        """When it was taken, unless the only date is the time of its file."""
        return None if self.taken_by == FILE else self.taken


@dataclass(frozen=True)
class Skipped:
    """A file or folder that gives no photo: `reason` is for people, `fault` one of `decode.FAULTS`.

    >>> Skipped(Path("trip/notes.txt"), "notes.txt", "not a picture", "unsupported").reason
    'not a picture'
    """

    path: Path
    name: str
    reason: str
    fault: str = "damaged"


@dataclass(frozen=True)
class Album:
    """Photos under unique names, in natural order, and what was skipped.

    >>> album = Album((Path("trip"),), (Photo(Path("trip/sea.jpg"), "sea.jpg", 1200, 0, 300, 200),))
    >>> len(album), album.index_of("sea.jpg"), album.index_of("hill.jpg")
    (1, 0, None)
    """

    roots: tuple[Path, ...]
    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    _index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {photo.name: i for i, photo in enumerate(self.photos)})

    def __len__(self) -> int:
        return len(self.photos)

    @cached_property
    def aspects(self) -> NDArray[np.float32]:
        """Width / height of each photo: (photos,), read-only."""
        found = np.array([photo.width / max(1, photo.height) for photo in self.photos], np.float32)
        found.setflags(write=False)
        return found

    def index_of(self, name: str) -> int | None:
        """Where the photo called `name` is among `photos`; None if it is not."""
        return self._index.get(name)

    def without(self, faults: Mapping[int, Undecodable]) -> "Album":
        """The album with some photos, by index, moved to the skipped ones."""
        kept = tuple(photo for i, photo in enumerate(self.photos) if i not in faults)
        moved = (_skipped(self.photos[i].path, self.photos[i].name, faults[i]) for i in sorted(faults))
        return Album(self.roots, kept, (*self.skipped, *moved))


def scan(
    sources: PathLike | Sequence[PathLike],
    recursive: bool = True,
    cache: Cache | None = None,
    *,
    decode_for: float = 0.0,
    with_sheets: bool = False,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Album:
    """Find the photos in folders (and among single files), decoding each of them once for at most `decode_for` seconds.

    Decoding finds damaged photos, and leaves thumbnails and cheap features in the cache. Only the headers are read of
    files whose turn comes later, and of all files where many are large. A sheet that this program wrote is skipped,
    except `with_sheets` or where it is a source itself.

    >>> from PIL import Image
    >>> Image.new("RGB", (30, 20), "navy").save("sea.png")
    >>> _ = Path("notes.txt").write_text("no photo")
    >>> album = scan(".")
    >>> [(photo.name, photo.width) for photo in album.photos], [item.name for item in album.skipped]
    ([('sea.png', 30)], ['notes.txt'])
    """
    walk = Walk([sources] if isinstance(sources, str | os.PathLike) else sources, recursive, stop)
    files, skipped = _listed(walk, on_progress)
    until, first = time.monotonic() + decode_for, FIRST_FILES if 0 < decode_for < inf else 0

    if first and sum(file.size >= LARGE_FILE_BYTES for file in files) >= MANY_LARGE_FILES:
        until = 0.0  # their previews are there sooner

    def decodes(batch: Sequence[int]) -> bool:
        return time.monotonic() < until and (not first or batch[0] < first)

    def read(batch: Sequence[int]) -> Generator[tuple[int, Facts | Undecodable], None, None]:
        with closing(facts_of([files[i] for i in batch], cache, decodes(batch))) as found:
            for place, facts in found:
                yield batch[place], facts if isinstance(facts, Undecodable) else facts.without_rows()

    facts: dict[int, Facts | Undecodable] = {}
    report(on_progress, 0, len(files))
    for index, item in in_threads(read, _batches(len(files), first), stop=stop):
        facts[index] = item
        report(on_progress, len(facts), len(files))
    return _album(walk.roots, files, facts, skipped, with_sheets)


def _batches(count: int, first: int) -> list[range]:
    """The files to read, only a few at once of the first ones."""
    few = min(count, first)
    rest = tapering_batches(count - few, FILES_AT_ONCE)
    return [*batches_of(few, FEW_AT_ONCE), *(range(few + batch.start, few + batch.stop) for batch in rest)]


def _listed(walk: Walk, on_progress: OnProgress | None) -> tuple[list[Found], list[Skipped]]:
    """The files to look at in natural order, without raw files and films of pictures, and what is skipped."""
    files: list[Found] = []
    skipped: list[Skipped] = []
    for item in walk:
        if item.trouble:
            skipped.append(Skipped(item.path, item.name, item.trouble, "unsupported"))
        else:
            files.append(item)
            report(on_progress, 0, len(files))
    place = {root: i for i, root in enumerate(walk.roots)}
    files.sort(key=lambda item: (place[item.root], natural_key(item.name)))
    return _without_companions(files), skipped


def _without_companions(files: list[Found]) -> list[Found]:
    """The files without raw files and films that lie next to a picture of the same name: together they are one
    photo."""
    others = {item.path: stem_of(item.path) for item in files if is_companion(item.name)}
    if not others:
        return files
    pictures = {stem_of(item.path) for item in files if is_photo(item.name)}
    return [item for item in files if others.get(item.path) not in pictures]


def _album(
    roots: Sequence[Path],
    files: Sequence[Found],
    facts: Mapping[int, Facts | Undecodable],
    skipped: list[Skipped],
    with_sheets: bool,
) -> Album:
    """The album of everything that was found."""
    names = unique_names([item.name for item in files], [item.root.name for item in files])
    photos: list[Photo] = []
    for i, (item, name) in enumerate(zip(files, names, strict=True)):
        found = facts[i]
        if isinstance(found, Undecodable):
            skipped.append(_skipped(item.path, name, found))
        elif found.header.is_sheet and not (with_sheets or item.named):
            skipped.append(Skipped(item.path, name, MADE_HERE, "unsupported"))
        else:
            photos.append(_photo(item, name, found))
    return Album(tuple(roots), tuple(photos), tuple(sorted(skipped, key=lambda item: natural_key(item.name))))


def _photo(item: Found, name: str, facts: Facts) -> Photo:
    header = facts.header
    taken, taken_by = when_taken(header.taken, name, item.mtime_ns)
    return Photo(
        item.path,
        name,
        item.size,
        item.mtime_ns,
        header.width,
        header.height,
        taken,
        taken_by,
        damage=facts.damage,
        metadata=header.metadata,
        camera=header.camera,
        shot=header.shot,
    )


def _skipped(path: Path, name: str, fault: Undecodable) -> Skipped:
    return Skipped(path, name, fault.reason, fault.fault)


@dataclass(frozen=True)
class CachedPhotos:
    """A request to a helper process: photos, and where the cache is (None: the usual place)."""

    photos: tuple[Photo, ...]
    cache_folder: Path | None = None


def replacing(album: Album, agreed: bool = False) -> Replacing:
    """Which existing files a write may replace while an album is open: none of the album's folders and files."""
    files = (*(photo.path for photo in album.photos), *(item.path for item in album.skipped))
    return Replacing(agreed, tuple(dict.fromkeys((*album.roots, *(file.parent for file in files)))), files)
