"""What changed in an album's folders since it was opened or saved: new, changed, moved and missing photos."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from album_app.photos.album import Album, Photo
from album_app.photos.cache import Cache, FileState
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.image_formats import is_photo
from album_app.photos.decoding.measures import FINGERPRINT_KEY
from album_app.photos.read_once import facts_of, known_rows
from album_app.photos.reading import STORED_KEYS, Facts
from album_app.photos.walk import Found
from album_app.work import Stop, check

File = TypeVar("File", bound=FileState)


def same_files(lost: Mapping[int, FileState], files: Sequence[File], stop: Stop | None = None) -> dict[int, File]:
    """The file that each lost photo has become, as far as one is found; each file belongs to one photo at most.

    A file that was only moved keeps its size and time. Where these do not identify it, files of the size of a lost
    photo are read and compared with the fingerprint that the cache has of the photo.
    """
    often = Counter(map(_file_state, files)) | Counter(map(_file_state, lost.values()))
    found = _paired(lost, files, lambda file: _file_state(file) if often[_file_state(file)] == 1 else None)
    taken = {file.path for file in found.values()}
    rest = {index: photo for index, photo in lost.items() if index not in found}
    sizes = {photo.size for photo in rest.values()}
    candidates = [file for file in files if file.path not in taken and file.size in sizes]
    return found | _same_content(rest, candidates, stop) if candidates else found


def _file_state(file: FileState) -> tuple[int, int]:
    return file.size, file.mtime_ns


def _same_content(lost: Mapping[int, FileState], files: Sequence[File], stop: Stop | None) -> dict[int, File]:
    """Photos by their fingerprints, as the cache knows them and the files have them."""
    place = STORED_KEYS.index(FINGERPRINT_KEY)
    with Cache.open() as cache:
        known = known_rows(list(lost.values()), FINGERPRINT_KEY, cache)
        marks = {photo.path: row.tobytes() for photo, row in zip(lost.values(), known, strict=True) if row is not None}
        for index, facts in facts_of(files, cache, decoded=True) if marks else ():
            check(stop)
            if isinstance(facts, Facts):
                marks[files[index].path] = facts.rows[place].tobytes()
    return _paired(lost, files, lambda file: (file.size, marks[file.path]) if file.path in marks else None)


def _paired(
    lost: Mapping[int, FileState], files: Sequence[File], mark: Callable[[FileState], Hashable | None]
) -> dict[int, File]:
    """Each lost photo with the first free file of the same mark; what has none is left alone."""
    free = defaultdict[Hashable, list[File]](list)
    for file in files:
        free[mark(file)].append(file)
    found: dict[int, File] = {}
    for index, photo in lost.items():
        wanted = mark(photo)
        if wanted is not None and free[wanted]:
            found[index] = free[wanted].pop(0)
    return found


PHOTOS_PER_CHECK = 512
"""Photos whose files are looked at between two checks for a stop."""
MOST_DECODED = 64
"""Up to this number of new files are decoded completely, which finds damaged ones; of more files only the headers are
read."""

State = tuple[int, int]
"""The size and the time of a file."""


@dataclass(frozen=True)
class Folder:
    """A folder as it was: its time, and the names of its photos, its folders, and files that only have names of photos.

    A file that is damaged may not be copied completely yet: it is read again once its size or time has changed.
    """

    time: int
    photos: frozenset[str]
    folders: frozenset[str]
    others: frozenset[str] = frozenset()
    damaged: Mapping[str, State] = field(default_factory=dict)


Listing = Mapping[Path, Folder]


@dataclass(frozen=True)
class News:
    """Files that appeared, photos (by index) whose files have changed, and photos whose files are gone.

    A photo whose file now has another name or folder is neither new nor gone: it has `moved` there.
    """

    new: tuple[Path, ...] = ()
    changed: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    moved: Mapping[int, Path] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.new or self.changed or self.gone or self.moved)


def listing(roots: Iterable[Path], recursive: bool, former: Listing | None = None, stop: Stop | None = None) -> Listing:
    """The names of the photos under folders; a folder whose time has not changed since `former` is not listed again.

    Files that `former` does not know are opened, to tell photos from other files and from sheets of this program.
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
                same = folder is known and not _on_their_way(path, folder)
                found[path] = folder if former is None or same else _sifted(path, folder, known, stop)
                waiting += [path / name for name in folder.folders] if recursive else []
    return found


def as_saved(now: Listing, album: Album, project: Path) -> Listing:
    """The folders of a project as they were when it was saved.

    The files that the project names were there. So were files that are older than the project, although it does not
    name them: an album may hold only some photos of a folder. A file that was copied or moved here is as old as its
    entry in the folder.
    """
    saved = _state(project)[1]
    known = {photo.path for photo in album.photos} | {file.path for file in album.skipped}

    def was_there(path: Path) -> bool:
        with suppress(OSError):
            status = path.stat()
            return path in known or max(status.st_mtime_ns, status.st_ctime_ns) <= saved
        return False

    return {
        path: replace(folder, time=0, photos=frozenset(name for name in folder.photos if was_there(path / name)))
        for path, folder in now.items()
    }


def _listed(path: Path, known: Folder | None) -> Folder:
    time = path.stat().st_mtime_ns
    if known is not None and known.time == time:
        return known
    with os.scandir(path) as entries:
        seen = [entry for entry in entries if not entry.name.startswith(".")]
    folders = frozenset(entry.name for entry in seen if entry.is_dir(follow_symlinks=False))
    return Folder(time, frozenset(e.name for e in seen if e.name not in folders and is_photo(e.name)), folders)


def _sifted(path: Path, folder: Folder, known: Folder | None, stop: Stop | None) -> Folder:
    """The folder without files that turn out to be no photos; files that are known are not opened."""
    known = known or Folder(0, frozenset(), frozenset())
    named = folder.photos | folder.others | folder.damaged.keys()
    others, waiting = known.others & named, _on_their_way(path, known)
    damaged = {name: state for name, state in known.damaged.items() if name in named and name not in waiting}
    fresh = sorted(named - known.photos - others - damaged.keys())
    for name, found in zip(fresh, _looked_into([path / name for name in fresh], stop), strict=True):
        if found.fault == "unsupported" if isinstance(found, Undecodable) else found.header.is_sheet:
            others |= {name}
        elif isinstance(found, Undecodable):
            damaged[name] = _state(path / name)
    return replace(folder, photos=named - others - damaged.keys(), others=others, damaged=damaged)


def _looked_into(paths: Sequence[Path], stop: Stop | None) -> list[Facts | Undecodable]:
    """The facts about files, which the cache then knows."""
    found: dict[int, Facts | Undecodable] = {}
    if paths:
        with Cache.open() as cache:
            for place, facts in facts_of([_found(path) for path in paths], cache, len(paths) <= MOST_DECODED):
                check(stop)
                found[place] = facts
    return [found[place] for place in range(len(paths))]


def _on_their_way(path: Path, folder: Folder) -> set[str]:
    """The files that were damaged when last looked into, and have been written to since."""
    return {name for name, state in folder.damaged.items() if _state(path / name) != state}


def _state(path: Path) -> State:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def news(photos: Sequence[Photo], missing: frozenset[int], before: Listing, now: Listing, stop: Stop | None) -> News:
    """What is different now, where `missing` are the photos whose files were not there before."""
    fresh = [
        path / name
        for path, folder in now.items()
        for name in folder.photos.difference(before[path].photos if path in before else ())
    ]
    known = {photo.path for photo in photos} if fresh else set()
    new = sorted(path for path in fresh if path not in known)
    changed, gone = _changed_and_gone(photos, missing, stop)
    lost = {index: photos[index] for index in (*gone, *sorted(missing.difference(changed)))}
    moved = {index: file.path for index, file in same_files(lost, [_found(path) for path in new], stop).items()}
    there = set(moved.values())
    return News(
        tuple(path for path in new if path not in there),
        tuple(changed),
        tuple(index for index in gone if index not in moved),
        moved,
    )


def _changed_and_gone(
    photos: Sequence[Photo], missing: frozenset[int], stop: Stop | None
) -> tuple[list[int], list[int]]:
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
    return changed, gone


def _found(path: Path) -> Found:
    size, time = _state(path)
    return Found(path.parent, path, path.name, size, time)
