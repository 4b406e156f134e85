"""The preview in the export dialog."""

from PySide6.QtCore import QLineF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QLabel

from album_app.errors import AlbumError
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import as_image
from album_app.gui.state.previews import preview_pixels, thumbnails_of
from album_app.language import tr
from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.render import RenderSettings, plan_page, poster_of

AROUND = QSize(24, 24)

Seams = tuple[list[float], list[float]]
"""Shares of the width and of the height where pages meet."""
NO_SEAMS: Seams = ([], [])


class PreviewPane(QLabel):
    """Shows the latest picture in its middle, drawn in the background."""

    def __init__(self, jobs: Jobs, photos: PhotoStore) -> None:
        super().__init__()
        self._jobs, self._photos = jobs, photos
        self.setObjectName("previewPane")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMinimumSize(280, 240)
        self.setAccessibleName(tr("Preview of the sheet"))

    @property
    def longest_side(self) -> int:
        """In pixels of the screen: a picture need not be larger."""
        return round(max(self.width(), self.height()) * self.devicePixelRatio())

    def draw(self, layout: Layout, settings: RenderSettings, album: Album) -> None:
        """Begin to draw a sheet as it will be."""
        side, thumbnails = self.longest_side, thumbnails_of(layout, self._photos.pictures)
        seams = poster_of(plan_page(layout, settings), settings).seams if settings.poster else NO_SEAMS
        crops = self._photos.crops
        self._jobs.start(
            JobKind.EXPORT_PREVIEW,
            "",
            lambda task: preview_pixels(layout, thumbnails, settings, side, album, task.stop, crops),
            on_done=lambda pixels: self.show_picture(as_image(pixels), seams),
            on_error=lambda error: isinstance(error, AlbumError),
            quiet=True,
        )

    def show_picture(self, picture: QImage, seams: Seams = NO_SEAMS) -> None:
        """Show a picture, and on it where the pages of a poster meet."""
        ratio = self.devicePixelRatio()
        room, smooth = (self.size() - AROUND) * ratio, Qt.TransformationMode.SmoothTransformation
        fitted = QPixmap.fromImage(picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, smooth))
        _draw_seams(fitted, seams, round(ratio))
        fitted.setDevicePixelRatio(ratio)
        self.setPixmap(fitted)


def _draw_seams(picture: QPixmap, seams: Seams, width: int) -> None:
    """Dashes of black and white, to be seen on any photo."""
    across, down = picture.width(), picture.height()
    lines = [QLineF(share * across, 0, share * across, down) for share in seams[0]]
    lines += [QLineF(0, share * down, across, share * down) for share in seams[1]]
    painter = QPainter(picture)
    for colour, style in ((Qt.GlobalColor.white, Qt.PenStyle.SolidLine), (Qt.GlobalColor.black, Qt.PenStyle.DashLine)):
        painter.setPen(QPen(colour, 2 * width, style))
        painter.drawLines(lines)
    painter.end()
