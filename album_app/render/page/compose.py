"""Draws everything on a page in its place, by a painter that only knows how to draw pixels, PDF or SVG."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PIL import Image

from album_app.layout import Cell, Layout
from album_app.layout.captions import caption_of
from album_app.layout.colouring import Colouring, colouring_of, ramp
from album_app.layout.crops import WHOLE, Crops
from album_app.layout.editing.timeline import TimeMark, time_marks
from album_app.layout.shapes.frames import Rect
from album_app.photos.album import Photo
from album_app.photos.faces import Box
from album_app.render.page.plan import PagePlan, footer_height
from album_app.render.page.settings import Colour, RenderSettings, ink_on, parse_colour
from album_app.render.page.text_faces import Face, face_for, printable, shorten

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label as RegionLabel

MARKER_SHARE = 0.17
"""Diameter of the mark on a pinned photo, as a share of the photo's shorter side."""
MARKER_COLOUR: Colour = (229, 57, 70)
SMALLEST_TITLE = 0.4
"""A title shrinks to this share of its usual size before words are left out."""
HAIRLINE_SHARE = 0.012
"""Width of the line around photos that fade into the paper, as a share of a photo's shorter side."""
EDGE_SAMPLES = 16
"""Points along each edge of a photo that are compared with the paper."""
FADING_SHADES, FADING_SHARE = 14, 0.25
"""A photo fades into the paper if more than this share of its points differ by at most these shades of 255."""
SMALLEST_CAPTION = 0.8
"""A caption shrinks to this share of its usual size before it is broken into two lines."""
BETWEEN_WORDS = " _-/"
"""A caption may go on in another line after one of these."""
TWO_LINES_SIZE, LINE_STEP = 0.7, 1.15
"""Size of a caption on two lines, as a share of its usual size, and the step between the lines, in their size."""
ROUNDING = 1.01
"""How much wider than its room a text may be without being cut: it was fitted, but for rounding errors."""
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


class Painter(Protocol):
    """Draws on a sheet in units of the plan's pixels; y points downwards."""

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        """Fill a rectangle with a part of an image; equal keys mean equal images."""

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        """Fill a rectangle, its corners rounded, with a colour."""

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        """Write a line centred at x with its baseline at y; the default is a face that has its letters."""


@dataclass(frozen=True)
class Label:
    """A line of text centred at x with its baseline at y, no wider than `width`."""

    text: str
    x: float
    y: float
    size: float
    width: float
    face: Face | None = None  # where none is given, the one that draws the text best


@dataclass(frozen=True)
class Wanted:
    """The part of a photo that is read, and the pixels that it must cover, or fit into if it is `inside`."""

    part: Box
    width: int
    height: int
    inside: bool = False


@dataclass(frozen=True)
class Sheet:
    """Everything there is to draw."""

    plan: PagePlan
    settings: RenderSettings
    cells: dict[int, list[Cell]]  # shown photo -> the cells of its frames, in reading order of the first
    captions: dict[int, str]
    pinned: frozenset[Cell]
    photos: Sequence[Photo] = ()  # of the whole album, where it is known
    labels: tuple[Label, ...] = ()
    crops: Crops = field(default_factory=Crops)
    aspects: Mapping[int, float] = field(default_factory=dict)  # width by height of the shown photos
    is_figure: bool = False  # letters or another figure, whose outline photos as bright as the paper would hide
    whole_photos: bool = False  # painters get whole photos and crop them themselves
    colouring: Colouring | None = None  # the colours of frames, by a column
    legend_top: float = 0.0  # y of the upper edge of the legend
    region_names: "Sequence[RegionLabel]" = ()  # words over regions of the sheet, which a web page can show

    @classmethod
    def of(
        cls,
        layout: Layout,
        photos: Sequence[Photo],
        plan: PagePlan,
        settings: RenderSettings,
        crops: Crops | None = None,
        aspects: Mapping[int, float] | None = None,
    ) -> "Sheet":
        """The sheet of a layout; without `photos` there are no captions, and `aspects` must be given."""
        cells: dict[int, list[Cell]] = {}
        first = layout.shape.index[tuple(plan.geometry.frames.cells.T)]
        places = plan.geometry.frames.cells.tolist()
        for photo, (row, column) in zip(layout.photo_at[first].tolist(), places, strict=True):
            if photo >= 0:
                cells.setdefault(photo, []).append((row, column))
        captions = {photo: printable(caption_of(photos[photo], settings.caption)) for photo in cells if photos}
        if photos:
            aspects = {photo: photos[photo].width / max(1, photos[photo].height) for photo in cells}
        pinned = frozenset(layout.pins.values())
        is_figure = layout.shape.pages is None and not bool(layout.shape.mask.all())
        return cls(
            *(plan, settings, cells, captions, pinned, photos),
            crops=crops or Crops(),
            aspects=aspects or {},
            is_figure=is_figure,
            colouring=colouring_of(photos, settings.colour_by),
            legend_top=plan.height - plan.geometry.bottom + footer_height(plan.marks_size),
        )

    def crop(self, photo: int, cell: Cell) -> Box:
        """The part of a photo that is seen in a cell."""
        if self.settings.fit == "whole":
            return WHOLE
        return self.crops.of(photo, self.aspects.get(photo, 1.0), self.plan.aspect(cell))

    def part(self, photo: int) -> Box:
        """The part of a photo that is read: the smallest that holds its crops in all cells."""
        if self.whole_photos or self.settings.fit == "whole":
            return WHOLE
        crops = [self.crop(photo, cell) for cell in self.cells[photo]]
        left, top, right, bottom = zip(*crops, strict=True)
        return min(left), min(top), max(right), max(bottom)

    def wanted(self, photo: int) -> Wanted:
        """The part of a photo that is read, and the size at which it is sharp in all its cells."""
        part = self.part(photo)
        width = height = 1.0
        for cell in self.cells[photo]:
            (_, _, across, down), crop = self.plan.tile_rect(cell), self.crop(photo, cell)
            width = max(width, across * (part[2] - part[0]) / (crop[2] - crop[0]))
            height = max(height, down * (part[3] - part[1]) / (crop[3] - crop[1]))
        return Wanted(part, round(width), round(height), inside=self.settings.fit == "whole")

    @cached_property
    def caption_face(self) -> Face:
        """The face of all captions: the one that has most of their letters."""
        return face_for("".join(sorted(set().union(*self.captions.values()))))

    def face_of_caption(self, text: str) -> Face:
        """The face of one caption: that of all, unless it lacks a letter."""
        return face_for(text) if self.caption_face.lacks(text) else self.caption_face

    @cached_property
    def caption_size(self) -> float:
        """The size of all captions: the smallest that one of them needs."""
        usual = self.plan.caption_size
        texts = ((text, cell) for photo, text in self.captions.items() if text for cell in self.cells.get(photo, ()))
        sizes = (
            fitted_caption_size(text, usual, self.plan.caption_rect(cell)[2], self.face_of_caption(text))
            for text, cell in texts
        )
        return min(sizes, default=usual)

    @property
    def background(self) -> Colour | None:
        """The colour of the paper; None is transparent."""
        return None if self.settings.background is None else parse_colour(self.settings.background)

    @property
    def title(self) -> str:
        return printable(self.settings.title)

    def frame_colour(self, photo: int) -> Colour:
        """The colour of a photo's frame."""
        return parse_colour(self.settings.border_colour) if self.colouring is None else self.colouring.of(photo)


def compose(
    sheet: Sheet, painter: Painter, images: Iterable[tuple[int, Image.Image]], on_photo: Callable[[], None]
) -> None:
    """Draw the whole sheet; `images` gives each shown photo once, as the part that `Sheet.part` names."""
    draw_ground(sheet, painter)
    for photo, image in images:
        draw_in_cells(sheet, painter, photo, image)
        on_photo()


def draw_ground(sheet: Sheet, painter: Painter) -> None:
    """Draw what comes before the photos: the paper, the title, the legend and other texts of the sheet."""
    _draw_paper(sheet, painter)
    for label in (*_title_label(sheet), *sheet.labels):
        text = shorten(label.text, label.size, label.width, label.face)
        painter.text(text, label.x, label.y, label.size, ink_on(sheet.background), label.face)
    draw_legend(sheet, painter)


def draw_in_cells(sheet: Sheet, painter: Painter, photo: int, image: Image.Image) -> None:
    """Draw a photo with its caption and marker in each of its cells."""
    part = sheet.part(photo)
    for cell in sheet.cells[photo]:
        tile, seen = sheet.plan.tile_rect(cell), within(sheet.crop(photo, cell), part)
        _draw_photo(sheet, painter, photo, image, tile, seen)
        _draw_caption(sheet, painter, photo, cell)
        if sheet.settings.mark_pins and cell in sheet.pinned:
            draw_marker(painter, tile)


def within(crop: Box, part: Box) -> Box:
    """A crop of a photo as shares of a part of it that contains the crop.

    >>> within((0.25, 0.0, 0.5, 1.0), (0.0, 0.0, 0.5, 1.0))
    (0.5, 0.0, 1.0, 1.0)
    """
    left, top, right, bottom = part
    width, height = max(1e-9, right - left), max(1e-9, bottom - top)
    x, y = (crop[0] - left) / width, (crop[1] - top) / height
    return x, y, (crop[2] - left) / width, (crop[3] - top) / height


def _draw_paper(sheet: Sheet, painter: Painter) -> None:
    """The background, bleed included, and the cut marks."""
    plan = sheet.plan
    if sheet.background is not None:
        painter.box((0, 0, plan.width, plan.height), 0, WHITE if plan.marks else sheet.background)
        if plan.marks:
            painter.box(plan.bleed_rect, 0, sheet.background)
    for mark in plan.marks:
        painter.box(mark, 0, BLACK)


def _draw_photo(sheet: Sheet, painter: Painter, photo: int, image: Image.Image, tile: Rect, seen: Box) -> None:
    rect = tile if sheet.settings.fit == "crop" else _inside(tile, image.size)
    radius = sheet.settings.corner * min(*rect[2:], sheet.plan.tile)
    border, colour = min(sheet.plan.border, min(rect[2:]) / 4), sheet.frame_colour(photo)
    if border <= 0 and sheet.is_figure and _fades(image, sheet.background):
        border, colour = max(1.0, HAIRLINE_SHARE * min(rect[2:])), hairline_on(sheet.background)
    if border > 0:
        painter.box(rect, radius, colour)
        x, y, width, height = rect
        rect = x + border, y + border, width - 2 * border, height - 2 * border
        radius = max(0.0, radius - border)
    painter.picture(photo, image, rect, radius, seen)


def _fades(image: Image.Image, background: Colour | None) -> bool:
    """Whether the edge of a photo looks like the background, so that a figure would lose its outline there."""
    if background is None:
        return False
    small = np.asarray(image.convert("RGB").resize((EDGE_SAMPLES, EDGE_SAMPLES), Image.Resampling.BOX), np.int16)
    edge = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
    near = np.abs(edge - np.array(background)).max(axis=1) <= FADING_SHADES
    return bool(near.mean() > FADING_SHARE)


def hairline_on(background: Colour | None) -> Colour:
    """The colour of a discreet line on a background: a quarter of the way from it to the colour of text."""
    paper, ink = background or WHITE, ink_on(background)
    red, green, blue = (round(0.75 * a + 0.25 * b) for a, b in zip(paper, ink, strict=True))
    return red, green, blue


def _draw_caption(sheet: Sheet, painter: Painter, photo: int, cell: Cell) -> None:
    text, size = sheet.captions.get(photo, ""), sheet.caption_size
    if sheet.plan.caption_size < 1 or not text:
        return
    x, y, width, _ = sheet.plan.caption_rect(cell)
    face = sheet.face_of_caption(text)
    lines = caption_lines(text, size, width, face)
    for place, line in enumerate(lines):
        # Nearer to its own photo than to the one below.
        base = y + size * (1 if len(lines) == 1 else 0.95 + LINE_STEP * place)
        painter.text(line, x + width / 2, base, size, ink_on(sheet.background), face)


def fitted_caption_size(text: str, usual: float, width: float, face: Face) -> float:
    """The size at which a caption fits on one line, or the size of two lines if that would be too small."""
    needed = face.width(text, usual)
    if needed <= width:
        return usual
    return usual * (width / needed if needed * SMALLEST_CAPTION <= width else TWO_LINES_SIZE)


def caption_lines(text: str, size: float, width: float, face: Face) -> list[str]:
    """The one or two lines of a caption; what is longer is cut, and words are never broken.

    >>> from album_app.render.page.text_faces import built_in
    >>> caption_lines("n07717556_butternut_squash", 10, 100, built_in())
    ['n07717556_', 'butternut_squash']
    """
    if face.width(text, size) <= width * ROUNDING:
        return [text]
    halves = [(text[:place].rstrip(), text[place:].lstrip()) for place in _breaks(text)]
    fitting = [lines for lines in halves if face.width(lines[0], size) <= width]
    if not fitting:
        return [shorten(text, size, width, face)]
    first, second = min(fitting, key=lambda lines: max(face.width(line, size) for line in lines))
    if face.width(second, size) > width:
        first, second = fitting[-1]
    return [first, shorten(second, size, width, face)]


def _breaks(text: str) -> list[int]:
    """Where a line may end: after a space or a sign between words, and between the signs of Chinese and the like."""
    wide = [unicodedata.east_asian_width(character) in "WF" for character in text]
    inside = range(1, len(text))
    return [place for place in inside if text[place - 1] in BETWEEN_WORDS or (wide[place - 1] and wide[place])]


def _title_label(sheet: Sheet) -> tuple[Label, ...]:
    title, size = sheet.title, sheet.plan.title_size
    if size < 1 or not title:
        return ()
    x, y, width, _ = sheet.plan.title_rect()
    fitted = max(SMALLEST_TITLE * size, fitted_size(title, size, width))
    return (Label(title, x + width / 2, y + 0.5 * size + 0.35 * fitted, fitted, width * ROUNDING),)


def fitted_size(title: str, size: float, width: float) -> float:
    """The text size at which a title fits into a width, at most `size`."""
    return size * min(1.0, width / max(1.0, face_for(title).width(title, size)))


LEGEND_SWATCH, LEGEND_SPACE, RAMP_LENGTH = 0.95, 1.3, 9.0
"""Shares of the legend's size: the side of a coloured square, the space between two entries, the length of a ramp."""
SMALLEST_LEGEND = 0.5
"""A legend shrinks to this share of its usual size before words are cut."""


@dataclass(frozen=True)
class _Entry:
    """A part of a legend: colours side by side, and the words after them."""

    words: str
    colours: tuple[Colour, ...] = ()
    length: float = 0.0  # of the colours, in sizes of the text

    def width(self, size: float, face: Face) -> float:
        between = 0.4 if self.colours and self.words else 0.0
        return (self.length + between) * size + face.width(self.words, size)


def draw_legend(sheet: Sheet, painter: Painter) -> None:
    """Draw what the colours of frames mean, on one or two centred lines below the photos."""
    size, colouring = sheet.plan.legend_size, sheet.colouring
    if colouring is None or size < 1:
        return
    face = face_for(printable(colouring.texts))
    width = sheet.plan.width - 2 * sheet.plan.trim - 2 * size
    lines, size = _legend_lines(_entries(colouring), size, width, face)
    for number, line in enumerate(lines):
        across = sum(entry.width(size, face) for entry in line) + LEGEND_SPACE * size * (len(line) - 1)
        x, base = (sheet.plan.width - across) / 2, sheet.legend_top + size * (1.6 + 1.5 * number)
        for entry in line:
            _draw_entry(entry, painter, x, base, size, face, sheet.background)
            x += entry.width(size, face) + LEGEND_SPACE * size


def _entries(colouring: Colouring) -> list[_Entry]:
    entries = [_Entry(printable(words), (colour,), LEGEND_SWATCH) for words, colour in colouring.entries]
    title = _Entry(f"{printable(colouring.title)}:")
    if not colouring.is_ramp:
        return [title, *entries]
    low, high = map(printable, colouring.ends)
    steps = tuple((red, green, blue) for red, green, blue in ramp().tolist())
    return [title, _Entry(low), _Entry(high, steps, RAMP_LENGTH), *entries]


def _legend_lines(
    entries: Sequence[_Entry], size: float, width: float, face: Face
) -> tuple[list[Sequence[_Entry]], float]:
    """The entries on one line, or on two of about equal length, and their text size; longer words are cut."""

    def across(line: Sequence[_Entry]) -> float:
        return sum(entry.width(size, face) + LEGEND_SPACE * size for entry in line)

    if across(entries) <= width:
        return [entries], size
    breaks = [(entries[:place], entries[place:]) for place in range(1, len(entries))] or [(entries, ())]
    lines = [line for line in min(breaks, key=lambda parts: max(map(across, parts))) if line]
    needed = max(map(across, lines))
    fitted = size * max(SMALLEST_LEGEND, min(1.0, width / needed))
    if needed * fitted / size <= width * ROUNDING:
        return lines, fitted
    room = width / max(map(len, lines)) - (LEGEND_SPACE + LEGEND_SWATCH + 0.4) * fitted
    cut = [[replace(entry, words=shorten(entry.words, fitted, room, face)) for entry in line] for line in lines]
    return list[Sequence[_Entry]](cut), fitted


def _draw_entry(
    entry: _Entry, painter: Painter, x: float, base: float, size: float, face: Face, background: Colour | None
) -> None:
    step, side = entry.length * size / max(1, len(entry.colours)), LEGEND_SWATCH * size
    for place, colour in enumerate(entry.colours):
        painter.box((x + place * step, base - 0.82 * size, step, side), 0, colour)
    if entry.words:
        words = face.width(entry.words, size)
        left = x + entry.width(size, face) - words
        painter.text(entry.words, left + words / 2, base, size, ink_on(background), face)


def draw_marker(painter: Painter, tile: Rect) -> None:
    """A red dot in a white ring, in the upper right corner."""
    x, y, width, height = tile
    diameter = max(5, round(MARKER_SHARE * min(width, height)))
    inset = round(0.3 * diameter)
    left, top = x + width - diameter - inset, y + inset
    ring = max(1, round(0.14 * diameter))
    painter.box((left, top, diameter, diameter), diameter / 2, WHITE)
    core = diameter - 2 * ring
    painter.box((left + ring, top + ring, core, core), core / 2, MARKER_COLOUR)


def _inside(tile: Rect, size: tuple[int, int]) -> Rect:
    """The largest rectangle of an image's proportions in the middle of a tile, in whole pixels."""
    x, y, width, height = tile
    scale = min(width / size[0], height / size[1])
    inner = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
    return x + (width - inner[0]) // 2, y + (height - inner[1]) // 2, *inner


TIME_MARK_BASELINE = 1.35
"""Distance from the cells down to the baseline of marks of time, in sizes of their text."""


def time_labels(layout: Layout, photos: Sequence[Photo], plan: PagePlan) -> tuple[Label, ...]:
    """The marks of time below the columns of a sheet that follows time; marks without enough room are left out."""
    size, options = plan.marks_size, layout.options
    if not size or not photos or options is None or not options.time_weight:
        return ()
    geometry = plan.geometry
    step, below = geometry.cell_width + geometry.gap, plan.height - geometry.bottom
    marks = [*time_marks(layout, photos), TimeMark(layout.shape.columns, "")]
    labels = []
    for mark, after in pairwise(marks):
        left, right = (geometry.left + step * column for column in (mark.column, after.column))
        if face_for(mark.words).width(mark.words, size) <= right - left:
            labels.append(
                Label(mark.words, (left + right) / 2, below + TIME_MARK_BASELINE * size, size, right - left + size)
            )
    return tuple(labels)
