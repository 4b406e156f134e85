"""Which photos take part in the arrangement."""

from album_app.layout.document import Document
from album_app.photos.album import Album


class Participants:
    """All but the excluded, missing and damaged ones, and of stacked near-duplicates the best; worked out once."""

    def __init__(self) -> None:
        self._compared = 0
        self._stacked: frozenset[int] = frozenset()
        self._key: tuple[object, ...] | None = None
        self._photos: tuple[int, ...] = ()

    def twins_known(self, album: Album) -> bool:
        """Whether the album has been searched for near-duplicates."""
        return self._compared == len(album)

    def set_stacked(self, album: Album, stacked: frozenset[int]) -> None:
        """Note which photos lie under a near-duplicate of theirs when those are stacked."""
        self._compared, self._stacked = len(album), stacked

    def of(self, document: Document, damaged: set[int]) -> tuple[int, ...]:
        """The photos to arrange; a pinned one always takes part."""
        under = self._stacked if document.options.stack_twins else frozenset()
        hidden = (damaged | under) - document.pins.keys()
        key = (document.album, document.excluded, document.missing, hidden)
        if self._key is None or any(new is not old and new != old for new, old in zip(key, self._key, strict=True)):
            self._key = key
            self._photos = tuple(photo for photo in document.active if photo not in hidden)
        return self._photos
