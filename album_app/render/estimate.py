"""How large a file will be: some of its photos are drawn and written as they will be in it."""

import math
from dataclasses import replace
from functools import partial
from io import BytesIO

import numpy as np

from album_app.layout.crops import Crops
from album_app.layout.geometry import SheetGeometry
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album
from album_app.render.book import is_book, plan_for
from album_app.render.formats.checks import estimated_bytes
from album_app.render.formats.format import Format, Writing
from album_app.render.page.compose import Sheet
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import RenderSettings
from album_app.render.painters import tiles
from album_app.work import Stop

MOST_PHOTOS, FEWEST_PHOTOS = 30, 20
PIXELS = 3_000_000  # of all photos on trial together, unless they are very large
BLOCK = 16
"""Side in pixels of the squares that lossy formats write: those that a photo's edge crosses take more bytes."""


def measured_bytes(
    layout: Layout,
    album: Album,
    kind: Format,
    settings: RenderSettings,
    stop: Stop | None = None,
    crops: Crops | None = None,
) -> int:
    """About how large a sheet will be, by the bytes that some of its photos take when they are written.

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
    """How large the photos' frames are on average; 1 where each is as large as a cell."""
    frames = layout.frames()
    filled = layout.photo_at[layout.shape.index[tuple(frames.cells.T)]] >= 0
    cells = int((layout.photo_at >= 0).sum())
    return float(frames.boxes[filled, 2:].prod(axis=1).sum()) / max(1, cells)


def _sample(photos: list[int], album: Album, tile: float) -> list[int]:
    """Some photos from the smallest file to the largest, which mostly has the most detail, to stand for all."""
    by_size = sorted(photos, key=lambda photo: album.photos[photo].size)
    count = min(len(photos), max(FEWEST_PHOTOS, min(MOST_PHOTOS, round(PIXELS / tile**2))))
    places = (np.arange(count) + 0.5) * len(photos) / count
    return [by_size[place] for place in places.astype(int)]


def _on_trial(sheet: Sheet, photos: list[int]) -> Sheet:
    """These photos as they will be on the sheet, on a sheet of their own without words."""
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
    """The bytes of a sheet that is written as part of one with `pixels` pixels."""
    file, writing = BytesIO(), Writing(len(sheet.cells), kind.drawing, pixels, stop=stop)
    images = tiles.originals(kind.wanted(sheet), album.photos, stop=stop)
    kind.write(file, sheet, images, writing)
    return len(file.getbuffer())
