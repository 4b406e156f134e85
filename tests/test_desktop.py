"""In the menus of a Linux desktop: what is written there is valid, opens our files, and goes without a trace."""

import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from album_app import __version__, desktop, shipped_file
from album_app.cli import main
from album_app.errors import AlbumError
from album_app.gui.style.icons import png

ENTRY = f"applications/{desktop.ID}.desktop"

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Linux desktops only")


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def said_by(*words: str) -> str:
    done = subprocess.run([tool(words[0]), *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tree(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; its desktop knows of no programs but those in `system`."""
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "KDE_FULL_SESSION"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "system"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


@pytest.mark.usefixtures("no_tools")
def test_everything_is_written_where_desktops_look_and_removed_exactly(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = home / ".local" / "share"
    foreign = data / "icons" / "hicolor" / "16x16" / "apps" / "other.png"
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"another program's")
    before = tree(home)
    assert main(["install-desktop"]) == 0
    assert (data / ENTRY).is_file()
    for size in desktop.SIZES:
        for place in desktop.PICTURES:
            with Image.open(data / f"icons/hicolor/{size}x{size}/{place}.png") as picture:
                assert picture.size == (size, size)
                assert picture.getextrema()[3] == (0, 255)  # drawn, and see-through around it
    assert main(["install-desktop", "--remove"]) == 0
    assert tree(home) == before
    assert "Removed 23 files" in capsys.readouterr().out
    assert main(["install-desktop", "--remove"]) == 0
    assert "nothing to remove" in capsys.readouterr().out


@pytest.mark.usefixtures("home", "no_tools")
def test_another_data_home_is_respected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert all(path.is_relative_to(tmp_path / "data") for path in desktop.install(png, ["album-app"]))


@pytest.mark.usefixtures("no_tools")
def test_a_home_that_cannot_be_written_to_keeps_the_old_entry(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop.install(png, ["old"])
    with pytest.raises(ZeroDivisionError):
        desktop.install(lambda icon, size: bytes(1 // 0), ["new"])
    assert b"Exec=old %F" in (home / ".local" / "share" / ENTRY).read_bytes()


@pytest.mark.parametrize(
    "command", [["/opt/album-app"], ['/home/a b/$HOME`x`/50%\\"q"/album-app'], ["/usr/bin/python3", "-m", "album_app"]]
)
def test_the_entry_is_valid_wherever_the_program_is(home: Path, command: list[str]) -> None:
    validate = tool("desktop-file-validate")
    desktop.install(png, command)
    entry = home / ".local" / "share" / ENTRY
    assert subprocess.run([validate, entry], capture_output=True, text=True, check=False).stdout == ""


def test_metadata_is_valid_and_of_this_version() -> None:
    file = shipped_file(f"desktop/{desktop.ID}.metainfo.xml")
    releases = ET.parse(file).getroot().iter("release")
    assert next(releases).get("version") == __version__
    said_by("appstreamcli", "validate", "--no-net", str(file))


def test_projects_open_with_the_program_and_folders_as_before(home: Path, tmp_path: Path) -> None:
    tool("update-desktop-database"), tool("update-mime-database")
    files = tmp_path / "system" / "applications"
    files.mkdir(parents=True)
    entry = "[Desktop Entry]\nType=Application\nName=Files\nExec=true %U\nMimeType=inode/directory;\n"
    (files / "files.desktop").write_text(entry)
    said_by("update-desktop-database", str(files))
    assert said_by("xdg-mime", "query", "default", "inode/directory").strip() == "files.desktop"
    desktop.install(png, ["true"])
    data = home / ".local" / "share"
    assert f":{desktop.FILE_TYPE}:*.album" in (data / "mime" / "globs2").read_text()
    assert said_by("xdg-mime", "query", "default", desktop.FILE_TYPE).strip() == f"{desktop.ID}.desktop"
    assert said_by("xdg-mime", "query", "default", "inode/directory").strip() == "files.desktop"
    desktop.remove()
    assert not said_by("xdg-mime", "query", "default", desktop.FILE_TYPE).strip()
    left = [path for path, content in tree(data).items() if b"album" in content]
    assert not left


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_elsewhere_one_line_says_so(
    home: Path, system: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert main(["install-desktop"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not list(home.iterdir())


def test_a_line_break_in_the_path_of_the_program_is_refused(home: Path) -> None:
    with pytest.raises(AlbumError, match="line break"):
        desktop.install(lambda name, size: b"", ["/opt/album\nExec=rm -rf /", "-m"])
    assert not list(home.rglob("*.desktop"))


@pytest.mark.usefixtures("no_tools")
@pytest.mark.parametrize("name", [ENTRY, f"icons/hicolor/48x48/apps/{desktop.ID}.png"])
def test_files_of_other_origin_stay_unless_force_is_given(
    home: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / ".local" / "share" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"somebody's own")
    assert main(["install-desktop"]) == 2 and "--force replaces it" in capsys.readouterr().err
    assert main(["install-desktop", "--remove"]) == 0
    assert [path for path in home.rglob("*") if path.is_file()] == [file] and file.read_bytes() == b"somebody's own"
    assert main(["install-desktop", "--force"]) == 0
    assert file.read_bytes() != b"somebody's own"
    assert main(["install-desktop"]) == 0, "an installation of our own is replaced without a question"
    assert main(["install-desktop", "--remove"]) == 0
    assert not [path for path in home.rglob("*") if path.is_file()]
