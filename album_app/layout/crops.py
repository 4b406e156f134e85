"""Which part of a photo a frame shows: faces are kept whole where they fit.

A crop has the proportions of its frame and is as large as the photo allows, so it is free along one axis only: a photo
that is wider than its frame loses something on the left and right, any other one at the top and bottom.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from album_app.photos.faces import Box, Focus

HEADROOM_SHARE = 0.5
"""Space to leave around faces, as a share of the height of the largest one: hair is outside a detected face."""
FACE_LINE = 0.42
"""Where the middle of the faces should lie in a crop, as a share of its height from its top: a body lies below."""
UPPER_SHARE = 1 / 3
"""Share of the loss that is cut off at the top of an upright photo without a focus: people stand in the upper part."""
SURE_SCORE = 0.7
"""How sure of a face the network must be, from 0 to 1, for it to come before faces that are larger but doubtful.

Chosen on 320 Flickr photos, where doubtful finds had pushed sure faces out of squares.
"""
LARGEST_ZOOM = 16.0
"""How many times smaller than the largest crop a crop by hand can be."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
"""All of a photo."""


@dataclass(frozen=True)
class HandCrop:
    """A crop that a person chose: its centre as shares of the photo, and how many times smaller than the largest."""

    x: float = 0.5
    y: float = 0.5
    zoom: float = 1.0


class _Span(NamedTuple):
    """A stretch along one axis of a photo, as shares of its length."""

    start: float
    end: float

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2

    @property
    def length(self) -> float:
        return self.end - self.start

    def with_other(self, other: "_Span") -> "_Span":
        return _Span(min(self.start, other.start), max(self.end, other.end))


def crop(photo_aspect: float, frame_aspect: float, focus: Focus | None = None, by_hand: HandCrop | None = None) -> Box:
    """The part of a photo that a frame shows: left, top, right and bottom as shares of the photo.

    An aspect is a width divided by its height. Without a focus the crop lies in the middle, and in the upper part of
    an upright photo.

    >>> crop(2.0, 1.0)
    (0.25, 0.0, 0.75, 1.0)
    >>> crop(2.0, 1.0, Focus(faces=((0.9, 0.4, 1.0, 0.6),)))
    (0.5, 0.0, 1.0, 1.0)
    >>> crop(2.0, 1.0, by_hand=HandCrop(x=0.0, y=1.0, zoom=2.0))
    (0.0, 0.5, 0.25, 1.0)
    """
    width, height = min(1.0, frame_aspect / photo_aspect), min(1.0, photo_aspect / frame_aspect)
    if by_hand is not None:
        zoom = min(max(by_hand.zoom, 1.0), LARGEST_ZOOM)
        width, height = width / zoom, height / zoom
        left, top = _inside(by_hand.x - width / 2, width), _inside(by_hand.y - height / 2, height)
    elif width < 1:
        left, top = _start_across(width, photo_aspect, focus or Focus()), 0.0
    else:
        left, top = 0.0, _start_down(height, photo_aspect, focus or Focus())
    return left, top, min(1.0, left + width), min(1.0, top + height)


def adjusted(box: Box, zoom: float = 1.0, right: float = 0.0, down: float = 0.0, factor: float = 1.0) -> HandCrop:
    """The crop by hand that lies `right` and `down` of `box` and is `factor` times smaller around its centre.

    `box` is a crop that is `zoom` times smaller than the largest. Distances are shares of the photo; the crop stays
    inside it.

    >>> adjusted((0.25, 0.0, 0.75, 1.0), right=0.1, factor=2.0)
    HandCrop(x=0.6, y=0.5, zoom=2.0)
    >>> adjusted((0.25, 0.0, 0.75, 1.0), right=0.9, down=0.9)
    HandCrop(x=0.75, y=0.5, zoom=1.0)
    """
    zoom_after = min(max(1.0, zoom * factor), LARGEST_ZOOM)
    width, height = ((end - start) * zoom / zoom_after for start, end in ((box[0], box[2]), (box[1], box[3])))
    x, y = (box[0] + box[2]) / 2 + right, (box[1] + box[3]) / 2 + down
    centre = _inside(x - width / 2, width) + width / 2, _inside(y - height / 2, height) + height / 2
    return HandCrop(round(centre[0], 4), round(centre[1], 4), round(zoom_after, 4))


@dataclass(frozen=True)
class Crops:
    """How the photos of an album are cropped: what was chosen by hand, and what a crop has to keep.

    Exports and the web page ask this value, and the window calls the same `crop`, so that all show the same part.

    >>> Crops(by_hand={7: HandCrop(x=0.0)}).of(7, 2.0, 1.0)
    (0.0, 0.0, 0.5, 1.0)
    """

    by_hand: Mapping[int, HandCrop] = field(default_factory=dict)
    foci: Mapping[int, Focus] = field(default_factory=dict)
    centred: bool = False  # crops that nobody chose by hand lie exactly in the middle

    def of(self, photo: int, photo_aspect: float, frame_aspect: float) -> Box:
        """The part of a photo that a frame shows, by their widths divided by their heights."""
        by_hand = self.by_hand.get(photo, HandCrop() if self.centred else None)
        return crop(photo_aspect, frame_aspect, self.foci.get(photo), by_hand)


def _start_across(width: float, photo_aspect: float, focus: Focus) -> float:
    """Where a crop that has the photo's full height begins."""
    faces = [_Span(left, right) for left, _, right, _ in _surest_first(focus)]
    if faces:
        room = HEADROOM_SHARE * _height_of_largest(focus.faces) / photo_aspect
        return _start_with_faces(faces, width, room, 0.5)
    return (1 - width) / 2


def _start_down(height: float, photo_aspect: float, focus: Focus) -> float:
    """Where a crop that has the photo's full width begins."""
    faces = [_Span(top, bottom) for _, top, _, bottom in _surest_first(focus)]
    if faces:
        return _start_with_faces(faces, height, HEADROOM_SHARE * _height_of_largest(focus.faces), FACE_LINE)
    return (1 - height) * (UPPER_SHARE if photo_aspect < 1 else 0.5)


def _surest_first(focus: Focus) -> list[Box]:
    """The faces in the order in which a crop keeps them: the sure ones, then the others, each from the largest on."""
    sureness = focus.sureness or (1.0,) * len(focus.faces)
    sure = [face for face, score in zip(focus.faces, sureness, strict=True) if score >= SURE_SCORE]
    return [*sure, *(face for face in focus.faces if face not in sure)]


def _start_with_faces(faces: Sequence[_Span], length: float, room: float, line: float) -> float:
    """Where a crop of this length begins that keeps the faces, with `room` around them as far as there is any.

    The middle of the faces lies on `line`, a share of the crop's length, unless that would cost a face or its room.
    """
    kept = _kept_together(faces, length)
    if kept is None:  # the largest face is larger than the crop
        return _inside(faces[0].middle - length / 2, length)
    room = min(room, (length - kept.length) / 2)
    first, last = kept.end + room - length, kept.start - room
    start = _inside(min(max(kept.middle - line * length, first), last), length)
    return min(max(start, kept.end - length), kept.start)


def _kept_together(faces: Sequence[_Span], length: float) -> _Span | None:
    """The stretch of the faces that fit into a crop together, taken from the first face on; None where none fits."""
    kept: _Span | None = None
    for face in faces:
        wider = face if kept is None else kept.with_other(face)
        if wider.length <= length:
            kept = wider
    return kept


def _height_of_largest(faces: Sequence[Box]) -> float:
    return max(bottom - top for _, top, _, bottom in faces)


def _inside(start: float, length: float) -> float:
    """The nearest place to `start` where a stretch of this length lies inside the photo."""
    return min(max(start, 0.0), max(0.0, 1.0 - length))
