"""Photos, shape and pins in, a sheet out: LSMI-Sinkhorn, then one photo per cell, then refinement."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from album_app.errors import Stopped
from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.choosing import Choice, choose, shown_photos
from album_app.layout.arranging.field import Field, Pull
from album_app.layout.arranging.first_sheet import carried_sheet, first_sheet, rounded_sheet
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.arranging.journal import Journal, OnStep
from album_app.layout.arranging.learning import learn
from album_app.layout.arranging.refine import Schedule, refine
from album_app.layout.arranging.repeats import Apart, separate
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Shape
from album_app.layout.sheet import Layout
from album_app.solver.threads import one_thread
from album_app.work import OnProgress, Stop, report

SHOWN_STEPS = 16
"""A refinement shows itself about so many times."""

COLD_RADIUS = 0.4
"""Neighbourhoods that a sheet is refined from, as a share of its longer side: photos may cross most of it."""

TURNING = 1.6
"""A sheet that turns towards a new pin is shown while it is still this much rougher than the one before."""

WARM_RADIUS = 6.0
"""Neighbourhoods that a sheet which stays near an earlier one is refined from."""

WARM_DECAY = 0.9
"""The factor between radii then: most photos are nearly right, so fewer passes do."""

STAY = 0.004
"""What a photo then pays for each squared cell between its old place and a new one."""


def arrange(
    features: ArrayLike,
    shape: Shape,
    pins: Pins | None = None,
    options: Options | None = None,
    *,
    active: Sequence[int] | None = None,
    held: Pins | None = None,
    warm: Layout | None = None,
    on_step: OnStep | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Layout:
    """Lay photos (rows of `features`) out on a shape: pins in their cells, like photos next to each other.

    `active` are the photos that take part (None: all), `held` others that merely keep their cells. `warm` is an
    earlier layout: the first sheet shown is that one with the new pins, and photos stay near their places, unless one
    was newly pinned away from where it lay: then the whole sheet turns towards it. `on_step` receives complete layouts
    as they get better, `on_progress` hears of the refinement's passes; once `stop` says so the best layout so far is
    returned at once.
    """
    begun = time.perf_counter()
    options = options or Options()
    known = warm.guide if warm is not None and isinstance(warm.guide, PlanGuide) else None
    space = known.space if known is not None else None
    arrangement = Arrangement.of(features, shape, pins or Pins(), active, space, held)
    same_features = known is None or known.space is arrangement.space
    before = warm.photo_at if warm is not None and same_features and warm.shape.same_cells(shape) else None
    journal = Journal(arrangement, on_step, wanted=on_step is not None or stop is not None, since=begun)
    run = _Run(arrangement, options, journal, known if same_features else None, before, on_progress, stop)
    try:
        with one_thread():
            near = warm is not None and before is not None and options.refine and not turns(arrangement.pins, warm)
            return run.again() if near else run.afresh()
    except Stopped:
        return journal.stopped(options.fill)


def turns(pins: Pins, before: Layout) -> bool:
    """Whether a sheet turns: a photo is newly pinned to a cell where it did not lie."""
    return any(photo not in before.pins and before.positions.get(photo) != cell for photo, cell in pins.items())


@dataclass(frozen=True, eq=False)
class _Run:
    """The steps of one arrangement, each handing its sheet to the journal."""

    arrangement: Arrangement
    options: Options
    journal: Journal
    known: PlanGuide | None  # of an earlier layout with the same features
    before: Indices | None  # the photos of an earlier layout on the same cells
    on_progress: OnProgress | None
    stop: Stop | None

    def afresh(self) -> Layout:
        """A sheet from nothing but what the solver says; an earlier one with the new pins is shown until then."""
        if self.before is not None:
            self._show_earlier(self._shown(self.before))
            self.journal.expect_less(TURNING)
        shown = self._shown(None)
        guide = self._learn(shown, lambda guide: self._show_first(shown, guide))
        with self.journal.timed("round"):
            choice = self._chosen(shown, guide)
            sheet = self._rounded(guide, choice)
        if not self.options.refine:
            return self.journal.close(sheet, "rounded")
        radius = COLD_RADIUS * max(self.arrangement.shape.rows, self.arrangement.shape.columns)
        schedule = Schedule.suiting(len(choice.cells), radius, self.options.seed)
        return self._refined(self._field(guide), choice, sheet, schedule)

    def again(self) -> Layout:
        """A sheet that stays near an earlier one: as it was with the new pins at once, then refined with a new plan."""
        shown = self._shown(self.before)
        choice, sheet = self._show_earlier(shown)
        field = self._field(self._learn(shown, None))
        if not choice.repeats:
            field = field.anchored(self._earlier, STAY)
        return self._refined(field, choice, sheet, Schedule(WARM_RADIUS, WARM_DECAY, seed=self.options.seed))

    def _shown(self, before: Indices | None) -> Indices:
        """Choose the photos to be shown."""
        with self.journal.timed("round"):
            shown = shown_photos(self.arrangement, before, self.stop)
            self.journal.note_shown(shown)
        return shown

    def _show_earlier(self, shown: Indices) -> tuple[Choice, Indices]:
        """Show the earlier sheet with the new pins at once."""
        with self.journal.timed("round"):
            choice = self._chosen(shown, self.known)
            sheet = carried_sheet(self.arrangement, choice.photos, choice.cells, self._earlier)
        self.journal.guide = self.known
        self.journal.offer(sheet, "first")
        return choice, sheet

    @property
    def _earlier(self) -> Indices:
        return self.before if self.before is not None else self.arrangement.with_pins_only()

    def _learn(self, shown: Indices, on_guide: Callable[[PlanGuide], None] | None) -> PlanGuide | None:
        with self.journal.timed("solve"):
            guide = learn(self.arrangement, self.options, self.known, on_guide, self.stop, shown)
        self.journal.guide = guide
        return guide

    def _chosen(self, shown: Indices, guide: PlanGuide | None) -> Choice:
        return choose(self.arrangement, shown, guide, self.options.fill, self.before)

    def _show_first(self, shown: Indices, guide: PlanGuide) -> None:
        """Show what the solver's first iteration knows, where no cells have to be chosen for that."""
        cells = self.arrangement.free_cells
        if len(shown) == len(cells):
            self.journal.offer(first_sheet(self.arrangement, guide, shown, cells), "first")

    def _rounded(self, guide: PlanGuide | None, choice: Choice) -> Indices:
        if guide is None:
            sheet = self.arrangement.with_pins_only()
            sheet[choice.cells] = choice.photos
            return sheet
        if self.options.refine:
            sheet = first_sheet(self.arrangement, guide, choice.photos, choice.cells)
            self.journal.offer(sheet, "rounded")
            return sheet
        return rounded_sheet(self.arrangement, guide, choice.photos, choice.cells, self.options.seed, self.stop)

    def _field(self, guide: PlanGuide | None) -> Field:
        with self.journal.timed("refine"):
            return Field.of(self.arrangement, guide, Pull.of(self.options.follow))

    def _refined(self, field: Field, choice: Choice, sheet: Indices, schedule: Schedule) -> Layout:
        with self.journal.timed("refine"):
            apart = Apart.of(self.arrangement.shape, len(self.arrangement.photos)) if choice.repeats else None
            count = len(schedule.radii)
            every = max(1, count // SHOWN_STEPS)
            passes = refine(field, sheet, choice.cells, schedule, apart, self.stop)
            for done, sheet in enumerate(passes, start=1):
                report(self.on_progress, done, count)
                if done % every == 0:
                    self.journal.offer(sheet, "rounded")
            if apart is not None:
                sheet = separate(field, sheet, choice.cells, self.arrangement.shape, self.stop)
        return self.journal.close(sheet, "refined")
