"""Albums for the benchmark of the window, and waiting while the window lives."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QEventLoop, QTimer

from album_app.errors import AlbumError
from album_app.gui.window.parts import Parts
from album_app.layout.project.document import Document
from album_app.research.benchmarks.camera_files import save_camera_photo
from album_app.sample.sample_album import sample_folder

PATIENCE = 600.0
LONGEST_SOLVE = 90.0
CAMERA_SIZE, CAMERA_STEP = (4000, 3000), 16
"""Pixels of a camera photo, and of how many pictures of the sample album one is made."""


@contextmanager
def album_of(count: int) -> Iterator[Path]:
    """A folder of `count` photos: those of the sample album, repeated."""
    with tempfile.TemporaryDirectory(prefix="album-bench-") as name:
        link_photos(Path(name), count)
        yield Path(name)


def link_photos(folder: Path, count: int) -> None:
    """`count` names for the sample album's few hundred pictures, which take their disk space only once."""
    photos = sorted(sample_folder().iterdir())
    targets = [folder / f"{number:06d}-{photos[number % len(photos)].name}" for number in range(count)]
    for source, target in zip(photos, targets, strict=False):
        target.write_bytes(source.read_bytes())
    for number in range(len(photos), count):
        targets[number].hardlink_to(targets[number % len(photos)])


def link_camera_photos(folder: Path, count: int) -> None:
    """So many names for a few photos of 12 megapixels with previews, made of the sample album's pictures."""
    sources = sorted(sample_folder().iterdir())[::CAMERA_STEP]
    for number in range(count):
        target = folder / f"{number:06d}.jpg"
        if number < len(sources):
            with Image.open(sources[number]) as picture:
                save_camera_photo(target, picture.convert("RGB").resize(CAMERA_SIZE, Image.Resampling.BICUBIC))
        else:
            target.hardlink_to(folder / f"{number % len(sources):06d}.jpg")


@contextmanager
def own_cache() -> Iterator[None]:
    """An empty cache and state, so that reading is really reading; the sample album stays where it is drawn."""
    sample_folder()
    former = {name: os.environ.get(name) for name in ("ALBUM_APP_CACHE", "ALBUM_APP_STATE")}
    with tempfile.TemporaryDirectory(prefix="album-bench-") as folder:
        os.environ.update({name: str(Path(folder) / name) for name in former})
        yield
    for name, value in former.items():
        os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Run the event loop until something is so; whether it came to that."""
    until = time.monotonic() + seconds
    loop = QEventLoop()
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > until else None)
    timer.start()
    loop.exec()
    return condition()


def wait(seconds: float) -> None:
    wait_for(lambda: False, seconds)


def opened(parts: Parts, folder: Path, settle: bool = True) -> Document:
    """The folder's document, with every thumbnail, and arranged if `settle`."""
    session = parts.session
    parts.loading.open_paths([folder])
    read = wait_for(lambda: session.document is not None and len(parts.photos.pictures) == len(session.document.album))
    if not read or session.document is None:
        raise AlbumError("the photos of the benchmark could not be read")
    if settle:
        wait_for(lambda: session.is_settled and not parts.jobs.visible, LONGEST_SOLVE)
    return session.document
