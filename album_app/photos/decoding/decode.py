"""The one decoder: any picture file, also a broken one, to an upright sRGB image, reduced early where it can be."""

import logging
import os
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import IO, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import (
    AvifImagePlugin,  # noqa: F401 (a plugin registers itself; naming each saves loading all of Pillow's)
    BmpImagePlugin,  # noqa: F401
    GifImagePlugin,  # noqa: F401
    Image,
    ImageFile,
    Jpeg2KImagePlugin,  # noqa: F401
    JpegImagePlugin,  # noqa: F401
    PngImagePlugin,  # noqa: F401
    TiffImagePlugin,  # noqa: F401
    WebPImagePlugin,  # noqa: F401
)

from album_app.errors import AlbumError
from album_app.language import StoredText, mark
from album_app.photos.decoding import colour, image_formats
from album_app.photos.decoding.image_formats import ImageFormat, ends_as_sheet, says_sheet
from album_app.photos.decoding.raw import open_raw

SALVAGEABLE = ("JPEG", "MPO")
LEAST_SHARE_OF_ROWS = 0.5
"""Share of its rows that a JPEG must have for it to be shown without the others."""
_START_OF_SCAN = b"\xff\xda"
_BLOCK = 1 << 20
_GREY = (126, 127, 128, 129)
"""Shades of the channels that fill all rows before decoding: rows that still have them are missing in the file."""


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
    if came < LEAST_SHARE_OF_ROWS * image.height:
        raise OSError(mark("most rows are missing"))
    return (
        ""
        if came == image.height
        else StoredText("damaged: the lower {share} is missing", share=f"{max(1, 100 - 100 * came // image.height)} %")
    )


def _load_coarse(image: ImageFile.ImageFile) -> str:
    """Load a progressive picture that is cut short: its first scan shows all of it, and others sharpen it."""
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


log = logging.getLogger("album_app.photos.decoding.decode")

MOST_MEMORY = 600 << 20
"""Bytes that decoding a file may take in a process of its own."""
LARGEST_FILE = 1 << 30
"""Bytes of the largest file that is decoded."""
LARGEST_SIDE = 1 << 20
"""More pixels than any side has: the side that is asked of a raw file to get it in full size."""

# Pillow's own guard is one number for every format and below what phones take; ours is per format, in `opened`.
Image.MAX_IMAGE_PIXELS = max(kind.limit for kind in image_formats.FORMATS)
warnings.filterwarnings("ignore", module=r"PIL\.")

FAULTS = ("missing", "unsupported", "too large", "damaged")

DAMAGE = "damage"
"""The key in the `info` of a decoded picture for words on what is missing of it."""

REDUCING = ("JPEG", "MPO", "HEIF")
"""Formats that can be decoded at a smaller size."""

_SILENT = [getattr(image_formats, name) for name in ("WEBP", "JPEG2000", "AVIF", "HEIC", "TIFF", "RAW")]
"""Formats whose decoders report a lack of memory as damage."""

BYTES_A_PIXEL = 16
"""The least memory that those decoders take."""

_ORIENTATION_TAG = 0x0112
_NOTES = {"exif", "xmp", "photoshop"}
"""The keys under which Pillow keeps what a JPEG says about itself: EXIF, XMP, and IPTC in a part of Photoshop's."""
_TRANSPOSES = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(eq=False, repr=False)
class Undecodable(AlbumError):
    """A file that gives no picture: `reason` is for people, `fault` one of FAULTS."""

    reason: str
    fault: str = "damaged"

    def __post_init__(self) -> None:
        super().__init__(self.reason)


class NeedsMemory(Undecodable):
    """A file that may well be decoded where there is more memory."""


class _CutShort(Undecodable):
    """A file that can be shown in part."""


Load = Callable[[ImageFile.ImageFile], str]
"""Loads the pixels of an opened picture; gives words on what is missing of it."""

Found = TypeVar("Found")


def decode(path: str | os.PathLike[str], box: tuple[int, int] | None = None, cover: bool = False) -> Image.Image:
    """Read a picture upright in sRGB, shrunk to fit inside `box` (or to cover it), never enlarged."""
    return _decoded(path, colour.Wanted(box, cover))


def _decoded(path: str | os.PathLike[str], wanted: colour.Wanted) -> Image.Image:
    side = max(wanted.box) if wanted.box else LARGEST_SIDE
    return with_picture(path, side, lambda image, load: picture_of(image, wanted, load))


def with_picture(path: str | os.PathLike[str], side: int, use: Callable[[ImageFile.ImageFile, Load], Found]) -> Found:
    """Call `use` with an opened picture and a function that loads it; if it is cut short, again with `load_rest`."""
    try:
        with opened(path, side) as image:
            return use(image, _load_whole)
    except _CutShort:
        with opened(path, side) as image:
            return use(image, load_rest)


def picture_of(image: ImageFile.ImageFile, wanted: colour.Wanted, load: Load) -> Image.Image:
    """An opened picture upright in sRGB at the wanted size; `info[DAMAGE]` has words on what is missing of it."""
    if image.format not in REDUCING:
        load(image)  # only then is metadata that follows the pixels known
    turn = orientation(image)
    target = colour.target_size(image.size, wanted, sideways=turn >= 5)
    profile = image.info.get("icc_profile")
    region = colour.drafted(image, target)
    damage = load(image)
    shown = colour.to_srgb(colour.shrunk(image, target, region, wanted), profile)
    turned = upright(shown, turn)
    turned.info = {DAMAGE: damage} if damage else {}  # no old metadata must be saved with the new pixels
    return turned


def upright(shown: Image.Image, turn: int) -> Image.Image:
    """A picture turned as its EXIF orientation says."""
    return shown.transpose(_TRANSPOSES[turn]) if turn in _TRANSPOSES else shown


def _load_whole(image: ImageFile.ImageFile) -> str:
    tiles, file = colour.low_byte_tiles(image), image.fp
    try:
        image.load()
    except OSError as error:
        if error.errno is None and image.format in SALVAGEABLE:
            raise _CutShort(mark("damaged JPEG")) from error
        raise
    if tiles and file is not None and colour.is_dim(image):
        file.seek(0)
        with Image.open(file, formats=[image.format or ""]) as again:
            again.tile = tiles
            image.im = colour.stretched(image, again).im
    return ""


def thumbnail(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """The picture with its longest side about 256, as an (h, w, 3) array: what tiles and features are made of."""
    return np.asarray(_decoded(path, colour.THUMBNAIL))


@contextmanager
def opened(path: str | os.PathLike[str], side: int = 0) -> Iterator[ImageFile.ImageFile]:
    """The header of a picture file, as a Pillow image not yet decoded; any problem becomes Undecodable.

    Of a raw file it is the preview, unless that is smaller than `side`.
    """
    kind, pixels = None, 0
    try:
        with _open_regular(path) as file:
            kind, pixels = _kind(file, os.path.basename(path))  # noqa: PTH119
            with (
                open_raw(file, side) if kind is image_formats.RAW else Image.open(file, formats=[kind.pillow]) as image
            ):
                pixels = image.width * image.height
                _check_size(pixels, kind, bool(image.info.get("progressive")), partial(says_sheet, image))
                yield image
    except Undecodable:
        raise
    except Exception as error:
        log.info("%r: %s: %s", os.fspath(path), type(error).__name__, error)
        raise _explained(error, kind, pixels) from error


def has_no_notes(image: Image.Image) -> bool:
    """Whether an opened JPEG has none of the parts in which cameras and people note anything."""
    return _NOTES.isdisjoint(image.info)


def orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1..8; AVIF and HEIC turn by their own transform, which Pillow states as EXIF."""
    if image.format == "JPEG" and has_no_notes(image):
        return 1
    try:
        if image.format == "TIFF" or (image.format in ("AVIF", "HEIF") and "exif" not in image.info):
            return 1  # Pillow turns a TIFF itself, and would next look for the others' in their XMP
        turn = Image.Image.getexif(image).get(_ORIENTATION_TAG, 1)
        return turn if turn in _TRANSPOSES else 1
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return 1


def _open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file; anything else is refused unopened, since opening a FIFO would wait for ever."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 (a Path of every photo takes longer than the call)
        raise Undecodable(mark("not a regular file"), "unsupported")
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))


def _kind(file: BinaryIO, name: str) -> tuple[ImageFormat, int]:
    """The kind of picture a file is, and how many pixels its first bytes promise, 0 where they do not say it."""
    prefix = file.read(image_formats.PREFIX_BYTES)
    if not prefix:
        raise Undecodable(mark("empty file"))
    if os.fstat(file.fileno()).st_size > LARGEST_FILE:
        raise Undecodable(StoredText("larger than {size} gigabyte", size=LARGEST_FILE >> 30), "unsupported")
    kind = image_formats.kind_of(prefix, name)
    if kind is None:
        raise Undecodable(image_formats.why_no_picture(name), "unsupported")
    if kind is image_formats.HEIC:
        _learn_heic()
    pixels = image_formats.webp_pixels(prefix) if kind is image_formats.WEBP else 0
    _check_size(pixels, kind, False, partial(ends_as_sheet, file))  # some decoders take the memory on opening
    return kind, pixels


@cache
def _learn_heic() -> None:
    """Teach Pillow to read HEIC, with one thread: other files are decoded meanwhile."""
    import pillow_heif

    pillow_heif.options.DECODE_THREADS = 1
    pillow_heif.register_heif_opener()


def _check_size(pixels: int, kind: ImageFormat, progressive: bool, is_sheet: Callable[[], bool]) -> None:
    limit = min(kind.limit, image_formats.PROGRESSIVE_LIMIT) if progressive else kind.limit
    if pixels > limit:
        raise _large_sheet(limit) if is_sheet() else _too_large(limit)


def _large_sheet(limit: int) -> Undecodable:
    words = mark("a sheet made by Album App, larger than {limit} megapixels")
    return Undecodable(StoredText(words, limit=limit // image_formats.MEGA), "unsupported")


def _too_large(limit: int) -> Undecodable:
    return Undecodable(StoredText("larger than {limit} megapixels", limit=limit // image_formats.MEGA), "too large")


def _explained(error: Exception, kind: ImageFormat | None, pixels: int) -> Undecodable:
    """The sentence and fault for an exception raised while a file was opened or decoded."""
    if isinstance(error, FileNotFoundError):
        return Undecodable(mark("the file is missing"), "missing")
    if isinstance(error, PermissionError):
        return Undecodable(mark("no permission to read it"), "missing")
    if isinstance(error, OSError) and error.errno is not None:
        return Undecodable(
            StoredText("could not be read ({reason})", reason=StoredText(error.strerror or "")), "missing"
        )
    if isinstance(error, Image.DecompressionBombError) and kind is not None:
        return _too_large(kind.limit)
    if isinstance(error, MemoryError) or (kind in _SILENT and pixels * BYTES_A_PIXEL > MOST_MEMORY):
        return NeedsMemory(mark("too large for the memory"), "too large")
    words = StoredText("damaged {kind}", kind=StoredText(kind.title)) if kind is not None else mark("damaged file")
    return NeedsMemory(words) if kind in _SILENT else Undecodable(words)
