"""Wishes about single photos: shown in any case, left out, held as in a project, or pinned where a word should be."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from album_app.cli.progress import Bar
from album_app.cli.sheet_arguments import cell_on_sheet, named_photos, parse_cell
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr
from album_app.layout import Cell, Document, Layout, Pins, Shape
from album_app.layout.editing.refit import with_rows
from album_app.layout.evaluation.suggest import check_place, with_place_pins
from album_app.photos.album import Album, Photo
from album_app.photos.classes import classes_of, word_for
from album_app.photos.faces import focus_of
from album_app.photos.find import Found, find, find_by_model, unknown_words
from album_app.photos.text_model import PREFERENCE, text_scores
from album_app.state_files import read_preferences


@dataclass(frozen=True, eq=False)
class Wishes:
    """What the user wants of some photos, by their indices in the album."""

    always: frozenset[int] = frozenset()
    excluded: frozenset[int] = frozenset()
    held: Document | None = None  # whose sheet is held, with a shape that has room for the new photos
    sheet: Layout | None = None  # that is held, as it was


def wishes_of(album: Album, include: Sequence[str], exclude: Sequence[str], held: Document | None) -> Wishes:
    """The photos that words on the command line mean; what a held project says of its photos counts as well."""
    always, out = named_photos(album, include), named_photos(album, exclude)
    both = sorted(always & out)
    if both:
        raise UsageError(tr("{name} is to be included and to be excluded.", name=printable(album.photos[both[0]].name)))
    if held is None or held.layout is None:
        return Wishes(always, out)
    here = _indices(held, album)
    always |= {here[photo] for photo in held.always_shown if photo in here} - out
    out |= {here[photo] for photo in held.excluded if photo in here} - always
    photo_at = np.array([here.get(photo, -1) for photo in held.layout.photo_at.tolist()], dtype=np.int64)
    photo_at[np.isin(photo_at, list(out))] = -1
    pins = Pins({here[photo]: cell for photo, cell in held.pins.items() if photo in here and here[photo] not in out})
    resembles = {
        here[left]: here[shown] for left, shown in held.layout.resembles.items() if left in here and shown in here
    }
    sizes = {here[photo]: size for photo, size in held.layout.sizes.items() if photo in here}
    sheet = replace(held.layout, photo_at=photo_at, pins=pins, resembles=resembles, scores={}, sizes=sizes)
    document = Document(
        *(album, held.spec, held.shape, pins, held.options, out, sheet),
        is_held=True,
        stacks=tuple(stack for stack in (_known(stack, here) for stack in held.stacks) if len(stack) > 1),
        sizes=sizes,
        variation=replace(held.variation, photos=frozenset(_known(sorted(held.variation.photos), here))),
        captions={here[photo]: text for photo, text in held.captions.items() if photo in here},
        crops={here[photo]: crop for photo, crop in held.crops.items() if photo in here},
    )
    if held.cells_needed <= held.shape.count:  # a sheet that leaves photos out gets no more cells
        document = with_rows(document)
    return Wishes(always, out, document, sheet)


def _known(photos: Sequence[int], here: Mapping[int, int]) -> tuple[int, ...]:
    """Photos of a project by their indices in the album, without those that it lacks."""
    return tuple(here[photo] for photo in photos if photo in here)


def _indices(held: Document, album: Album) -> dict[int, int]:
    """Photos of a project -> the same files in an album, or files of the same names in it."""
    by_path = {photo.path: index for index, photo in enumerate(album.photos)}
    found: dict[int, int] = {}
    taken: set[int] = set()
    for index, photo in enumerate(held.album.photos):
        there = by_path.get(photo.path)
        there = album.index_of(photo.name) if there is None else there
        if there is not None and there not in taken:
            found[index] = there
            taken.add(there)
    return found


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


def look_for(text: str, photos: Sequence[Photo], bars: Callable[[str], Bar], text_model: str | None = None) -> Found:
    """The photos that show what a text names, by a text-image model where one is preferred or its weights are given.

    Without one, faces are looked for only where the text asks for people.
    """
    file = str(read_preferences().get(PREFERENCE, "")) if text_model is None else text_model
    if file:
        with bars(tr("Looking at photos")) as on_progress:
            return find_by_model(text, photos, text_scores(photos, text, file, on_progress=on_progress))
    with bars(tr("Looking at photos")) as on_progress:
        classes = classes_of(photos, on_progress=on_progress)
    foci = {}
    if any(word is not None and word.with_faces for word in map(word_for, [text, *text.split()])):
        with bars(tr("Looking for faces")) as on_progress:
            foci = dict(enumerate(focus_of(photos, on_progress=on_progress)))
    return find(text, photos, classes, foci)
