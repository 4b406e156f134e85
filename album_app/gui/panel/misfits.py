"""What the Quality section says of photos that look out of place: how many, their pictures, and where they are."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from album_app.gui.controls.sections import button, named
from album_app.gui.controls.square_picture import square_picture
from album_app.gui.state.advice import Advice
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.language import tr, trn

MOST_PICTURES = 5
SIDE = 34


class MisfitsLine(QWidget):
    """Follows the sheet once it has come to rest; there is nothing to see where all photos are well placed.

    Signals:
        wanted(list[int]): show these photos on the sheet
    """

    wanted = Signal(list)

    def __init__(self, session: Session, photos: PhotoStore, advice: Advice, solving: Solving) -> None:
        super().__init__()
        self._session, self._photos, self._advice = session, photos, advice
        self.photos: list[int] = []  # that look out of place, the worst first
        self._words = named(QLabel(wordWrap=True), tr("Photos that look out of place"))
        self._show = button(tr("Show them"), lambda: self.wanted.emit(self.photos), tr("Select them on the sheet"))
        self._pictures = QHBoxLayout()
        self._pictures.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._words)
        column.addLayout(self._pictures)
        column.addWidget(self._show, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()
        solving.scored.connect(self.refresh)
        session.layout_changed.connect(self._forget)
        session.opened.connect(self._forget)

    @Slot()
    def refresh(self) -> None:
        """Look at the sheet as it lies."""
        self._advice.misfits(self._fill)

    @Slot()
    def _forget(self) -> None:
        self._fill([])

    def _fill(self, photos: list[int]) -> None:
        document = self._session.document
        self.photos = photos
        while self._pictures.count():
            item = self._pictures.takeAt(0)
            picture = None if item is None else item.widget()
            if picture is not None:
                picture.deleteLater()
        if photos and document is not None:
            self._words.setText(
                trn("{count} photo looks out of place.", "{count} photos look out of place.", len(photos))
            )
            for photo in photos[:MOST_PICTURES]:
                self._pictures.addWidget(self._picture(photo, document.short_name(photo)))
            self._pictures.addStretch(1)
            self._show.setText(tr("Show it") if len(photos) == 1 else tr("Show them"))
        self.setVisible(bool(photos))

    def _picture(self, photo: int, name: str) -> QToolButton:
        made = named(QToolButton(), tr("Show {name}", name=name), "smallPicture")
        made.setToolTip(name)
        made.setIconSize(QSize(SIDE, SIDE))
        made.setIcon(QIcon(square_picture(self._photos.pictures.image(photo), SIDE)))
        made.clicked.connect(lambda checked=False: self.wanted.emit([photo]))
        return made
