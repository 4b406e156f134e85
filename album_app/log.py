"""The log file: problems that the program recovered from, for those who look into a fault."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from album_app.paths import private_file, private_folder, state_folder

LOG_BYTES = 1_000_000
"""Size at which a new log begins; the one before it is kept, too."""


def log_file() -> Path:
    """The path of the log."""
    return state_folder() / "album-app.log"


class _LogFile(RotatingFileHandler):
    """A log that only its owner may read. It is made with its first line; if that fails, there is no log."""

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        private_folder(path.parent)
        private_file(path)
        return super()._open()

    def close(self) -> None:
        """Close the log; lines that do not fit on a full disk are lost without an error."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: a log that cannot be written would otherwise be reported at every line."""


@contextmanager
def logged() -> Iterator[None]:
    """Write what the program's loggers receive into the log, not to standard error."""
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
