"""CIFAR-10's test images and their ResNet20 features, by the shipped weights, for the experiments that use them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.photos.features import extractor
from album_app.research.experiments.catalogue import MissingData
from album_app.research.experiments.study import Request
from album_app.research.training.cifar10 import HOW_TO_GET_IT, Labelled, read_cifar10

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")


def given(request: Request) -> Path:
    """Where the user keeps CIFAR-10."""
    if "cifar10" not in request.data:
        raise MissingData(f"it needs CIFAR-10: say with --cifar10 where it is; {HOW_TO_GET_IT}")
    return request.data["cifar10"]


@cache
def test_images(source: Path, count: int | None = None) -> Labelled:
    """The first `count` test images, or all."""
    whole = read_cifar10(source, "test")
    return Labelled(whole.pictures[:count], whole.labels[:count])


@cache
def test_features(source: Path, count: int | None = None) -> NDArray[Any]:
    """(count, 64), the ResNet20 features of the first test images."""
    pictures, network = test_images(source, count).pictures, extractor("resnet20")
    return np.concatenate([network.extract(list(pictures[at : at + 100])) for at in range(0, len(pictures), 100)])
