"""The sheets of one arrangement so far: timed, shown as they get better, and the best of them returned on a stop."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from album_app.layout.arranging.arrangement import Arrangement, Indices
from album_app.layout.arranging.calm import Facing
from album_app.layout.arranging.choosing import repeated_photos, resemblance
from album_app.layout.arranging.guide import PlanGuide
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.solver import Solution

OnStep = Callable[[Layout], None]

SHOWN_STEPS = 16
"""About how many intermediate sheets of a refinement are shown."""

CELLS_FOR_TIMED_STEPS = 3000
"""On sheets with more cells, intermediate sheets are shown at regular times instead: to compare one takes long."""

SECONDS_BETWEEN_STEPS = 0.1
"""The time between two intermediate sheets of these."""


class Journal:
    """Collects the sheets of one arrangement and passes each that is better than those before to a listener."""

    def __init__(
        self,
        arrangement: Arrangement,
        options: Options,
        on_step: OnStep | None,
        *,
        wanted: bool,
        since: float,
        facing: Facing | None = None,
        features_key: str = "",
        sizes: Mapping[int, int] | None = None,
        aspects: NDArray[np.floating] | None = None,
        timed_from: int = CELLS_FOR_TIMED_STEPS,
        seconds_between_steps: float = SECONDS_BETWEEN_STEPS,
    ) -> None:
        """`wanted` is whether any sheet before the last one is used, `since` the time when the work began.

        Every sheet is shown the way round that `facing` decides, and carries `features_key`. Sheets with more than
        `timed_from` movable cells are offered every `seconds_between_steps`.
        """
        self._facing, self._features_key, self._sizes = facing, features_key, sizes or {}
        self._aspects, self._timed_from, self._seconds_between_steps = aspects, timed_from, seconds_between_steps
        self._arrangement, self._options, self._on_step, self._wanted = arrangement, options, on_step, wanted
        self._roughness, self._allowed, self._looked = np.inf, 1.0, since
        self._seconds = {"solve": time.perf_counter() - since, "round": 0.0, "refine": 0.0}
        self._listening = 0.0
        self._best: tuple[Indices, str] | None = None  # a sheet and its stage
        self._shown = arrangement.loose_photos[: len(arrangement.free_cells)]
        self._resembles: dict[int, int] = {}
        self.guide: PlanGuide | None = None
        self.fresh_roughness = 0.0  # of the last sheet that was arranged afresh
        self.lone: frozenset[int] = frozenset()  # pinned photos that attract no others
        self.confidence: NDArray[np.float32] | None = None  # of the finished sheet

    def note_shown(self, photos: Indices) -> None:
        """From now on sheets show these loose photos; each photo left out gets the shown one that it resembles."""
        self._shown, self._resembles = photos, resemblance(self._arrangement, photos)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the time of a block to `solve`, `round` or `refine`, without the time that the listener takes."""
        start, listening = time.perf_counter(), self._listening
        try:
            yield
        finally:
            self._seconds[part] += time.perf_counter() - start - (self._listening - listening)

    def offer(self, photo_at: Indices, stage: str, *, anyway: bool = False) -> None:
        """Keep and show a sheet if it is smoother than those before, or not too much rougher where that is allowed.

        With `anyway` it is shown in any case, and later ones are compared with it.
        """
        if not self._wanted:
            return
        if anyway:
            self._roughness, self._best = np.inf, None
        roughness = self._arrangement.roughness(photo_at)
        if self._best is None or roughness < self._roughness * self._allowed:
            self._roughness, self._best = min(roughness, self._roughness), (photo_at, stage)
            self._show(self._layout(photo_at, stage))
        self._looked = time.perf_counter()

    def is_timed(self, cells: int) -> bool:
        """Whether intermediate sheets with this many movable cells are offered at regular times."""
        return cells > self._timed_from

    def is_due(self, done: int, count: int, cells: int) -> bool:
        """Whether to offer the sheet after `done` of `count` steps, which has this many movable cells."""
        if self.is_timed(cells):
            return self._wanted and time.perf_counter() - self._looked >= self._seconds_between_steps
        return done % max(1, count // SHOWN_STEPS) == 0

    def allow(self, factor: float) -> None:
        """From now on show sheets that are up to `factor` rougher than the smoothest so far."""
        self._allowed = max(factor, self._allowed)

    def _show(self, layout: Layout) -> None:
        if self._on_step is not None:
            start = time.perf_counter()
            self._on_step(layout)
            self._listening += time.perf_counter() - start

    def close(self, photo_at: Indices, stage: str) -> Layout:
        """The last sheet as the answer; it is shown as well."""
        layout = self._layout(photo_at, stage, final=True)
        self._show(layout)
        return layout

    def stopped(self) -> Layout:
        """The best sheet so far with the times until now; one in the album's order where there is none yet."""
        if self._best is None:
            return self._layout(_in_order(self._arrangement, self._shown, self._options.fill), "first")
        return self._layout(*self._best, final=True)

    def _layout(self, photo_at: Indices, stage: str, final: bool = False) -> Layout:
        guide, solution = self.guide, self.guide.solution if self.guide is not None else None
        confidence = np.zeros(len(photo_at), np.float32)
        if self.confidence is not None:
            confidence = self.confidence.copy()
        elif guide is not None and final and stage == "rounded":
            confidence = guide.confidence.copy()
        confidence[self._arrangement.pinned_cells] = 1.0
        way = self._facing.way(photo_at) if self._facing is not None else None
        if way is not None:
            photo_at, confidence = photo_at[way.before], confidence[way.before]
            guide = guide.turned(way) if guide is not None else None
        return Layout(
            self._arrangement.shape,
            photo_at,
            confidence,
            self._arrangement.pins,
            solution.smi if solution is not None else 0.0,
            self._resembles,
            stage,
            dict(self._seconds),
            guide,
            arranged=solution is not None or stage != "first",
            fresh_roughness=self.fresh_roughness,
            options=self._options,
            features_key=self._features_key,
            lone=self.lone,
            sizes=self._sizes,
            aspects=self._aspects,
            converged=solution is None or solution.converged,
            degenerate=_flaw(solution) if solution is not None else "",
        )


def _flaw(solution: Solution) -> str:
    """Why the solver's plan says little; a sheet needs no pins, so that few of them are no flaw of it."""
    reason = solution.degenerate
    return "" if reason == solution.state.model.problem.too_few else reason


def _in_order(arrangement: Arrangement, shown: Indices, fill: str) -> Indices:
    """The photos in the free cells, both in their order."""
    photo_at, cells = arrangement.fixed_sheet(), arrangement.free_cells
    photos = repeated_photos(arrangement) if fill == "repeat" and len(shown) < len(cells) else shown
    photo_at[cells[: len(photos)]] = photos
    return photo_at
