"""The quiet offer below the look: compare by content too, once the first sheet stands; nothing moves before a click."""

import math

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout

from album_app.gui.controls.sections import button, named
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style import theme
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import is_sample
from album_app.language import mark, tr
from album_app.layout.editing.edits import with_options
from album_app.layout.options import DEFAULT_FEATURES
from album_app.layout.project.document import Document
from album_app.photos.features import EXTRACTORS

OFFERED = "blend"
FEWEST = 20
SECONDS_TO_BEGIN = 6.0
"""Until the network is loaded."""
DISMISSED = "look_offer"
TIMES = (
    (20.0, mark("It takes a moment.")),
    (60.0, mark("It takes about a minute.")),
    (600.0, mark("It takes some minutes; you can go on meanwhile.")),
    (math.inf, mark("It takes a while; you can go on meanwhile.")),
)
"""What is said of comparing that takes less than so many seconds where nothing else runs."""


class LookOffer(QFrame):
    """Offers the look that most eyes chose, for a new album whose look nobody has chosen yet; a no holds for ever."""

    def __init__(self, session: Session, solving: Solving, preferences: Preferences) -> None:
        super().__init__()
        named(self, tr("Offer"), "offer")
        self._session = session
        self._preferences = preferences
        self._chosen = False  # by hand, since the album was opened
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
        """A sheet stands, and what is known of it is told."""
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
    """Whether photos may have a content that tells more than their colours: real ones, and not just a few."""
    return document.options.features == DEFAULT_FEATURES and len(document.album) >= FEWEST and not is_sample(document)


def time_words(photos: int) -> str:
    """About how long the comparing takes; no more is promised, for nobody knows how busy the computer will be."""
    seconds = SECONDS_TO_BEGIN + (EXTRACTORS[OFFERED].seconds or 0) * photos / 1000
    return tr(next(words for most, words in TIMES if seconds < most))
