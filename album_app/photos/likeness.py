"""Photos ranked by their likeness to some photos, and by their unlikeness to others."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features.extractor import Features
from album_app.work import Stop, check

REACH = 0.3
"""Squared distance at which likeness falls to 1 / e, as a share of the median one to all photos.

A small one lists the kin of each liked photo in turn, a large one what lies between them. Chosen on photos of
Caltech-101: three photos of one class find it as well as with any other value, two photos of two classes find both.
"""
UNLIKE_WEIGHT = 0.5
"""How much likeness to a photo that is not wanted counts against likeness to one that is. Chosen on photos of
Caltech-101 with the first wrong photo of a list as the unwanted one."""
MARKED_LIKENESS = 0.25
"""Likeness from which on a photo is marked on the sheet: about three of four marked photos are of the same kind."""


def likeness(
    features: Features, like: Sequence[int], unlike: Sequence[int] = (), stop: Stop | None = None
) -> NDArray[np.float32]:
    """How much each photo is like some photos, at most 1, and less where it is like photos that are not wanted: (n,).

    >>> rows = np.array([[0.0], [0.1], [3.0], [3.1]], np.float32)
    >>> [int(photo) for photo in np.argsort(-likeness(rows, [1]))]
    [1, 0, 2, 3]
    """
    wanted, unwanted = np.zeros(len(features), np.float32), np.zeros(len(features), np.float32)
    for photo in like:
        check(stop)
        wanted += _alike(features, photo) / np.float32(len(like))
    for photo in unlike:
        check(stop)
        unwanted = np.maximum(unwanted, _alike(features, photo))
    return wanted - np.float32(UNLIKE_WEIGHT) * unwanted


def by_likeness(
    features: Features, like: Sequence[int], unlike: Sequence[int] = (), stop: Stop | None = None
) -> tuple[list[int], NDArray[np.float32]]:
    """All photos but the unwanted ones, the liked ones first and then the most alike, and the likeness of each."""
    found = likeness(features, like, unlike, stop)
    order = np.argsort(-found, kind="stable")
    given = {*like, *unlike}
    ranked = [*dict.fromkeys(like), *(int(photo) for photo in order if int(photo) not in given)]
    return ranked, found[ranked]


def _alike(features: Features, photo: int) -> NDArray[np.float32]:
    """How much each photo is like one of them, from 0 to 1."""
    squared = ((features - features[photo]) ** 2).sum(axis=1, dtype=np.float32)
    reach = max(REACH * float(np.median(squared)), float(np.finfo(np.float32).tiny))
    return np.asarray(np.exp(-squared / np.float32(reach)), np.float32)
