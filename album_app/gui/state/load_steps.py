"""What the loading threads do: make documents of folders, read photos, compute features, find near-duplicates.

Many photos are decoded in a helper process, so that decoding does not slow down the interpreter that paints the window.
The sheet of a folder is remembered in the cache. It is shown at once as long as the photos are unchanged.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from album_app import __version__
from album_app.errors import UsageError
from album_app.gui.state.jobs import Task
from album_app.gui.state.photo_store import Features, FeatureTable
from album_app.gui.state.pictures import Pixels, as_pixels
from album_app.gui.state.solving import solved
from album_app.language import mark, shown, tr, trn
from album_app.layout import Options, Pins, ShapeSpec, build_shape
from album_app.layout.editing.refit import reading_order
from album_app.layout.project.document import Document
from album_app.layout.project.json_io import Node, json_pieces
from album_app.layout.project.project_file import load_project, pack_layout, unpack_layout
from album_app.photos import faces
from album_app.photos.album import Album, Photo, scan
from album_app.photos.album_features import album_features, extract_in_process
from album_app.photos.cache import Cache
from album_app.photos.faces import Focus, known_focus
from album_app.photos.features import extractor
from album_app.photos.features.table import comes_with_thumbnails, entry_of
from album_app.photos.helper_process import answers_of
from album_app.photos.near_duplicates import groups_in_process, near_duplicates
from album_app.photos.read_once import known_rows
from album_app.photos.thumbnails import (
    Thumbnail,
    is_worth_a_preview,
    remembered_thumbnails,
    stream_previews,
    stream_thumbnails,
)
from album_app.work import OnProgress, Stop

SUMMARY_CELLS = 320
"""Cells of the sheet that is proposed for very many photos; the user may choose another number."""
HANDFUL_PHOTOS, HANDFUL_SECONDS = 64, 0.05
"""A handful is handed over when it holds this many photos or is this old, so that pictures appear steadily."""
FEWEST_PREVIEWS = 24
"""With fewer large photos than this no previews are read first."""


@dataclass(frozen=True)
class Pace:
    """What is read before a sheet is shown, and how often the sheet is arranged anew while its photos arrive."""

    decoding_seconds: float = 1.0
    """Seconds of decoding before the album opens; the other photos are read while it is shown."""
    photos_in_thread: int = 1000
    """Albums with fewer photos are worked on in a thread and arranged before they are shown.

    Larger ones go to a helper process, because a thread would make the window stutter.
    """
    photos_to_ask_about: int = 20_000
    """For more photos than this the user is asked whether a summary of them is wanted."""
    fewest_previews: int = FEWEST_PREVIEWS
    handful_photos: int = HANDFUL_PHOTOS
    first_sheet_photos: int = 48
    """The first sheet is arranged when at least this many photos are known, and `first_sheet_share` of the album.

    A sheet of fewer photos would turn when more are known.
    """
    first_sheet_share: float = 0.25
    seconds_between_sheets: float = 1.0
    """The least time between two sheets that are arranged while photos arrive."""
    seconds_worth_a_sheet: float = 1.0
    """No sheet is arranged on the way when all photos will be known within this time."""


PACE = Pace()


def scanned(paths: list[Path], recursive: bool, task: Task, pace: Pace = PACE) -> Album:
    """What is found at the paths; decoding ends after `pace.decoding_seconds`, scanning does not."""
    with Cache.open() as cache:
        seconds = pace.decoding_seconds
        return scan(paths, recursive, cache, decode_for=seconds, on_progress=task.progress, stop=task.stop)


def read_folder(paths: list[Path], recursive: bool, options: Options, task: Task, pace: Pace = PACE) -> Document:
    """A new document of what is found at the paths, laid out in reading order until it is arranged."""
    album = scanned(paths, recursive, task, pace)
    if not len(album):
        raise UsageError(_nothing_found(paths, album))
    document = new_document(album, options, SUMMARY_CELLS if len(album) > pace.photos_to_ask_about else 0)
    return _arranged(document, task, pace.photos_in_thread)


def read_again(document: Document, recursive: bool, task: Task, pace: Pace = PACE) -> Document:
    """A new document of the folders of `document`, made once all their files were read, as the next opening makes it.

    It is `document` itself where no photo has turned out damaged.
    """
    album = scanned(list(document.album.roots), recursive, task, pace)
    if len(album) in (0, len(document.album)):
        return document
    return _arranged(new_document(album, document.options, document.spec.cells), task, pace.photos_to_ask_about)


def read_project(path: Path) -> Document:
    """The document of a project file."""
    return load_project(path)


def read_sample(options: Options, task: Task, pace: Pace = PACE) -> Document:
    """A new document of the built-in album, whose photos are drawn when it is first opened."""
    from album_app.sample.sample_album import sample_folder

    return read_folder([sample_folder(on_progress=task.progress, stop=task.stop)], True, options, task, pace)


def new_document(album: Album, options: Options, cells: int = 0) -> Document:
    """A sheet of `cells` cells, 0 for one per photo, in reading order until it is arranged."""
    spec = ShapeSpec(cells=cells)
    shape = build_shape(spec, len(album))
    return Document(album, spec, shape, options=options, layout=reading_order(shape, range(len(album))))


def _arranged(document: Document, task: Task, most: int) -> Document:
    """The document with its final sheet if there is one soon: it is remembered, or fewer than `most` photos are known.

    Otherwise the document stays as it is.
    """
    document = with_remembered_sheet(document)
    if document.is_settled:
        return document
    photos, features = document.album.photos, document.options.features
    if len(photos) >= most or not comes_with_thumbnails(features):
        return document
    rows = known_colours(photos, features).colours
    if len(rows) < len(photos):
        return document
    table = np.stack([rows[photo] for photo in range(len(photos))])
    return replace(
        document, layout=solved(document, FeatureTable(features, table), document.active, Pins(), None, task)
    )


def _nothing_found(paths: list[Path], album: Album) -> str:
    where = tr("“{name}”", name=paths[0].name) if len(paths) == 1 else tr("what was dropped")
    if not album.skipped:
        return tr("There are no photos in {where}.", where=where)
    return trn(
        "The only file in {where} could not be read as a photo ({reason}).",
        "None of the {count} files in {where} could be read as a photo ({reason}).",
        len(album.skipped),
        where=where,
        reason=shown(album.skipped[0].reason),
    )


Row = NDArray[np.float32]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Wanted:
    """Photos to read: thumbnails of at most `side` pixels, and rows of the features `colour`, in handfuls."""

    photos: Sequence[Photo]
    side: int
    colour: str
    known: frozenset[int] = frozenset()  # places of photos whose rows are known, so that they are left out
    handful_photos: int = HANDFUL_PHOTOS  # the most photos of one handful


@dataclass(frozen=True, eq=False)
class Handful:
    """What was found out about some photos, by their places among the photos that were asked for.

    A photo that was read has either a picture or a fault. Before it is read it may have a preview with rough colours.
    """

    pictures: dict[int, Pixels] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)  # why a photo has no picture
    flaws: dict[int, str] = field(default_factory=dict)  # which part of a picture is missing
    colours: dict[int, Row] = field(default_factory=dict)
    foci: dict[int, Focus] = field(default_factory=dict)  # what the crops of a photo have to keep
    previews: dict[int, Pixels] = field(default_factory=dict)
    rough_colours: dict[int, Row] = field(default_factory=dict)  # computed from the previews

    def __len__(self) -> int:
        return len(self.pictures) + len(self.faults)

    def of(self, photos: Sequence[int]) -> "Handful":
        """This handful by photo indices: `photos` has the index of the photo at each place."""
        return Handful(
            _of(photos, self.pictures),
            _of(photos, self.faults),
            _of(photos, self.flaws),
            _of(photos, self.colours),
            _of(photos, self.foci),
            _of(photos, self.previews),
            _of(photos, self.rough_colours),
        )

    def add(self, found: Thumbnail, side: int, colour: str, is_known: bool) -> None:
        """Add a thumbnail of at most `side` pixels, and its row of the features `colour` unless that is known."""
        pixels = found.reduced(side)
        if pixels is None:
            self.faults[found.index] = found.fault.reason if found.fault else "damaged"
            return
        self.pictures[found.index] = as_pixels(pixels, side)
        if found.damage:
            self.flaws[found.index] = found.damage
        if not is_known:
            self.colours[found.index] = found.rows[colour]


def _of(photos: Sequence[int], found: dict[int, Found]) -> dict[int, Found]:
    return {photos[place]: value for place, value in found.items()}


def known_colours(photos: Sequence[Photo], colour: str) -> Handful:
    """The rows of the features `colour` and the foci that the cache has, by place."""
    with Cache.open() as cache:
        rows = known_rows(photos, extractor(colour).key, cache)
        colours = {place: row for place, row in enumerate(rows) if row is not None}
        return Handful(colours=colours, foci=known_focus(photos, cache))


def read_previews(wanted: Wanted, fewest: int = FEWEST_PREVIEWS, stop: Stop | None = None) -> Iterator[Handful]:
    """Previews of the large photos whose rows are not known, with rough rows; none for fewer than `fewest` photos."""
    photos = wanted.photos
    places = [i for i, photo in enumerate(photos) if i not in wanted.known and is_worth_a_preview(photo)]
    if len(places) < fewest:
        return
    key = extractor(wanted.colour).key
    handful, since = Handful(), time.monotonic()
    for found, preview in stream_previews([photos[place] for place in places], stop=stop):
        handful.previews[places[found]] = as_pixels(preview.pixels, wanted.side)
        handful.rough_colours[places[found]] = preview.rows[key]
        if len(handful.previews) >= wanted.handful_photos or time.monotonic() - since > HANDFUL_SECONDS:
            yield handful
            handful, since = Handful(), time.monotonic()
    if handful.previews:
        yield handful


def read_handfuls(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """The photos' thumbnails as they become ready, and the rows that are not known."""
    key = extractor(wanted.colour).key
    with Cache.open() as cache:
        handful, since = Handful(), time.monotonic()
        for found in stream_thumbnails(wanted.photos, cache, stop=stop):
            handful.add(found, wanted.side, key, found.index in wanted.known)
            if len(handful) >= wanted.handful_photos or time.monotonic() - since > HANDFUL_SECONDS:
                yield handful
                handful, since = Handful(), time.monotonic()
        if len(handful):
            yield handful


def read_handfuls_elsewhere(wanted: Wanted, stop: Stop | None = None) -> Iterator[Handful]:
    """What `read_handfuls` yields, read by a helper process, which ends with the work or when it is stopped."""
    return answers_of(read_wanted, wanted, mark("that reads photos"), stop=stop)


def read_wanted(request: Wanted, on_progress: OnProgress) -> Iterator[Handful]:
    """What the helper process runs: `read_handfuls`."""
    return read_handfuls(request)


def read_photos(wanted: Sequence[tuple[int, Photo]], side: int, colour: str, task: Task, pace: Pace = PACE) -> None:
    """Send handfuls by photo index: rows of the features `colour` that are known, previews, then thumbnails and rows.

    Previews are read by the processes that have just read the headers: a helper process would have to start first.
    """
    indices, photos = [index for index, _ in wanted], [photo for _, photo in wanted]
    known = known_colours(photos, colour)
    task.send_now(known.of(indices))
    unknown = Wanted(photos, side, colour, frozenset(known.colours), pace.handful_photos)
    previews = 0
    for handful in read_previews(unknown, pace.fewest_previews, task.stop):
        previews += len(handful.previews)
        task.send(handful.of(indices))
    # The first sheet, by the previews, is arranged before the helper process, which gives way to all others, reads on.
    here = len(photos) < pace.photos_in_thread and not previews
    read = read_handfuls if here else read_handfuls_elsewhere
    done = 0
    for handful in read(unknown, task.stop):
        done += len(handful)
        task.send(handful.of(indices))
        task.progress(done, len(wanted))


def find_focus(wanted: Sequence[tuple[int, Photo]], task: Task) -> None:
    """Send the foci of photos, by photo index, as they are found."""
    done = 0
    for found in faces.stream_focus([photo for _, photo in wanted], stop=task.stop):
        done += len(found)
        task.send({wanted[place][0]: focus for place, focus in found.items()})
        task.progress(done, len(wanted))


def last_seen(lost: Sequence[tuple[int, Photo]], side: int) -> dict[int, Pixels]:
    """The thumbnails that the cache still has of photos whose files are gone."""
    if not lost:
        return {}

    with Cache.open() as cache:
        found = remembered_thumbnails([photo for _, photo in lost], cache)
    known = zip(lost, found, strict=True)
    return {index: as_pixels(pixels, side) for (index, _), pixels in known if pixels is not None}


def extract(photos: Sequence[Photo], name: str, task: Task, pace: Pace = PACE) -> Features:
    """The features of a whole album; a large album or a slow extractor is worked on in a process of its own."""
    entry = entry_of(name)
    if len(photos) >= pace.photos_in_thread or (entry is not None and entry.needs_torch):
        return extract_in_process(photos, name, on_progress=task.progress, stop=task.stop)
    with Cache.open() as cache:
        return album_features(photos, name, cache, on_progress=task.progress, stop=task.stop)


def near_duplicate_groups(album: Album, task: Task, pace: Pace = PACE) -> list[tuple[int, ...]]:
    """Groups of near-duplicates, the best of each first, among the photos that were read before."""
    if len(album) >= pace.photos_in_thread:
        return groups_in_process(album.photos, task.stop)
    with Cache.open() as cache:
        return near_duplicates(album, cache, known_only=True, stop=task.stop).groups


KIND = "sheet:2"
"""The kind of a remembered sheet in the cache; the number counts the versions of its format."""


@dataclass(frozen=True)
class _Key:
    """What a sheet depends on, as the cache names a file: its folder, how many photos there are, and a digest."""

    path: Path
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, document: Document) -> "_Key":
        album = document.album
        made_of = hashlib.sha256(__version__.encode())
        for root in album.roots:
            made_of.update(os.fsencode(root) + b"\0")
        for photo in album.photos:
            made_of.update(b"%s\0%d\0%d\0" % (os.fsencode(photo.path), photo.size, photo.mtime_ns))
        wanted = {"spec": asdict(document.spec), "options": asdict(document.options)}
        made_of.update(json.dumps(wanted, sort_keys=True).encode())
        made_of.update(document.shape.mask.tobytes())
        return cls(album.roots[0], len(album), int.from_bytes(made_of.digest()[:8], "big") >> 1)


def remember_sheet(document: Document) -> None:
    """Keep the sheet of a new document that the user has not changed."""
    if document.layout is not None and document.album.roots:
        text = "".join(json_pieces(pack_layout(document.layout)))
        with Cache.open() as cache:
            cache.put([(KIND, _Key.of(document), text.encode())])


def with_remembered_sheet(document: Document) -> Document:
    """A new document with the sheet that is remembered for it; unchanged where there is none, or a damaged one."""
    if not document.album.roots:
        return document
    with Cache.open() as cache:
        (content,) = cache.get(KIND, [_Key.of(document)])
    if content is None:
        return document
    try:
        layout = unpack_layout(Node.parse(content, "cache"), document.shape, len(document.album), document.options)
    except UsageError:
        return document
    return replace(document, layout=layout)
