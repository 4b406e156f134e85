"""Colours by a facet: the colour of each photo, the legend, and that everybody can distinguish the colours."""

from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.layout.colouring import OTHER, PALETTE, RAMP_STEPS, UNKNOWN, colouring_by, colouring_of, ramp
from album_app.photos.album import Photo
from album_app.photos.decoding.header import Metadata, Row
from album_app.photos.facets import facets_of

DICHROMATS = (
    np.eye(3),
    np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
)
"""What people without colour blindness, with protanopia, deuteranopia and tritanopia see (Machado and others, 2009)."""
EASILY_TOLD_APART = 14.0
"""Distance in CIELAB; the eye sees a difference between two adjacent patches from about 2."""


def seen(colour: tuple[int, int, int], eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """A colour in CIELAB as an eye sees it."""
    share = np.array(colour) / 255
    linear = np.clip(eye @ np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4), 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (to_xyz @ linear) / (0.9505, 1, 1.089)
    a, b, c = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * b - 16, 500 * (a - b), 200 * (b - c)])


def photos(*values: str) -> tuple[Photo, ...]:
    rows = (Metadata(row=Row(("value",), (value,))) for value in values)
    return tuple(Photo(Path(f"{k}"), f"{k}", 1, 1, 4, 3, metadata=row) for k, row in enumerate(rows))


def test_any_eye_can_tell_the_colours_apart() -> None:
    for eye in DICHROMATS:
        colours = [seen(colour, eye) for colour in (*PALETTE, OTHER, UNKNOWN)]
        assert min(float(np.linalg.norm(a - b)) for a, b in combinations(colours, 2)) > EASILY_TOLD_APART
        lightness = [seen((red, green, blue), eye)[0] for red, green, blue in ramp().tolist()]
        assert all(np.diff(lightness) > 0), "the ramp needs no colours at all"


def test_the_most_frequent_values_have_colours_of_their_own() -> None:
    values = [f"v{k:02}" for k in range(20) for _ in range(20 - k)] + [""]
    found = colouring_of(photos(*values), "value")
    assert found is not None
    assert [words for words, _ in found.entries] == [f"v{k:02}" for k in range(len(PALETTE))] + ["other", "not known"]
    assert found.of(0) == PALETTE[0] and found.of(20) == PALETTE[1]
    assert found.of(len(values) - 2) == OTHER and found.of(len(values) - 1) == UNKNOWN


def test_numbers_have_a_ramp_that_one_extreme_value_does_not_spoil() -> None:
    facet = facets_of(photos(*map(str, range(200)), "1000000", ""))["value"]
    found = colouring_by(facet)
    assert found.is_ramp and found.ends == ("0", "1000000")
    assert len(np.unique(found.colours[:200], axis=0)) == RAMP_STEPS
    assert found.of(201) == UNKNOWN and found.entries == (("not known", UNKNOWN),)


def test_nothing_is_coloured_without_a_name() -> None:
    assert colouring_of(photos("a", "b"), "") is None


def test_colours_are_numbers_for_web_pages_and_the_same_ones_for_painters() -> None:
    found = colouring_of(photos("a", "b", "a", ""), "value")
    assert found is not None
    for photo, code in enumerate(found.codes.tolist()):
        assert found.of(photo) == (code >> 16, code >> 8 & 255, code & 255)
    assert found.of(0) == found.of(2) == PALETTE[0] and found.of(1) == PALETTE[1]
