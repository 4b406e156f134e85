"""The program is killed a hundred times while it writes: each file is the old one or the new one, never a part."""

import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.shape import rectangle
from album_app.paths import atomic_write, private_folder, state_folder
from album_app.photos.album import Album, scan
from album_app.photos.cache import Cache
from album_app.render import RenderSettings
from tests.layout.conftest import make_document
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed at any moment")
KILLS = 25
LONGEST_SECONDS = 0.03
Write = Callable[[int], object]
"""Writes the first or the second content, which differ in everything."""


def killed_while(write: Write, pause: float) -> None:
    """Have a process of its own write one content after the other, and kill it after a while."""
    heard, reported = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(reported, b"!")
            for number in range(1_000_000):
                write(number % 2)
        finally:
            os._exit(1)
    os.close(reported)
    assert os.read(heard, 1) == b"!"
    os.close(heard)
    time.sleep(pause)  # not waiting for a state: the moment of the kill is what is tried out
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def attack(write: Write, file: Path) -> None:
    """Kill the writer again and again; each time the file is one of the two, and what it left goes away later."""
    moments = random.Random(0)
    write(1)
    second = file.read_bytes()
    write(0)
    either = {file.read_bytes(), second}
    assert len(either) == 2
    for _ in range(KILLS):
        killed_while(write, moments.uniform(0, LONGEST_SECONDS))
        assert file.read_bytes() in either
    write(0)
    assert not list(file.parent.glob(".album*"))


@pytest.fixture
def album(tmp_path: Path) -> Album:
    (tmp_path / "photos").mkdir()
    for i in range(4):
        Image.new("RGB", (64, 64), (60 * i, 90, 200)).save(tmp_path / "photos" / f"{i}.png")
    return scan(tmp_path / "photos")


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_an_export(album: Album, tmp_path: Path, suffix: str) -> None:
    layouts = [layout_of(rectangle(2, 2), [0, 1, 2, 3]), layout_of(rectangle(2, 2), [3, 2, 1, 0])]
    target, settings = tmp_path / f"sheet{suffix}", RenderSettings(cell=200)
    pictures = {i: np.full((64, 64, 3), 60 * i, np.uint8) for i in range(4)}  # a decoder is not shared with a fork
    attack(lambda number: write_sheet(layouts[number], album, target, settings, instead=pictures), target)


def test_a_save(tmp_path: Path) -> None:
    document = make_document(tmp_path / "photos")
    documents = [document, replace(document, pins=document.pins.unpin(1))]
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "work.album"
    attack(lambda number: save_project(documents[number], target), target)
    assert len(load_project(target).album) == len(document.album)


def test_what_is_kept_aside(tmp_path: Path) -> None:
    """An autosave is a project and a note next to it, in the state folder."""
    document = make_document(tmp_path / "photos")
    documents = [document, replace(document, pins=document.pins.unpin(1))]
    target = private_folder(state_folder() / "autosave") / "work.album"

    def write(number: int) -> None:
        save_project(documents[number], target)
        with atomic_write(target.with_suffix(".json")) as temporary:
            temporary.write_text('{"title": "work"}')

    attack(write, target)
    assert target.with_suffix(".json").read_text() == '{"title": "work"}'


def test_the_cache(album: Album, tmp_path: Path) -> None:
    """A cache that was killed opens again and holds rows that were written, or none."""
    rows = [np.full((4, 2000), value, np.float32) for value in (1, 2)]

    def write(number: int) -> None:
        with Cache.open(tmp_path / "cache") as cache:
            cache.put_features(album.photos, "test", rows[number])

    write(0)
    moments = random.Random(0)
    for _ in range(KILLS):
        killed_while(write, moments.uniform(0, LONGEST_SECONDS))
        with Cache.open(tmp_path / "cache") as cache:
            assert cache.info().working
            found = cache.get_features(album.photos, "test")
        values = {float(value) for row in found if row is not None for value in np.unique(row)}
        assert len(values) == 1 and values <= {1.0, 2.0}, "all rows of one write"
