"""What an export begins with: its folder and file name, the choice that is remembered, and photos for a cover."""

import os
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from album_app.gui.dialogs.export.cards import BOOK, CARDS, POSTER
from album_app.gui.state.session import Session
from album_app.layout.project.document import Document
from album_app.paths import is_folder
from album_app.render import RenderSettings, earlier_files
from album_app.render.presets import Choice

PLACES = (
    QStandardPaths.StandardLocation.PicturesLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.HomeLocation,
)
MOST_COVER_PHOTOS = 8
"""Selected photos that are offered for a book's cover."""


def proposed_folder(last: str, project: Path | None, roots: Iterable[Path]) -> Path:
    """The folder of the last export, or else of the project, or else of pictures or documents.

    One inside the album would show the sheet among the photos when the album is opened again. Where every one is, the
    sheet goes into the folder that contains the album.
    """
    album = [root.absolute() for root in roots]
    wishes = [Path(last)] if last else []
    wishes += [project.parent] if project is not None else []
    wishes += [Path(QStandardPaths.writableLocation(place)) for place in PLACES]
    fitting = (wish for wish in wishes if is_folder(wish) and not _is_inside(wish, album))
    return next(fitting, album[0].parent if album else Path.home())


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """The first name like this that no file in a folder has, nor the pages of a book."""
    names = (folder / f"{stem}{f'-{place}' if place > 1 else ''}{suffix}" for place in count(1))
    return next(path for path in names if not os.path.lexists(path) and not any(earlier_files(path)))


def first_choice(document: Document) -> Choice:
    """What the form says before anything was ever exported: a poster, or a book where the sheet has pages."""
    choice = CARDS[POSTER if document.shape.pages is None else BOOK].choice()
    return replace(choice, settings=with_own(document, choice.settings))


def memory_key(document: Document, places: Sequence[Path] = ()) -> str:
    """The preference that remembers the last choice: a book does not start from the paper of a poster.

    With the places of an album, the one of that album: another poster made meanwhile does not change its paper.
    """
    kind = "export" if document.shape.pages is None else "book_export"
    names = "\n".join(str(place.absolute()) for place in places)
    return f"{kind}/{zlib.crc32(names.encode(errors='surrogateescape'))}" if places else kind


def with_own(document: Document, settings: RenderSettings) -> RenderSettings:
    """Settings with what belongs to a document itself."""
    own = replace(settings, title=document.title, subtitle=document.subtitle, cover=document.cover)
    return replace(own, columns=document.columns, chapter_titles=tuple(sorted(document.chapter_titles.items())))


def with_chapters(choice: Choice, document: Document) -> Choice:
    """The choice for a document; the chapters of a book have titles unless its pages are to have none at all."""
    has_chapters = document.has_chapters or (document.shape.pages is not None and bool(document.chapter_titles))
    wanted = has_chapters and choice.settings.page_titles != "none"
    return replace(choice, settings=replace(choice.settings, page_titles="chapter")) if wanted else choice


def cover_photos(session: Session, document: Document) -> list[str]:
    """The names of photos that the cover of a book can show: the one that was chosen, and the selected ones."""
    names = [photo.name for photo in document.album.photos]
    chosen = [document.cover] if document.cover in names else []
    return list(dict.fromkeys([*chosen, *(names[photo] for photo in session.selected[-MOST_COVER_PHOTOS:])]))


def _is_inside(folder: Path, album: Iterable[Path]) -> bool:
    folder = folder.absolute()
    return any(root == folder or root in folder.parents for root in album)
