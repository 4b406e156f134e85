"""The README is true when typed: its commands and examples run as they stand, on a tiny album of the names it uses."""

import os
import re
import shlex
from pathlib import Path

import pytest

from album_app.cli import COMMANDS, main
from album_app.photos import faces
from album_app.photos.features.table import EXTRACTORS
from album_app.render import FORMATS
from tests.cli.conftest import draw_photos

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECONDS_A_DAY = 86_400
NEEDS_A_NETWORK = "--features semantic"
"""Loading torch takes longer than all the rest, and other tests do it; here the words alone are looked at."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("album-app ")]


@pytest.fixture
def crete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the name and with the photos that the README speaks of."""
    folder = draw_photos(tmp_path / "Crete", 12)
    for name, photo in zip(("sea.jpg", "sunset.jpg"), sorted(folder.glob("*.png")), strict=False):
        photo.rename(folder / name)
    for day, photo in enumerate(sorted(folder.iterdir())):
        os.utime(photo, (0, SECONDS_A_DAY * (1 + day)))  # a timeline needs dates
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize("command", commands())
def test_a_command_does_what_it_says(
    command: str, crete: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--crop focus" not in command:  # a helper process that looks for faces would take longer than the command
        monkeypatch.setattr(faces, "stream_focus", lambda photos, folder=None, *, stop=None: iter(()))
    if "--text" in command:
        draw_photos(crete, 60)  # letters need some
    words = shlex.split(command.replace(NEEDS_A_NETWORK, "--features rgb"))[1:]
    assert main(words) == 0, capsys.readouterr().err
    for option in ("-o", "--report", "--project"):
        if option in words:
            wanted = Path(words[words.index(option) + 1])
            assert list(Path().glob(f"{wanted.stem}*{wanted.suffix}"))


def test_there_are_commands_to_try() -> None:
    assert len(commands()) >= 8


@pytest.mark.usefixtures("crete")
@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_examples_run(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(blocks("python")[number], {})
    assert capsys.readouterr().out


def test_pictures_and_pages_are_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if not link.startswith("http")]
    assert len(links) > 10 and [link for link in links if not (ROOT / link).exists()] == []
    assert (ROOT / "assets" / "arranging.webp").stat().st_size < 3_000_000


def test_tables_tell_what_there_is() -> None:
    reported = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", README, re.MULTILINE))
    assert reported == {name: entry.title for name, entry in EXTRACTORS.items()}
    assert ", ".join(FORMATS) in README
    named = re.findall(r"`album-app ([a-z][a-z-]+)", README)
    assert set(named) <= set(COMMANDS)
