"""The recipes for contributors work as they are written, and the documents name only what is there."""

import pkgutil
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app import __version__
from album_app.cli import main
from album_app.layout.project.project_file import load_project
from tests.cli.conftest import draw_photos
from tests.recipes import HOME, recipes_followed

ROOT = HOME.parent


@pytest.fixture
def followed() -> Iterator[None]:
    with recipes_followed():
        yield


@pytest.mark.usefixtures("followed")
def test_extractor_shape_and_format_are_added_as_the_recipes_say(tmp_path: Path) -> None:
    folder, sheet = draw_photos(tmp_path / "photos", 10), tmp_path / "sheet.bmp"
    assert main(["arrange", str(folder), "-o", str(sheet), "--shape", "stairs", "--features", "brightness"]) == 0
    with Image.open(sheet) as picture:
        assert picture.format == "BMP"
        corners = [picture.getpixel((x, 40)) for x in (40, picture.width - 40)]
    assert corners[0] == (255, 255, 255) != corners[1]  # the stairs rise to the right


@pytest.mark.usefixtures("followed")
@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_a_hexagonal_grid_is_added_as_the_recipe_says(tmp_path: Path, suffix: str) -> None:
    folder, sheet = draw_photos(tmp_path / "photos", 12), tmp_path / f"sheet.{suffix}"
    wanted = ["--shape", "hexagonal", "--cell", "40", "--gap", "0", "--margin", "0", "--background", "#00ff00"]
    project = tmp_path / "sheet.album"
    assert main(["arrange", str(folder), "-o", str(sheet), "--project", str(project), *wanted]) == 0
    drawn = sheet if suffix == "png" else _rasterised(sheet)
    with Image.open(drawn) as picture:
        assert picture.size == (180, 120), "four columns, and half a cell more"
        green = (np.asarray(picture.convert("RGB")) == (0, 255, 0)).all(axis=2)
    rows = [np.flatnonzero(~green[row]) for row in (20, 60, 100)]
    ends = np.array([(row[0], row[-1]) for row in rows])
    assert np.abs(ends - [(0, 159), (20, 179), (0, 159)]).max() <= 1, "a reader of PDF may smooth edges"
    document = load_project(project)
    assert document.shape.shift == 0.5 and document.spec.kind == "hexagonal"


def _rasterised(page: Path) -> Path:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not there")
    subprocess.run(
        ["pdftoppm", "-png", "-singlefile", "-scale-to-x", "180", "-scale-to-y", "120", page, page], check=True
    )
    return page.with_name(page.name + ".png")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_documents_name_files_that_are_there(page: str) -> None:
    text = (HOME / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|album_app|resources|\.ci)(?:/[\w/.-]*)?)`", text)
    assert [name for name in named if not (ROOT / name).exists() and "/fr/" not in name] == []


def promises() -> list[str]:
    """The lines of the table of promises, without its head."""
    lines = (HOME / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("|")][2:]


def test_every_promise_names_tests_that_exist() -> None:
    assert len(promises()) > 10
    for line in promises():
        files = re.findall(r"`(tests/[\w/]+\.py)`([^;|]*)", line)
        assert files, line
        for name, tests in files:
            text = (ROOT / name).read_text(encoding="utf-8")
            missing = [test for test in re.findall(r"`(test_\w+)`", tests) if f"def {test}(" not in text]
            assert not missing, (name, missing)
        assert re.findall(r"`test_\w+`", line), line


def walks() -> list[str]:
    text = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("### Four walks")[2].partition("### Glossary")[0]
    return re.findall(r"`([a-z_]+(?:\.\w+)+)`", section)


def test_there_are_four_walks() -> None:
    assert len(walks()) >= 30


@pytest.mark.parametrize("name", sorted(set(walks())))
def test_a_walk_names_functions_that_exist(name: str) -> None:
    assert callable(pkgutil.resolve_name(f"album_app.{name}"))


def test_the_newest_change_is_of_this_version() -> None:
    changes = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == __version__  # type: ignore[index]
