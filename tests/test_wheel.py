"""What is installed holds all that the program needs and nothing else, and runs far from the checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from album_app import __version__
from album_app.sample.sample_album import PREFIX, VERSION, draw

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], check=True, cwd=ROOT)
    return folder


@pytest.fixture
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


def files_below(*folders: str) -> set[str]:
    """What lies there, without what running the program leaves next to its sources."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_program_and_its_resources_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if ".dist-info/" not in name}
    unneeded = {name for name in files_below("resources") if name.endswith(".po") or "/freeze/" in name}
    assert unneeded
    wanted = files_below("album_app", "resources") - unneeded
    assert names == {name.replace("resources/", "album_app/resources/", 1) for name in wanted}


def test_the_sdist_holds_what_makes_the_wheel(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as file:
        names = {name.removeprefix(f"album_app-{__version__}/") for name in file.getnames()}
    others = {"README.md", "LICENSE", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert names == files_below("album_app", "resources") | others


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there the demo is always a window")
def test_the_installed_program_shows_its_demo_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site, here = tmp_path / "site", tmp_path / "here"
    sample = tmp_path / "cache" / f"{PREFIX}{VERSION}"
    for folder in (here, sample):
        folder.mkdir(parents=True)
    for number in range(12):  # the whole sample takes long to draw
        (sample / f"sunset-{number:02d}.jpg").write_bytes(draw("sunset", number))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run(pip, check=True)
    environment = os.environ | {"PYTHONPATH": str(site), "ALBUM_APP_CACHE": str(sample.parent)}
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(variable, None)
    program = (
        "import album_app, sys; print(album_app.__file__); from album_app.cli import main; sys.exit(main(['demo']))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert str(site) in done.stdout and "12 photos" in done.stdout
    with Image.open(here / "album-demo.png") as picture:
        assert min(picture.size) > 100
