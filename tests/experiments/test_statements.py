"""The report begins with the paper's own statements, and each is counted by the claims that bear on it."""

from pathlib import Path

import pytest

from album_app.experiments.catalogue import NAMES, load
from album_app.experiments.notes import NOTES
from album_app.experiments.reproduction import write_reproduction
from album_app.experiments.runner import run
from album_app.experiments.statements import STATEMENTS, counted, summary
from album_app.experiments.study import Claim, Request


def test_verdicts_are_counted() -> None:
    yes, no, tie = (Claim("n = 10: it holds", "", holds, "Proposition 1") for holds in (True, False, None))
    assert counted([]) == "not measured"
    assert counted([yes]) == "yes"
    assert counted([no, no]) == "no, in all 2 cases"
    assert counted([no, yes, tie, yes]) == "2 yes, 1 tie, 1 no (n = 10)"


def test_every_statement_has_a_row_that_says_where() -> None:
    lines = summary({"convergence": [Claim("", "", True, "Proposition 1")]}).splitlines()[2:]
    assert len(lines) == len(STATEMENTS)
    assert lines[0].endswith("| yes | [convergence](#convergence) |")
    assert all("not measured" in line for line in lines[1:])


def test_notes_are_on_experiments_there_are() -> None:
    assert set(NOTES) <= set(NAMES)


def test_the_report_begins_with_the_summary(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    request = Request(2, quick=True)
    result = run(load("convergence"), request, tmp_path)
    page = write_reproduction(tmp_path, {"convergence": (request, result)}).read_text()
    assert page.index("| § | the paper |") < page.index("## Where we differ") < page.index("## convergence")
    known = {statement.name for statement in STATEMENTS}
    assert {claim.statement for claim in result.claims} <= {*known, ""}
