"""An album: the photos of some folders and files in a natural order, and what was skipped and why."""

import os
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from album_app.photos.decode import Undecodable
from album_app.photos.header import Header, read_header
from album_app.photos.in_threads import batches_of, in_threads
from album_app.photos.names import natural_key, unique_names
from album_app.photos.walk import Found, Walk
from album_app.work import OnProgress, Stop, report

PathLike = str | os.PathLike[str]
HEADERS_AT_ONCE = 32


@dataclass(frozen=True)
class Photo:
    """One picture file as it was when the album was scanned; `name` is its identity within the album."""

    path: Path
    name: str
    size: int
    mtime_ns: int
    width: int
    height: int
    taken: datetime | None = None
    twins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skipped:
    """Something that is no photo: `reason` is for people, `fault` one of "missing", "unsupported", "damaged"."""

    path: Path
    name: str
    reason: str
    fault: str = "damaged"


@dataclass(frozen=True)
class Album:
    """Photos under unique names, in natural order, and what was skipped."""

    roots: tuple[Path, ...]
    photos: tuple[Photo, ...]
    skipped: tuple[Skipped, ...] = ()
    _index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {photo.name: i for i, photo in enumerate(self.photos)})

    def __len__(self) -> int:
        return len(self.photos)

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
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Album:
    """Find the photos in folders (and among single files) by reading the files' headers alone."""
    walk = Walk([sources] if isinstance(sources, str | os.PathLike) else sources, recursive, stop)
    files: list[Found] = []
    skipped: list[Skipped] = []
    for item in walk:
        if item.trouble:
            skipped.append(Skipped(item.path, item.name, item.trouble, "unsupported"))
        else:
            files.append(item)
            report(on_progress, 0, len(files))
    order = {root: i for i, root in enumerate(walk.roots)}
    files.sort(key=lambda item: (order[item.root], natural_key(item.name)))
    photos: list[Photo] = []
    headers = _headers(files, on_progress, stop)
    names = unique_names([item.name for item in files], [item.root.name for item in files])
    for item, name, header in zip(files, names, headers, strict=True):
        if isinstance(header, Undecodable):
            skipped.append(_skipped(item.path, name, header))
        else:
            photos.append(Photo(item.path, name, item.size, item.mtime_ns, header.width, header.height, header.taken))
    return Album(tuple(walk.roots), tuple(photos), tuple(sorted(skipped, key=lambda item: natural_key(item.name))))


def _headers(files: Sequence[Found], on_progress: OnProgress | None, stop: Stop | None) -> list[Header | Undecodable]:
    """The header of every file, or why it has none."""

    def read(batch: Sequence[int]) -> Generator[tuple[int, Header | Undecodable], None, None]:
        for index in batch:
            try:
                yield index, read_header(files[index].path)
            except Undecodable as fault:
                yield index, fault

    headers: dict[int, Header | Undecodable] = {}
    report(on_progress, 0, len(files))
    for index, header in in_threads(read, batches_of(len(files), HEADERS_AT_ONCE), stop=stop):
        headers[index] = header
        report(on_progress, len(headers), len(files))
    return [headers[index] for index in range(len(files))]


def _skipped(path: Path, name: str, fault: Undecodable) -> Skipped:
    return Skipped(path, name, fault.reason, fault.fault)
