"""Which photos take part in the arrangement, and which only keep their places."""

from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.photos.album import Album


def held_places(document: Document) -> Pins:
    """The missing photos on the sheet, each in its cell: nothing is known of them, but they are not given up."""
    missing = document.missing - document.excluded
    held = {photo: cell for photo, cell in document.pins.items() if photo in missing}
    if missing and document.layout is not None:
        taken = set(document.pins.values())
        for photo in missing - held.keys():
            cell = document.layout.positions.get(photo)
            if cell is not None and cell not in taken:
                held[photo] = cell
    return Pins(held)


class Participants:
    """All but the excluded, damaged, and missing without a place, and of stacked near-duplicates the best."""

    def __init__(self) -> None:
        self._compared: Album | None = None
        self._stacked: frozenset[int] = frozenset()
        self._key: tuple[object, ...] | None = None
        self._photos: tuple[int, ...] = ()

    def twins_known(self, album: Album) -> bool:
        """Whether this very album has been searched for near-duplicates."""
        return self._compared is album

    def set_stacked(self, album: Album, stacked: frozenset[int]) -> None:
        """Note which photos lie under a near-duplicate of theirs when those are stacked."""
        self._compared, self._stacked = album, stacked

    def of(self, document: Document, damaged: set[int]) -> tuple[int, ...]:
        """The photos meant for the sheet; a pinned one always is."""
        under = self._stacked if document.options.stack_twins else frozenset()
        hidden = (damaged | under) - document.pins.keys()
        key = (document.album, document.excluded, document.missing, hidden)
        if self._key is None or any(new is not old and new != old for new, old in zip(key, self._key, strict=True)):
            self._key = key
            self._photos = tuple(photo for photo in document.active if photo not in hidden)
        return self._photos + tuple(held_places(document))
