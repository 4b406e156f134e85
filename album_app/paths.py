"""Where things are: the user's cache, state and log folders; and the one way to write a file.

A file that exists is replaced only by the rule of `check_replaceable`, which `atomic_write` applies to every file.
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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from album_app.file_names import complaint, reachable
from album_app.language import StoredText, mark
from album_app.own_files import kind_of

APP = "album-app"
LEFT_SECONDS = 3600
"""How old an unfinished file of another computer is before it counts as left behind.

Whether its program still runs cannot be asked from here; no program writes that long without a byte. Unfinished files
of this computer are removed as soon as their program is gone.
"""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
LONGEST_SUFFIX = 16
REPLACE_SECONDS = (0.05, 0.1, 0.2, 0.4)
"""How long to wait between tries to replace a file on Windows."""

PathLike = str | os.PathLike[str]
_UNFINISHED = re.compile(r"\.album-app-(?:([0-9a-f]{6})-)?(\d{1,10})-[a-z0-9_]{8}(\..*)?")


def cache_folder() -> Path:
    """The platform's cache folder for this program; ALBUM_APP_CACHE names another one."""
    import platformdirs  # the solver writes files without it

    return _folder("ALBUM_APP_CACHE", platformdirs.user_cache_path(APP))


def state_folder() -> Path:
    """Recent files, autosaves and logs; ALBUM_APP_STATE names another one."""
    import platformdirs

    return _folder("ALBUM_APP_STATE", platformdirs.user_state_path(APP))


def preferences_file() -> Path:
    """What the user prefers."""
    return state_folder() / "preferences.json"


def _folder(variable: str, default: Path) -> Path:
    return Path(os.environ.get(variable) or default)


def is_file(path: PathLike) -> bool:
    """Whether a regular file is there; what cannot be looked at, or is no name of a file at all, is not."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: PathLike) -> bool:
    """Whether a folder is there; what cannot be looked at, or is no name of a folder at all, is not."""
    return stat.S_ISDIR(_mode(path))


def is_stream(path: PathLike) -> bool:
    """Whether what is there takes bytes as they come: a pipe or a terminal, for example."""
    return stat.S_ISFIFO(_mode(path)) or stat.S_ISCHR(_mode(path))


def _mode(path: PathLike) -> int:
    """The kind and permissions of what a path leads to, 0 for nothing."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def read_bounded(path: PathLike, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; an OSError for anything else, before it is read."""
    with open(path, "rb", opener=_open_regular) as file:
        content = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
    if content is None or len(content) > most:
        raise OSError(errno.EFBIG, StoredText("it is too large, more than {most} MB", most=most // 10**6))
    return content


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file; opening a pipe must not wait for its writer."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, mark("it is not a file"))
    return handle


def private_folder(path: Path) -> Path:
    """A folder that its owner alone may enter, made where it is not there; a laxer one is tightened."""
    around = (path, *path.parents)
    for folder in reversed(around):
        if not is_folder(folder):
            folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
    for folder in _private(around) or [path]:
        _tighten(folder, PRIVATE_FOLDER)
    return path


def private_file(path: Path) -> Path:
    """A file that its owner alone may read, made empty where it is not there; a laxer one is tightened."""
    with suppress(FileExistsError):
        path.touch(PRIVATE_FILE, exist_ok=False)
    _tighten(path, PRIVATE_FILE)
    return path


def _tighten(path: Path, mode: int) -> None:
    """Take away what others may do with a file or folder of ours; a shared one, such as /tmp, is not ours."""
    with suppress(OSError):
        found = path.stat()
        ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        if ours and not found.st_mode & stat.S_ISVTX and found.st_mode & 0o777 & ~mode:
            path.chmod(mode)


def _private(paths: Iterable[Path]) -> list[Path]:
    """Those that lie in a folder of ours."""
    try:
        ours = [os.path.realpath(folder) for folder in (cache_folder(), state_folder())]
    except ImportError:  # the solver as a library, without platformdirs, has no folders
        return []
    return [path for path in paths if any(Path(os.path.realpath(path)).is_relative_to(folder) for folder in ours)]


def own_kind(path: PathLike) -> str:
    """Which kind of file of this program lies there, one of those in `own_files`; "" for anything else.

    Only the mark of a regular file is read: nothing is decoded, and a pipe is not opened for reading.
    """
    with suppress(OSError, ValueError), open(path, "rb", opener=_open_regular) as file:
        return kind_of(file)
    return ""


@dataclass(frozen=True)
class Replacing:
    """Which files that exist already the user lets a write replace, beyond those that the program wrote."""

    agreed: bool = False
    """Whether the user agreed to the loss of the file: with --force, or when the window asked."""
    folders: tuple[Path, ...] = ()
    """The folders of the album: agreed or not, no file in them is replaced."""
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
    target = _written(path)
    if not is_file(target) or _private([target]) or (kind and own_kind(target) == kind):
        return
    if _is_of_album(Path(path), replacing) or _is_of_album(target, replacing):
        raise OfAlbum(errno.EEXIST, mark("it belongs to the album, and Album App did not write it"), str(path))
    if not replacing.agreed:
        raise FileExistsError(errno.EEXIST, mark("it exists, and Album App did not write it"), str(path))


def _is_of_album(path: Path, replacing: Replacing) -> bool:
    """Whether a file lies anywhere in the folders of an album, or is one of its files by another name."""
    folders = {_identity(folder) for folder in replacing.folders} - {None}
    around = Path(os.path.realpath(path.parent))
    if any(_identity(folder) in folders for folder in (around, *around.parents)):
        return True
    identity = _identity(path)
    return identity is not None and any(_identity(file) == identity for file in replacing.files)


def _identity(path: Path) -> tuple[int, int] | None:
    """What is the same for all names of a file or folder; None where there is nothing."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def version_of(path: PathLike) -> tuple[int, int, int] | None:
    """What changes whenever a file is written; None where there is none."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def check_writable(path: PathLike) -> None:
    """Raise the OSError that writing there would end with, as far as it can be known before."""
    target = _written(path)
    if is_stream(target):
        return
    mode = _mode(target)
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
    """The file that a write goes to: where links lead, so that they stay links."""
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
    """The same for all names of one file, be it there or not: links are followed, and case may not count."""
    real = os.path.realpath(path)
    return os.path.normcase(real.casefold() if _is_case_blind(Path(real).parent) else real)


def _is_case_blind(folder: Path) -> bool:
    """Whether the same names in capitals lead to the same files, as usual on Windows and macOS."""
    for named in (folder, *folder.parents):
        other = named.with_name(named.name.swapcase()) if named.name else named
        if other != named:
            with suppress(OSError):
                return other.samefile(named)
            return False
    return False


@contextmanager
def atomic_write(path: PathLike, kind: str = "", replacing: Replacing = NOTHING_FOREIGN) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`; on success it replaces `path` at once, on failure `path` is
    untouched.

    The temporary file keeps the suffix of `path`, so writers that go by the suffix work on it. A link is written
    through, and a pipe or a device gets the finished bytes. A file that is read-only, or that a file of this `kind`
    must not replace, stays as it is and is an OSError.

    >>> with atomic_write("notes.txt") as temporary:
    ...     _ = temporary.write_text("all of it", encoding="utf-8")
    >>> Path("notes.txt").read_text(encoding="utf-8")
    'all of it'
    """
    check_writable(path)
    check_replaceable(path, kind, replacing)
    target = _written(path)
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
    """Put a finished file in its place; Windows refuses while another program, such as a scanner, looks at it."""
    for wait in REPLACE_SECONDS if sys.platform == "win32" else ():
        with suppress(PermissionError):
            temporary.replace(target)
            return
        time.sleep(wait)
    temporary.replace(target)


def _remove_left_behind(folder: Path) -> None:
    """Remove the unfinished files of programs that are gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _UNFINISHED.fullmatch(entry.name)
            if match is not None and not _is_running(int(match[2])):
                with suppress(OSError):
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    if match[1] == _computer() or age > LEFT_SECONDS:
                        Path(entry.path).unlink()


def _computer() -> str:
    """A few letters that tell this computer from others that write into the same folder."""
    return hashlib.sha256(platform.node().encode(errors="replace")).hexdigest()[:6]


def _is_running(process: int) -> bool:
    """Whether a process with this number runs; on Windows a signal must not ask, for it would end the process."""
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
"""Numbers by which Windows calls the right to ask about a process, a refusal, and a process that runs."""


def _is_running_on_windows(process: int) -> bool:
    """Whether Windows knows a process that has not ended; one that it does not tell about counts as running."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(QUERY_PROCESS, False, process)
    if not handle:
        return bool(kernel.GetLastError() == ACCESS_DENIED)
    code = ctypes.c_ulong()
    is_told = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return not is_told or code.value == STILL_ACTIVE


def _pour(source: Path, stream: Path) -> None:
    """Copy a finished file into a pipe or a device; a pipe that nobody reads is refused, not waited for."""
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
    """What others may do with a file: nothing in our own folders, elsewhere as before, or as the umask says."""
    if _private([target]):
        return PRIVATE_FILE
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    umask = os.umask(0o077)  # for a moment, in which another thread may make a file
    os.umask(umask)
    return 0o666 & ~umask
