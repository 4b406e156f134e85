"""A finished project is written as it is, and a list says where each photo hangs."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.cli import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "photos").mkdir()
    for index in range(6):
        picture = Image.new("RGB", (300, 200), (40 * index, 200 - 30 * index, 90))
        picture.save(tmp_path / "photos" / f"{index}.png")
    return tmp_path


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"))


def test_a_project_in_the_place_of_a_folder_is_written_as_it_is(folder: Path) -> None:
    first = ["arrange", str(folder / "photos"), "-o", str(folder / "first.png"), "--project", str(folder / "x.album")]
    shaped = ["--shape", "3x4", "--pin", "5.png@0,0", "--size", "2.png=2", "--features", "rgb", "--quiet"]
    assert main([*first, *shaped]) == 0
    Image.new("RGB", (300, 200), "white").save(folder / "photos" / "later.png")
    assert main(["arrange", str(folder / "x.album"), "-o", str(folder / "again.png"), "--quiet"]) == 0
    assert np.array_equal(pixels(folder / "first.png"), pixels(folder / "again.png"))


def test_a_project_without_a_photo_leaves_its_cell_empty(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arrange", str(folder / "photos"), "--project", str(folder / "x.album"), "--shape", "2x3", "--quiet"]
    assert main([*words, "--features", "rgb"]) == 0
    (folder / "photos" / "3.png").unlink()
    assert main(["arrange", str(folder / "x.album"), "-o", str(folder / "again.png"), "--quiet"]) == 0
    assert "3.png" in capsys.readouterr().err


def test_the_list_says_where_each_photo_hangs(folder: Path) -> None:
    sheet = ["-o", str(folder / "wall.pdf"), "--list", str(folder / "wall.csv"), "--paper", "30x20cm", "--shape", "2x3"]
    look = ["--margin", "10", "--gap", "0", "--features", "rgb", "--quiet"]
    assert main(["arrange", str(folder / "photos"), *sheet, *look]) == 0
    with (folder / "wall.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert sorted(line["photo"] for line in lines) == [f"{index}.png" for index in range(6)]
    assert [(line["row"], line["column"]) for line in lines[:2]] == [("1", "1"), ("1", "2")]
    side = float(lines[0]["width_cm"])
    assert side == pytest.approx(9, abs=0.05) and float(lines[0]["height_cm"]) == pytest.approx(side, abs=0.02)
    assert float(lines[1]["left_cm"]) - float(lines[0]["left_cm"]) == pytest.approx(side, abs=0.02)
    assert int(lines[0]["dpi"]) == pytest.approx(200 / (side / 2.54), abs=1)


def test_a_list_needs_a_paper(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arrange", str(folder / "photos"), "-o", "x.png", "--list", "x.csv"]) == 2
    assert "--list has no effect" in capsys.readouterr().err


def test_the_list_of_a_book_counts_pages(folder: Path) -> None:
    sheet = ["-o", str(folder / "b.pdf"), "--list", str(folder / "b.csv"), "--paper", "A5", "--pages", "2"]
    assert main(["arrange", str(folder / "photos"), *sheet, "--shape", "1x3", "--features", "rgb", "--quiet"]) == 0
    with (folder / "b.csv").open(newline="") as file:
        places = sorted((line["page"], line["row"], line["column"]) for line in csv.DictReader(file))
    assert places == [(page, "1", column) for page in "12" for column in "123"]
