"""The report begins with the paper's own statements, and each is counted by the claims that bear on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from album_app.experiments.catalogue import NAMES, load
from album_app.experiments.notes import NOTES
from album_app.experiments.reproduction import note, write_reproduction
from album_app.experiments.runner import run
from album_app.experiments.statements import STATEMENTS, counted, summary
from album_app.experiments.study import Claim, Request


def test_verdicts_are_counted() -> None:
    yes, no, tie = (Claim("n = 10: it holds", "", holds, "Proposition 1") for holds in (True, False, None))
    assert counted([]) == "not measured"
    assert counted([yes]) == "**yes**"
    assert counted([no, no]) == "**no**, in all 2 cases"
    assert counted([no, yes, tie, yes]) == "**in part**: 2 yes, 1 tie, 1 no (not for n = 10)"
    assert counted([no, tie]) == "**no or tie**: 1 tie, 1 no (not for n = 10)"


def test_every_statement_has_a_row_that_says_where() -> None:
    lines = summary({"convergence": [Claim("", "", True, "Proposition 1")]}).splitlines()[2:]
    assert len(lines) == len(STATEMENTS)
    assert lines[0].endswith("| **yes** | [convergence](#convergence) |")
    assert all("not measured" in line for line in lines[1:])


def test_notes_are_on_experiments_there_are() -> None:
    assert set(NOTES) <= set(NAMES)


def test_a_note_has_the_figures_of_its_experiment_and_a_dash_for_those_it_lacks(tmp_path: Path) -> None:
    experiment = replace(load("independence"), quoted=lambda rows: {"smi": "0.17"})
    assert "with ten pairs 0.17 beside –" in " ".join(note(experiment, [])[0].split())


def test_the_report_begins_with_the_summary(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    request = Request(2, quick=True)
    result = run(load("convergence"), request, tmp_path)
    page = write_reproduction(tmp_path, {"convergence": (request, result)}).read_text()
    assert page.index("| § | the paper |") < page.index("## Where we differ") < page.index("## convergence")
    known = {statement.name for statement in STATEMENTS}
    assert {claim.statement for claim in result.claims} <= {*known, ""}
