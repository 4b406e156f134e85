"""Facts about files, taken from the cache, or read once and then remembered.

The cache keeps two entries of a file: its thumbnail, and its facts with the feature rows.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

import numpy as np

from album_app.language import mark
from album_app.photos.cache import THUMBNAIL, Cache, FileState
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.reading import KEYS, LAB_KEY, RGB_KEY, STORED_KEYS, Facts, Row, lab_of_row
from album_app.photos.records import restored, stored
from album_app.photos.sandbox import FreshReading, headers, readings
from album_app.work import batches_of

FACTS = "facts:8"
"""Names facts in the cache; the number is the version of their content."""
FILES_AT_ONCE = 64
"""Files whose rows are taken from the cache at a time."""
ENTRIES_AT_ONCE = 128
"""Entries that are written into the cache together."""

Found = TypeVar("Found")

Known = Facts | Undecodable | None


def known_facts(files: Sequence[FileState], cache: Cache | None) -> list[Known]:
    """What the cache knows of files: facts, why there are none, or nothing."""
    return [] if cache is None else [_known(content) for content in cache.get(FACTS, files)]


def _known(content: bytes | None) -> Known:
    return None if content is None else restored(Facts, content) or restored(Undecodable, content)


def known_rows(files: Sequence[FileState], key: str, cache: Cache | None) -> Iterator[Row | None]:
    """The feature rows of one kind that the cache knows, in entries of their own or in the facts, one by one."""
    for batch in batches_of(len(files), FILES_AT_ONCE):
        some = [files[i] for i in batch]
        if cache is None:
            yield from [None] * len(some)
        elif key == LAB_KEY:
            yield from _as_lab(list(known_rows(some, RGB_KEY, cache)))
        elif key not in KEYS:
            yield from cache.get_features(some, key)
        else:
            place = STORED_KEYS.index(key)
            for facts in known_facts(some, cache):
                known = facts.rows if isinstance(facts, Facts) else ()
                yield known[place].copy() if known else None  # a view would keep all rows of the file


def _as_lab(rows: Sequence[Row | None]) -> Iterator[Row | None]:
    """The features by CIELAB of those by RGB, made all at once."""
    known = [row for row in rows if row is not None]
    made = iter(lab_of_row(np.stack(known)) if known else ())
    for row in rows:
        yield None if row is None else next(made).copy()


def facts_of(
    files: Sequence[FileState], cache: Cache | None, decoded: bool
) -> Generator[tuple[int, Facts | Undecodable], None, None]:
    """The facts of each file by its place, the known ones first; with `decoded`, those of files that were decoded."""
    known = known_facts(files, cache) or [None] * len(files)
    unknown = []
    for place, (file, facts) in enumerate(zip(files, known, strict=True)):
        if not file.size:  # not even opened: the system's own files look so, and reading one may never end
            yield place, Undecodable(mark("empty file"))
        elif facts is None or (decoded and isinstance(facts, Facts) and not facts.rows):
            unknown.append(place)
        else:
            yield place, facts
    new = [files[place] for place in unknown]
    for place, found in zip(unknown, read_once(new, cache) if decoded else _headers_once(new, cache), strict=True):
        yield place, found.facts if isinstance(found, FreshReading) else found


def read_once(
    files: Sequence[FileState], cache: Cache | None, *, entries_at_once: int = ENTRIES_AT_ONCE
) -> Generator[FreshReading | Undecodable, None, None]:
    """Decode files. What is read goes to the cache now and then, and at the end, also when the caller stops early."""
    return _remembered(files, readings([file.path for file in files]), cache, _entries_of_reading, entries_at_once)


def _headers_once(files: Sequence[FileState], cache: Cache | None) -> Generator[Facts | Undecodable, None, None]:
    found = (item if isinstance(item, Undecodable) else Facts(item) for item in headers([f.path for f in files]))
    return _remembered(files, found, cache, lambda facts: {FACTS: stored(facts)})


def _remembered(
    files: Sequence[FileState],
    found: Iterator[Found | Undecodable],
    cache: Cache | None,
    entries: Callable[[Found], dict[str, bytes]],
    entries_at_once: int = ENTRIES_AT_ONCE,
) -> Generator[Found | Undecodable, None, None]:
    fresh: list[tuple[str, FileState, bytes]] = []
    try:
        for file, item in zip(files, found, strict=True):
            if cache is not None:
                new = _entries_of_fault(item) if isinstance(item, Undecodable) else entries(item)
                fresh += [(kind, file, content) for kind, content in new.items()]
                if len(fresh) >= entries_at_once:
                    cache.put(fresh)
                    fresh = []
            yield item
    finally:
        if cache is not None:
            cache.put(fresh)


def _entries_of_reading(fresh: FreshReading) -> dict[str, bytes]:
    return {THUMBNAIL: fresh.jpeg, FACTS: fresh.content}


def _entries_of_fault(fault: Undecodable) -> dict[str, bytes]:
    """Why a file gives no picture is remembered until the file changes, unless it could not be reached."""
    if fault.fault == "missing":
        return {}
    return {FACTS: stored(fault)}
