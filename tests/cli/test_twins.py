"""`album-app twins`: the list of near-duplicates."""

import csv
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from tests.cli.conftest import Run


def test_the_list_names_each_stack_with_its_best_first(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for i in range(3):
        coarse = np.random.default_rng(i).integers(0, 256, (30, 40, 3), np.uint8)
        image = Image.fromarray(coarse).resize((400, 300))
        image.save(folder / f"={i}.png")
        if i:
            image.filter(ImageFilter.GaussianBlur(2)).save(folder / f"blurred {i}.png")
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
