"""Where things are: the user's cache, state and log folders; and the one atomic write."""

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from album_app.file_names import complaint, reachable
from album_app.language import mark

APP = "album-app"
LEFT_SECONDS = 3600
"""How old an unfinished file is before it counts as left behind; nobody writes that long without a byte."""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
LONGEST_SUFFIX = 16
REPLACE_SECONDS = (0.05, 0.1, 0.2, 0.4)
"""How long to wait between tries to replace a file on Windows."""

PathLike = str | os.PathLike[str]
_UNFINISHED = re.compile(r"\.album-app-(\d{1,10})-[a-z0-9_]{8}(\..*)?")


def cache_folder() -> Path:
    """The platform's cache folder for this program; ALBUM_APP_CACHE names another one."""
    return _folder("ALBUM_APP_CACHE", platformdirs.user_cache_path(APP))


def state_folder() -> Path:
    """Recent files, autosaves and logs; ALBUM_APP_STATE names another one."""
    return _folder("ALBUM_APP_STATE", platformdirs.user_state_path(APP))


def preferences_file() -> Path:
    """What the user prefers."""
    return state_folder() / "preferences.ini"


def _folder(variable: str, default: Path) -> Path:
    return Path(os.environ.get(variable) or default)


def is_file(path: PathLike) -> bool:
    """Whether a regular file is there; what cannot be looked at, or is no name of a file at all, is not."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: PathLike) -> bool:
    """Whether a folder is there; what cannot be looked at, or is no name of a folder at all, is not."""
    return stat.S_ISDIR(_mode(path))


def is_stream(path: PathLike) -> bool:
    """Whether what is there takes bytes as they come: a pipe, a terminal or such."""
    return stat.S_ISFIFO(_mode(path)) or stat.S_ISCHR(_mode(path))


def _mode(path: PathLike) -> int:
    """The kind and permissions of what a path leads to, 0 for nothing."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def read_bounded(path: PathLike, most: int) -> bytes:
    """All of a regular file of at most so many bytes; an OSError for anything else, before it is read."""
    with open(path, "rb", opener=_open_regular) as file:
        content = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
    if content is None or len(content) > most:
        raise OSError(errno.EFBIG, mark("it is too large, more than {most} MB").format(most=most // 10**6))
    return content


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file; opening a pipe must not wait for whoever writes into it."""
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
    ours = [os.path.realpath(folder) for folder in (cache_folder(), state_folder())]
    return [path for path in paths if any(Path(os.path.realpath(path)).is_relative_to(folder) for folder in ours)]


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
def atomic_write(path: PathLike) -> Iterator[Path]:
    """Yield a temporary path beside `path`; on success it replaces `path` at once, on failure `path` is untouched.

    The temporary file keeps the suffix of `path`, so writers that go by the suffix work on it. A link is written
    through; a pipe or a device gets the finished bytes; what is read-only stays as it is and is an OSError.

    >>> with atomic_write("notes.txt") as temporary:
    ...     _ = temporary.write_text("all of it", encoding="utf-8")
    >>> Path("notes.txt").read_text(encoding="utf-8")
    'all of it'
    """
    check_writable(path)
    target = _written(path)
    streamed = is_stream(target)
    folder = Path(tempfile.gettempdir()) if streamed else target.parent
    _remove_left_behind(folder)
    suffix = target.suffix if len(target.suffix) <= LONGEST_SUFFIX else ""
    handle, name = tempfile.mkstemp(prefix=f".album-app-{os.getpid()}-", suffix=suffix, dir=folder)
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
            if match is not None and not _is_running(int(match[1])):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > LEFT_SECONDS:
                        Path(entry.path).unlink()


def _is_running(process: int) -> bool:
    """Whether there is such a process; where that cannot be asked, an open file cannot be removed either."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


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
