"""What people get wrong: one line on standard error, the right exit code, nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run, draw_photos


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "x.gif"], "must end with"),
        (["-o", "x"], "must end with"),
        (["-o", "nowhere/x.png"], "no folder"),
        (["-o", "x.jpg", "--background", "transparent"], "JPEG cannot be transparent"),
        (["-o", "x.png", "--background", "pinkish"], "no colour"),
        (["-o", "x.png", "--paper", "A17"], "no paper"),
        (["-o", "x.png", "--fit-paper"], "--fit-paper has no effect without --paper"),
        (["-o", "x.png", "--animate"], "does not move"),
        (["-o", "x.png", "--poster", "A4"], "has no pages"),
        (["-o", "x.png", "--fit-paper", "--paper", "A4", "--shape", "3x4"], "without --shape"),
        (["-o", "x.png", "--fit-paper", "--paper", "A4", "--shape", "heart"], "without --shape"),
        (["-o", "x.png", "--paper", "A4", "--cell", "96"], "not allowed with"),
        (["-o", "x.png", "--cell", "0"], "cell size"),
        (["-o", "x.png", "--cell", "big"], "invalid int"),
        (["-o", "x.png", "--paper", "A4", "--dpi", "-1"], "dpi"),
        (["-o", "x.html", "--list", "x.csv"], "--list has no effect without --paper"),
        (["-o", "x.png", "--dpi", "150"], "--dpi has no effect without --paper"),
        (["-o", "x.pdf", "--cell", "90", "--dpi", "0"], "--dpi has no effect without --paper"),
        (["-o", "x.png", "--gap", "nan"], "gap"),
        (["-o", "x.png", "--crop", "stretch"], "invalid choice"),
        (["-o", "x.png", "--caption", "all"], "is no caption"),
        (["-o", "x.png", "--caption", "{photo.path}"], "is no caption"),
        (["-o", "x.png", "--captions-from", "nothing.csv"], "could not be read"),
        (["-o", "x.png", "--shape", "blob"], "no shape"),
        (["-o", "x.png", "--shape", "0x5"], "cells"),
        (["-o", "x.png", "--shape", "heart", "--text", "A"], "not allowed with"),
        (["-o", "x.png", "--shape", "3x3", "--cells", "9"], "--cells"),
        (["-o", "x.png", "--cells", "0"], "at least one cell"),
        (["-o", "x.png", "--text", " "], "text"),
        (["-o", "x.png", "--text", "A", "--font", "No Such Font"], "no font called “No Such Font”"),
        (["-o", "x.png", "--text", "A", "--font", "notes.ttf"], "notes.ttf cannot be read"),
        (["-o", "x.png", "--font", "Arial"], "--font has no effect without --text"),
        (["-o", "x.png", "--shape", "heart", "--one-line"], "--one-line has no effect without --text"),
        (["-o", "x.png", "--text", "A", "--invert"], "--invert has no effect without --mask"),
        (["-o", "x.png", "--mask", "none.png"], "none.png"),
        (["-o", "x.png", "--features", "smell"], "smell"),
        (["-o", "x.png", "--beta", "2"], "beta"),
        (["-o", "x.png", "--seed", "-4"], "seed"),
        (["-o", "x.png", "--fill", "water"], "invalid choice"),
        (["-o", "x.png", "--pin", "p00.png"], "PATH@ROW,COL"),
        (["-o", "x.png", "--pin", "p00.png@1"], "PATH@ROW,COL"),
        (["-o", "x.png", "--pin", "p00.png@-1,2"], "PATH@ROW,COL"),
        (["-o", "x.png", "--pin", "nobody.png@0,0"], "no photo nobody.png"),
        (["-o", "x.png", "--pin", "notes.txt@0,0"], "cannot be read as a photo"),
        (["-o", "x.png", "--shape", "3x3", "--pin", "p00.png@3,0"], "rows go from 0 to 2"),
        (["-o", "x.png", "--shape", "circle", "--cells", "21", "--pin", "p00.png@0,0"], "not all are part of it"),
        (["-o", "x.png", "--pin", "p00.png@0,0", "--pin", "p00.png@1,1"], "a photo that another pin"),
        (["-o", "x.png", "--pin", "p00.png@0,0", "--pin", "p01.png@0,0"], "a cell that another pin"),
        (["-o", "x.png", "--pin-preset", "letters"], "letters"),
        (["-o", "x.png", "--project", "p.json"], ".album"),
        (["-o", "x.png", "--report", "x.png"], "the same"),
        (["-o", "x.png", "--quiet", "--progress"], "not allowed with"),
        (["--quiet"], "nothing to write"),
        (["-o", "x.webp", "--shape", "1x24", "--cell", "900"], "16383"),
        (["-o", "x.png", "--paper", "A5", "--dpi", "10", "--shape", "1x24"], "do not fit"),
        (["--bogus"], "bogus"),
        (["-o", "x.png/"], "x.png/ is a folder"),
        (["-o", "x.png", "-o", "y.png"], "-o was given twice"),
        (["--report", "a.json", "--report", "b.json"], "--report was given twice"),
        (["--report", "a.json", "--animate"], "--animate has no effect without -o"),
        (["--report", "a.json", "--title", "A"], "--title has no effect without -o or --project"),
        (["-o", "x.png", "--megabytes", "3"], "--megabytes has no effect without a web page"),
        (["-o", "x.png", "--no-names"], "--no-names has no effect without a web page"),
        (["-o", "x.html", "--no-names", "--caption", "name"], "contradict each other"),
        (["-o", "x.pdf", "--overlap", "3"], "--overlap has no effect without --poster"),
        (["-o", "x.pdf", "--overlap", "0"], "--overlap has no effect without --poster"),
        (["-o", "x.pdf", "--page-titles", "none"], "--page-titles has no effect without --pages"),
        (["-o", "x.pdf", "--border-colour", "red"], "--border-colour has no effect without --border"),
        (["-o", "x.pdf", "--orientation", "portrait"], "--orientation has no effect without --paper"),
        (["-o", "x.pdf", "--time-marks"], "--time-marks has no effect without --timeline or --time-weight"),
    ],
)
def test_wrong_words(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str) -> None:
    folder = draw_photos(tmp_path / "photos", 6)
    (folder / "notes.txt").write_text("hello")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    done = run("arrange", folder, *words)
    assert done.code == 2 and says in done.complaint and not done.out
    assert not list(here.iterdir())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--sample", "."], "goes with no other path"),
        (["cache", "--info"], "--info"),
        (["arrange", "n" * 300, "--report", "r.json"], "no folder nnn"),
        (["arrange", "no\0name", "--report", "r.json"], "is no text"),
        (["arrange", "lone\ud800", "--report", "r.json"], "is no text"),
        (["score", "n" * 300, "."], "could not be read: File name too long"),
        (["arrange", "turned\u202egpj.exe", "--report", "r.json"], "turned\ufffdgpj.exe"),
        (["arrange", "", "--report", "r.json"], "Name a folder"),
        (["twins", " "], "Name a folder"),
        (["score", "r.json", ""], "Name a folder"),
        (["arrange", "n" * 9000, "--report", "r.json"], "n…n"),
        (["bench", "photos", "--bogus"], "(see album-app bench photos --help)"),
    ],
)
def test_wrong_words_of_other_commands(run: Run, words: list[str], says: str) -> None:
    done = run(*words)
    assert done.code == 2 and says in done.complaint and not done.out and len(done.err) < 500


def test_a_name_without_its_folder_is_answered_with_the_photo_that_was_meant(run: Run, tmp_path: Path) -> None:
    draw_photos(tmp_path / "album" / "beach", 2)
    done = run("arrange", tmp_path / "album", "-o", tmp_path / "x.png", "--size", "p00.png=2")
    assert done.code == 2 and done.complaint.endswith("Did you mean beach/p00.png?")


def test_folders_without_photos(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.png"
    assert run("arrange", tmp_path / "none", "-o", sheet).code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    done = run("arrange", empty, "-o", sheet)
    assert done.code == 1 and "empty" in done.complaint
    for i in range(5):
        (empty / f"{i}.jpg").write_bytes(b"\xff\xd8\xff\xe0 damaged")
    done = run("arrange", empty, "-o", sheet)
    assert done.code == 1 and "0.jpg" in done.complaint and "2 more" in done.complaint
    file = tmp_path / "file.txt"
    file.write_text("x")
    done = run("arrange", file, "-o", sheet)
    assert done.code == 2 and "not a folder" in done.complaint
    assert not sheet.exists()


def test_a_folder_that_must_not_be_written_to(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, *mode: Path(path) != locked and allowed(path, *mode))
    for words in (["-o", locked / "sheet.png"], ["--report", locked / "r.json"], ["--project", locked / "p.album"]):
        done = run("arrange", folder, *words)
        assert done.code == 1 and "cannot be written" in done.complaint


def test_over_long_names_of_files_to_write_are_one_line(run: Run, folder: Path, tmp_path: Path) -> None:
    for words in (["-o", "n" * 300 + ".png"], ["--report", "n" * 300], ["--project", "n" * 300 + ".album"]):
        done = run("arrange", folder, *words)
        assert done.code == 1 and "too long" in done.complaint and "unexpected" not in done.complaint
    done = run("arrange", folder, "--report", tmp_path / "r.json", "--pins", "n" * 300)
    assert done.code == 1 and "too long" in done.complaint
    done = run("arrange", folder, "--report", tmp_path / "r.json", "--mask", "n" * 300)
    assert done.code == 2 and "too long" in done.complaint


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are POSIX's")
def test_what_has_no_end_is_not_read(run: Run, folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for words in (["arrange", folder, "--report", tmp_path / "r.json", "--pins", tmp_path / "pipe"],
                  ["score", tmp_path / "pipe", folder]):  # fmt: skip
        assert "it is not a file" in run(*words).complaint


def test_read_only_files_are_refused_before_any_work(run: Run, folder: Path, tmp_path: Path) -> None:
    for name, option in (("s.png", "-o"), ("p.album", "--project"), ("r.json", "--report")):
        file = tmp_path / name
        file.write_text("kept")
        file.chmod(0o444)
        done = run("arrange", folder, option, file, "--progress")
        assert done.code == 1 and "read-only" in done.complaint and file.read_text() == "kept"


def test_the_program_as_a_whole(run: Run) -> None:
    version = run("--version")
    assert version.code == 0 and version.out.startswith("album-app ")
    for words in (["--help"], ["arrange", "--help"], ["score", "--help"], ["demo", "--help"]):
        done = run(*words)
        assert done.code == 0 and "album-app" in done.out and not done.err
    assert "examples:" in run("arrange", "--help").out
    assert run("arrange").code == 2


def test_unforeseen_errors_have_no_traceback(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from album_app.cli import pipeline

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.delenv("ALBUM_APP_DEBUG", raising=False)
    monkeypatch.setattr(pipeline, "arrange", fail)
    done = run("arrange", folder, "-o", tmp_path / "s.png")
    assert done.code == 1 and "out of luck" in done.complaint
    monkeypatch.setattr(pipeline, "arrange", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    done = run("arrange", folder, "-o", tmp_path / "s.png")
    assert done.code == 1 and done.complaint == "stopped"


@pytest.mark.parametrize("display", ["", ":0"])
def test_a_misspelt_command_is_told_with_what_was_meant(
    run: Run, monkeypatch: pytest.MonkeyPatch, display: str
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    done = run("arange", "Crete")
    assert done.code == 2 and done.err.strip() == (
        "album-app: There is no command, file or folder “arange”. Did you mean `album-app arrange`?"
    )


def test_a_word_that_is_nothing_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    done = run("misspelledcommand")
    assert done.code == 1 and "There is no command, file or folder “misspelledcommand”." in done.err


def test_marks_of_time_need_a_timeline(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("arrange", folder, "-o", tmp_path / "a.png", "--time-marks")
    assert done.code == 2 and done.complaint == "--time-marks has no effect without --timeline or --time-weight."


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows tell nobody that their reader is gone")
@pytest.mark.parametrize("words", [["--help"], ["twins", "album", "--quiet"], ["find", "album", "--like", "0.png"]])
def test_a_reader_that_has_read_enough_ends_a_command_quietly(tmp_path: Path, words: list[str]) -> None:
    draw_photos(tmp_path / "album", 3)
    next((tmp_path / "album").glob("*.png")).rename(tmp_path / "album" / "0.png")
    more = ["--features", "rgb", "--quiet"] if "--like" in words else []
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        command = [sys.executable, "-m", "album_app", *words, *more]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, cwd=tmp_path, timeout=120, check=False)
    assert done.stderr == b"" and done.returncode in (0, 1)
