"""Offers to stack near-duplicates, in the quiet bar; nothing moves before the answer, which is remembered."""

import zlib
from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from album_app.gui.commands.stack_commands import StackCommands
from album_app.gui.controls.message_bar import MessageBar
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.language import tr, trn
from album_app.layout.project.document import Document

TOPIC = "stacks"
DECLINED, MOST_DECLINED = "stacks/declined", 200


class StackOffer(QObject):
    """Asks about the near-duplicates of an album, unless the answer to the same question was no."""

    def __init__(self, session: Session, stacks: StackCommands, bar: MessageBar, preferences: Preferences) -> None:
        super().__init__(session)
        self._session, self._stacks, self._bar, self._preferences = session, stacks, bar, preferences
        stacks.found.connect(self._ask)
        session.opened.connect(self._settle)
        session.document_changed.connect(self._follow)

    @Slot()
    def _settle(self) -> None:
        self._bar.settle(TOPIC)

    @Slot(str)
    def _follow(self, name: str) -> None:
        if not self._stacks.loose:
            self._settle()

    @Slot(list)
    def _ask(self, groups: list[Sequence[int]]) -> None:
        document = self._session.document
        if document is None or _mark(document, groups) in self._declined:
            return

        def stack() -> None:
            self._settle()
            self._stacks.stack()

        def decline() -> None:
            self._settle()
            declined = [*self._declined, _mark(document, groups)][-MOST_DECLINED:]
            self._preferences.remember(DECLINED, " ".join(declined))

        count = sum(len(group) - 1 for group in groups)
        question = trn(
            "{count} photo is a near-duplicate: stack it?", "{count} photos are near-duplicates: stack them?", count
        )
        self._bar.keep_message(TOPIC, question, (tr("Stack", about="to do"), stack), (tr("Not now"), decline))

    @property
    def _declined(self) -> list[str]:
        return self._preferences.word(DECLINED).split()


def _mark(document: Document, groups: list[Sequence[int]]) -> str:
    """Tells these very near-duplicates from others, whatever album they are found in."""
    photos = document.album.photos
    names = "\n".join("\t".join(str(photos[photo].path) for photo in group) for group in groups)
    return f"{zlib.crc32(names.encode('utf-8', 'surrogateescape')):08x}"
