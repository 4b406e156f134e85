"""Folders of small drawn photos, and a way to run the command as a person does."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.cli import main
from album_app.photos import faces

PHOTOS = 24


def draw_photos(folder: Path, count: int = PHOTOS, seed: int = 0) -> Path:
    """Photos of soft colours, a few of them in a folder inside."""
    rng = np.random.default_rng(seed)
    (folder / "inner").mkdir(parents=True, exist_ok=True)
    for i in range(count):
        colour = rng.integers(0, 255, 3)
        noise = rng.integers(-20, 20, (30, 40, 3))
        pixels = np.clip(colour + noise, 0, 255).astype(np.uint8)
        name = f"inner/p{i:02d}.png" if i % 4 == 3 else f"p{i:02d}.png"
        Image.fromarray(pixels).save(folder / name)
    return folder


SEEK_FOCUS = faces.stream_focus


@pytest.fixture(autouse=True)
def focus_is_not_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper process that looks for faces in each album of a test would take longer than the test."""
    monkeypatch.setattr(faces, "stream_focus", lambda photos, folder=None, *, stop=None: iter(()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty-four photos, six of them in a folder inside."""
    return draw_photos(tmp_path / "photos")


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line of an error; fails if there was more, or a traceback."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1 and lines[0].startswith("album-app: "), self.err
        return lines[0].removeprefix("album-app: ")


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `album-app` with words, as in a shell."""

    def run(*words: object) -> Ran:
        code = main([os.fspath(word) if isinstance(word, Path) else str(word) for word in words])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run
