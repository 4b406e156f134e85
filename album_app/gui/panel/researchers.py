"""The section For researchers: what is measured of the sheet, and the solver's own numbers."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QSpinBox, QWidget

from album_app.gui.controls.sections import Section, SheetUndo, button, muted, row
from album_app.gui.panel.score_table import ScoreTable
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.language import mark, short_number, tr
from album_app.layout.editing.edits import with_options
from album_app.layout.options import Options


@dataclass(frozen=True)
class Number:
    """One numeric option: its name, where it may lie, and what it does."""

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
    """Shows 0.3 where six decimals are possible."""

    def textFromValue(self, value: float) -> str:
        return super().textFromValue(value).rstrip("0").rstrip(self.locale().decimalPoint())


class ResearchersSection(Section):
    """Shows the scores, and shows and changes the solver's options; each change is one edit with its name."""

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
        for number in NUMBERS:
            box = self._make_box(number)
            self._boxes[number.key] = box
            self._rows[number.key] = row(tr(number.title), box)
            self.body.addWidget(self._rows[number.key])
        self.body.addWidget(self._refine)
        self.body.addWidget(button(tr("Reset to the defaults"), self._reset))
        self.body.addWidget(muted(tr("The defaults suit almost every album."), wrap=True))
        SheetUndo(*self._boxes.values())
        self._auto.toggled.connect(lambda on: self._set(tr("Cross-validation"), auto=on))
        self._refine.toggled.connect(lambda on: self._set(tr("Refine the sheet"), refine=on))
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        session.layout_changed.connect(self._tell_chosen)

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
        """Show what the document says."""
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
        """Say what cross-validation chose; the plan of the sheet knows, until the album is closed."""
        document = self._session.document
        if document is None or not document.options.auto:
            return
        from album_app.layout.arranging.guide import PlanGuide

        guide = None if document.layout is None else document.layout.guide
        if not isinstance(guide, PlanGuide) or not self._session.is_settled:
            told = tr("β and λ are chosen when the sheet is arranged (F5).")
        elif guide.selected is None:
            options = document.options
            told = tr(
                "The pins say too little to choose by; as before, β = {beta}, λ = {lam}",
                beta=short_number(options.beta),
                lam=short_number(options.lam),
            )
        else:
            beta, lam = short_number(guide.selected.beta), short_number(guide.selected.lam)
            told = tr("Chosen: β = {beta}, λ = {lam}", beta=beta, lam=lam)
        self._chosen.setText(told)

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
