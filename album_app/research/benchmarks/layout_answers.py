"""Measures what is said about a sheet: alternatives, how sure cells are, which way round it lies, partial sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Options, arrange, corner_pins
from album_app.layout.arranging.arrange import COLD_RADIUS
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.exchange import Exchanges
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.first_sheet import first_sheet
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.evaluation.insight import alternatives_at, fit_in_words
from album_app.layout.shapes.symmetries import symmetries
from album_app.research.benchmarks.goal import Goal
from album_app.research.benchmarks.layout_calm import SHAPE, fresh_seeds, looks
from album_app.research.experiments.peers import Features
from album_app.research.experiments.study import Request

CELLS_ASKED = 50
MISPLACED = 8
"""Pairs of photos that change places to see whether the least sure cells are theirs."""


def answers(request: Request) -> Iterator[Goal]:
    """How often the photo shown is the best for its cell, before and after the last mile, and what confidence tells."""
    for name, x in looks(request).items():
        first: dict[str, list[bool]] = {"polished": [], "refined": [], "rounded": []}
        spread, found, words = [], [], list[str]()
        for seed in fresh_seeds(request.seeds):
            layout = arrange(x, SHAPE, corner_pins(x, SHAPE), Options(seed=seed))
            bare = replace(arrange(x, SHAPE, layout.pins, Options(seed=seed, refine=False)), options=layout.options)
            loose = [cell for cell in map(tuple, SHAPE.cells.tolist()) if cell not in layout.pins.values()]
            asked = [loose[k] for k in np.random.default_rng(seed).choice(len(loose), CELLS_ASKED, replace=False)]
            sheets = {"polished": layout, "refined": before_the_last_mile(x, layout), "rounded": bare}
            for stage, sheet in sheets.items():
                first[stage] += [_is_first(sheet, cell) for cell in asked]
            words += [fit_in_words(fit) for cell in asked for _, fit in alternatives_at(layout, cell)[1:]]
            spread.append(np.quantile(layout.confidence, [0.1, 0.5, 0.9]))
            found.append(misplaced_found(x, layout, np.random.default_rng(seed)))
        low, middle, high = np.mean(spread, axis=0)
        shares = {stage: float(np.mean(asked)) for stage, asked in first.items()}
        yield Goal(f"by {name}: shown photos that suit their cells best of all", shares["polished"])
        yield Goal("  before the last mile", shares["refined"], most=shares["polished"])
        yield Goal("  on the bare plan, rounded", shares["rounded"], most=shares["polished"])
        said = {word: words.count(word) / len(words) for word in sorted(set(words))}
        note = ", ".join(f"{word}: {share:.2f}" for word, share in said.items())
        yield Goal("  the commonest words for seven other photos, their share", max(said.values()), most=0.7, note=note)
        yield Goal("  confidence: the lowest tenth", low, note=f"median {middle:.2f}, highest tenth {high:.2f}")
        yield Goal("  misplaced photos less sure than others", float(np.mean(found)), 0.75, note="0.5 by chance")


def _is_first(layout: Layout, cell: tuple[int, int]) -> bool:
    return alternatives_at(layout, cell, 1)[0][0] == layout.photo_in(cell)


def before_the_last_mile(x: Features, layout: Layout) -> Layout:
    """The sheet that the last mile of a fresh layout started from."""
    guide, options = layout.guide, layout.options
    assert isinstance(guide, PlanGuide) and options is not None
    arrangement = Arrangement.of(x, layout.shape, layout.pins, known=guide.space)
    cells = arrangement.free_cells
    schedule = Schedule.suiting(len(cells), COLD_RADIUS * layout.shape.reach, options.seed)
    start = first_sheet(arrangement, guide, arrangement.loose_photos, cells)
    *_, sheet = refine(Field.of(arrangement, guide, Pull.of(options.follow)), start, cells, schedule)
    return replace(layout, photo_at=sheet)


def misplaced_found(x: Features, layout: Layout, rng: np.random.Generator) -> float:
    """Photos change places at random: how often one of them is less sure than one that stayed (0.5 by chance)."""
    guide = layout.guide
    assert isinstance(guide, PlanGuide)
    arrangement = Arrangement.of(x, layout.shape, layout.pins, known=guide.space)
    cells = rng.choice(arrangement.free_cells, (2, MISPLACED), replace=False)
    sheet = layout.photo_at.copy()
    sheet[cells] = sheet[cells[::-1]]
    sure = Exchanges.of(arrangement, sheet, guide, Options().follow).confidence()
    wrong, others = sure[cells.ravel()], sure[np.setdiff1d(arrangement.free_cells, cells)]
    return float(np.mean(wrong[:, None] < others) + np.mean(wrong[:, None] == others) / 2)


def arriving(request: Request) -> Iterator[Goal]:
    """Photos arrive, those still to come count as the mean of the others: does a sheet lie like the one before?"""
    turned = []
    for x in looks(request).values():
        for seed in fresh_seeds(request.seeds):
            order = np.random.default_rng(seed).permutation(len(x))
            parts = [order[: len(x) * third // 3] for third in (1, 2, 3)]
            layout = _as_far_as_known(x, parts[0], None)
            for before, known in pairwise(parts):
                after = _as_far_as_known(x, known, layout)
                turned.append(way_round(layout, after, before.tolist()) != 0)
                layout = after
    yield Goal("sheets that mirror or turn while photos arrive", float(np.mean(turned)), most=0.0)


def _as_far_as_known(x: Features, known: NDArray[np.int64], before: Layout | None) -> Layout:
    here = np.isin(np.arange(len(x)), known)[:, None]
    return arrange(np.where(here, x, x[known].mean(axis=0)), SHAPE, warm=before)


def proposals(request: Request) -> Iterator[Goal]:
    """Corners are proposed for a sheet without pins, lying any way round, and taken: does it turn?"""
    turned, apart = [], []
    for x in looks(request).values():
        for seed in fresh_seeds(request.seeds):
            sheet = arrange(x, SHAPE, options=Options(seed=seed))
            way = symmetries(SHAPE)[seed % 4]
            assert isinstance(sheet.guide, PlanGuide)
            lying = replace(sheet, photo_at=sheet.photo_at[way.before], guide=sheet.guide.turned(way))
            pins, afresh = corner_pins(x, SHAPE, lying=lying), corner_pins(x, SHAPE)
            after = arrange(x, SHAPE, pins, Options(seed=seed), warm=lying)
            turned.append(way_round(lying, after, lying.shown) != 0)
            apart.append(_least_apart(x[list(pins)]) / _least_apart(x[list(afresh)]))
    yield Goal("sheets that mirror or turn when proposed corners are taken", float(np.mean(turned)), most=0.0)
    yield Goal("  how far apart the nearest two are, by those for no sheet", float(np.mean(apart)))


def _least_apart(x: Features) -> float:
    return min(float(np.linalg.norm(x[i] - x[j])) for i in range(len(x)) for j in range(i))


def way_round(before: Layout, after: Layout, photos: Sequence[int]) -> int:
    """In which of the ways to mirror or turn the sheet after photos lie most like before; 0 = as it is."""
    extent = np.array([before.shape.rows - 1, before.shape.columns - 1])
    places = np.array([before.positions[photo] for photo in photos])
    away = []
    for way in symmetries(after.shape):
        turned = replace(after, photo_at=after.photo_at[way.before])
        away.append(np.abs((places - [turned.positions[photo] for photo in photos]) / extent).mean())
    return int(np.argmin(away))
