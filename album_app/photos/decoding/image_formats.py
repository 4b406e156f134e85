"""The picture formats that are read, recognised by a file's first bytes, and words for those that are not.

Sheets that this program wrote carry a mark, so that none is taken for a photo of its folder.
"""

import os
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image

from album_app.language import StoredText, mark
from album_app.own_files import SHEET, SOFTWARE, XMP
from album_app.paths import own_kind

MEGA = 1_000_000
PREFIX_BYTES = 64


@dataclass(frozen=True)
class ImageFormat:
    """A picture format: Pillow's name for it, the name people use, and the most pixels worth decoding."""

    pillow: str
    title: str
    limit: int


# A baseline JPEG is decoded at reduced size, so that even a very large one costs little memory; the others are not.
JPEG = ImageFormat("JPEG", "JPEG", 300 * MEGA)
PNG = ImageFormat("PNG", "PNG", 100 * MEGA)
WEBP = ImageFormat("WEBP", "WebP", 100 * MEGA)
GIF = ImageFormat("GIF", "GIF", 100 * MEGA)
BMP = ImageFormat("BMP", "BMP", 100 * MEGA)
TIFF = ImageFormat("TIFF", "TIFF", 100 * MEGA)
JPEG2000 = ImageFormat("JPEG2000", "JPEG 2000", 100 * MEGA)
AVIF = ImageFormat("AVIF", "AVIF", 100 * MEGA)
HEIC = ImageFormat("HEIF", "HEIC", 100 * MEGA)
RAW = ImageFormat("", mark("camera raw"), 300 * MEGA)
FORMATS = (JPEG, PNG, WEBP, GIF, BMP, TIFF, JPEG2000, AVIF, HEIC)

PROGRESSIVE_LIMIT = 100 * MEGA
"""The decoder holds a progressive JPEG in full size even if it is reduced."""

_SIGNATURES = {
    b"\xff\xd8\xff": JPEG,
    b"\x89PNG\r\n\x1a\n": PNG,
    b"GIF87a": GIF,
    b"GIF89a": GIF,
    b"II*\0": TIFF,
    b"MM\0*": TIFF,
    b"II+\0": TIFF,
    b"MM\0+": TIFF,
    b"\xff\x4f\xff\x51": JPEG2000,
    b"\0\0\0\x0cjP  \r\n\x87\n": JPEG2000,
}
_RAW_SIGNATURES = (b"FUJIFILMCCD-RAW", b"IIRO", b"IIRS", b"MMOR", b"IIU\0")
_BMP_HEADERS = {12, 16, 40, 52, 56, 64, 108, 124}
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"}
_AVIF_BRANDS = {b"avif", b"avis"}

_SUFFIXES = {
    JPEG: "jpg jpeg jpe jfif",
    PNG: "png apng",
    WEBP: "webp",
    GIF: "gif",
    BMP: "bmp dib",
    TIFF: "tif tiff",
    JPEG2000: "jp2 j2k jpf jpx j2c jpc",
    AVIF: "avif avifs",
    HEIC: "heic heif hif",
}
_KIND_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_OTHERS = {
    "raw": "3fr arw cr2 cr3 crw dcr dng erf iiq kdc mef mos nef nrw orf pef raf rw2 rwl sr2 srf srw x3f",
    "video": "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv webm wmv",
    "picture": "ai dds djvu emf eps exr hdr icns ico jxl pbm pcx pdf pgm ppm ps psb psd qoi svg tga wmf xcf",
}
_OTHERS_BY_SUFFIX = {suffix: what for what, suffixes in _OTHERS.items() for suffix in suffixes.split()}


def kind_of(prefix: bytes, name: str) -> ImageFormat | None:
    """The kind of picture that begins with `prefix`, the file's first PREFIX_BYTES bytes.

    The name matters only where a camera's raw file begins like a TIFF, as many do.
    """
    if prefix.startswith(_RAW_SIGNATURES) or prefix[4:12] == b"ftypcrx ":
        return RAW
    for signature, kind in _SIGNATURES.items():
        if prefix.startswith(signature):
            return RAW if kind is TIFF and is_raw(name) else kind
    if prefix[:4] == b"RIFF" and prefix[8:12] == b"WEBP":
        return WEBP
    if prefix[:2] == b"BM" and int.from_bytes(prefix[14:18], "little") in _BMP_HEADERS:
        return BMP
    return _kind_of_boxes(prefix) if prefix[4:8] == b"ftyp" else None


def _kind_of_boxes(prefix: bytes) -> ImageFormat | None:
    """AVIF or HEIC by the brands that an ISO media file names; a generic major brand is settled by the others."""
    end = min(int.from_bytes(prefix[:4], "big"), len(prefix))
    brands = {prefix[8:12], *(prefix[i : i + 4] for i in range(16, end - 3, 4))}
    if prefix[8:12] not in _HEIC_BRANDS | _AVIF_BRANDS:
        return None
    return AVIF if brands & _AVIF_BRANDS else HEIC


def webp_pixels(prefix: bytes) -> int:
    """How many pixels a WebP promises in its first bytes; 0 where these do not say it."""
    kind, body = prefix[12:16], prefix[20:]
    if kind == b"VP8X":
        return (int.from_bytes(body[4:7], "little") + 1) * (int.from_bytes(body[7:10], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return ((bits & 0x3FFF) + 1) * ((bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 ":
        return (int.from_bytes(body[6:8], "little") & 0x3FFF) * (int.from_bytes(body[8:10], "little") & 0x3FFF)
    return 0


def name_patterns() -> str:
    """The file names of pictures that are read, as file dialogs want them."""
    return " ".join(f"*.{suffix}" for suffix in (*_KIND_BY_SUFFIX, *_OTHERS["raw"].split()))


def is_raw(name: str) -> bool:
    """Whether a file is a camera's raw file by its name."""
    return _OTHERS_BY_SUFFIX.get(_suffix(name)) == "raw"


def is_video(name: str) -> bool:
    """Whether a file is a video by its name."""
    return _OTHERS_BY_SUFFIX.get(_suffix(name)) == "video"


def is_photo(name: str) -> bool:
    """Whether a file is a finished picture by its name."""
    return _suffix(name) in _KIND_BY_SUFFIX


def why_no_picture(name: str) -> str:
    """Why a file is no photo, in words, where its content is none of the FORMATS."""
    suffix = _suffix(name)
    if suffix in _KIND_BY_SUFFIX:
        title = _KIND_BY_SUFFIX[suffix].title
        an = mark("not an {kind} picture, in spite of its name")
        a = mark("not a {kind} picture, in spite of its name")
        return StoredText(an if title[0] == "A" else a, kind=StoredText(title))
    sentences = {
        "raw": StoredText("not a camera's raw file ({kind}), in spite of its name", kind=suffix.upper()),
        "video": mark("a video, not a photo"),
        "picture": StoredText("{kind} files are not read", kind=suffix.upper()),
    }
    return sentences.get(_OTHERS_BY_SUFFIX.get(suffix, ""), mark("not a picture"))


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower().lstrip(".")  # noqa: PTH122 (a path of every name takes ten times as long)


MADE_HERE = mark("a sheet made by Album App")
_SOFTWARE_TAG = 305


def is_sheet(path: str | os.PathLike[str]) -> bool:
    """Whether a picture file says that this program wrote it.

    >>> from PIL import Image
    >>> Image.new("RGB", (4, 4)).save("photo.png")
    >>> is_sheet("photo.png")
    False
    """
    return own_kind(path) == SHEET


def says_sheet(image: Image.Image) -> bool:
    """Whether the header of an opened picture says that this program wrote it."""
    info = image.info
    if info.get("Software") == SOFTWARE or info.get("comment") == SOFTWARE.encode() or info.get("xmp") == XMP:
        return True
    return image.format == "TIFF" and image.tag_v2.get(_SOFTWARE_TAG) == SOFTWARE  # type: ignore[attr-defined]


def ends_as_sheet(file: BinaryIO) -> bool:
    """Whether the end of a WebP file says that this program wrote it; opening a very large one would decode it."""
    file.seek(-min(file.seek(0, os.SEEK_END), len(XMP) + 1), os.SEEK_END)
    return XMP in file.read()
