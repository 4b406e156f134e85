"""What is left of a JPEG that was cut short or broken: its rows so far, or the coarse picture of a progressive one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import numpy as np
from PIL import Image, ImageFile

from album_app.language import StoredText, mark

FORMATS = ("JPEG", "MPO")
LEAST_SHARE = 0.5
_START_OF_SCAN = b"\xff\xda"
_BLOCK = 1 << 20
_GREY = (126, 127, 128, 129)
"""What rows are filled with before decoding: those that still look so afterwards never came."""


def load_rest(image: ImageFile.ImageFile) -> str:
    """Load what there is of a picture; gives words on what is missing, or raises OSError where that is too much."""
    if image.info.get("progressive"):
        return _load_coarse(image)
    blank = _GREY[: len(image.getbands())]
    image.im = Image.new(image.mode, image.size, blank if len(blank) > 1 else blank[0]).im
    with _forgiving():
        image._ended = True  # type: ignore[attr-defined]  # Pillow would have the missing rows made up
        image.load()
    came = _rows_that_came(image, blank)
    if came < LEAST_SHARE * image.height:
        raise OSError(mark("most rows are missing"))
    return (
        ""
        if came == image.height
        else StoredText("damaged: the lower {share} is missing", share=f"{max(1, 100 - 100 * came // image.height)} %")
    )


def _load_coarse(image: ImageFile.ImageFile) -> str:
    """A progressive picture is whole once its first scan is, and sharper with every further one."""
    assert image.fp is not None
    if _scans(image.fp) < 2:
        raise OSError(mark("no scan is whole"))
    with _forgiving():
        image.load()
    return mark("damaged: its finer detail is missing")


def _scans(file: IO[bytes]) -> int:
    """How many scans a file begins, leaving it where it was."""
    place, count, tail = file.tell(), 0, b""
    file.seek(0)
    while block := file.read(_BLOCK):
        count += (tail + block).count(_START_OF_SCAN)
        tail = block[-1:]
    file.seek(place)
    return count


def _rows_that_came(image: Image.Image, blank: tuple[int, ...]) -> int:
    pixels = np.asarray(image).reshape(image.height, -1, len(blank))
    touched = (pixels != np.array(blank, np.uint8)).any(axis=(1, 2))
    return int(np.flatnonzero(touched).max(initial=-1)) + 1


@contextmanager
def _forgiving() -> Iterator[None]:
    """Let Pillow load pictures that are not whole."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False
