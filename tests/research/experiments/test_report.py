"""The report in assets and the pages of the experiments say what their CSVs say: every table, claim and verdict."""

import re
from functools import cache
from pathlib import Path

import pytest

from album_app.research.experiments.notes import DETAILS, DIFFERENCES, HOW_TO_READ, NOTES
from album_app.research.experiments.reproduction import all_claims, note, summary
from album_app.research.experiments.runner import NAMES, claims_text, load, read_rows, rows_of, table_text
from album_app.research.experiments.study import Claim, Request, Row, fingerprint

ASSETS = Path(__file__).parents[3] / "assets"
REPORT = (ASSETS / "REPRODUCTION.md").read_text(encoding="utf-8")
MOST_WORDS = 6000
"""The report is meant to be read; what is longer belongs to the pages of the experiments."""

SETTINGS = {"0.001", "0.0001", "0.01", "0.1", "0.2", "0.3", "0.5", "0.8", "0.95", "6.2", "5.9"}
"""Lambda, beta, epsilon, rho, levels; the most nats there can be, and the true SMI of the linear data."""


def section(name: str) -> str:
    """What the report says about an experiment."""
    return next(part for part in re.split(r"^## ", REPORT, flags=re.MULTILINE) if part.startswith(f"{name}\n"))


@cache
def page(name: str) -> str:
    return (ASSETS / "reproduction" / f"{name}.md").read_text(encoding="utf-8")


def asked(name: str) -> Request:
    """How the report says that the runs were made."""
    made = re.search(r"--seeds (\d+)(.*?)`", section(name))
    data = {key: Path() for key in re.findall(r"--(\w+) PATH", made[2])}
    albums = re.search(r"--albums ([^-].*)", made[2])
    folders = tuple(map(Path, albums[1].split())) if albums else ()
    return Request(int(made[1]), data=data, first_seed=load(name).first_seed, albums=folders)


@cache
def runs(name: str) -> list[Row]:
    """The runs that the report is about: all of its CSV and nothing else."""
    kept = read_rows(ASSETS / "reproduction" / f"{name}.csv")
    found = rows_of(load(name).units(asked(name)), kept)
    assert all(found), f"{name}.csv lacks runs of the report"
    assert sum(map(len, found)) == len(kept), f"{name}.csv has runs that the report is not made of"
    return [row for rows in found for row in rows]


OLDER = {"album-semantic"}
"""Its runs are those of an earlier version, as its page says."""


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OLDER])
def test_runs_are_those_of_the_settings_so_that_the_same_command_goes_on_from_them(name: str) -> None:
    """With other settings the command would measure everything anew, and the page would describe what was not run."""
    settings = {**load(name).settings(asked(name)), "quick": False}
    assert {row["settings"] for row in runs(name)} == {fingerprint(settings)}


@cache
def claims() -> dict[str, list[Claim]]:
    return all_claims({name: runs(name) for name in NAMES})


@pytest.mark.parametrize("name", NAMES)
def test_tables_and_claims_are_those_of_the_csv(name: str) -> None:
    if claims()[name]:
        assert claims_text(claims()[name]) in page(name)
    assert all(table_text(table, runs(name)) in page(name) for table in load(name).tables)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_in_the_notes_are_those_of_the_csv(name: str) -> None:
    short, long = (note(load(name), runs(name), texts) for texts in (NOTES, DETAILS))
    assert len(short) == 1 and short[0] in section(name)  # one paragraph
    assert all(paragraph in page(name) for paragraph in long)
    assert not re.search(r"\bnan\b|–", " ".join([*short, *long]))  # no figure is missing


def test_the_report_can_be_read() -> None:
    assert len(REPORT.split()) < MOST_WORDS
    assert all(section(name).count("![") == 1 for name in NAMES)


@pytest.mark.parametrize("text", [*NOTES.values(), *DETAILS.values(), HOW_TO_READ, DIFFERENCES])
def test_numbers_that_are_no_figures_of_the_csv_are_settings_or_marked(text: str) -> None:
    """A number with a decimal point is computed, is one of the settings, or stands in a paragraph that tells so."""
    for paragraph in re.split(r"\n\n|\n- ", text):
        found = set(re.findall(r"\d+\.\d+", re.sub(r"\{\w+\}", "", paragraph)))
        assert found <= SETTINGS or "authors' code" in paragraph


def test_the_summary_counts_these_claims() -> None:
    assert summary(claims()) in REPORT


def test_nothing_is_linked_that_is_not_there() -> None:
    assert all((ASSETS / link).exists() for link in re.findall(r"\]\((reproduction/[^)]+)\)", REPORT))
