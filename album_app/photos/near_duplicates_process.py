"""Near-duplicates found by a helper process: of very many photos it holds much, and takes its time."""

from collections.abc import Sequence

from album_app.language import mark
from album_app.photos.album import Album, Photo, photos_of, rows_of
from album_app.photos.cache import Cache
from album_app.photos.helper_process import Message, Say, answers_of, serve
from album_app.photos.near_duplicates import near_duplicates
from album_app.work import Stop


def groups_in_process(photos: Sequence[Photo], stop: Stop | None = None) -> list[tuple[int, ...]]:
    """The groups of `near_duplicates` among the photos that the cache knows."""
    request = {"photos": rows_of(photos)}
    (message,) = answers_of(__name__, request, mark("that looks for near-duplicates"), stop=stop)
    return [tuple(group) for group in message["groups"]]


def _work(request: Message, say: Say) -> None:
    """What the helper process does."""
    with Cache.open() as cache:
        say({"groups": near_duplicates(Album((), tuple(photos_of(request["photos"]))), cache, known_only=True).groups})


if __name__ == "__main__":
    serve(_work)
