"""Colours for photos by a facet: a colour for each of a few values, or a ramp for numbers, and the legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from album_app.language import tr
from album_app.photos.album import Photo
from album_app.photos.facets import Facet, facet_named, facets_of

Colour = tuple[int, int, int]

PALETTE: tuple[Colour, ...] = (
    (0, 114, 178),  # blue
    (213, 94, 0),  # vermilion
    (0, 158, 115),  # green
    (230, 159, 0),  # orange
    (86, 180, 233),  # sky blue
    (204, 121, 167),  # purple
    (240, 228, 66),  # yellow
    (0, 0, 0),
)
"""Colours of the most frequent values, by Okabe and Ito: people with any kind of colour vision can tell them apart."""
OTHER: Colour = (100, 100, 100)
"""The colour of all further values together."""
UNKNOWN: Colour = (218, 218, 218)
"""The colour of photos of which the value is not known."""
RAMP: tuple[Colour, ...] = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""Colours of numbers from the least to the largest, at equal steps; from dark to light, so without colours, too."""
RAMP_STEPS = 16
"""Different colours that are drawn of the ramp."""
CLIPPED_SHARE = 0.01
"""The share of numbers at either end that get the colour of the end, so that one extreme value spoils no ramp."""


@dataclass(frozen=True, eq=False)
class Colouring:
    """The colour of every photo, and what the colours mean."""

    title: str
    colours: NDArray[np.uint8]  # (photos, 3)
    entries: tuple[tuple[str, Colour], ...] = ()  # of the legend, the most frequent value first
    ends: tuple[str, str] = ("", "")  # what the ends of the ramp mean, where there is one

    @property
    def is_ramp(self) -> bool:
        return bool(self.ends[0] or self.ends[1])

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The colour of every photo as one number, 0xRRGGBB."""
        red, green, blue = self.colours.astype(np.int64).T
        codes: NDArray[np.int64] = (red << 16) | (green << 8) | blue
        return codes

    def of(self, photo: int) -> Colour:
        red, green, blue = self.colours[photo].tolist()
        return red, green, blue

    @property
    def texts(self) -> str:
        """Every letter of the legend."""
        return "".join((self.title, *self.ends, *(words for words, _ in self.entries)))


def colouring_by(facet: Facet) -> Colouring:
    """The colours of all photos by what a facet says of them."""
    return _by_numbers(facet) if facet.is_range else _by_labels(facet)


def _by_labels(facet: Facet) -> Colouring:
    counts = np.bincount(facet.main[facet.main >= 0], minlength=len(facet.labels))
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda label: (-counts[label], label))
    colours = np.full((len(facet.labels) + 1, 3), OTHER, np.uint8)
    colours[-1] = UNKNOWN  # the label -1
    entries = [(facet.labels[label], colour) for label, colour in zip(order, PALETTE, strict=False)]
    for label, colour in zip(order, PALETTE, strict=False):
        colours[label] = colour
    if len(order) > len(PALETTE):
        entries.append((tr("other"), OTHER))
    if (facet.main < 0).any():
        entries.append((tr("not known"), UNKNOWN))
    return Colouring(facet.title, colours[facet.main], tuple(entries))


def _by_numbers(facet: Facet) -> Colouring:
    known = facet.known
    low, high = np.quantile(facet.numbers[known], (CLIPPED_SHARE, 1 - CLIPPED_SHARE), method="nearest")
    share = np.clip((np.where(known, facet.numbers, low) - low) / max(high - low, 1e-12), 0, 1)
    colours = ramp()[np.minimum((share * RAMP_STEPS).astype(int), RAMP_STEPS - 1)]
    colours[~known] = UNKNOWN
    entries = () if known.all() else ((tr("not known"), UNKNOWN),)
    return Colouring(facet.title, colours, entries, facet.words)


def ramp() -> NDArray[np.uint8]:
    """The colours of the ramp from the least to the largest: (RAMP_STEPS, 3)."""
    at = np.linspace(0, len(RAMP) - 1, RAMP_STEPS)
    channels = [np.interp(at, np.arange(len(RAMP)), channel) for channel in zip(*RAMP, strict=True)]
    return np.stack(channels, axis=1).round().astype(np.uint8)


class _Last:
    """The colouring that was made last: the pages of a book, a preview and its export ask for the same one."""

    def __init__(self) -> None:
        self._known: tuple[Sequence[Photo], str, Colouring] | None = None

    def of(self, photos: Sequence[Photo], name: str) -> Colouring:
        known = self._known
        if known is None or known[0] is not photos or known[1] != name:
            known = self._known = photos, name, colouring_by(facet_named(facets_of(photos), name))
        return known[2]


_last = _Last()


def colouring_of(photos: Sequence[Photo], name: str) -> Colouring | None:
    """The colours of photos by the column of this name, None where no name is given; a UsageError for no column."""
    return _last.of(photos, name) if name and photos else None
