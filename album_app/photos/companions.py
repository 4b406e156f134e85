"""Companions of photos: a raw file or a film next to a picture of the same name, and files that describe photos."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from album_app.photos.decoding.image_formats import is_photo, is_raw, is_video


def is_companion(name: str) -> bool:
    """Whether a file of this name belongs to a picture of the same name, if there is one."""
    return is_raw(name) or is_video(name)


SIDECAR_SUFFIXES = (".xmp", ".json", ".aae", ".pp3", ".dop", ".thm")
"""Files in which phones, clouds and editing programs describe photos; they are no pictures and no faults."""


def is_sidecar(name: str) -> bool:
    """Whether a file describes photos by its name.

    >>> is_sidecar("sea.jpg.XMP"), is_sidecar("sea.jpg.supplemental-metadata.json"), is_sidecar("sea.jpg")
    (True, True, False)
    """
    return name.lower().endswith(SIDECAR_SUFFIXES)


def stem_of(path: Path) -> str:
    """What a picture and its companions have in common."""
    return os.fspath(path.with_suffix("")).casefold()


def companions_of(pictures: Iterable[Path]) -> dict[Path, list[Path]]:
    """The companions of those pictures that have some; each folder is listed once, and no file is opened.

    >>> for name in ("sea.jpg", "sea.nef", "hill.jpg"):
    ...     Path(name).touch()
    >>> [file.name for file in companions_of([Path("sea.jpg"), Path("hill.jpg")])[Path("sea.jpg")]]
    ['sea.nef']
    """
    wanted = [path for path in pictures if is_photo(path.name) and not is_companion(path.name)]
    by_stem: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(path.parent for path in wanted):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if is_companion(entry.name):
                    by_stem.setdefault(stem_of(folder / entry.name), []).append(folder / entry.name)
    return {path: sorted(by_stem[stem_of(path)]) for path in wanted if stem_of(path) in by_stem}
