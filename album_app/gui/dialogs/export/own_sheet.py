"""The sheet that is exported if it differs from the open one: fitted to a paper, or polished."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import solved
from album_app.language import tr
from album_app.layout.editing.edits import FITTED, Edit, can_be_polished, polished, reshaped
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document, cells_needed, held_places
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from album_app.render import filling_paper
from album_app.render.presets import Choice


class PaperFit:
    """Arranges the photos for a paper on trial; the open sheet changes only when the result is exported."""

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs, on_fitted: Callable[[], None]) -> None:
        self._session, self._photos, self._jobs, self._on_fitted = session, photos, jobs, on_fitted
        self._trial: tuple[ShapeSpec, Document] | None = None  # a shape, and the document arranged in it
        self._sought: ShapeSpec | None = None  # the shape in which photos are being arranged
        self._agreed: ShapeSpec | None = None  # a shape for which the user agreed that photos lose their cells

    def forget(self) -> None:
        """Forget what was tried, because the document has changed."""
        self.give_up()
        self._trial = None

    def give_up(self) -> None:
        """Stop arranging the photos for a paper."""
        self._sought = None
        self._jobs.cancel(JobKind.FIT_PAPER)

    def agree(self, document: Document, choice: Choice) -> None:
        """Note that the user agrees that photos lose their cells on this paper."""
        self._agreed = self._filling(document, choice)

    def losing(self, document: Document, choice: Choice) -> int:
        """How many photos of the sheet would lose their cells; 0 if the user has agreed to that."""
        if self.fits(document, choice):
            return 0
        spec = self._filling(document, choice)
        if document.layout is None or spec.kind != "rectangle" or spec == self._agreed:
            return 0
        return max(0, len(document.layout.shown) + document.layout.covered - spec.rows * spec.columns)

    def fits(self, document: Document, choice: Choice) -> bool:
        """Whether the open sheet fills the paper, or need not fill it."""
        if not choice.settings.fit_paper:
            return True
        spec, mask = self._filling(document, choice), document.shape.mask
        whole = spec.kind == "rectangle" and mask.shape == (spec.rows, spec.columns) and bool(mask.all())
        return spec == document.spec or whole

    def fitted(self, document: Document, choice: Choice) -> Document | None:
        """The document to export: the open one or the one on trial; None while it is still being arranged."""
        if self.fits(document, choice):
            return document
        known = self._trial
        return known[1] if known is not None and known[0] == self._filling(document, choice) else None

    def _filling(self, document: Document, choice: Choice) -> ShapeSpec:
        """The shape that fills the paper."""
        spec, needed = document.spec, self._cells_needed(document)
        if choice.cells and spec.kind not in ("text", "pages"):
            return filling_paper(ShapeSpec(cells=choice.cells), needed, choice.settings)
        return filling_paper(spec, needed, choice.settings, keeps_all=True)

    def _cells_needed(self, document: Document) -> int:
        """Cells for all photos that take part; large ones need several."""
        taking_part = self._photos.taking_part()
        return cells_needed(taking_part, document.sizes if document.spec.has_sizes else {})

    def start(self, document: Document, choice: Choice) -> None:
        """Begin to arrange the photos for the paper, unless that is done or under way."""
        if self.fitted(document, choice) is not None:
            self.give_up()
            return
        table, spec = self._photos.table, self._filling(document, choice)
        if table is None or spec == self._sought:
            return
        self._sought = spec
        needed, held = self._cells_needed(document), held_places(document)
        active = [photo for photo in self._photos.taking_part() if photo not in document.missing]

        def work(task: Task) -> Document:
            shape = build_shape(spec, needed)
            after = reshaped(document, tr(FITTED), spec, shape).document
            return replace(after, layout=solved(after, table, active, held, document.layout, task))

        def on_done(found: Document) -> None:
            self._trial, self._sought = (spec, found), None
            self._on_fitted()

        title, version = tr("Arranging the photos for this paper"), self._session.version
        self._jobs.start(JobKind.FIT_PAPER, title, work, on_done=on_done, quiet=True, version=version)

    def adopt(self, document: Document, choice: Choice) -> None:
        """Change the open sheet to the exported one, by one edit."""
        fitted = self.fitted(document, choice)
        if fitted is not None and fitted is not document:
            self._session.apply(Edit(tr(FITTED), fitted))


class PolishBeforeExport:
    """Polishes the sheet on trial; the open sheet changes only when the result is exported."""

    def __init__(self, session: Session, photos: PhotoStore) -> None:
        self._session, self._photos = session, photos
        self._trial: tuple[Layout, Document] | None = None  # the layout before, and the polished document

    def can_change(self, document: Document) -> bool:
        """Whether polishing could change the sheet; the features of all photos must be known."""
        return can_be_polished(document) and self._photos.has_features(document)

    def forget(self) -> None:
        """Forget what was polished for an earlier export."""
        self._trial = None

    def work(self, document: Document) -> Callable[[Task], Document]:
        """A function that computes the polished document, for use off the GUI thread."""
        edit, table, held = polished(document), self._photos.table, held_places(document)
        active = [photo for photo in self._photos.taking_part() if photo not in document.missing]

        def work(task: Task) -> Document:
            if edit is None or table is None:
                return document
            after = edit.document
            return replace(after, layout=solved(after, table, active, held, after.layout, task))

        return work

    def note(self, document: Document, found: Document) -> None:
        """Keep the polished document until it has been exported."""
        if document.layout is not None and found is not document:
            self._trial = document.layout, found

    def adopt(self) -> None:
        """Change the open sheet to the exported one, by one edit, unless it has been changed meanwhile."""
        document, trial = self._session.document, self._trial
        self.forget()
        if document is None or document.layout is None or trial is None:
            return
        before, found = trial
        same_photos = np.array_equal(document.layout.photo_at, before.photo_at)
        is_same = same_photos and document.layout.shape.same_cells(before.shape)
        if is_same and found.layout is not None and not np.array_equal(found.layout.photo_at, before.photo_at):
            after = replace(document, layout=found.layout, options=found.options)
            self._session.apply(Edit(tr("Polish"), after))
