"""`album-app experiment`: what it lists, what it refuses, what it writes, and what an interrupt leaves behind."""

from pathlib import Path

import pytest

from album_app.cli.progress import Bar
from album_app.research.experiments import runner
from album_app.research.experiments.runner import NAMES
from tests.cli.conftest import Run

pytest.importorskip("matplotlib")


def test_the_list_says_what_each_is_how_long_it_takes_and_what_it_needs(run: Run) -> None:
    ran = run("experiment", "list")
    assert ran.code == 0
    for name in NAMES:
        assert name in ran.out
    assert ran.out.count("takes ") == ran.out.count("needs ") == len(NAMES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense", "-o", "x"], "there is no experiment 'nonsense'"),
        (["plan"], "-o FOLDER"),
        (["plan", "-o", "x", "--seeds", "0"], "--seeds must be at least 1"),
        (["guide", "-o", "x", "--albums", "a/summer", "b/summer"], "--albums names two folders 'summer'"),
    ],
)
def test_what_cannot_be_run_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("experiment", *words)
    assert ran.code == 2 and said in ran.err
    assert not list(tmp_path.iterdir())


def test_one_is_run_and_its_files_are_named(run: Run, tmp_path: Path) -> None:
    ran = run("experiment", "convergence", "-o", str(tmp_path), "--quick")
    assert ran.code == 0 and "convergence: yes: " in ran.out
    assert {path.name for path in tmp_path.iterdir()} == {"convergence.csv", "convergence.md", "convergence.png"}


def test_an_interrupt_says_where_to_go_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", interrupted)
    ran = run("experiment", "convergence", "-o", str(tmp_path), "--quick")
    assert ran.code != 0 and f"kept in {tmp_path}; the same command goes on" in ran.out


def test_time_left_is_told_by_what_was_done_since_not_by_what_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    with Bar("work", enabled=True) as on_progress:
        on_progress(90, 100)
        assert "left" not in capsys.readouterr().err
        on_progress(91, 100)
        assert "  90 s left" in capsys.readouterr().err


def test_the_list_and_the_refusal_show_how_to_run_one(run: Run) -> None:
    assert "album-app experiment NAME -o FOLDER" in run("experiment", "list").out
    assert "album-app experiment plan -o FOLDER" in run("experiment", "plan").err
