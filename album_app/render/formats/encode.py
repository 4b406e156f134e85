"""Pictures to files with Pillow: PNG, JPEG and WebP, each stoppable while it is being written."""

import threading
from collections.abc import Callable
from io import BytesIO
from typing import Any, BinaryIO, cast

from PIL import Image, PngImagePlugin

from album_app.errors import AlbumError
from album_app.language import tr
from album_app.own_files import SOFTWARE, XMP
from album_app.render.formats.format import Encode, Writing
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.profile import srgb

SECONDS_BETWEEN_CHECKS = 0.05
LARGE = 40_000_000  # pixels from which PNG is written for speed, WebP for little memory
WRITE_BYTES = 1 << 20

Parameters = Callable[[RenderSettings, int], dict[str, Any]]
"""What to tell Pillow about a sheet of so many pixels."""


def with_pillow(name: str, parameters: Parameters) -> Encode:
    """An encoder of a format that Pillow writes bit by bit."""

    def encode(file: BinaryIO, image: Image.Image, settings: RenderSettings, writing: Writing) -> None:
        common = {"icc_profile": srgb(), "dpi": (settings.dpi, settings.dpi)}
        image.save(cast(BinaryIO, _Watched(file, writing)), name, **common, **parameters(settings, writing.pixels))

    return encode


def jpeg_parameters(settings: RenderSettings, pixels: int) -> dict[str, Any]:
    subsampling = 0 if settings.quality >= 90 else 2
    return {"quality": settings.quality, "subsampling": subsampling, "comment": SOFTWARE.encode()}


def png_parameters(settings: RenderSettings, pixels: int) -> dict[str, Any]:
    info = PngImagePlugin.PngInfo()
    info.add_text("Software", SOFTWARE)
    return {"pnginfo": info, "compress_level": 2 if pixels > LARGE else 6}


class _Watched:
    """A file that Pillow writes into bit by bit; has no number, or Pillow would write past it all at once."""

    def __init__(self, file: BinaryIO, writing: Writing) -> None:
        self._file = file
        self._writing = writing

    def write(self, data: bytes) -> int:
        self._writing.bytes_written(len(data))
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def encode_webp(file: BinaryIO, image: Image.Image, settings: RenderSettings, writing: Writing) -> None:
    """WebP is encoded in one go: elsewhere, so that a stop need not wait for it."""
    buffer = BytesIO()
    method = 2 if writing.pixels > LARGE else 4
    problems: list[Exception] = []

    def work() -> None:
        try:
            image.save(buffer, "WEBP", quality=settings.quality, method=method, icc_profile=srgb(), xmp=XMP)
        except Exception as problem:
            problems.append(problem)

    worker = threading.Thread(target=work, name="webp", daemon=True)
    worker.start()
    while worker.is_alive():
        writing.check()
        worker.join(SECONDS_BETWEEN_CHECKS)
    if problems:
        raise AlbumError(tr("The sheet is too large or too detailed for WebP; choose JPEG or PNG.")) from problems[0]
    data = buffer.getbuffer()
    for start in range(0, len(data), WRITE_BYTES):
        writing.check()
        file.write(data[start : start + WRITE_BYTES])
