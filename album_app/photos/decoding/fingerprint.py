"""What tells near-duplicates from other photos: a perceptual hash, coarse colours, detail, aspect and sharpness."""

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.photos.decoding.boxes import box_weights
from album_app.photos.decoding.quality import Greys, greys_of

KEY = "fingerprint:3"
"""Names fingerprints in the cache."""

SIDE = 32
WAVES = 12
BITS = WAVES * WAVES - 1
COLOUR_SIDE = 8
COLOURS = slice(BITS, BITS + 3 * COLOUR_SIDE**2)
DETAIL_SIDE = 24
LEAST_REDUCED_SIDE = 48
"""Pixels that the sides of a thumbnail keep at least before the means of its parts are taken: half again SIDE."""
DETAIL = slice(COLOURS.stop, COLOURS.stop + DETAIL_SIDE**2)
DETAIL_BLURS = 6
"""How often brightness is blurred to find what is not detail; 6 leaves details of up to about 7 of the 24 parts."""
ASPECT, SHARPNESS = -2, -1
LENGTH = DETAIL.stop + 2

Fingerprint = NDArray[np.float32]
"""The bits of the hash as -1 and 1, the mean colours of 8 x 8 parts, the detail of 24 x 24 parts (their brightness less
that of their surroundings, which is 0 on a plain background), the logarithm of the aspect, the sharpness."""

_BLUR_ONCE = np.pad(np.eye(DETAIL_SIDE), ((1, 1), (0, 0)), "edge")
_BLUR_ONCE = (_BLUR_ONCE[:-2] + 2 * _BLUR_ONCE[1:-1] + _BLUR_ONCE[2:]) / 4
_BLUR = np.linalg.matrix_power(_BLUR_ONCE, DETAIL_BLURS).astype(np.float32)
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_COSINES = np.cos(np.pi * np.outer(np.arange(WAVES), 2 * np.arange(SIDE) + 1) / (2 * SIDE)).astype(np.float32)


def fingerprint(thumbnail: Image.Image, greys: Greys | None = None) -> Fingerprint:
    """The fingerprint of a thumbnail, an RGB picture; `greys` are its grey levels, where they are known."""
    coarse, height, width = _reduced(thumbnail)
    brightness = coarse @ _LUMA
    fine = box_weights(height, SIDE) @ brightness @ box_weights(width, SIDE).T
    waves = np.round(_COSINES @ fine @ _COSINES.T, 3).ravel()[1:]  # so that a flat one has no noise
    parts = box_weights(height, DETAIL_SIDE) @ brightness @ box_weights(width, DETAIL_SIDE).T
    rows = box_weights(height, COLOUR_SIDE) @ coarse.reshape(len(coarse), -1)
    row = np.empty(LENGTH, np.float32)
    row[:BITS] = np.where(waves > np.partition(waves, BITS // 2)[BITS // 2], 1.0, -1.0)
    row[COLOURS] = (box_weights(width, COLOUR_SIDE) @ rows.reshape(COLOUR_SIDE, -1, 3)).ravel()
    row[DETAIL] = (parts - _BLUR @ parts @ _BLUR.T).ravel()
    row[ASPECT] = math.log(thumbnail.width / thumbnail.height)
    row[SHARPNESS] = _sharpness(greys_of(thumbnail) if greys is None else greys)
    return row


def _reduced(thumbnail: Image.Image) -> tuple[NDArray[np.float32], float, float]:
    """A thumbnail a whole number of times smaller, so that means over its parts take little time: (h, w, 3).

    Its height and width follow; they are no whole numbers where the last row or column has fewer pixels of the
    thumbnail than the others.
    """
    across, down = (max(1, side // LEAST_REDUCED_SIDE) for side in thumbnail.size)
    reduced = np.asarray(thumbnail.reduce((across, down)), np.float32)
    return reduced, thumbnail.height / down, thumbnail.width / across


def _sharpness(greys: Greys) -> float:
    """The mean square of the steps between neighbouring pixels: blur of any kind makes them smaller."""
    height, width = greys.shape
    pixels = greys.ravel().astype(np.int16)  # rows end to end: operations on one long row take two thirds of the time
    down = (pixels[width:] - pixels[:-width]).astype(np.float32)
    across = (pixels[1:] - pixels[:-1]).astype(np.float32)
    across[width - 1 :: width] = 0  # from the end of a row to the start of the next one
    count = (height - 1) * width + height * (width - 1)
    return float((np.vdot(down, down) + np.vdot(across, across)) / max(1, count))
