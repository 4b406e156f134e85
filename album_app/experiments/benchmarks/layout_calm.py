"""What a change leaves of a sheet: pins set, moved and taken away, photos left out and added, beside a fresh sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from album_app.experiments.albums import colour_material
from album_app.experiments.benchmarks.goal import Goal
from album_app.experiments.peers import Features
from album_app.experiments.study import Request
from album_app.layout import Layout, Options, Pins, arrange, corner_pins, layout_scores, rectangle
from album_app.layout.insight import alternatives_at, fit_in_words
from album_app.layout.scores import mean_neighbour_distance
from album_app.layout.shapes.symmetries import symmetries

SHAPE = rectangle(16, 20)
CELLS_ASKED = 50
EDITS = 20
FIRST_SEED = 100
"""Settings were chosen with smaller ones, on pieces cut from the photos of the albums reported on."""


def fresh_seeds(count: int) -> range:
    """The seeds that figures are reported with."""
    return range(FIRST_SEED, FIRST_SEED + count)


@dataclass(frozen=True)
class Change:
    """Pins and photos before and after."""

    pins: Pins
    after: Pins
    photos: Sequence[int] | None = None
    photos_after: Sequence[int] | None = None


Changing = Callable[[Pins, Layout, np.random.Generator], Change]
"""From pins and a sheet with them to a change."""


def _loose(layout: Layout, rng: np.random.Generator) -> int:
    return int(rng.choice([photo for photo in layout.shown if photo not in layout.pins]))


def _where_it_lies(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = _loose(layout, rng)
    return Change(pins, pins.pin(photo, layout.positions[photo]))


def _by_three_cells(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = int(rng.choice(list(pins)))
    row, column = pins[photo]
    return Change(pins, pins.pin(photo, (row + 3 if row < layout.shape.rows / 2 else row - 3, column)))


def _far_away(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = _loose(layout, rng)
    row, column = layout.positions[photo]
    away = (
        (row + layout.shape.rows // 2) % layout.shape.rows,
        (column + layout.shape.columns // 2) % layout.shape.columns,
    )
    return Change(pins, pins.pin(photo, layout.shape.nearest_free(away, list(pins.values())) or away))


def _taken_away(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    return Change(pins, pins.unpin(int(rng.choice(list(pins)))))


def _left_out(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = _loose(layout, rng)
    return Change(pins, pins, None, [other for other in layout.shown if other != photo])


def _ten_added(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    few = sorted(rng.permutation([photo for photo in layout.shown if photo not in pins])[10:].tolist() + list(pins))
    return Change(pins, pins, few)


@dataclass(frozen=True)
class Wanted:
    """What a change should leave: photos in their cells, within three cells, and how far DPQ16 may fall behind."""

    same: float
    near: float | None = None
    behind: float = 0.003


CHANGES: Mapping[str, tuple[Changing, Wanted]] = {
    "a pin where its photo lies": (_where_it_lies, Wanted(1.0)),
    "a pin moved by three cells": (_by_three_cells, Wanted(0.9)),
    "a far new pin": (_far_away, Wanted(0.44, 0.79, 0.004)),
    "a pin taken away": (_taken_away, Wanted(0.9)),
    "a photo left out": (_left_out, Wanted(0.9)),
    "ten photos added": (_ten_added, Wanted(0.9)),
}
"""What is changed, and what that should leave."""


@dataclass
class _Found:
    """Of one kind of change: entries of all albums and seeds."""

    same: list[float] = field(default_factory=list)
    near: list[float] = field(default_factory=list)
    scores: list[dict[str, float]] = field(default_factory=list)
    fresh: list[dict[str, float]] = field(default_factory=list)

    def behind(self, name: str) -> float:
        """How far a score lies below that of a fresh sheet, on average."""
        return float(np.mean([a[name] - b[name] for a, b in zip(self.fresh, self.scores, strict=True)]))


def calm(seeds: int) -> Iterator[Goal]:
    """Every change on the sample album by colour and by meaning, corners pinned."""
    for name, (change, wanted) in CHANGES.items():
        found = _Found()
        for x in _albums():
            for seed in fresh_seeds(seeds):
                _measure(found, x, change, seed)
        yield Goal(f"{name}: photos that keep their cells", float(np.mean(found.same)), wanted.same)
        yield Goal("  at most three cells away", float(np.mean(found.near)), wanted.near)
        yield Goal("  DPQ16 below a fresh sheet's", found.behind("dpq16"), most=wanted.behind)
        yield Goal("  pin pull below a fresh sheet's", found.behind("pin_pull"), most=0.02)


def _albums() -> list[Features]:
    return [colour_material(Request(1), features).features for features in ("rgb", "semantic")]


def _measure(found: _Found, x: Features, changing: Changing, seed: int) -> None:
    options, pins = Options(seed=seed), corner_pins(x, SHAPE)
    change = changing(pins, arrange(x, SHAPE, pins, options), np.random.default_rng(seed))
    before = arrange(x, SHAPE, change.pins, options, active=change.photos)
    after = arrange(x, SHAPE, change.after, options, active=change.photos_after, warm=before)
    fresh = arrange(x, SHAPE, change.after, options, active=change.photos_after)
    kept = [photo for photo in before.shown if photo in after.positions and photo not in change.after]
    steps = np.linalg.norm([np.subtract(before.positions[p], after.positions[p]) for p in kept], axis=1)
    found.same.append(float(np.mean(steps == 0)))
    found.near.append(float(np.mean(steps <= 3)))
    found.scores.append(layout_scores(after, x))
    found.fresh.append(layout_scores(fresh, x))


def drift(seeds: int) -> Iterator[Goal]:
    """Twenty calm edits in a row: pins set anywhere, taken away again, and photos left out."""
    found = _Found()
    for x in _albums():
        for seed in fresh_seeds(seeds):
            options, rng = Options(seed=seed), np.random.default_rng(seed)
            pins, active = corner_pins(x, SHAPE), list(range(len(x)))
            layout = arrange(x, SHAPE, pins, options)
            for edit in range(EDITS):
                photo, cell = _loose(layout, rng), SHAPE.cell(int(rng.integers(SHAPE.count)))
                if edit % 3 == 0 and cell not in pins.values():
                    pins = pins.pin(photo, cell)
                elif edit % 3 == 1:
                    active.remove(photo)
                else:
                    pins = Pins(dict(list(pins.items())[:4]))
                layout = arrange(x, SHAPE, pins, options, active=active, warm=layout)
            found.scores.append(layout_scores(layout, x))
            found.fresh.append(layout_scores(arrange(x, SHAPE, pins, options, active=active), x))
    yield Goal(f"{EDITS} edits in a row: DPQ16 below a fresh sheet's", found.behind("dpq16"), most=0.01)
    yield Goal("  pin pull below a fresh sheet's", found.behind("pin_pull"), most=0.02)


def slider(seeds: int) -> Iterator[Goal]:
    """The slider between smooth and follow goes to both ends and back."""
    same: list[float] = []
    rough: dict[float, list[float]] = {0.0: [], 0.5: [], 1.0: []}
    for x in _albums():
        pins = corner_pins(x, SHAPE)
        for seed in fresh_seeds(seeds):
            layout = start = arrange(x, SHAPE, pins, Options(seed=seed))
            for follow in (0.0, 1.0, 0.5):
                layout = arrange(x, SHAPE, pins, Options(seed=seed, follow=follow), warm=layout)
                rough[follow].append(mean_neighbour_distance(x, layout))
            same.append(float(np.mean(layout.photo_at == start.photo_at)))
    yield Goal("the slider comes back: photos in the same cells", float(np.mean(same)), 1.0)
    for follow, other in ((0.5, 0.0), (1.0, 0.5)):
        text = f"  N24 at {other:g} by that at {follow:g}"
        yield Goal(text, float(np.mean(rough[other]) / np.mean(rough[follow])), most=1.0)


def answers(seeds: int) -> Iterator[Goal]:
    """How often the photo shown is the best for its cell, and how confidence varies."""
    for name in ("rgb", "semantic"):
        x = colour_material(Request(1), name).features
        polished: list[bool] = []
        bare: list[bool] = []
        spread = []
        words: list[str] = []
        for seed in fresh_seeds(seeds):
            layout = arrange(x, SHAPE, corner_pins(x, SHAPE), Options(seed=seed))
            rough = arrange(x, SHAPE, layout.pins, Options(seed=seed, refine=False))
            loose = [cell for cell in map(tuple, SHAPE.cells.tolist()) if cell not in layout.pins.values()]
            asked = [loose[k] for k in np.random.default_rng(seed).choice(len(loose), CELLS_ASKED, replace=False)]
            polished += [_is_first(layout, cell) for cell in asked]
            bare += [_is_first(replace(rough, options=layout.options), cell) for cell in asked]
            words += [fit_in_words(fit) for cell in asked for _, fit in alternatives_at(layout, cell)[1:]]
            spread.append(np.quantile(layout.confidence, [0.1, 0.5, 0.9]))
        low, middle, high = np.mean(spread, axis=0)
        yield Goal(f"by {name}: shown photos that suit their cells best of all", float(np.mean(polished)))
        yield Goal("  on the bare plan, rounded", float(np.mean(bare)))
        said = {word: words.count(word) / len(words) for word in sorted(set(words))}
        note = ", ".join(f"{word}: {share:.2f}" for word, share in said.items())
        yield Goal("  the commonest words for seven other photos, their share", max(said.values()), most=0.7, note=note)
        yield Goal("  confidence: the lowest tenth", low, note=f"median {middle:.2f}, highest tenth {high:.2f}")


def _is_first(layout: Layout, cell: tuple[int, int]) -> bool:
    return alternatives_at(layout, cell, 1)[0][0] == layout.photo_in(cell)


def arriving(seeds: int) -> Iterator[Goal]:
    """Photos arrive, those still to come count as the mean of the others: does a sheet lie like the one before?"""
    turned = []
    for x in _albums():
        for seed in fresh_seeds(seeds):
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


def way_round(before: Layout, after: Layout, photos: Sequence[int]) -> int:
    """In which of the ways to mirror or turn the sheet after photos lie most like before; 0 = as it is."""
    extent = np.array([before.shape.rows - 1, before.shape.columns - 1])
    places = np.array([before.positions[photo] for photo in photos])
    away = []
    for way in symmetries(after.shape):
        turned = replace(after, photo_at=after.photo_at[way.before])
        away.append(np.abs((places - [turned.positions[photo] for photo in photos]) / extent).mean())
    return int(np.argmin(away))
