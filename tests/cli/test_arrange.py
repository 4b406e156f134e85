"""`album-app arrange`: sheets, pins, shapes and reports from folders."""

import csv
import json
import math
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from album_app.cli import main
from album_app.layout.project.project_file import load_project
from album_app.log import log_file
from album_app.photos import faces, thumbnails
from album_app.photos.decoding.image_formats import is_sheet
from album_app.photos.features import features_key
from album_app.research.benchmarks.camera_files import save_camera_photo
from tests.fonts import MakeFont

from .conftest import PHOTOS, SEEK_FOCUS, Run, draw_photos


def read(path: Path) -> dict[str, Any]:
    """A report; numbers that JSON does not have are refused."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    report: dict[str, Any] = json.loads(path.read_text("ascii"), parse_constant=refuse)
    return report


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif", "pdf", "svg"])
def test_a_folder_becomes_a_sheet(run: Run, folder: Path, tmp_path: Path, suffix: str) -> None:
    sheet = tmp_path / f"sheet.{suffix}"
    done = run("arrange", folder, "-o", sheet, "--cell", 20)
    assert done.code == 0 and not done.err
    assert done.out.startswith(f"{sheet}: {PHOTOS} photos on ")
    assert sheet.stat().st_size > 500


@pytest.mark.parametrize(("paper", "size"), [("300x200px", (300, 200)), ("10x15cm", (236, 354))])
def test_a_sheet_fills_its_paper(run: Run, folder: Path, tmp_path: Path, paper: str, size: tuple[int, int]) -> None:
    sheet, project = tmp_path / "sheet.png", tmp_path / "sheet.album"
    done = run(
        *("arrange", folder, "-o", sheet, "--project", project, "--paper", paper, "--dpi", 60, "--fit-paper"),
        *("--margin", 0, "--gap", 0, "--background", "#00ff00"),
    )
    assert done.code == 0, done.err
    with Image.open(sheet) as image:
        assert image.size == size
        left_over = (np.asarray(image.convert("RGB")) == (0, 255, 0)).all(axis=2)
        assert left_over.mean() <= 0.03
    spec = load_project(project).spec
    assert load_project(project).layout.features_key == "lab:8/1", "the window knows what it was arranged by"
    assert spec.kind == "rectangle" and (spec.columns > spec.rows) is (size[0] > size[1])


def test_a_text_that_fills_its_paper_stays_a_text(run: Run, folder: Path, tmp_path: Path) -> None:
    def rows_by_columns(paper: str) -> float:
        project = tmp_path / f"{paper}.album"
        done = run(
            *("arrange", folder, "--project", project, "--paper", paper, "--fit-paper"),
            *("--text", "TO BE", "--cells", 150, "--fill", "repeat"),
        )
        assert done.code == 0, done.err
        document = load_project(project)
        assert document.spec.kind == "text" and document.spec.text == "TO BE" and document.shape.count == 150
        return document.shape.rows / document.shape.columns

    assert rows_by_columns("100x200mm") > 1 > 0.4 > rows_by_columns("300x60mm"), (
        "one line below the other, or next to it"
    )


def test_the_report_tells_everything(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("not a photo")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 damaged")
    report_file = tmp_path / "report.json"
    done = run(
        *("arrange", folder, "--report", report_file, "-o", tmp_path / "sheet.png", "--cell", 16),
        *("--shape", "4x5", "--pin", "p00.png@0,0", "--pin", "inner/p03.png@3,4", "--seed", 3, "--follow", 0.7),
    )
    assert done.code == 0, done.err
    report = read(report_file)
    assert list(report) == [
        *(
            "program",
            "photos",
            "cells",
            "shown",
            "repeats",
            "shape",
            "placement",
            "word_pins",
            "left_out",
            "excluded",
            "always_shown",
            "stacks",
            "damaged",
        ),
        *("companions", "skipped"),
        *("smi", "smi_z", "converged", "degenerate", "scores", "neighbours_alike", "seconds", "options"),
        *("settings", "sheet", "files"),
    ]
    assert (report["photos"], report["cells"], report["shown"], report["repeats"]) == (PHOTOS, 20, 20, 0)
    assert report["shape"] == {"rows": 4, "columns": 5}
    assert report["converged"] is True and report["degenerate"] == ""
    placed = {item["photo"]: item for item in report["placement"]}
    assert len(placed) == 20 and {tuple(item["cell"]) for item in placed.values()} == {
        (row, column) for row in range(4) for column in range(5)
    }
    facts = {"photo", "cell", "size", "pinned", "confidence", "frame", "crop"}
    assert all(set(item) == facts for item in placed.values())
    assert all(0 <= item["confidence"] <= 1 for item in placed.values())
    assert {name for name, item in placed.items() if item["pinned"]} == {"p00.png", "inner/p03.png"}
    assert placed["p00.png"]["cell"] == [0, 0] and placed["inner/p03.png"]["cell"] == [3, 4]
    assert len(report["left_out"]) == 4 and all(item["resembles"] in placed for item in report["left_out"])
    assert {item["photo"] for item in report["left_out"]}.isdisjoint(placed)
    assert {item["file"] for item in report["skipped"]} == {"notes.txt", "broken.jpg"}
    assert all(item["reason"] for item in report["skipped"])
    assert set(report["scores"]) == {"dpq16", "pin_pull", "coverage"}
    assert all(math.isfinite(score) for score in report["scores"].values())
    assert set(report["seconds"]) == {"scan", "features", "solve", "round", "refine", "render"}
    assert report["options"]["seed"] == 3 and report["options"]["follow"] == 0.7


def test_without_pins_scores_that_make_no_sense_are_null(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("arrange", folder, "--report", tmp_path / "r.json", "--quiet").code == 0
    report = read(tmp_path / "r.json")
    assert report["scores"]["pin_pull"] is None and report["scores"]["coverage"] is None
    assert report["seconds"]["render"] == 0


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        (["--shape", "heart"], PHOTOS),
        (["--shape", "circle", "--cells", "12"], 12),
        (["--text", "AB", "--cells", "40", "--fill", "repeat"], 40),
        (["--shape", "6x6", "--fill", "empty"], 36),
        (["--shape", "1x1"], 1),
    ],
)
def test_shapes(run: Run, folder: Path, tmp_path: Path, words: list[str], cells: int) -> None:
    done = run("arrange", folder, "--report", tmp_path / "r.json", *words)
    assert done.code == 0, done.err
    report = read(tmp_path / "r.json")
    assert report["cells"] == cells and report["shown"] == min(cells, PHOTOS)
    assert report["repeats"] == (cells - PHOTOS if "repeat" in words else 0)


def test_a_picture_as_mask(run: Run, folder: Path, tmp_path: Path) -> None:
    mask = Image.new("L", (60, 40), 255)
    mask.paste(0, (0, 0, 30, 40))
    mask.save(tmp_path / "mask.png")
    done = run("arrange", folder, "--report", tmp_path / "r.json", "--mask", tmp_path / "mask.png")
    assert done.code == 0 and read(tmp_path / "r.json")["cells"] == PHOTOS
    mask.paste(255, (0, 0, 20, 40))
    mask.save(tmp_path / "mask.png")
    shapes = []
    for words in ((), ("--invert",)):
        done = run("arrange", folder, "--report", tmp_path / "r.json", "--mask", tmp_path / "mask.png", *words)
        assert done.code == 0 and read(tmp_path / "r.json")["cells"] == PHOTOS
        shapes.append(read(tmp_path / "r.json")["shape"])
    dark, light = shapes
    assert dark["rows"] > 2 * dark["columns"] and light["columns"] > light["rows"]


def test_letters_of_another_font_and_what_is_said_of_them(
    run: Run, folder: Path, tmp_path: Path, make_font: MakeFont
) -> None:
    path = make_font("Walls", {"Ω": [(60, 0, 180, 700)]})
    cells = []
    for words in (("--font", "walls"), ("--font", path), ()):
        done = run("arrange", folder, "--project", tmp_path / "p.album", "--text", "Ω", *words)
        assert done.code == 0, done.err
        assert ("“Ω” is set in Walls" in done.out) == (words == ())
        cells.append(load_project(tmp_path / "p.album").shape.mask.tolist())
    assert cells[0] == cells[1] == cells[2]


def test_long_texts_break_unless_asked_otherwise(run: Run, folder: Path, tmp_path: Path) -> None:
    rows = []
    for words in ((), ("--one-line",)):
        assert (
            run("arrange", folder, "--report", tmp_path / "r.json", "--text", "LO TO", "--cells", 70, *words).code == 0
        )
        rows.append(read(tmp_path / "r.json")["shape"]["rows"])
    assert rows[0] > 1.8 * rows[1]


def test_every_option_is_understood(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run(
        *("arrange", folder, "-o", tmp_path / "s.png", "--report", tmp_path / "r.json", "--shape", "auto"),
        *("--features", "rgb", "--beta", 0.6, "--epsilon", 0.2, "--lam", 0.01, "--basis", 50, "--iterations", 5),
        *("--seed", 1, "--follow", 0.2, "--no-refine", "--fill", "end", "--paper", "A5", "--dpi", 60),
        *("--gap", 1, "--margin", 5, "--background", "#202020", "--crop", "whole", "--caption", "name"),
        *("--title", "Everything", "--mark-pins", "--pin-preset", "edges", "--corner", 0.1, "--border", 0.2),
        *("--border-colour", "white", "--orientation", "landscape", "--quality", 80),
    )
    assert done.code == 0, done.err
    options = read(tmp_path / "r.json")["options"]
    given = {"features": "rgb", "beta": 0.6, "epsilon": 0.2, "lam": 0.01, "basis": 50, "iterations": 5, "seed": 1}
    assert {name: options[name] for name in given} == given
    assert options["refine"] is False and options["fill"] == "end" and options["auto"] is False
    with Image.open(tmp_path / "s.png") as sheet:
        assert sheet.size == (496, 350) and sheet.getpixel((0, 0)) == (32, 32, 32)


def test_the_same_seed_gives_the_same_sheet(run: Run, folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        words = ("-o", tmp_path / f"{name}.png", "--report", tmp_path / f"{name}.json", "--auto", "--seed", 5)
        assert run("arrange", folder, *words, "--pin-preset", "corners", "--cell", 16).code == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert read(tmp_path / "a.json")["placement"] == read(tmp_path / "b.json")["placement"]


def test_presets_fill_what_pins_leave(run: Run, folder: Path, tmp_path: Path) -> None:
    words = ("--shape", "4x6", "--pin", "p05.png@0,0", "--pin-preset", "corners")
    assert run("arrange", folder, "--report", tmp_path / "r.json", *words).code == 0
    pinned = {tuple(item["cell"]): item["photo"] for item in read(tmp_path / "r.json")["placement"] if item["pinned"]}
    assert set(pinned) == {(0, 0), (0, 5), (3, 0), (3, 5)} and pinned[0, 0] == "p05.png"


def test_letters_are_pinned_in_their_middles(run: Run, folder: Path, tmp_path: Path) -> None:
    words = ("--text", "LO", "--cells", "30", "--pin-preset", "letters")
    assert run("arrange", folder, "--report", tmp_path / "r.json", *words).code == 0
    assert sum(item["pinned"] for item in read(tmp_path / "r.json")["placement"]) == 2


def test_pins_from_a_file_and_with_odd_names(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "p01.png").rename(folder / "me@home, 2@1.png")
    with (tmp_path / "pins.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["photo", "row", "column"], ["p02.png", 1, 1]])
    words = ("--shape", "4x6", "--pins", tmp_path / "pins.csv", "--pin", "me@home, 2@1.png@0,5")
    extra = ("--pin", "./inner/p03.png@3,0", "--pin", f"{folder}/p04.png@2,2")
    done = run("arrange", folder, "--report", tmp_path / "r.json", *words, *extra)
    assert done.code == 0, done.err
    pinned = {item["photo"]: item["cell"] for item in read(tmp_path / "r.json")["placement"] if item["pinned"]}
    assert pinned == {"p02.png": [1, 1], "me@home, 2@1.png": [0, 5], "inner/p03.png": [3, 0], "p04.png": [2, 2]}


@pytest.mark.skipif(sys.platform != "linux", reason="such names exist only where names are bytes")
def test_names_that_are_no_text_survive(run: Run, folder: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9 \xff.png")
    (folder / "p00.png").rename(folder / odd)
    words = ("-o", tmp_path / "s.svg", "--caption", "name", "--report", tmp_path / "r.json", "--shape", "4x6")
    done = run("arrange", folder, *words, "--pin", f"{odd}@2,3", "--project", tmp_path / "p.album")
    assert done.code == 0, done.err
    pinned = [item["photo"] for item in read(tmp_path / "r.json")["placement"] if item["pinned"]]
    assert pinned == [odd] and (folder / pinned[0]).exists()


def test_a_project_can_be_opened_again(run: Run, folder: Path, tmp_path: Path) -> None:
    from album_app.layout.project.project_file import load_project

    words = ("--project", tmp_path / "p.album", "--report", tmp_path / "r.json", "--pin-preset", "corners")
    assert run("arrange", folder, "--shape", "4x6", *words).code == 0
    document = load_project(tmp_path / "p.album")
    report = read(tmp_path / "r.json")
    assert document.layout is not None and len(document.pins) == 4
    names = [photo.name for photo in document.album.photos]
    reported = {tuple(item["cell"]): item["photo"] for item in report["placement"]}
    for photo, cell in zip(document.layout.photo_at, document.layout.shape.cells, strict=True):
        assert reported[tuple(cell.tolist())] == names[photo]


def test_a_sheet_in_its_own_folder_is_no_photo_the_next_time(run: Run, folder: Path) -> None:
    for suffix in ("png", "jpg", "webp", "tif"):
        sheet, report = folder / f"sheet.{suffix}", folder / "report.json"
        for _ in range(2):
            done = run("arrange", folder, "-o", sheet, "--report", report, "--cell", 16)
            assert done.code == 0, done.err
            assert read(report)["photos"] == PHOTOS and not read(report)["skipped"]
        assert is_sheet(sheet)
        sheet.unlink()


def test_a_sheet_of_another_name_in_the_folder_is_skipped_with_a_reason(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("arrange", folder, "-o", folder / "inner" / "sheet.jpg", "--cell", 16).code == 0
    done = run(
        "arrange", folder, "-o", tmp_path / "next.png", "--cell", 16, "--report", tmp_path / "r.json", "--strict"
    )
    assert done.code == 0 and "skipped: inner/sheet.jpg (a sheet made by Album App)" in done.out
    assert read(tmp_path / "r.json")["photos"] == PHOTOS


def test_a_photo_is_never_overwritten(run: Run, folder: Path, tmp_path: Path) -> None:
    photo = folder / "p00.png"
    link = tmp_path / "link.png"
    link.symlink_to(photo)
    before = photo.read_bytes()
    for target in (photo, folder / "inner" / ".." / "p00.png", link):
        done = run("arrange", folder, "-o", target)
        assert done.code == 2 and "belongs to the album" in done.complaint
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 damaged")
    assert "belongs to the album" in run("arrange", folder, "-o", folder / "broken.jpg").complaint
    assert photo.read_bytes() == before


def test_one_photo_is_a_sheet(run: Run, tmp_path: Path) -> None:
    done = run("arrange", draw_photos(tmp_path / "one", 1), "-o", tmp_path / "s.png", "--report", tmp_path / "r.json")
    assert done.code == 0 and "1 photo on 1 cell" in done.out
    assert read(tmp_path / "r.json")["shown"] == 1


def test_photos_smaller_than_usual_are_told_of(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("album_app.render.page.plan.LARGEST_PICTURE", 40_000)
    words, sheet = "so that the picture fits into memory", tmp_path / "s.png"
    assert words in run("arrange", folder, "-o", sheet).out
    with Image.open(sheet) as picture:
        assert picture.width * picture.height < 80_000
    assert words not in run("arrange", folder, "-o", sheet, "--cell", "50").out
    assert words not in run("arrange", folder, "-o", sheet, "--paper", "400x300px").out


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Have something happen while the photos are being arranged."""
    from album_app.cli import pipeline

    arrange = pipeline.arrange

    def plan(event: Callable[[], object]) -> None:
        def slow(*words: Any, **settings: Any) -> Any:
            event()
            return arrange(*words, **settings)

        monkeypatch.setattr(pipeline, "arrange", slow)

    return plan


def spoil(folder: Path) -> None:
    (folder / "p00.png").unlink()
    (folder / "p01.png").write_bytes((folder / "p01.png").read_bytes()[:90])


def test_photos_that_vanish_or_break_are_told_and_never_count_as_shown(
    run: Run, folder: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: spoil(folder))
    done = run(
        "arrange", folder, "-o", tmp_path / "s.png", "--report", tmp_path / "r.json", "--project", tmp_path / "p.album"
    )
    assert done.code == 0 and f"{PHOTOS - 2} of {PHOTOS} photos" in done.out
    assert "2 photos could not be shown" in done.complaint and "p00.png" in done.complaint and "p01" in done.complaint
    report = read(tmp_path / "r.json")
    assert report["shown"] == len(report["placement"]) == PHOTOS - 2
    assert [item["file"] for item in report["skipped"]] == ["p00.png", "p01.png"]
    assert not {item["photo"] for item in report["placement"]} & {item["file"] for item in report["skipped"]}


def test_strict_writes_the_report_alone_where_a_photo_is_lost(
    run: Run, folder: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    (tmp_path / "s.png").write_text("as it was")
    files = ["-o", tmp_path / "s.png", "--report", tmp_path / "r.json", "--strict", "--force"]
    assert run("arrange", folder, "-o", tmp_path / "fine.png", "--strict").code == 0
    meanwhile(lambda: spoil(folder))
    done = run("arrange", folder, *files)
    assert done.code == 1 and not done.out and "no sheet was written" in done.complaint
    assert (tmp_path / "s.png").read_text() == "as it was"
    assert read(tmp_path / "r.json")["shown"] == PHOTOS - 2
    meanwhile(lambda: None)
    found_damaged = run("arrange", folder, *files)
    assert found_damaged.code == 1 and "p01.png" in found_damaged.complaint


def test_a_folder_that_is_removed_meanwhile_gives_no_sheet_and_no_success(
    run: Run, folder: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: shutil.rmtree(folder))
    files = [tmp_path / name for name in ("s.pdf", "p.album", "r.json")]
    done = run("arrange", folder, "-o", files[0], "--project", files[1], "--report", files[2])
    assert done.code == 1 and f"{PHOTOS} photos could not be shown" in done.complaint
    assert [path.exists() for path in files] == [False, False, True]
    report = read(files[2])
    assert (report["shown"], report["placement"], len(report["skipped"])) == (0, [], PHOTOS)


def test_a_file_that_is_replaced_by_another_picture_is_shown(
    run: Run, folder: Path, tmp_path: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: Image.new("RGB", (50, 50)).save(folder / "p00.png"))
    done = run("arrange", folder, "-o", tmp_path / "s.png", "--strict")
    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_what_the_program_keeps_is_its_owners_alone(run: Run, folder: Path, tmp_path: Path) -> None:
    put_damaged(folder)  # for the log
    before = os.umask(0)
    try:
        assert run("arrange", folder, "-o", tmp_path / "s.png").code == 0
    finally:
        os.umask(before)
    ours = [Path(os.environ[name]) for name in ("ALBUM_APP_CACHE", "ALBUM_APP_STATE")]
    kept = [path for place in ours for path in (place, *place.rglob("*"))]
    assert {path.name for path in kept} >= {"photos.sqlite", "album-app.log"}
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in kept if path.is_file()} == {0o600}
    assert (tmp_path / "s.png").stat().st_mode & 0o777 == 0o666


def test_what_libraries_print_goes_into_the_log(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put_damaged(folder)
    assert main(["arrange", str(folder), "-o", str(tmp_path / "s.png"), "--quiet"]) == 0
    assert capfd.readouterr().err == "" and "ZIPDecode" in log_file().read_text()


def put_damaged(folder: Path) -> None:
    """A picture that makes its decoder print something."""
    file = folder / "damaged.tif"
    Image.effect_noise((60, 60), 90).save(file, "TIFF", compression="tiff_deflate")
    content = bytearray(file.read_bytes())
    content[8:40] = b"\xff" * 32  # where the pixels begin
    file.write_bytes(content)


def test_quiet_and_progress(run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = run("arrange", folder, "-o", tmp_path / "s.png", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    plain = run("arrange", folder, "-o", tmp_path / "s.png")
    assert plain.out and not plain.err, "bars belong on terminals"
    monkeypatch.setattr(faces, "stream_focus", SEEK_FOCUS)
    loud = run("arrange", folder, "-o", tmp_path / "s.png", "--progress")
    assert "Looking for faces" in loud.err and f"{PHOTOS}/{PHOTOS}" in loud.err
    assert "Reading photos" in loud.err and "Drawing the sheet" in loud.err and loud.out == plain.out


def test_a_timeline_flows_from_left_to_right_and_tells_whose_date_is_only_the_files(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    for place, file in enumerate(sorted(folder.rglob("*.png"))):
        os.utime(file, (place * 86400, place * 86400))
    file = sorted(folder.rglob("p00.png"))[0]
    file.rename(file.with_name("IMG_20240503_141500.png"))
    report = tmp_path / "sheet.json"
    done = run("arrange", folder, "--timeline", "--shape", "4x6", "--report", report)
    assert done.code == 0 and "23 photos are dated by their file time only." in done.out
    reported = json.loads(report.read_text())
    assert reported["options"]["time_weight"] == 0.3
    assert reported["timeline"]["rank_correlation"] > 0.8 and len(reported["timeline"]["dated_by_file"]) == 23
    assert run("arrange", folder, "--time-weight", "0.6", "--shape", "4x6", "--report", report).code == 0
    reported = json.loads(report.read_text())
    assert reported["options"]["time_weight"] == 0.6 and not any(item["pinned"] for item in reported["placement"])


def test_photos_are_included_and_excluded_by_name_pattern_and_file(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "not.txt").write_text("# blurred\n\np00.png\np01.png\n", "utf-8")
    report, project = tmp_path / "sheet.json", tmp_path / "sheet.album"
    done = run(
        *("arrange", folder, "--report", report, "--project", project, "--cells", 6),
        *("--include", "p02.png", "--include", "inner/p0*.png", "--exclude", f"@{tmp_path / 'not.txt'}"),
        *("--exclude", "p2?.png"),
    )
    assert done.code == 0, done.err
    reported = read(report)
    shown = {place["photo"] for place in reported["placement"]}
    assert {"p02.png", "inner/p03.png", "inner/p07.png"} <= shown and len(shown) == 6
    assert reported["excluded"] == ["inner/p23.png", "p00.png", "p01.png", "p20.png", "p21.png", "p22.png"]
    document = load_project(project)
    assert len(document.excluded) == 6 and len(document.always_shown) == 3


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--include", "nobody.png"], "No photo is called “nobody.png” or fits that pattern."),
        (["--include", "p02.png", "--exclude", "p0*"], "p02.png is to be included and to be excluded."),
        (["--exclude", "*"], "--exclude leaves no photo."),
        (["--include", "p0*", "--cells", "2"], "8 photos that are to be included find no room on this sheet;"),
        (["--exclude", "@nowhere.txt"], "nowhere.txt could not be read: "),
    ],
)
def test_wishes_that_mean_nothing_are_refused(
    run: Run, folder: Path, tmp_path: Path, words: list[str], complaint: str
) -> None:
    done = run("arrange", folder, "-o", tmp_path / "sheet.png", *words)
    assert done.code == 2 and done.complaint.startswith(complaint)  # the system's own reason is in its language


def test_a_sheet_is_held_and_new_photos_get_a_new_row(run: Run, folder: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.album", tmp_path / "second.album"
    assert run("arrange", folder, "--project", first, "--pin", "p00.png@0,0").code == 0
    before = load_project(first)
    (folder / "p05.png").unlink()
    draw_photos(folder / "more", 4, seed=9)
    done = run("arrange", folder, "--project", second, "--hold-from", first)
    assert done.code == 0, done.err
    after = load_project(second)
    assert before.layout is not None and after.layout is not None and after.is_held
    assert (after.shape.rows, after.shape.columns) == (before.shape.rows + 1, before.shape.columns)
    places = {after.album.photos[photo].name: cell for photo, cell in after.layout.positions.items()}
    for photo, cell in before.layout.positions.items():
        name = before.album.photos[photo].name
        assert name == "p05.png" or places[name] == cell
    assert len(places) == PHOTOS - 1 + 4 and dict(after.pins) == {after.album.index_of("p00.png"): (0, 0)}
    reported = run("arrange", folder, "-o", tmp_path / "x.png", "--hold-from", first, "--shape", "5x6").complaint
    assert reported == "--hold-from and --shape contradict each other."
    reported = run("arrange", first, "-o", tmp_path / "x.png", "--cells", 5).complaint
    assert reported == "A project has its shape already: it goes without --cells."


def test_a_project_fills_the_paper_as_its_first_sheet_did(run: Run, folder: Path, tmp_path: Path) -> None:
    project, lists = tmp_path / "wall.album", [tmp_path / "first.csv", tmp_path / "again.csv"]
    paper = ("--paper", "30x12cm", "--fit-paper")
    first = run(
        *("arrange", folder, "--exclude", "p00.png", "--project", project, *paper),
        *("-o", tmp_path / "first.pdf", "--list", lists[0]),
    )
    assert first.code == 0, first.err
    assert "1 photo is excluded" in first.out and "in stacks" not in first.out
    again = run("arrange", project, *paper, "-o", tmp_path / "again.pdf", "--list", lists[1])
    assert again.code == 0, again.err
    assert lists[0].read_text() == lists[1].read_text()
    with lists[0].open(newline="") as file:
        rows = list(csv.DictReader(file))
    least = min(int(row["dpi"]) for row in rows)
    coarse = sum(int(row["dpi"]) < 150 for row in rows)
    assert coarse > 1 and f"{coarse} photos have fewer than 150 pixels per inch on this paper" in first.out
    assert first.out.rstrip().endswith(f": {least}") or f": {least}\n" in first.out


def test_sizes_vary_and_every_photo_still_has_a_place(run: Run, folder: Path, tmp_path: Path) -> None:
    report, project = tmp_path / "r.json", tmp_path / "v.album"
    words = ("--shape", "4x6", "--vary-sizes", 1, "--report", report, "--project", project, "--pin", "p00.png@0,0")
    done = run("arrange", folder, *words)
    assert done.code == 0, done.err
    said, document = json.loads(report.read_text()), load_project(project)
    sizes = {item["photo"]: item["size"] for item in said["placement"]}
    assert said["shown"] == PHOTOS == len(sizes) and sorted(sizes.values())[-3:] == [2, 2, 2]
    assert document.variation.amount == 1 and len(document.variation.photos) == 3
    assert (document.spec.rows, document.spec.columns) == document.shape.mask.shape
    assert "0 to 1" in run("arrange", folder, "--report", report, "--vary-sizes", 2).err
    assert "sizes" in run("arrange", folder, "--report", report, "--vary-sizes", 1, "--shape", "rows").err


def test_a_draft_is_made_of_previews_and_says_so(run: Run, tmp_path: Path) -> None:
    folder, large = draw_photos(tmp_path / "photos", 6), (1600, 1200)
    assert large[0] * large[1] >= thumbnails.LEAST_PREVIEWED_PIXELS
    preview = Image.new("RGB", (160, 120), (250, 10, 10))
    for number in range(6):
        save_camera_photo(folder / f"camera{number}.jpg", Image.new("RGB", large, (10, 10, 250)), preview)
    done = run("arrange", folder, "-o", tmp_path / "s.png", "--project", tmp_path / "p.album", "--draft")
    assert done.code == 0 and "a draft: 6 photos are arranged and drawn by the small pictures" in done.out
    with Image.open(tmp_path / "s.png") as sheet:
        colours = np.asarray(sheet).reshape(-1, 3).astype(int)
    assert (np.abs(colours - (250, 10, 10)).max(axis=1) < 20).mean() > 0.3, "the previews are drawn"
    assert not (np.abs(colours - (10, 10, 250)).max(axis=1) < 20).any()
    layout = load_project(tmp_path / "p.album").layout
    assert layout is not None and layout.features_key != features_key("lab"), (
        "the window arranges it by the photos themselves"
    )


@pytest.mark.parametrize("words", [("--features", "semantic"), ("--stack",), ("--choose", "best")])
def test_a_draft_refuses_what_needs_the_photos(run: Run, folder: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run("arrange", folder, "-o", tmp_path / "s.png", "--draft", *words)
    assert done.code == 2 and "--draft" in done.complaint


def test_rows_of_vectors_without_names_are_remarked_on_where_their_order_may_be_another(
    run: Run, tmp_path: Path
) -> None:
    photos = draw_photos(tmp_path / "photos", 11)
    for number, path in enumerate(sorted(photos.rglob("*.png"))):
        path.rename(photos / f"{number}.png")
    np.save(tmp_path / "v.npy", np.arange(22.0).reshape(11, 2))
    ran = run("arrange", photos, "--vectors", tmp_path / "v.npy", "-o", tmp_path / "sheet.png", "--cell", 16)
    assert ran.code == 0 and "Row 3 of v.npy was taken for 2.png, not for 10.png" in ran.err
