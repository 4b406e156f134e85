"""A small animated WebP: the layouts that lead to a sheet, and photos that glide from each to the next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice, pairwise
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from album_app.layout import Layout, Options, Pins
from album_app.layout.arranging.arrange import arrange
from album_app.own_files import XMP
from album_app.render.formats.format import Images, Writing
from album_app.render.formats.web_page import best_within
from album_app.render.page.compose import Sheet, compose, draw_marker
from album_app.render.painters.pixels import PixelPainter, srgb
from album_app.work import OnProgress, Stop, report

MOST_LAYOUTS = 5
"""Layouts between the shuffled photos and the last sheet, that one included."""
LONGEST_SIDE = 720
"""Of an animation, in pixels."""
MEGABYTES = 3.0
"""Size of an animation where the settings give none."""
GLIDE_FRAMES, GLIDE_MS = 22, 45
"""Frames of a glide from one layout to the next, and milliseconds of each."""
HOLD_MS, LAST_MS = 900, 2500
"""Milliseconds for which each layout stands still, and the last one."""
STAGGER = 0.35
"""Share of a glide after which the last photo sets out; the others begin at random before it."""


def story(
    features: ArrayLike,
    layout: Layout,
    options: Options,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Sequence[Layout]:
    """The layouts that lead to this one: first shuffled photos, then layouts with more and more of its pins."""
    layouts, active = [shuffled(layout, options.seed)], sorted({*layout.shown, *layout.resembles})
    steps = min(MOST_LAYOUTS, len(layout.pins)) - 1
    for count in range(1, steps + 1):
        report(on_progress, count, steps + 1)
        pins = Pins(dict(islice(layout.pins.items(), count)))
        layouts.append(
            arrange(
                *(features, layout.shape, pins, options),
                active=active,
                sizes=layout.sizes,
                aspects=layout.aspects,
                stop=stop,
            )
        )
    return layouts


def shuffled(layout: Layout, seed: int) -> Layout:
    """A layout of the same cells without pins, whose photos are shuffled; large photos take blocks of their size."""
    photo_at, random = layout.photo_at.copy(), np.random.default_rng(seed)
    single = np.flatnonzero((photo_at >= 0) & ~np.isin(photo_at, list(layout.blocks)))
    photo_at[single] = random.permutation(photo_at[single])
    for size in sorted({layout.sizes[photo] for photo in layout.blocks}):
        equal = [photo for photo in layout.blocks if layout.sizes[photo] == size]
        for photo, other in zip(equal, random.permutation(equal).tolist(), strict=True):
            photo_at[layout.photo_at == photo] = other
    return replace(layout, photo_at=photo_at, pins=Pins(), guide=None)


def write_animation(file: BinaryIO, sheet: Sheet, story: Sequence[Layout], images: Images, writing: Writing) -> None:
    """Write the layouts of a story one after the other, with glides between them."""
    tiles = {}
    for photo, image in images:
        tiles[photo] = image
        writing.photo_drawn()
    stage = _Stage(sheet, tiles)
    frames, durations = [], []
    for frame, milliseconds in _frames(stage, story):
        writing.check()
        frames.append(frame)
        durations.append(milliseconds)
    most = (sheet.settings.megabytes or MEGABYTES) * 1e6
    file.write(best_within(partial(_encoded, frames, durations), sheet.settings.quality, most))
    writing.share_written(1.0)


def _frames(stage: "_Stage", story: Sequence[Layout]) -> Iterator[tuple[Image.Image, int]]:
    for before, after in pairwise(story):
        yield stage.draw(before, before, 0.0), HOLD_MS
        for step in range(1, GLIDE_FRAMES):
            yield stage.draw(before, after, step / GLIDE_FRAMES), GLIDE_MS
    yield stage.draw(story[-1], story[-1], 1.0), LAST_MS


class _Stage:
    """Draws the sheet at any moment between two layouts."""

    def __init__(self, sheet: Sheet, tiles: Mapping[int, Image.Image]) -> None:
        self._sheet, self._tiles = sheet, tiles
        painter = PixelPainter(sheet.plan.width, sheet.plan.height, sheet.background is None)
        compose(sheet, painter, (), lambda: None)
        self._empty = painter.image
        self._delay = np.random.default_rng(0).random(1 + max(tiles, default=0)) * STAGGER

    def draw(self, before: Layout, after: Layout, share: float) -> Image.Image:
        """The sheet between two layouts. Photos that move far lie above others, pinned photos above all."""
        plan, settings = self._sheet.plan, self._sheet.settings
        painter = PixelPainter(1, 1)
        painter.image = self._empty.copy()
        photos = [photo for photo in after.shown if photo in self._tiles]
        arrive = self._rects(after, photos)
        begin = self._rects(before, photos)
        begin = np.where(np.isnan(begin), arrive, begin)
        way = _eased((share - self._delay[photos]) / (1 - STAGGER))[:, None]
        rects = begin + (arrive - begin) * way
        far = np.abs(arrive - begin)[:, :2].sum(axis=1) + 1e6 * np.array([photo in after.pins for photo in photos])
        for k in np.argsort(far, kind="stable").tolist():
            x, y, width, height = rects[k].tolist()
            radius = settings.corner * min(width, height, plan.tile)
            border = 0.0
            if self._sheet.colouring is not None:
                border = min(plan.border, min(width, height) / 4)
                painter.box((x, y, width, height), radius, self._sheet.frame_colour(photos[k]))
            inside = x + border, y + border, width - 2 * border, height - 2 * border
            painter.picture(photos[k], self._tiles[photos[k]], inside, max(0.0, radius - border))
            if settings.mark_pins and photos[k] in after.pins:
                draw_marker(painter, (round(x), round(y), round(width), round(height)))
        return painter.image

    def _rects(self, layout: Layout, photos: Sequence[int]) -> NDArray[np.float64]:
        """Where photos are in a layout: (k, 4); NaN for those that it does not show."""
        geometry, caption = self._sheet.plan.geometry, self._sheet.plan.caption
        across, _ = geometry.pitch
        frames = layout.frames(geometry.gap / across, caption / across)
        rects = replace(geometry, frames=frames).rects - (0, 0, 0, caption)
        cells = [layout.cell_of(photo) for photo in photos]
        found = [np.full(4, np.nan) if cell is None else rects[frames.of(cell)] for cell in cells]
        return np.array(found).reshape(-1, 4)


def _eased(share: NDArray[np.float64]) -> NDArray[np.float64]:
    share = share.clip(0, 1)
    eased: NDArray[np.float64] = share * share * (3 - 2 * share)
    return eased


def _encoded(frames: Sequence[Image.Image], durations: Sequence[int], quality: int) -> bytes:
    buffer = BytesIO()
    first, *others = frames
    marks = {"icc_profile": srgb(), "xmp": XMP}
    timed = {"append_images": others, "duration": list(durations), "loop": 0}
    first.save(buffer, "WEBP", save_all=True, quality=quality, method=2, **timed, **marks)
    return buffer.getvalue()
