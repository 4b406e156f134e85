"""The formats, one row each; dialogs, help texts, checks and the export read this table."""

import os
from pathlib import Path

from album_app.errors import UsageError
from album_app.language import mark, tr
from album_app.render.formats.encode import encode_jpeg, encode_png, encode_tiff, encode_webp
from album_app.render.formats.format import BookFormat, Format, PageFormat, PixelFormat
from album_app.render.formats.web_page import WebPageFormat, WebPagePainter
from album_app.render.painters.pdf import PdfPainter
from album_app.render.painters.svg import SvgPainter

_ROWS: tuple[Format, ...] = (
    PixelFormat(
        name="PNG",
        title=mark("PNG picture, exact"),
        suffixes=(".png",),
        bytes_per_pixel=1.9,
        lossy=False,
        encode=encode_png,
    ),
    PixelFormat(
        name="JPEG",
        title=mark("JPEG picture"),
        suffixes=(".jpg", ".jpeg"),
        bytes_per_pixel=0.4,
        lossy=True,
        transparent=False,
        longest_pixels=65_500,
        encode=encode_jpeg,
    ),
    PixelFormat(
        name="WebP",
        title=mark("WebP picture, smallest"),
        suffixes=(".webp",),
        bytes_per_pixel=0.25,
        lossy=True,
        longest_pixels=16_383,
        copies=2.5,  # the encoder needs the whole picture and makes a copy
        moving=True,
        encode=encode_webp,
    ),
    PixelFormat(
        name="TIFF",
        title=mark("TIFF picture for print"),
        suffixes=(".tif", ".tiff"),
        bytes_per_pixel=2.1,
        lossy=False,
        most_bytes=2**32 - 2**24,  # offsets in the file have 32 bits
        encode=encode_tiff,
    ),
    BookFormat(
        name="PDF",
        title=mark("PDF page to print"),
        suffixes=(".pdf",),
        bytes_per_pixel=0.4,
        lossy=True,
        longest_mm=5080,  # 14 400 points, the longest side that readers promise to show
        painter=PdfPainter,
    ),
    PageFormat(
        name="SVG",
        title=mark("SVG drawing to edit"),
        suffixes=(".svg",),
        bytes_per_pixel=0.55,
        lossy=True,
        painter=SvgPainter,
    ),
    WebPageFormat(
        name=mark("Web page"),
        title=mark("Web page to zoom into"),
        suffixes=(".html", ".htm"),
        bytes_per_pixel=0.0,  # its size is chosen, not computed
        lossy=True,
        to_look_around=True,
        painter=WebPagePainter,
    ),
)
FORMATS: dict[str, Format] = {row.name: row for row in _ROWS}


def format_of(path: str | os.PathLike[str]) -> Format:
    """The format of a file, by the suffix of its name.

    >>> format_of("crete.tif").name
    'TIFF'
    """
    suffix = Path(path).suffix.lower()
    for kind in FORMATS.values():
        if suffix in kind.suffixes:
            return kind
    choices = ", ".join(suffix for kind in FORMATS.values() for suffix in kind.suffixes)
    raise UsageError(
        tr(
            "The name of a sheet must end with one of {choices}; “{name}” does not.",
            choices=choices,
            name=Path(path).name,
        )
    )
