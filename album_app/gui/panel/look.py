"""The Look section: by what the photos are compared, and how strongly the pins pull."""

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from album_app.errors import AlbumError
from album_app.gui.controls import ask_user
from album_app.gui.controls.choice_box import ChoiceBox
from album_app.gui.controls.sections import LabelledSlider, Section, SheetUndo, button, muted, row, under
from album_app.gui.panel.look_offer import LookOffer
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.language import mark, tr
from album_app.layout.editing.edits import with_options
from album_app.photos.features import EXTRACTORS, extractor, features_title

EVEN_BLEND = 0.5
FILLS = {"end": mark("At the end"), "empty": mark("Least certain"), "repeat": mark("Repeat photos")}


class LookSection(Section):
    """Shows and changes the options that decide what lies next to what."""

    def __init__(self, session: Session, solving: Solving, preferences: Preferences) -> None:
        super().__init__(tr("Look"))
        self._session = session
        self._features = ChoiceBox({key: tr(entry.title) for key, entry in EXTRACTORS.items()})
        self._features.set_apart(next(key for key, entry in EXTRACTORS.items() if entry.special), tr("For researchers"))
        self._about = muted(wrap=True)
        self._blend = LabelledSlider(tr("Mix of colour and content"), tr("Colour"), tr("Content"))
        self._blend.show_value(EVEN_BLEND)
        self._follow = LabelledSlider(tr("Follow the pins"), tr("Smooth neighbours"), tr("Follow the pins"))
        self._fill = ChoiceBox({key: tr(title) for key, title in FILLS.items()})
        self._model_page = self._build_model_page()
        for widget in (
            under(tr("Compare by"), self._features),
            self._about,
            LookOffer(session, solving, preferences),
            self._blend,
            self._model_page,
            self._follow,
            row(tr("Spare cells"), self._fill),
        ):
            self.body.addWidget(widget)
        self._connect()

    def _build_model_page(self) -> QWidget:
        self._model = QLineEdit()
        self._model.setPlaceholderText("resnet18")
        SheetUndo(self._model)
        self._weights = ""
        self._weights_button = button(tr("Weights file…"), self._choose_weights, tr("Choose the model's weights file"))
        apply_button = button(tr("Use this model"), self._use_model)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (row(tr("Model"), self._model), self._weights_button, apply_button):
            column.addWidget(widget)
        return page

    def _connect(self) -> None:
        session = self._session
        self._features.activated.connect(self._on_features)
        self._blend.changed.connect(self._on_blend)
        self._follow.changed.connect(
            lambda v: session.edit(with_options, tr("Follow the pins"), merge="follow", follow=v)
        )
        self._fill.activated.connect(
            lambda i: session.edit(with_options, tr("Spare cells"), fill=self._fill.itemData(i))
        )
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show what the document says."""
        document = self._session.document
        if document is None:
            return
        options = document.options
        family, _, words = options.features.partition(":")
        self._features.show_value(family)
        self._show_family(family)
        if family == "blend":
            self._blend.show_value(float(words or EVEN_BLEND))
        if family == "torchvision" and not self._model.hasFocus():
            name, _, self._weights = words.partition("@")
            self._model.setText(name)
            self._weights_button.setText(Path(self._weights).name or tr("Weights file…"))
        self._follow.show_value(options.follow)
        self._fill.show_value(options.fill)
        self.set_note(features_title(options.features))

    def refresh_theme(self) -> None:
        super().refresh_theme()
        for offer in self.findChildren(LookOffer):
            offer.refresh_theme()

    def _show_family(self, family: str) -> None:
        entry = EXTRACTORS.get(family)
        self._about.setText("" if entry is None else f"{tr(entry.sentence)} {entry.cost}".strip())
        self._blend.setVisible(family == "blend")
        self._model_page.setVisible(family == "torchvision")

    @Slot(int)
    def _on_features(self, index: int) -> None:
        family = self._features.itemData(index)
        self._show_family(family)
        if family == "torchvision":
            self._model.setFocus()
        elif family == "blend":
            self._on_blend(self._blend.value)
        else:
            self._compare_by(family)

    @Slot(float)
    def _on_blend(self, value: float) -> None:
        self._session.edit(with_options, tr("Mix of colour and content"), merge="blend", features=f"blend:{value:g}")

    def _use_model(self) -> None:
        name = self._model.text().strip()
        if name:
            self._compare_by(f"torchvision:{name}" + (f"@{self._weights}" if self._weights else ""))

    def _choose_weights(self) -> None:
        def on_paths(paths: list[Path]) -> None:
            self._weights = str(paths[0])
            self._weights_button.setText(paths[0].name)

        ask_user.files(
            self.window(), tr("Choose the weights"), "", tr("Weights (*.pt *.pth);;All files (*)"), on_paths, many=False
        )

    def _compare_by(self, features: str) -> None:
        try:
            extractor(features)
        except AlbumError as error:
            self._session.report(error)
            self.refresh()
            return
        self._session.edit(
            with_options,
            tr("Compare by “{title}”", title=features_title(features)),
            features=features,
        )
