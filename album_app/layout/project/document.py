"""A document: everything about one sheet as one immutable value; its file, the project; and its photos found again."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from album_app import __version__
from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable, undirected
from album_app.language import reason, tr
from album_app.layout.captions import with_captions
from album_app.layout.crops import HandCrop
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import PinHome, Pins
from album_app.layout.project import document_json as project_file
from album_app.layout.project.json_io import Node, json_pieces
from album_app.layout.project.photo_paths import pack_album, unpack_album
from album_app.layout.shapes.blocks import Variation
from album_app.layout.shapes.outlines import MAX_CELLS
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec
from album_app.own_files import PROJECT, PROJECT_FORMAT
from album_app.paths import atomic_write, read_bounded
from album_app.photos.album import Album, Photo, replacing
from album_app.photos.tables import Table, with_table
from album_app.work import Stop, check

VERSION = 1
LARGEST_FILE = 128_000_000
PROJECT_SUFFIX = ".album"

Rule = Callable[[Photo], str | Path | tuple[str, int]]
"""What a missing photo and a file must have in common."""


@dataclass(frozen=True, eq=False)
class Document:
    """An album, the shape it goes into, the pins, the options, and the layout if there is one yet.

    >>> from album_app.photos import Photo
    >>> from album_app.layout import rectangle
    >>> photos = tuple(Photo(Path(f"{name}.jpg"), f"{name}.jpg", 1200, 0, 300, 200) for name in ("sea", "hill", "town"))
    >>> document = Document(Album((), photos), ShapeSpec("rectangle", 1, 2), rectangle(1, 2), excluded=frozenset({1}))
    >>> document.active, document.short_name(2), document.layout is None
    ((0, 2), 'town', True)
    """

    album: Album
    spec: ShapeSpec
    shape: Shape
    pins: Pins = field(default_factory=Pins)
    options: Options = field(default_factory=Options)
    excluded: frozenset[int] = frozenset()
    layout: Layout | None = None
    missing: frozenset[int] = frozenset()  # photos whose file was not found when the project was read
    pin_home: PinHome | None = None  # how the pins came to this shape; never saved
    stacks: tuple[tuple[int, ...], ...] = ()  # near-duplicates that count as one photo, the one to show first
    title: str = ""  # what stands above the photos, or on a book's cover
    subtitle: str = ""  # below the title on a book's cover
    cover: str = "auto"  # the picture there: the name of a photo, or what `render.COVERS` lists
    chapter_titles: Mapping[int, str] = field(default_factory=dict)  # of one's own, by page of a book from 0 on
    crops: Mapping[int, HandCrop] = field(default_factory=dict)  # chosen by hand
    sizes: Mapping[int, int] = field(default_factory=dict)  # photos that are to cover size x size cells, from 2 on
    variation: Variation = field(default_factory=Variation)  # of the sizes, as far as nobody chose them
    is_held: bool = False  # whether edits leave the whole layout as it is
    held: frozenset[Cell] = frozenset()  # cells that keep what they show
    again: frozenset[Cell] = frozenset()  # cells that the next solve arranges afresh among themselves; never saved
    new_choice: bool = False  # whether the next solve chooses anew which photos are shown; never saved
    captions: Mapping[int, str] = field(default_factory=dict)  # texts of one's own below photos
    always_shown: frozenset[int] = frozenset()  # photos on the sheet wherever they fit, even if others are left out
    table: Table | None = None  # of one's own, with a line per photo; a project keeps where its file is
    colour_by: str = ""  # what the colours of the photos' frames stand for
    alone: str = ""  # what the sheet shows alone, in words; the other photos are excluded and `aside`
    aside: frozenset[int] = frozenset()  # photos that are excluded only as long as others are shown alone
    before_alone: Document | None = None  # the document with all photos; never saved

    @cached_property
    def active(self) -> tuple[int, ...]:
        """The photos that take part: neither excluded nor missing, nor under another one of their stack."""
        return all_but(len(self.album.photos), self.excluded | self.missing | self.covered.keys())

    @cached_property
    def stack_of(self) -> Mapping[int, tuple[int, ...]]:
        """The photo that a stack shows -> itself and those under it; one that is pinned lies under none."""
        gone, piles = self.excluded | self.missing, {}
        for stack in self.stacks:
            there = [photo for photo in stack if photo not in gone]
            below = [photo for photo in there[1:] if photo not in self.pins]
            if below:
                piles[there[0]] = (there[0], *below)
        return piles

    @cached_property
    def covered(self) -> Mapping[int, int]:
        """A photo that lies under another one of its stack -> the one that is shown."""
        return {photo: shown for shown, stack in self.stack_of.items() for photo in stack[1:]}

    @property
    def cells_needed(self) -> int:
        """Cells for all photos that take part: a large one needs as many as it covers."""
        taking_part = set(self.active) if self.sizes and self.spec.has_sizes else set()
        return len(self.active) + sum(size**2 - 1 for photo, size in self.sizes.items() if photo in taking_part)

    @property
    def is_settled(self) -> bool:
        """Whether the layout is the best a solve would give, so that none is needed."""
        final = "refined" if self.options.refine else "rounded"
        return self.layout is not None and self.layout.stage in (final, "refined")

    @property
    def layout_features(self) -> str:
        """The features that the layout was made with, those that are asked for where it does not name any."""
        known = None if self.layout is None else self.layout.options
        return (known or self.options).features

    @property
    def has_chapters(self) -> bool:
        """Whether the pages of a book follow each other in time."""
        return self.shape.pages is not None and self.spec.chapters

    @cached_property
    def captioned_album(self) -> Album:
        """The album as it is exported: with the table's values, and captions of one's own as titles of its photos."""
        return with_captions(_with_table(self.album, self.table), self.captions)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table, which captions can name."""
        return () if self.table is None else self.table.columns

    def short_name(self, photo: int) -> str:
        """A photo's file name without its folders and suffix."""
        return undirected(self.album.photos[photo].name.rsplit("/", 1)[-1].rsplit(".", 1)[0])


def _with_table(album: Album, table: Table | None) -> Album:
    """An album with the values of a table; one that does not fit it any more adds nothing."""
    try:
        return with_table(album, table)
    except UsageError:
        return album


def all_but(count: int, gone: Iterable[int]) -> tuple[int, ...]:
    """The numbers below `count` that are not among those that are gone, found fast even for very many."""
    stays = np.ones(count, bool)
    stays[[photo for photo in gone if photo < count]] = False
    return tuple(np.flatnonzero(stays).tolist())


def save_project(
    document: Document, path: str | os.PathLike[str], stop: Stop | None = None, *, agreed: bool = False
) -> None:
    """Write a document as a project file; an older one of that name is replaced only when all went well.

    A layout that is not of the document's shape any more is left out. A file that is no project is replaced only if
    the user `agreed`, and never if it belongs to the album.
    """
    target, kept = Path(path).absolute(), replacing(document.album, agreed)
    layout = document.layout if document.layout and document.layout.shape.same_cells(document.shape) else None
    content = {
        "format": PROJECT_FORMAT,
        "version": VERSION,
        "program": __version__,
        "album": pack_album(document.album, target.parent),
        "shape": project_file.pack_shape(document.spec, document.shape, target.parent),
        "pins": project_file.pack_pins(document.pins),
        "options": project_file.pack_options(document.options),
        "excluded": sorted(document.excluded),
        "is_held": document.is_held,
        "held": sorted(document.held),
        "always_shown": sorted(document.always_shown),
        "stacks": document.stacks,
        "title": document.title,
        "subtitle": document.subtitle,
        "cover": document.cover,
        "chapter_titles": [[page, text] for page, text in sorted(document.chapter_titles.items())],
        "sizes": [[photo, size] for photo, size in sorted(document.sizes.items())],
        "variation": project_file.pack_variation(document.variation),
        "crops": [[photo, *astuple(crop)] for photo, crop in sorted(document.crops.items())],
        "captions": [[photo, text] for photo, text in sorted(document.captions.items())],
        "table": project_file.pack_table(document.table, target.parent) if document.table else None,
        "colour_by": document.colour_by,
        "alone": document.alone,
        "aside": sorted(document.aside),
        "layout": project_file.pack_layout(layout) if layout else None,
    }
    try:
        with atomic_write(target, PROJECT, kept) as temporary, temporary.open("w", encoding="ascii") as file:
            for piece in json_pieces(content):
                file.write(piece)
                check(stop)
    except OSError as error:
        name = printable(target.name)
        raise AlbumError(
            tr("The project “{name}” could not be saved: {reason}.", name=name, reason=reason(error))
        ) from error


def load_project(path: str | os.PathLike[str]) -> Document:
    """Read a project file; photos that are not found are kept and marked as missing."""
    source = Path(path).absolute()
    node = _opened(source)
    album, missing = unpack_album(node["album"], source.parent)
    spec, shape = project_file.unpack_shape(node["shape"], source.parent)
    photos = len(album)
    options = project_file.unpack_options(node["options"])
    layout, stacks, title = node.get("layout"), node.get("stacks"), node.get("title")
    always, is_held, held = node.get("always_shown"), node.get("is_held"), node.get("held")
    sizes, crops = node.get("sizes"), node.get("crops")
    captions, table, colour_by = node.get("captions"), node.get("table"), node.get("colour_by")
    alone, aside = node.get("alone"), node.get("aside")
    return Document(
        album,
        spec,
        shape,
        project_file.unpack_pins(node["pins"], shape, photos),
        options,
        frozenset(photo.integer(0, photos - 1) for photo in node["excluded"].items()),
        _with_aspects(project_file.unpack_layout(layout, shape, photos, options), album) if layout else None,
        missing,
        stacks=project_file.unpack_stacks(stacks, photos) if stacks else (),
        title=title.text() if title else "",
        subtitle=subtitle.text() if (subtitle := node.get("subtitle")) else "",
        cover=cover.text() if (cover := node.get("cover")) else Document.cover,
        chapter_titles=project_file.unpack_captions(titles, MAX_CELLS)
        if (titles := node.get("chapter_titles"))
        else {},
        sizes=project_file.unpack_sizes(sizes, photos) if sizes else {},
        variation=project_file.unpack_variation(node.get("variation"), photos),
        crops=project_file.unpack_crops(crops, photos) if crops else {},
        captions=project_file.unpack_captions(captions, photos) if captions else {},
        table=project_file.unpack_table(table, source.parent) if table else None,
        colour_by=colour_by.text() if colour_by else "",
        alone=alone.text() if alone and aside else "",
        aside=frozenset(photo.integer(0, photos - 1) for photo in aside.items()) if aside else frozenset(),
        always_shown=frozenset(photo.integer(0, photos - 1) for photo in always.items()) if always else frozenset(),
        is_held=is_held is not None and is_held.boolean() and layout is not None,
        held=frozenset(project_file.unpack_cell(cell, shape) for cell in held.items()) if held else frozenset(),
    )


def _with_aspects(layout: Layout, album: Album) -> Layout:
    """A layout of justified rows with the proportions of the photos."""
    return replace(layout, aspects=album.aspects) if layout.shape.needs_aspects else layout


def _opened(source: Path) -> Node:
    """The content of a project file that this program can read."""
    name = printable(source.name)
    try:
        content = read_bounded(source, LARGEST_FILE)
    except OSError as error:
        raise AlbumError(
            tr("The project “{name}” could not be opened: {reason}.", name=name, reason=reason(error))
        ) from error
    node = Node.parse(content, name)
    if not isinstance(node.value, dict) or node.value.get("format") != PROJECT_FORMAT:
        raise UsageError(tr("“{name}” is not a project of Album App.", name=name))
    if node["version"].integer(1, 2**31) > VERSION:
        raise UsageError(
            tr("“{name}” was saved by a newer version of Album App; update the program to open it.", name=name)
        )
    return node


def lost_and_free(document: Document, found: Album) -> tuple[dict[int, Photo], list[Photo]]:
    """The missing photos, and those of the files found that are no photos of the document yet."""
    photos = document.album.photos
    lost = {index: photos[index] for index in sorted(document.missing)}
    in_use = {photo.path for index, photo in enumerate(photos) if index not in lost}
    return lost, [photo for photo in found.photos if photo.path not in in_use]


def relinked(document: Document, found: Album, same: Mapping[int, Photo] | None = None) -> tuple[Document, list[int]]:
    """The document with missing photos replaced by files found, and which photos; no file becomes two photos.

    Where no name tells, the file that is the `same` in content is taken.
    """
    photos = list(document.album.photos)
    matches = _matches(*lost_and_free(document, found))
    taken = {photo.path for photo in matches.values()}
    for index, photo in (same or {}).items():
        if index in document.missing and index not in matches and photo.path not in taken:
            matches[index] = photo
    for index, match in matches.items():
        photos[index] = replace(match, name=photos[index].name)
    roots = tuple(dict.fromkeys([*document.album.roots, *(found.roots if matches else ())]))
    album = replace(document.album, photos=tuple(photos), roots=roots)
    layout = document.layout
    if layout is not None and (layout.photo_at < 0).any() and not set(matches) <= set(layout.shown):
        layout = replace(layout, stage="first")  # there is room for them
    return replace(document, album=album, missing=document.missing - set(matches), layout=layout), sorted(matches)


def _matches(lost: Mapping[int, Photo], files: Sequence[Photo]) -> dict[int, Photo]:
    """The file of the same name for each photo, else of the same file name and size, else the only one so called."""
    often = Counter(photo.path.name for photo in files) | Counter(photo.path.name for photo in lost.values())
    rules: list[Rule] = [
        lambda photo: photo.name,
        lambda photo: (photo.path.name, photo.size),
        lambda photo: photo.path.name if often[photo.path.name] == 1 else photo.path,
    ]
    matches: dict[int, Photo] = {}
    for rule in rules:
        taken = {photo.path for photo in matches.values()}
        free = defaultdict(list)
        for photo in files:
            if photo.path not in taken:
                free[rule(photo)].append(photo)
        for index, photo in lost.items():
            if index not in matches and (candidates := free[rule(photo)]):
                matches[index] = candidates.pop(0)
    return matches
