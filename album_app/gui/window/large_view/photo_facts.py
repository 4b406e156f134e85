"""What the line below a photo says about it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from album_app.file_names import undirected
from album_app.gui.style.wording import in_bytes, place_words, taken_words
from album_app.gui.window.large_view.panes import Pane
from album_app.language import number, tr
from album_app.layout.captions import caption_of
from album_app.layout.project.document import Document

BETWEEN = "   ·   "


def facts_of(document: Document, pane: Pane, row: Sequence[int], detailed: bool, camera: str | None) -> list[str]:
    """The photo's name, title and place; `detailed` adds date, camera and size; whether it can be seen.

    `row` are the photos that the arrows go through where these are not those of the sheet.
    """
    index = pane.photo
    if not 0 <= index < len(document.album):
        return []
    photo = document.album.photos[index]
    title = caption_of(document.captioned_album.photos[index], "title")
    parts = [undirected(photo.name), *([undirected(title)] if title else [])]
    if detailed:
        parts += [*taken_words(photo), *([camera] if camera else [])]
        parts += [f"{photo.width} × {photo.height}", in_bytes(photo.size)]
    cell = document.layout.cell_of(index) if document.layout is not None else None
    if cell is not None:
        place = place_words(cell, document.shape.pages)
        parts.append(tr("{place}, pinned", place=place) if index in document.pins else place)
    if index in row:
        parts.append(tr("photo {place} of {count}", place=number(row.index(index) + 1), count=number(len(row))))
    if index in document.always_shown:
        parts.append(tr("always shown"))
    if index in document.excluded:
        parts.append(tr("excluded"))
    if index in document.missing:
        parts.append(tr("file not found"))
    elif pane.pixels is None:
        parts.append(tr("being read…") if pane.reading else tr("cannot be shown"))
    return parts


def in_one_line(facts: Sequence[str], width: float, font: QFontMetrics) -> str:
    """The facts in one line; a name that is too long is shortened in its middle."""
    if not facts:
        return ""
    rest = font.horizontalAdvance(BETWEEN.join(["", *facts[1:]]))
    name = font.elidedText(facts[0], Qt.TextElideMode.ElideMiddle, int(width - rest))
    return BETWEEN.join([name, *facts[1:]])
