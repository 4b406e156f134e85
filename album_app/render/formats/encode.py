"""Encoders of pixel formats: each writes a picture band by band, except WebP, whose encoder needs all of it at once."""

import math
import struct
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from typing import Any, BinaryIO, TypeVar

import numpy as np
from PIL import Image

from album_app.errors import AlbumError
from album_app.language import tr
from album_app.own_files import SOFTWARE, XMP
from album_app.render.formats.format import Writing
from album_app.render.page.settings import RenderSettings
from album_app.render.painters.pixels import Picture, srgb

SECONDS_BETWEEN_CHECKS = 0.05
"""How often a stop request is looked for while WebP is encoded."""
WRITE_BYTES = 1 << 20
"""Bytes of a WebP that are written between two looks for a stop request."""
THREADS = 2
"""Threads that compress."""
PIECES_AHEAD = 4
"""Pieces that are being compressed or wait to be written, at most."""

Piece = TypeVar("Piece")


def _in_threads(work: Callable[[Piece], bytes], pieces: Iterable[Piece]) -> Iterator[bytes]:
    """Yield what `work` makes of each piece, in order; threads prepare the next pieces while one is written."""
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="encoding")
    waiting: deque[Future[bytes]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > PIECES_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


SOI, EOI, SOS, FIRST_RST = b"\xff\xd8", b"\xff\xd9", 0xDA, 0xD0
FRAMES = (0xC0, 0xC1)
"""The segments of a JPEG that hold its height, for the two kinds of JPEG that are written here."""
MOST_BLOCKS = 65_535
"""Blocks of a JPEG between two restart markers, at most: the file keeps their number in 16 bits."""


def encode_jpeg(file: BinaryIO, picture: Picture, settings: RenderSettings, writing: Writing) -> None:
    """Write each band as a JPEG, and join them into one.

    A JPEG can have a restart marker after any fixed number of blocks (ISO/IEC 10918-1, restart intervals). Here that
    is the number of blocks in a band, so the data of the bands follow each other with a restart marker between them.
    """
    fine = settings.quality >= 90
    side = 8 if fine else 16  # pixels of a block; with colours at half resolution it has 2 x 2 of the smallest blocks
    across = math.ceil(picture.width / side)
    rows = min(picture.rows_of_a_band(side), MOST_BLOCKS // across * side)
    marks: dict[str, Any] = {"icc_profile": srgb(), "dpi": (settings.dpi, settings.dpi), "comment": SOFTWARE.encode()}
    if rows < picture.height:
        marks["restart_marker_blocks"] = across * rows // side
    done = 0
    for number, band in enumerate(picture.bands(rows)):
        buffer = BytesIO()
        band.save(buffer, "JPEG", quality=settings.quality, subsampling=0 if fine else 2, **marks)
        head, data = _jpeg_parts(buffer.getvalue(), picture.height)
        file.write(bytes([0xFF, FIRST_RST + (number - 1) % 8]) if number else head)
        file.write(data)
        done += band.height
        writing.share_written(min(0.99, done / picture.height))
    file.write(EOI)


def _jpeg_parts(jpeg: bytes, height: int) -> tuple[bytes, bytes]:
    """The segments of a JPEG, with another height, and its data without the end marker."""
    head, place = bytearray(SOI), len(SOI)
    while True:
        kind, length = struct.unpack_from(">xBH", jpeg, place)
        segment = bytearray(jpeg[place : place + 2 + length])
        if kind in FRAMES:
            struct.pack_into(">H", segment, 5, height)
        head += segment
        place += len(segment)
        if kind == SOS:
            return bytes(head), jpeg[place : -len(EOI)]


PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {"RGB": 2, "RGBA": 6}
WINDOW_BYTES = 1 << 15
"""Bytes before a piece that deflate may refer back to."""
ZLIB_HEADER = b"\x78\x5e"


def encode_png(file: BinaryIO, picture: Picture, settings: RenderSettings, writing: Writing) -> None:
    """Write rows as they are drawn; Pillow chooses their filters, and threads compress them."""
    level = 2 if writing.pixels > picture.limits.pixels_for_fast_encoding else 6
    per_metre = round(settings.dpi / 0.0254)
    file.write(PNG_SIGNATURE)
    size = struct.pack(">IIBBBBB", picture.width, picture.height, 8, COLOUR_TYPES[picture.mode], 0, 0, 0)
    _write_chunk(file, b"IHDR", size)
    _write_chunk(file, b"iCCP", b"ICC Profile\0\0" + zlib.compress(srgb()))
    _write_chunk(file, b"tEXt", b"Software\0" + SOFTWARE.encode("latin-1"))
    _write_chunk(file, b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    checksum, done, whole = 1, 0, picture.height * (1 + picture.width * len(picture.mode))

    def pieces() -> Iterator[tuple[bytes, bytes, bool]]:
        """Filtered rows, the bytes before them, and whether these are the last rows."""
        nonlocal checksum
        before, given = b"", 0
        for rows in _filtered(picture):
            checksum = zlib.adler32(rows, checksum)
            for place in range(0, len(rows), picture.limits.deflated_bytes):
                piece = rows[place : place + picture.limits.deflated_bytes]
                given += len(piece)
                yield piece, before, given == whole
                before = piece[-WINDOW_BYTES:]

    def deflate(piece: tuple[bytes, bytes, bool]) -> bytes:
        nonlocal done
        data = _deflated(*piece, level)
        done += len(piece[0])
        return data

    start = ZLIB_HEADER
    for data in _in_threads(deflate, pieces()):
        _write_chunk(file, b"IDAT", start + data)
        start = b""
        writing.share_written(min(0.99, done / whole))
    _write_chunk(file, b"IDAT", checksum.to_bytes(4, "big"))
    _write_chunk(file, b"IEND", b"")


def _write_chunk(file: BinaryIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind)
    file.write(data)
    file.write(struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))


def _filtered(picture: Picture) -> Iterator[bytes]:
    """The bytes of each band's rows, each row after the filter that suits it best.

    Pillow chooses the filters: it writes the band without compressing it, below the last row of the band before.
    """
    last_row: Image.Image | None = None
    for band in picture.bands(picture.rows_of_a_band()):
        above = 0 if last_row is None else 1
        image = band
        if last_row is not None:
            image = Image.new(band.mode, (band.width, band.height + 1))
            image.paste(last_row, (0, 0))
            image.paste(band, (0, 1))
        last_row = band.crop((0, band.height - 1, band.width, band.height))
        buffer = BytesIO()
        image.save(buffer, "PNG", compress_level=0)
        yield _inflated(buffer.getbuffer())[above * (1 + band.width * len(band.mode)) :]


def _inflated(png: memoryview) -> bytes:
    """The filtered rows of a PNG."""
    stream, parts, place = zlib.decompressobj(), [], len(PNG_SIGNATURE)
    while place < len(png):
        length, kind = struct.unpack_from(">I4s", png, place)
        if kind == b"IDAT":
            parts.append(stream.decompress(png[place + 8 : place + 8 + length]))
        place += 12 + length
    return b"".join(parts)


def _deflated(rows: bytes, before: bytes, is_last: bool, level: int) -> bytes:
    """Compress rows as the part of a stream that follows the part ending with the bytes `before`."""
    worker = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_FILTERED, before)
    return worker.compress(rows) + worker.flush(zlib.Z_FINISH if is_last else zlib.Z_SYNC_FLUSH)


def encode_webp(file: BinaryIO, picture: Picture, settings: RenderSettings, writing: Writing) -> None:
    """Encode WebP in another thread, so that a stop request does not wait for the encoder, which cannot be stopped."""
    image = picture.whole()
    buffer = BytesIO()
    method = 2 if writing.pixels > picture.limits.pixels_for_fast_encoding else 4
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


SHORT, LONG, RATIONAL, ASCII, UNDEFINED = 3, 4, 5, 2, 7
CODES = {SHORT: "H", LONG: "I", RATIONAL: "I", ASCII: "B", UNDEFINED: "B"}

Tag = tuple[int, int, list[int]]


def encode_tiff(file: BinaryIO, picture: Picture, settings: RenderSettings, writing: Writing) -> None:
    """Write an RGB or RGBA picture in strips, each compressed by itself.

    By hand, because Pillow needs the whole picture in memory and cannot be stopped, and tifffile would be one more
    package for 70 lines.
    """
    channels = len(picture.mode)
    rows = max(1, min(picture.height, picture.limits.strip_bytes // (picture.width * channels)))
    file.write(b"II*\0" + struct.pack("<I", 0))
    offsets, lengths = [], []
    for data in _in_threads(_deflated_strip, _strips(picture, rows)):
        offsets.append(file.tell())
        lengths.append(file.write(data))
        writing.share_written(min(0.99, len(offsets) * rows / picture.height))
    directory = _write_tags(file, _tags(picture, channels, rows, settings.dpi, offsets, lengths))
    file.seek(4)
    file.write(struct.pack("<I", directory))


def _strips(picture: Picture, rows: int) -> Iterator[Image.Image]:
    for band in picture.bands(picture.rows_of_a_band(rows)):
        for top in range(0, band.height, rows):
            yield band.crop((0, top, band.width, min(top + rows, band.height)))


def _deflated_strip(strip: Image.Image) -> bytes:
    return zlib.compress(_differences(strip), 6)


def _differences(strip: Image.Image) -> bytes:
    """Each pixel minus its left neighbour, which compresses better."""
    pixels = np.asarray(strip)
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]
    return steps.tobytes()


def _tags(picture: Picture, channels: int, rows: int, dpi: float, offsets: list[int], lengths: list[int]) -> list[Tag]:
    density = [round(dpi * 1000), 1000]
    tags: list[Tag] = [
        (256, LONG, [picture.width]),
        (257, LONG, [picture.height]),
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
