"""A choice of months: photos are listed by the month they were taken in."""

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from album_app.gui.controls.choice_box import ChoiceBox
from album_app.language import day_in, grouped, tr

if TYPE_CHECKING:
    from album_app.photos.album import Album

Month = tuple[int, int]
"""Year and month."""


class MonthBox(ChoiceBox):
    """The months of an album with their numbers of photos; hidden where there are not at least two."""

    def __init__(self) -> None:
        super().__init__()
        self._album: Album | None = None
        self.setAccessibleName(tr("Month of the photos"))
        self.setToolTip(tr("List the photos of one month"))
        self.hide()

    @property
    def month(self) -> Month | None:
        """The chosen month; None for all."""
        chosen: Month | None = self.currentData()
        return chosen

    def follow(self, album: "Album | None") -> None:
        """Offer the months of an album; a chosen one that it has stays chosen."""
        if album is self._album:
            return
        self._album, chosen = album, self.month
        photos = () if album is None else album.photos
        months = Counter((photo.taken.year, photo.taken.month) for photo in photos if photo.taken is not None)
        self.clear()
        self.addItem(tr("All months"), None)
        for year, month in sorted(months):
            name = day_in(date(year, month, 1), "yMMMM")
            self.addItem(f"{name} ({grouped(months[year, month])})", (year, month))
        self.setCurrentIndex(max(0, self.findData(chosen)) if chosen is not None else 0)
        self.setVisible(len(months) > 1)

    def reset(self) -> None:
        """List all months again."""
        self.setCurrentIndex(0)
