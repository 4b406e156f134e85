"""Where things are: shipped resources, the user's cache, state and log folders; and the one atomic write."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

APP = "album-app"


def resource(name: str) -> Path:
    """Path of a shipped file, in an installed package or in a plain checkout."""
    package = Path(__file__).parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"resource {name} is missing from this installation")


def cache_folder() -> Path:
    """The platform's cache folder for this program; ALBUM_APP_CACHE names another one."""
    return _folder("ALBUM_APP_CACHE", platformdirs.user_cache_path(APP))


def state_folder() -> Path:
    """Recent files, autosaves and logs; ALBUM_APP_STATE names another one."""
    return _folder("ALBUM_APP_STATE", platformdirs.user_state_path(APP))


def _folder(variable: str, default: Path) -> Path:
    return Path(os.environ.get(variable) or default)


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; on success it replaces `path` at once, on failure `path` is untouched.

    The temporary file keeps the suffix of `path`, so writers that go by the suffix work on it.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=".album-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _sync(temporary)
        temporary.chmod(_mode_for(target))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _mode_for(target: Path) -> int:
    """The permissions of the file being replaced, or those the user's umask gives to a new one."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
