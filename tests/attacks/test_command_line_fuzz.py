"""Any words after `album-app arrange` and `score` are obeyed or refused in one line, and no photo is changed."""

import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from album_app.cli import main
from tests.attacks.conftest import examples

NUMBERS = ["0", "1", "-1", "7", "0.5", "1e400", "nan", "-inf", "9" * 25, "9" * 5000, "", " ", "1_0", "\u0661", "0x10"]
TEXTS = [
    "",
    " ",
    "A",
    "a\nb",
    "\\n",
    "\u6f22",
    "\udcff",
    "\u202egpj",
    "\x1b[31m",
    "'",
    "=1+1",
    "%s{}",
    "--",
    "~",
    "n" * 300,
]
FILES = ["s.png", "s.pdf", "r.json", "p.album", "folder", "pipe", "circle", "kept.png", "kept.json", "kept.album"]
FILES += ["dangling.png", "notes.txt", "../photos/0.png", "none/x.png", "n" * 300 + ".png", ".", "..", "", "-"]
PINS = [
    "0.png@0,0",
    "0.png@9,9",
    "@0,0",
    "0.png@",
    "0.png@0,0,0",
    "../0.png@0,0",
    "0.png@\u0661,0",
    "0.png@0," + "9" * 30,
]
OPTIONS = {
    "-o": FILES,
    "--project": FILES,
    "--report": FILES,
    "--pins": FILES,
    "--mask": FILES,
    "--pin": PINS,
    "--text": TEXTS,
    "--title": TEXTS,
    "--shape": ["2x2", "1x5", "0x1", "9" * 30 + "x1", "heart", "blob", "2\u00d72", ""],
    "--cells": ["9", "-1", "0", "9" * 9, ""],
    "--pin-preset": ["corners", "letters", "edges", "x"],
    "--features": ["rgb", "lab", "rgb:3", "rgb:-1", "rgb:" + "9" * 9, "lab:x", "smell", "", "rgb:8:stride:x"],
    "--fill": ["repeat", "end", "x"],
    "--paper": ["50x70mm", "0x0mm", "1e9x1mm", "A17", "", "90x60px", "9999999x9px", "nanxnanmm"],
    "--cell": ["16", "4", "0", "9" * 9, "x"],
    "--caption": ["name", "date", "x"],
    "--background": ["red", "transparent", "#12", "#12345g", "", "\u202e"],
} | {
    f"--{name}": NUMBERS
    for name in ("follow", "seed", "beta", "epsilon", "lam", "gap", "margin", "corner", "border", "quality", "dpi")
}
FLAGS = ["--auto", "--no-refine", "--strict", "--quiet", "--progress", "--mark-pins", "--bogus", "--"]
WORDS = st.lists(
    st.sampled_from(sorted(OPTIONS)).flatmap(
        lambda name: st.sampled_from(OPTIONS[name]).map(lambda value: [name, value])
    )
    | st.sampled_from(FLAGS).map(lambda flag: [flag]),
    max_size=5,
).map(lambda groups: [word for group in groups for word in group])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("words")
    (home / "photos").mkdir()
    for i in range(4):
        Image.new("RGB", (24, 16), (60 * i, 90, 200)).save(home / "photos" / f"{i}.png")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield home


def lay_out(here: Path) -> None:
    """A folder with one of everything that a path can lead to."""
    here.mkdir(exist_ok=True)
    for path in here.iterdir():
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    (here / "folder").mkdir()
    (here / "circle").symlink_to(here / "circle")
    (here / "dangling.png").symlink_to(here / "fresh.png")
    (here / "notes.txt").write_text("hello")
    for name in ("kept.png", "kept.json", "kept.album"):
        (here / name).write_text("kept")
        (here / name).chmod(0o444)
    if hasattr(os, "mkfifo"):
        os.mkfifo(here / "pipe")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run(words: list[str]) -> tuple[int, str]:
    said, complained = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(complained):
        code = main(words)
    return code, complained.getvalue()


@examples(200)
@given(
    command=st.sampled_from(["arrange"] * 9 + ["score"]),
    folder=st.sampled_from(["../photos"] * 8 + ["folder", "none", "pipe", "", "n" * 300]),
    sound=st.sampled_from([[], ["--report", "fine.json"], ["-o", "fine.png"], ["--project", "fine.album"]]),
    words=WORDS,
)
def test_any_words_are_done_or_refused_in_one_line(
    home: Path, command: str, folder: str, sound: list[str], words: list[str]
) -> None:
    before = contents(home / "photos")
    lay_out(home / "here")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home / "here")
        patch.delenv("ALBUM_APP_DEBUG", raising=False)
        code, complaint = run(
            [command, *words[:1], folder] if command == "score" else [command, folder, *sound, *words]
        )
    assert code in (0, 1, 2)
    assert "unexpected" not in complaint and "Traceback" not in complaint
    lines = [line for line in complaint.splitlines() if "\r" not in line and line.startswith("album-app: ")]
    assert len(lines) == (code != 0), complaint
    assert contents(home / "photos") == before
    assert {path.name for path in home.iterdir()} == {"photos", "here"}
    assert not list((home / "here").glob(".*"))
    assert (home / "here" / "circle").is_symlink() and (home / "here" / "dangling.png").is_symlink()
    assert all((home / "here" / f"kept.{end}").read_text() == "kept" for end in ("png", "json", "album"))
    assert not (home / "here" / "pipe").is_file()
