"""Pins by words: `--pin-word dog@bottom-left` pins the photos that show a word best."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from album_app.cli.progress import Bar
from album_app.cli.sheet_arguments import cell_on_sheet, parse_cell
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr
from album_app.layout.evaluation.place_pins import check_place, with_place_pins
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape
from album_app.photos.album import Album, Photo
from album_app.photos.classes import classes_of
from album_app.photos.everyday_words import word_for
from album_app.photos.faces import focus_of
from album_app.photos.find import Found, find, unknown_words


@dataclass(frozen=True)
class WordPins:
    """The photos that a word pinned, and where."""

    word: str
    place: str
    photos: tuple[int, ...]


def split_word_pin(words: str) -> tuple[str, str, tuple[int | None, Cell] | None]:
    """The word of WORD@PLACE, its place, and the page and the cell where the place is written as [PAGE:]ROW,COL."""
    word, at, place = (part.strip() for part in words.rpartition("@"))
    if not at or not word or not place:
        text = mark("“{words}” is no word with a place; write WORD@PLACE, for example dog@bottom-left.")
        raise UsageError(tr(text, words=printable(words)))
    cell = parse_cell(place)
    if cell is None:
        place = "-".join(place.lower().replace("_", " ").replace("-", " ").split())
        check_place(place)
    return word, place, cell


def with_word_pins(
    pins: Pins,
    words: Sequence[str],
    album: Album,
    shape: Shape,
    active: Iterable[int],
    bars: Callable[[str], Bar],
) -> tuple[Pins, tuple[WordPins, ...]]:
    """The pins, and for each WORD@PLACE the photos that show the word best; a word that finds nothing is refused.

    Words with a cell come first, because the others can go to cells next to it.
    """
    among, made = set(active), list[WordPins]()
    for pin in sorted(words, key=lambda pin: split_word_pin(pin)[2] is None):
        word, place, within = split_word_pin(pin)
        cell = None if within is None else cell_on_sheet(pin, *within, shape)
        if cell is not None and pins.at(cell) is not None:
            raise UsageError(tr("The pin “{pin}” uses a cell that another pin has already.", pin=printable(pin)))
        found = look_for(word, album.photos, bars)
        ranked = [hit.photo for hit in found.hits if hit.photo in among and hit.photo not in pins]
        if not ranked:
            nothing = tr("No photo that is free to be pinned shows “{word}”.", word=printable(word))
            raise UsageError(" ".join(filter(None, (nothing, unknown_words(found)))))
        after = with_place_pins(pins, ranked, shape, place if cell is None else cell)
        made.append(WordPins(word, place, tuple(photo for photo in after if photo not in pins)))
        pins = after
    return pins, tuple(made)


def look_for(text: str, photos: Sequence[Photo], bars: Callable[[str], Bar]) -> Found:
    """The photos that show what a text names; faces are looked for only where the text asks for people."""
    with bars(tr("Looking at photos")) as on_progress:
        classes = classes_of(photos, on_progress=on_progress)
    foci = {}
    if any(word is not None and word.with_faces for word in map(word_for, [text, *text.split()])):
        with bars(tr("Looking for faces")) as on_progress:
            foci = dict(enumerate(focus_of(photos, on_progress=on_progress)))
    return find(text, photos, classes, foci)
