"""The parts of experiments: runs that can be repeated one by one, their tables, plots, claims and verdicts.

A verdict says whether one method is better than another by more than its runs scatter: yes, no, or a tie. Plots show
means with their spread, as curves or as bars.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, mean, stdev
from typing import Any

from album_app.own_files import SHEET, SOFTWARE
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write

Value = float | int | str
Wanted = Value | tuple[Value, ...]
"""A value that rows must have, or a choice of values."""
Row = dict[str, Value]
Unit = dict[str, Value]
"""The parameters of one run, its seed among them; finished units are not run again."""
UNSEEN = 11
"""The first seed of experiments that judge model selection.

Its basis, folds, rank test and candidates for epsilon were chosen when the results of earlier seeds were known.
"""


@dataclass(frozen=True)
class Request:
    """The scale of an experiment, and the data that the user gave."""

    seeds: int
    quick: bool = False
    data: Mapping[str, Path] = field(default_factory=dict)
    first_seed: int = 0
    force: bool = False  # replace files that the program did not write
    albums: tuple[Path, ...] = ()  # folders of photos, each named as the rows on it are

    @property
    def replacing(self) -> Replacing:
        """Which files the results may replace: none of the given data."""
        given = (*self.data.values(), *self.albums)
        return Replacing(self.force, given, given)

    def seed_units(self, **fixed: Iterable[Value]) -> list[Unit]:
        """Every combination of the given values, for every seed, the seeds outermost."""
        units = [dict(zip(fixed, values, strict=True)) for values in product(*fixed.values())]
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        return [{**unit, "seed": seed} for seed in seeds for unit in units]


def listed(words: Sequence[str]) -> str:
    """ "a, b and c", or "none"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "none"


def sorted_out(cases: Mapping[str, bool | None], yes: str, tie: str, no: str) -> str:
    """Cases grouped by their verdicts with the given words, such as "nearer on a and b, a tie on c"."""
    parts = [
        (lead, [name for name, holds in cases.items() if holds is each])
        for each, lead in ((True, yes), (None, tie), (False, no))
    ]
    return ", ".join(f"{lead} {listed(names)}" for lead, names in parts if names)


def word(holds: bool | None) -> str:
    """Yes, no or tie."""
    return {True: "yes", False: "no", None: "tie"}[holds]


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper or of ours about a case, what was measured, and whether the sentence holds (None: a tie).

    >>> Claim("it settles", "at iteration 4", True, case="default settings", scope="n = 50").text
    'default settings, n = 50: it settles'
    """

    sentence: str
    measured: str
    holds: bool | None
    statement: str = ""  # the paper's statement that it bears on, by its name in `reproduction.STATEMENTS`
    case: str = field(default="", kw_only=True)  # the data or the settings that it is about
    scope: str = field(default="", kw_only=True)  # the numbers of samples that it is about
    peer: str = field(default="", kw_only=True)  # the method that ours is compared with
    few: int = field(default=0, kw_only=True)  # the number of runs where they are too few to judge by, else 0

    @property
    def where(self) -> str:
        """The case with its scope; claims without a case are about their whole experiment."""
        return ", ".join(filter(None, [self.case, self.scope]))

    @property
    def text(self) -> str:
        """The claim as one sentence for a table."""
        return ": ".join(filter(None, [self.where, self.sentence]))

    @property
    def verdict(self) -> str:
        """Yes, no or tie, or that there are too few runs for any of these."""
        return f"too few runs to tell ({self.few})" if self.few else word(self.holds)


@dataclass(frozen=True)
class Table:
    """A table of means and spreads of `columns`, grouped by the columns `by`.

    It uses the rows that `derived` makes of the runs and that agree with `where`.
    """

    title: str
    by: Sequence[str]
    columns: Sequence[str]
    where: Mapping[str, Wanted] = field(default_factory=dict)
    derived: Callable[[Sequence[Row]], Sequence[Row]] = list

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """The rows of the table before they are grouped."""
        return agreeing(self.derived(rows), self.where)


def side_by_side(
    title: str, by: Sequence[str], column: str, pairs: Iterable[int], order: Callable[[Sequence[Row]], list[Row]] = list
) -> Table:
    """A table of one column of the runs, with a column of its own for each number of pairs."""
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
    """A short hash of settings, which keeps runs with different settings apart."""
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


LEVEL = 0.005
"""Differences with a larger p-value are ties.

About seventy tests are behind the statements of the paper. At this level 0.35 of them are expected to say yes or no by
chance alone; at 5 % it would be 3.5.
"""


@dataclass(frozen=True)
class Verdict:
    """A gain (above 0: better), its p-value, and what follows."""

    gain: float
    p_value: float

    @property
    def holds(self) -> bool | None:
        """True for better, False for worse, None for a tie."""
        return None if self.p_value > LEVEL else self.gain > 0.0

    def __str__(self) -> str:
        return f"{self.gain:+.3g}, {p_text(self.p_value)}"


def p_text(p_value: float) -> str:
    """ "p = 0.03", or a bound where it is very small."""
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"


def paired(gains: Sequence[float]) -> Verdict:
    """The verdict of a two-sided paired t-test on the gains of all runs."""
    gain = fmean(gains) if gains else 0.0
    if len(gains) < 2:
        return Verdict(gain, 1.0)
    return Verdict(gain, _two_sided(gain, stdev(gains) / sqrt(len(gains)), len(gains) - 1))


def against_a_mean(values: Sequence[float], gain: float, runs: int) -> Verdict:
    """The verdict on a gain over the mean of `runs` runs of others, which are assumed to scatter as much as ours."""
    if len(values) < 2:
        return Verdict(gain, 1.0)
    return Verdict(gain, _two_sided(gain, stdev(values) * sqrt(1 / len(values) + 1 / runs), len(values) - 1))


def of_one_run(gain: float, like: Sequence[float]) -> Verdict:
    """The verdict on a single run, which is assumed to scatter like others."""
    return Verdict(gain, _two_sided(gain, stdev(like), len(like) - 1) if len(like) > 1 else 1.0)


def _two_sided(gain: float, error: float, degrees: int) -> float:
    from scipy.stats import t

    if error == 0.0:
        return 1.0 if gain == 0.0 else 0.0
    return float(2.0 * t.sf(abs(gain) / error, degrees))


def above(rows: Sequence[Row], column: str, bound: float) -> Verdict:
    """Whether a column lies above a bound, by the mean of each seed: runs of one seed are not independent."""
    seeds = sorted({int(row["seed"]) for row in rows})
    return paired([average(rows, column, seed=seed) - bound for seed in seeds])


def below(rows: Sequence[Row], column: str, bound: float) -> Verdict:
    """Whether a column lies below a bound."""
    verdict = above(rows, column, bound)
    return Verdict(-verdict.gain, verdict.p_value)


def lower_by_seed(rows: Sequence[Row], column: str, ours: str, peer: str, by: str = "method") -> Verdict:
    """Whether ours is lower in a column than a peer, comparing the means of both seed by seed."""
    seeds = sorted({int(row["seed"]) for row in rows})
    theirs, own = agreeing(rows, {by: peer}), agreeing(rows, {by: ours})
    gains = [average(theirs, column, seed=seed) - average(own, column, seed=seed) for seed in seeds]
    return paired([gain for gain in gains if gain == gain])


def best_of(verdicts: Sequence[Verdict]) -> bool | None:
    """True if better than all, False if worse than one, None otherwise."""
    held = [verdict.holds for verdict in verdicts]
    return True if all(held) else False if False in held else None


FEWEST_TO_JUDGE = 2
"""One run alone cannot separate a difference from chance, so it decides no claim."""

FEWEST_FOR_A_BAND = 3
"""Runs that a band of standard deviation needs; fewer runs are drawn as points."""


def curve(axes: Any, rows: Sequence[Row], column: str, along: str, label: str, **style: Any) -> None:
    """The means of a column over the numbers in another, in a band of one standard deviation; few runs as points."""
    places = sorted({float(row[along]) for row in rows if numbers([row], column)})
    values = [numbers(agreeing(rows, {along: place}), column) for place in places]
    means, spreads = [fmean(each) for each in values], [deviation(each) for each in values]
    (line,) = axes.plot(places, means, label=label, **{"marker": "o", "markersize": 4, **style})
    if max(map(len, values), default=0) < FEWEST_FOR_A_BAND:
        for place, each in zip(places, values, strict=True):
            if len(each) > 1:  # a single run is its own mean, whose marker says which method it is of
                axes.plot([place] * len(each), each, ".", color=line.get_color(), alpha=0.5)
        return
    lows, highs = ([mean + sign * by for mean, by in zip(means, spreads, strict=True)] for sign in (-1, 1))
    axes.fill_between(places, lows, highs, color=line.get_color(), alpha=0.15, linewidth=0)


def save_figure(figure: Any, path: Path, replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Write a plot as a PNG with the program's mark."""
    with atomic_write(path, SHEET, replacing) as temporary:
        figure.savefig(temporary, dpi=110, metadata={"Software": SOFTWARE})


def bars(axes: Any, rows: Sequence[Row], column: str, groups: Mapping[str, Sequence[str]]) -> None:
    """Means of a column with their standard deviations: `groups` are the values of two columns, x-axis and legend."""
    (outer, names), (inner, kinds) = groups.items()
    width = 0.8 / len(kinds)
    for place, kind in enumerate(kinds):
        values = [numbers(agreeing(rows, {outer: name, inner: kind}), column) for name in names]
        at = [k + (place - (len(kinds) - 1) / 2) * width for k in range(len(names))]
        heights, errors = [fmean(each) if each else 0.0 for each in values], [deviation(each) for each in values]
        axes.bar(at, heights, 0.95 * width, yerr=errors, capsize=2, label=kind)
    axes.set_xticks(range(len(names)), names)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation; 0 for a single value."""
    return stdev(values) if len(values) > 1 else 0.0
