"""Packages that only some commands need: a missing one is reported before any work."""

from importlib.util import find_spec

from album_app.errors import AlbumError
from album_app.language import tr

PAPER = ("matplotlib", "sklearn")


def need_paper(who: str) -> None:
    """Say what to install where the extra `paper` is missing."""
    if not all(find_spec(package) for package in PAPER):
        raise AlbumError(tr("{who} needs the extra `paper`: pip install 'album-app[paper]'", who=who))
