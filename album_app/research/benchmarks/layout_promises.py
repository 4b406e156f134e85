"""Benchmarks of single promises about layouts, and of what the program says about a sheet.

The promises: random colours, large sheets, many photos, moving pins. The answers: alternatives, how sure cells are,
which way round a sheet lies, partial sheets.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Options, Pins, Shape, ShapeSpec, build_shape
from album_app.layout.arranging.arrange import COLD_RADIUS, arrange
from album_app.layout.arranging.arrangement import Arrangement
from album_app.layout.arranging.exchange import Exchanges
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.first_sheet import first_sheet
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.arranging.representatives import representatives
from album_app.layout.arranging.space import Space
from album_app.layout.evaluation.insight import alternatives_at, fit_in_words
from album_app.layout.evaluation.scores import coverage, dpq, layout_scores, mean_neighbour_distance
from album_app.layout.evaluation.suggest import corner_pins, letter_pins
from album_app.layout.options import EFFORTS
from album_app.layout.shapes.shape import rectangle, symmetries
from album_app.memory import forget_peak, peak_bytes
from album_app.photos.features import extractor
from album_app.research.benchmarks import Goal
from album_app.research.benchmarks.layout_calm import (
    SHAPE,
    all_photos,
    all_scores,
    calm,
    calm_large,
    drift,
    fresh_seeds,
    kept_cells,
    looks,
    slider,
)
from album_app.research.experiments.albums import colour_material
from album_app.research.experiments.peers import Features, flas
from album_app.research.experiments.study import Request
from album_app.solver.threads import one_thread

N24_AT_0_1_0 = 0.1263
"""N24 of 10,000 random colours on 100 x 100 cells at version 0.1.0."""
HUGE = rectangle(250, 400)
DISTINCT_PIECES, FEATURE_NOISE = 9000, 0.02
"""Pieces of photos that a crowd of photos repeats, and the standard deviation of what distinguishes the repetitions."""
GAIN_BY_EFFORT = {"lab": 0.01, "semantic": 0.04}
"""By how much each higher effort must raise DPQ16 over that of quick, on sheets of 320 photos, by features."""
NEAR = 3.0
"""Cells; a photo that ends at most this far from its former cell counts as unmoved."""
ASKED_CELLS = 50
"""Cells of each sheet whose photos are compared with the alternatives."""
MISPLACED_PAIRS = 8
"""Pairs of photos that change places to test whether their cells become less sure than others."""


def random_colours(request: Request) -> Iterator[Goal]:
    """1024 random colours on 32 x 32 without pins."""
    shape, scores, seconds = rectangle(32, 32), [], []
    for seed in fresh_seeds(request.seeds):
        features, begun = _colours(shape.count, seed), time.process_time()
        layout = arrange(features, shape, options=Options(seed=seed))
        seconds.append(time.process_time() - begun)
        scores.append(layout_scores(layout, features)["dpq16"])
    yield Goal("1024 random colours, 32x32, no pins: DPQ16", float(np.mean(scores)), 0.945, note="aim 0.954")
    yield Goal("  seconds of the processor (median)", float(np.median(seconds)), most=1.0)


def large_sheet(request: Request) -> Iterator[Goal]:
    """10,000 random colours on 100 x 100 with pinned corners."""
    shape, features = rectangle(100, 100), _colours(10_000, 0)
    pins = corner_pins(features, shape)
    arrange(features[:100], rectangle(10, 10))  # its imports are not measured
    first: list[float] = []
    with one_thread():
        begun, since = time.process_time(), time.perf_counter()
        layout = arrange(features, shape, pins, on_step=lambda _: first.append(time.process_time() - begun))
        whole, clock = time.process_time() - begun, time.perf_counter() - since
    scores = layout_scores(layout, features)
    memory = peak_bytes() / 1e9
    yield Goal("10,000 on 100x100: first complete layout, seconds of the processor", first[0], most=0.2)
    yield Goal("  refined, seconds of the processor", whole, most=1.2, note=f"{clock:.2f} by the clock")
    yield Goal("  most memory of this program so far, GB", memory, most=1.0)
    yield Goal("  DPQ16 (1000 rows sampled)", scores["dpq16"], 0.95)
    yield Goal("  pin pull", scores["pin_pull"], 0.85)
    yield Goal("  N24", mean_neighbour_distance(features, layout), most=N24_AT_0_1_0, note="that of version 0.1.0")


def many_photos(request: Request) -> Iterator[Goal]:
    """1,000 pieces of the sample album's photos on 16 x 20 cells: which of them are shown."""
    features, shape = _pieces(1000), rectangle(16, 20)
    pins = corner_pins(features, shape)
    layouts = [arrange(features, shape, pins, Options(seed=seed)) for seed in fresh_seeds(request.seeds)]
    covered = [layout_scores(layout, features)["coverage"] for layout in layouts]
    in_place = min(sum(layout.photo_in(cell) == photo for photo, cell in pins.items()) for layout in layouts)
    yield Goal("1000 photos on 16x20: coverage by a random choice's", float(np.mean(covered)), most=0.97)
    yield Goal("  repeats", max(layout.repeats for layout in layouts), most=0)
    yield Goal("  shown", min(len(layout.shown) for layout in layouts), shape.count)
    yield Goal("  pins in place", in_place, len(pins))


def thousands(request: Request) -> Iterator[Goal]:
    """9,000 pieces of the sample album's photos on 16 x 20 cells: which are shown, and what choosing them costs."""
    features, shape = _pieces(9000), rectangle(16, 20)
    space, nobody = Space.of(features), np.zeros(0, dtype=np.int64)
    seconds = []
    for _ in range(request.seeds):
        with one_thread():
            begun = time.process_time()
            shown = representatives(space, np.arange(len(features)), shape.count, nobody)
            seconds.append(time.process_time() - begun)
    tracemalloc.start()
    representatives(space, np.arange(len(features)), shape.count, nobody)
    memory = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    yield Goal("320 of 9,000 photos: coverage by a random choice's", coverage(features, shown.tolist()), most=0.9)
    yield Goal("  choosing, seconds of the processor (median)", float(np.median(seconds)), most=0.3)
    yield Goal("  memory of choosing, MB", memory, most=45.0)


def hundred_thousand(
    request: Request, *, shape: Shape = HUGE, pieces: NDArray[np.float32] | None = None
) -> Iterator[Goal]:
    """As many photos as 250 x 400 cells, by ours and then by FLAS; they repeat the features of some pieces."""
    features = _crowd(shape.count, _pieces(DISTINCT_PIECES) if pieces is None else pieces)
    forget_peak()
    begun = time.process_time()
    own = arrange(features, shape)
    seconds, memory = time.process_time() - begun, peak_bytes() / 1e9
    begun = time.process_time()
    sheet = flas(features, shape, Pins(), 0, 0.93)
    bar = time.process_time() - begun
    other = Layout(shape, sheet.photo_at, np.zeros(shape.count, np.float32))
    rough, rougher = (mean_neighbour_distance(features, layout) for layout in (own, other))
    note = f"{seconds:.1f} against {bar:.1f}"
    yield Goal(
        f"{shape.count:,} on {shape.name}: time of the processor by FLAS 0.93's", seconds / bar, most=1.0, note=note
    )
    yield Goal("  N24 by FLAS 0.93's", rough / rougher, most=1.0, note=f"{rough:.4f} against {rougher:.4f}")
    yield Goal("  most memory of this program, GB", memory, most=1.0)


def moving_pins(request: Request) -> Iterator[Goal]:
    """One pin of 320 photos of the sample album moved to each of five places, compared with a fresh solve."""
    features, shape = colour_material(Request(1)).features, rectangle(16, 20)
    pins = corner_pins(features, shape)
    arrange(features, shape, pins)
    ratios, stayed, first = [], [], []
    for seed in fresh_seeds(request.seeds):
        options = Options(seed=seed)
        before = arrange(features, shape, pins, options)
        moved = pins.pin(list(pins)[seed % len(pins)], (5 + seed % 6, 4 + 2 * seed % 12))
        cold, _, _ = _timed(features, moved, options, None)
        warm, at_first, after = _timed(features, moved, options, before)
        ratios.append(warm / cold)
        first.append(at_first)
        stayed.append(_stayed(before, after, moved))
    yield Goal("a pin moves, 320 photos: time by a cold solve's (median)", float(np.median(ratios)), most=0.5)
    yield Goal("  unpinned photos that end within 3 cells (mean)", float(np.mean(stayed)), 0.6)
    yield Goal("  first layout, seconds (median)", float(np.median(first)), most=0.1)


def dragged(request: Request) -> Iterator[Goal]:
    """A photo is dragged across sheets of 2,500 and 9,000 pieces: whether similar photos follow, and at what cost."""
    for count, rows in ((2500, 50), (9000, 90)):
        features, shape = _pieces(count), rectangle(rows, count // rows)
        before = arrange(features, shape, corner_pins(features, shape))
        kept, shares, rougher, first, seconds = [], [], [], [], []
        for seed in fresh_seeds(request.seeds):
            photo = int(np.random.default_rng(seed).choice([p for p in before.shown if p not in before.pins]))
            row, column = before.positions[photo]
            to = (row + rows // 2) % rows, (column + shape.columns // 2) % shape.columns
            pins = before.pins.pin(photo, shape.nearest_free(to, list(before.pins.values())) or to)
            with one_thread():
                taken, steps, after = _timed_steps(features, shape, pins, before)
                fresh = arrange(features, shape, pins)
            seconds.append(taken)
            first.append(steps[1])
            kept.append(kept_cells(before, after))
            own, other = (
                layout_scores(replace(layout, pins=Pins({photo: pins[photo]})), features)["pin_pull"]
                for layout in (after, fresh)
            )
            shares.append(own / max(other, 1e-9))
            rougher.append(mean_neighbour_distance(features, after) - mean_neighbour_distance(features, fresh))
        same, near, nearly = np.mean(kept, axis=0)
        note = f"within 1 cell {near:.3f}, within 3 {nearly:.3f}"
        yield Goal(f"a photo dragged across {count:,}: its pull by a fresh sheet's", float(np.mean(shares)), 0.9)
        yield Goal("  the worst case", min(shares))
        yield Goal("  photos that keep their cells", float(same), note=note)
        yield Goal("  N24 above a fresh sheet's", float(np.mean(rougher)))
        yield Goal(
            "  until similar photos are there, seconds of the processor (median)", float(np.median(first)), most=0.2
        )
        yield Goal("  until the sheet is polished", float(np.median(seconds)), most=1.0)


def effort(request: Request) -> Iterator[Goal]:
    """What higher effort gains on an album by colour and by meaning, corners pinned."""
    for name, wanted in GAIN_BY_EFFORT.items():
        x = colour_material(request, name).features
        yield from _by_effort(x, rectangle(16, 20), request, f"by {name}", wanted)


def effort_large(request: Request) -> Iterator[Goal]:
    """What higher effort gains on all photos of an album of more than 320 photos."""
    x = all_photos(request)
    if len(x) > 320:
        yield from _by_effort(x, build_shape(ShapeSpec(), len(x)), request, f"{len(x):,} photos by meaning", None)


def _by_effort(x: Features, shape: Shape, request: Request, title: str, wanted: float | None) -> Iterator[Goal]:
    pins, found = corner_pins(x, shape), dict[str, list[list[float]]]()
    for seed in fresh_seeds(request.seeds):
        for amount in EFFORTS:
            begun = time.process_time()
            layout = arrange(x, shape, pins, Options(seed=seed, effort=amount))
            seconds, scores, filled = time.process_time() - begun, all_scores(layout, x), layout.photo_at >= 0
            four = dpq(x[layout.photo_at[filled]], shape.places[filled], 4), -mean_neighbour_distance(x, layout, 1)
            row = [scores["dpq16"], scores["dpq16t"], four[0], scores["pin_pull"], four[1], -scores["n24"], seconds]
            found.setdefault(amount, []).append(row)
    for amount in EFFORTS[1:]:
        gains = np.mean(found[amount], axis=0) - np.mean(found["quick"], axis=0)
        yield Goal(f"effort {amount}, {title}: DPQ16 above quick's", float(gains[0]), wanted)
        for name, gain in zip(("DPQ16t", "DPQ4", "pin pull", "N4, fallen", "N24, fallen"), gains[1:6], strict=True):
            yield Goal(f"  {name}", float(gain), -0.002)
        yield Goal("  seconds of the processor, in all", float(np.mean(found[amount], axis=0)[6]))


def letters(request: Request) -> Iterator[Goal]:
    """320 photos of the sample album on "ECML PKDD", the letters' centres pinned."""
    features = colour_material(Request(1)).features
    shape = build_shape(ShapeSpec("text", text="ECML PKDD", wrap=False, cells=len(features)), len(features))
    pins = letter_pins(features, shape)
    layout = arrange(features, shape, pins)
    scores = layout_scores(layout, features)
    in_place = sum(layout.photo_in(cell) == photo for photo, cell in pins.items())
    yield Goal(f'"ECML PKDD", {shape.count} cells: pins in place', in_place, len(pins))
    yield Goal("  repeats", layout.repeats, most=0)
    yield Goal("  pin pull", scores["pin_pull"], 0.8)


def shapes(request: Request) -> Iterator[Goal]:
    """The empty cells of the usual shapes, and the memory that few photos on very many cells take."""
    for photos in (44, 60, 320, 1000, 997):
        shape = build_shape(ShapeSpec(), photos)
        yield Goal(f"{photos} photos on {shape.name}: empty cells", shape.count - photos, most=2 * (photos % 10 > 0))
    features = np.random.default_rng(0).random((150, 192)).astype(np.float32)
    tracemalloc.start()
    for shape in (rectangle(1, 100_000), rectangle(250, 400)):
        tracemalloc.reset_peak()
        arrange(features, shape)
        yield Goal(f"150 photos on {shape.name}: memory, MB", tracemalloc.get_traced_memory()[1] / 1e6, most=150.0)
    tracemalloc.stop()


def _timed_steps(
    features: NDArray[np.float32], shape: Shape, pins: Pins, warm: Layout
) -> tuple[float, list[float], Layout]:
    """Processor seconds of one warm arrangement, those until each layout on the way, and the last layout."""
    steps: list[float] = []
    begun = time.process_time()
    layout = arrange(features, shape, pins, warm=warm, on_step=lambda _: steps.append(time.process_time() - begun))
    return time.process_time() - begun, steps, layout


def _timed(
    features: NDArray[np.float32], pins: Pins, options: Options, warm: Layout | None
) -> tuple[float, float, Layout]:
    """Seconds of one arrangement, seconds to its first layout, and its last layout."""
    first: list[float] = []
    begun = time.perf_counter()
    layout = arrange(
        features,
        rectangle(16, 20),
        pins,
        replace(options),
        warm=warm,
        on_step=lambda _: first.append(time.perf_counter() - begun),
    )
    return time.perf_counter() - begun, first[0], layout


def _stayed(before: Layout, after: Layout, pins: Pins) -> float:
    """The share of unpinned photos that end near their former cells."""
    photos = [photo for photo in before.shown if photo not in pins and photo in after.positions]
    moves = [np.subtract(before.positions[photo], after.positions[photo]) for photo in photos]
    return float(np.mean(np.linalg.norm(moves, axis=1) <= NEAR))


def _colours(count: int, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((count, 3)).astype(np.float32)


def _pieces(count: int) -> NDArray[np.float32]:
    """Features by colour of `count` pieces of the sample album's photos; the first pieces are half a photo wide."""
    pictures = [picture for picture in colour_material(Request(1)).thumbnails if picture is not None]
    pieces = [
        picture[down : down + tall, over : over + wide]
        for tall_by, wide_by in ((1, 2), (2, 3), (3, 2), (3, 4))
        for row in range(2 * tall_by - 1)
        for step in (0, 2, 4, 1, 3, 5, 6)[: 2 * wide_by - 1]
        for picture in pictures
        for tall, wide in [(picture.shape[0] // tall_by, picture.shape[1] // wide_by)]
        for down, over in [(row * tall // 2, min(step * wide // 2, picture.shape[1] - wide))]
    ]
    return np.asarray(extractor("rgb").extract(pieces[:count]), dtype=np.float32)


def _crowd(count: int, pieces: NDArray[np.float32]) -> NDArray[np.float32]:
    """Features of very many photos: those of the pieces over and over, each time with other noise."""
    random = np.random.default_rng(0)
    crowd = pieces[np.arange(count) % len(pieces)]
    crowd += FEATURE_NOISE * random.standard_normal(crowd.shape, np.float32)
    return np.clip(crowd, 0.0, 1.0, out=crowd)


def answers(
    request: Request,
    *,
    shape: Shape = SHAPE,
    asked_cells: int = ASKED_CELLS,
    misplaced_pairs: int = MISPLACED_PAIRS,
) -> Iterator[Goal]:
    """How often the photo shown is the best for its cell, before and after polishing; whether confidence is right."""
    for name, x in looks(request).items():
        first: dict[str, list[bool]] = {"polished": [], "refined": [], "rounded": []}
        spread, found, words = [], [], list[str]()
        for seed in fresh_seeds(request.seeds):
            layout = arrange(x, shape, corner_pins(x, shape), Options(seed=seed))
            bare = replace(arrange(x, shape, layout.pins, Options(seed=seed, refine=False)), options=layout.options)
            loose = [cell for cell in map(tuple, shape.cells.tolist()) if cell not in layout.pins.values()]
            asked = [loose[k] for k in np.random.default_rng(seed).choice(len(loose), asked_cells, replace=False)]
            sheets = {"polished": layout, "refined": before_polishing(x, layout), "rounded": bare}
            for stage, sheet in sheets.items():
                first[stage] += [_is_first(sheet, cell) for cell in asked]
            words += [fit_in_words(fit) for cell in asked for _, fit in alternatives_at(layout, cell)[1:]]
            spread.append(np.quantile(layout.confidence, [0.1, 0.5, 0.9]))
            found.append(misplaced_found(x, layout, np.random.default_rng(seed), misplaced_pairs))
        low, middle, high = np.mean(spread, axis=0)
        shares = {stage: float(np.mean(asked)) for stage, asked in first.items()}
        yield Goal(f"by {name}: shown photos that suit their cells best of all", shares["polished"])
        yield Goal("  before polishing", shares["refined"], most=shares["polished"])
        yield Goal("  by the rounded transport plan alone", shares["rounded"], most=shares["polished"])
        said = {word: words.count(word) / len(words) for word in sorted(set(words))}
        note = ", ".join(f"{word}: {share:.2f}" for word, share in said.items())
        yield Goal("  the share of the commonest words for seven other photos", max(said.values()), most=0.7, note=note)
        yield Goal("  confidence: the lowest tenth", low, note=f"median {middle:.2f}, highest tenth {high:.2f}")
        yield Goal("  misplaced photos less sure than others", float(np.mean(found)), 0.75, note="0.5 by chance")


def _is_first(layout: Layout, cell: tuple[int, int]) -> bool:
    return alternatives_at(layout, cell, 1)[0][0] == layout.photo_in(cell)


def before_polishing(x: Features, layout: Layout) -> Layout:
    """The sheet from which the polishing of a fresh layout started."""
    guide, options = layout.guide, layout.options
    assert isinstance(guide, PlanGuide) and options is not None
    arrangement = Arrangement.of(x, layout.shape, layout.pins, known=guide.space)
    cells = arrangement.free_cells
    schedule = Schedule.suiting(len(cells), COLD_RADIUS * layout.shape.reach, options.seed)
    start = first_sheet(arrangement, guide, arrangement.loose_photos, cells)
    *_, sheet = refine(Field.of(arrangement, guide, Pull.of(options.follow)), start, cells, schedule)
    return replace(layout, photo_at=sheet)


def misplaced_found(x: Features, layout: Layout, rng: np.random.Generator, pairs: int) -> float:
    """How often a photo that changed places at random is less sure than one that stayed; 0.5 is chance."""
    guide = layout.guide
    assert isinstance(guide, PlanGuide)
    arrangement = Arrangement.of(x, layout.shape, layout.pins, known=guide.space)
    cells = rng.choice(arrangement.free_cells, (2, pairs), replace=False)
    sheet = layout.photo_at.copy()
    sheet[cells] = sheet[cells[::-1]]
    sure = Exchanges.of(arrangement, sheet, guide, Options().follow).confidence()
    wrong, others = sure[cells.ravel()], sure[np.setdiff1d(arrangement.free_cells, cells)]
    return float(np.mean(wrong[:, None] < others) + np.mean(wrong[:, None] == others) / 2)


def arriving(request: Request, *, shape: Shape = SHAPE) -> Iterator[Goal]:
    """Whether sheets mirror or turn while photos arrive; photos still to come have the mean features of the others."""
    turned = []
    for x in looks(request).values():
        for seed in fresh_seeds(request.seeds):
            order = np.random.default_rng(seed).permutation(len(x))
            parts = [order[: len(x) * third // 3] for third in (1, 2, 3)]
            layout = _as_far_as_known(x, parts[0], shape, None)
            for before, known in pairwise(parts):
                after = _as_far_as_known(x, known, shape, layout)
                turned.append(way_round(layout, after, before.tolist()) != 0)
                layout = after
    yield Goal("sheets that mirror or turn while photos arrive", float(np.mean(turned)), most=0.0)


def _as_far_as_known(x: Features, known: NDArray[np.int64], shape: Shape, before: Layout | None) -> Layout:
    here = np.isin(np.arange(len(x)), known)[:, None]
    return arrange(np.where(here, x, x[known].mean(axis=0)), shape, warm=before)


def proposals(request: Request, *, shape: Shape = SHAPE) -> Iterator[Goal]:
    """Whether a sheet without pins, mirrored or turned in any way, turns when its proposed corners are accepted."""
    turned, apart = [], []
    for x in looks(request).values():
        for seed in fresh_seeds(request.seeds):
            sheet = arrange(x, shape, options=Options(seed=seed))
            way = symmetries(shape)[seed % 4]
            assert isinstance(sheet.guide, PlanGuide)
            lying = replace(sheet, photo_at=sheet.photo_at[way.before], guide=sheet.guide.turned(way))
            pins, afresh = corner_pins(x, shape, lying=lying), corner_pins(x, shape)
            after = arrange(x, shape, pins, Options(seed=seed), warm=lying)
            turned.append(way_round(lying, after, lying.shown) != 0)
            apart.append(_least_apart(x[list(pins)]) / _least_apart(x[list(afresh)]))
    yield Goal("sheets that mirror or turn when proposed corners are taken", float(np.mean(turned)), most=0.0)
    yield Goal("  how far apart the nearest two are, by those for no sheet", float(np.mean(apart)))


def _least_apart(x: Features) -> float:
    return min(float(np.linalg.norm(x[i] - x[j])) for i in range(len(x)) for j in range(i))


def way_round(before: Layout, after: Layout, photos: Sequence[int]) -> int:
    """The number of the symmetry by which the sheet `after` is most like the one `before`; 0 leaves it as it is."""
    extent = np.array([before.shape.rows - 1, before.shape.columns - 1])
    places = np.array([before.positions[photo] for photo in photos])
    away = []
    for way in symmetries(after.shape):
        turned = replace(after, photo_at=after.photo_at[way.before])
        away.append(np.abs((places - [turned.positions[photo] for photo in photos]) / extent).mean())
    return int(np.argmin(away))


PROMISES: Mapping[str, Callable[[Request], Iterable[Goal]]] = {
    "colours": random_colours,
    "large": large_sheet,
    "many": many_photos,
    "pins": moving_pins,
    "dragged": dragged,
    "letters": letters,
    "thousands": thousands,
    "huge": hundred_thousand,
    "shapes": shapes,
}
"""Promises that are measured once."""

OF_ALBUMS: Mapping[str, Callable[[Request], Iterable[Goal]]] = {
    "calm": calm,
    "calm-large": calm_large,
    "drift": drift,
    "effort": effort,
    "effort-large": effort_large,
    "slider": slider,
    "answers": answers,
    "arriving": arriving,
    "proposals": proposals,
}
"""Promises that are measured on every album."""
