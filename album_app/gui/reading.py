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
    """Send ("pixels", photo, pixels or why not) for each photo and ("colours", photos, rows) for each handful."""
    from album_app.photos.cache import Cache
    from album_app.photos.thumbnails import stream_thumbnails

    handful: list[tuple[int, NDArray[np.uint8]]] = []
    with Cache.open() as cache:
        photos = [photo for _, photo in wanted]
        for done, found in enumerate(stream_thumbnails(photos, cache, stop=task.stop), 1):
            index = wanted[found.index][0]
            if found.pixels is None:
                task.send(("damaged", index, found.fault.reason if found.fault else "damaged"))
            else:
                task.send(("pixels", index, as_pixels(found.pixels, side)))
                handful.append((index, found.pixels))
            if len(handful) == CHUNK or (handful and done == len(wanted)):
                task.send(_colours(handful))
                handful = []
            task.progress(done, len(wanted))


def _colours(handful: list[tuple[int, NDArray[np.uint8]]]) -> tuple[str, list[int], Features]:
    from album_app.photos.features import extractor

    rows = extractor(COLOUR).extract([pixels for _, pixels in handful])
    return "colours", [index for index, _ in handful], rows


def extract(photos: Sequence["Photo"], name: str, task: Task) -> Features:
    """The features of a whole album; torch runs in a process of its own, so that the window never waits for it."""
    from album_app.photos.cache import Cache
    from album_app.photos.features import album_features, extractor

    if extractor(name).needs_torch:
        from album_app.photos.features.worker import extract_in_process

        return extract_in_process(photos, name, on_progress=task.progress, stop=task.stop)
    with Cache.open() as cache:
        return album_features(photos, name, cache, on_progress=task.progress, stop=task.stop)


def stacked_twins(album: "Album", task: Task) -> frozenset[int]:
    """The photos that lie under a near-duplicate of theirs when those are stacked."""
    from album_app.photos.cache import Cache
    from album_app.photos.twins import stacks, with_twins

    with Cache.open() as cache:
        found = with_twins(album, cache, on_progress=task.progress, stop=task.stop)
    return frozenset(photo for below in stacks(found.photos).values() for photo in below)
