"""Finds words in the names of an album: all names are one text, made a little at a time before anybody types."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from album_app.photos.album import Album

FEW = 4000
PAUSE_MS = 10
END, FOUND = b"\xff", b"\xfe"
"""Behind a name, and where a word begins in it: bytes that no text has in UTF-8."""


class NameSearch(QObject):
    """The names of one album in small letters: to make 100,000 at once takes longer than a frame of the window.

    Photos come first, then skipped files from the last to the first, so that -1 is the place of the first skipped one.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._album: Album | None = None
        self._text = b""
        self._left: Iterator[str] = iter(())
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._read_few)

    def follow(self, album: "Album") -> None:
        """Read the names of this album, a few whenever there is time."""
        if album is not self._album:
            self._album, self._text = album, b""
            skipped = (file.name for file in reversed(album.skipped))
            self._left = chain((photo.name for photo in album.photos), skipped)
            self._timer.start()

    def with_words(self, album: "Album", words: Sequence[str]) -> NDArray[np.bool_]:
        """For every name whether it has all words in it, whatever their letters' size: (photos + skipped files,)."""
        self.follow(album)
        while self._timer.isActive():
            self._read_few()
        found = np.ones(len(album) + len(album.skipped), bool)
        for word in words:
            found &= self._with_word(word)
        return found

    def _read_few(self) -> None:
        names = list(islice(self._left, FEW))
        if names:
            text = "\0".join([*names, ""]).casefold()  # no name has this sign in it
            self._text += text.encode("utf-8", "surrogatepass").replace(b"\0", END)
        else:
            self._timer.stop()

    def _with_word(self, word: str) -> NDArray[np.bool_]:
        sought = word.casefold().encode("utf-8", "surrogatepass")
        marked = np.frombuffer(self._text.replace(sought, FOUND + sought[1:]), np.uint8)
        signs = np.concatenate([np.frombuffer(END, np.uint8), marked[marked >= FOUND[0]]])
        ends = np.flatnonzero(signs[1:] == END[0])
        found: NDArray[np.bool_] = signs[ends] == FOUND[0]
        return found
