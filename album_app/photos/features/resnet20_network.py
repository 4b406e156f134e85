"""ResNet20 for CIFAR-10 as in He et al. (2016), section 4.2, with parameter-free (option A) shortcuts.

This module imports torch, which takes seconds, so it is imported where the network is loaded or trained.
"""

import torch
import torch.nn.functional as F
from torch import nn

CLASSES = 10


class Block(nn.Module):
    """Two 3x3 convolutions with a shortcut around them."""

    def __init__(self, channels_in: int, channels: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels_in, channels, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.stride = stride
        self.new_channels = channels - channels_in

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return F.relu(y + self.shortcut(x))

    def shortcut(self, x: torch.Tensor) -> torch.Tensor:
        """Option A: every second pixel, zeros for the new channels, as many before as after the old ones."""
        if not self.new_channels:
            return x
        half = self.new_channels // 2
        return F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, half, half))


class Network(nn.Module):
    """Images (k, 3, 32, 32) to class scores (k, 10); with `fc` replaced by the identity, to 64 features."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.layer1 = nn.Sequential(Block(16, 16, 1), Block(16, 16, 1), Block(16, 16, 1))
        self.layer2 = nn.Sequential(Block(16, 32, 2), Block(32, 32, 1), Block(32, 32, 1))
        self.layer3 = nn.Sequential(Block(32, 64, 2), Block(64, 64, 1), Block(64, 64, 1))
        self.fc: nn.Module = nn.Linear(64, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn1(self.conv1(x)))  # (k, 16, 32, 32)
        x = self.layer3(self.layer2(self.layer1(x)))  # (k, 64, 8, 8)
        scores: torch.Tensor = self.fc(x.mean((2, 3)))
        return scores


def initialise(network: nn.Module) -> None:
    """He et al.'s random start for the convolutions; the rest keeps torch's."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
