"""The files of a command: reads the photos of a folder, and refuses to replace files of other origin."""

import math
import os
from collections.abc import Sequence
from pathlib import Path

from album_app.cli.progress import Bars
from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import reason, shown, tr, trn
from album_app.paths import OfAlbum, Replacing, check_replaceable, is_file, is_folder, own_kind
from album_app.photos.album import Album, Photo, Skipped, scan
from album_app.photos.cache import Cache

NAMED_FILES = 3
"""Skipped files that a message names; the others are counted."""


def read_album(folder: Path, bars: Bars, cache: Cache, targets: Sequence[Path] = (), decodes: bool = True) -> Album:
    """The readable photos of a folder, without our own sheets at `targets`; `decodes=False` reads headers alone."""
    if not is_folder(folder):
        name = printable(str(folder))
        raise UsageError(
            tr("{name} is a file, not a folder.", name=name)
            if is_file(folder)
            else tr("There is no folder {name}.", name=name)
        )
    with bars(tr("Reading photos")) as on_progress:
        album = scan(folder, cache=cache, decode_for=math.inf if decodes else 0.0, on_progress=on_progress)
    for target in targets:
        album = _without_target(album, target)
    if not album.photos:
        raise AlbumError(_why_empty(album, folder))
    return album


def _without_target(album: Album, target: Path) -> Album:
    """The album without a file that the program wrote earlier and will replace."""
    if not own_kind(target):
        return album
    wanted = target.stat()

    def is_other(item: Photo | Skipped) -> bool:
        try:
            return not os.path.samestat(item.path.stat(), wanted)
        except OSError:
            return True

    return Album(album.roots, tuple(filter(is_other, album.photos)), tuple(filter(is_other, album.skipped)))


def _why_empty(album: Album, folder: Path) -> str:
    name = printable(str(folder))
    if not album.skipped:
        return tr("There are no photos in {name}: the folder is empty.", name=name)
    which = skipped_words(album.skipped)
    return tr("There are no photos in {name} that can be read: {which}.", name=name, which=which)


def skipped_words(skipped: Sequence[Skipped]) -> str:
    """The first skipped files with their reasons, and the number of the others."""
    words = [f"{printable(item.name)} ({shown(item.reason)})" for item in skipped[:NAMED_FILES]]
    more = len(skipped) - len(words)
    listed = ", ".join(words)
    return trn("{files} and {count} more", "{files} and {count} more", more, files=listed) if more else listed


def refuse_foreign(target: Path, kind: str, kept: Replacing) -> None:
    """Refuse before any work to replace a file of other origin, which `atomic_write` would refuse after it."""
    name = printable(str(target))
    try:
        check_replaceable(target, kind, kept)
    except OfAlbum as problem:
        text = tr("{name} belongs to the album and is not replaced; choose another name.", name=name)
        raise UsageError(text) from problem
    except FileExistsError as problem:
        text = tr("{name} exists, and Album App did not write it; --force replaces it.", name=name)
        raise UsageError(text) from problem
    except OSError as problem:
        raise AlbumError(tr("{name} cannot be written: {reason}.", name=name, reason=reason(problem))) from problem
