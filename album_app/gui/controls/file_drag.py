"""Photos on their way out of the window and files on their way in."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QImage, QPixmap
from PySide6.QtWidgets import QWidget

from album_app.layout.project.document import PROJECT_SUFFIX, Document


def photo_mime(document: Document, photos: Sequence[int]) -> QMimeData:
    """Photos as their files, which is all that another program or window can know them by."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(document.album.photos[photo].path)) for photo in photos])
    return data


def local_paths(data: QMimeData | None) -> list[Path]:
    """The files and folders of this computer that are dragged or copied; an empty clipboard has no data at all."""
    return [] if data is None else [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def dragged_files(data: QMimeData) -> list[Path]:
    """Files that may be photos; none where a project is among them. Only their names are looked at."""
    paths = local_paths(data)
    return [] if any(path.suffix.lower() == PROJECT_SUFFIX for path in paths) else paths


def known_photos(document: Document, paths: Sequence[Path]) -> tuple[int, ...]:
    """The photos of the album that these files are; none where a file is not among them."""
    wanted = set(paths)
    found = {photo.path: index for index, photo in enumerate(document.album.photos) if photo.path in wanted}
    return tuple(found[path] for path in paths) if len(found) == len(wanted) else ()


def drag_out(source: QWidget, document: Document, photos: Sequence[int], picture: QImage) -> None:
    """Hand photos over to the desktop; returns when they were dropped somewhere or not."""
    drag = QDrag(source)
    drag.setMimeData(photo_mime(document, photos))
    pixmap = QPixmap.fromImage(picture)
    pixmap.setDevicePixelRatio(source.devicePixelRatioF())
    drag.setPixmap(pixmap)
    drag.setHotSpot(QPoint(round(pixmap.deviceIndependentSize().width() / 2), 12))
    drag.exec(Qt.DropAction.CopyAction)
