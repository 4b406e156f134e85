"""No command and no dialog replaces a file that it should not, whatever it is, wherever it lies, whatever its name."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from album_app.cli.demo import free_name
from album_app.cli.reports import write_report
from album_app.errors import AlbumError
from album_app.layout.editing.stacks import write_stacks_csv
from album_app.layout.pins import Pins, write_pins_csv
from album_app.layout.project.project_file import save_project
from album_app.layout.shapes.shape import rectangle
from album_app.own_files import PAGE, PIN_LIST, PROJECT, REPORT, RUNS, SHEET, SOFTWARE, SOLUTION, STACK_LIST
from album_app.paths import AGREED, NOTHING_FOREIGN, OfAlbum, Replacing, atomic_write, own_kind
from album_app.photos.album import replacing, scan
from album_app.render import FORMATS, RenderSettings
from album_app.research.experiments.runner import write_rows
from album_app.research.experiments.study import Request
from tests.cli.conftest import Run, draw_photos, run
from tests.layout.conftest import make_document
from tests.render.conftest import layout_of
from tests.render.write_sheet import write_sheet

__all__ = ["run"]
FOREIGN = ["p00.png", "drawing.svg", "vector.pdf", "page.html", "film.mov", "art.psd", "p01.nef", "deep/notes.txt"]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """A folder with photos and with files of every other kind, each with words of its own."""
    folder = draw_photos(tmp_path / "album", 4)
    (folder / "deep").mkdir()
    for name in FOREIGN[1:]:
        (folder / name).write_bytes(b"mine: " + name.encode())
    with (folder / "scan.tif").open("wb") as file:
        file.write(b"II*\0")
        file.truncate(1_100_000_000)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()[:100] if path.suffix != ".tif" else b""
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_nothing_in_the_album_is_replaced_by_any_command(run: Run, album: Path, force: list[str]) -> None:
    before = contents(album)
    (album / "mine.album").write_text("not a project")
    attempts = [["twins", album, "-o", album / name] for name in (*FOREIGN, "scan.tif")]
    attempts += [["arrange", album, "--report", album / name] for name in (*FOREIGN, "scan.tif")]
    attempts += [["arrange", album, "-o", album / name] for name in ("p00.png", "drawing.svg", "vector.pdf")]
    attempts += [["arrange", album, "-o", album / "scan.tif"], ["arrange", album, "-o", album / "page.html"]]
    attempts += [["arrange", album, "--project", album / "mine.album"]]
    for words in attempts:
        done = run(*words, "--quiet", *force)
        assert done.code == 2 and "belongs to the album" in done.complaint, words
    assert (album / "mine.album").read_text() == "not a project"
    (album / "mine.album").unlink()
    assert contents(album) == before


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_other_names_of_the_albums_files_do_not_help(run: Run, album: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Image.new("RGB", (40, 30), "teal").save(elsewhere / "far.png")
    (elsewhere / "report.json").write_text("mine")
    (album / "near.png").symlink_to(elsewhere / "far.png")
    (elsewhere / "large.tif").write_bytes(b"II*\0")
    os.truncate(elsewhere / "large.tif", 1_100_000_000)  # skipped as too large, and no less the user's
    (album / "large.tif").symlink_to(elsewhere / "large.tif")
    (album / "report.json").symlink_to(elsewhere / "report.json")
    (tmp_path / "link").symlink_to(album, target_is_directory=True)
    os.link(album / "p02.png", elsewhere / "hard.png")
    far = (elsewhere / "far.png").read_bytes(), (elsewhere / "hard.png").read_bytes()
    for option, path in (
        ("-o", elsewhere / "far.png"),
        ("-o", elsewhere / "large.tif"),
        ("-o", elsewhere / "hard.png"),
        ("--report", album / "report.json"),
        ("--report", tmp_path / "link" / "film.mov"),
        ("--report", album / "deep" / ".." / "art.psd"),
    ):
        assert "belongs to the album" in run("arrange", album, option, path, "--force", "--quiet").complaint, path
    assert far == ((elsewhere / "far.png").read_bytes(), (elsewhere / "hard.png").read_bytes())
    assert (elsewhere / "report.json").read_text() == "mine"


def test_elsewhere_a_file_of_other_origin_needs_force(run: Run, album: Path, tmp_path: Path) -> None:
    for command, option, name in (("arrange", "-o", "s.png"), ("arrange", "--report", "r.json"),
                                  ("arrange", "--project", "p.album"), ("twins", "-o", "t.csv")):  # fmt: skip
        target = tmp_path / name
        target.write_text("mine")
        done = run(command, album, option, target, "--quiet")
        assert done.code == 2 and "--force replaces it" in done.complaint and target.read_text() == "mine"
        assert run(command, album, option, target, "--quiet", "--force").code == 0 and own_kind(target)
        assert run(command, album, option, target, "--quiet").code == 0, "the program may replace what it wrote"


def test_a_file_of_ours_gives_way_to_one_of_its_kind_alone(run: Run, album: Path, tmp_path: Path) -> None:
    work = tmp_path / "work.album"
    assert run("arrange", album, "--project", work, "--quiet").code == 0
    kept = work.read_bytes()
    assert run("arrange", album, "--report", work, "--quiet").code == 2
    assert run("twins", album, "-o", work, "--quiet").code == 2
    assert work.read_bytes() == kept


def test_pages_of_a_book_are_looked_at_one_by_one(run: Run, album: Path, tmp_path: Path) -> None:
    (tmp_path / "book-02.png").write_text("mine")
    done = run("arrange", album, "-o", tmp_path / "book.png", "--pages", "2", "--shape", "1x2", "--quiet")
    assert done.code == 2 and "book-02.png exists" in done.complaint
    assert not (tmp_path / "book-01.png").exists() and (tmp_path / "book-02.png").read_text() == "mine"


def test_a_file_that_appears_while_the_sheet_is_written_stays(tmp_path: Path) -> None:
    target = tmp_path / "late.png"
    with pytest.raises(FileExistsError), atomic_write(target, SHEET) as temporary:
        temporary.write_bytes(b"ours")
        target.write_bytes(b"theirs")
    assert target.read_bytes() == b"theirs" and list(tmp_path.iterdir()) == [target]


def test_demo_takes_a_free_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert free_name() == Path("album-demo.png")
    Path("album-demo.png").write_text("mine")
    Path("album-demo-2.png").symlink_to("nowhere")
    assert free_name() == Path("album-demo-3.png")


def test_every_file_that_the_program_writes_carries_the_mark_of_its_kind(tmp_path: Path) -> None:
    draw_photos(tmp_path / "photos", 4)
    album, layout = scan(tmp_path / "photos"), layout_of(rectangle(2, 2), [0, 1, 2, 3])
    document = make_document(tmp_path / "more")
    (tmp_path / "out").mkdir()
    for kind in FORMATS.values():
        for title in ("", "A title of their own <&> \u6f22" * 40):
            target = tmp_path / "out" / f"sheet{kind.suffixes[0]}"
            write_sheet(layout, album, target, RenderSettings(cell=24, title=title))
            assert own_kind(target) == SHEET, (target, title)
            target.write_bytes(target.read_bytes()[:-200])
            write_sheet(layout, album, tmp_path / "out" / f"again{kind.suffixes[0]}", RenderSettings(cell=24))
            target.unlink()
    write_sheet(layout, album, tmp_path / "out" / "moves.webp", RenderSettings(cell=24), before=[layout])
    assert own_kind(tmp_path / "out" / "moves.webp") == SHEET
    writers: dict[str, Callable[[Path, Replacing], None]] = {
        PROJECT: lambda path, kept: save_project(document, path, agreed=kept.agreed),
        REPORT: lambda path, kept: write_report({"program": f"{SOFTWARE} 1"}, path, kept),
        PIN_LIST: lambda path, kept: write_pins_csv(path, Pins({0: (0, 0)}), ["a"], kept),
        STACK_LIST: lambda path, kept: write_stacks_csv(path, album.photos, [(0, 1)], kept),
    }
    for name, write in writers.items():
        target = tmp_path / "out" / name
        target.write_text("mine")
        with pytest.raises(AlbumError, match="Album App did not write it"):
            write(target, NOTHING_FOREIGN)
        assert target.read_text() == "mine"
        write(target, AGREED)
        assert own_kind(target) == name
        write(target, NOTHING_FOREIGN)


def test_the_window_agrees_elsewhere_and_never_in_the_album(album: Path, tmp_path: Path) -> None:
    found = scan(album)
    kept = replacing(found, agreed=True)
    (tmp_path / "mine.csv").write_text("mine")
    write_pins_csv(tmp_path / "mine.csv", Pins({0: (0, 0)}), ["a"], kept)
    assert own_kind(tmp_path / "mine.csv") == PIN_LIST
    for name in FOREIGN:
        with pytest.raises(AlbumError, match="belongs to the album"):
            write_pins_csv(album / name, Pins({0: (0, 0)}), ["a"], kept)


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n" + b"\xff" * 99,
        b"\xff\xd8\xff\xfe\0\1" + b"x" * 99,
        b"\xff\xd8\xff\xfe\0\0",
        b"II*\0" + b"\xff" * 20,
        b"II*\0\x08\0\0\0\xff\xff",
        b"%PDF-1.7\nstartxref\n999999999999999\n%%EOF\n",
        b"RIFF....WEBP",
        b"<!doctype html>\n" + b'<meta name="generator" content="Album App, or so">',
        b"",
    ],
)
def test_a_damaged_mark_is_no_mark(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert own_kind(tmp_path / "file") == ""


def test_an_existing_target_is_never_decoded(
    run: Run, album: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (9, 9)).save(tmp_path / "there.png")
    opened = Image.open
    monkeypatch.setattr(Image, "open", lambda file, *rest, **more: seen.append(file) or opened(file, *rest, **more))
    seen: list[object] = []
    run("arrange", album, "-o", tmp_path / "there.png", "--quiet", "--force")
    assert not [file for file in seen if "there.png" in str(file)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
def test_pipes_are_written_to_and_never_waited_for(run: Run, album: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    assert own_kind(tmp_path / "pipe.png") == ""
    done = run("arrange", album, "-o", tmp_path / "pipe.png", "--cell", "16", "--quiet")
    assert done.code == 1 and "no program reads from this pipe" in done.complaint
    heard: list[bytes] = []
    ready = os.open(tmp_path / "pipe.png", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(ready, True)
    reader = threading.Thread(target=lambda: heard.append(os.fdopen(ready, "rb").read()))
    keep = os.open(tmp_path / "pipe.png", os.O_WRONLY)  # so that the reader waits for the sheet
    reader.start()
    assert run("arrange", album, "-o", tmp_path / "pipe.png", "--cell", "16", "--quiet").code == 0
    os.close(keep)
    reader.join()
    assert heard[0].startswith(b"\x89PNG")


def test_companions_are_named(run: Run, album: Path, tmp_path: Path) -> None:
    import json

    (album / "p02.mov").write_bytes(b"film")
    assert run("arrange", album, "--report", tmp_path / "r.json", "--quiet").code == 0
    reported = json.loads((tmp_path / "r.json").read_text())
    assert reported["companions"] == [
        {"photo": "p01.png", "files": ["p01.nef"]},
        {"photo": "p02.png", "files": ["p02.mov"]},
    ]
    from album_app.gui.state.details import camera_and_companions

    photo = scan(album).photos[scan(album).index_of("p01.png") or 0]
    assert camera_and_companions(photo) == "with p01.nef", "the large view says so among the facts"


def test_experiments_replace_their_own_results_alone(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("convergence.csv", "convergence.png", "convergence.md"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text("mine")
        done = run("experiment", "convergence", "--quick", "-o", folder)
        assert done.code == 2 and f"{name} exists" in done.complaint
        assert [(path.name, path.read_text()) for path in folder.iterdir()] == [(name, "mine")]
    assert run("experiment", "convergence", "--quick", "-o", folder, "--force").code == 0
    assert {own_kind(path) for path in folder.iterdir()} == {RUNS, SHEET, PAGE}
    assert run("experiment", "convergence", "--quick", "-o", folder).code == 0
    (tmp_path / "REPRODUCTION.md").write_text("# Mine\n")
    done = run("experiment", "all", "--quick", "-o", folder, "--report", tmp_path)
    assert done.code == 2 and (tmp_path / "REPRODUCTION.md").read_text() == "# Mine\n"


def test_results_do_not_go_over_the_data(tmp_path: Path) -> None:
    album = draw_photos(tmp_path / "album", 2)
    (album / "album-color.csv").write_text("mine")
    request = Request(1, data={"photos": album}, force=True)
    with pytest.raises(OfAlbum):
        write_rows(album / "album-color.csv", [{"settings": "01234567", "seed": 0}], request.replacing)
    assert (album / "album-color.csv").read_text() == "mine"


@pytest.mark.parametrize("name", ["checkpoint.pt", "learning_curve.png", "resnet20_cifar10.pt"])
def test_training_replaces_its_own_files_alone(run: Run, tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("torch")
    (tmp_path / name).write_text("mine")
    for words in ([], ["--restart"]):
        done = run("train", "resnet20", "-o", tmp_path, "--cifar10", tmp_path / "none", *words)
        assert done.code == 2 and f"{name} exists" in done.complaint
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]


def test_a_saved_estimator_replaces_one_of_its_kind_alone(tmp_path: Path) -> None:
    import numpy as np

    from album_app.solver.estimator import SmiEstimator

    x = np.random.default_rng(0).normal(size=(30, 2))
    estimator, file = SmiEstimator().fit(x, x), tmp_path / "estimator.npz"
    np.savez(file, mine=x)
    before = file.read_bytes()
    with pytest.raises(FileExistsError, match="Album App did not write it"):
        estimator.save(file)
    assert file.read_bytes() == before and own_kind(file) == ""
    estimator.save(file, replace=True)
    assert own_kind(file) == SOLUTION
    estimator.save(file)
    assert SmiEstimator.load(file).smi_ == estimator.smi_
