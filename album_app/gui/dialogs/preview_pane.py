"""The picture of a sheet as large as its place allows."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QLabel

from album_app.language import tr

AROUND = QSize(24, 24)


class PreviewPane(QLabel):
    """Shows the latest picture in its middle."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("previewPane")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMinimumSize(280, 240)
        self.setAccessibleName(tr("Preview of the sheet"))

    @property
    def longest_side(self) -> int:
        """In pixels of the screen: a picture need not be larger."""
        return round(max(self.width(), self.height()) * self.devicePixelRatio())

    def show_picture(self, picture: QImage) -> None:
        ratio = self.devicePixelRatio()
        room, smooth = (self.size() - AROUND) * ratio, Qt.TransformationMode.SmoothTransformation
        fitted = QPixmap.fromImage(picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, smooth))
        fitted.setDevicePixelRatio(ratio)
        self.setPixmap(fitted)
