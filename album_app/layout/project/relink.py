"""Which of the files found in a folder are the missing photos of a document."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from album_app.layout.project.document import Document
from album_app.photos.album import Album, Photo

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
