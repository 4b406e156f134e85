"""Whether one method is better than another by more than its runs scatter: yes, no, or a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from album_app.research.experiments.study import Row, agreeing, average

LEVEL = 0.005
"""Differences that chance alone would bring as often as this are ties. About sixty tests stand behind the statements of
the paper; at this level less than one of them is expected to say yes or no by accident (0.3; at 5 % it would be 3)."""


@dataclass(frozen=True)
class Verdict:
    """How much better (above 0), how often chance would bring as much, and what follows."""

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
    """The paired t-test, two-sided, of what is gained in each run."""
    gain = fmean(gains) if gains else 0.0
    if len(gains) < 2:
        return Verdict(gain, 1.0)
    return Verdict(gain, _two_sided(gain, stdev(gains) / sqrt(len(gains)), len(gains) - 1))


def beside_a_mean(values: Sequence[float], gain: float, runs: int) -> Verdict:
    """A gain over a mean of so many runs of which nothing else is known: they are taken to scatter like ours."""
    if len(values) < 2:
        return Verdict(gain, 1.0)
    return Verdict(gain, _two_sided(gain, stdev(values) * sqrt(1 / len(values) + 1 / runs), len(values) - 1))


def of_one_run(gain: float, like: Sequence[float]) -> Verdict:
    """A single run, taken to scatter like others."""
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
    """Whether ours is lower in a column than a peer, each seed's mean beside the same seed's mean."""
    seeds = sorted({int(row["seed"]) for row in rows})
    theirs, own = agreeing(rows, {by: peer}), agreeing(rows, {by: ours})
    gains = [average(theirs, column, seed=seed) - average(own, column, seed=seed) for seed in seeds]
    return paired([gain for gain in gains if gain == gain])


def best_of(verdicts: Sequence[Verdict]) -> bool | None:
    """Better than all of them, worse than one of them, or neither for sure."""
    held = [verdict.holds for verdict in verdicts]
    return True if all(held) else False if False in held else None
