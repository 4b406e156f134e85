"""Pictures that are cut short or use few of their shades are shown as far as possible."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.decoding.decode import DAMAGE, Undecodable, decode
from tests.photos.conftest import MakePhoto


def cut(path: Path, share: float) -> Path:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    return path


@pytest.mark.parametrize("box", [None, (64, 64)])
def test_a_jpeg_with_most_of_its_rows_is_shown_and_says_what_is_missing(
    make_photo: MakePhoto, box: tuple[int, int] | None
) -> None:
    whole = np.asarray(decode(make_photo(size=(640, 480)), box), int)
    picture = decode(cut(make_photo(size=(640, 480)), 0.8), box)
    pixels = np.asarray(picture, int)
    assert pixels.shape == whole.shape, "the size is that of the whole picture"
    half = len(whole) // 2
    assert np.abs(pixels[:half] - whole[:half]).mean() < 1
    assert np.ptp(pixels[-1]) <= 4, "what is missing is plain grey"
    assert picture.info[DAMAGE].startswith("damaged: the lower ")


def test_a_jpeg_with_few_of_its_rows_is_refused(make_photo: MakePhoto) -> None:
    with pytest.raises(Undecodable, match="damaged JPEG"):
        decode(cut(make_photo(size=(640, 480)), 0.2))


def test_a_progressive_jpeg_is_shown_once_a_scan_is_whole(make_photo: MakePhoto) -> None:
    make = lambda: make_photo(size=(640, 480), progressive=True)  # noqa: E731
    whole = np.asarray(decode(make(), (64, 64)), int)
    picture = decode(cut(make(), 0.6), (64, 64))
    assert np.abs(np.asarray(picture, int) - whole).mean() < 12
    assert picture.info[DAMAGE] == "damaged: its finer detail is missing"
    with pytest.raises(Undecodable, match="damaged JPEG"):
        decode(cut(make(), 0.05))


def test_a_whole_jpeg_is_not_called_damaged(make_photo: MakePhoto) -> None:
    assert DAMAGE not in decode(make_photo(size=(640, 480))).info


@pytest.mark.parametrize(("colour", "channels"), [(0, 1), (2, 3), (6, 4)])
def test_sixteen_bits_of_low_range_are_shown_by_that_range(
    tmp_path: Path, png: Callable[..., bytes], colour: int, channels: int
) -> None:
    ramp = np.linspace(0, 900, 64).astype(">u2")
    raw = np.repeat(ramp[:, None], channels, axis=1)
    if channels == 4:
        raw[:, 3] = 65535
    (tmp_path / "dim.png").write_bytes(png((64, 1), 16, colour, b"\0" + raw.tobytes()))
    shown = np.asarray(decode(tmp_path / "dim.png"))[0, :, 0].astype(int)
    np.testing.assert_allclose(shown, np.linspace(0, 255, 64), atol=1.5)


def tiff(pixels: np.ndarray) -> bytes:
    """An uncompressed TIFF with 16 bits a channel, which Pillow does not write."""
    height, width, channels = pixels.shape
    tags = {256: width, 257: height, 258: 16, 259: 1, 262: 2, 273: 200, 277: channels, 278: height, 279: pixels.nbytes}
    entries = b"".join(struct.pack("<HHII", tag, 4 if tag in (273, 279) else 3, 1, tags[tag]) for tag in sorted(tags))
    head = b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(4)
    return head.ljust(200, b"\0") + pixels.astype("<u2").tobytes()


def test_a_tiff_of_low_range_keeps_its_colours_apart(tmp_path: Path) -> None:
    ramp = np.linspace(0, 4000, 64)
    pixels = np.repeat(np.stack([ramp, ramp / 2, ramp / 4], axis=-1)[None], 8, axis=0)
    (tmp_path / "dim.tif").write_bytes(tiff(pixels))
    highest = np.asarray(decode(tmp_path / "dim.tif")).max(axis=(0, 1))
    np.testing.assert_allclose(highest, [255, 128, 64], atol=2)


def test_a_deep_picture_of_full_range_stays_as_it_is(tmp_path: Path) -> None:
    values = np.linspace(20_000, 40_000, 64).astype(np.uint16)[None]
    Image.fromarray(values).save(tmp_path / "deep.png")
    np.testing.assert_array_equal(np.asarray(decode(tmp_path / "deep.png"))[0, :, 0], values[0] >> 8)
