"""TIFF in strips: written piece by piece, so that it can be stopped and lets other threads run.

By hand, because Pillow hands a whole TIFF to libtiff in one call that neither stops nor says how far it is.
"""

import struct
import zlib
from collections.abc import Callable
from typing import BinaryIO

import numpy as np
from PIL import Image

from album_app.own_files import SOFTWARE
from album_app.render.formats.format import Writing
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.profile import srgb

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
