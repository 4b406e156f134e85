"""The quiet offer below the look: compare by content too, once the first sheet stands; nothing moves before a click."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from album_app.gui.controls.sections import button, named
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style import theme
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import in_time, is_sample
from album_app.language import tr
from album_app.layout.edits import with_options
from album_app.layout.options import DEFAULT_FEATURES
from album_app.layout.project.document import Document
from album_app.photos.features import EXTRACTORS

OFFERED = "blend"
FEWEST = 20
SECONDS_TO_BEGIN = 6.0
"""Until the network is loaded."""
DISMISSED = "look_offer"


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
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 4, 6)
        row.setSpacing(6)
        row.addWidget(self._text, 1)
        row.addWidget(self._yes)
        row.addWidget(self._no)
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
            self._text.setText(
                tr("Compare by content too? About {time}", time=in_time(seconds_for(len(document.album))))
            )
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


def seconds_for(photos: int) -> float:
    """About how long the comparing takes, in steps of ten seconds or whole minutes."""
    seconds = SECONDS_TO_BEGIN + (EXTRACTORS[OFFERED].seconds or 0) * photos / 1000
    step = 10 if seconds < 90 else 60
    return max(step, step * round(seconds / step))
