"""What is measured of a sheet, in numbers and in a small plot: for those who know what they mean."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from album_app.gui.controls.sections import muted
from album_app.gui.panel.convergence_plot import ConvergencePlot
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import smi_text
from album_app.language import mark, number, tr, trn
from album_app.layout.editing.edits import Counts
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document

LINES = (
    ("features", mark("Features"), mark("What the photos were arranged by; the scores below use these features.")),
    ("smi", "SMI", mark("Squared-loss mutual information between photos and places; z says how far above chance.")),
    ("dpq16", "DPQ₁₆", mark("How well neighbours resemble each other: 1 is perfect, about 0.4 is chance.")),
    (
        "pin_pull",
        mark("Pin pull"),
        mark("How much the pinned photos gather their like around them: 1 is ideal, 0 is chance."),
    ),
    (
        "coverage",
        mark("Coverage"),
        mark("How well the shown photos stand for those left out: below 1 is better than chance."),
    ),
    (
        "gap",
        mark("Given up"),
        mark("How much of the plan's favourites one photo per cell had to give up: 0 is nothing."),
    ),
    ("shown", mark("Shown"), mark("Photos on the sheet / photos / cells.")),
    ("plan", mark("Plan"), mark("Whether the solver's plan had come to rest.")),
)
UNKNOWN = "–"
NOT_MEASURED = mark("not measured yet")


class ScoreTable(QWidget):
    """Follows the layout; the scores come a moment after it has settled."""

    def __init__(self, session: Session, photos: PhotoStore, solving: Solving) -> None:
        super().__init__()
        self._session, self._photos = session, photos
        self._values: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        for line, (key, title, hint) in enumerate(LINES):
            name, value = muted(tr(title)), QLabel(UNKNOWN)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setProperty("role", "value")
            value.setAccessibleName(tr(title))
            for label in (name, value):
                label.setToolTip(tr(hint))
            grid.addWidget(name, line, 0)
            grid.addWidget(value, line, 1)
            self._values[key] = value
        self._caution = muted(wrap=True)
        self._plot = ConvergencePlot()
        for line, widget in enumerate((self._caution, self._plot), len(LINES)):
            grid.addWidget(widget, line, 0, 1, 2)
        for changed in (session.opened, session.layout_changed, solving.scored, photos.fewer_take_part):
            changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show what is known of the layout."""
        document = self._session.document
        layout = None if document is None else document.layout
        texts = {} if document is None or layout is None else _texts(document, layout, self._photos.counts())
        for key, value in self._values.items():
            text = texts.get(key, UNKNOWN)
            if value.text() != text:
                value.setText(text)
        self._caution.setText("" if layout is None else layout.caution)
        self._caution.setVisible(bool(self._caution.text()))
        self._plot.show_trace(() if layout is None else layout.trace)


def _texts(document: Document, layout: Layout, counts: Counts) -> dict[str, str]:
    scores = {key: number(score, 3) for key, score in layout.scores.items()}
    if not scores:
        scores = {"dpq16": tr(NOT_MEASURED)}
    repeats = trn(" ({count} repeat)", " ({count} repeats)", counts.repeats) if counts.repeats else ""
    shown = f"{counts.shown} / {counts.photos} / {counts.cells}{repeats}"
    return {
        **scores,
        "features": document.layout_features,
        "smi": smi_text(layout),
        "shown": shown,
        "plan": _plan_words(layout),
    }


def _plan_words(layout: Layout) -> str:
    if not layout.arranged:
        return UNKNOWN
    if layout.degenerate:
        return tr("says little")
    return tr("at rest") if layout.converged else tr("still moving")
