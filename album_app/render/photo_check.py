"""Checks before a sheet is written: photos that can no longer be read, and letters that no font has."""

from collections.abc import Generator, Sequence

from album_app.language import tr
from album_app.layout.captions import NONE, caption_of
from album_app.layout.colouring import colouring_of
from album_app.layout.layout import Layout
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.colour import THUMBNAIL_SIDE
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.in_threads import batches_of, in_threads
from album_app.photos.sandbox import decode, read_header
from album_app.render.book import chapters_of
from album_app.render.page.settings import RenderSettings
from album_app.render.page.text_faces import letters_without_glyph
from album_app.work import OnProgress, Stop, report

PHOTOS_AT_ONCE = 16
MOST_LETTERS_NAMED = 20


def unreadable_photos(
    layout: Layout, album: Album, *, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> dict[int, Undecodable]:
    """The photos on a sheet whose files are gone or damaged by now, and why.

    A file that is still the one that was read needs its header alone; one that has changed is decoded.

    >>> import numpy as np
    >>> from PIL import Image
    >>> from album_app.layout import arrange, rectangle
    >>> from album_app.photos import open_album
    >>> for name in ("a.png", "b.png"):
    ...     Image.new("RGB", (60, 40)).save(name)
    >>> album = open_album(".")
    >>> album.photos[1].path.unlink()
    >>> list(unreadable_photos(arrange(np.arange(2.0)[:, None], rectangle(1, 2)), album))
    [1]
    """

    def look(batch: Sequence[int]) -> Generator[tuple[int, Undecodable | None], None, None]:
        for place in batch:
            yield layout.shown[place], _fault(album.photos[layout.shown[place]])

    total = len(layout.shown)
    faults: dict[int, Undecodable] = {}
    report(on_progress, 0, total)
    for done, (photo, fault) in enumerate(in_threads(look, batches_of(total, PHOTOS_AT_ONCE), stop=stop), 1):
        if fault is not None:
            faults[photo] = fault
        report(on_progress, done, total)
    return dict(sorted(faults.items()))


def _fault(photo: Photo) -> Undecodable | None:
    try:
        read_header(photo.path)
        if _has_changed(photo):
            decode(photo.path, (THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    except Undecodable as fault:
        return fault
    return None


def _has_changed(photo: Photo) -> bool:
    try:
        now = photo.path.stat()
    except OSError:
        return True
    return (now.st_size, now.st_mtime_ns) != (photo.size, photo.mtime_ns)


def unprintable_letters(layout: Layout, album: Album, settings: RenderSettings) -> str:
    """The letters of titles and captions, each once, that no font has: they are left out when it is drawn.

    >>> import numpy as np
    >>> from album_app.layout import rectangle
    >>> empty = Layout(rectangle(1, 1), np.array([-1]), np.zeros(1))
    >>> unprintable_letters(empty, Album((), ()), RenderSettings(title="Crete"))
    ''
    """
    texts = [settings.title, *([settings.subtitle] if layout.shape.pages is not None else [])]
    if layout.shape.pages is not None:
        texts += chapters_of(layout, album.photos, settings).values()
    if settings.caption != NONE:
        texts += [caption_of(album.photos[photo], settings.caption) for photo in layout.shown]
    colouring = colouring_of(album.photos, settings.colour_by)
    return letters_without_glyph(texts if colouring is None else [*texts, colouring.texts])


def unprintable_words(letters: str) -> str:
    """What is said about letters that no font has.

    >>> unprintable_words("𐏃𐏄")
    'No font on this computer has these letters, so they are left out: 𐏃 𐏄'
    """
    shown = " ".join(letters[:MOST_LETTERS_NAMED])
    return tr("No font on this computer has these letters, so they are left out: {letters}", letters=shown)
