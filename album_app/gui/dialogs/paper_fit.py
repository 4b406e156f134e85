"""Fitting the sheet to the paper of an export: rows and columns that fill it, as one step that can be undone."""

from dataclasses import replace

from album_app.gui.dialogs.export_choice import Choice
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.reshaping import Reshaping
from album_app.language import tr
from album_app.layout.shapes.shape import ShapeSpec
from album_app.layout.sheet import Layout
from album_app.render import RenderSettings, spec_for_paper


class PaperFit:
    """Knows the shape that a paper wants, and has the sheet take it on."""

    def __init__(self, photos: PhotoStore, reshaping: Reshaping) -> None:
        self._photos, self._reshaping = photos, reshaping

    def holds(self, layout: Layout, settings: RenderSettings) -> bool:
        """Whether a layout fills the paper, if it shall."""
        if not settings.fit_paper:
            return True
        spec, mask = self._spec(settings), layout.shape.mask
        return mask.shape == (spec.rows, spec.columns) and bool(mask.all())

    def kept(self, layout: Layout, choice: Choice) -> Choice:
        """A choice that leaves the sheet as it is: it stays fitted to its paper, or it is not."""
        fits = choice.settings.fit_paper and self.holds(layout, choice.settings)
        return replace(choice, settings=replace(choice.settings, fit_paper=fits))

    def start(self, settings: RenderSettings) -> None:
        """Arrange the photos on the rows and columns that fill the paper."""
        self._reshaping.start(self._spec(settings), tr("Fit to the paper"), merge="fit to paper")

    def _spec(self, settings: RenderSettings) -> ShapeSpec:
        return spec_for_paper(len(self._photos.taking_part()), settings)
