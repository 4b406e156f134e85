"""The user's cache and state folders, and `atomic_write`, the only way in which the program writes files.

`check_replaceable` decides which existing files may be replaced; `atomic_write` applies it to every file.
"""

import errno
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from album_app.file_names import complaint, reachable
from album_app.language import StoredText, mark
from album_app.own_files import kind_of

APP = "album-app"
LEFT_SECONDS = 3600
"""Age at which an unfinished file of another computer counts as left behind.

Whether its program still runs cannot be found out from here, but no program writes for an hour without adding a byte.
Unfinished files of this computer are removed as soon as their program has ended.
"""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
"""Permissions of what only its owner may read."""
LONGEST_SUFFIX = 16
"""Characters; a temporary file gets no suffix in place of a longer one, so that its name stays short."""
REPLACE_SECONDS = (0.05, 0.1, 0.2, 0.4)
"""Pauses between attempts to replace a file on Windows."""

PathLike = str | os.PathLike[str]
_UNFINISHED = re.compile(r"\.album-app-(?:([0-9a-f]{6})-)?(\d{1,10})-[a-z0-9_]{8}(\..*)?")


def cache_folder() -> Path:
    """The platform's cache folder for this program; ALBUM_APP_CACHE names another one."""
    return _folder("ALBUM_APP_CACHE", lambda dirs: dirs.user_cache_path(APP))


def state_folder() -> Path:
    """Recent files, autosaves and logs; ALBUM_APP_STATE names another one."""
    return _folder("ALBUM_APP_STATE", lambda dirs: dirs.user_state_path(APP))


def preferences_file() -> Path:
    """The path of the user's preferences."""
    return state_folder() / "preferences.json"


def _folder(variable: str, default: Callable[[Any], Path]) -> Path:
    """The folder that a variable of the environment names, or else one of `platformdirs`."""
    if named := os.environ.get(variable):
        return Path(named)
    import platformdirs  # the solver writes files without it

    return default(platformdirs)


def is_file(path: PathLike) -> bool:
    """Whether a path leads to a regular file; False also where that cannot be found out, or the name is impossible."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: PathLike) -> bool:
    """Whether a path leads to a folder; False also where that cannot be found out, or the name is impossible."""
    return stat.S_ISDIR(_mode(path))


def is_stream(path: PathLike) -> bool:
    """Whether a path leads to a stream, such as a pipe or a terminal."""
    mode = _mode(path)
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _mode(path: PathLike) -> int:
    """The kind and permissions of what a path leads to; 0 for nothing."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def read_bounded(path: PathLike, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; anything else is refused with an OSError and not read."""
    with open(path, "rb", opener=_open_regular) as file:
        content = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
    if content is None or len(content) > most:
        raise OSError(errno.EFBIG, StoredText("it is too large, more than {most} MB", most=most // 10**6))
    return content


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file; a pipe is refused at once instead of waiting for its writer."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, mark("it is not a file"))
    return handle


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter; a folder that exists loses the permissions of others."""
    around = (path, *path.parents)
    for folder in reversed(around):
        if not is_folder(folder):
            folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
    _tighten(path, PRIVATE_FOLDER)
    for folder in _private(folder for folder in path.parents if _is_too_open(folder, PRIVATE_FOLDER)):
        _tighten(folder, PRIVATE_FOLDER)
    return path


def private_file(path: Path) -> Path:
    """Make an empty file that only its owner may read; a file that exists loses the permissions of others."""
    with suppress(FileExistsError):
        path.touch(PRIVATE_FILE, exist_ok=False)
    _tighten(path, PRIVATE_FILE)
    return path


def _tighten(path: Path, mode: int) -> None:
    """Remove the permissions of others from a file or folder of this user, but not from shared ones such as /tmp."""
    with suppress(OSError):
        if _is_too_open(path, mode):
            path.chmod(mode)


def _is_too_open(path: Path, mode: int) -> bool:
    """Whether a file or folder of this user has more permissions than `mode`, and is not a shared one."""
    try:
        found = path.stat()
    except OSError:
        return False
    ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return ours and not found.st_mode & stat.S_ISVTX and bool(found.st_mode & 0o777 & ~mode)


def _private(paths: Iterable[Path]) -> list[Path]:
    """The paths that lie in the program's cache or state folder."""
    try:
        ours = tuple(_real_start(folder) for folder in (cache_folder(), state_folder()))
    except ImportError:  # the solver can be used as a library without platformdirs; then there are no such folders
        return []
    return [path for path in paths if _real_start(path).startswith(ours)]


def _real_start(path: Path) -> str:
    """What the real path of a folder, and of everything in it, begins with."""
    return os.path.normcase(os.path.realpath(path)).rstrip(os.sep) + os.sep


def own_kind(path: PathLike) -> str:
    """The kind of a file that this program wrote, as `own_files` names it; "" for anything else.

    Only the mark of a regular file is read: nothing is decoded, and nothing is read from a pipe.
    """
    with suppress(OSError, ValueError), open(path, "rb", opener=_open_regular) as file:
        return kind_of(file)
    return ""


@dataclass(frozen=True)
class Replacing:
    """Which existing files a write may replace, besides those that the program wrote."""

    agreed: bool = False
    """Whether the user agreed to the loss of the file, by --force or in a dialog."""
    folders: tuple[Path, ...] = ()
    """The folders of the album: no file in them is replaced, even if the user agreed."""
    files: tuple[Path, ...] = ()
    """The files of the album, which may lie elsewhere if the album holds links to them."""


NOTHING_FOREIGN = Replacing()
AGREED = Replacing(agreed=True)


class OfAlbum(FileExistsError):
    """The file belongs to the album, and the program did not write it."""


def check_replaceable(path: PathLike, kind: str = "", replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Raise FileExistsError where a file exists that a new file of some kind must not replace.

    The program replaces what it wrote itself as the same kind of file, and anything in its cache and state folders.
    It replaces another file only if the user agreed, and never a file of the album.
    """
    _check_replaceable(path, _written(path), kind, replacing)


def _check_replaceable(path: PathLike, target: Path, kind: str, replacing: Replacing) -> None:
    if not is_file(target) or _private([target]) or (kind and own_kind(target) == kind):
        return
    if _is_of_album(Path(path), replacing) or _is_of_album(target, replacing):
        raise OfAlbum(errno.EEXIST, mark("it belongs to the album, and Album App did not write it"), str(path))
    if not replacing.agreed:
        raise FileExistsError(errno.EEXIST, mark("it exists, and Album App did not write it"), str(path))


def _is_of_album(path: Path, replacing: Replacing) -> bool:
    """Whether a file lies in a folder of the album or below it, or is a file of the album under another name."""
    folders = {_identity(folder) for folder in replacing.folders} - {None}
    around = Path(os.path.realpath(path.parent))
    if any(_identity(folder) in folders for folder in (around, *around.parents)):
        return True
    identity = _identity(path)
    return identity is not None and any(_identity(file) == identity for file in replacing.files)


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the number of a file or folder, which all its names share; None where there is nothing."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def version_of(path: PathLike) -> tuple[int, int, int] | None:
    """A value that changes whenever a file is written; None where there is no file."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def check_writable(path: PathLike) -> None:
    """Raise the OSError that writing a file would raise, as far as that is known before."""
    _check_writable(path, _written(path))


def _check_writable(path: PathLike, target: Path) -> None:
    mode = _mode(target)
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, mark("it is a folder"), str(path))
    if mode and not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, mark("it is not a file"), str(path))
    if mode and not (mode & 0o222 and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, mark("it is read-only"), str(path))
    if not is_folder(target.parent):
        raise FileNotFoundError(errno.ENOENT, mark("its folder is not there"), str(path))
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, mark("its folder cannot be written to"), str(path))


def _written(path: PathLike) -> Path:
    """The file that is written for a path: links are followed, so that they stay links."""
    given = Path(path)
    if sys.platform == "win32" and (wrong := complaint(given.name)):
        raise OSError(errno.EINVAL, wrong, str(path))
    if is_stream(given):
        return given
    try:
        with suppress(FileNotFoundError):
            given.lstat()
        found = os.path.realpath(given)
        real = Path(reachable(found) if sys.platform == "win32" else found)
    except ValueError as problem:
        raise OSError(errno.EINVAL, mark("no file can have this name")) from problem
    if real.is_symlink():
        raise OSError(errno.ELOOP, mark("it is a link that leads back to itself"))
    if _mode(given) and not _mode(real):
        raise FileNotFoundError(errno.ENOENT, mark("it was removed"))
    return real


def place_of(path: PathLike) -> str:
    """A string that is equal for all paths of one file, whether it exists or not; links are followed."""
    real = os.path.realpath(path)
    return os.path.normcase(real.casefold() if _is_case_blind(Path(real).parent) else real)


def _is_case_blind(folder: Path) -> bool:
    """Whether names that differ only in case lead to one file, as is usual on Windows and macOS."""
    for named in (folder, *folder.parents):
        other = named.with_name(named.name.swapcase()) if named.name else named
        if other != named:
            with suppress(OSError):
                return other.samefile(named)
            return False
    return False


@contextmanager
def atomic_write(path: PathLike, kind: str = "", replacing: Replacing = NOTHING_FOREIGN) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`; on success it replaces `path`, on failure `path` is untouched.

    The temporary file has the suffix of `path`, for writers that decide by it. Links are followed, and a pipe or a
    device gets the finished bytes. Raises OSError for a file that is read-only, or that a file of this `kind` must not
    replace.

    >>> with atomic_write("notes.txt") as temporary:
    ...     _ = temporary.write_text("all of it", encoding="utf-8")
    >>> Path("notes.txt").read_text(encoding="utf-8")
    'all of it'
    """
    target = _written(path)
    _check_writable(path, target)
    _check_replaceable(path, target, kind, replacing)
    streamed = is_stream(target)
    folder = Path(tempfile.gettempdir()) if streamed else target.parent
    _remove_left_behind(folder)
    suffix = target.suffix if len(target.suffix) <= LONGEST_SUFFIX else ""
    handle, name = tempfile.mkstemp(prefix=f".album-app-{_computer()}-{os.getpid()}-", suffix=suffix, dir=folder)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if streamed:
            _pour(temporary, target)
            temporary.unlink()
        else:
            _sync(temporary)
            temporary.chmod(_mode_for(target))
            check_replaceable(path, kind, replacing)  # another program may have written a file there meanwhile
            _replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _replace(temporary: Path, target: Path) -> None:
    """Put a finished file in its place; Windows refuses that while another program reads the old file."""
    for wait in REPLACE_SECONDS if sys.platform == "win32" else ():
        with suppress(PermissionError):
            temporary.replace(target)
            return
        time.sleep(wait)
    temporary.replace(target)


def _remove_left_behind(folder: Path) -> None:
    """Remove the unfinished files of programs that have ended."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _UNFINISHED.fullmatch(entry.name)
            if match is not None and not _is_running(int(match[2])):
                with suppress(OSError):
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    if match[1] == _computer() or age > LEFT_SECONDS:
                        Path(entry.path).unlink()


def _computer() -> str:
    """Six letters that distinguish this computer from others that write into the same folder."""
    return hashlib.sha256(platform.node().encode(errors="replace")).hexdigest()[:6]


def _is_running(process: int) -> bool:
    """Whether a process with this number runs. On Windows no signal may be sent, because it would end the process."""
    if process == os.getpid():
        return True
    if sys.platform == "win32":
        return _is_running_on_windows(process)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


QUERY_PROCESS, ACCESS_DENIED, STILL_ACTIVE = 0x1000, 5, 259
"""Constants of Windows: the right to query a process, the error of a refusal, the exit code of a running process."""


def _is_running_on_windows(process: int) -> bool:
    """Whether a process of Windows has not ended; one that this program may not query counts as running."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(QUERY_PROCESS, False, process)
    if not handle:
        return bool(kernel.GetLastError() == ACCESS_DENIED)
    code = ctypes.c_ulong()
    is_known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return not is_known or code.value == STILL_ACTIVE


def _pour(source: Path, stream: Path) -> None:
    """Copy a finished file into a pipe or a device; a pipe that no program reads is refused at once."""
    try:
        handle = os.open(stream, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except OSError as problem:
        if problem.errno == errno.ENXIO:
            raise BrokenPipeError(errno.ENXIO, mark("no program reads from this pipe")) from problem
        raise
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as target, source.open("rb") as file:
        shutil.copyfileobj(file, target)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _mode_for(target: Path) -> int:
    """The permissions of a file: private in the program's own folders, elsewhere as before, or as the umask says."""
    if _private([target]):
        return PRIVATE_FILE
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    umask = os.umask(0o077)  # another thread may make a file in this moment, so the mask is strict
    os.umask(umask)
    return 0o666 & ~umask
