"""Where the photos of a project are: folders relative to the project file first, then where they were when saved.

Photos that are at neither place are missing; `relinked` finds them again among other files.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

from album_app.language import tr
from album_app.layout.project.document import Document
from album_app.layout.project.json_io import Node, Written, list_pieces, with_stored_text
from album_app.paths import is_file, is_folder
from album_app.photos.album import Album, Photo, Skipped
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.header import (
    BEST_RATING,
    CAMERA,
    NO_METADATA,
    NO_ROW,
    NO_SHOT,
    TABLE,
    Metadata,
    Shot,
    when_taken,
)
from album_app.photos.sandbox import read_header

LARGEST_SIDE = 10_000_000
"""Pixels: a larger width or height of a photo shows that the project file is damaged."""

LONGEST_FILE = 2**53
"""Bytes: a larger file size shows that the project file is damaged."""


def pack_place(path: Path, base: Path) -> dict[str, str | None]:
    """A path as a project keeps it, seen from the folder `base` and in full."""
    try:
        relative = Path(os.path.relpath(path, base)).as_posix()
    except ValueError:  # another drive
        relative = None
    return {"relative": relative, "absolute": str(path)}


def unpack_place(node: Node, base: Path) -> list[Path]:
    """Where a path may be now, the likeliest first."""
    relative, absolute = node.get("relative"), Path(node["absolute"].text())
    places = [Path(os.path.normpath(base / relative.text()))] if relative else []
    if absolute.is_absolute() and absolute not in places:
        places.append(absolute)
    return places or [base]


def pack_album(album: Album, base: Path) -> dict[str, Any]:
    """The folders, photos and skipped files of an album."""
    opened, (folders, photos) = frozenset(album.roots), _last_packed.of(album)
    filed = ((item, folders.place_of(item.path)) for item in album.skipped)
    return {
        "folders": [pack_place(root, base) | {"opened": root in opened} for root in folders.numbers],
        "photos": photos,
        "skipped": [_pack_skipped(item, place) for item, place in filed if place is not None],
    }


class _Folders:
    """The folders of an album, numbered: those it was opened from, and the folders of photos that lie elsewhere."""

    def __init__(self, album: Album) -> None:
        self.numbers = {root: number for number, root in enumerate(dict.fromkeys(album.roots))}
        for folder in map(Path, dict.fromkeys(os.path.split(photo.path)[0] for photo in album.photos)):
            if self._around(folder) is None:
                self.numbers[folder] = len(self.numbers)
        self._known: dict[str, tuple[int, str] | None] = {}

    def place_of(self, path: Path) -> _Filed | None:
        """A file in the deepest of the folders that it lies in; None where it lies in none."""
        folder, file = os.path.split(path)
        if folder not in self._known:
            self._known[folder] = self._number_and_way(Path(folder))
        known = self._known[folder]
        return None if known is None else _Filed(known[0], known[1] + file)

    def _number_and_way(self, folder: Path) -> tuple[int, str] | None:
        root = self._around(folder)
        if root is None:
            return None
        return self.numbers[root], "" if folder == root else f"{folder.relative_to(root).as_posix()}/"

    def _around(self, folder: Path) -> Path | None:
        return next((parent for parent in (folder, *folder.parents) if parent in self.numbers), None)


class _LastPacked:
    """What was packed of the last album, as long as it lives: between two autosaves it seldom changes."""

    def __init__(self) -> None:
        self._kept: tuple[ReferenceType[Album], _Folders, Written] | None = None

    def of(self, album: Album) -> tuple[_Folders, Written]:
        """The folders and photos of an album, packed unless they are known."""
        kept = self._kept
        if kept is not None and kept[0]() is album:
            return kept[1:]
        folders = _Folders(album)
        photos = Written(tuple(list_pieces(_pack_photo(photo, folders) for photo in album.photos)))
        self._kept = ref(album, self._let_go), folders, photos
        return folders, photos

    def _let_go(self, album: ReferenceType[Album]) -> None:
        if self._kept is not None and self._kept[0] is album:
            self._kept = None


_last_packed = _LastPacked()


def _pack_photo(photo: Photo, folders: _Folders) -> dict[str, Any]:
    place = folders.place_of(photo.path)
    assert place is not None
    packed = {
        "folder": place.folder,
        "file": place.file,
        "name": photo.name,
        "size": photo.size,
        "mtime_ns": photo.mtime_ns,
        "width": photo.width,
        "height": photo.height,
    }
    taken, taken_by = photo.taken, photo.taken_by
    if taken_by == TABLE:  # the table is read again when the project is opened
        taken, taken_by = when_taken(None, photo.name, photo.mtime_ns)
    if taken is not None:
        packed |= {"taken": taken.isoformat(), "taken_by": taken_by}
    if photo.damage:
        packed |= with_stored_text("damage", photo.damage)
    if photo.camera or photo.shot != NO_SHOT:
        packed |= {"camera": photo.camera, "shot": asdict(photo.shot)}
    notes = replace(photo.metadata, row=NO_ROW)
    if notes != NO_METADATA:
        packed["metadata"] = {name: value for name, value in asdict(notes).items() if name != "row"}
    return packed


def _pack_skipped(item: Skipped, place: _Filed) -> dict[str, Any]:
    return {**asdict(place), "name": item.name, **with_stored_text("reason", item.reason), "fault": item.fault}


@dataclass(frozen=True)
class _Filed:
    """A file of the project: in which of its folders, and where in there."""

    folder: int
    file: str


def unpack_album(node: Node, base: Path) -> tuple[Album, frozenset[int]]:
    """The album of a project as it is found now, and which photos are missing."""
    stored = node["folders"].items()
    photos = node["photos"].items()
    filed = [_filed(photo, len(stored)) for photo in photos]
    files: list[list[str]] = [[] for _ in stored]
    for item in filed:
        files[item.folder].append(item.file)
    folders = [_found(unpack_place(folder, base), inside) for folder, inside in zip(stored, files, strict=True)]
    named = [_unpack_photo(photo, folders[at.folder] / at.file) for photo, at in zip(photos, filed, strict=True)]
    if len({photo.name for photo in named}) < len(named):
        node["photos"].fail(tr("photos of different names"))
    current = [_current(photo) for photo in named]
    roots = [root for root, folder in zip(folders, stored, strict=True) if folder["opened"].boolean()]
    skipped = tuple(_unpack_skipped(item, folders) for item in node["skipped"].items())
    album = Album(tuple(roots), tuple(now or photo for now, photo in zip(current, named, strict=True)), skipped)
    return album, frozenset(index for index, now in enumerate(current) if now is None)


def _found(places: list[Path], files: Sequence[str]) -> Path:
    """The place that holds most of the files, the likeliest of equals."""
    best, most = places[0], -1
    for place in places:
        there = sum(is_file(place / file) for file in files) if is_folder(place) else -1
        if there > most:
            best, most = place, there
        if there == len(files):
            break
    return best


def _filed(node: Node, folders: int) -> _Filed:
    return _Filed(node["folder"].integer(0, folders - 1), inside(node["file"]))


def inside(node: Node) -> str:
    """A path that stays below the folder it is taken from."""
    name = node.text()
    parts = re.split(r"[/\\]", name) if os.name == "nt" else name.split("/")
    climbs = ".." in re.split(r"[/\\]", name)
    if climbs or any(part in ("", ".") for part in parts) or Path(name).is_absolute() or Path(name).drive:
        node.fail(tr("a path inside its folder"))
    return name


def _unpack_photo(node: Node, path: Path) -> Photo:
    taken, by, metadata = (node.get(name) for name in ("taken", "taken_by", "metadata"))
    return Photo(
        path,
        inside(node["name"]),
        node["size"].integer(0, LONGEST_FILE),
        node["mtime_ns"].integer(-(2**63), 2**63),
        node["width"].integer(1, LARGEST_SIDE),
        node["height"].integer(1, LARGEST_SIDE),
        _moment(taken) if taken else None,
        by.text() if by else CAMERA if taken else "",
        damage=node.stored_text("damage"),
        metadata=_unpack_metadata(metadata) if metadata else NO_METADATA,
        camera=camera.text() if (camera := node.get("camera")) else "",
        shot=_unpack_shot(shot) if (shot := node.get("shot")) else NO_SHOT,
    )


def _unpack_shot(node: Node) -> Shot:
    numbers = [node[name].number(0, 1e9) for name in ("seconds", "aperture", "focal_length")]
    return Shot(numbers[0], numbers[1], node["iso"].integer(0, 2**32), numbers[2], node["lens"].text())


def _unpack_metadata(node: Node) -> Metadata:
    return Metadata(
        node["title"].text(),
        node["description"].text(),
        tuple(keyword.text() for keyword in node["keywords"].items()),
        node["rating"].integer(-1, BEST_RATING),
    )


def _moment(node: Node) -> datetime:
    try:
        return datetime.fromisoformat(node.text())
    except ValueError:
        node.fail(tr("a date and time"))


def _current(photo: Photo) -> Photo | None:
    """The photo as its file is now; None if the file is not there."""
    try:
        status = photo.path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    if (status.st_size, status.st_mtime_ns) == (photo.size, photo.mtime_ns):
        return photo
    changed = replace(photo, size=status.st_size, mtime_ns=status.st_mtime_ns)
    try:
        header = read_header(photo.path)
    except Undecodable:
        return changed
    taken, taken_by = when_taken(header.taken, photo.name, status.st_mtime_ns)
    return replace(
        changed,
        width=header.width,
        height=header.height,
        taken=taken,
        taken_by=taken_by,
        metadata=header.metadata,
        camera=header.camera,
        shot=header.shot,
    )


def _unpack_skipped(node: Node, folders: Sequence[Path]) -> Skipped:
    at = _filed(node, len(folders))
    return Skipped(folders[at.folder] / at.file, node["name"].text(), node.stored_text("reason"), node["fault"].text())


Rule = Callable[[Photo], str | Path | tuple[str, int]]
"""What a missing photo and a file must have in common."""


def lost_and_free(document: Document, found: Album) -> tuple[dict[int, Photo], list[Photo]]:
    """The missing photos, and those of the files found that are no photos of the document yet."""
    photos = document.album.photos
    lost = {index: photos[index] for index in sorted(document.missing)}
    in_use = {photo.path for index, photo in enumerate(photos) if index not in lost}
    return lost, [photo for photo in found.photos if photo.path not in in_use]


def relinked(document: Document, found: Album, same: Mapping[int, Photo] | None = None) -> tuple[Document, list[int]]:
    """The document with missing photos replaced by files found, and which photos; no file becomes two photos.

    Where no name tells, the file that is the `same` in content is taken.
    """
    photos = list(document.album.photos)
    matches = _matches(*lost_and_free(document, found))
    taken = {photo.path for photo in matches.values()}
    for index, photo in (same or {}).items():
        if index in document.missing and index not in matches and photo.path not in taken:
            matches[index] = photo
    for index, match in matches.items():
        photos[index] = replace(match, name=photos[index].name)
    roots = tuple(dict.fromkeys([*document.album.roots, *(found.roots if matches else ())]))
    album = replace(document.album, photos=tuple(photos), roots=roots)
    layout = document.layout
    if layout is not None and (layout.photo_at < 0).any() and not set(matches) <= set(layout.shown):
        layout = replace(layout, stage="first")  # there is room for them
    return replace(document, album=album, missing=document.missing - set(matches), layout=layout), sorted(matches)


def _matches(lost: Mapping[int, Photo], files: Sequence[Photo]) -> dict[int, Photo]:
    """The file of the same name for each photo, else of the same file name and size, else the only one so called."""
    often = Counter(photo.path.name for photo in files) | Counter(photo.path.name for photo in lost.values())
    rules: list[Rule] = [
        lambda photo: photo.name,
        lambda photo: (photo.path.name, photo.size),
        lambda photo: photo.path.name if often[photo.path.name] == 1 else photo.path,
    ]
    matches: dict[int, Photo] = {}
    for rule in rules:
        taken = {photo.path for photo in matches.values()}
        free = defaultdict(list)
        for photo in files:
            if photo.path not in taken:
                free[rule(photo)].append(photo)
        for index, photo in lost.items():
            if index not in matches and (candidates := free[rule(photo)]):
                matches[index] = candidates.pop(0)
    return matches
