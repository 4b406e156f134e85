"""Encoders of pixel formats: Pillow's, and a TIFF that is written strip by strip."""

import struct
import threading
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any, BinaryIO, cast

import numpy as np
from PIL import Image, PngImagePlugin

from album_app.errors import AlbumError
from album_app.language import tr
from album_app.own_files import SOFTWARE, XMP
from album_app.render.formats.format import Encode, Writing
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.pixels import srgb

SECONDS_BETWEEN_CHECKS = 0.05
PIXELS_FOR_FAST_ENCODING = 40_000_000  # pixels from which PNG is written for speed, WebP for little memory
WRITE_BYTES = 1 << 20

Parameters = Callable[[RenderSettings, int], dict[str, Any]]
"""Pillow's options for a sheet, by the settings and the number of pixels."""


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
    return {"pnginfo": info, "compress_level": 2 if pixels > PIXELS_FOR_FAST_ENCODING else 6}


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
    method = 2 if writing.pixels > PIXELS_FOR_FAST_ENCODING else 4
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


STRIP_BYTES = 1 << 21
SHORT, LONG, RATIONAL, ASCII, UNDEFINED = 3, 4, 5, 2, 7
CODES = {SHORT: "H", LONG: "I", RATIONAL: "I", ASCII: "B", UNDEFINED: "B"}

Tag = tuple[int, int, list[int]]


def encode_tiff(file: BinaryIO, image: Image.Image, settings: RenderSettings, writing: Writing) -> None:
    """Write a picture, telling how far it is after each strip."""
    write_tiff(file, image, settings.dpi, lambda rows: writing.share_written(rows / image.height))


def write_tiff(file: BinaryIO, image: Image.Image, dpi: float, on_rows: Callable[[int], None]) -> None:
    """Write an RGB or RGBA image, deflated; `on_rows` hears how many rows are done."""
    channels = len(image.getbands())
    rows = max(1, min(image.height, STRIP_BYTES // (image.width * channels)))
    file.write(b"II*\0" + struct.pack("<I", 0))
    offsets, lengths = [], []
    for top in range(0, image.height, rows):
        bottom = min(top + rows, image.height)
        data = zlib.compress(_differences(image.crop((0, top, image.width, bottom))), 6)
        offsets.append(file.tell())
        lengths.append(file.write(data))
        on_rows(bottom)
    directory = _write_tags(file, _tags(image, channels, rows, dpi, offsets, lengths))
    file.seek(4)
    file.write(struct.pack("<I", directory))


def _differences(strip: Image.Image) -> bytes:
    """Each pixel minus its left neighbour, which compresses better."""
    pixels = np.asarray(strip)
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]
    return steps.tobytes()


def _tags(
    image: Image.Image, channels: int, rows: int, dpi: float, offsets: list[int], lengths: list[int]
) -> list[Tag]:
    density = [round(dpi * 1000), 1000]
    tags: list[Tag] = [
        (256, LONG, [image.width]),
        (257, LONG, [image.height]),
        (258, SHORT, [8] * channels),
        (259, SHORT, [8]),  # deflate
        (262, SHORT, [2]),  # RGB
        (273, LONG, offsets),
        (277, SHORT, [channels]),
        (278, LONG, [rows]),
        (279, LONG, lengths),
        (282, RATIONAL, density),
        (283, RATIONAL, density),
        (284, SHORT, [1]),
        (296, SHORT, [2]),  # dots per inch
        (305, ASCII, [*SOFTWARE.encode("ascii"), 0]),
        (317, SHORT, [2]),  # differences
        (34675, UNDEFINED, list(srgb())),
    ]
    return sorted([*tags, (338, SHORT, [2])]) if channels == 4 else tags


def _write_tags(file: BinaryIO, tags: list[Tag]) -> int:
    """Write the long values, then the directory of all tags; return where the directory is."""
    entries = []
    for tag, kind, values in tags:
        data = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
        count = len(values) // 2 if kind == RATIONAL else len(values)
        if len(data) > 4:
            file.write(b"\0" * (file.tell() % 2))
            place = file.tell()
            file.write(data)
            data = struct.pack("<I", place)
        entries.append(struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0"))
    file.write(b"\0" * (file.tell() % 2))
    directory = file.tell()
    file.write(struct.pack("<H", len(entries)) + b"".join(entries) + struct.pack("<I", 0))
    return directory
