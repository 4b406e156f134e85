"""The cover of a book: a picture with the title and a subtitle below it."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from album_app.layout.crops import Crops
from album_app.layout.geometry import SheetGeometry
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import Cell, rectangle
from album_app.photos.album import Photo
from album_app.render.page.compose import ROUNDED, Label, Sheet, fitted_size
from album_app.render.page.plan import GAP, PagePlan, without_words
from album_app.render.page.settings import RenderSettings
from album_app.render.page.text_faces import printable

MARGIN = 0.1  # on both sides of a cover, as a share of its width
PICTURE_HEIGHT = 0.6  # the most that the picture takes, as a share of the cover's height
TITLE_ALONE, TITLE_BELOW = 0.1, 0.075  # sizes of a title, as shares of the cover's shorter side
SUBTITLE = 0.45  # the size of a subtitle, of the title's
SPACE_ABOVE_TITLE = 0.9  # between the picture and the title, in title sizes
LINE_STEP = 0.95  # from the baseline of the title to that of the subtitle, in title sizes
NARROWEST, WIDEST = 0.7, 2.0  # width by height of a picture of one photo; others are cropped to these proportions
PHOTOS_ACROSS = 8  # of a picture of many photos
ENOUGH_DPI = 150  # a photo with fewer pixels per inch of the cover is chosen only where none has more


def has_cover(settings: RenderSettings) -> bool:
    """Whether a book has a cover: for a title or subtitle, or because a picture was chosen for it.

    >>> has_cover(RenderSettings()), has_cover(RenderSettings(title="Crete")), has_cover(RenderSettings(cover="photos"))
    (False, True, True)
    """
    return bool(settings.title.strip() or settings.subtitle.strip()) or settings.cover not in ("auto", "none")


def cover_sheet(
    layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings, crops: Crops | None = None
) -> Sheet:
    """The cover as it is drawn: picture, title and subtitle together in the middle of the page."""
    own = replace(without_words(settings), caption="none", mark_pins=False)
    chosen = _pictures(layout, photos, plan, settings)
    title, subtitle = printable(settings.title).strip(), printable(settings.subtitle).strip()
    inner = plan.width - 2 * plan.trim
    width, across = (1 - 2 * MARGIN) * inner, inner * MARGIN + plan.trim
    high = PICTURE_HEIGHT * (plan.height - 2 * plan.trim)
    rows, columns, picture = _picture_size(chosen, photos, layout, width, high)
    size = (TITLE_BELOW if chosen else TITLE_ALONE) * (min(plan.width, plan.height) - 2 * plan.trim)
    size = fitted_size(title, size, width) if title else size
    small = fitted_size(subtitle, SUBTITLE * size, width) if subtitle else 0.0
    words = (0.7 * size if title else 0.0) + ((LINE_STEP * size if title else 0.7 * small) if subtitle else 0.0)
    space = SPACE_ABOVE_TITLE * size if chosen and words else 0.0
    top = (plan.height - picture[1] - space - words) / 2
    base = top + picture[1] + space + (0.7 * size if title else 0.0)
    below = base + (LINE_STEP * size if title else 0.7 * small)
    middle = plan.width / 2
    labels = [Label(title, middle, base, size, width * ROUNDED)] if title else []
    labels += [Label(subtitle, middle, below, small, width * ROUNDED)] if subtitle else []
    gap = round(GAP * picture[0] / columns) if len(chosen) > 1 and settings.gap is None else plan.geometry.gap
    cell = (picture[0] + gap) / columns - gap, (picture[1] + gap) / rows - gap
    left = across + (width - picture[0]) / 2
    sides = left, top, plan.width - left - picture[0], plan.height - top - picture[1]
    geometry = SheetGeometry(rectangle(rows, columns).frames(), *cell, gap, *sides)
    cells: dict[int, list[Cell]] = {photo: [divmod(place, columns)] for place, photo in enumerate(chosen)}
    aspects = {photo: photos[photo].width / max(1, photos[photo].height) for photo in chosen if photos}
    placed = replace(plan, geometry=geometry, caption=0.0)
    return Sheet(placed, own, cells, {}, frozenset(), photos, tuple(labels), crops or Crops(), aspects)


def _picture_size(
    chosen: Sequence[int], photos: Sequence[Photo], layout: Layout, width: float, height: float
) -> tuple[int, int, tuple[float, float]]:
    """Rows and columns of the picture on a cover, and its width and height."""
    if not chosen:
        return 1, 1, (width, 0.0)
    if len(chosen) == 1:
        photo = chosen[0]
        aspect = photos[photo].width / max(1, photos[photo].height) if photos else 1.0
        aspect = min(max(aspect, NARROWEST), WIDEST)
        wide = min(width, height * aspect)
        return 1, 1, (wide, wide / aspect)
    rows, columns = _grid(len(chosen), width, height)
    side = min(width / columns, height / rows)
    return rows, columns, (columns * side, rows * side)


def _grid(count: int, width: float, height: float) -> tuple[int, int]:
    """Rows and columns of square cells for at most `count` photos in an area."""
    columns = max(1, min(PHOTOS_ACROSS, count, round(math.sqrt(count * width / height))))
    return max(1, min(count // columns, int(columns * height / width))), columns


def _pictures(layout: Layout, photos: Sequence[Photo], plan: PagePlan, settings: RenderSettings) -> list[int]:
    """The photos on the cover."""
    shown = list(layout.shown)
    if settings.cover == "none" or not shown:
        return []
    if settings.cover == "photos":
        order = list(dict.fromkeys(photo for photo in layout.in_order.tolist() if photo >= 0))
        width, height = (1 - 2 * MARGIN) * plan.width, PICTURE_HEIGHT * plan.height
        count = math.prod(_grid(min(len(order), PHOTOS_ACROSS**2), width, height))
        return [order[place] for place in np.linspace(0, len(order) - 1, count).round().astype(int).tolist()]
    named = [photo for photo in shown if photos and photos[photo].name == settings.cover]
    return named or [representative(layout, photos, plan)]


def representative(layout: Layout, photos: Sequence[Photo], plan: PagePlan) -> int:
    """The photo that stands for all on a cover.

    The best rated one, else the largest on the sheet; of equals one with enough pixels, and of these the one that fits
    best among its neighbours.
    """
    sure = {photo: float(layout.confidence[layout.shape.index_of(cell)]) for photo, cell in layout.positions.items()}

    def merit(photo: int) -> tuple[float, ...]:
        if not photos:
            return 0.0, layout.sizes.get(photo, 1), 0.0, sure[photo], -photo
        known = photos[photo]
        wide = min(known.width, known.height * WIDEST)
        enough = wide >= (1 - 2 * MARGIN) * plan.width * ENOUGH_DPI / plan.dpi
        return known.metadata.rating or 0, layout.sizes.get(photo, 1), float(enough), sure[photo], -photo

    return max(layout.shown, key=merit)
