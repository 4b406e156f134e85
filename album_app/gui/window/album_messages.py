"""What the quiet bar says of the open album: photos that are missing, features not to be had or not awaited."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from album_app.file_names import printable
from album_app.gui.controls.message_bar import MessageBar
from album_app.gui.state.loading.loading import Loading
from album_app.gui.state.session import Session
from album_app.gui.style.wording import photos_words
from album_app.language import number, tr, trn
from album_app.layout.editing.edits import excluded, with_options
from album_app.layout.options import Options
from album_app.photos.features import features_title


class AlbumMessages(QObject):
    """Keeps the bar true: a message goes when what it was about is another, and missing photos are told until found."""

    def __init__(self, session: Session, loading: Loading, bar: MessageBar, find: Callable[[], None]) -> None:
        super().__init__(session)
        self._session = session
        self._loading = loading
        self._bar = bar
        self._find = find
        self._missing: frozenset[int] = frozenset()
        self._features = ""
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        loading.weights_named.connect(self._ask_about_weights)
        loading.began.connect(self._on_began)

    @Slot()
    def _on_began(self) -> None:
        """What was said of the album before is over, such as why it could not be opened."""
        self._bar.clear()

    @Slot()
    def _on_opened(self) -> None:
        self._bar.clear()
        self._bar.settle("missing")
        self._bar.settle("weights")
        self._bar.settle("look")
        self._missing = frozenset()
        self._on_document()

    @Slot(str)
    def _on_document(self, name: str = "") -> None:
        document = self._session.document
        missing = frozenset[int]() if document is None else document.missing - document.excluded
        features = "" if document is None else document.options.features
        if (missing, features) != (self._missing, self._features):
            self._bar.clear()
        if features != self._features:
            self._bar.settle("weights")
            self._bar.settle("look")
        if missing != self._missing:
            self._tell_missing(len(missing), some_found=missing < self._missing)
        self._missing, self._features = missing, features

    @Slot(str)
    def _ask_about_weights(self, file: str) -> None:
        """A project that somebody else made must not choose what is read on this computer."""

        def allow() -> None:
            self._bar.settle("weights")
            self._loading.allow_weights()

        def decline() -> None:
            self._session.edit(with_options, tr("Compare by colour"), features=Options().features)

        self._bar.keep_message(
            "weights",
            tr(
                "This project compares photos by a network in the file “{file}”. Read it only if you trust it.",
                file=printable(file),
            ),
            (tr("Read it"), allow),
            (tr("Compare by colour"), decline),
        )

    @Slot(str, int, int)
    def offer_look(self, features: str, done: int, count: int) -> None:
        """Comparing was cancelled, and can go on from there at any time."""
        title = features_title(features)

        def go_on() -> None:
            self._session.edit(with_options, tr("Compare by “{title}”", title=title), features=features)

        told = {"title": title, "done": number(done), "photos": photos_words(count)}
        self._bar.keep_message(
            "look", tr("{done} of {photos} are compared by “{title}”.", **told), (tr("Go on"), go_on)
        )

    def _tell_missing(self, count: int, some_found: bool) -> None:
        self._bar.settle("missing")
        if not count:
            return
        if some_found:
            text = trn("{count} photo is still missing.", "{count} photos are still missing.", count)
        else:
            text = trn(
                "{count} photo was not found where the project says.",
                "{count} photos were not found where the project says.",
                count,
            )
        self._bar.keep_message(
            "missing", text, (tr("Find them…"), self._find), (tr("Take them out"), self._take_missing_out)
        )

    def _take_missing_out(self) -> None:
        self._session.edit(excluded, sorted(self._missing))
