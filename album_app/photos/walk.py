"""Lists the files under folders without opening any, and the companions of pictures: raw files, films, sidecars."""

import errno
import logging
import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import StoredText, mark, tr
from album_app.photos.decoding.image_formats import is_photo, is_raw, is_video
from album_app.work import Stop, check

log = logging.getLogger("album_app.photos.walk")

_SPECIAL = {
    stat.S_IFIFO: mark("a pipe, not a file"),
    stat.S_IFSOCK: mark("a socket, not a file"),
    stat.S_IFCHR: mark("a device, not a file"),
    stat.S_IFBLK: mark("a device, not a file"),
}
_TROUBLES = {
    errno.ENOENT: mark("a link to something that is not there"),
    errno.ELOOP: mark("a link that leads back to itself"),
    errno.EACCES: mark("no permission to look at it"),
    errno.EPERM: mark("no permission to look at it"),
}
_SYSTEM_FOLDERS = ("/proc", "/sys")
SYSTEM = mark("a folder of the system, not of photos")
SEEN_BEFORE = mark("a link to a folder that is already in the album")


def is_companion(name: str) -> bool:
    """Whether a file of this name belongs to a picture of the same name, if there is one."""
    return is_raw(name) or is_video(name)


SIDECAR_SUFFIXES = (".xmp", ".json", ".aae", ".pp3", ".dop", ".thm")
"""Suffixes of files in which phones, clouds and editing programs describe photos; a walk passes over them."""


def is_sidecar(name: str) -> bool:
    """Whether a file describes photos by its name.

    >>> is_sidecar("sea.jpg.XMP"), is_sidecar("sea.jpg.supplemental-metadata.json"), is_sidecar("sea.jpg")
    (True, True, False)
    """
    return name.lower().endswith(SIDECAR_SUFFIXES)


def stem_of(path: Path) -> str:
    """What a picture and its companions have in common."""
    return os.fspath(path.with_suffix("")).casefold()


def companions_of(pictures: Iterable[Path]) -> dict[Path, list[Path]]:
    """The companions of those pictures that have some; each folder is listed once, and no file is opened.

    >>> for name in ("sea.jpg", "sea.nef", "hill.jpg"):
    ...     Path(name).touch()
    >>> [file.name for file in companions_of([Path("sea.jpg"), Path("hill.jpg")])[Path("sea.jpg")]]
    ['sea.nef']
    """
    wanted = [path for path in pictures if is_photo(path.name) and not is_companion(path.name)]
    by_stem: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(path.parent for path in wanted):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if is_companion(entry.name):
                    by_stem.setdefault(stem_of(folder / entry.name), []).append(folder / entry.name)
    return {path: sorted(by_stem[stem_of(path)]) for path in wanted if stem_of(path) in by_stem}


@dataclass(frozen=True)
class Found:
    """A regular file under `root`, `named` if it is a source itself, or what is left out because of `trouble`."""

    root: Path
    path: Path
    name: str
    size: int = 0
    mtime_ns: int = 0
    trouble: str = ""
    named: bool = False


@dataclass(frozen=True)
class _Folder:
    root: Path
    path: Path
    name: str
    is_link: bool


class Walk:
    """Goes through sources one by one; links to folders wait for the end, so that photos keep their real places."""

    def __init__(self, sources: Iterable[str | os.PathLike[str]], recursive: bool, stop: Stop | None) -> None:
        self._sources = [_absolute(Path(source)) for source in sources]
        self._recursive = recursive
        self._stop = stop
        self._folders: deque[_Folder] = deque()
        self._links: deque[_Folder] = deque()
        self._listed: set[tuple[int, int]] = set()
        self._paths: set[Path] = set()
        self.roots: list[Path] = []

    def __iter__(self) -> Iterator[Found]:
        for source in self._sources:
            if not os.path.lexists(source):
                raise UsageError(tr("there is no file or folder {source}", source=printable(str(source))))
            is_folder = _is_folder(source)
            root = source if is_folder else source.parent
            if root not in self.roots:
                self.roots.append(root)
            if is_folder:
                self._folders.append(_Folder(root, source, "", is_link=False))
            else:
                yield from self._entry(root, source, source.name, is_link=source.is_symlink(), named=True)
        while self._folders or self._links:
            yield from self._folder(self._folders.popleft() if self._folders else self._links.popleft())

    def _folder(self, folder: _Folder) -> Iterator[Found]:
        """What is in one folder, unless it was listed before."""
        check(self._stop)
        try:
            status = folder.path.stat()
            identity = (status.st_dev, status.st_ino)
            if identity in self._listed:
                if folder.is_link:
                    yield Found(folder.root, folder.path, folder.name, trouble=SEEN_BEFORE)
                return
            self._listed.add(identity)
            if status.st_dev in _system_devices():
                yield Found(folder.root, folder.path, folder.name or folder.path.name, trouble=SYSTEM)
                return
            with os.scandir(folder.path) as entries:
                for entry in entries:
                    check(self._stop)
                    if not _is_hidden(entry) and not (is_sidecar(entry.name) and entry.is_file()):
                        name = f"{folder.name}/{entry.name}" if folder.name else entry.name
                        yield from self._entry(folder.root, folder.path / entry.name, name, entry.is_symlink())
        except OSError as error:
            log.info("%r: %s", folder.path, error)
            yield Found(folder.root, folder.path, folder.name or folder.path.name, trouble=_folder_trouble(error))

    def _entry(self, root: Path, path: Path, name: str, is_link: bool, named: bool = False) -> Iterator[Found]:
        """A file, a reason to leave it out, or nothing for a folder, which is put in the queue."""
        try:
            status = path.stat()
        except OSError as error:
            if is_link or not isinstance(error, FileNotFoundError):
                words = _TROUBLES.get(
                    error.errno or 0,
                    StoredText("could not be read ({reason})", reason=StoredText(error.strerror or "")),
                )
                yield Found(root, path, name, trouble=words)
            return
        if stat.S_ISDIR(status.st_mode):
            if self._recursive:
                (self._links if is_link else self._folders).append(_Folder(root, path, name, is_link))
        elif not stat.S_ISREG(status.st_mode):
            yield Found(root, path, name, trouble=_SPECIAL.get(stat.S_IFMT(status.st_mode), mark("not a file")))
        elif path not in self._paths:
            self._paths.add(path)
            yield Found(root, path, name, status.st_size, status.st_mtime_ns, named=named)


def _absolute(source: Path) -> Path:
    """The full path under the name the user gave; links in it are followed only to make sense of a `..`."""
    return source.resolve() if ".." in source.parts else source.absolute()


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return False


@cache
def _system_devices() -> frozenset[int]:
    """The devices whose files show the state of the system: they never end, and some are links to the whole disk."""
    devices = set()
    for folder in map(Path, _SYSTEM_FOLDERS):
        with suppress(OSError):
            devices.add(folder.stat().st_dev)
    return frozenset(devices - {Path(os.sep).stat().st_dev})


def _folder_trouble(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return mark("no permission to open this folder")
    return StoredText("this folder could not be read ({reason})", reason=StoredText(error.strerror or ""))


def _is_hidden(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith("."):
        return True
    if os.name != "nt":
        return False
    attributes = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    return bool(attributes & getattr(stat, "FILE_ATTRIBUTE_HIDDEN", 0))
