"""Keeps the layout up with the document: makes shapes, solves, and scores, all in the background.

Each solve and each shape is for one version of the document.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from album_app.gui.state.jobs import JobKind, Jobs, OnError, Task
from album_app.gui.state.photo_store import Features, FeatureTable, PhotoStore
from album_app.gui.state.session import Requests, Session
from album_app.gui.style.wording import photos_words
from album_app.language import tr
from album_app.layout import Cell, Document, Layout, Pins
from album_app.layout.editing.edits import arranged_again, reshaped
from album_app.layout.editing.refit import with_proportions
from album_app.layout.editing.timeline import compared, moments_for_chapters
from album_app.layout.options import EFFORTS
from album_app.layout.project.document import cells_needed, held_places
from album_app.layout.shapes.shape import Shape, ShapeSpec, build_shape
from album_app.photos.cache import Cache
from album_app.photos.features.table import features_key
from album_app.photos.fonts import families
from album_app.photos.quality import quality_of
from album_app.work import Stop


class Reshaping:
    """Makes the shape that was asked for last, with cells for all photos that take part.

    After an edit in the meantime the shape is made again for the new version of the document, as `Requests` says.
    """

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._requests = Requests(session)

    def start(
        self, spec: ShapeSpec, name: str = "", merge: str = "", on_error: OnError = None, **options: object
    ) -> None:
        """Give the sheet a shape, and options with it; nothing happens where it has the shape already."""
        document = self._session.document
        spec = spec if document is None else with_proportions(spec, document.album)
        if document is None or spec == document.spec:
            self.give_up_shape()
            return
        count = self._cells_needed(spec)

        def on_done(shape: Shape) -> None:
            self._requests.end(JobKind.SHAPE)
            if self._cells_needed(spec) != count:  # photos turned out damaged
                self.start(spec, name, merge, on_error, **options)
            else:
                self._session.edit(reshaped, name or tr("Change shape"), spec, shape, merge, **options)
                self._explain_hold()

        def on_failed(error: Exception) -> bool:
            self._requests.end(JobKind.SHAPE)
            return on_error is not None and on_error(error)

        self._requests.note(JobKind.SHAPE, lambda: self.start(spec, name, merge, on_error, **options))
        work, version = lambda task: build_shape(spec, count), self._session.version
        self._jobs.start(JobKind.SHAPE, "", work, on_done=on_done, on_error=on_failed, quiet=True, version=version)

    def _explain_hold(self) -> None:
        """Say what another shape means for a sheet that is held."""
        if self._session.document is not None and self._session.document.is_held:
            self._session.tell(
                tr("The sheet is held: photos stay in cells that the new shape has, too; the others fill the rest.")
            )

    def _cells_needed(self, spec: ShapeSpec) -> int:
        """Cells for all photos that take part; large ones need several."""
        document, photos = self._session.document, self._photos.taking_part()
        return cells_needed(photos, {} if document is None or not spec.has_sizes else document.sizes)

    def preview(self, spec: ShapeSpec, on_done: Callable[[Shape], None], on_error: OnError) -> None:
        """Make a shape to show it, without giving it to the sheet."""
        document, count = self._session.document, self._cells_needed(spec)
        spec = spec if document is None else with_proportions(spec, document.album)
        work = lambda task: build_shape(spec, count)  # noqa: E731
        self._jobs.start(JobKind.SHAPE_PREVIEW, "", work, on_done=on_done, on_error=on_error, quiet=True)

    def list_fonts(self, on_done: Callable[[list[str]], None]) -> None:
        """Read the names of the fonts that letters can be drawn with."""
        self._jobs.start(JobKind.FONTS, "", lambda task: families(task.stop), on_done=on_done, quiet=True)

    def give_up_preview(self) -> None:
        self._jobs.cancel(JobKind.SHAPE_PREVIEW)

    def give_up(self) -> None:
        """Forget the shape that is being made, and its preview."""
        self.give_up_shape()
        self.give_up_preview()

    def give_up_shape(self) -> None:
        self._requests.end(JobKind.SHAPE)
        self._jobs.cancel(JobKind.SHAPE)


MOST_MISJUDGED_SHARE = 0.3
"""If previews misjudged a larger share of the photos, the sheet is arranged afresh from the photos themselves."""
SCORE_AFTER_MS = 250
"""Milliseconds from the end of a solve to scoring its layout, so that quick edits are not scored one by one."""
CELLS_FOR_A_FINE_FIRST_SHEET = 600
"""Up to this many cells the first sheet gets more effort: about 0.3 seconds of the processor for 320 photos."""
SECONDS_BETWEEN_STEPS = 0.04
"""The least time between two layouts that a solve sends to the window while tiles glide."""


class Solving(QObject):
    """Solves the document of the session after each change, and scores the layout.

    `seconds_between_steps` is the least time between two layouts that are shown while a solve runs.

    Signals:
        settled(Layout): the last layout of a solve is in place
        scored(Layout): the document's layout has its scores now
    """

    settled = Signal(object)
    scored = Signal(object)

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._seen: Document | None = None
        self._solved_with: Features | None = None
        self._shown: Layout | None = None
        self._unfinished = False  # whether a solve has begun and has not ended
        self._base: Layout | None = None  # the sheet before the edits that are being solved
        self.seconds_between_steps = SECONDS_BETWEEN_STEPS
        self._score_timer = QTimer(self, singleShot=True, interval=SCORE_AFTER_MS)
        self._score_timer.timeout.connect(self.score)
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        session.layout_changed.connect(self._on_layout)

    @Slot()
    def _on_opened(self) -> None:
        self._seen, self._solved_with = self._session.document, None
        self._shown = self._base = None
        self._unfinished = False
        self._score_timer.stop()

    @Slot(str)
    def _on_document(self, name: str) -> None:
        document, former = self._session.document, self._seen
        self._seen = document
        if not self._unfinished:
            self._base = self._shown
        self._unfinished = False
        if document is None:
            return
        if document.is_settled:
            self._score_timer.start()
        elif former is not None and former.album is not document.album and self._lacks_known_look(document):
            pass  # the new photos are placed by one solve, once their features are known
        elif former is None or not waits_for_features(former, document) or self._photos.has_features(document):
            self.start()

    @Slot(object)
    def _on_layout(self, layout: Layout) -> None:
        self._shown = layout

    @Slot()
    def refresh(self) -> None:
        """Solve if the layout is not the best one yet, or was found with features that have become better since."""
        document = self._session.document
        if document is None:
            return
        if self._has_better_features(document) or not (document.is_settled or self._jobs.running(JobKind.ARRANGE)):
            self.start()
        else:
            self.score()

    def _has_better_features(self, document: Document) -> bool:
        """Whether better features are known now than those that the layout was found with."""
        if self._solved_with is not None:
            return self._solved_with is not self._photos.features
        return document.layout_features != document.options.features and self._photos.has_features(document)

    @property
    def is_as_opened(self) -> bool:
        """Whether the layout is still the one that was opened, arranged by the look that it was saved with."""
        return self._solved_with is None and self._session.is_settled

    def again(self) -> None:
        """Arrange again from scratch, as an edit of its own, so that undo brings the former sheet back."""
        self._session.edit(arranged_again)

    @Slot()
    def start(self) -> None:
        """Solve the document, starting from its layout; without features wait until they are known."""
        session, document = self._session, self._session.document
        if document is None or not document.active:
            return
        if document.is_held and document.is_settled:
            self.score()
            return
        table = self._photos.table
        if table is None:
            return
        looking = self._jobs.running(JobKind.FEATURES) or self._jobs.running(JobKind.PHOTOS)
        if looking and self._lacks_known_look(document):
            return
        warm = self._sheet_to_start_from(document)
        misjudged = self._photos.vectors.take_misjudged()
        if warm is not None and misjudged is not None:
            warm = _without_misjudged(document, warm, misjudged, table)
        active = [photo for photo in self._photos.taking_part() if photo not in document.missing]
        held = held_places(document)
        self._solved_with, self._unfinished = table.rows, True
        self._jobs.cancel(JobKind.SCORE)

        def work(task: Task) -> Layout:
            return solved(document, table, active, held, warm, task, seconds_between_steps=between)

        def on_parts(parts: list[Layout]) -> None:
            session.accept_layout(parts[-1])

        def on_done(layout: Layout) -> None:
            self._base, self._unfinished = None, False
            session.accept_layout(layout)
            self.settled.emit(layout)
            self._score_timer.start()

        title, version = tr("Arranging {photos}", photos=photos_words(len(active))), session.version
        between = self.seconds_between_steps
        self._jobs.start(JobKind.ARRANGE, title, work, on_parts=on_parts, on_done=on_done, version=version)

    def _lacks_known_look(self, document: Document) -> bool:
        """Whether the layout was found with the wanted features, which are not known for all photos yet.

        A solve with other features would move all photos, and the solve after it would move them again.
        """
        before = self._sheet_to_start_from(document)
        if before is None or before.options is None or not before.features_key:
            return False
        return before.options.features == document.options.features and not self._photos.has_features(document)

    def _sheet_to_start_from(self, document: Document) -> Layout | None:
        """The layout that a solve starts from: the one before the edits, or the present one, if it was arranged.

        Compared with the layout before the edits, the solver sees which pins are new. After a change of the shape it
        keeps the orientation of that layout.
        """
        layout, base = document.layout, self._base
        if document.again:
            return layout
        if layout is None or base is None or not base.arranged:
            return layout if layout is not None and layout.arranged else None
        same_cells = base.shape.same_cells(layout.shape)
        if not layout.arranged:
            return replace(base, arranged=False) if same_cells else base  # "Arrange again" keeps the orientation
        return base if same_cells and base.pins != layout.pins else layout

    @Slot()
    def score(self) -> None:
        """Compute the scores of the present layout, which the quality panel shows, unless they are known.

        A layout is scored by the features that it was made with, so scoring waits until they are known.
        """
        session, document = self._session, self._session.document
        if document is None or document.layout is None or self._jobs.running(JobKind.ARRANGE):
            return
        if self._jobs.running(
            JobKind.PHOTOS
        ):  # reading photos is more urgent: the scores of very many photos take a while
            self._score_timer.start()
            return
        layout = document.layout
        features = self._photos.features_of_layout
        if features is None or layout.scores:
            self.scored.emit(layout)
            return

        def work(task: Task) -> Mapping[str, float]:
            from album_app.layout.evaluation.insight import scores_of

            return scores_of(document, layout, features, task.stop)

        def on_done(scores: Mapping[str, float]) -> None:
            session.accept_scores(scores)
            self.scored.emit(session.document.layout if session.document is not None else layout)

        self._jobs.start(JobKind.SCORE, "", work, on_done=on_done, quiet=True, version=session.version)


def solved(
    document: Document,
    table: FeatureTable,
    active: Sequence[int],
    held: Pins,
    warm: Layout | None,
    task: Task,
    stop: Stop | None = None,
    *,
    seconds_between_steps: float = SECONDS_BETWEEN_STEPS,
) -> Layout:
    """The best layout for a document, which may start from the layout `warm`; better and better ones are sent before.

    Each layout names the features of `table`, which may stand in for those that the document asks for. The solve ends
    with the task unless another `stop` is given.
    """
    from album_app.layout.arranging.arrange import arrange

    steps = _Steps(task, seconds_between_steps)
    layout = arrange(
        compared(document, table.rows),
        document.shape,
        document.pins,
        replace(document.options, features=table.name, effort=_effort(document, table, warm)),
        sizes=document.sizes,
        aspects=document.album.aspects,
        active=active,
        missing=held,
        always=document.always_shown,
        when=moments_for_chapters(document.spec, document.dated_photos),
        warm=warm,
        hold=None if warm is None else _held_cells(document),
        afresh=bool(document.again),
        new_choice=document.new_choice,
        features_key=features_key(table.name) if table.complete else "",
        quality=_quality(document, active, stop or task.stop),
        on_step=steps.show,
        on_progress=task.progress,
        stop=stop or task.stop,
    )
    return steps.traced(layout)


def _effort(document: Document, table: FeatureTable, warm: Layout | None) -> str:
    """The effort of a solve: the first sheet of a document gets more where that costs a fraction of a second.

    Later sheets do not, because more effort would move four photos of five by a cell or two. At a price of moving that
    keeps 0.9 of the photos in place (by colour; 0.8 by meaning), it gains a third of what the first sheet gains (by
    colour; three quarters by meaning).
    """
    asked = document.options.effort
    first = warm is None and table.complete
    small = document.shape.count <= CELLS_FOR_A_FINE_FIRST_SHEET
    return EFFORTS[1] if first and small and asked == EFFORTS[0] else asked


class _Steps:
    """Sends the layouts of one solve to the window, each with the trace of SMI over time up to it."""

    def __init__(self, task: Task, seconds_between: float) -> None:
        self._task = task
        self._seconds_between = seconds_between
        self._began = self._shown_at = time.monotonic()
        self._trace: list[tuple[float, float]] = []

    def show(self, layout: Layout) -> None:
        """Send a sheet to the window; rounded ones only at intervals, because they come fast."""
        now = time.monotonic()
        if layout.stage != "rounded" or now - self._shown_at > self._seconds_between:
            self._shown_at = now
            self._trace.append((now - self._began, layout.smi))
            self._task.send_now(self.traced(layout))

    def traced(self, layout: Layout) -> Layout:
        """The sheet with the trace so far."""
        return replace(layout, trace=tuple(self._trace))


def _quality(document: Document, active: Sequence[int], stop: Stop) -> NDArray[np.float32] | None:
    """The quality of each photo, where it decides which photos are shown; None where it does not."""
    if document.options.choose == "varied" or len(active) <= document.shape.count:
        return None
    with Cache.open() as cache:
        return quality_of(document.album.photos, cache, stop=stop)


def _held_cells(document: Document) -> list[Cell] | None:
    """The cells that a solve has to leave as they are; None if there are none."""
    if document.again:
        return [cell for cell in map(document.shape.cell, range(document.shape.count)) if cell not in document.again]
    return sorted(document.held) or None


def _without_misjudged(document: Document, sheet: Layout, misjudged: Collection[int], table: FeatureTable) -> Layout:
    """A layout that was arranged by previews, labelled as arranged by the photos, so that they keep their cells.

    Photos that their previews misjudged are taken out and placed anew. With very many of those the layout is
    unchanged, and the solver arranges it afresh.
    """
    if len(misjudged) > MOST_MISJUDGED_SHARE * len(document.album):
        return sheet
    kept = sheet.without(set(misjudged) - document.pins.keys())
    return replace(kept, guide=None, features_key=features_key(table.name))


def waits_for_features(former: Document, document: Document) -> bool:
    """Whether only the wanted features changed, so that a solve before they are known would be in vain."""
    same_sheet = former.pins == document.pins and former.shape is document.shape
    same_photos = former.excluded == document.excluded and len(former.album) == len(document.album)
    same_options = replace(former.options, features=document.options.features) == document.options
    return same_sheet and same_photos and same_options and former.options.features != document.options.features
