"""The Quality section: how good the sheet is, in numbers and in a small plot."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from album_app.gui.controls.sections import Section, muted
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving, Step
from album_app.gui.style import theme
from album_app.gui.style.wording import shown_count, smi_text

LINES = (
    ("smi", "SMI", "Squared-loss mutual information between photos and places; z says how far above chance."),
    ("dpq16", "DPQ₁₆", "How well neighbours resemble each other: 1 is perfect, about 0.4 is chance."),
    ("pin_pull", "Pin pull", "How much the pinned photos gather their like around them: 1 is ideal, 0 is chance."),
    ("coverage", "Coverage", "How well the shown photos stand for those left out: below 1 is better than chance."),
    ("gap", "Given up", "How much of the plan's favourites one photo per cell had to give up: 0 is nothing."),
    ("shown", "Shown", "Photos on the sheet / photos / cells."),
)

LEAST_RISE = 0.2
"""Of the SMI: where it changes by less, the plot shows it as little."""


class QualitySection(Section):
    """Follows the layout; the scores come a moment after it has settled."""

    def __init__(self, session: Session, photos: PhotoStore, solving: Solving) -> None:
        super().__init__("Quality")
        self._session, self._photos, self._solving = session, photos, solving
        self._values: dict[str, QLabel] = {}
        self._texts: dict[str, str] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        for line, (key, title, hint) in enumerate(LINES):
            name, value = muted(title), QLabel("–")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setProperty("role", "value")
            value.setAccessibleName(title)
            for label in (name, value):
                label.setToolTip(hint)
            grid.addWidget(name, line, 0)
            grid.addWidget(value, line, 1)
            self._values[key] = value
        self._plot = ConvergencePlot()
        self.body.addLayout(grid)
        self.body.addWidget(self._plot)
        session.opened.connect(self._on_opened)
        for changed in (session.layout_changed, solving.scored, photos.fewer_take_part):
            changed.connect(self.refresh)

    @Slot()
    def _on_opened(self) -> None:
        for key in self._values:
            self._show(key, "–")
        self._plot.set_steps([])

    def _show(self, key: str, text: str) -> None:
        if self._texts.get(key) != text:
            self._texts[key] = text
            self._values[key].setText(text)

    @Slot()
    def refresh(self) -> None:
        document = self._session.document
        if document is None or document.layout is None:
            return
        layout = document.layout
        shown = shown_count(layout)
        repeats = int((layout.photo_at >= 0).sum()) - shown
        text = f"{shown} / {len(self._photos.taking_part())} / {layout.shape.count}"
        texts = {"smi": smi_text(layout), "shown": text + (f" ({repeats} repeats)" if repeats else "")}
        for key in self._values:
            score = layout.scores.get(key)
            self._show(key, texts.get(key) or ("–" if score is None else f"{score:.3f}"))
        if len(self._solving.steps) > 1:  # until there is a new way to show, the last one stays
            self._plot.set_steps(self._solving.steps)


class ConvergencePlot(QWidget):
    """The SMI of each layout on the way to the last, over time."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Convergence: SMI of each step")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._steps: tuple[Step, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(200, 74)

    def set_steps(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
        told = f"{len(steps)} steps in {steps[-1].seconds:.2f} s, {self.span}" if steps else ""
        self.setAccessibleDescription(told)
        self.update()

    @property
    def span(self) -> str:
        """From where to where the SMI went."""
        return f"SMI {self._steps[0].smi:.3f} → {self._steps[-1].smi:.3f}" if self._steps else "SMI over time"

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = theme.current()
        area = QRectF(self.rect()).adjusted(2, 6, -2, -18)
        points = _points(self._steps, area)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            painter.setPen(QPen(QColor(palette.accent), 1.8))
            painter.drawPolyline(QPolygonF(points))
            painter.setBrush(QColor(palette.accent))
            painter.setPen(Qt.PenStyle.NoPen)
            for point in points:
                painter.drawEllipse(point, 2.2, 2.2)
            painter.setPen(QColor(palette.muted))
            foot = QRectF(self.rect()).adjusted(2, 0, -2, 0)
            took = f"{self._steps[-1].seconds:.2f} s" if self._steps else ""
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, self.span)
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, took)


def _points(steps: Sequence[Step], area: QRectF) -> list[QPointF]:
    if not steps:
        return []
    low, high = min(step.smi for step in steps), max(step.smi for step in steps)
    end = max(steps[-1].seconds, 1e-9)
    rise = max(high - low, LEAST_RISE * abs(high)) or 1.0
    low -= (rise - (high - low)) / 2
    return [
        QPointF(
            area.left() + area.width() * step.seconds / end, area.bottom() - area.height() * (step.smi - low) / rise
        )
        for step in steps
    ]
