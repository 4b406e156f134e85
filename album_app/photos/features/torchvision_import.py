"""Importing torchvision where only its Python parts can work.

torchvision compiled for CUDA does not load its operators with a CPU build of torch, and then fails to import for the
want of two of them that its models and transforms never call. Declaring those two lets everything else work.
"""

import importlib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from album_app.errors import AlbumError
from album_app.language import tr

OPERATORS = ("torchvision::nms", "torchvision::qnms")
SIGNATURE = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


def import_torchvision(module: str = "torchvision") -> ModuleType:
    """Import torchvision or one of its modules, whether or not its compiled operators load."""
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
