"""`album-app arrange --data`: a table's columns as captions, colours and scores, remembered by the project."""

import csv
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app import __version__
from album_app.layout.colouring import PALETTE
from album_app.layout.project.project_file import load_project
from album_app.render.page.settings import RenderSettings, hexadecimal
from album_app.render.presets import Choice, save_preset

from .conftest import PHOTOS, Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixteen lines of class A and eight of class B, and one for a photo that is not there."""
    lines = [f"p{k:02d}.png,{'A' if k < 16 else 'B'},{1900 + k}" for k in range(PHOTOS)]
    path = tmp_path / "wall.csv"
    path.write_text("\n".join(["photo,class,year", *lines, "gone.png,C,1"]))
    return path


def test_photos_are_framed_in_the_colours_of_a_column(run: Run, folder: Path, table: Path, tmp_path: Path) -> None:
    sheet, report, project = tmp_path / "s.png", tmp_path / "s.json", tmp_path / "s.album"
    words = ("arrange", folder, "--data", table, "--colour-by", "class", "--caption", "{class} {year}", "--cell", 60)
    done = run(*words, "-o", sheet, "--report", report, "--project", project)
    assert done.code == 0
    assert done.err == "album-app: 1 line of the table names no photo of this album.\n"
    with Image.open(sheet) as image:
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
    areas = [int((pixels == colour).all(axis=1).sum()) for colour in PALETTE[:3]]
    assert areas[0] > 1.5 * areas[1] > 0 == areas[2], "twice as many frames, and squares in the legend"
    (alike,) = (row for row in json.loads(report.read_text())["neighbours_alike"] if row["column"] == "class")
    assert alike["values"] == 2 and 0 <= alike["share"] <= 1
    assert alike["chance"] == pytest.approx((16 * 15 + 8 * 7) / (24 * 23), abs=1e-6)
    kept = load_project(project)
    assert kept.colour_by == "class" and kept.columns == ("photo", "class", "year") and kept.table is not None
    again = tmp_path / "again.png"
    assert run("arrange", project, "-o", again, "--caption", "{class} {year}", "--cell", 60).code == 0
    assert again.read_bytes() == sheet.read_bytes(), "the project remembers table and colours"
    table.write_text(table.read_text().replace("A", "X"))
    changed = load_project(project).table
    assert changed is not None and changed.is_changed and not kept.table.is_changed
    table.unlink()
    lost = load_project(project).table
    assert lost is not None and lost.is_missing and lost.path == table and lost.digest == kept.table.digest
    without = run("arrange", project, "--report", tmp_path / "t.json")
    assert without.code == 0 and "wall.csv was not found where it was" in without.err


@pytest.mark.parametrize("kind", ["svg", "html"])
def test_every_format_has_the_colours_and_the_legend(
    run: Run, folder: Path, table: Path, tmp_path: Path, kind: str
) -> None:
    sheet = tmp_path / f"s.{kind}"
    assert run("arrange", folder, "--data", table, "--colour-by", "class", "-o", sheet, "--quiet").code == 0
    text = sheet.read_text("utf-8")
    counts = [text.count(hexadecimal(colour)) for colour in PALETTE[:3]]
    assert counts == [16 + 1, 8 + 1, 0]
    assert "class:" in text


def test_folders_colour_without_a_table_and_a_book_has_the_legend_on_each_page(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "book.svg"
    words = ("--pages", 2, "--shape", "3x4", "--colour-by", "Folder")
    assert run("arrange", folder, "-o", sheet, *words).code == 0
    pages = [(tmp_path / f"book-0{page}.svg").read_text() for page in (1, 2)]
    assert all("inner" in page and "Folder:" in page for page in pages)
    assert sum(page.count(hexadecimal(PALETTE[0])) for page in pages) == 6 + 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--colour-by", "size"), "There is no column “size”; there are class, year, Folder."),
        (("--caption", "{size}"), "“{size}” is no caption; choose one of none, title, name, date, or name"),
        (("--filters", "class"), "--filters has no effect without a web page (-o FILE.html)."),
    ],
)
def test_columns_that_are_not_there(
    run: Run, folder: Path, table: Path, tmp_path: Path, words: tuple[str, str], complaint: str
) -> None:
    table.write_text(table.read_text().replace("gone.png,C,1", ""))
    done = run("arrange", folder, "--data", table, "-o", tmp_path / "s.png", *words)
    assert done.code == 2 and done.complaint.startswith(complaint)


def test_a_report_can_be_repeated(run: Run, folder: Path, table: Path, tmp_path: Path) -> None:
    report, sheet = tmp_path / "r.json", tmp_path / "s.png"
    words = ("arrange", folder, "--data", table, "-o", sheet, "--report", report, "--gap", 3, "--quiet")
    assert run(*words).code == 0
    found = json.loads(report.read_text())
    assert found["program"] == f"Album App {__version__}" and found["settings"]["gap"] == 3
    digests = {entry["photo"]: entry["sha256"] for entry in found["files"]}
    assert len(digests) == PHOTOS
    assert digests["p00.png"] == hashlib.sha256((folder / "p00.png").read_bytes()).hexdigest()
    assert found["sheet"] == [{"file": str(sheet), "sha256": hashlib.sha256(sheet.read_bytes()).hexdigest()}]
    assert found["table"]["sha256"] == hashlib.sha256(table.read_bytes()).hexdigest()


def test_presets_of_the_window_serve_the_command_line(run: Run, folder: Path, tmp_path: Path) -> None:
    save_preset("Wall", Choice("PDF", RenderSettings(paper="200x100mm", dpi=50, gap=0, margin=5)))
    assert run("arrange", folder, "--presets").out.splitlines()[:2] == ["Wall", "For the screen"]
    sheet = tmp_path / "s.png"
    assert run("arrange", folder, "-o", sheet, "--preset", "wall", "--dpi", 100, "--margin", 0).code == 0
    with Image.open(sheet) as image:
        assert image.size == (787, 394), "its paper, in another resolution"
    done = run("arrange", folder, "-o", sheet, "--preset", "none")
    assert done.code == 2 and "There is no preset “none”; there are: Wall, For the screen" in done.complaint


def test_a_hanging_list_has_places_on_each_page_and_captions(
    run: Run, folder: Path, table: Path, tmp_path: Path
) -> None:
    book, listed = tmp_path / "b.pdf", tmp_path / "list.csv"
    words = ("--pages", 2, "--shape", "3x4", "--paper", "A5", "--title", "Wall", "--caption", "{class}")
    assert run("arrange", folder, "--data", table, "-o", book, "--list", listed, *words, "--quiet").code == 0
    rows = list(csv.DictReader(listed.open(encoding="utf-8")))
    assert len(rows) == PHOTOS and {row["page"] for row in rows} == {"1", "2"}
    assert all(0 < float(row["left_cm"]) < 21 and 0 < float(row["top_cm"]) < 21 for row in rows)
    assert {row["caption"] for row in rows} == {"A", "B"}
    first = rows[0]
    across, width = int(first["pixels_across"]), float(first["width_cm"])
    assert int(first["dpi"]) <= round(across / width * 2.54), "a crop shows no more pixels than there are"


def test_a_web_page_tells_only_the_columns_that_were_asked_for(
    run: Run, folder: Path, table: Path, tmp_path: Path
) -> None:
    def columns(*words: object) -> list[str]:
        page = tmp_path / "p.html"
        done = run("arrange", folder, "--data", table, "-o", page, "--quiet", *words)
        assert done.code == 0
        found = re.search(r'id="drawing">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
        assert found is not None
        return [facet["title"] for facet in json.loads(found[1])["facets"]]

    assert columns() == []
    assert columns("--filters", "YEAR, folder", "--colour-by", "class") == ["class", "year", "Folder"]
    assert columns("--filters", "all") == ["class", "year", "Folder"]
    done = run("arrange", folder, "--data", table, "-o", tmp_path / "q.html", "--filters", "price")
    assert done.code == 2 and "There is no column “price”; there are class, year, Folder." in done.err
