"""The recipes for contributors work as they are written, and the documents name only what is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from album_app import __version__
from album_app.cli import main
from album_app.layout.shapes.shape import KINDS
from album_app.photos.features.table import EXTRACTORS
from album_app.render.formats.table import FORMATS
from tests.cli.conftest import draw_photos

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".github"
RECIPES = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def restored() -> Iterator[None]:
    """Tables as they were, afterwards."""
    tables: tuple[dict[str, Any], ...] = (EXTRACTORS, FORMATS, KINDS)
    before = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)


@pytest.mark.usefixtures("restored")
def test_extractor_shape_and_format_are_added_as_the_recipes_say(tmp_path: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", RECIPES, re.DOTALL):
        exec(block, {"__name__": "recipe"})
    folder, sheet = draw_photos(tmp_path / "photos", 10), tmp_path / "sheet.bmp"
    assert main(["arrange", str(folder), "-o", str(sheet), "--shape", "stairs", "--features", "brightness"]) == 0
    with Image.open(sheet) as picture:
        assert picture.format == "BMP"
        corners = [picture.getpixel((x, 40)) for x in (40, picture.width - 40)]
    assert corners[0] == (255, 255, 255) != corners[1]  # the stairs rise to the right


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_documents_name_files_that_are_there(page: str) -> None:
    text = (HOME / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|album_app|resources|\.ci)/?[\w/.-]*)`", text)
    assert [name for name in named if not (ROOT / name).exists() and "/fr/" not in name] == []


def test_the_newest_change_is_of_this_version() -> None:
    changes = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == __version__  # type: ignore[index]
