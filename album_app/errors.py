"""The errors a person is meant to read: one sentence each, naming what was wrong."""


class AlbumError(Exception):
    """Something could not be done; the message is the sentence shown to the user (exit code 1)."""


class UsageError(AlbumError):
    """The request itself was wrong: an argument, an option, a file of the wrong kind (exit code 2)."""


class TooFewCells(UsageError):
    """Letters cannot be drawn with so few cells; with `needed` they could."""

    def __init__(self, message: str, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class Stopped(AlbumError):
    """Long work ended early because its `stop` callable said so."""

    def __init__(self, message: str = "stopped") -> None:
        super().__init__(message)
