"""How a photo was taken, as its header says."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from album_app.photos.decoding.header import Header, Shot, read_header
from album_app.photos.records import packed, unpacked


def with_exif(path: Path, **tags: Any) -> Path:
    exif = Image.Exif()
    exif.get_ifd(0x8769).update({int(tag, 16): value for tag, value in tags.items()})
    Image.new("RGB", (8, 6)).save(path, exif=exif)
    return path


@pytest.mark.parametrize(
    ("tags", "shot"),
    [
        ({}, Shot()),
        ({"829A": IFDRational(1, 250), "829D": 2.8, "8827": 400}, Shot(0.004, 2.8, 400)),
        ({"920A": 50.0, "A434": " EF50mm  f/1.8\0"}, Shot(focal_length=50.0, lens="EF50mm f/1.8")),
        ({"829A": IFDRational(1, 0), "829D": 0.0, "8827": (200, 100)}, Shot(iso=200)),
    ],
)
def test_what_exif_tells_and_what_makes_no_sense(tmp_path: Path, tags: dict[str, Any], shot: Shot) -> None:
    header = read_header(with_exif(tmp_path / "a.jpg", **tags))
    found = header.shot
    assert (round(found.seconds, 6), round(found.aperture, 3), found.iso) == (shot.seconds, shot.aperture, shot.iso)
    assert (found.focal_length, found.lens) == (shot.focal_length, shot.lens)
    assert unpacked(Header, packed(header, []), ()) == header
