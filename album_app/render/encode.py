"""Pictures to files: PNG, JPEG, WebP and TIFF, each stoppable while it is being written."""

import threading
from collections.abc import Callable
from io import BytesIO
from typing import Any, BinaryIO, cast

from PIL import Image, PngImagePlugin

from album_app.errors import AlbumError
from album_app.render.formats import Format
from album_app.render.profile import SOFTWARE, XMP, srgb
from album_app.render.settings import RenderSettings
from album_app.render.tiff import write_tiff
from album_app.work import Stop, check

OnShare = Callable[[float], None]
"""Called with the share that is done, 0 to 1."""

SECONDS_BETWEEN_CHECKS = 0.05
LARGE = 40_000_000  # pixels from which PNG is written for speed, WebP for little memory
WRITE_BYTES = 1 << 20


def encode(
    file: BinaryIO,
    image: Image.Image,
    kind: Format,
    settings: RenderSettings,
    expected_bytes: int,
    on_share: OnShare,
    stop: Stop | None,
) -> None:
    """Write an image in one of the pixel formats, with its profile and dpi."""
    if kind.name == "TIFF":

        def on_rows(done: int) -> None:
            check(stop)
            on_share(done / image.height)

        write_tiff(file, image, settings.dpi, on_rows)
    elif kind.name == "WebP":
        _write_webp(file, image, settings, stop)
    else:
        watched = cast(BinaryIO, _Watched(file, expected_bytes, on_share, stop))
        image.save(watched, kind.name, **_parameters(kind, image, settings))


class _Watched:
    """A file that Pillow writes into bit by bit; has no number, or Pillow would write past it all at once."""

    def __init__(self, file: BinaryIO, expected: int, on_share: OnShare, stop: Stop | None) -> None:
        self._file = file
        self._expected = max(1, expected)
        self._on_share = on_share
        self._stop = stop
        self._written = 0

    def write(self, data: bytes) -> int:
        check(self._stop)
        self._written += len(data)
        self._on_share(min(0.99, self._written / self._expected))
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def _parameters(kind: Format, image: Image.Image, settings: RenderSettings) -> dict[str, Any]:
    common = {"icc_profile": srgb(), "dpi": (settings.dpi, settings.dpi)}
    if kind.name == "JPEG":
        subsampling = 0 if settings.quality >= 90 else 2
        return {**common, "quality": settings.quality, "subsampling": subsampling, "comment": SOFTWARE.encode()}
    info = PngImagePlugin.PngInfo()
    info.add_text("Software", SOFTWARE)
    return {**common, "pnginfo": info, "compress_level": 2 if image.width * image.height > LARGE else 6}


def _write_webp(file: BinaryIO, image: Image.Image, settings: RenderSettings, stop: Stop | None) -> None:
    """WebP is encoded in one go: elsewhere, so that a stop need not wait for it."""
    buffer = BytesIO()
    method = 2 if image.width * image.height > LARGE else 4
    problems: list[Exception] = []

    def work() -> None:
        try:
            image.save(buffer, "WEBP", quality=settings.quality, method=method, icc_profile=srgb(), xmp=XMP)
        except Exception as problem:
            problems.append(problem)

    worker = threading.Thread(target=work, name="webp", daemon=True)
    worker.start()
    while worker.is_alive():
        check(stop)
        worker.join(SECONDS_BETWEEN_CHECKS)
    if problems:
        raise AlbumError("The sheet is too large or too detailed for WebP; choose JPEG or PNG.") from problems[0]
    data = buffer.getbuffer()
    for start in range(0, len(data), WRITE_BYTES):
        check(stop)
        file.write(data[start : start + WRITE_BYTES])
