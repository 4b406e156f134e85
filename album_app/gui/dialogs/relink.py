"""Finding photos again that are not where the project says."""

from dataclasses import replace
from pathlib import Path

from album_app.errors import UsageError
from album_app.gui.jobs import Task
from album_app.gui.kinds import Kind
from album_app.gui.session import Session
from album_app.gui.wording import counted
from album_app.layout.document import Document
from album_app.photos.album import Album, Photo, scan


def relink(session: Session, folder: Path) -> None:
    """Look for the missing photos in a folder, and take those found back by one edit."""

    def work(task: Task) -> Album:
        return scan(folder, on_progress=task.progress, stop=task.stop)

    def on_done(found: Album) -> None:
        document = session.document
        if document is None:
            return
        after, again = relinked(document, found)
        if not again:
            session.problem.emit(UsageError(f"None of the missing photos is in “{folder.name}”."))
            return
        session.edit("Find missing photos", after)
        session.notice.emit(f"Found {counted(len(again), 'photo')} again")

    session.jobs.start(Kind.RELINK, f"Looking through {folder.name}", work, on_done=on_done)


def relinked(document: Document, found: Album) -> tuple[Document, list[int]]:
    """The document with missing photos replaced by those found under the same name (and best the same size)."""
    by_name = {photo.name: photo for photo in found.photos}
    by_file: dict[str, list[Photo]] = {}
    for photo in found.photos:
        by_file.setdefault(photo.path.name, []).append(photo)
    photos, again = list(document.album.photos), []
    for index in sorted(document.missing):
        lost = photos[index]
        match = by_name.get(lost.name) or _same_file(lost, by_file.get(lost.name.rsplit("/", 1)[-1], []))
        if match is not None:
            photos[index] = replace(match, name=lost.name)
            again.append(index)
    roots = tuple(dict.fromkeys([*document.album.roots, *(found.roots if again else ())]))
    album = replace(document.album, photos=tuple(photos), roots=roots)
    layout = document.layout
    if layout is not None and (layout.photo_at < 0).any() and not set(again) <= set(layout.shown):
        layout = replace(layout, stage="first")  # there is room for them
    return replace(document, album=album, missing=document.missing - set(again), layout=layout), again


def _same_file(lost: Photo, candidates: list[Photo]) -> Photo | None:
    """The candidate of the same size, or the only one there is."""
    same = [photo for photo in candidates if photo.size == lost.size]
    if same:
        return same[0]
    return candidates[0] if len(candidates) == 1 else None
