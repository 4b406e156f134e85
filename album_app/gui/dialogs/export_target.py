"""Where an export goes unless the user says otherwise: where people look for it, never among the album's photos."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from album_app.paths import is_folder

PLACES = (
    QStandardPaths.StandardLocation.PicturesLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.HomeLocation,
)


def proposed_folder(last: str, project: Path | None, roots: Iterable[Path]) -> Path:
    """The folder of the last export, or else of the project, or else of pictures or documents.

    One inside the album would show the sheet among the photos when the album is opened again. Where every one is, the
    sheet goes beside the album.
    """
    album = [root.absolute() for root in roots]
    wishes = [Path(last)] if last else []
    wishes += [project.parent] if project is not None else []
    wishes += [Path(QStandardPaths.writableLocation(place)) for place in PLACES]
    fitting = (wish for wish in wishes if is_folder(wish) and not _is_inside(wish, album))
    return next(fitting, album[0].parent if album else Path.home())


def _is_inside(folder: Path, album: Iterable[Path]) -> bool:
    folder = folder.absolute()
    return any(root == folder or root in folder.parents for root in album)
