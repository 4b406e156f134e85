"""Fitting the sheet to the paper of an export: rows and columns or lines that fill it, as steps that can be undone."""

from dataclasses import fields, replace

from album_app.gui.dialogs.export_choice import Choice
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.reshaping import Reshaping
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.editing.edits import Edit
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import ShapeSpec
from album_app.render import RenderSettings, can_fill_paper, filling_paper

STEP = "paper"


class PaperFit:
    """Knows the shape that a paper wants, has the sheet take it on, and takes that back."""

    def __init__(self, session: Session, photos: PhotoStore, reshaping: Reshaping) -> None:
        self._session, self._photos, self._reshaping = session, photos, reshaping
        self._wanted = False

    def holds(self, document: Document, settings: RenderSettings) -> bool:
        """Whether a sheet fills the paper, if it shall."""
        if not settings.fit_paper or document.shape.pages is not None:
            return True
        spec, mask = self._filling(document, settings), document.shape.mask
        return spec == document.spec or (mask.shape == (spec.rows, spec.columns) and bool(mask.all()))

    def _filling(self, document: Document, settings: RenderSettings) -> ShapeSpec:
        """The shape that fills the paper, begun from the one before it was fitted to any."""
        before, _ = self._before_fitting()
        spec = document.spec if before is None else before.spec
        return filling_paper(spec, len(self._photos.taking_part()), settings)

    def kept(self, document: Document, choice: Choice) -> Choice:
        """A choice that leaves the sheet as it is: it stays fitted to its paper, or it is not."""
        wanted = choice.settings.fit_paper and can_fill_paper(document.spec)
        self._wanted = wanted and self.holds(document, choice.settings)
        return replace(choice, settings=replace(choice.settings, fit_paper=self._wanted))

    def follow(self, document: Document, settings: RenderSettings) -> bool:
        """Fit the sheet to the paper, or take that back once it is no longer wanted; whether it stays as it is."""
        before, self._wanted = self._wanted, settings.fit_paper
        if not self.holds(document, settings):
            self._reshaping.start(self._filling(document, settings), tr("Fit to the paper"), merge=STEP)
            return False
        return self._wanted or not before or not self._take_back()

    def _take_back(self) -> bool:
        """Bring back the sheet as it was before it was fitted, unless more than its title was changed since."""
        self._reshaping.give_up()
        document, (before, steps) = self._session.document, self._before_fitting()
        if before is None or document is None:
            return False
        if before.title != document.title:
            return self._session.apply(Edit(tr("Fit to the paper"), replace(before, title=document.title)))
        for _ in range(steps):
            self._session.undo_stack.undo()
        return True

    def _before_fitting(self) -> tuple[Document | None, int]:
        """The sheet before it was fitted, and how many steps ago; none if more than its title was changed since."""
        after, before, steps = self._session.document, None, 0
        for place, step in enumerate(self._session.undo_stack.done, start=1):
            if step.merge == STEP:
                before, steps = step.before, place
            elif after is None or not _same_sheet(step.before, after):
                break
            after = step.before
        return before, steps


def _same_sheet(one: Document, other: Document) -> bool:
    """Whether nothing but titles tells two documents apart."""
    names = {field.name for field in fields(Document)} - {"title", "layout"}
    return all(getattr(one, name) == getattr(other, name) for name in names)
