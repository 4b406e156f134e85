"""Reads wishes about single photos and pages from the words of the command line.

Photos are pinned by name or by what they show, cropped, sized, shown in any case, left out or held as in a project;
chapters have titles.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from album_app.cli.progress import Bars
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, reason, shown, tr
from album_app.layout import Cell, Document, Layout, Shape
from album_app.layout.captions import LONGEST_CAPTION
from album_app.layout.crops import HandCrop
from album_app.layout.editing.refit import with_rows
from album_app.layout.evaluation.suggest import check_place, with_place_pins
from album_app.layout.pins import Pins, read_pins_csv
from album_app.layout.shapes.blocks import LARGEST_SIZE
from album_app.paths import read_bounded
from album_app.photos.album import Album, Photo
from album_app.photos.classes import classes_of, word_for
from album_app.photos.faces import focus_of
from album_app.photos.find import Found, find, find_by_model, unknown_words
from album_app.photos.text_model import PREFERENCE, text_scores
from album_app.render import COVERS
from album_app.state_files import read_preferences

_PIN = re.compile(
    r"(?P<path>.+)@\s*(?:(?P<page>\d{1,6})\s*:)?\s*(?P<row>\d{1,6})\s*,\s*(?P<column>\d{1,6})\s*", re.DOTALL
)

LARGEST_LIST = 16_000_000
"""Bytes of a list of photos that is read, at most."""


def split_pin(words: str) -> tuple[str, int | None, Cell]:
    """The path, the page if there is one, and the cell of PATH@PAGE:ROW,COL.

    The last @ counts, because a path may contain @.
    """
    parts = _PIN.fullmatch(words)
    if parts is None:
        raise UsageError(
            tr("“{words}” is no pin; write PATH@ROW,COL, for example beach/img12.jpg@0,4.", words=printable(words))
        )
    page = None if parts["page"] is None else int(parts["page"])
    return parts["path"], page, (int(parts["row"]), int(parts["column"]))


def parse_cell(words: str) -> tuple[int | None, Cell] | None:
    """The page, if there is one, and the cell of [PAGE:]ROW,COL; None for anything else."""
    parts = _PIN.fullmatch(f"-@{words}")
    if parts is None or "@" in words:
        return None
    return None if parts["page"] is None else int(parts["page"]), (int(parts["row"]), int(parts["column"]))


def chosen_pins(album: Album, shape: Shape, words: Sequence[str], file: Path | None) -> Pins:
    """The pins of a CSV file, if there is one, and those written as PATH@ROW,COL."""
    names = [photo.name for photo in album.photos]
    pins = read_pins_csv(file, names, shape) if file is not None else Pins()
    for pin in words:
        path, page, within = split_pin(pin)
        photo, cell = photo_named(album, path), cell_on_sheet(pin, page, within, shape)
        if photo in pins or pins.at(cell) is not None:
            photo_again = mark("The pin “{pin}” uses a photo that another pin has already.")
            cell_again = mark("The pin “{pin}” uses a cell that another pin has already.")
            raise UsageError(tr(photo_again if photo in pins else cell_again, pin=printable(pin)))
        pins = pins.pin(photo, cell)
    return pins


def chosen_sizes(album: Album, words: Sequence[str]) -> dict[int, int]:
    """The sizes of photos written as PATH=SIZE."""
    sizes = {}
    for word in words:
        path, _, number = word.rpartition("=")
        if not path or not number.isdecimal() or not 1 <= int(number[:4]) <= LARGEST_SIZE:
            text = mark("The size “{word}” is to be written as PATH=SIZE with a size from 1 to {most}.")
            raise UsageError(tr(text, word=printable(word), most=LARGEST_SIZE))
        sizes[photo_named(album, path)] = int(number)
    return {photo: size for photo, size in sizes.items() if size > 1}


def split_chapter_titles(words: Sequence[str]) -> dict[int, str]:
    """The titles of chapters written as PAGE=TEXT, by page from 0 on; an empty text stands for the dates.

    >>> split_chapter_titles(["2=To the sea = home"])
    {1: 'To the sea = home'}
    """
    titles = {}
    for word in words:
        page, is_split, text = word.partition("=")
        if not is_split or not re.fullmatch(r"0*[1-9][0-9]{0,5}", page.strip(), re.ASCII):
            text = mark("The chapter title “{word}” is to be written as PAGE=TEXT, with pages from 1 on.")
            raise UsageError(tr(text, word=printable(word)))
        titles[int(page) - 1] = " ".join(text.split())[:LONGEST_CAPTION]
    return titles


def chosen_crops(album: Album, words: Sequence[str]) -> dict[int, HandCrop]:
    """The centres of crops, written as PATH@X,Y with shares of a photo's width and height."""
    crops = {}
    for word in words:
        path, _, place = word.rpartition("@")
        found = re.fullmatch(r"\s*(0?\.\d+|[01](?:\.0*)?)\s*,\s*(0?\.\d+|[01](?:\.0*)?)\s*", place)
        if not path or found is None:
            text = mark("The focus “{word}” is to be written as PATH@X,Y with shares from 0 to 1.")
            raise UsageError(tr(text, word=printable(word)))
        crops[photo_named(album, path)] = HandCrop(float(found[1]), float(found[2]))
    return crops


def chosen_cover(album: Album, word: str) -> str:
    """The picture on a book's cover: one of COVERS, or the name of a photo of the folder."""
    if word in COVERS:
        return word
    return album.photos[photo_named(album, word, mark("There is no photo {path} in {folder} for the cover."))].name


def _outside(pin: str, shape: Shape) -> str:
    whole = mark(
        "The pin “{pin}” names a cell outside the shape: rows go from 0 to {rows}, columns from 0 to {columns}."
    )
    holed = mark(
        "The pin “{pin}” names a cell outside the shape: rows go from 0 to {rows}, columns from 0 to {columns}, "
        "and not all are part of it."
    )
    return tr(holed if _has_holes(shape) else whole, pin=pin, rows=shape.rows - 1, columns=shape.columns - 1)


def cell_on_sheet(pin: str, page: int | None, within: Cell, shape: Shape) -> Cell:
    """The cell that a pin names; a cell that the shape does not have is a UsageError."""
    cell = _on_sheet(pin, page, within, shape)
    if cell not in shape:
        raise UsageError(_outside(printable(pin), shape))
    return cell


def _on_sheet(pin: str, page: int | None, cell: Cell, shape: Shape) -> Cell:
    """A cell of a page, counted from 1, on the whole sheet."""
    if shape.pages is None and page is None:
        return cell
    if shape.pages is None or page is None:
        right = "PATH@ROW,COL" if shape.pages is None else "PATH@PAGE:ROW,COL"
        raise UsageError(tr("The pin “{pin}” is to be written as {right} here.", pin=printable(pin), right=right))
    pages = shape.pages
    if not 1 <= page <= pages.count or cell[0] >= pages.rows or cell[1] >= pages.columns:
        raise UsageError(
            tr(
                "The pin “{pin}” names no cell of the book: pages go from 1 to {pages}, rows from 0 to {rows}, "
                "columns from 0 to {columns}.",
                pin=printable(pin),
                pages=pages.count,
                rows=pages.rows - 1,
                columns=pages.columns - 1,
            )
        )
    top, left = pages.origin(page - 1)
    return top + cell[0], left + cell[1]


def photo_named(album: Album, path: str, missing: str = mark("There is no photo {path} in {folder}.")) -> int:
    """The photo at a path relative to the folder, or at a full path inside it."""
    places = [path, posixpath.normpath(path.replace("\\", "/"))]
    places += [Path(path).relative_to(root).as_posix() for root in album.roots if Path(path).is_relative_to(root)]
    for place in places:
        photo = album.index_of(place)
        if photo is not None:
            return photo
    for item in album.skipped:
        if item.name in places:
            text = mark("The file {path} cannot be read as a photo: {reason}.")
            raise UsageError(tr(text, path=printable(path), reason=shown(item.reason)))
    words = tr(missing, path=printable(path), folder=printable(str(album.roots[0])))
    alike = next((photo.name for photo in album.photos if posixpath.basename(photo.name) == places[1]), None)
    raise UsageError(words if alike is None else f"{words} {tr('Did you mean {path}?', path=printable(alike))}")


def named_photos(album: Album, words: Sequence[str]) -> frozenset[int]:
    """The photos that words name: names, patterns such as beach/*.jpg, and @FILE with a name or pattern on each line.

    A pattern without a folder matches files in any folder. A word that names no photo is a UsageError.
    """
    names = [photo.name for photo in album.photos]
    found: set[int] = set()
    for word in _without_files(words):
        name = posixpath.normpath(word.replace("\\", "/"))
        meant = {photo for photo in (album.index_of(word), album.index_of(name)) if photo is not None}
        if not meant:
            last = "/" not in name
            meant = {
                k for k, known in enumerate(names) if fnmatchcase(known.rsplit("/", 1)[-1] if last else known, name)
            }
        if not meant:
            raise UsageError(tr("No photo is called “{word}” or fits that pattern.", word=printable(word)))
        found |= meant
    return frozenset(found)


def _without_files(words: Sequence[str]) -> list[str]:
    """The words, with the lines of each @FILE in its place; empty lines and lines that begin with # are left out."""
    found: list[str] = []
    for word in words:
        if not word.startswith("@"):
            found.append(word)
            continue
        try:
            text = read_bounded(word[1:], LARGEST_LIST).decode("utf-8-sig", "surrogateescape")
        except OSError as error:
            name = printable(word[1:])
            raise UsageError(tr("{name} could not be read: {reason}.", name=name, reason=reason(error))) from error
        lines = [line.strip() for line in text.splitlines()]
        found += [line for line in lines if line and not line.startswith("#")]
    return found


def _has_holes(shape: Shape) -> bool:
    return shape.count < shape.rows * shape.columns


@dataclass(frozen=True, eq=False)
class Wishes:
    """The user's wishes about photos, by their indices in the album."""

    always: frozenset[int] = frozenset()
    excluded: frozenset[int] = frozenset()
    held: Document | None = None  # the held project, with a shape that has room for new photos
    sheet: Layout | None = None  # the held sheet, unchanged


def wishes_of(album: Album, include: Sequence[str], exclude: Sequence[str], held: Document | None) -> Wishes:
    """The wishes of the command line, together with those of a held project."""
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
    if held.cells_needed <= held.shape.count:  # a sheet that left photos out before gets no more cells
        document = with_rows(document)
    return Wishes(always, out, document, sheet)


def _known(photos: Sequence[int], here: Mapping[int, int]) -> tuple[int, ...]:
    """The indices in the album of a project's photos, without photos that the album lacks."""
    return tuple(here[photo] for photo in photos if photo in here)


def _indices(held: Document, album: Album) -> dict[int, int]:
    """The index in the album of each photo of a project, by its path or else by its name."""
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
    """The word and the place of WORD@PLACE, and the page and the cell if the place is written as [PAGE:]ROW,COL."""
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
    bars: Bars,
) -> tuple[Pins, tuple[WordPins, ...]]:
    """The pins with those of each WORD@PLACE added, and the photos that each word pinned; at least one must be found.

    Words with a cell come first, because the other words can use the cells next to it.
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


def look_for(text: str, photos: Sequence[Photo], bars: Bars, text_model: str | None = None) -> Found:
    """The photos that show what a text names.

    A text-image model finds them if its weights are given or named in the preferences; otherwise the classes of the
    photos decide, and faces if the text asks for people.
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
