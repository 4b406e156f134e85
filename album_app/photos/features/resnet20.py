"""The paper's semantic feature: a small residual network trained on CIFAR-10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from album_app import shipped_file
from album_app.photos.features.extractor import Image, box_reduce
from album_app.photos.features.neural import Neural, fold_batch_norms, read_weights

if TYPE_CHECKING:
    from torch import nn

WEIGHTS = "resnet20_cifar10.pt"
SHA256 = "e9c618da1e43e5feb054a6b5862b48d3c33990ca8a3fb2482832799bd830195b"
SIDE = 32
"""Pixels along a side of the square that the network sees."""
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
"""Of the colour channels: the network was trained on pixels less the mean, divided by the deviation."""


@dataclass(frozen=True)
class ResNet20(Neural):
    """64 numbers after the pooling of our CIFAR-10 ResNet20, seeing the centre square at 32 x 32."""

    name = "resnet20"
    key = f"resnet20/{SHA256[:16]}/1"
    dimension = 64
    batch = 16

    def load(self) -> nn.Module:
        from torch import nn

        from album_app.photos.features.resnet20_network import Network

        network = Network()
        network.load_state_dict(read_weights(shipped_file(WEIGHTS), SHA256))
        network.fc = nn.Identity()
        return fold_batch_norms(network, [("conv1", "bn1"), ("conv2", "bn2")])

    def prepare(self, image: Image) -> NDArray[np.float32]:
        return (box_reduce(image, SIDE) - MEAN) / DEVIATION
