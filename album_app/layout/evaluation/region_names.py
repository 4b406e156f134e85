"""Names for regions of a sheet: the word that is most typical of a region, placed as labels are placed on a map.

Each photo has a score from 0 to 1 for every word. A word names a region if the photos there have clearly higher scores
than the sheet as a whole; where nothing is typical there is no label.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from album_app.language import tr
from album_app.layout.layout import Layout
from album_app.layout.options import DEFAULT_FEATURES
from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.faces import Focus
from album_app.photos.thumbnails import stream_thumbnails
from album_app.work import OnProgress, Stop

if TYPE_CHECKING:
    from album_app.photos.classes import Classes

Scores = NDArray[np.floating]

NEIGHBOURHOOD = 5
"""Side of the square of cells over which scores are averaged, in cells: single photos do not make a region."""
LEAST_SCORE = 0.3
"""Mean score of a word around a cell from which on the word may name the cell."""
LEAST_LIFT = 2.0
"""Times the word's mean score on the whole sheet that the score around a cell must reach: typical, not just common."""
LEAST_CELLS = 5
LEAST_SHARE = 0.01
"""A region has at least this share of all cells."""
LETTER_WIDTH = 0.34
"""Width of a label's letter in cells, for keeping labels apart."""
LABEL_HEIGHT = 1.2
LARGEST_SHARE = 0.6
"""A word that fits more than this share of the sheet distinguishes nothing."""


@dataclass(frozen=True)
class Label:
    """A word over a region: the middle of the word in sheet units, and the indices of the cells that it names."""

    word: str
    x: float
    y: float
    cells: tuple[int, ...]
    strength: float  # mean score of the word in the region


COLOUR_LOOKS = ("lab", "rgb")
"""Features whose regions are named by colours instead of by things."""


def named_regions(
    layout: Layout,
    photos: Sequence[Photo],
    foci: Mapping[int, Focus],
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[Label]:
    """Labels by what the photos show, or by their colours where the layout was made by colours.

    `foci` says where faces were found. What else photos show comes from the cache where it is known; otherwise a
    network has to look at them.
    """
    features = layout.options.features if layout.options is not None else DEFAULT_FEATURES
    if features.partition(":")[0] in COLOUR_LOOKS:
        return _named_by_colours(layout, photos, stop)
    from album_app.photos.classes import classes_of

    classes = classes_of(photos, on_progress=on_progress, stop=stop)
    return named_by_things(layout, classes, foci)


def named_by_things(layout: Layout, classes: "Classes", foci: Mapping[int, Focus]) -> list[Label]:
    """Labels by everyday words for what the photos show."""
    from album_app.photos.classes import everyday_words
    from album_app.photos.find import word_scores

    words = [word for word in everyday_words() if word.classes]
    return region_names(layout, word_scores(words, classes, foci), [word.title for word in words])


def _named_by_colours(layout: Layout, photos: Sequence[Photo], stop: Stop | None) -> list[Label]:
    shown = [photos[photo] for photo in layout.shown]
    with Cache.open() as cache:
        thumbnails = stream_thumbnails(shown, cache, stop=stop)
        found = ((layout.shown[item.index], item.pixels) for item in thumbnails if item.pixels is not None)
        return named_by_colours(layout, found)


def named_by_colours(layout: Layout, pictures: Iterable[tuple[int, NDArray[np.uint8]]]) -> list[Label]:
    """Labels by the colours of photos, each with its picture."""
    from album_app.photos.classes import COLOUR_WORDS, colour_shares

    count = int(layout.photo_at.max(initial=-1)) + 1
    scores = np.zeros((count, len(COLOUR_WORDS)), np.float32)
    for photo, picture in pictures:
        scores[photo] = colour_shares(picture)
    return region_names(layout, scores, [tr(word) for word in COLOUR_WORDS])


def region_names(layout: Layout, scores: Scores, words: Sequence[str]) -> list[Label]:
    """Labels of the regions of a sheet, the strongest first; (photos, words) scores say how much each word fits."""
    shape = layout.shape
    filled = layout.photo_at >= 0
    if not filled.any() or not words:
        return []
    at_cells = np.zeros((shape.count, len(words)))
    at_cells[filled] = scores[layout.photo_at[filled]]
    common = at_cells[filled].mean(axis=0)
    around = _around(layout, at_cells, filled)
    lift = around / np.maximum(common, 1e-9)
    typical = (around >= LEAST_SCORE) & (lift >= LEAST_LIFT) & filled[:, None]
    typical &= typical.sum(axis=0) <= LARGEST_SHARE * filled.sum()
    worth = np.where(typical, around * np.log(np.maximum(lift, 1)), 0)
    best = np.where(worth.max(axis=1) > 0, worth.argmax(axis=1), -1)
    labels = [
        _label(layout, words[word], cells, at_cells[cells, word])
        for word in sorted(set(best.tolist()) - {-1})
        for cells in _regions(layout, best == word)
    ]
    return _apart(sorted(labels, key=lambda label: -label.strength * len(label.cells) ** 0.5))


def _grid(layout: Layout, values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Values of cells (n, ...) in rows and columns, zeros outside the shape."""
    rows, columns = layout.shape.mask.shape
    grid = np.zeros((rows, columns, *values.shape[1:]))
    grid[tuple(layout.shape.cells.T)] = values
    return grid


def _around(layout: Layout, at_cells: Scores, filled: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean score of each word over the photos in the neighbourhood of each cell."""
    size = (NEIGHBOURHOOD, NEIGHBOURHOOD)
    photos = ndimage.uniform_filter(_grid(layout, filled.astype(float)), size, mode="constant")
    sums = ndimage.uniform_filter(_grid(layout, at_cells), (*size, 1), mode="constant")
    means = sums / np.maximum(photos, 1e-9)[..., None]
    at_cells_around: NDArray[np.float64] = means[tuple(layout.shape.cells.T)]
    return at_cells_around


def _regions(layout: Layout, named: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The connected pieces of some cells that are large enough for a name."""
    pieces, count = ndimage.label(_grid(layout, named.astype(float)) > 0, np.ones((3, 3)))
    of_cell = pieces[tuple(layout.shape.cells.T)]
    least = max(LEAST_CELLS, LEAST_SHARE * layout.shape.count)
    found = (np.flatnonzero(of_cell == piece) for piece in range(1, count + 1))
    return [cells for cells in found if len(cells) >= least]


def _label(layout: Layout, word: str, cells: NDArray[np.intp], scores: Scores) -> Label:
    """A label over a photo of the region that shows the word and is nearest to the middle, weighted by their scores."""
    boxes = layout.shape.frames().boxes[cells]
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    weights = scores + 1e-6
    centre = (middles * weights[:, None]).sum(axis=0) / weights.sum()
    fitting = middles[scores >= min(scores.mean(), scores.max())]  # the mean of equal scores may be rounded up
    x, y = fitting[((fitting - centre) ** 2).sum(axis=1).argmin()]
    return Label(word, float(x), float(y), tuple(cells.tolist()), float(scores.mean()))


def _apart(labels: Sequence[Label]) -> list[Label]:
    """The labels that can be drawn without covering a stronger one."""
    kept: list[Label] = []
    for label in labels:
        if not any(_overlap(label, other) for other in kept):
            kept.append(label)
    return kept


def _overlap(one: Label, other: Label) -> bool:
    width = (len(one.word) + len(other.word)) / 2 * LETTER_WIDTH
    return abs(one.x - other.x) < width and abs(one.y - other.y) < LABEL_HEIGHT
