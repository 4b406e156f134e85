"""`album-app find`: paths best first, as lines or as JSON, and a word that has no class."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.features.lite0 import CLASSES_KEY
from tests.cli.conftest import Run

BEAGLE, TABBY = 162, 281


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photos whose classes are remembered: a cat, a dog, and one that is less surely a dog."""
    folder = tmp_path / "pets"
    folder.mkdir()
    for k, name in enumerate(("cat.png", "dog.png", "perhaps.png")):
        Image.new("RGB", (8, 6), (80 * k, 0, 0)).save(folder / name)
    rows = np.zeros((3, 20), np.float32)
    rows[:, 0], rows[:, 10] = (TABBY, BEAGLE, BEAGLE), (0.9, 0.9, 0.3)
    with Cache.open() as cache:
        cache.put_features(scan(folder).photos, CLASSES_KEY, rows)
    return folder


def test_paths_come_best_first(run: Run, folder: Path) -> None:
    done = run("find", folder, "Hunde", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [str(folder / "dog.png"), str(folder / "perhaps.png")]


def test_json_says_how_sure_each_hit_is(run: Run, folder: Path) -> None:
    reported = json.loads(run("find", folder, "cat", "--quiet", "--json").out)
    assert reported == {"unknown": [], "nearest": [], "photos": [{"path": str(folder / "cat.png"), "score": 0.9}]}


def test_a_word_without_a_class_is_said_to_have_none(run: Run, folder: Path) -> None:
    done = run("find", folder, "helicopter", "--quiet")
    assert (done.code, done.out) == (1, "")
    assert "There is no class of the name “helicopter”; the nearest: airplane." in done.err


def test_photos_are_listed_by_likeness_to_others(run: Run, folder: Path) -> None:
    done = run("find", folder, "--like", "cat.png", "--features", "rgb", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [str(folder / name) for name in ("cat.png", "dog.png", "perhaps.png")]
    less = run("find", folder, "--like", "dog.png", "--unlike", "cat.png", "--features", "rgb", "--quiet", "--json")
    assert [Path(photo["path"]).name for photo in json.loads(less.out)["photos"]] == ["dog.png", "perhaps.png"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "Name what the photos show, or photos that they are like with --like."),
        (("dog", "--like", "cat.png"), "Name what the photos show, or photos that they are like with --like."),
        (("dog", "--unlike", "cat.png"), "--unlike has no effect without --like."),
        (("--like", "mouse.png"), "There is no photo mouse.png in "),
        (("--like", "cat.png", "--unlike", "cat.png"), "cat.png cannot be wanted and unwanted at once."),
    ],
)
def test_likeness_to_nothing_is_refused(run: Run, folder: Path, words: tuple[str, ...], complaint: str) -> None:
    done = run("find", folder, *words, "--quiet")
    assert done.code == 2 and done.complaint.startswith(complaint)


def test_a_word_pins_the_photos_that_show_it(run: Run, folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    asked = ("--pin-word", "Hund@bottom left", "--pin-word", "cat@0,0", "--shape", "2x2", "--features", "rgb")
    done = run("arrange", folder, *asked, "--report", report, "--quiet")
    assert (done.code, done.err) == (0, "")
    reported = json.loads(report.read_text())
    assert reported["word_pins"] == [
        {"word": "cat", "place": "0,0", "photos": ["cat.png"]},
        {"word": "Hund", "place": "bottom-left", "photos": ["dog.png", "perhaps.png"]},
    ]
    cells = {item["photo"]: item["cell"] for item in reported["placement"] if item["pinned"]}
    assert cells["dog.png"] == [1, 0] and cells["cat.png"] == [0, 0] and len(cells) == 3


@pytest.mark.parametrize(
    ("pin", "complaint"),
    [
        ("dog", "“dog” is no word with a place; write WORD@PLACE"),
        ("dog@below", "There is no place “below” on a sheet; choose one of top-left, top,"),
        ("dog@7,7", "The pin “dog@7,7” names a cell outside the shape"),
        ("helicopter@left", "No photo that is free to be pinned shows “helicopter”. There is no class of the name"),
        ("ship@left", "No photo that is free to be pinned shows “ship”."),
    ],
)
def test_word_pins_that_cannot_be_are_refused(run: Run, folder: Path, tmp_path: Path, pin: str, complaint: str) -> None:
    done = run("arrange", folder, "--pin-word", pin, "--features", "rgb", "--report", tmp_path / "r.json", "--quiet")
    assert done.code == 2 and done.complaint.startswith(complaint)


def test_a_text_image_model_finds_any_words(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[str, str]]()

    def text_scores(photos: list[object], text: str, file: str, **unused: object) -> np.ndarray:
        asked.append((text, file))
        return np.array([0.05, 0.2, 0.7], np.float32)

    monkeypatch.setattr("album_app.cli.wishes.text_scores", text_scores)
    done = run("find", folder, "helicopter", "at", "night", "--text-model", "clip.bin", "--quiet")
    assert done.out.splitlines() == [str(folder / "perhaps.png"), str(folder / "dog.png")]
    assert (done.code, done.err) == (0, "")
    monkeypatch.setattr("album_app.cli.wishes.read_preferences", lambda: {"preferences/text_model": "mine.bin"})
    assert run("find", folder, "dog", "--quiet").code == 0
    assert run("find", folder, "dog", "--text-model", "", "--quiet").out.splitlines()[0] == str(folder / "dog.png")
    assert asked == [("helicopter at night", "clip.bin"), ("dog", "mine.bin")]
    done = run("find", folder, "--like", "cat.png", "--text-model", "clip.bin")
    assert done.code == 2 and "--text-model" in done.err
