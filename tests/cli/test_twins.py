"""`album-app twins`: the list of near-duplicates."""

import csv
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from album_app.layout.project.project_file import load_project
from tests.cli.conftest import Run


def save_picture(seed: int, file: Path, *blurred: Path) -> None:
    """Draw a picture of its own, and nearly the same out of focus."""
    coarse = np.random.default_rng(seed).integers(0, 256, (30, 40, 3), np.uint8)
    image = Image.fromarray(coarse).resize((400, 300))
    image.save(file)
    for path in blurred:
        image.filter(ImageFilter.GaussianBlur(2)).save(path)


def test_the_list_names_each_stack_with_its_best_first(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for i in range(3):
        save_picture(i, folder / f"={i}.png", *([folder / f"blurred {i}.png"] if i else []))
    done = run("twins", folder, "--quiet")
    assert done.code == 0, done.err
    rows = list(csv.reader(io.StringIO(done.out)))
    assert rows[0] == ["stack", "photo", "best", "width", "height", "sharpness", "taken"]
    assert [row[:3] for row in rows[1:]] == [
        ["1", "'=1.png", "1"],
        ["1", "blurred 1.png", "0"],
        ["2", "'=2.png", "1"],
        ["2", "blurred 2.png", "0"],
    ]
    assert run("twins", folder, "--quiet", "-o", tmp_path / "list.csv").code == 0
    assert (tmp_path / "list.csv").read_text().split() == done.out.split()


def test_arrange_shows_one_of_each_stack(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for i in range(4):
        save_picture(i, folder / f"{i}.png", folder / f"{i} blurred.png")
    report, project = tmp_path / "sheet.json", tmp_path / "sheet.album"
    done = run("arrange", folder, "--stack", "--pin", "3 blurred.png@0,0", "--report", report, "--project", project)
    assert done.code == 0 and "3 more photos in stacks" in done.out, done.err
    reported = json.loads(report.read_text())
    assert reported["cells"] == 4 and reported["placement"][0]["photo"] == "3 blurred.png"
    assert reported["stacks"] == [[f"{i}.png", f"{i} blurred.png"] for i in range(4)]
    document = load_project(project)
    assert len(document.stacks) == 4 and len(document.active) == 5
