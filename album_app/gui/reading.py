"""What the loading threads do: folders to documents, photos to thumbnails and colours, albums to features."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.gui.changes import reading_order
from album_app.gui.jobs import Task
from album_app.gui.pictures import as_pixels
from album_app.gui.vectors import COLOUR, Features
from album_app.layout.document import Document
from album_app.layout.options import Options
from album_app.layout.shapes import ShapeSpec, build_shape

if TYPE_CHECKING:
    from album_app.photos.album import Album, Photo
    from album_app.photos.cache import Cache

CHUNK = 64


def read_folder(paths: list[Path], recursive: bool, options: Options, task: Task) -> Document:
    """A new document of what is found at the paths, laid out in reading order until it is arranged."""
    from album_app.photos.album import scan

    album = scan(paths, recursive, on_progress=task.progress, stop=task.stop)
    if not len(album):
        raise UsageError(_nothing_found(paths, album))
    spec = ShapeSpec()
    shape = build_shape(spec, len(album))
    return Document(album, spec, shape, options=options, layout=reading_order(shape, range(len(album))))


def _nothing_found(paths: list[Path], album: "Album") -> str:
    where = f"“{paths[0].name}”" if len(paths) == 1 else "what was dropped"
    if not album.skipped:
        return f"There are no photos in {where}."
    return f"None of the {len(album.skipped)} files in {where} could be read as a photo ({album.skipped[0].reason})."


def read_photos(wanted: Sequence[tuple[int, "Photo"]], side: int, task: Task) -> None:
    """Send ("pixels", photo, pixels) for each photo and ("colours", photos, rows) for each chunk of them."""
    from album_app.photos.cache import Cache
    from album_app.photos.features import extractor

    colour = extractor(COLOUR)
    cache = Cache.open()
    try:
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            found = _read_chunk(chunk, cache, side, task)
            if found:
                task.send(("colours", [index for index, _ in found], colour.extract([rgb for _, rgb in found])))
            task.progress(start + len(chunk), len(wanted))
    finally:
        cache.close()


def _read_chunk(
    chunk: Sequence[tuple[int, "Photo"]], cache: "Cache", side: int, task: Task
) -> list[tuple[int, NDArray[np.uint8]]]:
    """Read some thumbnails, send their pixels one by one, and give those that could be read."""
    from album_app.photos.thumbnails import load_thumbnails

    def on_thumbnail(place: int, rgb: NDArray[np.uint8] | None) -> None:
        task.send(("pixels", chunk[place][0], None if rgb is None else as_pixels(rgb, side)))

    thumbnails = load_thumbnails([photo for _, photo in chunk], cache, on_thumbnail=on_thumbnail, stop=task.stop)
    return [(index, rgb) for (index, _), rgb in zip(chunk, thumbnails, strict=True) if rgb is not None]


def extract(photos: Sequence["Photo"], name: str, task: Task) -> Features:
    """The features of a whole album; torch runs in a process of its own, so that the window never waits for it."""
    from album_app.photos.cache import Cache
    from album_app.photos.features import album_features, extractor

    if extractor(name).needs_torch:
        from album_app.photos.features.worker import extract_in_process

        return extract_in_process(photos, name, on_progress=task.progress, stop=task.stop)
    cache = Cache.open()
    try:
        return album_features(photos, name, cache, on_progress=task.progress, stop=task.stop)
    finally:
        cache.close()
