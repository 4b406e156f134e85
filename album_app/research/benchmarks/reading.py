"""Measures where the time of reading a photo goes, at several sizes: milliseconds of the processor, median of rounds.

The photos are made of one picture of the sample album, as cameras save them. "bare Pillow" only opens, drafts, shrinks
and saves a thumbnail; "preview" is the picture from which the first sheet of an album is made. All is measured in a
process with the settings of those that decode: with others, BLAS keeps further threads busy, and memory goes back to
the system after each photo.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageFile

from album_app.photos.decoding.colour import THUMBNAIL, THUMBNAIL_SIDE
from album_app.photos.decoding.decode import opened, picture_of
from album_app.photos.decoding.header import header_of, read_header
from album_app.photos.decoding.measures import fingerprint, greys_of, quality_row
from album_app.photos.decoding.preview import preview_in
from album_app.photos.faces import focus_in
from album_app.photos.features.rgb import Rgb
from album_app.photos.reading import JPEG_QUALITY, read
from album_app.photos.sandbox import SETTINGS
from album_app.research.benchmarks.camera_files import camera_picture, save_camera_photo
from album_app.sample.sample_album import sample_folder

SIZES = {"0.1": (390, 260), "2": (1730, 1155), "12": (4240, 2830), "48": (8480, 5660)}
"""Width and height of photos by their megapixels."""

Work = Callable[[], object]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=7, help="how often each step is timed (7)")


def run(arguments: argparse.Namespace) -> int:
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        command = [sys.executable, "-m", "album_app", "bench", "reading", "--rounds", str(arguments.rounds)]
        return subprocess.run(command, check=False, env=os.environ | SETTINGS).returncode
    columns = {}
    with tempfile.TemporaryDirectory() as place, Image.open(sorted(sample_folder().iterdir())[0]) as picture:
        for megapixels, size in SIZES.items():
            path = Path(place) / f"{megapixels}.jpg"
            save_camera_photo(path, camera_picture(picture, size))
            columns[megapixels] = {name: _timed(work, arguments.rounds) for name, work in _steps(path).items()}
    print("| step, ms | " + " | ".join(f"{name} MP" for name in columns) + " |\n|---|" + "---|" * len(columns))
    for name in next(iter(columns.values())):
        print(f"| {name} | " + " | ".join(f"{column[name]:.2f}" for column in columns.values()) + " |")
    ratios = (column["bare Pillow"] / column["read: all of it"] for column in columns.values())
    print("| speed against bare Pillow | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    return 0


def _steps(path: Path) -> dict[str, Work]:
    """The steps of reading a photo, each on its own."""
    thumbnail = _decoded(path)
    greys = greys_of(thumbnail)
    return {
        "bare Pillow": lambda: _bare(path),
        "read: all of it": lambda: read(path),
        "header and metadata": lambda: read_header(path),
        "decode, shrink, colour": lambda: _decoded(path),
        "features by colour": lambda: Rgb().pixels(np.asarray(thumbnail)),
        "grey levels": lambda: greys_of(thumbnail),
        "fingerprint": lambda: fingerprint(thumbnail, greys),
        "quality": lambda: quality_row(thumbnail, greys),
        "JPEG of the thumbnail": lambda: thumbnail.save(io.BytesIO(), "JPEG", quality=JPEG_QUALITY),
        "faces": lambda: focus_in(thumbnail),
        "preview": lambda: preview_in(str(path)),
    }


def _bare(path: Path) -> None:
    with Image.open(path) as image:
        image.draft(None, (THUMBNAIL_SIDE, THUMBNAIL_SIDE))
        image.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE), Image.Resampling.HAMMING)
        image.save(io.BytesIO(), "JPEG", quality=JPEG_QUALITY)


def _decoded(path: Path) -> Image.Image:
    with opened(path) as image:
        header_of(image)
        return picture_of(image, THUMBNAIL, _load)


def _load(image: ImageFile.ImageFile) -> str:
    image.load()
    return ""


def _timed(work: Work, rounds: int) -> float:
    """Processor milliseconds, the median of several rounds."""
    work()
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return 1000 * float(np.median(times))
