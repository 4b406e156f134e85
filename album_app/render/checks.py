"""Checks before a sheet is written: whether it can be, how large it will be, which photos and letters it lacks."""

import math
import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np

from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import number, reason, short_number, tr
from album_app.layout import Layout, rectangle
from album_app.layout.captions import NONE, caption_of
from album_app.layout.colouring import colouring_of
from album_app.layout.crops import Crops
from album_app.layout.shapes.frames import SheetGeometry
from album_app.memory import machine_bytes
from album_app.paths import check_writable, is_folder, is_stream
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.colour import THUMBNAIL_SIDE
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.sandbox import decode, read_header
from album_app.render.book import chapters_of, is_book, plan_for
from album_app.render.formats.format import Format, Writing
from album_app.render.formats.table import FORMATS, format_of
from album_app.render.page.compose import Sheet
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import MM_PER_INCH, POINTS_PER_INCH, RenderSettings, parse_paper
from album_app.render.page.text_faces import letters_without_glyph
from album_app.render.painters import tiles
from album_app.work import OnProgress, Stop, batches_of, in_threads, report

SMALLEST_PAGE_MM = 100
"""The least side of a poster's pages."""
OVERHEAD_BYTES = 120_000_000
"""Memory that an export takes whatever its size."""
PHOTOS_AT_ONCE = 16
MOST_LETTERS_NAMED = 20
MOST_TRIAL_PHOTOS, FEWEST_TRIAL_PHOTOS, TRIAL_PIXELS = 30, 20, 3_000_000
"""Photos that are written on trial to estimate the size of a file; between these numbers, their pixels decide."""
BLOCK = 16
"""Side in pixels of the blocks in lossy formats; a block that contains the edge of a photo takes more bytes."""


def check_target(path: str | os.PathLike[str], settings: RenderSettings | None = None, moving: bool = False) -> Format:
    """Refuse before any work a file to which a sheet cannot be written; its format.

    >>> check_target("sheet.pdf").name
    'PDF'
    >>> check_target("sheet.doc")
    Traceback (most recent call last):
        ...
    album_app.errors.UsageError: ...
    """
    target = Path(path)
    kind = format_of(target)
    check_folder(target)
    if settings is not None:
        _check_wishes(kind, settings, moving)
    return kind


def check_folder(target: Path) -> None:
    """Refuse before any work a file that cannot be written.

    >>> check_folder(Path("sheet.png"))
    >>> check_folder(Path("no such folder/sheet.png"))
    Traceback (most recent call last):
        ...
    album_app.errors.UsageError: There is no folder no such folder to write sheet.png into.
    """
    name = printable(str(target))
    if is_folder(target):
        raise UsageError(tr("{name} is a folder, not a file.", name=name))
    if not is_stream(target) and not is_folder(target.parent):
        raise UsageError(
            tr(
                "There is no folder {folder} to write {name} into.",
                folder=printable(str(target.parent)),
                name=printable(target.name),
            )
        )
    try:
        check_writable(target)
    except OSError as problem:
        raise AlbumError(tr("{name} cannot be written: {reason}.", name=name, reason=reason(problem))) from problem


def check_plan(kind: Format, plan: PagePlan, settings: RenderSettings, moving: bool = False) -> None:
    """Refuse before any work a sheet that cannot have this format.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> settings = RenderSettings(cell=96)
    >>> check_plan(format_of("sheet.png"), plan_page(rectangle(16, 20), settings), settings)
    """
    _check_wishes(kind, settings, moving)
    _check_size(kind, plan)
    _check_memory(kind, plan)


def memory_needed(kind: Format, plan: PagePlan) -> int:
    """About how many bytes of memory it takes to write a sheet.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> a0 = plan_page(rectangle(16, 20), RenderSettings(paper="A0"))
    >>> memory_needed(format_of("sheet.pdf"), a0) < memory_needed(format_of("sheet.png"), a0)
    True
    """
    return OVERHEAD_BYTES + round(kind.memory(plan))


def estimated_bytes(kind: Format, plan: PagePlan, settings: RenderSettings) -> int:
    """About how many bytes the file will have.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> settings = RenderSettings()
    >>> estimated_bytes(format_of("sheet.html"), plan_page(rectangle(16, 20), settings), settings)
    12000000
    """
    return round(kind.expected_bytes(plan, settings))


def _check_size(kind: Format, plan: PagePlan) -> None:
    """Refuse a sheet that is larger than the format allows."""
    size = _size(plan)
    if _pixels(plan) > kind.longest_pixels:
        raise UsageError(
            tr(
                "{name} allows {most} pixels a side and the sheet has {size}; choose {names}, "
                "a smaller cell or fewer dpi.",
                name=tr(kind.name),
                most=short_number(kind.longest_pixels),
                size=size,
                names=_names(lambda other: _pixels(plan) <= other.longest_pixels),
            )
        )
    if max(plan.points) * MM_PER_INCH / POINTS_PER_INCH > kind.longest_mm:
        raise UsageError(
            tr(
                "A {name} page is at most {most} mm a side; the sheet of {size} needs more dpi or smaller cells.",
                name=tr(kind.name),
                most=short_number(kind.longest_mm),
                size=size,
            )
        )
    if _bytes(kind, plan) > kind.most_bytes:
        raise UsageError(
            tr(
                "{name} files end at {most} GB and the sheet has {size}; choose {names}, or fewer dpi.",
                name=tr(kind.name),
                most=number(kind.most_bytes / 2**30),
                size=size,
                names=_names(lambda other: _bytes(other, plan) <= other.most_bytes),
            )
        )


def _check_memory(kind: Format, plan: PagePlan) -> None:
    """Refuse a sheet that needs more memory than the machine has."""
    there_is = machine_bytes()
    if memory_needed(kind, plan) > there_is:
        raise AlbumError(
            tr(
                "A sheet of {size} needs {memory} GB of memory, more than there is; choose "
                "{names}, a smaller cell or fewer dpi.",
                size=_size(plan),
                memory=number(memory_needed(kind, plan) / 1e9, 1),
                names=_names(lambda other: memory_needed(other, plan) <= there_is),
            )
        )


def _check_wishes(kind: Format, settings: RenderSettings, moving: bool) -> None:
    if moving and not kind.moving:
        raise UsageError(
            tr("{name} does not move; choose {names}.", name=tr(kind.name), names=_names(lambda other: other.moving))
        )
    if settings.background is None and not kind.transparent:
        others = _names(lambda other: other.transparent)
        raise UsageError(
            tr(
                "{name} cannot be transparent; choose a background colour, or {others}.",
                name=tr(kind.name),
                others=others,
            )
        )
    if settings.poster:
        _check_poster(kind, settings.poster)


def _check_poster(kind: Format, paper: str) -> None:
    if not kind.pages:
        others = _names(lambda other: other.pages)
        raise UsageError(
            tr("{name} has no pages to spread a poster over; choose {others}.", name=tr(kind.name), others=others)
        )
    page = parse_paper(paper)
    if page.unit != "mm" or min(page.width, page.height) < SMALLEST_PAGE_MM:
        raise UsageError(
            tr(
                "The pages of a poster are papers of at least {least} mm a side, not “{paper}”.",
                least=SMALLEST_PAGE_MM,
                paper=paper,
            )
        )


def _names(fits: Callable[[Format], bool]) -> str:
    """The names of the formats that fit, such as "PNG, TIFF or PDF"."""
    *most, last = [tr(kind.name) for kind in FORMATS.values() if fits(kind)]
    return tr("{others} or {last}", others=", ".join(most), last=last) if most else last


def _size(plan: PagePlan) -> str:
    return tr("{width} x {height} pixels", width=plan.width, height=plan.height)


def _pixels(plan: PagePlan) -> int:
    return max(plan.width, plan.height)


def _bytes(kind: Format, plan: PagePlan) -> float:
    return plan.pixels * kind.bytes_per_pixel


def unreadable_photos(
    layout: Layout, album: Album, *, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> dict[int, Undecodable]:
    """The photos on a sheet whose files are missing or damaged by now, with the reasons.

    Of a file that has not changed since it was read only the header is checked; one that has changed is decoded.

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
    """The letters of titles and captions, each once, that no font has and that are therefore left out.

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
    """A message about letters that no font has.

    >>> unprintable_words("𐏃𐏄")
    'No font on this computer has these letters, so they are left out: 𐏃 𐏄'
    """
    shown = " ".join(letters[:MOST_LETTERS_NAMED])
    return tr("No font on this computer has these letters, so they are left out: {letters}", letters=shown)


def measured_bytes(
    layout: Layout,
    album: Album,
    kind: Format,
    settings: RenderSettings,
    stop: Stop | None = None,
    crops: Crops | None = None,
) -> int:
    """About how many bytes a sheet will have, estimated by writing some of its photos.

    >>> import numpy as np
    >>> from PIL import Image
    >>> from album_app.layout import arrange, rectangle
    >>> from album_app.photos import open_album
    >>> from album_app.render import export, format_of, plan_export
    >>> for number in range(4):
    ...     Image.effect_noise((96, 96), 99).save(f"{number}.png")
    >>> layout, album = arrange(np.arange(4.0)[:, None], rectangle(2, 2)), open_album(".")
    >>> about = measured_bytes(layout, album, format_of("sheet.png"), RenderSettings())
    >>> sheet, = export(layout, album, plan_export(layout, "sheet.png"))
    >>> 0.95 < about / sheet.stat().st_size < 1.05
    True
    """
    plan = plan_for(layout, settings, kind)
    squares = replace(layout, shape=replace(layout.shape, is_justified=False, pages=None), sizes={})
    plain = replace(plan, geometry=replace(plan.geometry, frames=squares.frames()))
    sheet = Sheet.of(squares, album.photos, plain, replace(settings, poster=""), crops)
    if kind.to_look_around or not sheet.cells:
        return estimated_bytes(kind, plan, settings)
    photos = _sample(list(sheet.cells), album, plan.tile)
    trial = _on_trial(sheet, photos)
    empty = replace(trial, cells={})
    written = partial(_written, kind, album, plan.pixels, stop)
    blank = written(empty)
    drawn = (written(trial) - blank) * _mean_area(layout)
    if kind.embeds:
        return round(blank + drawn * len(sheet.cells) / len(photos))
    head = written(replace(empty, plan=replace(trial.plan, width=1, height=1)))
    pages = layout.shape.pages.count if layout.shape.pages is not None and is_book(layout.shape, kind) else 1
    ground = (blank - head) * plan.pixels / trial.plan.pixels
    return round(pages * (head + ground) + drawn * sum(map(len, sheet.cells.values())) / len(photos))


def _mean_area(layout: Layout) -> float:
    """The mean area of the photos' frames, in cells."""
    frames = layout.frames()
    filled = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]] >= 0
    cells = int((layout.photo_at >= 0).sum())
    return float(frames.boxes[filled, 2:].prod(axis=1).sum()) / max(1, cells)


def _sample(photos: list[int], album: Album, tile: float) -> list[int]:
    """Photos that stand for all: evenly spaced by the size of their files, which shows how much detail they have."""
    by_size = sorted(photos, key=lambda photo: album.photos[photo].size)
    count = min(len(photos), max(FEWEST_TRIAL_PHOTOS, min(MOST_TRIAL_PHOTOS, round(TRIAL_PIXELS / tile**2))))
    places = (np.arange(count) + 0.5) * len(photos) / count
    return [by_size[place] for place in places.astype(int)]


def _on_trial(sheet: Sheet, photos: list[int]) -> Sheet:
    """A small sheet with only these photos, drawn as they will be on the whole one, without texts."""
    plan, columns = sheet.plan, math.ceil(math.sqrt(len(photos)))
    rows, gap = math.ceil(len(photos) / columns), plan.geometry.gap
    cell = plan.geometry.cell_width, plan.geometry.cell_height
    left, top = plan.geometry.left % BLOCK, plan.geometry.top % BLOCK
    geometry = SheetGeometry(rectangle(rows, columns).frames(), *cell, gap, left, top, right=gap, bottom=gap)
    width, height = math.ceil(geometry.width), math.ceil(geometry.height)
    points = plan.points[0] * width / plan.width, plan.points[1] * height / plan.height
    small = PagePlan(width, height, plan.dpi, points, geometry, plan.caption, 0.0, 0.0, plan.border)
    return replace(sheet, plan=small, cells={photo: [divmod(n, columns)] for n, photo in enumerate(photos)}, labels=())


def _written(kind: Format, album: Album, pixels: int, stop: Stop | None, sheet: Sheet) -> int:
    """The size of a sheet that is encoded like a part of one with `pixels` pixels."""
    file, writing = BytesIO(), Writing(len(sheet.cells), kind.drawing, pixels, stop=stop)
    images = tiles.originals(kind.wanted(sheet), album.photos, stop=stop)
    kind.write(file, sheet, images, writing)
    return len(file.getbuffer())
