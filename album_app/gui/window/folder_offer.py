"""Offers what has become of the open folder, in the quiet bar; nothing moves before the answer."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from album_app.gui.controls.message_bar import MessageBar
from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.session import Session
from album_app.gui.style.wording import news_words
from album_app.language import tr

if TYPE_CHECKING:
    from album_app.photos.folders.folder_news import News

TOPIC = "folder"


class FolderOffer(QObject):
    """Asks whether to follow the folder, as long as the album is open."""

    def __init__(self, session: Session, watch: FolderWatch, bar: MessageBar) -> None:
        super().__init__(session)
        self._session = session
        self._watch = watch
        self._bar = bar
        watch.found.connect(self._ask)
        session.opened.connect(self._on_opened)

    @Slot()
    def _on_opened(self) -> None:
        self._bar.settle(TOPIC)

    @Slot(object)
    def _ask(self, news: "News") -> None:
        def answered(run: "Callable[[News], None]") -> None:
            self._bar.settle(TOPIC)
            run(news)

        add = tr("Add it") if len(news.new) == 1 else tr("Add them")
        yes = tr("Follow the folder") if news.changed or news.gone or news.moved else add
        document = self._session.document
        pinned = 0 if document is None else sum(photo in document.pins for photo in news.gone)
        self._bar.keep_message(
            TOPIC,
            news_words(len(news.new), len(news.changed), len(news.moved), len(news.gone), pinned),
            (yes, partial(answered, self._watch.take_over)),
            (tr("Not now"), partial(answered, self._watch.leave)),
        )
