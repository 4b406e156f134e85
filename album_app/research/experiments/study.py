"""What an experiment is: runs that can be repeated one by one, their tables and plot, the claims they bear on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from album_app.paths import Replacing

Value = float | int | str
Wanted = Value | tuple[Value, ...]
"""A value that rows must have, or several of which they must have one."""
Row = dict[str, Value]
Unit = dict[str, Value]
"""The parameters of one run, its seed among them; finished units are not run again."""
UNSEEN = 11
"""Basis, folds and rank test of the selection, and its candidates for epsilon, were settled while earlier seeds were
known; so what they are judged by has seeds from here on."""


@dataclass(frozen=True)
class Request:
    """How an experiment was asked for: its scale, and the data that the user pointed at."""

    seeds: int
    quick: bool = False
    data: Mapping[str, Path] = field(default_factory=dict)
    first_seed: int = 0
    force: bool = False  # replace files that the program did not write

    @property
    def replacing(self) -> Replacing:
        """Which files the results may replace: none in the folders of the data."""
        return Replacing(self.force, tuple(self.data.values()), tuple(self.data.values()))

    def seed_units(self, **fixed: Iterable[Value]) -> list[Unit]:
        """Every combination of the given values, for every seed, the seeds outermost."""
        units = [dict(zip(fixed, values, strict=True)) for values in product(*fixed.values())]
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        return [{**unit, "seed": seed} for seed in seeds for unit in units]


def listed(words: Sequence[str]) -> str:
    """ "a, b and c", or "none"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "none"


def sorted_out(cases: Mapping[str, bool | None], yes: str, tie: str, no: str) -> str:
    """Cases by their verdicts: "nearer on a and b, a tie on c", with the words given."""
    told = [
        (lead, [name for name, holds in cases.items() if holds is each])
        for each, lead in ((True, yes), (None, tie), (False, no))
    ]
    return ", ".join(f"{lead} {listed(names)}" for lead, names in told if names)


def word(holds: bool | None) -> str:
    """Yes, no or tie."""
    return {True: "yes", False: "no", None: "tie"}[holds]


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper (or of ours), what was measured, and whether it holds; None is a tie."""

    text: str
    measured: str
    holds: bool | None
    statement: str = ""  # the paper's statement that it bears on, by its name in `statements`

    @property
    def verdict(self) -> str:
        """Yes, no or tie."""
        return word(self.holds)


@dataclass(frozen=True)
class Table:
    """Means and spreads of some columns, grouped by others, of the rows that agree with `where` once `derived`."""

    title: str
    by: Sequence[str]
    columns: Sequence[str]
    where: Mapping[str, Wanted] = field(default_factory=dict)
    derived: Callable[[Sequence[Row]], Sequence[Row]] = list

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """What the table is about."""
        return agreeing(self.derived(rows), self.where)


def side_by_side(
    title: str, by: Sequence[str], column: str, pairs: Iterable[int], order: Callable[[Sequence[Row]], list[Row]] = list
) -> Table:
    """A column of runs with so many pairs, one beside the other."""
    columns = {n: f"n = {n}" for n in pairs}

    def spread_out(rows: Sequence[Row]) -> list[Row]:
        return [{**row, columns[int(row["n"])]: row[column]} for row in order(rows) if row["n"] in columns]

    return Table(title, by, list(columns.values()), derived=spread_out)


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One figure of the paper, or one of ours; `seeds` runs of everything from `first_seed` on, or `quick_seeds`."""

    name: str
    what: str
    takes: str
    needs: str
    seeds: int = 5
    quick_seeds: int = 1
    first_seed: int = 0
    settings: Callable[[Request], dict[str, Any]]
    units: Callable[[Request], list[Unit]]
    measure: Callable[[Unit, Request, Sequence[Row]], list[Row]]
    claims: Callable[[Sequence[Row]], list[Claim]]
    across: Callable[[Mapping[str, Sequence[Row]]], list[Claim]] = lambda rows: []  # claims on rows of several ones
    plot: Callable[[Sequence[Row], Any], None]
    tables: Sequence[Table]
    quoted: Callable[[Sequence[Row]], Mapping[str, str]] = lambda rows: {}  # the figures that the note on it quotes
    pictures: Callable[[Request, Path], list[Path]] | None = None
    shareable: bool = True  # whether its pictures may be passed on: some show photos of others


def fingerprint(settings: Mapping[str, Any]) -> str:
    """A short name for settings: runs with others are not mixed into one table."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()[:8]


def groups(rows: Sequence[Row], by: Sequence[str]) -> dict[tuple[Value, ...], list[Row]]:
    """Rows by their values in some columns, in order of appearance."""
    found: dict[tuple[Value, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(column, "") for column in by), []).append(row)
    return found


def numbers(rows: Sequence[Row], column: str) -> list[float]:
    """The numbers in a column, leaving out rows that have none."""
    return [float(row[column]) for row in rows if isinstance(row.get(column), int | float)]


def average(rows: Sequence[Row], column: str, **where: Wanted) -> float:
    """Mean of a column over the rows that agree with `where`; nan where there is none."""
    found = numbers(agreeing(rows, where), column)
    return mean(found) if found else float("nan")


def agreeing(rows: Sequence[Row], where: Mapping[str, Wanted]) -> list[Row]:
    """The rows that have these values."""
    found = list(rows)
    for key, wanted in where.items():
        values = wanted if isinstance(wanted, tuple) else (wanted,)
        found = [row for row in found if row.get(key) in values]
    return found


def spread(values: Sequence[float], formats: tuple[str, str] = (".4g", ".3g")) -> str:
    """ "mean ± standard deviation", as the tables show it."""
    if not values:
        return "–"
    deviation = f" ± {stdev(values):{formats[1]}}" if len(values) > 1 else ""
    return f"{mean(values):{formats[0]}}{deviation}"
