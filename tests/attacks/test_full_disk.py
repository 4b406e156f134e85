"""A disk that is full after any number of bytes: the old file stays, nothing is left, and the sentence names the file.

The system's own limit on the size of a file stands in for the disk, in a process of its own.
"""

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.cli.reports import write_report
from album_app.errors import AlbumError
from album_app.layout.pins import Pins, write_pins_csv
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import rectangle
from album_app.paths import AGREED
from album_app.photos.album import Album, scan
from album_app.photos.cache import Cache
from album_app.render import FORMATS, RenderSettings
from tests.layout.conftest import make_document
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

resource = pytest.importorskip("resource", reason="the system limits no files")
MOMENTS = 6
BLOCK = np.ones((8, 8, 1))


def on_full_disk(work: Callable[[], object], room: int) -> str:
    """What came of some work where no file may grow beyond `room` bytes: "done", or the sentence of its error."""
    heard, reported = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            sys.dont_write_bytecode = True  # a module that is loaded now would be kept in half, for everybody
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            work()
            words = "done"
        except AlbumError as error:
            words = str(error)
        except BaseException:
            words = traceback.format_exc()
        os.write(reported, words.encode()[:4000])
        os._exit(0)
    os.close(reported)
    with os.fdopen(heard, "rb") as pipe:
        words = pipe.read().decode()
    os.waitpid(child, 0)
    return words


def attack(write: Callable[[], object], target: Path) -> None:
    write()
    size = target.stat().st_size
    target.write_bytes(b"as it was")
    for moment in range(MOMENTS):
        sentence = on_full_disk(write, size * moment // MOMENTS)
        assert target.read_bytes() == b"as it was" and list(target.parent.iterdir()) == [target]
        assert target.name in sentence and len(sentence.splitlines()) == 1
    assert on_full_disk(write, 100 * size) == "done" and target.stat().st_size == size


@pytest.fixture
def album(tmp_path: Path) -> Album:
    (tmp_path / "photos").mkdir()
    for i in range(4):
        noise = np.random.default_rng(i).integers(0, 255, (64, 64, 3), dtype=np.uint8)
        Image.fromarray(noise).save(tmp_path / "photos" / f"{i}.png")
    return scan(tmp_path / "photos")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format(album: Album, out: Path, kind: str) -> None:
    target = out / f"sheet{FORMATS[kind].suffixes[0]}"
    layout = layout_of(rectangle(2, 2), [0, 1, 2, 3])
    # A decoder is not shared with a fork.
    pictures = {
        i: np.kron(np.random.default_rng(i).integers(0, 255, (8, 8, 3)), BLOCK).astype(np.uint8) for i in range(4)
    }
    settings = RenderSettings(cell=64, caption="name")
    attack(lambda: write_sheet(layout, album, target, settings, instead=pictures, agreed=True), target)


def test_projects_reports_and_pins(tmp_path: Path, out: Path) -> None:
    document = make_document(tmp_path / "photos")
    names = [photo.name for photo in document.album.photos]
    writers: dict[str, Callable[[Path], None]] = {
        "p.album": lambda path: save_project(document, path, agreed=True),
        "r.json": lambda path: write_report({"photos": list(range(100))}, path, AGREED),
        "p.csv": lambda path: write_pins_csv(path, Pins({0: (0, 0), 1: (0, 1)}), names, AGREED),
    }
    for name, write in writers.items():
        attack(lambda write=write, name=name: write(out / name), out / name)  # type: ignore[misc]
        (out / name).unlink()


def test_a_cache_that_cannot_grow_is_done_without(album: Album, tmp_path: Path) -> None:
    rows = np.ones((4, 2000), np.float32)

    def work() -> None:
        with Cache.open(tmp_path / "cache") as cache:
            cache.put_features(album.photos, "test", rows)
            cache.get_features(album.photos, "test")

    for room in (0, 100, 4096, 20_000, 50_000):
        assert on_full_disk(work, room) == "done"
    work()
    with Cache.open(tmp_path / "cache") as cache:
        assert all(row is not None for row in cache.get_features(album.photos, "test"))
