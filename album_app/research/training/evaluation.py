"""How many pictures a network names rightly."""

from pathlib import Path

import numpy as np
import torch
from torch import nn

from album_app.errors import UsageError
from album_app.photos.features.neural import device, on_device
from album_app.photos.features.resnet20 import DEVIATION, MEAN
from album_app.photos.features.resnet20_network import Network
from album_app.photos.in_threads import batches_of
from album_app.research.training.cifar10 import Labelled
from album_app.work import OnProgress, Stop, check, report

BATCH = 100


def load_network(weights: Path) -> nn.Module:
    """ResNet20 with the weights of a file that the training program wrote."""
    with torch.random.fork_rng(devices=[]):
        network = Network()
    try:
        network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    except Exception as error:
        raise UsageError(f"{weights} does not hold the weights of a ResNet20") from error
    return on_device(network)


def as_inputs(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures (k, 3, 32, 32) of bytes as the network wants them."""
    mean, deviation = (torch.from_numpy(values).view(3, 1, 1) for values in (MEAN, DEVIATION))
    inputs = (pictures.float() / 255 - mean) / deviation
    return inputs.to(device()).contiguous(memory_format=torch.channels_last)


def as_pictures(labelled: Labelled) -> torch.Tensor:
    """The pictures as a tensor (n, 3, 32, 32) of bytes."""
    return torch.from_numpy(np.ascontiguousarray(labelled.pictures.transpose(0, 3, 1, 2)))


def count_right(
    network: nn.Module, data: Labelled, *, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> int:
    """The number of pictures whose class the network finds; it stays in evaluation mode."""
    network.eval()
    pictures, right = as_pictures(data), 0
    with torch.inference_mode():
        for batch in batches_of(len(data), BATCH):
            check(stop)
            found = network(as_inputs(pictures[batch.start : batch.stop])).argmax(dim=1).cpu().numpy()
            right += int((found == data.labels[batch.start : batch.stop]).sum())
            report(on_progress, batch.stop, len(data))
    return right
