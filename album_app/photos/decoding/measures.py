"""Numbers measured of a thumbnail: its fingerprint, which tells near-duplicates from other photos, and its quality."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

FINGERPRINT_KEY, QUALITY_KEY = "fingerprint:3", "quality:1"
"""Names of the two rows in the cache; the number is the version of their computation."""

Greys = NDArray[np.uint8]
"""(h, w) grey levels of a picture."""


def greys_of(picture: Image.Image) -> Greys:
    """The grey levels of a picture of any mode."""
    return np.asarray(picture.convert("L"))


@lru_cache(maxsize=256)
def box_weights(side: float, size: int) -> NDArray[np.float32]:
    """(size, side): the share of each of `side` pixels in each of `size` equal boxes, rows summing to one.

    Products with these weights are means over the boxes, exact also where two boxes share a pixel. Where `side` is not
    a whole number, only that part of the last pixel belongs to the picture.
    """
    edges = np.arange(size + 1) * side / size
    starts, ends = edges[:-1, None], edges[1:, None]
    pixels = np.arange(math.ceil(side))[None, :]
    overlap = np.clip(np.minimum(ends, pixels + 1) - np.maximum(starts, pixels), 0, None)
    weights: NDArray[np.float32] = (overlap * size / side).astype(np.float32)
    weights.setflags(write=False)
    return weights


HASH_SIDE = 32
"""Parts along a side whose brightness the perceptual hash is made of."""
WAVES = 12
"""Lowest frequencies of the cosine transform along each side; each pair of them but the constant one gives a bit."""
BITS = WAVES * WAVES - 1
COLOUR_SIDE = 8
"""Parts along a side whose mean colours a fingerprint has."""
DETAIL_SIDE = 24
"""Parts along a side whose detail a fingerprint has."""
DETAIL_BLURS = 6
"""How often brightness is blurred to find what is not detail; 6 leaves details of up to about 7 of the 24 parts."""
COLOURS = slice(BITS, BITS + 3 * COLOUR_SIDE**2)
DETAIL = slice(COLOURS.stop, COLOURS.stop + DETAIL_SIDE**2)
ASPECT, SHARPNESS = -2, -1
LENGTH = DETAIL.stop + 2
LEAST_REDUCED_SIDE = 48
"""Pixels that the sides of a thumbnail keep at least before the means of its parts are taken: 1.5 times HASH_SIDE."""

Fingerprint = NDArray[np.float32]
"""The bits of the hash as -1 and 1, the mean colours of 8 x 8 parts, the detail of 24 x 24 parts (their brightness less
that of their surroundings, which is 0 on a plain background), the logarithm of the aspect, the sharpness."""

_BLUR_ONCE = np.pad(np.eye(DETAIL_SIDE), ((1, 1), (0, 0)), "edge")
_BLUR_ONCE = (_BLUR_ONCE[:-2] + 2 * _BLUR_ONCE[1:-1] + _BLUR_ONCE[2:]) / 4
_BLUR = np.linalg.matrix_power(_BLUR_ONCE, DETAIL_BLURS).astype(np.float32)
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_COSINES = np.cos(np.pi * np.outer(np.arange(WAVES), 2 * np.arange(HASH_SIDE) + 1) / (2 * HASH_SIDE)).astype(np.float32)


def fingerprint(thumbnail: Image.Image, greys: Greys | None = None) -> Fingerprint:
    """The fingerprint of a thumbnail, an RGB picture; `greys` are its grey levels, where they are known."""
    coarse, height, width = _reduced(thumbnail)
    brightness = coarse @ _LUMA
    fine = box_weights(height, HASH_SIDE) @ brightness @ box_weights(width, HASH_SIDE).T
    waves = np.round(_COSINES @ fine @ _COSINES.T, 3).ravel()[1:]  # rounded, so that plain pictures have equal bits
    parts = box_weights(height, DETAIL_SIDE) @ brightness @ box_weights(width, DETAIL_SIDE).T
    rows = box_weights(height, COLOUR_SIDE) @ coarse.reshape(len(coarse), -1)
    row = np.empty(LENGTH, np.float32)
    row[:BITS] = np.where(waves > np.partition(waves, BITS // 2)[BITS // 2], 1.0, -1.0)
    row[COLOURS] = (box_weights(width, COLOUR_SIDE) @ rows.reshape(COLOUR_SIDE, -1, 3)).ravel()
    row[DETAIL] = (parts - _BLUR @ parts @ _BLUR.T).ravel()
    row[ASPECT] = math.log(thumbnail.width / thumbnail.height)
    row[SHARPNESS] = _mean_square_step(greys_of(thumbnail) if greys is None else greys)
    return row


def _reduced(thumbnail: Image.Image) -> tuple[NDArray[np.float32], float, float]:
    """A thumbnail a whole number of times smaller, so that means over its parts take little time: (h, w, 3).

    Its height and width follow; they are no whole numbers where the last row or column has fewer pixels of the
    thumbnail than the others.
    """
    across, down = (max(1, side // LEAST_REDUCED_SIDE) for side in thumbnail.size)
    reduced = np.asarray(thumbnail.reduce((across, down)), np.float32)
    return reduced, thumbnail.height / down, thumbnail.width / across


def _mean_square_step(greys: Greys) -> float:
    """The mean square of the steps between neighbouring pixels: blur of any kind makes them smaller."""
    height, width = greys.shape
    pixels = greys.ravel().astype(np.int16)  # rows end to end: operations on one long row take two thirds of the time
    down = (pixels[width:] - pixels[:-width]).astype(np.float32)
    across = (pixels[1:] - pixels[:-1]).astype(np.float32)
    across[width - 1 :: width] = 0  # from the end of a row to the start of the next one
    count = (height - 1) * width + height * (width - 1)
    return float((np.vdot(down, down) + np.vdot(across, across)) / max(1, count))


LAPLACIAN, CONTRAST, CLIPPED = range(3)
"""Columns of a row of quality: variance of the Laplacian, standard deviation of the grey levels, clipped share."""
DARKEST, LIGHTEST = 4, 251
"""Grey levels, of 0 to 255: pixels up to the first and from the second on show no detail, so they count as clipped."""


def quality_row(thumbnail: Image.Image, greys: Greys | None = None) -> NDArray[np.float32]:
    """How sharp a picture is, how rich in contrast, and which share of its pixels is clipped.

    `greys` are the grey levels of the thumbnail, where they are known.
    """
    levels = greys_of(thumbnail) if greys is None else greys
    reals = levels.astype(np.float32).ravel()
    mean = float(reals.mean())
    contrast = math.sqrt(max(0.0, float(np.vdot(reals, reals)) / reals.size - mean**2))
    clipped = np.count_nonzero(levels <= DARKEST) + np.count_nonzero(levels >= LIGHTEST)
    return np.array([_laplacian_variance(levels.astype(np.int16)), contrast, clipped / reals.size], np.float32)


FACE_SIDE = 32
"""Pixels that a face must be wide for its sharpness to be measured; it is measured at this width.

Of 87 real photos with faces of this size: where faces are blurred by 1.5, 3 and 6 % of their width, a face as it was
is sharper than another one that was blurred in 0.89, 0.99 and 1.00 of all pairs. On 47 other photos the sharpness of
whole photos ranks at most 0.57 of the pairs rightly. Greater widths rank as many pairs rightly, but then the sharpness
depends more on the size of the face.
"""


def face_sharpness(picture: Image.Image, box: tuple[float, float, float, float]) -> float:
    """How much of the contrast in a face is fine detail; 0 where the face is too small to tell.

    The box has shares of the picture's sides. All faces are compared at one size, because blur matters by the size of
    the face.
    """
    from PIL import Image  # not above: the table of extractors needs the box means and no pictures

    sizes = picture.width, picture.height, picture.width, picture.height
    left, top, right, bottom = (share * size for share, size in zip(box, sizes, strict=True))
    if right - left < FACE_SIDE:
        return 0.0
    part = picture.convert("L").crop((int(left), int(top), math.ceil(right), math.ceil(bottom)))
    face = part.resize((FACE_SIDE, max(3, round(FACE_SIDE * part.height / part.width))), Image.Resampling.BICUBIC)
    grey = np.asarray(face, np.int16)
    return _laplacian_variance(grey) / max(1.0, float(grey.var()))


def _laplacian_variance(grey: NDArray[np.int16]) -> float:
    """How much each pixel differs from its four neighbours: blur of any kind makes them more alike."""
    height, width = grey.shape
    if min(height, width) < 3:
        return 0.0
    pixels = grey.ravel()  # rows end to end, as for the mean square of the steps
    differences = 4 * pixels[width:-width]
    differences -= pixels[: -2 * width]
    differences -= pixels[2 * width :]
    differences -= pixels[width - 1 : -width - 1]
    differences -= pixels[width + 1 : len(pixels) - width + 1]
    inside = differences.reshape(height - 2, width)[:, 1:-1].astype(np.float32).ravel()
    return float(np.vdot(inside, inside) / inside.size - inside.mean() ** 2)
