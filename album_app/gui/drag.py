"""Photos on their way out of the window and files on their way in."""

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QImage, QPixmap
from PySide6.QtWidgets import QWidget

from album_app.layout.document import PROJECT_SUFFIX, Document

PHOTO_MIME = "application/x-album-photos"


def photo_mime(document: Document, photos: Sequence[int]) -> QMimeData:
    """Photos for another program (their files) and for our own widgets (their indices)."""
    data = QMimeData()
    data.setData(PHOTO_MIME, json.dumps([int(photo) for photo in photos]).encode())
    data.setUrls([QUrl.fromLocalFile(str(document.album.photos[photo].path)) for photo in photos])
    return data


def dragged_photos(data: QMimeData) -> tuple[int, ...]:
    """The photos of the open album that are being dragged, if it is those."""
    if not data.hasFormat(PHOTO_MIME):
        return ()
    return tuple(int(photo) for photo in json.loads(data.data(PHOTO_MIME).toStdString()))


def dragged_files(data: QMimeData) -> list[Path]:
    """Files from outside that may be photos; empty where a folder or a project is among them."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    fit = all(path.suffix.lower() != PROJECT_SUFFIX and not path.is_dir() for path in paths)
    return paths if fit and not data.hasFormat(PHOTO_MIME) else []


def drag_out(source: QWidget, document: Document, photos: Sequence[int], picture: QImage) -> None:
    """Hand photos over to the desktop; returns when they were dropped somewhere or not."""
    drag = QDrag(source)
    drag.setMimeData(photo_mime(document, photos))
    pixmap = QPixmap.fromImage(picture)
    pixmap.setDevicePixelRatio(source.devicePixelRatioF())
    drag.setPixmap(pixmap)
    drag.setHotSpot(QPoint(round(pixmap.deviceIndependentSize().width() / 2), 12))
    drag.exec(Qt.DropAction.CopyAction)
