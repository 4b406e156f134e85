"""What the plots of several experiments share: curves and bars of means that show their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from album_app.own_files import SHEET, SOFTWARE
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write
from album_app.research.experiments.study import Row, agreeing, numbers

FEWEST_FOR_A_BAND = 3
"""Fewer runs have no spread to speak of: each is drawn as a point."""


def curve(axes: Any, rows: Sequence[Row], column: str, along: str, label: str, **style: Any) -> None:
    """The means of a column over the numbers in another, in a band of one standard deviation; few runs as points."""
    places = sorted({float(row[along]) for row in rows if numbers([row], column)})
    values = [numbers(agreeing(rows, {along: place}), column) for place in places]
    means, spreads = [fmean(each) for each in values], [deviation(each) for each in values]
    (line,) = axes.plot(places, means, marker="o", markersize=4, label=label, **style)
    if max(map(len, values), default=0) < FEWEST_FOR_A_BAND:
        for place, each in zip(places, values, strict=True):
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
    """The standard deviation, 0 where there is but one value."""
    return stdev(values) if len(values) > 1 else 0.0
