"""The section for researchers: scores, convergence and the parameters of the solver."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QGridLayout, QLabel, QSizePolicy, QSpinBox, QWidget

from album_app.gui.controls.input import SheetUndo
from album_app.gui.controls.sections import Section, button, muted, row
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style import theme
from album_app.gui.style.wording import smi_text
from album_app.language import mark, number, short_number, tr, trn
from album_app.layout import Document, Layout, Options
from album_app.layout.editing.edits import with_options
from album_app.layout.project.document import Counts

LEAST_RANGE_SHARE = 0.2
"""The plot's range is at least this share of the highest SMI, so that small changes look small."""

Trace = tuple[tuple[float, float], ...]
"""The SMI of each layout up to the last one: pairs of seconds and SMI."""


class ConvergencePlot(QWidget):
    """A plot of the SMI of each layout up to the last one, over time."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Convergence: SMI of each step"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._trace: Trace = ()
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(200, 74)

    def show_trace(self, trace: Trace) -> None:
        self._trace = trace
        self.setHidden(self.isHidden() and not trace)  # once shown it stays, so that the panel does not jump
        self.setAccessibleDescription(self._described() if trace else "")
        self.update()

    def _described(self) -> str:
        seconds = number(self._trace[-1][0], 2)
        return trn(
            "{count} step in {seconds} s, {span}",
            "{count} steps in {seconds} s, {span}",
            len(self._trace),
            seconds=seconds,
            span=self.span,
        )

    @property
    def span(self) -> str:
        """The first and the last SMI, in words."""
        if not self._trace:
            return tr("SMI over time")
        first, last = number(self._trace[0][1], 3), number(self._trace[-1][1], 3)
        return f"SMI {first} → {last}"

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = theme.current()
        area = QRectF(self.rect()).adjusted(2, 6, -2, -18)
        points = _points(self._trace, area)
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
            took = f"{number(self._trace[-1][0], 2)} s" if self._trace else ""
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, self.span)
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, took)


def _points(trace: Trace, area: QRectF) -> list[QPointF]:
    if not trace:
        return []
    low, high = min(smi for _, smi in trace), max(smi for _, smi in trace)
    end = max(trace[-1][0], 1e-9)
    rise = max(high - low, LEAST_RANGE_SHARE * abs(high)) or 1.0
    low -= (rise - (high - low)) / 2
    across, up = area.width() / end, area.height() / rise
    return [QPointF(area.left() + seconds * across, area.bottom() - (smi - low) * up) for seconds, smi in trace]


LINES = (
    ("features", mark("Features"), mark("What the photos were arranged by; the scores below use these features.")),
    ("smi", "SMI", mark("Squared-loss mutual information between photos and places; z says how far above chance.")),
    ("dpq16", "DPQ₁₆", mark("How well neighbours resemble each other: 1 is perfect, about 0.4 is chance.")),
    (
        "pin_pull",
        mark("Pin pull"),
        mark("How strongly similar photos gather around the pinned ones: 1 is ideal, 0 is chance."),
    ),
    (
        "coverage",
        mark("Coverage"),
        mark("How well the shown photos stand for those left out: below 1 is better than chance."),
    ),
    (
        "gap",
        mark("Given up"),
        mark("How much of the transport plan is lost because each cell takes one photo: 0 is nothing."),
    ),
    ("shown", mark("Shown"), mark("Photos on the sheet / photos / cells.")),
    ("plan", mark("Plan"), mark("Whether the solver's transport plan has converged.")),
)
UNKNOWN = "–"
NOT_MEASURED = mark("not measured yet")


class ScoreTable(QWidget):
    """The scores of the layout, which appear a moment after it has settled."""

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
        self.refresh()  # an album may have been opened before the panel was made

    @Slot()
    def refresh(self) -> None:
        """Show the scores and the convergence of the layout."""
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


@dataclass(frozen=True)
class Number:
    """A numeric option of the solver: its name, its range, and what it does."""

    key: str
    title: str
    low: float
    high: float
    decimals: int
    step: float
    hint: str


NUMBERS = (
    Number("beta", "β", 0, 1, 2, 0.05, mark("Weight of the pins against the other photos in the mutual information.")),
    Number("epsilon", "ε", 0.000001, 1000, 4, 0.01, mark("Entropy of the plan: small is sharp, large is soft.")),
    Number("lam", "λ", 0.000001, 1000, 6, 0.001, mark("Regularisation of the density ratio.")),
    Number("basis", "b", 1, 100_000, 0, 50, mark("Number of basis functions of the density ratio.")),
    Number("iterations", "T", 1, 10_000, 0, 5, mark("Outer iterations of the solver.")),
    Number("seed", mark("Seed"), 0, 2**31 - 1, 0, 1, mark("Another seed, another equally good sheet.")),
)


class ShortNumberBox(QDoubleSpinBox):
    """A field for numbers of up to six decimals that leaves out zeros at the end: 0.3 instead of 0.300000."""

    def textFromValue(self, value: float) -> str:
        return super().textFromValue(value).rstrip("0").rstrip(self.locale().decimalPoint())


class ResearchersSection(Section):
    """Shows the scores, and shows and changes the options of the solver; each change is an edit of its own."""

    def __init__(self, session: Session, photos: PhotoStore, solving: Solving) -> None:
        super().__init__(tr("For researchers"), open_at_first=False)
        self._session = session
        self._boxes: dict[str, QSpinBox | QDoubleSpinBox] = {}
        self._auto = QCheckBox(tr("Choose β and λ by cross-validation"))
        self._auto.setToolTip(tr("Needs a few pins to learn from; slower."))
        self._refine = QCheckBox(tr("Refine the sheet"))
        self._refine.setToolTip(tr("Off shows the bare result of LSMI-Sinkhorn."))
        self._chosen = muted(wrap=True)
        self.body.addWidget(ScoreTable(session, photos, solving))
        self.body.addWidget(self._auto)
        self.body.addWidget(self._chosen)
        self._rows: dict[str, QWidget] = {}
        for one in NUMBERS:
            box = self._make_box(one)
            self._boxes[one.key] = box
            self._rows[one.key] = row(tr(one.title), box)
            self.body.addWidget(self._rows[one.key])
        self.body.addWidget(self._refine)
        self.body.addWidget(button(tr("Reset to the defaults"), self._reset))
        self.body.addWidget(muted(tr("The defaults suit almost every album."), wrap=True))
        SheetUndo(*self._boxes.values())
        self._auto.toggled.connect(lambda on: self._set(tr("Cross-validation"), auto=on))
        self._refine.toggled.connect(lambda on: self._set(tr("Refine the sheet"), refine=on))
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        session.layout_changed.connect(self._tell_chosen)
        self.refresh()  # an album may have been opened before the panel was made

    def _make_box(self, number: Number) -> QSpinBox | QDoubleSpinBox:
        box: QSpinBox | QDoubleSpinBox
        if number.decimals:
            box = ShortNumberBox()
            box.setDecimals(number.decimals)
            box.setRange(number.low, number.high)
            box.setSingleStep(number.step)
        else:
            box = QSpinBox()
            box.setRange(int(number.low), int(number.high))
            box.setSingleStep(int(number.step))
        box.setKeyboardTracking(False)
        box.setToolTip(tr(number.hint))
        box.setAccessibleName(f"{tr(number.title)}: {tr(number.hint)}")
        box.valueChanged.connect(
            lambda value: self._set(
                tr("Set {title}", title=tr(number.title)), f"set {number.key}", **{number.key: value}
            )
        )
        return box

    @Slot()
    def refresh(self) -> None:
        """Show the options of the document."""
        document = self._session.document
        if document is None:
            return
        for key, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setValue(getattr(document.options, key))
            self._rows[key].setVisible(not (document.options.auto and key in ("beta", "lam")))
        self._chosen.setVisible(document.options.auto)
        self._tell_chosen()
        for check, on in ((self._auto, document.options.auto), (self._refine, document.options.refine)):
            with QSignalBlocker(check):
                check.setChecked(on)

    @Slot()
    def _tell_chosen(self) -> None:
        """Say which β and λ cross-validation chose; the sheet remembers them until the album is closed."""
        document = self._session.document
        if document is None or not document.options.auto:
            return
        from album_app.layout.arranging.guide import PlanGuide

        guide = None if document.layout is None else document.layout.guide
        if not isinstance(guide, PlanGuide) or not self._session.is_settled:
            text = tr("β and λ are chosen when the sheet is arranged (Ctrl+Shift+R).")
        elif guide.selected is None:
            options = document.options
            text = tr(
                "The pins say too little to choose by; as before, β = {beta}, λ = {lam}",
                beta=short_number(options.beta),
                lam=short_number(options.lam),
            )
        else:
            beta, lam = short_number(guide.selected.beta), short_number(guide.selected.lam)
            text = tr("Chosen: β = {beta}, λ = {lam}", beta=beta, lam=lam)
        self._chosen.setText(text)

    def _set(self, name: str, merge: str = "", **changes: Any) -> None:
        self._session.edit(with_options, name, merge, **changes)

    def _reset(self) -> None:
        document = self._session.document
        if document is not None:
            defaults = replace(
                Options(), **{key: getattr(document.options, key) for key in ("features", "fill", "time_weight")}
            )
            names = [number.key for number in NUMBERS] + ["auto", "refine", "follow"]
            self._set(tr("Reset to the defaults"), **{key: getattr(defaults, key) for key in names})
