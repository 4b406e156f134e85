"""Errors that are shown to the user; the message of each is a sentence that says what is wrong."""


class AlbumError(Exception):
    """Something could not be done (exit code 1)."""


class UsageError(AlbumError):
    """The request was wrong: an argument, an option, or a file of the wrong kind (exit code 2)."""


class TooFewCells(UsageError):
    """Letters cannot be drawn with the given number of cells; they need `needed` cells."""

    def __init__(self, message: str, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class Stopped(AlbumError):
    """Long work ended early because its `stop` function returned True."""

    def __init__(self, message: str = "stopped") -> None:
        super().__init__(message)
