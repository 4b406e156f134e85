"""A camera's raw file made by hand: a DNG with one flat colour on its sensor and, if wanted, a preview in another."""

import io
import struct

import numpy as np
from PIL import Image

SHORT, LONG, BYTE, ASCII, RATIONAL, SIGNED_RATIONAL = 3, 4, 1, 2, 5, 10
_FORMATS = {SHORT: "H", LONG: "I", BYTE: "B", RATIONAL: "2I", SIGNED_RATIONAL: "2i"}
IDENTITY = [(int(i == j), 1) for i in range(3) for j in range(3)]

Tags = dict[int, tuple[int, list[int] | list[tuple[int, int]] | bytes]]


def dng(preview: tuple[int, int] | None = (160, 120), orientation: int = 1, taken: str = "") -> bytes:
    """The bytes of the file, whose sensor sees only green and whose preview is blue.

    Like "2021:02:03 04:05:06", `taken` stands in the EXIF data; when the file was changed stands in it in any case.
    """
    begin, exif = 8, b""
    if taken:
        exif = struct.pack("<HHHIII", 1, 0x9003, ASCII, 20, begin + 18, 0) + f"{taken}\0".encode()
    size = width, height = 320, 240
    sensor = np.zeros((height, width), "<u2")
    sensor[0::2, 1::2] = sensor[1::2, 0::2] = 40_000
    tags: Tags = {
        254: (LONG, [0]),
        258: (SHORT, [16]),
        259: (SHORT, [1]),
        262: (SHORT, [32803]),
        271: (ASCII, b"Maker\0"),
        272: (ASCII, b"Model\0"),
        274: (SHORT, [orientation]),
        277: (SHORT, [1]),
        306: (ASCII, b"2021:02:03 04:05:06\0"),
        33421: (SHORT, [2, 2]),
        33422: (BYTE, [0, 1, 1, 2]),
        50706: (BYTE, [1, 4, 0, 0]),
        50708: (ASCII, b"Maker Model\0"),
        50721: (SIGNED_RATIONAL, IDENTITY),
        50728: (RATIONAL, [(1, 1)] * 3),
        50778: (SHORT, [21]),
    }
    if taken:
        tags[34665] = (LONG, [begin])
    first = _directory(tags, size, sensor.tobytes(), offset=begin + len(exif), more=preview is not None)
    head = b"II*\0" + struct.pack("<I", begin + len(exif)) + exif
    if preview is None:
        return head + first
    stream = io.BytesIO()
    Image.new("RGB", preview, "blue").save(stream, "JPEG")
    small: Tags = {
        254: (LONG, [1]),
        258: (SHORT, [8, 8, 8]),
        259: (SHORT, [7]),
        262: (SHORT, [6]),
        277: (SHORT, [3]),
    }
    return head + first + _directory(small, preview, stream.getvalue(), offset=len(head) + len(first), more=False)


def _directory(tags: Tags, size: tuple[int, int], pixels: bytes, offset: int, more: bool) -> bytes:
    """A directory followed by its values and pixels, and the place right behind all of them."""
    tags = tags | {256: (LONG, [size[0]]), 257: (LONG, [size[1]]), 278: (LONG, [size[1]]), 279: (LONG, [len(pixels)])}
    tags[273] = (LONG, [0])
    start = offset + 2 + 12 * len(tags) + 4
    values = b""
    entries = {}
    for tag, (kind, content) in sorted(tags.items()):
        packed = content if isinstance(content, bytes) else _packed(kind, content)
        count = len(packed) if kind == ASCII else len(content)
        if len(packed) > 4:
            entries[tag] = struct.pack("<HHII", tag, kind, count, start + len(values))
            values += packed + b"\0" * (len(packed) % 2)
        else:
            entries[tag] = struct.pack("<HHI", tag, kind, count) + packed.ljust(4, b"\0")
    entries[273] = struct.pack("<HHII", 273, LONG, 1, start + len(values))
    end = start + len(values) + len(pixels)
    pixels += b"\0" * (end % 2)
    after = struct.pack("<I", end + end % 2 if more else 0)
    return struct.pack("<H", len(tags)) + b"".join(entries[tag] for tag in sorted(entries)) + after + values + pixels


def _packed(kind: int, content: list[int] | list[tuple[int, int]]) -> bytes:
    rows = (item if isinstance(item, tuple) else (item,) for item in content)
    return b"".join(struct.pack("<" + _FORMATS[kind], *row) for row in rows)
