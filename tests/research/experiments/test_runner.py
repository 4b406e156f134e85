"""Experiments keep every finished run, go on where they stopped, and write their numbers, table and plot."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from album_app.errors import Stopped
from album_app.research.experiments import reproduction
from album_app.research.experiments.runner import read_rows, run, table_text
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit, average, spread

pytest.importorskip("matplotlib")


def dice(measured: list[Unit], fail_at: int | None = None) -> Experiment:
    """An experiment that squares its seed, and is interrupted at one of them."""

    def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
        if unit["seed"] == fail_at:
            raise KeyboardInterrupt
        measured.append(unit)
        return [{"square": int(unit["seed"]) ** 2, "half": int(unit["seed"]) / 2}]

    def plot(rows: Sequence[Row], figure: Any) -> None:
        figure.subplots().plot([row["square"] for row in rows])

    return Experiment(
        name="dice",
        what="Squares.",
        takes="no time",
        needs="nothing",
        seeds=3,
        quick_seeds=1,
        settings=lambda request: {"sides": 2},
        units=lambda request: request.seed_units(side=["a", "b"]),
        measure=measure,
        claims=lambda rows: [Claim("squares are not negative", "none", all(float(row["square"]) >= 0 for row in rows))],
        plot=plot,
        tables=[Table("Squares", ["side"], ["square"])],
    )


def test_every_run_is_in_the_csv_and_the_table_has_mean_and_spread(tmp_path: Path) -> None:
    result = run(dice([]), Request(3), tmp_path)
    assert result.complete
    assert [claim.holds for claim in result.claims] == [True]
    assert read_rows(tmp_path / "dice.csv")[-1] | {"settings": ""} == {
        "settings": "", "side": "b", "seed": 2, "square": 4, "half": 1.0
    }  # fmt: skip
    page = (tmp_path / "dice.md").read_text()
    assert "| a | 1.667 ± 2.08 | 3 |" in page
    assert "| squares are not negative | none | yes |" in page
    assert (tmp_path / "dice.png").stat().st_size > 1000


def test_numbers_that_rows_are_grouped_by_are_as_short_as_the_others() -> None:
    rows: list[Row] = [{"truth": 1 / 6, "n": 10, "side": "a", "smi": 0.5}]
    assert table_text(Table("", ["truth", "n", "side"], ["smi"]), rows).endswith("| 0.1667 | 10 | a | 0.5 | 1 |")


def test_an_interrupt_keeps_what_is_finished_and_the_next_run_goes_on_from_there(tmp_path: Path) -> None:
    first: list[Unit] = []
    with pytest.raises(KeyboardInterrupt):
        run(dice(first, fail_at=2), Request(3), tmp_path)
    assert len(first) == 4
    assert "Not finished" in (tmp_path / "dice.md").read_text()
    second: list[Unit] = []
    assert run(dice(second), Request(3), tmp_path).complete
    assert [unit["seed"] for unit in second] == [2, 2]


def test_a_stop_is_obeyed_between_runs(tmp_path: Path) -> None:
    measured: list[Unit] = []
    with pytest.raises(Stopped):
        run(dice(measured), Request(3), tmp_path, stop=lambda: len(measured) >= 2)
    assert len(measured) == 2


def test_runs_with_other_settings_are_kept_but_not_mixed(tmp_path: Path) -> None:
    run(dice([]), Request(2), tmp_path)
    again: list[Unit] = []
    result = run(replace(dice(again), settings=lambda request: {"sides": 3}), Request(2), tmp_path)
    assert len(again) == len(result.rows) == 4
    assert len(read_rows(tmp_path / "dice.csv")) == 8
    once_more: list[Unit] = []
    assert len(run(dice(once_more), Request(2), tmp_path).rows) == 4
    assert not once_more, "what was finished before is still there"


def test_tables_are_of_the_seeds_that_were_asked_for(tmp_path: Path) -> None:
    run(dice([]), Request(3), tmp_path)
    assert {row["seed"] for row in run(dice([]), Request(2), tmp_path).rows} == {0, 1}
    assert len(read_rows(tmp_path / "dice.csv")) == 6


def test_seeds_begin_where_they_are_asked_to(tmp_path: Path) -> None:
    result = run(dice([]), Request(2, first_seed=11), tmp_path)
    assert [row["seed"] for row in result.rows] == [11, 11, 12, 12]
    assert {row["square"] for row in result.rows} == {121, 144}


def test_the_report_publishes_the_runs_it_is_made_of_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment, request = dice([]), Request(2, first_seed=11)
    monkeypatch.setattr(reproduction, "load", lambda name: experiment)
    run(experiment, Request(3), tmp_path / "results")
    outcome = {"dice": (request, run(experiment, request, tmp_path / "results"))}
    page = reproduction.write_reproduction(tmp_path / "results", outcome, tmp_path / "report").read_text()
    assert "--seeds 2`, seeds 11 to 12." in page
    published = read_rows(tmp_path / "report/reproduction/dice.csv")
    assert [row["seed"] for row in published] == [11, 11, 12, 12]
    assert len(read_rows(tmp_path / "results/dice.csv")) == 10


def test_one_run_decides_no_claim_and_a_quick_page_says_that_it_is_quick(tmp_path: Path) -> None:
    sure = replace(dice([]), claims=lambda rows: [Claim("it holds", "by one", True), Claim("it fails", "by 2", False)])
    assert [claim.verdict for claim in run(sure, Request(1, quick=True), tmp_path).claims] == 2 * [
        "too few runs to tell (1)"
    ]
    page = (tmp_path / "dice.md").read_text()
    assert page.startswith("# dice (quick") and "| it fails | by 2 | too few runs to tell (1) |" in page
    assert [claim.verdict for claim in run(sure, Request(2), tmp_path).claims] == ["yes", "no"]
    assert (tmp_path / "dice.md").read_text().startswith("# dice\n")
    alone = replace(sure, seeds=1)
    assert [claim.verdict for claim in run(alone, Request(1), tmp_path).claims] == ["yes", "no"]


def test_a_report_of_one_run_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = reproduction.STATEMENTS[0].name
    sure = replace(dice([]), claims=lambda rows: [Claim("it holds", "by one", True, statement, case="a case")])
    monkeypatch.setattr(reproduction, "load", lambda name: sure)
    request = Request(1)
    page = reproduction.write_reproduction(tmp_path, {"dice": (request, run(sure, request, tmp_path))}).read_text()
    assert "| **too few runs** | too few runs to tell (1): a case |" in page and "1 had too few runs to tell" in page


def test_a_column_without_any_figure_is_left_out() -> None:
    rows: list[Row] = [{"side": "a", "smi": 1.0, "seed": 0}, {"side": "b", "smi": 2.0, "seed": 0}]
    head = table_text(Table("", ["side"], ["n = 10", "smi"]), rows).splitlines()[2]
    assert head == "| side | smi | seeds |"


def test_progress_goes_on_from_what_was_found(tmp_path: Path) -> None:
    run(dice([]), Request(2), tmp_path)
    heard: list[tuple[int, int]] = []
    run(dice([]), Request(3), tmp_path, on_progress=lambda done, total: heard.append((done, total)))
    assert heard == [(4, 6), (5, 6), (6, 6)]


def test_means_leave_out_rows_without_a_number() -> None:
    rows: list[Row] = [
        {"kind": "a", "value": 1.0},
        {"kind": "a", "value": "over the limit"},
        {"kind": "b", "value": 9.0},
    ]
    assert average(rows, "value", kind="a") == 1.0
    assert spread([]) == "–"
    assert spread([1.0, 3.0]) == "2 ± 1.41"


def test_the_report_names_the_command_and_marks_what_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = replace(dice([]), claims=lambda rows: [Claim("squares are odd", "some are even", False)])
    monkeypatch.setattr(reproduction, "load", lambda name: wrong)
    request = Request(3, data={"photos": Path("somewhere")})
    page = reproduction.write_reproduction(tmp_path, {"dice": (request, run(wrong, request, tmp_path))}).read_text()
    details = (tmp_path / "dice.md").read_text()
    made = "`album-app experiment dice -o FOLDER --seeds 3 --photos PATH`, seeds 0 to 2."
    assert made in page and made in details
    assert "| squares are odd | some are even | **no** |" in details
    assert "![dice](dice.png)" in page and "![dice](dice.png)" in details


@pytest.mark.parametrize("shareable", [True, False])
def test_the_report_can_have_a_folder_of_its_own_without_photos_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shareable: bool
) -> None:
    def pictures(request: Request, folder: Path) -> list[Path]:
        (folder / "dice-photos.jpg").write_bytes(b"a picture")
        return [folder / "dice-photos.jpg"]

    experiment = replace(dice([]), pictures=pictures, shareable=shareable)
    monkeypatch.setattr(reproduction, "load", lambda name: experiment)
    results = {"dice": (Request(1), run(experiment, Request(1), tmp_path / "results"))}
    page = reproduction.write_reproduction(tmp_path / "results", results, tmp_path / "report").read_text()
    links = set(re.findall(r"\]\(([^#].*?)\)", page))
    assert links == {"reproduction/dice.csv", "reproduction/dice.png", "reproduction/dice.md"}
    assert all((tmp_path / "report" / link).exists() for link in links)
    details = (tmp_path / "report/reproduction/dice.md").read_text()
    photos = {"dice-photos.jpg"} if shareable else set()
    assert set(re.findall(r"\]\((.*?)\)", details)) == {"dice.csv", "dice.png"} | photos
    assert (tmp_path / "report/reproduction/dice-photos.jpg").exists() == shareable
