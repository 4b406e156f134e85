"""Runs a network over photos on one thread, and leaves torch's settings as they were."""

from __future__ import annotations

import hashlib
import importlib
import io
import logging
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from album_app.errors import AlbumError
from album_app.language import reason, tr
from album_app.photos.features.extractor import Extractor, Features, Image
from album_app.photos.features.reduction import pca

if TYPE_CHECKING:
    import torch
    from torch import nn

OPERATORS = ("torchvision::nms", "torchvision::qnms")
SIGNATURE = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
"""Compiled operators without which torchvision cannot be imported, and their arguments."""


def import_torchvision(module: str = "torchvision") -> ModuleType:
    """Import torchvision or one of its modules, whether or not its compiled operators load.

    torchvision compiled for CUDA does not load its operators with a CPU build of torch, and then cannot be imported,
    because two of them are missing that its models and transforms never call. With these two declared, everything else
    works.
    """
    spec = find_spec("torchvision")
    if spec is None or not spec.submodule_search_locations:
        raise AlbumError(tr("torchvision is not installed"))
    _declare_missing_operators(Path(spec.submodule_search_locations[0]))
    return importlib.import_module(module)


def _declare_missing_operators(folder: Path) -> None:
    import torch

    if _declared("nms") or _loads(folder):
        return
    for operator in OPERATORS:
        torch.library.define(operator, SIGNATURE)


def _declared(operator: str) -> bool:
    import torch

    return hasattr(torch.ops.torchvision, operator)


def _loads(folder: Path) -> bool:
    """Whether the compiled operators load; on a matching install they do, and ours would collide with them."""
    import torch

    for library in [*folder.glob("_C*.so"), *folder.glob("_C*.pyd"), *folder.glob("_C*.dylib")]:
        try:
            torch.ops.load_library(str(library))  # type: ignore[no-untyped-call]
        except OSError:
            continue
        return True
    return False


log = logging.getLogger("album_app.photos.features")

MOST_DIMENSIONS = 128
"""Features of more dimensions are reduced to these, for each album: arranging needs the distances, not the numbers."""

_LOADING = threading.RLock()
"""Held while a network is built, whose random start must not reach other users of torch's random numbers."""


@dataclass(frozen=True)
class Neural(Extractor):
    """Features from inside a network, loaded when the first photo comes."""

    @abstractmethod
    def load(self) -> nn.Module:
        """The network, with its weights: (k, 3, size, size) in, (k, dimension) out."""

    @abstractmethod
    def prepare(self, image: Image) -> NDArray[np.float32]:
        """One picture as the network wants it: (size, size, 3)."""

    @cached_property
    def network(self) -> nn.Module:
        import torch

        with _LOADING, torch.random.fork_rng(devices=[]):
            return on_device(self.load().eval())

    def extract(self, batch: Sequence[Image]) -> Features:
        import torch

        if not batch:
            return np.empty((0, self.dimension), np.float32)
        prepared = np.stack([self.prepare(image) for image in batch])
        with torch_threads(1), torch.inference_mode():
            # A channels-last tensor is exactly the memory of (k, size, size, 3): no copy.
            inputs = torch.from_numpy(prepared).permute(0, 3, 1, 2)
            rows: Features = self.network(inputs.to(device())).float().cpu().numpy()
        return rows

    def reduce(self, rows: Features) -> Features:
        if rows.shape[1] <= MOST_DIMENSIONS:
            return rows
        reduction = pca(rows, MOST_DIMENSIONS)
        log.info(
            "%s: %d dimensions keep %.1f %% of the squared distances", self.name, MOST_DIMENSIONS, 100 * reduction.kept
        )
        return reduction.features


def device() -> torch.device:
    """The graphics card where there is one, otherwise the processor."""
    import torch

    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def on_device(network: nn.Module) -> nn.Module:
    """The network on `device`, with the weights of its convolutions in the order in which they run fastest."""
    import torch

    for weights in network.parameters():
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=torch.channels_last)
    return network.to(device())


class _ThreadCount:
    """Torch's number of threads before anyone changed it, and how many are using another one now."""

    lock = threading.Lock()
    users = 0
    before = 0


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch use `count` threads for a while; where several callers overlap, the last one restores the former
    number."""
    import torch

    with _ThreadCount.lock:
        if not _ThreadCount.users:
            _ThreadCount.before = torch.get_num_threads()
        _ThreadCount.users += 1
        torch.set_num_threads(count)
    try:
        yield
    finally:
        with _ThreadCount.lock:
            _ThreadCount.users -= 1
            if not _ThreadCount.users:
                torch.set_num_threads(_ThreadCount.before)


def read_weights(path: Path, sha256: str) -> dict[str, torch.Tensor]:
    """The tensors of a weights file that is byte for byte the expected one."""
    import torch

    try:
        content = path.read_bytes()
    except OSError as error:
        raise AlbumError(tr("the weights {path} cannot be read: {reason}", path=path, reason=reason(error))) from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise AlbumError(tr("the weights {path} are damaged: install the program again", path=path))
    weights: dict[str, torch.Tensor] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    return weights


def fold_batch_norms(network: nn.Module, pairs: Sequence[tuple[str, str]]) -> nn.Module:
    """Multiply each batch norm into the convolution before it, given the attributes that hold the two."""
    from torch import nn
    from torch.nn.utils.fusion import fuse_conv_bn_eval

    network.eval()
    for module in network.modules():
        for convolution, norm in pairs:
            if hasattr(module, convolution) and hasattr(module, norm):
                setattr(module, convolution, fuse_conv_bn_eval(getattr(module, convolution), getattr(module, norm)))
                setattr(module, norm, nn.Identity())
    return network
