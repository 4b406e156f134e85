"""The report in assets says what the CSVs beside it say: every table, every claim and every verdict."""

import re
from functools import cache
from pathlib import Path

import pytest

from album_app.research.experiments.catalogue import NAMES, load
from album_app.research.experiments.notes import HOW_TO_READ, NOTES
from album_app.research.experiments.reproduction import LONGEST_TABLE, note
from album_app.research.experiments.runner import claims_text, read_rows, rows_of, table_text
from album_app.research.experiments.statements import summary
from album_app.research.experiments.study import Claim, Request, Row

ASSETS = Path(__file__).parents[3] / "assets"
PAGE = (ASSETS / "REPRODUCTION.md").read_text(encoding="utf-8")


SETTINGS = {"0.001", "0.0001", "0.01", "0.1", "0.2", "0.3", "0.5", "0.8", "0.95", "6.2", "5.9"}
"""Lambda, beta, epsilon, rho; the most nats there can be, and the true SMI of the linear data."""


def section(name: str) -> str:
    """What the report says about an experiment."""
    return next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if part.startswith(f"{name}\n"))


@cache
def runs(name: str) -> list[Row]:
    """The runs that the report is about: all of its CSV and nothing else."""
    made = re.search(r"--seeds (\d+)(.*?)`", section(name))
    data = {key: Path() for key in re.findall(r"--(\w+) PATH", made[2])}
    experiment, kept = load(name), read_rows(ASSETS / "reproduction" / f"{name}.csv")
    found = rows_of(experiment.units(Request(int(made[1]), data=data, first_seed=experiment.first_seed)), kept)
    assert all(found), f"{name}.csv lacks runs of the report"
    assert sum(map(len, found)) == len(kept), f"{name}.csv has runs that the report is not made of"
    return [row for rows in found for row in rows]


@cache
def claims(name: str) -> list[Claim]:
    return load(name).claims(runs(name))


@pytest.mark.parametrize("name", NAMES)
def test_tables_and_claims_are_those_of_the_csv(name: str) -> None:
    if claims(name):
        assert claims_text(claims(name)) in section(name)
    tables = [table_text(table, runs(name)) for table in load(name).tables]
    shown = [table for table in tables if table.count("\n") <= LONGEST_TABLE]
    assert all(table in section(name) for table in shown)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_in_the_notes_are_those_of_the_csv(name: str) -> None:
    told = note(load(name), runs(name))
    assert all(paragraph in section(name) for paragraph in told)
    assert not re.search(r"\bnan\b|–", " ".join(told))  # no figure is missing


@pytest.mark.parametrize("text", [*NOTES.values(), HOW_TO_READ])
def test_numbers_that_are_no_figures_of_the_csv_are_settings_or_marked(text: str) -> None:
    """A number with a decimal point is computed, is one of the settings, or stands in a paragraph that tells so."""
    for paragraph in re.split(r"\n\n|\n- ", text):
        found = set(re.findall(r"\d+\.\d+", re.sub(r"\{\w+\}", "", paragraph)))
        assert found <= SETTINGS or "authors' code" in paragraph


def test_the_summary_counts_these_claims() -> None:
    assert summary({name: claims(name) for name in NAMES}) in PAGE


def test_nothing_is_linked_that_is_not_there() -> None:
    assert all((ASSETS / link).exists() for link in re.findall(r"\]\((reproduction/[^)]+)\)", PAGE))
