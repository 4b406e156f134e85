"""Numbers over the sheet: how sure each cell is, or where else a photo could go."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from album_app.gui.canvas.overlays import heat_image
from album_app.gui.state.advice import Advice
from album_app.gui.state.session import Session
from album_app.language import tr
from album_app.layout.layout import Layout

NO_MAP, CONFIDENCE, PLACES = "", "confidence", "places"
SMALLEST_SPREAD = 0.02


class HeatMap(QObject):
    """The map that is switched on, as a picture with one pixel per cell.

    Signals:
        changed(): there is another picture, or none
    """

    changed = Signal()

    def __init__(self, session: Session, advice: Advice) -> None:
        super().__init__(session)
        self._session = session
        self._advice = advice
        self.name = NO_MAP
        self.image: QImage | None = None
        self.legend: tuple[str, str] | None = None  # what the two ends of the colours mean
        session.layout_changed.connect(self.refresh)
        session.selection_changed.connect(self._follow_selection)
        session.opened.connect(self.refresh)

    def switch(self, name: str) -> None:
        """Show another map: "" for none."""
        self.name = name
        if name == PLACES and self._session.current is None:
            self._session.tell(tr("Select a photo to see where else it could go."))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        document = self._session.document
        layout = None if document is None else document.layout
        photo = self._session.current
        if self.name == CONFIDENCE and layout is not None:
            self._show(layout, stretched_confidence(layout), (tr("unsure"), tr("sure of its place")))
        elif self.name == PLACES and layout is not None and photo is not None:
            self._advice.places(photo, lambda shares: self._show_places(layout, shares))
        else:
            self._show(None, None, None)

    @Slot()
    def _follow_selection(self) -> None:
        if self.name == PLACES:
            self.refresh()

    def _show_places(self, layout: Layout, shares: NDArray[np.floating]) -> None:
        if self.name == PLACES:
            largest = float(shares.max()) if len(shares) else 0.0
            self._show(layout, shares / largest if largest > 0 else shares, (tr("unlikely"), tr("likely")))

    def _show(self, layout: Layout | None, values: NDArray[np.floating] | None, legend: tuple[str, str] | None) -> None:
        self.image = self.legend = None
        if layout is not None and values is not None and len(values) == layout.shape.count:
            self.image, self.legend = heat_image(layout.shape, values), legend
        self.changed.emit()


def stretched_confidence(layout: Layout) -> NDArray[np.floating]:
    """How sure each photo's place is, spread over all the colours.

    Pinned cells, which are sure by decree, would leave few colours for the others if they set the scale.
    """
    values = np.where(layout.photo_at >= 0, layout.confidence, np.nan).astype(np.float64)
    pinned = [layout.shape.index_of(cell) for cell in layout.pins.values() if cell in layout.shape]
    free = np.delete(values, pinned)
    free = free[~np.isnan(free)]
    low, high = (float(end) for end in np.quantile(free, (0.02, 0.98))) if len(free) else (0.0, 1.0)
    if high - low < SMALLEST_SPREAD:
        low, high = 0.0, 1.0
    return np.clip((values - low) / (high - low), 0.0, 1.0)
