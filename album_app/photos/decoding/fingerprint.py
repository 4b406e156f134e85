"""What tells near-duplicates from other photos: a perceptual hash, coarse colours, the aspect, and the sharpness."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

KEY = "fingerprint:1"
"""Names fingerprints in the cache."""

SIDE = 32
WAVES = 12
BITS = WAVES * WAVES - 1
COLOUR_SIDE = 8
COLOURS = slice(BITS, BITS + 3 * COLOUR_SIDE**2)
ASPECT, SHARPNESS = -2, -1
LENGTH = COLOURS.stop + 2

Fingerprint = NDArray[np.float32]
"""The bits of the hash as -1 and 1, the mean colours of 8 x 8 parts, the logarithm of the aspect, the sharpness."""

_PARTS = np.kron(np.eye(COLOUR_SIDE), np.full(SIDE // COLOUR_SIDE, COLOUR_SIDE / SIDE)).astype(np.float32)
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
    row[ASPECT] = np.log(thumbnail.width / thumbnail.height)
    row[SHARPNESS] = _sharpness(np.asarray(thumbnail.getchannel("G"), np.float32))
    return row


def _sharpness(green: NDArray[np.float32]) -> float:
    """The mean square of the steps between neighbouring pixels: blur of any kind makes them smaller."""
    steps = (green[:, 1:] - green[:, :-1], green[1:] - green[:-1])
    return float(sum(np.vdot(step, step) for step in steps) / max(1, sum(step.size for step in steps)))
