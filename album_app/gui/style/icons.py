"""Icons: strokes drawn for the program, tinted with a colour of the palette."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from album_app import shipped_file
from album_app.paths import atomic_write, cache_folder, is_file, private_folder

SIZES = (20, 40)
"""Sides in pixels at which icons are drawn, for screens with one and with two device pixels per pixel."""


@cache
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """The icon called `name` in one colour, and in the colour `disabled`, if given, where it is disabled."""
    found = QIcon()
    for size in SIZES:
        found.addPixmap(pixmap(name, colour, size))
        if disabled:
            found.addPixmap(pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return found


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """One picture of an icon, `size` wide and high."""
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(_tinted(name, colour).encode()))
    with QPainter(picture) as painter:
        renderer.render(painter)
    picture.setDevicePixelRatio(ratio)
    return picture


def png(name: str, size: int) -> bytes:
    """An icon in its own colours as a PNG, `size` wide and high; this works without a running application."""
    picture = QImage(size, size, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(_source(name).encode()))
    with QPainter(picture) as painter:
        renderer.render(painter)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def icon_file(name: str, colour: str) -> str:
    """The path of a tinted copy of an icon, for style sheets, which can only show files."""
    file = f"{name}-{colour.lstrip('#')}.svg"
    try:
        return _written(cache_folder() / "icons" / file, _tinted(name, colour))
    except OSError:
        return _written(Path(_place_for_this_run()) / file, _tinted(name, colour))


def _written(path: Path, text: str) -> str:
    if not is_file(path):
        private_folder(path.parent)
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return path.as_posix()


@cache
def _place_for_this_run() -> str:
    """A folder for icons that cannot be kept in the cache; it is removed when the program ends."""
    folder = tempfile.mkdtemp(prefix="album-app-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _tinted(name: str, colour: str) -> str:
    return _source(name).replace("currentColor", colour)


@cache
def _source(name: str) -> str:
    return shipped_file(f"icons/{name}.svg").read_text(encoding="utf-8")
