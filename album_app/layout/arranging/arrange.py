"""Photos, shape and pins in, a sheet out: LSMI-Sinkhorn, then one photo per cell, then refinement.

`arrange` may be given an earlier layout, `warm`. What changed since then decides where the new sheet starts:

| what changed                                        | the new sheet                                             |
|-----------------------------------------------------|-----------------------------------------------------------|
| nothing but pins on photos where they lie           | is the earlier one, cell by cell                          |
| photos that exchanged their cells, now pinned there | is the earlier one but for these                          |
| any pins set elsewhere, moved or removed; photos    | calm: leaving a cell has a price for every photo that was |
| added or left out, rows or columns with them        | there; photos like a pin that moved far follow it, and    |
|                                                     | earlier pins among photos unlike them attract none        |
| photos added or left out, and the shape with them   | carried over: photos keep to their part of the sheet      |
| nothing but the effort                              | goes on from the earlier one if the effort is higher      |
| the earlier layout was not finished                 | fresh                                                     |
| any option: follow, seed, fill, ...                 | fresh: the same options give the same sheet, whatever was |
|                                                     | tried in between                                          |
| features; shape                                     | fresh, but the same way round: neither mirrored nor       |
|                                                     | turned against the earlier one                            |
| nothing, but `afresh` is asked for, or the earlier  | fresh, but neither mirrored nor turned as a whole         |
| layout is not `arranged`                            |                                                           |

Fresh means computed from photos, shape, pins and options alone. Of several changes at once the lowest row counts, but
options take precedence over features and shape. A book of chapters is always fresh. Where there are more photos than
cells, the photos that the earlier layout shows stay chosen, unless a `new_choice` is asked for or `options.choose`
has changed.

It may also `hold` cells, which then keep exactly what `warm` shows in them: their photo, or nothing. Photos enter and
leave only the other cells. A pin on a held cell, or on its photo, takes precedence over holding it, and a photo that no
longer takes part leaves its cell. Three uses:

- a sheet is held: `arrange(x, shape, pins, warm=layout, hold=layout.photo_at >= 0)`; added photos go to empty
  cells. If the shape has grown by a row, give the cells as `layout.positions.values()`.
- some cells are held: `arrange(x, shape, pins, warm=layout, hold=selected_cells)`.
- only some cells are arranged again: `arrange(x, shape, pins, warm=layout, hold=all_but(shape, selected_cells),
  afresh=True)`; these exchange their photos among themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from album_app.errors import Stopped, UsageError
from album_app.language import tr
from album_app.layout.arranging.arrangement import Arrangement, CellsOrMask, Held, Indices, Quality
from album_app.layout.arranging.calm import CALM, CARRIED, FRESH, Earlier, Facing, Prices
from album_app.layout.arranging.choosing import Choice, by_chapters, choose, chosen_before, shown_photos
from album_app.layout.arranging.dealing import KeepToPage, deal, deal_rounds
from album_app.layout.arranging.exchange import Exchanges
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.first_sheet import (
    carried_sheet,
    far_pins,
    first_sheet,
    followed,
    leading_pins,
    lone_pins,
    moved_sheet,
    rounded_sheet,
)
from album_app.layout.arranging.guide import PlanGuide, learn
from album_app.layout.arranging.journal import Journal, OnStep
from album_app.layout.arranging.large_photos import Blocks, around_large, large_among, pages_of_photos
from album_app.layout.arranging.polish import Weights, further_rounds, polish, polish_further, rounds
from album_app.layout.arranging.refine import Price, Schedule, Step, refine, run_in_turn, sum_of_prices
from album_app.layout.arranging.repeats import CopyPrice, separate
from album_app.layout.arranging.rows import (
    CELLS_FOR_PAIRS,
    LARGEST_UNEVENNESS,
    PAIR_EXCHANGES,
    PAIR_NOISE,
    UNEVEN_COSTS,
    EvenRows,
    even_rows,
    exchange_pairs,
    stages,
)
from album_app.layout.layout import Layout
from album_app.layout.options import CHOICES, Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.blocks import middles
from album_app.layout.shapes.shape import Shape
from album_app.solver.threads import one_thread
from album_app.work import OnProgress, Stop, report

COLD_RADIUS = 0.4
"""The first radius of a fresh refinement, as a share of the sheet's longer side: photos may cross most of the sheet."""

CARRIED_RADIUS = 0.08
"""The first radius where an earlier sheet is carried over to other cells: its order already exists."""

FRESH_ALLOWANCE = 1.6
"""Factor: while a fresh sheet is found, intermediate sheets are shown that are up to this much rougher than the earlier
one; rougher ones than that would look like a step back."""

CALM_ROUNDS = 40
"""The most rounds of exchanges for a sheet that starts from an earlier one; no refinement comes before them."""

LARGE_SHEET_ALLOWANCE = 1.25
"""Factor: on a large sheet, intermediate sheets are shown that are up to this much rougher than the smoothest so far.
Refinement begins with wide neighbourhoods, which make the sheet rougher for a long time."""


def arrange(
    features: ArrayLike,
    shape: Shape,
    pins: Pins | None = None,
    options: Options | None = None,
    *,
    active: Sequence[int] | None = None,
    missing: Pins | None = None,
    always: Collection[int] = (),
    sizes: Mapping[int, int] | None = None,
    aspects: NDArray[np.floating] | None = None,
    when: NDArray[np.float64] | None = None,
    warm: Layout | None = None,
    hold: CellsOrMask | None = None,
    afresh: bool = False,
    new_choice: bool = False,
    features_key: str = "",
    quality: NDArray[np.float32] | None = None,
    on_step: OnStep | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Layout:
    """Lay photos (rows of `features`) out on a shape: pins in their cells, like photos next to each other.

    `active` are the photos that take part (None: all). `missing` photos take no part but keep their cells. The photos
    that are `always` shown are on the sheet even if there are more photos than cells. `when` photos were taken
    (photos,) makes the pages of a book chapters. `on_step` receives complete layouts as they get better, `on_progress`
    is called after each pass of the refinement; once `stop` returns True, the best layout so far is returned. `sizes`
    are the sizes of large photos, which cover size x size cells, from 2 on; `Layout.sizes` has those that found a
    block. The upper left cell of a pinned one is its pin; any other lies among photos like it, and later edits leave it
    there. On a shape of justified rows the `aspects` of photos (photos,), width by height, make all rows equally high;
    on the pages of a book they give frames that fill the page. `quality` (photos,), as `quality_of` gives it, counts
    where there are more photos than cells, as much as `options.choose` says. `features_key` names what the features
    are, down to their version, so that a layout which was read from a file can be recognised as made with them; without
    a key the numbers themselves are compared. `warm` is an earlier layout, and `hold` are cells (row, column), or a
    mask over the cells of `shape`, that keep what it shows in them; the module's description says what both do.

    >>> from album_app.layout import rectangle
    >>> brightness = np.arange(12.0)[:, None]
    >>> layout = arrange(brightness, rectangle(1, 12), Pins({11: (0, 0)}))
    >>> layout.photo_at.tolist()
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    """
    begun = time.perf_counter()
    options = options or Options()
    arrangement = _checked(features, shape, pins, options, active, missing, warm, hold, quality)
    features_key = features_key or arrangement.space.name
    earlier = Earlier.of(arrangement, options, warm, features_key, afresh)
    if warm is not None and warm.options is not None and warm.options.choose != options.choose:
        new_choice = True
    blocks, on_page = Blocks(), None
    if large := large_among(arrangement, sizes):
        if earlier.start == CALM and warm is not None and when is None:
            blocks = Blocks.of(arrangement, large, middles(warm.shape, warm.photo_at, large))
        else:
            again = partial(arrange, shape=shape, options=options, missing=missing, warm=warm, hold=hold, afresh=afresh)
            again = partial(again, new_choice=new_choice, features_key=features_key, on_progress=on_progress, stop=stop)
            blocks, warm = around_large(again, arrangement, np.asarray(features), large, always, when, quality)
            # The other photos of a book of chapters stay on the pages that they shared with the large ones.
            on_page = None if when is None else pages_of_photos(warm, len(when))
        arrangement = blocks.on(arrangement)
        earlier = Earlier.of(arrangement, options, warm, features_key)
    proportions = None if aspects is None or not shape.needs_aspects else np.asarray(aspects, np.float32)
    journal = Journal(
        arrangement,
        options,
        on_step,
        wanted=on_step is not None or stop is not None,
        since=begun,
        facing=earlier.facing,
        features_key=features_key,
        sizes=blocks.sizes,
        aspects=proportions,
    )
    rows = proportions if shape.is_justified else None
    chosen = chosen_before(arrangement, warm) if warm is not None and not new_choice else None
    run = _Run(arrangement, options, journal, earlier, chosen, always, rows, when, on_page, on_progress, stop)
    try:
        with one_thread():
            return run.begin(warm)
    except Stopped:
        return journal.stopped()


def _checked(
    features: ArrayLike,
    shape: Shape,
    pins: Pins | None,
    options: Options,
    active: Sequence[int] | None,
    missing: Pins | None,
    warm: Layout | None,
    hold: CellsOrMask | None,
    quality: NDArray[np.float32] | None,
) -> Arrangement:
    """Who takes part and where, by the arguments of `arrange`; the space of `warm` is kept where the features agree."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape must be a Shape, such as rectangle(12, 15), not {shape!r:.60}")
    if not isinstance(pins, Pins | None):
        raise TypeError(f"pins must be Pins, such as Pins({{0: (11, 14)}}), not {pins!r:.60}")
    if hold is not None and warm is None:
        raise UsageError(tr("Cells can be held only on a sheet that was arranged before."))
    held = Held.of(shape, hold, warm) if hold is not None and warm is not None else None
    known = warm.guide.space if warm is not None and isinstance(warm.guide, PlanGuide) else None
    arrangement = Arrangement.of(features, shape, pins or Pins(), active, known, missing, held)
    if quality is None or not CHOICES[options.choose]:
        return arrangement
    return replace(arrangement, quality=Quality.of(quality, CHOICES[options.choose], features))


@dataclass(frozen=True, eq=False)
class _Run:
    """The steps of one arrangement, each handing its sheet to the journal."""

    arrangement: Arrangement
    options: Options
    journal: Journal
    earlier: Earlier
    chosen: Indices | None  # the photos that an earlier sheet shows, which stay chosen
    always: Collection[int]
    aspects: NDArray[np.floating] | None  # (photos,) where rows are justified
    when: NDArray[np.float64] | None
    on_page: Indices | None  # (photos,) the page of a book on which each belongs, -1 where that is not known
    on_progress: OnProgress | None
    stop: Stop | None

    def begin(self, warm: Layout | None) -> Layout:
        """Start as the table above says; a book of chapters is always fresh."""
        earlier, pages = self.earlier, self.arrangement.shape.pages
        if warm is None or self.when is not None:
            return self.afresh()
        if earlier.start == CALM and earlier.photo_at is not None:
            return self.calmly(warm, earlier.photo_at)
        if earlier.start == CARRIED and earlier.facing is not None and pages is None:
            return self.carried_over(warm, earlier.facing)
        return self.afresh()

    def afresh(self) -> Layout:
        """A sheet from the solver's plan alone; until there is one, an earlier sheet with the new pins is shown."""
        if self.earlier.photo_at is not None:
            self._show_earlier(self.earlier.photo_at)
            self.journal.allow(FRESH_ALLOWANCE)
        shown = self._shown(self.chosen)
        guide = self._learn(shown, lambda guide: self._show_first(shown, guide))
        with self.journal.timed("round"):
            choice, sheet = self._first(shown, guide)
        if not self.options.refine:
            return self.journal.close(self._evened(sheet), "rounded")
        schedule = Schedule.suiting(len(choice.cells), self._radius(choice.cells, COLD_RADIUS), self.options.seed)
        field = self._field(guide, sheet)
        return self._improved(field, choice, sheet, self._steps(field, choice, schedule))

    def calmly(self, warm: Layout, before: Indices) -> Layout:
        """A sheet that stays near an earlier one, which showed the photos `before` in these cells.

        It is shown at once with the new pins, then with the kin that follow them, then as exchanges improve it.
        """
        self.journal.fresh_roughness = warm.fresh_roughness
        shown, choice, sheet = self._show_earlier(before)
        if choice.repeats:
            field = self._field(self._learn(shown, None), sheet)
            return self._improved(field, choice, sheet, [self._polish(field, choice, CALM_ROUNDS)])
        leaders = leading_pins(self.arrangement, before)
        far = far_pins(self.arrangement, before, leaders)
        if len(far):
            with self.journal.timed("round"):
                sheet = followed(self.arrangement, sheet, choice.cells, far)
            self.journal.offer(sheet, "first", anyway=True)
        # A pin that gathered no photos when it was set gathers none at a later edit elsewhere either.
        self.journal.lone = lone_pins(self.arrangement, warm, before, leaders)
        calm = replace(self, arrangement=replace(self.arrangement, lone=self.journal.lone))
        known = self.earlier.guide
        unchanged = known is not None and warm.pins == self.arrangement.pins and np.array_equal(sheet, before)
        field = calm._field(known if unchanged else calm._learn(shown, None), sheet)
        free = self.arrangement.free_cells
        if np.array_equal(sheet[free], before[free]):
            if self.earlier.more_effort:
                return self._improved(field, choice, sheet, [self._further(field, choice)])
            if self.earlier.settled:
                return self._finished(field, sheet)
        prices = Prices.suiting(calm.arrangement, warm, before, sheet, leaders, far)
        changing = replace(choice, cells=prices.cells_to_exchange(self.arrangement, before, sheet, choice.cells))
        prices = prices.among(sheet[changing.cells])
        rows = self._rows_to_even(*stages(len(choice.cells))[1][1:3])
        weights = Weights.after_an_edit(len(choice.cells))
        steps = [self._polish(field, changing, CALM_ROUNDS, weights).with_price(sum_of_prices(prices, rows))]
        if rows is not None and self._in_pairs:
            steps.append(self._pairs(field, changing, rows, 0.0, rows.unevenness(before)).with_price(prices))
        return self._improved(field, choice, sheet, steps)

    def carried_over(self, warm: Layout, facing: Facing) -> Layout:
        """An earlier sheet carried over to other cells: photos keep to their part, new ones join photos like them."""
        shown = self._shown(warm.photo_at)
        guide = self._learn(shown, None)
        with self.journal.timed("round"):
            choice = choose(self.arrangement, shown, guide, self.options.fill)
            if choice.repeats:
                return self.afresh()
            sheet = moved_sheet(self.arrangement, choice.photos, choice.cells, facing.places)
        self.journal.offer(sheet, "first")
        schedule = Schedule.suiting(len(choice.cells), self._radius(choice.cells, CARRIED_RADIUS), self.options.seed)
        field = self._field(guide, sheet)
        return self._improved(field, choice, sheet, self._steps(field, choice, schedule))

    def _radius(self, cells: Indices, share: float) -> float:
        """A share of the longer side of the area that these cells fill, in cells."""
        filled = self.arrangement.shape.places[cells]
        return share * (1 + int(np.ptp(filled, axis=0).max()) if len(filled) else 1)

    def _shown(self, before: Indices | None) -> Indices:
        """Choose the photos to be shown."""
        with self.journal.timed("round"):
            shown = shown_photos(self.arrangement, before, self.stop, always=self.always)
            self.journal.note_shown(shown)
        return shown

    def _show_earlier(self, before: Indices) -> tuple[Indices, Choice, Indices]:
        """Show an earlier sheet with the new pins at once; gives the shown photos, their cells, and that sheet."""
        shown, guide = self._shown(before), self.earlier.guide
        with self.journal.timed("round"):
            choice = choose(self.arrangement, shown, guide, self.options.fill, before)
            sheet = carried_sheet(self.arrangement, choice.photos, choice.cells, before)
        self.journal.guide = guide
        self.journal.offer(sheet, "first")
        return shown, choice, sheet

    def _learn(self, shown: Indices, on_guide: Callable[[PlanGuide], None] | None) -> PlanGuide | None:
        # A fresh sheet does not depend on an earlier one and is only turned as a whole at the end. Where cells are
        # held, it cannot be turned, so the solver already starts with the earlier sheet's way round.
        tilted = self.earlier.start != FRESH or len(self.arrangement.held.cells) > 0
        with self.journal.timed("solve"):
            guide = learn(
                self.arrangement,
                self.options,
                self.earlier.guide,
                on_guide,
                self.stop,
                shown=shown,
                places=self.earlier.facing.places if self.earlier.facing is not None and tilted else None,
            )
        self.journal.guide = guide
        return guide

    def _show_first(self, shown: Indices, guide: PlanGuide) -> None:
        """Show the sheet of the solver's first iteration, where all free cells are filled."""
        cells = self.arrangement.free_cells
        if len(shown) == len(cells):
            self.journal.offer(first_sheet(self.arrangement, guide, shown, cells), "first")

    def _first(self, shown: Indices, guide: PlanGuide | None) -> tuple[Choice, Indices]:
        """The shown photos with their cells, and a sheet to start from: by the plan, or by chapters."""
        if self.when is None or self.arrangement.shape.pages is None:
            choice = choose(self.arrangement, shown, guide, self.options.fill)
            return choice, self._rounded(guide, choice)
        choice = by_chapters(self.arrangement, self.arrangement.shape.pages, shown, self.when, self.on_page)
        return choice, self._rounded(None, choice)

    def _rounded(self, guide: PlanGuide | None, choice: Choice) -> Indices:
        if guide is None:
            sheet = self.arrangement.fixed_sheet()
            sheet[choice.cells] = choice.photos
            return sheet
        if self.options.refine:
            sheet = first_sheet(self.arrangement, guide, choice.photos, choice.cells)
            self.journal.offer(sheet, "rounded")
            return sheet
        return rounded_sheet(self.arrangement, guide, choice.photos, choice.cells, self.options.seed, self.stop)

    def _field(self, guide: PlanGuide | None, sheet: Indices) -> Field:
        """The field over the cells that a sheet fills: photos change places among these alone."""
        with self.journal.timed("refine"):
            return Field.of(self.arrangement, guide, Pull.of(self.options.follow), np.flatnonzero(sheet >= 0))

    def _improved(self, field: Field, choice: Choice, sheet: Indices, steps: list[Step]) -> Layout:
        """The answer after these steps, which offer intermediate sheets."""
        with self.journal.timed("refine"):
            count = sum(step.most for step in steps)
            cells = len(choice.cells)
            if self.journal.is_timed(cells):
                self.journal.allow(LARGE_SHEET_ALLOWANCE)
            done, passes = 0, run_in_turn(steps, sheet)
            for done, sheet in enumerate(passes, start=1):
                report(self.on_progress, done, count)
                if self.journal.is_due(done, count, cells):
                    self.journal.offer(sheet, "rounded")
            if done < count:
                report(self.on_progress, count, count)
            if choice.repeats:
                sheet = separate(field, sheet, choice.cells, self.arrangement.shape, self.stop)
            sheet = self._evened(sheet)
        return self._finished(field, sheet)

    def _steps(self, field: Field, choice: Choice, schedule: Schedule) -> list[Step]:
        """The steps of refinement and polishing.

        The photos of a fresh book are first refined across all pages, then dealt out to the pages; from then on each
        photo keeps to its page.
        """
        shape, cells, stop = self.arrangement.shape, choice.cells, self.stop
        first = Step(len(schedule.radii), partial(refine, field, movable=cells, schedule=schedule, stop=stop))
        first, last = first.with_price(self._copy_price(choice)), self._polish(field, choice, rounds(len(cells)))
        further = self._further(field, choice)
        if shape.pages is None:
            return [first, last, further, *self._even_rows(field, choice, self._copy_price(choice))]
        pages = shape.pages.page_of(shape.cells)
        keep = KeepToPage(pages, self._copy_price(choice))
        evened = self._even_rows(field, choice, keep)
        wide, narrow = replace(schedule, end=float(shape.reach)), replace(schedule, start=float(shape.reach))
        if self.when is not None:
            return [
                first.with_schedule(narrow).with_price(keep),
                last.with_price(keep),
                further.with_price(keep),
                *evened,
            ]
        dealing = partial(deal, field, movable=cells, pages=pages, seed=self.options.seed, stop=stop)
        return [
            first.with_schedule(wide),
            Step(deal_rounds(len(cells)), dealing),
            first.with_schedule(narrow).with_price(keep),
            last.with_price(keep),
            further.with_price(keep),
            *evened,
        ]

    def _even_rows(self, field: Field, choice: Choice, others: Price | None) -> list[Step]:
        """The steps that make justified rows equally full, at other prices as well; none for other shapes."""
        rows = self._rows_to_even()
        if rows is None:
            return []
        if self._in_pairs:
            return [self._pairs(field, choice, rows).with_price(others)]
        return [
            self._polish(field, choice, most, weights).with_price(
                sum_of_prices(self._rows_to_even(weight, caution), others)
            )
            for most, weight, caution, weights in stages(len(choice.cells))
        ]

    def _rows_to_even(self, weight: float = 1.0, caution: float = 1.0) -> EvenRows | None:
        """The price of photos in justified rows; None for other shapes."""
        return None if self.aspects is None else EvenRows.of(self.arrangement, self.aspects, weight, caution)

    @property
    def _in_pairs(self) -> bool:
        """Whether rows are made even by exchanges of two photos each: on small sheets."""
        shape = self.arrangement.shape
        return self.aspects is not None and shape.pages is None and shape.count <= CELLS_FOR_PAIRS

    def _pairs(
        self, field: Field, choice: Choice, rows: EvenRows, noise: float = PAIR_NOISE, enough: float = 0.0
    ) -> Step:
        """Exchange two photos at a time until rows are even."""
        enough = max(enough, LARGEST_UNEVENNESS)
        run = partial(exchange_pairs, field, movable=choice.cells, rows=rows, noise=noise, enough=enough)
        most = len(UNEVEN_COSTS) * PAIR_EXCHANGES + 1
        return Step(most, partial(run, seed=self.options.seed, stop=self.stop))

    def _evened(self, sheet: Indices) -> Indices:
        """The sheet with justified rows that are about equally high; `_pairs` has made small sheets even already."""
        if self.aspects is None or (self._in_pairs and self.options.refine):
            return sheet
        return even_rows(self.arrangement, self.aspects, sheet, self.stop)

    def _further(self, field: Field, choice: Choice) -> Step:
        """The rounds of exchanges that the effort adds."""
        most, weights = further_rounds(self.options.effort, len(choice.cells))
        step = self._polish(field, choice, most, weights, polish_further)
        return replace(step, most=most + 1) if most else step  # one more: it may return to its first sheet

    def _polish(
        self,
        field: Field,
        choice: Choice,
        most: int,
        weights: Weights | None = None,
        by: Callable[..., Iterator[Indices]] | None = None,
    ) -> Step:
        """At most this many rounds of exchanges, by `polish` or by another function of that kind."""
        seed, stop = self.options.seed, self.stop
        run = partial(by or polish, field, movable=choice.cells, most=most, seed=seed, stop=stop, weights=weights)
        return Step(most, run).with_price(self._copy_price(choice))

    def _copy_price(self, choice: Choice) -> CopyPrice | None:
        """The price of copies near each other; None where no photo is repeated."""
        return CopyPrice.of(self.arrangement.shape, len(self.arrangement.photos)) if choice.repeats else None

    def _finished(self, field: Field, sheet: Indices) -> Layout:
        """The answer, with how sure each cell is."""
        if self.earlier.start != CALM:
            self.journal.fresh_roughness = self.arrangement.roughness(sheet)
        with self.journal.timed("refine"):
            self.journal.confidence = Exchanges(self.arrangement, sheet, field).confidence(self.options.seed)
        return self.journal.close(sheet, "refined")
