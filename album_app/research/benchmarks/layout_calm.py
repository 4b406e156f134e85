"""How much of a sheet a change leaves in place, and how good the sheet is then compared with a fresh one.

Pins are set, moved and removed; photos are left out and added.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from album_app.layout import (
    Cell,
    Layout,
    Options,
    Pins,
    Shape,
    ShapeSpec,
    arrange,
    build_shape,
    corner_pins,
    layout_scores,
    rectangle,
)
from album_app.layout.evaluation.scores import dpq, mean_neighbour_distance
from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.research.benchmarks import Goal
from album_app.research.experiments.albums import colour_material
from album_app.research.experiments.peers import Features
from album_app.research.experiments.study import Request

SHAPE = rectangle(16, 20)
EDITS = 20
"""Edits that are made one after the other."""
TRIP = (0.0, 0.25, 1.0, 0.75, 0.5)
"""The values that the slider takes in turn; it starts and ends in the middle."""
FIRST_SEED = 100
"""Settings were chosen with smaller seeds, on other photos and on pieces cut from the photos that are reported."""


def fresh_seeds(count: int) -> range:
    """The seeds that figures are reported with."""
    return range(FIRST_SEED, FIRST_SEED + count)


@dataclass(frozen=True)
class Change:
    """Pins and photos before a change and after it; None stands for all photos."""

    pins: Pins
    after: Pins
    photos: Sequence[int] | None = None
    photos_after: Sequence[int] | None = None
    rows_before: int = 0  # of the sheet, where it has fewer rows before; 0: as many as after


Changing = Callable[[Pins, Layout, np.random.Generator], Change]
"""Makes a change from pins, a sheet with these pins, and a random generator."""


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


def _three_far_away(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    """No photo goes where another of the three lies: photos that exchange their cells attract no similar ones."""
    after = pins
    while len(after) < len(pins) + 3:
        further = _far_away(after, replace(layout, pins=after), rng).after
        displaced = {layout.photo_in(cell) for photo, cell in further.items() if photo not in pins}
        if displaced.isdisjoint(further.keys() - pins.keys()):
            after = further
    return Change(pins, after)


def _neighbours_swapped(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    loose = {layout.positions[photo]: photo for photo in layout.shown if photo not in pins}
    pairs = [((row, column), (row, column + 1)) for row, column in loose if (row, column + 1) in loose]
    here, there = pairs[int(rng.integers(len(pairs)))]
    return Change(pins, Pins({**pins, loose[here]: there, loose[there]: here}))


def _distant_swapped(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = _loose(layout, rng)
    here = layout.positions[photo]
    others = [other for other in layout.shown if other not in pins]
    far = max(rng.choice(others, min(8, len(others)), replace=False).tolist(), key=lambda p: _steps(layout, here, p))
    return Change(pins, Pins({**pins, photo: layout.positions[far], far: here}))


def _steps(layout: Layout, cell: Cell, photo: int) -> float:
    return float(np.linalg.norm(np.subtract(layout.positions[photo], cell)))


def _taken_away(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    return Change(pins, pins.unpin(int(rng.choice(list(pins)))))


def _left_out(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    photo = _loose(layout, rng)
    return Change(pins, pins, None, [other for other in layout.shown if other != photo])


def _ten_added(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    few = sorted(rng.permutation([photo for photo in layout.shown if photo not in pins])[10:].tolist() + list(pins))
    return Change(pins, pins, few)


def _ten_left_out(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    return Change(pins, pins, None, _ten_added(pins, layout, rng).photos)


def _row_added(pins: Pins, layout: Layout, rng: np.random.Generator) -> Change:
    columns, last = layout.shape.columns, layout.shape.rows - 2
    few = rng.permutation([photo for photo in layout.shown if photo not in pins])[columns:].tolist()
    higher = Pins({photo: (min(row, last), column) for photo, (row, column) in pins.items()})
    return Change(higher, higher, sorted([*few, *pins]), rows_before=layout.shape.rows - 1)


@dataclass(frozen=True)
class Wanted:
    """Goals for a change; None is no goal."""

    same: float | None  # the least mean share of photos that keep their cells
    worst: float | None = None  # the least share of any album and seed
    behind: float | None = 0.003  # how far DPQ16 may lie below that of a fresh sheet
    pull_behind: float | None = 0.02  # how far the pin pull may lie below that of a fresh sheet


Changes = Mapping[str, tuple[Changing, Wanted]]

CHANGES: Changes = {
    "a pin where its photo lies": (_where_it_lies, Wanted(1.0, pull_behind=None)),
    "two neighbours change places": (_neighbours_swapped, Wanted(0.97, behind=None, pull_behind=None)),
    "two distant photos change places": (_distant_swapped, Wanted(0.93, behind=None, pull_behind=None)),
    "a pin moved by three cells": (_by_three_cells, Wanted(0.92, 0.88)),
    "a far new pin": (_far_away, Wanted(0.7, behind=None)),
    "three far new pins": (_three_far_away, Wanted(None, behind=None)),
    "a pin taken away": (_taken_away, Wanted(0.9)),
    "a photo left out": (_left_out, Wanted(0.95, behind=None)),
    "ten photos left out": (_ten_left_out, Wanted(None, behind=None)),
    "ten photos added": (_ten_added, Wanted(0.95, behind=None)),
    "a row of photos added": (_row_added, Wanted(None, behind=None)),
}
"""The changes with their goals. There is no goal for the pull where photos must stay: they cannot follow a pin."""


@dataclass
class _Found:
    """What was measured of one kind of change, with an entry for each album and seed."""

    kept: list[tuple[float, float, float]] = field(default_factory=list)  # in the same cell, within 1 and within 3
    scores: list[dict[str, float]] = field(default_factory=list)
    fresh: list[dict[str, float]] = field(default_factory=list)
    seconds: list[tuple[float, float]] = field(default_factory=list)  # of the processor: the change, a fresh sheet

    first: list[float] = field(default_factory=list)  # seconds of the processor until a sheet is shown

    def behind(self, name: str) -> float:
        """How far a score lies below that of a fresh sheet on average."""
        return float(np.mean([a[name] - b[name] for a, b in zip(self.fresh, self.scores, strict=True)]))


def calm(request: Request, *, shape: Shape = SHAPE) -> Iterator[Goal]:
    """Every change on an album by colour and by meaning, corners pinned."""
    return _every_change(request, looks(request), shape, CHANGES, small=True)


def calm_large(request: Request, *, changes: Changes = CHANGES, shape: Shape = SHAPE) -> Iterator[Goal]:
    """The changes on all photos of an album, if it has more photos than `shape` has cells."""
    found = all_photos(request)
    if len(found) <= shape.count:
        return iter(())
    return _every_change(request, {"semantic": found}, build_shape(ShapeSpec(), len(found)), changes, small=False)


def _every_change(
    request: Request, features: Mapping[str, Features], shape: Shape, changes: Changes, small: bool
) -> Iterator[Goal]:
    for name, (change, wanted) in changes.items():
        found = _Found()
        for x in features.values():
            for seed in fresh_seeds(request.seeds):
                _measure(found, x, change, seed, shape)
        same, near, nearly = np.mean(found.kept, axis=0)
        title = name if small else f"{len(next(iter(features.values()))):,} photos, {name}"
        yield Goal(f"{title}: photos that keep their cells", float(same), wanted.same)
        worst = min(kept[0] for kept in found.kept)
        yield Goal("  the worst case", worst, wanted.worst, note=f"within 1 cell {near:.3f}, within 3 {nearly:.3f}")
        note = ", ".join(f"{title} {-found.behind(key):+.4f}" for title, key in (("DPQ16t", "dpq16t"), ("N24", "n24")))
        yield Goal("  DPQ16 below a fresh sheet's", found.behind("dpq16"), most=wanted.behind, note=note)
        yield Goal("  pin pull below a fresh sheet's", found.behind("pin_pull"), most=wanted.pull_behind)
        calm_seconds, fresh_seconds = np.median(found.seconds, axis=0)
        note = f"afresh {fresh_seconds:.3f}, first answer {np.median(found.first):.3f}"
        yield Goal("  seconds of the processor (median)", float(calm_seconds), most=None if small else 1.0, note=note)


def looks(request: Request) -> dict[str, Features]:
    """The features of an album by colour and by meaning."""
    return {name: colour_material(request, name).features for name in ("rgb", "semantic")}


def all_photos(request: Request) -> Features:
    """The features by meaning of all photos of the given folder, or of the sample album; zeros for a small album."""
    from album_app.photos.album_features import album_features
    from album_app.sample.sample_album import sample_folder

    album = scan(request.data.get("photos") or sample_folder())
    if len(album) <= SHAPE.count:
        return np.zeros((len(album), 1), np.float32)
    with Cache.open() as kept:
        return album_features(album.photos, "semantic", kept)


def _measure(found: _Found, x: Features, changing: Changing, seed: int, whole: Shape) -> None:
    options, pins, first = Options(seed=seed), corner_pins(x, whole), list[float]()
    change = changing(pins, arrange(x, whole, pins, options), np.random.default_rng(seed))
    shape = rectangle(change.rows_before, whole.columns) if change.rows_before else whole
    before = arrange(x, shape, change.pins, options, active=change.photos)
    times = [time.process_time()]

    def on_step(layout: Layout) -> None:
        first.append(time.process_time() - times[0])

    after = arrange(x, whole, change.after, options, active=change.photos_after, warm=before, on_step=on_step)
    times.append(time.process_time())
    fresh = arrange(x, whole, change.after, options, active=change.photos_after)
    times.append(time.process_time())
    found.seconds.append((times[1] - times[0], times[2] - times[1]))
    found.first.append(first[0] if first else times[1] - times[0])
    found.kept.append(kept_cells(before, after))
    found.scores.append(all_scores(after, x))
    found.fresh.append(all_scores(fresh, x))


def kept_cells(before: Layout, after: Layout) -> tuple[float, float, float]:
    """The shares of photos in the same cell, at most one cell away in each direction, and at most three cells away.

    Pins that were set or moved in between do not count.
    """
    moved = {photo for photo, cell in after.pins.items() if before.positions.get(photo) != cell}
    kept = [photo for photo in before.shown if photo in after.positions and photo not in moved]
    steps = np.abs([np.subtract(before.positions[p], after.positions[p]) for p in kept])
    nearly = np.linalg.norm(steps, axis=1) <= 3
    return float(np.mean(steps.max(axis=1) == 0)), float(np.mean(steps.max(axis=1) <= 1)), float(np.mean(nearly))


def all_scores(layout: Layout, x: Features) -> dict[str, float]:
    """The usual scores, DPQ16t and N24."""
    filled = np.flatnonzero(layout.photo_at >= 0)
    tied = dpq(x[layout.photo_at[filled]], layout.shape.places[filled], ties_averaged=True)
    return {**layout_scores(layout, x), "dpq16t": tied, "n24": mean_neighbour_distance(x, layout)}


def drift(request: Request, *, shape: Shape = SHAPE) -> Iterator[Goal]:
    """Twenty edits in a row: how much each leaves in place, and how the last sheet compares with a fresh one."""
    found, kept = _Found(), dict[str, list[tuple[float, float, float]]]()
    for x in looks(request).values():
        for seed in fresh_seeds(request.seeds):
            _edit_in_a_row(found, kept, x, seed, shape)
    everything = [entry for entries in kept.values() for entry in entries]
    same, near, nearly = np.mean(everything, axis=0)
    note = f"within 1 cell {near:.3f}, within 3 {nearly:.3f}"
    yield Goal(f"{EDITS} edits in a row: photos that keep their cells at each", float(same), 0.85, note=note)
    for name, entries in kept.items():
        same, near, nearly = np.mean(entries, axis=0)
        worst = min(entry[0] for entry in entries)
        note = f"worst {worst:.3f}, within 1 cell {near:.3f}, within 3 {nearly:.3f}"
        yield Goal(f"  {name}", float(same), 0.6 if name == "a far new pin" else None, note=note)
    note = ", ".join(f"{title} {-found.behind(key):+.4f}" for title, key in (("DPQ16t", "dpq16t"), ("N24", "n24")))
    yield Goal("  DPQ16 below a fresh sheet's, at the end", found.behind("dpq16"), most=0.01, note=note)
    yield Goal("  pull of the dragged pins below a fresh sheet's", found.behind("pin_pull"), most=0.02)


IN_A_ROW = (
    "a pin moved by three cells",
    "two distant photos change places",
    "a far new pin",
    "a photo left out",
    "two neighbours change places",
    "a far new pin",
    "three photos added",
    "a pin moved by three cells",
    "a pin taken away",
    "a far new pin",
)
"""The edits in their order, which begins again until there are `EDITS` of them."""


def _edit_in_a_row(
    found: _Found, kept: dict[str, list[tuple[float, float, float]]], x: Features, seed: int, shape: Shape
) -> None:
    options, rng, pins = Options(seed=seed), np.random.default_rng(seed), corner_pins(x, shape)
    later = rng.permutation([photo for photo in range(len(x)) if photo not in pins])[:6].tolist()
    active, dragged = [photo for photo in range(len(x)) if photo not in later], set[int]()
    layout = arrange(x, shape, pins, options, active=active)
    for edit in range(EDITS):
        name = IN_A_ROW[edit % len(IN_A_ROW)]
        if name == "three photos added":
            active, later = sorted([*active, *later[:3]]), later[3:]
        else:
            change = CHANGES[name][0](pins, layout, rng)
            if len(set(change.after.values())) == len(change.after):  # the cell may be another pin's
                dragged |= {photo for photo, cell in change.after.items() if "pin" in name and pins.get(photo) != cell}
                pins = change.after
            active = list(change.photos_after or active)
        after = arrange(x, shape, pins, options, active=active, warm=layout)
        kept.setdefault(name, []).append(kept_cells(layout, after))
        layout = after
    leading = Pins({photo: cell for photo, cell in pins.items() if photo in dragged})
    found.scores.append(all_scores(replace(layout, pins=leading), x))
    found.fresh.append(all_scores(replace(arrange(x, shape, pins, options, active=active), pins=leading), x))


def slider(request: Request, *, shape: Shape = SHAPE) -> Iterator[Goal]:
    """The slider between smooth and follow goes to both ends and back to the middle."""
    same: list[float] = []
    found: dict[float, list[tuple[float, float, float]]] = {follow: [] for follow in sorted(TRIP)}
    for x in looks(request).values():
        pins = corner_pins(x, shape)
        for seed in fresh_seeds(request.seeds):
            layout = start = arrange(x, shape, pins, Options(seed=seed))
            for follow in TRIP:
                layout = arrange(x, shape, pins, Options(seed=seed, follow=follow), warm=layout)
                scores = layout_scores(layout, x)
                found[follow].append((mean_neighbour_distance(x, layout), scores["dpq16"], scores["pin_pull"]))
            same.append(float(np.mean(layout.photo_at == start.photo_at)))
    yield Goal("the slider comes back: photos in the same cells", float(np.mean(same)), 1.0)
    means = {follow: np.mean(scores, axis=0) for follow, scores in found.items()}
    for before, follow in pairwise([0.0, *means]):
        n24, dpq16, pull = means[follow]
        least = None if follow == 0.0 else float(means[before][0])
        yield Goal(f"  at {follow:g}: N24", float(n24), least, note=f"DPQ16 {dpq16:.4f}, pin pull {pull:.3f}")
