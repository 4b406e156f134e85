"""The Look section: what photos are compared by, and the offer of a better look."""

import math
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from album_app.errors import AlbumError
from album_app.gui.controls import ask_user
from album_app.gui.controls.input import SheetUndo
from album_app.gui.controls.sections import ChoiceBox, LabelledSlider, Section, button, named, row, under
from album_app.gui.state.photo_words import PhotoFacets
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style import theme
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import is_sample
from album_app.language import mark, tr
from album_app.layout.editing.edits import coloured_by, with_options
from album_app.layout.options import DEFAULT_FEATURES
from album_app.layout.project.document import Document
from album_app.photos.features import EXTRACTORS, extractor, features_title
from album_app.photos.features.extractor import BLEND_WEIGHT

OFFERED = "blend"
"""The look that is offered, a key of `EXTRACTORS`."""
PHOTOS_FOR_OFFER = 20
"""An album with fewer photos gets no offer of a better look."""
SECONDS_TO_BEGIN = 6.0
"""Seconds until the network is loaded, which the announced time includes."""
DISMISSED = "look_offer"
"""The key of the preference that remembers that the user declined the offer."""
TIMES = (
    (20.0, mark("It takes a moment.")),
    (60.0, mark("It takes about a minute.")),
    (600.0, mark("It takes some minutes; you can go on meanwhile.")),
    (math.inf, mark("It takes a while; you can go on meanwhile.")),
)
"""How long comparing takes, in words: each sentence is for comparisons that take less than the seconds before it."""


class LookOffer(QFrame):
    """Offers a better look for a new album whose look is still the default; a refusal is remembered for good."""

    def __init__(self, session: Session, solving: Solving, preferences: Preferences) -> None:
        super().__init__()
        named(self, tr("Offer"), "offer")
        self._session = session
        self._preferences = preferences
        self._chosen = False  # whether the user has chosen a look for this album
        self._text = QLabel(wordWrap=True)
        self._yes = button(tr("Compare"), self._accept, tr("Compare the photos by what is in them, too"))
        self._no = named(QToolButton(), tr("Do not offer this again"))
        self._no.setToolTip(tr("Do not offer this again"))
        self._no.clicked.connect(self._dismiss)
        words = QHBoxLayout()
        words.addWidget(self._text, 1)
        words.addWidget(self._no, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 4, 10)
        column.setSpacing(4)
        column.addLayout(words)
        column.addWidget(self._yes, 0, Qt.AlignmentFlag.AlignLeft)
        self.refresh_theme()
        self.hide()
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        solving.scored.connect(self._on_scored)

    def refresh_theme(self) -> None:
        self._no.setIcon(icon("close", theme.current().muted))

    @Slot()
    def _on_opened(self) -> None:
        self._chosen = self._session.path is not None or self._preferences.is_chosen("features")
        self.hide()

    @Slot(str)
    def _on_document(self, name: str) -> None:
        document = self._session.document
        self._chosen = self._chosen or (document is not None and document.options.features != DEFAULT_FEATURES)
        if self._chosen:
            self.hide()

    @Slot()
    def _on_scored(self) -> None:
        """Make the offer once there is a sheet, if it suits the album."""
        document = self._session.document
        if document is None or self._chosen or not is_worth_offering(document):
            return
        if self._preferences.word(DISMISSED) != "dismissed":
            self._text.setText(f"{tr('Compare by content too?')} {time_words(len(document.album))}")
            self.show()

    def _accept(self) -> None:
        title = EXTRACTORS[OFFERED].title
        self._session.edit(with_options, tr("Compare by “{title}”", title=tr(title)), features=OFFERED)

    @Slot()
    def _dismiss(self) -> None:
        self._preferences.remember(DISMISSED, "dismissed")
        self.hide()


def is_worth_offering(document: Document) -> bool:
    """Whether a look at the contents may improve the sheet: the photos are real ones, and more than a few."""
    return (
        document.options.features == DEFAULT_FEATURES
        and len(document.album) >= PHOTOS_FOR_OFFER
        and not is_sample(document)
    )


def time_words(photos: int) -> str:
    """A sentence about how long comparing takes; it is rough, because that depends on the computer."""
    seconds = SECONDS_TO_BEGIN + (EXTRACTORS[OFFERED].seconds or 0) * photos / 1000
    return tr(next(words for most, words in TIMES if seconds < most))


CHOICE_TITLES = {
    "varied": mark("Varied"),
    "balanced": mark("Balanced"),
    "best": mark("Best"),
}
FILLS = {"end": mark("At the end"), "empty": mark("Least certain"), "repeat": mark("Repeat photos")}


class LookSection(Section):
    """Shows and changes the options that decide which photos lie next to each other."""

    def __init__(self, session: Session, solving: Solving, preferences: Preferences, facets: PhotoFacets) -> None:
        super().__init__(tr("Look"))
        self._session = session
        self._facets = facets
        self._features = ChoiceBox({key: tr(entry.title) for key, entry in EXTRACTORS.items()})
        self._features.set_apart(next(key for key, entry in EXTRACTORS.items() if entry.special), tr("For researchers"))
        self._blend = LabelledSlider(tr("Mix of colour and content"), tr("Colour"), tr("Content"))
        self._blend.show_value(BLEND_WEIGHT)
        self._follow = LabelledSlider(tr("Follow the pins"), tr("Smooth neighbours"), tr("Follow the pins"))
        self._follow.setToolTip(
            tr("Whether photos gather around the pins that they resemble, or lie next to photos like themselves.")
        )
        self._fill = ChoiceBox({key: tr(title) for key, title in FILLS.items()})
        self._fill.setToolTip(tr("What the spare cells show when there are more cells than photos."))
        self._choose = ChoiceBox({key: tr(title) for key, title in CHOICE_TITLES.items()})
        self._choose.setToolTip(
            tr("Which photos are shown when there are more than cells: varied ones, or sharp, large, rich in contrast.")
        )
        self._choose_row = row(tr("Show"), self._choose)
        self._colour_by = ChoiceBox()
        self._colour_by.setToolTip(tr("Frame photos in colours by folder, by keyword or by a column of the table."))
        self._colour_row = row(tr("Colour by"), self._colour_by)
        self._model_page = self._build_model_page()
        self._vectors_button = button(
            tr("Vectors file…"),
            self._choose_vectors,
            tr("A row per photo, by file name; without names in the order of the names, photo2 before photo10"),
        )
        for widget in (
            under(tr("Compare by"), self._features),
            LookOffer(session, solving, preferences),
            self._blend,
            self._model_page,
            self._vectors_button,
            self._follow,
            row(tr("Spare cells"), self._fill),
            self._choose_row,
            self._colour_row,
        ):
            self.body.addWidget(widget)
        self._connect()
        self._show_family(DEFAULT_FEATURES)
        self.refresh()  # an album may have been opened before the panel was made

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
        self._choose.activated.connect(
            lambda i: session.edit(with_options, tr("Which photos are shown"), choose=self._choose.itemData(i))
        )
        session.opened.connect(self.refresh)
        session.document_changed.connect(self.refresh)
        self._colour_by.activated.connect(
            lambda i: session.edit(coloured_by, self._colour_by.itemData(i), self._colour_by.itemText(i))
        )
        self._facets.changed.connect(self._offer_columns)
        self._offer_columns()

    @Slot()
    def _offer_columns(self) -> None:
        """List the facets that photos can be coloured by, and select the one of the document."""
        self._colour_by.clear()
        self._colour_by.addItem(tr("Nothing"), "")
        for key, facet in self._facets.facets.items():
            self._colour_by.addItem(facet.title, key)
        document = self._session.document
        self._colour_by.show_value("" if document is None else document.colour_by)
        self._colour_row.setVisible(bool(self._facets.facets))

    @Slot()
    def refresh(self) -> None:
        """Show the options of the document."""
        document = self._session.document
        if document is None:
            return
        options = document.options
        family, _, words = options.features.partition(":")
        self._features.show_value(family)
        self._show_family(family)
        if family == "blend":
            self._blend.show_value(float(words or BLEND_WEIGHT))
        if family == "torchvision" and not self._model.hasFocus():
            name, _, self._weights = words.partition("@")
            self._model.setText(name)
            self._weights_button.setText(Path(self._weights).name or tr("Weights file…"))
        self._vectors_button.setText(Path(words).name if family == "vectors" else tr("Vectors file…"))
        self._follow.show_value(options.follow)
        self._fill.show_value(options.fill)
        self._choose.show_value(options.choose)
        self._choose_row.setVisible(len(document.active) > document.shape.count)
        self._colour_by.show_value(document.colour_by)
        self.set_note(features_title(options.features))

    def refresh_theme(self) -> None:
        super().refresh_theme()
        for offer in self.findChildren(LookOffer):
            offer.refresh_theme()

    def _show_family(self, family: str) -> None:
        entry = EXTRACTORS.get(family)
        about = "" if entry is None else f"{tr(entry.sentence)} {entry.cost}".strip()
        self._features.setToolTip(about)
        self._features.setAccessibleDescription(about)
        self._blend.setVisible(family == "blend")
        self._model_page.setVisible(family == "torchvision")
        self._vectors_button.setVisible(family == "vectors")

    @Slot(int)
    def _on_features(self, index: int) -> None:
        family = self._features.itemData(index)
        self._show_family(family)
        if family == "torchvision":
            self._model.setFocus()
        elif family == "vectors":
            self._choose_vectors()
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

    def _choose_vectors(self) -> None:
        dialog = ask_user.files(
            self.window(),
            tr("Choose the vectors"),
            "",
            tr("Vectors (*.npy *.npz *.csv *.parquet);;All files (*)"),
            lambda paths: self._compare_by(f"vectors:{paths[0]}"),
            many=False,
        )
        dialog.rejected.connect(self.refresh)

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
