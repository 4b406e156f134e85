"""Files of cameras and phones: raw files, HEIC, pairs of files that are one photo, and the dates of photos."""

import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.decoding.decode import Undecodable, decode
from album_app.photos.decoding.header import CAMERA, FILE, NAME, date_in_exif, date_in_name, moment, read_header
from tests.photos.conftest import MakePhoto, names
from tests.photos.dng import dng

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")

GREEN, BLUE = (0, 255, 0), (0, 0, 254)


@pytest.mark.parametrize(
    ("preview", "box", "colour"),
    [((160, 120), (100, 100), BLUE), ((160, 120), (300, 300), GREEN), ((160, 120), None, GREEN), (None, (9, 9), GREEN)],
    ids=["preview", "preview too small", "everything wanted", "no preview"],
)
def test_a_raw_file_is_seen_through_its_preview_where_that_is_large_enough(
    tmp_path: Path, preview: tuple[int, int] | None, box: tuple[int, int] | None, colour: tuple[int, int, int]
) -> None:
    (tmp_path / "a.dng").write_bytes(dng(preview=preview))
    picture = decode(tmp_path / "a.dng", box)
    np.testing.assert_allclose(picture.getpixel((4, 4)), colour, atol=3)
    assert picture.width == min(box[0] if box else 320, 320)


@pytest.mark.parametrize("preview", [(160, 120), None])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_raw_file_is_upright_and_knows_its_own_size(
    tmp_path: Path, preview: tuple[int, int] | None, orientation: int
) -> None:
    (tmp_path / "a.dng").write_bytes(dng(preview=preview, orientation=orientation))
    expected = (240, 320) if orientation >= 5 else (320, 240)
    assert decode(tmp_path / "a.dng").size == expected
    header = read_header(tmp_path / "a.dng")
    assert (header.width, header.height) == expected
    assert header.taken == datetime(2021, 2, 3, 4, 5, 6)


def test_a_raw_file_was_taken_when_the_camera_says_and_not_when_it_was_changed(tmp_path: Path) -> None:
    (tmp_path / "a.dng").write_bytes(dng(taken="2020:01:02 03:04:05"))
    assert read_header(tmp_path / "a.dng").taken == datetime(2020, 1, 2, 3, 4, 5)
    assert decode(tmp_path / "a.dng").size == (320, 240)


def test_damaged_raw_files_are_explained(tmp_path: Path) -> None:
    whole = dng()
    rng = np.random.default_rng(0)
    for trial in range(30):
        content = bytearray(whole[: rng.integers(20, len(whole))] if trial % 2 else whole)
        for place in rng.integers(8, min(len(content), 600), 10):
            content[place] = rng.integers(0, 256)
        (tmp_path / "bad.dng").write_bytes(content)
        try:
            assert decode(tmp_path / "bad.dng", (64, 64)).mode == "RGB"
        except Undecodable as fault:
            assert fault.reason


def test_what_only_calls_itself_raw_is_told_by_its_content(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("a.jpg").rename(tmp_path / "a.nef")
    assert decode(tmp_path / "a.nef").size == (64, 48)
    (tmp_path / "b.cr2").write_bytes(b"no such thing")
    with pytest.raises(Undecodable, match=r"not a camera's raw file \(CR2\), in spite of its name"):
        decode(tmp_path / "b.cr2")


def test_pairs_of_one_name_are_one_photo(tmp_path: Path, make_photo: MakePhoto) -> None:
    make_photo("IMG_1.JPG")
    (tmp_path / "IMG_1.dng").write_bytes(dng())
    make_photo("IMG_2.jpg")
    (tmp_path / "img_2.MOV").write_bytes(b"\0\0\0\x14ftypqt  ")
    (tmp_path / "IMG_3.dng").write_bytes(dng())
    (tmp_path / "IMG_4.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    make_photo("other/IMG_4.jpg")
    album = scan(tmp_path)
    assert names(album) == ["IMG_1.JPG", "IMG_2.jpg", "IMG_3.dng", "other/IMG_4.jpg"]
    assert [(item.name, item.reason) for item in album.skipped] == [("IMG_4.mp4", "a video, not a photo")]


def test_heic_belongs_to_the_ordinary_install(tmp_path: Path) -> None:
    import pillow_heif

    pillow_heif.from_pillow(Image.new("RGB", (64, 48), "red")).save(tmp_path / "a.heic")
    assert decode(tmp_path / "a.heic", (32, 32)).size == (32, 24)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("IMG_20240503_141516.jpg", datetime(2024, 5, 3, 14, 15, 16)),
        ("PXL_20230101_001122333.MP.jpg", datetime(2023, 1, 1, 0, 11, 22)),
        ("2019-07-14 09.26.53.png", datetime(2019, 7, 14, 9, 26, 53)),
        ("Screenshot 2022-12-31 at 23.59.58.png", datetime(2022, 12, 31, 23, 59, 58)),
        ("signal-2021-03-04-050607.jpg", datetime(2021, 3, 4, 5, 6, 7)),
        ("WhatsApp Image 2020-02-29.jpeg", datetime(2020, 2, 29)),
        ("IMG-20180801-WA0007.jpg", datetime(2018, 8, 1)),
        ("2019/2017_06_05.jpg", datetime(2017, 6, 5)),
        ("IMG_20240503_291500.jpg", datetime(2024, 5, 3)),  # no clock shows 29 hours, but the day is sound
        ("20201340_badmonth.jpg", None),
        ("DSC_0042.jpg", None),
        ("120240503.jpg", None),
        ("holiday 2019.jpg", None),
    ],
)
def test_dates_in_names(name: str, expected: datetime | None) -> None:
    assert date_in_name(name) == expected


@pytest.mark.parametrize(
    ("words", "zone", "expected"),
    [
        ("2020:01:02 03:04:05", "", datetime(2020, 1, 2, 3, 4, 5)),
        ("2020-01-02T03:04", "", datetime(2020, 1, 2, 3, 4)),
        ("2020:01:02 03:04:05", "+05:30", datetime(2020, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(minutes=330)))),
        ("2020:01:02 03:04:05", "-0800", datetime(2020, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=-8)))),
        ("2020:01:02 03:04:05", "+99:00", datetime(2020, 1, 2, 3, 4, 5)),
        ("0000:00:00 00:00:00", "+01:00", None),
        ("2020:13:02 03:04:05", "", None),
        ("None", "None", None),
    ],
)
def test_dates_as_exif_writes_them(words: str, zone: str, expected: datetime | None) -> None:
    found = date_in_exif(words, zone)
    assert found == expected and (found is None or found.utcoffset() == expected.utcoffset())  # type: ignore[union-attr]


def test_seconds_since_1970_in_a_name_are_a_date() -> None:
    assert date_in_name("FB_IMG_1600000000123.jpg") == date_in_name("a/1600000000.jpg") == datetime.fromtimestamp(16e8)
    assert date_in_name("26000000000.jpg") is None


def test_dates_come_from_the_camera_else_the_name_else_the_file(tmp_path: Path, make_photo: MakePhoto) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769).update({0x9003: "2020:01:02 03:04:05", 0x9011: "+05:30"})
    make_photo("20190101_000000.jpg", exif=exif.tobytes())
    make_photo("20190102_000000.jpg")
    os.utime(make_photo("plain.jpg"), (1_600_000_000, 1_600_000_000))
    dated, named, plain = scan(tmp_path).photos
    zone = timezone(timedelta(hours=5, minutes=30))
    assert (dated.taken, dated.taken_by) == (datetime(2020, 1, 2, 3, 4, 5, tzinfo=zone), CAMERA)
    assert (named.taken, named.taken_by) == (datetime(2019, 1, 2), NAME)
    assert (plain.taken, plain.taken_by) == (datetime.fromtimestamp(1_600_000_000), FILE)
    assert (dated.date, plain.date) == (dated.taken, None)


def test_moments_order_dates_across_time_zones() -> None:
    noon = datetime(2020, 1, 1, 12)
    east, west = (noon.replace(tzinfo=timezone(timedelta(hours=hours))) for hours in (9, -8))
    assert moment(east) < moment(noon) < moment(west)
    assert moment(noon) == moment(noon.replace(tzinfo=UTC))
