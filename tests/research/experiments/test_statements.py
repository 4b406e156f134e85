"""The report begins with the paper's own statements, and each is counted by the claims that bear on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from album_app.research.experiments.notes import DETAILS, NOTES
from album_app.research.experiments.reproduction import STATEMENTS, cases, in_a_word, note, summary, write_reproduction
from album_app.research.experiments.runner import NAMES, load, run
from album_app.research.experiments.study import Claim, Request


def test_a_statement_is_told_in_a_word() -> None:
    yes, no, tie = (Claim("it holds", "", holds, "Proposition 1", case="n = 10") for holds in (True, False, None))
    assert in_a_word([]) == "not measured"
    assert in_a_word([yes, yes]) == "yes"
    assert in_a_word([no, yes, tie]) == in_a_word([yes, tie]) == "in part"
    assert in_a_word([no, tie]) == "no"
    assert in_a_word([tie]) == "tie"


def test_its_cases_stand_by_their_verdicts_those_of_one_scope_together() -> None:
    held = {("linear", "n >= 50"): True, ("pca", "n >= 50"): True, ("linear", "n = 10"): False, ("pca", "n = 10"): None}
    one = [Claim("ours is nearer", "", holds, case=case, scope=scope) for (case, scope), holds in held.items()]
    assert cases({"one": one}) == "yes: linear, pca (n >= 50)<br>tie: pca (n = 10)<br>no: linear (n = 10)"
    assert (
        cases({"one": [Claim("it settles", "", True, case="lambda 0.1, beta 0.5")] * 2}) == "yes: lambda 0.1, beta 0.5"
    )


def test_a_case_that_two_experiments_judge_apart_names_them() -> None:
    one = [Claim("nearer", "", None, case="linear"), Claim("nearer", "", False, case="pca")]
    other = [Claim("nearer", "", False, case="linear"), Claim("nearer", "", False, case="pca")]
    assert cases({"one": one, "other": one}) == "tie: linear<br>no: pca"
    assert cases({"one": one, "other": other}) == "tie: linear (one)<br>no: pca; linear (other)"


def test_every_statement_has_a_row_that_says_where() -> None:
    reported, _, *table = summary(
        {"convergence": [Claim("it falls", "", True, "Proposition 1", case="always")]}
    ).splitlines()
    lines = table[2:]
    assert len(lines) == len(STATEMENTS)
    assert lines[0].endswith("| **yes** | yes: always | [convergence](#convergence) |")
    assert all("not measured" in line for line in lines[1:])
    assert reported == "Of 17 statements 1 hold in every case that we ran, 16 were not measured."


def test_notes_are_on_experiments_there_are() -> None:
    assert set(NOTES) == set(NAMES) and set(DETAILS) <= set(NAMES)


def test_a_note_has_the_figures_of_its_experiment_and_a_dash_for_those_it_lacks(tmp_path: Path) -> None:
    experiment = replace(load("independence"), quoted=lambda rows: {"smi": "0.17"})
    assert "from ten pairs is 0.17, and shuffled pairs give –" in " ".join(note(experiment, [], NOTES)[0].split())


def test_the_report_begins_with_the_summary(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    request = Request(2, quick=True)
    result = run(load("convergence"), request, tmp_path)
    page = write_reproduction(tmp_path, {"convergence": (request, result)}).read_text()
    assert page.index("| § | the paper |") < page.index("## convergence") < page.index("## Where we differ")
    assert (tmp_path / "convergence.md").read_text().startswith("# convergence")
    known = {statement.name for statement in STATEMENTS}
    assert {claim.statement for claim in result.claims} <= {*known, ""}
