"""`album-app score` and `album-app demo`."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from .conftest import Run, draw_photos


def figures(text: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in text.splitlines())


def test_scores_of_a_report_are_those_in_it(run: Run, folder: Path, tmp_path: Path) -> None:
    report_file = tmp_path / "r.json"
    words = ("--shape", "4x5", "--pin-preset", "corners", "--report", report_file)
    assert run("arrange", folder, *words).code == 0
    report = json.loads(report_file.read_text())
    done = run("score", report_file, "--features", "lab", folder)
    assert done.code == 0, done.err
    reported = figures(done.out)
    assert (reported["photos"], reported["cells"], reported["shown"], reported["repeats"]) == ("24", "20", "20", "0")
    for name, score in report["scores"].items():
        assert float(reported[name]) == pytest.approx(score, abs=1e-4)
    other = figures(run("score", report_file, "--features", "rgb", folder).out)
    assert other["features"] == "rgb" and other["dpq16"] != reported["dpq16"]


def test_scores_without_pins(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("arrange", folder, "--report", tmp_path / "r.json", "--shape", "6x6", "--fill", "repeat").code == 0
    reported = figures(run("score", tmp_path / "r.json", folder).out)
    assert reported["pin_pull"] == reported["coverage"] == "-" and reported["repeats"] == "12"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "nonsense",
        "[" * 100_000,
        '{"placement": [], "left_out": [], "cells": 0}',
        '{"placement": [{"photo": "a", "cell": [0, 1e99], "pinned": true}], "left_out": [], "cells": 1}',
        '{"placement": [{"photo": "a", "cell": [0, 1e400], "pinned": true}], "left_out": [], "cells": 1}',
        '{"placement": [{"photo": "a", "cell": [99999, 99999], "pinned": true}], "left_out": [], "cells": 1}',
        '{"placement": [{"photo": "a", "cell": [0, 0], "pinned": true}], "left_out": [], "cells": 1e400}',
        '{"placement": [' + "[]," * 4_000_000 + '1], "left_out": [], "cells": 1}',
    ],
)
def test_what_is_no_report_is_said(run: Run, folder: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    done = run("score", tmp_path / "r.json", folder)
    assert done.code == 2 and "report" in done.complaint


def test_reports_of_other_folders_are_said(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("score", tmp_path / "none.json", folder).code == 2
    assert run("arrange", folder, "--report", tmp_path / "r.json", "--quiet").code == 0
    done = run("score", tmp_path / "r.json", draw_photos(tmp_path / "other", 5))
    assert done.code == 1 and "are not in this folder" in done.complaint


@pytest.fixture
def small_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from album_app.sample import sample_album

    folder = draw_photos(tmp_path / "sample", 12)
    monkeypatch.setattr(sample_album, "sample_folder", lambda **_: folder)


@pytest.mark.usefixtures("small_sample")
def test_demo_without_a_display_writes_a_picture(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.chdir(tmp_path)
    done = run("demo")
    assert done.code == 0 and "album-demo.png" in done.out and "no display" in done.out
    with Image.open(tmp_path / "album-demo.png") as image:
        assert min(image.size) > 100


def test_without_a_display_the_window_is_refused_in_one_line(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    asked, misspelt = run(folder), run("arange")
    assert asked.code == 1 and "album-app arrange" in asked.complaint
    assert misspelt.code == 2 and "arange" in misspelt.complaint


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_demo_with_a_display_opens_the_window(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    opened = []
    window = ModuleType("album_app.gui.window.app")
    window.__spec__ = __import__("importlib.machinery", fromlist=["ModuleSpec"]).ModuleSpec(
        "album_app.gui.window.app", None
    )
    window.run = lambda **request: opened.append(request) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "album_app.gui.window.app", window)
    monkeypatch.setenv(variable, ":99")
    monkeypatch.chdir(tmp_path)
    assert run("demo").code == 0
    assert opened == [{"demo": True}] and not (tmp_path / "album-demo.png").exists()
