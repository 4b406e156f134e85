"""Projects that versions 0.1.0 and 0.2.0 wrote open as they were, and stay so when they are saved again."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from album_app.layout.pins import Pins
from album_app.layout.project.project_file import load_project, save_project

PROJECTS = sorted((Path(__file__).parent / "earlier_versions").glob("*.album"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the photos that all these projects show."""
    (tmp_path / "photos").mkdir()
    for index in range(12):
        picture = Image.new("RGB", (60, 40), (20 * index, 255 - 20 * index, 90))
        picture.save(tmp_path / "photos" / f"photo-{index:02}.png")
    return tmp_path


@pytest.mark.parametrize("kept", PROJECTS, ids=lambda path: path.stem)
def test_an_earlier_project_opens_as_it_was(kept: Path, folder: Path) -> None:
    content = json.loads(kept.read_text())
    document = load_project(shutil.copy(kept, folder))
    assert document.missing == frozenset()
    assert [photo.name for photo in document.album.photos] == [f"photo-{index:02}.png" for index in range(12)]
    rows = ["".join(".#"[int(filled)] for filled in row) for row in document.shape.mask]
    assert rows == content["shape"]["cells"]
    assert document.layout is not None
    assert document.layout.photo_at.tolist() == content["layout"]["photos"]
    assert document.pins == Pins({pin["photo"]: tuple(pin["cell"]) for pin in content["pins"]})
    assert document.options.features == content["options"]["features"]
    assert document.title == content.get("title", "")

    save_project(document, folder / "again.album")
    again = load_project(folder / "again.album")
    assert again.layout is not None
    assert again.layout.photo_at.tolist() == document.layout.photo_at.tolist()
    assert (again.shape.mask == document.shape.mask).all()
    assert (again.spec, again.pins, again.options, again.title) == (
        document.spec,
        document.pins,
        document.options,
        document.title,
    )


def test_all_kinds_of_earlier_projects_are_kept() -> None:
    assert [path.stem for path in PROJECTS] == [
        "0.1-rectangle",
        "0.1-word",
        "0.2-book",
        "0.2-hexagon",
        "0.2-rectangle",
        "0.2-word",
    ]
