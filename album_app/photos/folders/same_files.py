"""Which files are photos that were lost, under another name or in another place: by size, and by time or content."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from album_app.photos.cache import Cache, FileState
from album_app.photos.decoding.fingerprint import KEY
from album_app.photos.read_once import Facts, facts_of, known_rows
from album_app.photos.reading import KEYS
from album_app.work import Stop, check

File = TypeVar("File", bound=FileState)


def same_files(lost: Mapping[int, FileState], files: Sequence[File], stop: Stop | None = None) -> dict[int, File]:
    """The file that each lost photo is now; no file is two photos.

    A file that was only moved keeps its time. Where that tells nothing, those of a lost photo's size are read, and
    compared with what the cache remembers of the photo.
    """
    often = Counter(map(_state, files)) | Counter(map(_state, lost.values()))
    found = _paired(lost, files, lambda file: _state(file) if often[_state(file)] == 1 else None)
    taken = {file.path for file in found.values()}
    rest = {index: photo for index, photo in lost.items() if index not in found}
    sizes = {photo.size for photo in rest.values()}
    candidates = [file for file in files if file.path not in taken and file.size in sizes]
    return found | _same_content(rest, candidates, stop) if candidates else found


def _state(file: FileState) -> tuple[int, int]:
    return file.size, file.mtime_ns


def _same_content(lost: Mapping[int, FileState], files: Sequence[File], stop: Stop | None) -> dict[int, File]:
    """Photos by their fingerprints, as the cache knows them and the files have them."""
    place = KEYS.index(KEY)
    with Cache.open() as cache:
        known = known_rows(list(lost.values()), KEY, cache)
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
