"""Files that give no picture: each is refused with a reason, and nothing else is ever raised."""

import io
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.own_files import SOFTWARE, XMP
from album_app.photos.decoding import colour
from album_app.photos.decoding.decode import Undecodable, decode
from album_app.photos.decoding.header import read_header
from tests.photos.conftest import MakePhoto

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning", "ignore:.*:RuntimeWarning")


def reason_of(path: Path) -> tuple[str, str]:
    with pytest.raises(Undecodable) as caught:
        decode(path)
    return caught.value.reason, caught.value.fault


def test_files_that_give_no_picture(tmp_path: Path, make_photo: MakePhoto) -> None:
    whole = make_photo(size=(300, 200)).read_bytes()
    cases = {
        "cut.jpg": (whole[: len(whole) // 2], ("damaged JPEG", "damaged")),
        "head.jpg": (whole[:40], ("damaged JPEG", "damaged")),
        "empty.jpg": (b"", ("empty file", "damaged")),
        "page.jpg": (b"<html>not found</html>", ("not a JPEG picture, in spite of its name", "unsupported")),
        "notes.txt": (b"dear diary", ("not a picture", "unsupported")),
        "clip.mp4": (b"\0\0\0\x18ftypmp42" + bytes(40), ("a video, not a photo", "unsupported")),
        "draw.svg": (b"<svg/>", ("SVG files are not read", "unsupported")),
        "danger.eps": (b"%!PS-Adobe-3.0 EPSF-3.0", ("EPS files are not read", "unsupported")),
        "IMG.CR2": (b"II*\0\x10\0\0\0CR\2\0" + bytes(40), ("damaged camera raw", "damaged")),
        "bits.png": (b"\x89PNG\r\n\x1a\n" + os.urandom(200), ("damaged PNG", "damaged")),
    }
    for name, (content, expected) in cases.items():
        (tmp_path / name).write_bytes(content)
        assert reason_of(tmp_path / name) == expected, name


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif", "avif", "jp2"])
def test_truncated_and_scrambled_files_are_explained_never_raised(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(5)
    stream = tmp_path / f"whole.{suffix}"
    Image.fromarray(rng.integers(0, 256, (60, 80, 3), np.uint8)).save(stream)
    whole = stream.read_bytes()
    for trial in range(60):
        damaged = bytearray(whole[: rng.integers(1, len(whole))] if trial % 2 else whole)
        for place in rng.integers(0, len(damaged), 12):
            damaged[place] = rng.integers(0, 256)
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            assert decode(tmp_path / "damaged", (32, 32)).mode == "RGB"
        except Undecodable as fault:
            assert fault.reason


@pytest.mark.parametrize("size", [(15_000, 15_000), (60_000, 60_000)])
def test_a_bomb_is_refused_by_its_header(tmp_path: Path, png: Callable[..., bytes], size: tuple[int, int]) -> None:
    (tmp_path / "bomb.png").write_bytes(png(size, 8, 2, b""))
    assert reason_of(tmp_path / "bomb.png") == ("larger than 100 megapixels", "too large")


def test_a_sheet_of_ours_that_is_too_large_to_be_shown_is_named_as_one(
    tmp_path: Path, make_photo: MakePhoto, png: Callable[..., bytes]
) -> None:
    text = b"Software\0" + SOFTWARE.encode()
    (tmp_path / "sheet.png").write_bytes(png((15_000, 15_000), 8, 2, b"", before={b"tEXt": text}))
    webp = bytearray(make_photo("sheet.webp", xmp=XMP).read_bytes())
    webp[24:30] = (14_999).to_bytes(3, "little") * 2
    (tmp_path / "sheet.webp").write_bytes(webp)
    words = "a sheet made by Album App, larger than 100 megapixels"
    for name in ("sheet.png", "sheet.webp"):
        assert reason_of(tmp_path / name) == (words, "unsupported")
    webp[24:30] = (15_999).to_bytes(3, "little") * 2
    (tmp_path / "photo.webp").write_bytes(webp.replace(b"Album App", b"Other App"))
    assert reason_of(tmp_path / "photo.webp")[1] == "too large"


def jpeg_claiming(width: int, height: int, **options: object) -> bytes:
    """A small JPEG whose header says that it is larger."""
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, "JPEG", **options)
    data = bytearray(stream.getvalue())
    frame = next(i for i in range(len(data)) if data[i : i + 2] in (b"\xff\xc0", b"\xff\xc2"))
    data[frame + 5 : frame + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(data)


def test_a_large_jpeg_is_allowed_for_a_larger_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "phone.jpg").write_bytes(jpeg_claiming(16_320, 12_240))
    assert read_header(tmp_path / "phone.jpg").width == 16_320
    for name, data, limit in [
        ("huge.jpg", jpeg_claiming(20_000, 20_000), 300),
        ("bomb.jpg", jpeg_claiming(65_000, 65_000), 300),
        ("slow.jpg", jpeg_claiming(16_320, 12_240, progressive=True), 100),
    ]:
        (tmp_path / name).write_bytes(data)
        assert reason_of(tmp_path / name) == (f"larger than {limit} megapixels", "too large")


def test_a_very_large_file_is_not_read_into_memory(make_photo: MakePhoto) -> None:
    path = make_photo("photo.webp")
    with path.open("rb+") as file:
        file.truncate((1 << 30) + 1)
    assert reason_of(path) == ("larger than 1 gigabyte", "unsupported")


def test_missing_forbidden_and_special_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason_of(tmp_path / "gone.jpg") == ("the file is missing", "missing")
    assert reason_of(tmp_path)[1] == "unsupported"
    os.mkfifo(tmp_path / "pipe.jpg")
    assert reason_of(tmp_path / "pipe.jpg") == ("not a regular file", "unsupported")
    assert reason_of(Path("/dev/zero"))[1] == "unsupported"

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "mine.jpg").write_bytes(b"x")
    monkeypatch.setattr(os, "open", refuse)
    assert reason_of(tmp_path / "mine.jpg") == ("no permission to read it", "missing")


@pytest.mark.parametrize(
    ("error", "reason"), [(MemoryError(), "too large for the memory"), (RecursionError(), "damaged JPEG")]
)
def test_whatever_a_decoder_raises_becomes_a_reason(
    make_photo: MakePhoto, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fail(image: Image.Image) -> Image.Image:
        raise error

    monkeypatch.setattr(colour, "in_eight_bits", fail)
    assert reason_of(make_photo())[0] == reason
