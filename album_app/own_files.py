"""Recognises files that this program wrote: each kind carries a mark, which is found without decoding the file."""

import os
import re
import struct
import zipfile
from pathlib import Path
from typing import BinaryIO

SOFTWARE = "Album App"
XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    f'<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="{SOFTWARE}"/></rdf:RDF></x:xmpmeta>'
).encode()
"""The metadata of a WebP, which are its last chunk."""
SVG_MARK = f"<!-- {SOFTWARE} -->"
REPORT_PROGRAM = "program"
"""The first key of a report; its value begins with the name of the program."""
PROJECT_FORMAT = "album-app project"
STACK_COLUMNS = ("stack", "photo", "best", "width", "height", "sharpness", "taken")
PIN_COLUMNS = ("photo", "row", "column")
HANGING_COLUMNS = (
    *("photo", "page", "row", "column", "left_cm", "top_cm", "width_cm", "height_cm"),
    *("pixels_across", "pixels_down", "dpi", "caption"),
)

SHEET, PROJECT, REPORT = "sheet", "project", "report"
STACK_LIST, PIN_LIST, HANGING_LIST = "stack list", "pin list", "hanging list"
RUNS, PAGE, NETWORK, SOLUTION = "runs of an experiment", "page of an experiment", "network", "solution"
MENU_ENTRY = "menu entry"
"""The kinds of files that carry a mark; plots of experiments count as sheets."""

PROGRAM_ID = "io.github.album_app.AlbumApp"
"""The name by which a Linux desktop knows the program."""

HEAD_BYTES = 8192
"""Bytes that are searched for a mark at the beginning of a file; our marks end within the first 2,000 bytes."""
PDF_INFO_BYTES = 65_536
"""Bytes before the table of objects of a PDF that are searched for its producer; a long title may precede it."""
MOST_PARTS = 64
"""Chunks of a PNG, segments of a JPEG or tags of a TIFF that are searched; our own sheets have fewer than 20."""
_ZIP = b"PK\x03\x04"
_PNG, _PDF = b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n"
_TIFF_SOFTWARE, _TIFF_ASCII = 305, 2
_STARTS = {
    PROJECT: re.compile(rb'\s*\{\s*"format"\s*:\s*"' + PROJECT_FORMAT.encode() + rb'"'),
    REPORT: re.compile(rb'\{\s*"' + REPORT_PROGRAM.encode() + rb'": "' + SOFTWARE.encode() + rb" "),
    STACK_LIST: re.compile(",".join(STACK_COLUMNS).encode() + rb"\r\n"),
    HANGING_LIST: re.compile(",".join(HANGING_COLUMNS).encode() + rb"\r\n"),
    PIN_LIST: re.compile(",".join(PIN_COLUMNS).encode() + rb"\r\n"),
    RUNS: re.compile(rb"settings,[^\r\n]{1,4000}\n[0-9a-f]{8},"),
    MENU_ENTRY: re.compile(rb"\[Desktop Entry\]\n(?:[^\n]*\n){1,20}Icon=" + re.escape(PROGRAM_ID.encode()) + rb"\n"),
    SHEET: re.compile(
        rb'<\?xml version="1\.0" encoding="UTF-8"\?>\n'
        + re.escape(SVG_MARK.encode())
        + rb'|<!doctype html>\n.{0,6000}?<meta name="generator" content="'
        + SOFTWARE.encode()
        + rb'">',
        re.DOTALL,
    ),
}


_PAGE_END = re.compile(rb"\n\nalbum-app \d[^\n]{1,40}, Python \d[^\n]{1,400}\n\Z")
"""The last line of a page about an experiment, which names the versions of everything."""
_ARCHIVE_MARK = {f"{SOFTWARE} {kind}".encode(): kind for kind in (NETWORK, SOLUTION)}


def kind_of(file: BinaryIO) -> str:
    """The kind of an open file that this program wrote; "" for a file of other origin.

    >>> from io import BytesIO
    >>> kind_of(BytesIO(b"photo,row,column" + bytes((13, 10))))
    'pin list'
    >>> kind_of(BytesIO(b"photo,price"))
    ''
    """
    try:
        head = file.read(HEAD_BYTES)
        for kind, start in _STARTS.items():
            if start.match(head):
                return kind
        if head.startswith(_ZIP):
            return _archive_kind(file)
        if head.startswith(b"# "):
            return PAGE if _PAGE_END.search(_last_bytes(file, HEAD_BYTES)) else ""
        return SHEET if _is_marked_picture(file, head) else ""
    except (OSError, ValueError, struct.error):
        return ""


def mark_archive(path: Path, kind: str) -> None:
    """Write the mark of a network or a solution into the comment of a zip archive, which its readers ignore."""
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = f"{SOFTWARE} {kind}".encode()


def _archive_kind(file: BinaryIO) -> str:
    end = _last_bytes(file, 64)
    return next((kind for comment, kind in _ARCHIVE_MARK.items() if end.endswith(comment)), "")


def _is_marked_picture(file: BinaryIO, head: bytes) -> bool:
    if head.startswith(_PNG):
        return _is_marked_png(file)
    if head.startswith(b"\xff\xd8\xff"):
        return _is_marked_jpeg(file)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return XMP in _last_bytes(file, len(XMP) + 1)
    if head.startswith(b"II*\0"):
        return _is_marked_tiff(file)
    return head.startswith(_PDF) and _is_marked_pdf(file)


def _is_marked_png(file: BinaryIO) -> bool:
    place = len(_PNG)
    for _ in range(MOST_PARTS):
        length, name = struct.unpack(">I4s", _bytes_at(file, place, 8))
        if name == b"tEXt" and length < HEAD_BYTES and file.read(length) == b"Software\0" + SOFTWARE.encode():
            return True
        if name == b"IDAT":
            return False
        place += length + 12
    return False


def _is_marked_jpeg(file: BinaryIO) -> bool:
    place = 2
    for _ in range(MOST_PARTS):
        marker, length = struct.unpack(">HH", _bytes_at(file, place, 4))
        if marker == 0xFFDA or marker < 0xFF01 or length < 2:
            return False
        if marker == 0xFFFE and file.read(length - 2) == SOFTWARE.encode():
            return True
        place += length + 2
    return False


def _is_marked_tiff(file: BinaryIO) -> bool:
    (directory,) = struct.unpack("<I", _bytes_at(file, 4, 4))
    (count,) = struct.unpack("<H", _bytes_at(file, directory, 2))
    for tag, kind, length, value in struct.iter_unpack("<HHII", file.read(12 * min(count, MOST_PARTS))):
        if (tag, kind, length) == (_TIFF_SOFTWARE, _TIFF_ASCII, len(SOFTWARE) + 1):
            return _bytes_at(file, value, length) == SOFTWARE.encode() + b"\0"
    return False


def _is_marked_pdf(file: BinaryIO) -> bool:
    """Whether the last object before the table of objects names this program as the producer."""
    end = re.search(rb"startxref\n(\d{1,15})\n%%EOF\n\Z", _last_bytes(file, 64))
    if end is None:
        return False
    table = int(end[1])
    start = max(0, table - PDF_INFO_BYTES)
    info = _bytes_at(file, start, table - start).rpartition(b" 0 obj\n")[2]
    return b"/Producer <FEFF" + SOFTWARE.encode("utf-16-be").hex().upper().encode() + b">" in info


def _bytes_at(file: BinaryIO, place: int, count: int) -> bytes:
    file.seek(place)
    return file.read(count)


def _last_bytes(file: BinaryIO, count: int) -> bytes:
    file.seek(-min(file.seek(0, os.SEEK_END), count), os.SEEK_END)
    return file.read(count)
