"""Packages that only some commands need."""

from pathlib import Path

import pytest

from album_app.research import commands
from tests.cli.conftest import Run


@pytest.mark.parametrize("words", [["train", "resnet20", "--output", "out"], ["experiment", "plan", "-o", "out"]])
def test_what_is_not_installed_is_said_before_any_work(
    run: Run, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "find_spec", lambda package: None)
    done = run(*words)
    assert done.code == 1 and "pip install 'album-app[paper]'" in done.complaint
    assert not list(tmp_path.iterdir())
