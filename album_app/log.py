"""The log file: problems that the program recovered from, to be read when something seems wrong."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from album_app.paths import private_file, private_folder, state_folder

LOG_BYTES = 1_000_000


def log_file() -> Path:
    """Where the log is."""
    return state_folder() / "album-app.log"


class _LogFile(RotatingFileHandler):
    """A file that its owner alone may read, made with the first line; where it cannot be, there is no log."""

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        private_folder(path.parent)
        private_file(path)
        return super()._open()

    def close(self) -> None:
        """Lines that a full disk does not take are lost; the work is done all the same."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:
        """A log that cannot be written is no reason to say so at every line."""


@contextmanager
def logged() -> Iterator[None]:
    """Take what the program notes into the log, and not to standard error."""
    logger = logging.getLogger("album_app")
    handler = _LogFile(log_file(), maxBytes=LOG_BYTES, backupCount=1, delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()
