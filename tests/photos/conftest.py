"""Pictures that the tests of this folder make, and helpers that look into an album and a cache."""

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import Album
from album_app.photos.cache import THUMBNAIL, Cache, FileState

MakePhoto = Callable[..., Path]

RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 200, 40), (30, 40, 210), (250, 250, 250)

STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.fixture
def quarters() -> Image.Image:
    """A wide picture whose four quarters tell which way is up."""
    pixels = np.zeros((40, 60, 3), np.uint8)
    pixels[:20, :30], pixels[:20, 30:], pixels[20:, :30], pixels[20:, 30:] = RED, GREEN, BLUE, WHITE
    return Image.fromarray(pixels)


@pytest.fixture
def make_photo(tmp_path: Path) -> Callable[..., Path]:
    """Writes a small photo of noise on a gradient, different for every seed."""

    def make(name: str = "photo.jpg", seed: int = 0, size: tuple[int, int] = (64, 48), **options: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(seed)
        coarse = rng.integers(0, 256, (6, 8, 3), np.uint8)
        Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC).save(path, **options)
        return path

    return make


@pytest.fixture
def png() -> Callable[..., bytes]:
    """Builds a PNG chunk by chunk, for what Pillow does not write."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def build(
        size: tuple[int, int],
        bits: int,
        colour: int,
        raw: bytes,
        before: dict[bytes, bytes] | None = None,
        after: dict[bytes, bytes] | None = None,
    ) -> bytes:
        head = struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, 0)
        chunks = [(b"IHDR", head), *(before or {}).items(), (b"IDAT", zlib.compress(raw)), *(after or {}).items()]
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*item) for item in chunks) + chunk(b"IEND", b"")

    return build


def turned(image: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    """The picture as a camera in this orientation stores it, and the EXIF that names the orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    method = STORED[orientation]
    return (image if method is None else image.transpose(method)), exif


def names(album: Album) -> list[str]:
    return [photo.name for photo in album.photos]


@dataclass(frozen=True)
class File:
    """What the cache asks of a photo."""

    path: Path
    size: int = 100
    mtime_ns: int = 1_700_000_000_000_000_000


def files(count: int) -> list[File]:
    return [File(Path(f"/photos/{i}.jpg")) for i in range(count)]


def put_thumbnails(cache: Cache, photos: Sequence[FileState], jpegs: Sequence[bytes]) -> None:
    """Have thumbnails remembered, whatever they are."""
    cache.put([(THUMBNAIL, photo, jpeg) for photo, jpeg in zip(photos, jpegs, strict=True)])


def remembers(cache: Cache) -> bool:
    """Whether the cache gives back what is put in."""
    photo = File(Path("/photos/probe.jpg"))
    put_thumbnails(cache, [photo], [b"probe"])
    return cache.get_thumbnails([photo]) == [b"probe"]
