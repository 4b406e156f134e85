"""Layout in, file or preview out."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import AlbumError
from album_app.layout.sheet import Layout
from album_app.paths import atomic_write
from album_app.photos.album import Album
from album_app.photos.originals import refuse_original
from album_app.render import tiles
from album_app.render.compose import Sheet, compose
from album_app.render.formats.animation import LONGEST_SIDE, write_animation
from album_app.render.formats.checks import check_plan, check_target, estimated_bytes
from album_app.render.formats.format import Writing
from album_app.render.pixels import PixelPainter
from album_app.render.plan import plan_sheet
from album_app.render.profile import is_sheet
from album_app.render.settings import RenderSettings
from album_app.render.tiles import Arrays, OnMissing
from album_app.work import OnProgress, Stop

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def export(
    layout: Layout,
    album: Album,
    path: str | os.PathLike[str],
    settings: RenderSettings | None = None,
    *,
    instead: Arrays | None = None,
    on_progress: OnProgress | None = None,
    on_missing: OnMissing | None = None,
    before: Sequence[Layout] = (),
    stop: Stop | None = None,
) -> Path:
    """Write a layout as the kind of file that its name asks for, gliding there from those `before`, if there are any.

    Photos given `instead` are drawn from there and not from their files; `on_missing` hears of those whose cells stay
    empty because they cannot be read.
    """
    settings = settings or RenderSettings()
    target = Path(path)
    kind = check_target(target)
    if not is_sheet(target):
        refuse_original(album, target)
    plan = plan_sheet(layout.shape, settings)
    if before:
        plan = plan.scaled(min(1.0, LONGEST_SIDE / max(plan.size)))
    check_plan(kind, plan, settings, moving=bool(before))
    sheet = Sheet.of(layout, album.photos, plan, settings)
    images = tiles.originals(
        sheet.cells, album.photos, *kind.wanted(sheet), instead=instead, on_missing=on_missing, stop=stop
    )
    expected = estimated_bytes(kind, plan, settings)
    writing = Writing(len(sheet.cells), kind.drawing, expected, on_progress, stop)
    with _explained(target), atomic_write(target) as temporary, temporary.open("wb") as file:
        if before:
            write_animation(file, sheet, [*before, layout], images, writing)
        else:
            kind.write(file, sheet, images, writing)
        writing.check()
    return target


def preview(
    layout: Layout,
    thumbnails: Sequence[NDArray[np.uint8] | None],
    settings: RenderSettings,
    max_side: int,
    *,
    album: Album | None = None,
    stop: Stop | None = None,
) -> Image.Image:
    """The sheet that `export` would write, drawn small from thumbnails; captions need the album."""
    whole = plan_sheet(layout.shape, settings)
    plan = whole.scaled(min(1.0, max_side / max(whole.width, whole.height)))
    sheet = Sheet.of(layout, album.photos if album else (), plan, settings)
    images = tiles.thumbnails(sheet.cells, thumbnails, max(1, round(plan.tile)), settings.fit, stop=stop)
    painter = PixelPainter(plan.width, plan.height, sheet.background is None)
    compose(sheet, painter, images, lambda: None)
    return painter.image


@contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Turn what the system says about a failed write into a sentence."""
    try:
        yield
    except OSError as problem:
        if problem.errno in FULL:
            raise AlbumError(f"There is not enough space on the disk for {target}; nothing was changed.") from problem
        raise AlbumError(f"{target} could not be written: {problem.strerror or problem}.") from problem
    except MemoryError as problem:
        raise AlbumError(
            f"There is not enough memory for {target}; choose a smaller cell, fewer dpi, or PDF."
        ) from problem
