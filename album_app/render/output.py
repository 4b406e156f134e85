"""Layout in, file or preview out."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

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
from album_app.render.encode import encode
from album_app.render.fonts import printable
from album_app.render.formats import Format, check_plan, check_target, estimated_bytes
from album_app.render.pdf import PdfPainter
from album_app.render.pixels import PixelPainter
from album_app.render.plan import plan_sheet
from album_app.render.profile import is_sheet
from album_app.render.settings import RenderSettings
from album_app.render.svg import SvgPainter
from album_app.render.tiles import OnMissing
from album_app.work import OnProgress, Stop, check, report

VECTOR_PAINTERS: dict[str, type[PdfPainter] | type[SvgPainter]] = {"PDF": PdfPainter, "SVG": SvgPainter}
STEPS = 100
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def export(
    layout: Layout,
    album: Album,
    path: str | os.PathLike[str],
    settings: RenderSettings | None = None,
    *,
    on_progress: OnProgress | None = None,
    on_missing: OnMissing | None = None,
    stop: Stop | None = None,
) -> Path:
    """Write a layout as the kind of file that its name asks for; `on_missing` hears of photos that cannot be shown."""
    settings = settings or RenderSettings()
    target = Path(path)
    kind = check_target(target)
    if not is_sheet(target):
        refuse_original(album, target)
    plan = plan_sheet(layout.shape, settings)
    check_plan(kind, plan, settings)
    sheet = Sheet.of(layout, album.photos, plan, settings)
    side = max(1, round(plan.tile))
    images = tiles.originals(sheet.cells, album.photos, side, settings.fit, on_missing=on_missing, stop=stop)
    write = _write_vector if kind.vector else _write_pixels
    with _explained(target), atomic_write(target) as temporary, temporary.open("wb") as file:
        write(file, kind, sheet, images, _Progress(on_progress, len(sheet.cells), kind), stop)
        check(stop)
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


class _Progress:
    """Counts photos while they are drawn, then the share of the file that is written."""

    def __init__(self, on_progress: OnProgress | None, photos: int, kind: Format) -> None:
        self._on_progress = on_progress
        self._photos = max(1, photos)
        self._drawing = 1.0 if kind.vector else 0.5
        self._done = 0

    def photo(self) -> None:
        self._done += 1
        self._tell(self._drawing * self._done / self._photos)

    def written(self, share: float) -> None:
        self._tell(self._drawing + (1 - self._drawing) * share)

    def _tell(self, share: float) -> None:
        report(self._on_progress, min(STEPS, round(share * STEPS)), STEPS)


Images = Iterator[tuple[int, Image.Image]]


def _write_pixels(
    file: BinaryIO, kind: Format, sheet: Sheet, images: Images, progress: _Progress, stop: Stop | None
) -> None:
    plan, settings = sheet.plan, sheet.settings
    painter = PixelPainter(plan.width, plan.height, sheet.background is None)
    compose(sheet, painter, images, progress.photo)
    encode(file, painter.image, kind, settings, estimated_bytes(kind, plan, settings), progress.written, stop)
    progress.written(1.0)


def _write_vector(
    file: BinaryIO, kind: Format, sheet: Sheet, images: Images, progress: _Progress, stop: Stop | None
) -> None:
    title = printable(sheet.settings.title)
    painter = VECTOR_PAINTERS[kind.name](file, sheet.plan, sheet.settings.quality, title)
    compose(sheet, painter, images, progress.photo)
    painter.finish()


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
