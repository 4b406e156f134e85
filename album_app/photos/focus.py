"""What a crop of a photo should keep: the faces in it, or the region that draws the eye."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of a photo's width and height, as the photo is displayed."""
DIGITS = 4
"""Digits of a share that are stored: finer than a pixel of any photo that is printed."""


@dataclass(frozen=True)
class Focus:
    """The faces in a photo, the largest first, and the region that draws the eye where there is no face.

    >>> Focus(faces=((0.1, 0.2, 0.3, 0.5),)).region is None
    True
    """

    faces: tuple[Box, ...] = ()
    region: Box | None = None

    def packed(self) -> list[Any]:
        """The focus as JSON can hold it."""
        return [[_rounded(face) for face in self.faces], self.region and _rounded(self.region)]

    @classmethod
    def unpacked(cls, values: Sequence[Any]) -> "Focus":
        """A focus from what `packed` made of it; a ValueError or TypeError where it cannot be one."""
        faces, region = values
        return cls(tuple(_box(face) for face in faces), None if region is None else _box(region))


def _rounded(box: Box) -> list[float]:
    return [round(side, DIGITS) for side in box]


def _box(values: Sequence[Any]) -> Box:
    left, top, right, bottom = (float(value) for value in values)
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise ValueError("not a box inside a photo")
    return left, top, right, bottom
