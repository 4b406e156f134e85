"""What a crop of a photo should keep: the faces in it, or the region that draws the eye."""

from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of a photo's width and height, as the photo is displayed."""


@dataclass(frozen=True)
class Focus:
    """The faces in a photo, the largest first, and the region that draws the eye where there is no face.

    >>> Focus(faces=((0.1, 0.2, 0.3, 0.5),)).region is None
    True
    """

    faces: tuple[Box, ...] = ()
    region: Box | None = None
