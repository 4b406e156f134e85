"""What tells near-duplicates from other photos: a perceptual hash, coarse colours, detail, aspect and sharpness."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

KEY = "fingerprint:2"
"""Names fingerprints in the cache."""

SIDE = 32
WAVES = 12
BITS = WAVES * WAVES - 1
COLOUR_SIDE = 8
COLOURS = slice(BITS, BITS + 3 * COLOUR_SIDE**2)
DETAIL_SIDE = 24
DETAIL = slice(COLOURS.stop, COLOURS.stop + DETAIL_SIDE**2)
DETAIL_BLURS = 6
"""How often brightness is blurred to find what is not detail; 6 leaves details of up to about 7 of the 24 parts."""
ASPECT, SHARPNESS = -2, -1
LENGTH = DETAIL.stop + 2

Fingerprint = NDArray[np.float32]
"""The bits of the hash as -1 and 1, the mean colours of 8 x 8 parts, the detail of 24 x 24 parts (their brightness less
that of their surroundings, which is 0 on a plain background), the logarithm of the aspect, the sharpness."""

_PARTS = np.kron(np.eye(COLOUR_SIDE), np.full(SIDE // COLOUR_SIDE, COLOUR_SIDE / SIDE)).astype(np.float32)
_BLUR_ONCE = np.pad(np.eye(DETAIL_SIDE), ((1, 1), (0, 0)), "edge")
_BLUR_ONCE = (_BLUR_ONCE[:-2] + 2 * _BLUR_ONCE[1:-1] + _BLUR_ONCE[2:]) / 4
_BLUR = np.linalg.matrix_power(_BLUR_ONCE, DETAIL_BLURS).astype(np.float32)
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_COSINES = np.cos(np.pi * np.outer(np.arange(WAVES), 2 * np.arange(SIDE) + 1) / (2 * SIDE)).astype(np.float32)


def fingerprint(thumbnail: Image.Image) -> Fingerprint:
    """The fingerprint of a thumbnail, an RGB picture."""
    reduced = np.asarray(thumbnail.resize((SIDE, SIDE), Image.Resampling.BOX), np.float32)
    waves = np.round(_COSINES @ (reduced @ _LUMA) @ _COSINES.T, 3).ravel()[1:]  # so that a flat one has no noise
    colours = _PARTS @ (_PARTS @ reduced.reshape(SIDE, -1)).reshape(COLOUR_SIDE, SIDE, 3)
    row = np.empty(LENGTH, np.float32)
    row[:BITS] = np.where(waves > np.partition(waves, BITS // 2)[BITS // 2], 1.0, -1.0)
    row[COLOURS] = colours.ravel()
    row[DETAIL] = _detail(thumbnail).ravel()
    row[ASPECT] = np.log(thumbnail.width / thumbnail.height)
    row[SHARPNESS] = _sharpness(np.asarray(thumbnail.getchannel("G"), np.float32))
    return row


def _detail(thumbnail: Image.Image) -> NDArray[np.float32]:
    """How much brighter each of 24 x 24 parts is than what surrounds it."""
    parts = thumbnail.resize((DETAIL_SIDE, DETAIL_SIDE), Image.Resampling.BOX)
    brightness = np.asarray(parts, np.float32) @ _LUMA
    surroundings: NDArray[np.float32] = _BLUR @ brightness @ _BLUR.T
    return (brightness - surroundings).astype(np.float32)


def _sharpness(green: NDArray[np.float32]) -> float:
    """The mean square of the steps between neighbouring pixels: blur of any kind makes them smaller."""
    steps = (green[:, 1:] - green[:, :-1], green[1:] - green[:-1])
    return float(sum(np.vdot(step, step) for step in steps) / max(1, sum(step.size for step in steps)))
