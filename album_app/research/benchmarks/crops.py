"""Measures how many faces crops cut although they could keep them, and what looking for faces costs.

The faces to keep are looked for in all photos themselves; crops know those that the program finds, which searches
thumbnails first and then only the photos in which there may be a face. The scores of that search were chosen on 320
Flickr photos, 1,000 ImageNet samples and 320 Caltech photos; figures of other albums show what they do there.
"""

import argparse
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from album_app.layout.crops import HandCrop, crop
from album_app.photos.album import Photo, scan
from album_app.photos.cache import Cache
from album_app.photos.faces import SEARCHED_SIDE, Box, Focus, focus_in, focus_of
from album_app.photos.sandbox import decode
from album_app.research.benchmarks import Goal

FRAME_ASPECTS = {"1:1": 1.0, "4:3": 4 / 3, "3:4": 3 / 4, "2:1": 2.0, "16:9": 16 / 9}
REFERENCE_SCORE = 0.7
"""Score from 0 to 1 that a face must have for crops to be judged by it."""
MOST_CUT_SHARE = 0.01
"""The goal for the share of faces that are cut."""
TOLERANCE = 0.001
"""By how much a face may exceed a crop, as a share of the photo: less than a pixel of the searched picture."""


@dataclass(frozen=True)
class Cut:
    """How many faces were cut of those that could have been kept."""

    cut: int = 0
    faces: int = 0

    def __add__(self, other: "Cut") -> "Cut":
        return Cut(self.cut + other.cut, self.faces + other.faces)

    def __str__(self) -> str:
        return f"{self.cut} of {self.faces} ({100 * self.share:.1f} %)"

    @property
    def share(self) -> float:
        return self.cut / max(1, self.faces)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="+", type=Path, help="folders of photos with people")


def run(arguments: argparse.Namespace) -> int:
    for folder in arguments.folder:
        for goal in measure(folder):
            print(goal)
    return 0


def measure(folder: Path) -> list[Goal]:
    """Print the table of one album; its goals."""
    with tempfile.TemporaryDirectory() as place:
        with Cache.open(Path(place)) as cache:
            photos = scan(folder, cache=cache, decode_for=math.inf).photos
        began = _seconds_of_helpers()
        foci = focus_of(photos, Path(place))
        milliseconds = 1000 * (_seconds_of_helpers() - began) / max(1, len(photos))
    box = (SEARCHED_SIDE, SEARCHED_SIDE)
    actual = [focus_in(decode(photo.path, box), REFERENCE_SCORE) for photo in photos]
    in_photos, in_program = (sum(bool(focus.faces) for focus in known) for known in (actual, foci))
    print(f"\n{folder.name}: {len(photos)} photos; {in_photos} have faces, the program finds some in {in_program}")
    print("| frame | cut by crops around the middle | by crops that know no faces | by crops that know them |")
    print("|---|---|---|---|")
    goals = []
    for name, aspect in FRAME_ASPECTS.items():
        crops = [[_middle(_aspect(photo), aspect) for photo in photos]]
        for known in ([Focus()] * len(photos), foci):
            crops.append([crop(_aspect(photo), aspect, focus) for photo, focus in zip(photos, known, strict=True)])
        cuts = [
            sum((cut_faces(part, focus.faces) for part, focus in zip(parts, actual, strict=True)), Cut())
            for parts in crops
        ]
        print(f"| {name} | " + " | ".join(map(str, cuts)) + " |", flush=True)
        goals.append(Goal(f"{folder.name}, {name}: share of faces that are cut", cuts[-1].share, most=MOST_CUT_SHARE))
    return [
        *goals,
        Goal(f"{folder.name}: processor time to look for faces, per photo", milliseconds, unit="ms"),
    ]


def _seconds_of_helpers() -> float:
    """The processor seconds of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def cut_faces(part: Box, faces: Sequence[Box]) -> Cut:
    """How many faces a crop cuts of those that a crop of its size can hold together; larger faces come first."""
    held: list[Box] = []
    for face in faces:
        if all(_extent([*held, face], axis) <= part[axis + 2] - part[axis] + TOLERANCE for axis in (0, 1)):
            held.append(face)
    return Cut(sum(not _keeps(part, face) for face in held), len(held))


def _extent(boxes: Sequence[Box], axis: int) -> float:
    return max(box[axis + 2] for box in boxes) - min(box[axis] for box in boxes)


def _keeps(part: Box, face: Box) -> bool:
    inside = face[0] - part[0], face[1] - part[1], part[2] - face[2], part[3] - face[3]
    return min(inside) >= -TOLERANCE


def _middle(photo_aspect: float, frame_aspect: float) -> Box:
    return crop(photo_aspect, frame_aspect, by_hand=HandCrop())


def _aspect(photo: Photo) -> float:
    return photo.width / photo.height
