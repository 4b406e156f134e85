"""What is written is whole by the letter of its format, not only for readers that forgive."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album
from album_app.render import RenderSettings
from album_app.render.painters.pixels import Limits
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG, whose checksums are right."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, found = 8, []
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        body = data[place + 4 : place + 8 + length]
        assert zlib.crc32(body) == int.from_bytes(data[place + 8 + length : place + 12 + length], "big")
        found.append((body[:4], body[4:]))
        place += length + 12
    return found


@pytest.mark.parametrize("piece", [1 << 12, 1 << 20])
def test_the_rows_of_a_png_are_one_finished_stream(album: Album, tmp_path: Path, piece: int) -> None:
    layout = layout_of(rectangle(2, 2), [0, 1, 2, 3])
    path = write_sheet(
        layout, album, tmp_path / "sheet.png", RenderSettings(cell=60), limits=Limits(deflated_bytes=piece)
    )
    found = chunks(path.read_bytes())
    assert found[0][0] == b"IHDR" and found[-1] == (b"IEND", b"")
    stream = zlib.decompressobj()
    rows = stream.decompress(b"".join(body for name, body in found if name == b"IDAT"))
    width, height = struct.unpack(">II", found[0][1][:8])
    assert stream.eof and not stream.unused_data and len(rows) == height * (1 + 3 * width)


def test_a_tiff_of_many_strips_has_the_pixels_of_the_png(album: Album, tmp_path: Path) -> None:
    settings, limits = RenderSettings(cell=60), Limits(strip_bytes=3000)
    layout = layout_of(rectangle(2, 2), [0, 1, 2, 3])
    pictures = []
    for suffix in (".png", ".tif"):
        with Image.open(write_sheet(layout, album, tmp_path / f"sheet{suffix}", settings, limits=limits)) as image:
            pictures.append(np.asarray(image))
    assert np.array_equal(*pictures)
