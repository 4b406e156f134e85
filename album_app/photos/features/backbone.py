"""Any torchvision classification model as an extractor: its features are the input of its last layer."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.paths import is_file
from album_app.photos.features.extractor import Image, centre_square
from album_app.photos.features.neural import Neural, import_torchvision

if TYPE_CHECKING:
    import torch
    from torch import nn

OLD_DENSENET_KEY = re.compile(r"(denselayer\d+\.(?:norm|conv))\.(\d)")
"""Names of weights in the published files of DenseNet, which contain a dot that the names in the model lack."""


@dataclass(frozen=True)
class Recipe:
    """Published weights of a model: their file, how the model is built for them and how its input is prepared."""

    file: Path
    url: str
    options: dict[str, Any]
    side: int
    mean: NDArray[np.float32]
    deviation: NDArray[np.float32]
    resample: Pillow.Resampling


@dataclass(frozen=True)
class Backbone(Neural):
    """The penultimate layer of torchvision's `model`, its weights from torch's cache or from `file`."""

    batch = 2

    model: str
    file: str = ""

    @property
    def name(self) -> str:
        return f"torchvision:{self.model}" + (f"@{self.file}" if self.file else "")

    @cached_property
    def key(self) -> str:
        with self.weights_file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        return f"torchvision:{self.model}/{digest}/1"

    @cached_property
    def dimension(self) -> int:
        return int(self.extract([np.zeros((1, 1, 3), np.uint8)]).shape[1])

    @cached_property
    def weights_file(self) -> Path:
        """The file with the weights; nothing is ever downloaded."""
        file = Path(self.file).expanduser().absolute() if self.file else self._recipe.file
        if is_file(file):
            return file
        if self.file:
            raise UsageError(tr("there is no weights file {file}", file=printable(str(file))))
        raise UsageError(
            tr(
                "the weights of torchvision's {model} are not on this computer: download {url} to "
                "{file}, or choose a weights file of your own (on the command line "
                "torchvision:{model}@FILE)",
                model=self.model,
                url=self._recipe.url,
                file=file,
            )
        )

    @cached_property
    def _recipe(self) -> Recipe:
        """The best published weights that torch's cache holds, or the best of all where it holds none."""
        recipes = _recipes(self.model)
        return next((recipe for recipe in recipes if recipe.file.is_file()), recipes[0])

    def load(self) -> nn.Module:
        from torch import nn

        state = _read_state(self.weights_file)
        network: nn.Module = _models().get_model(self.model, weights=None, **self._recipe.options)
        head = [name for name, part in network.named_modules() if isinstance(part, nn.Linear | nn.Conv2d)][-1]
        network.set_submodule(head, nn.Identity())
        try:
            network.load_state_dict({k: v for k, v in state.items() if k.rpartition(".")[0] != head})
        except RuntimeError:
            raise UsageError(
                tr(
                    "{file} does not hold weights of torchvision's {model}",
                    file=self.weights_file,
                    model=self.model,
                )
            ) from None
        return network

    def prepare(self, image: Image) -> NDArray[np.float32]:
        recipe = self._recipe
        square = Pillow.fromarray(centre_square(image)).resize((recipe.side, recipe.side), recipe.resample)
        return (np.asarray(square, np.float32) / np.float32(255) - recipe.mean) / recipe.deviation


def _models() -> Any:
    return import_torchvision("torchvision.models")


def _recipes(model: str) -> list[Recipe]:
    """What torchvision publishes for a model, the best weights first."""
    models = _models()
    names = models.list_models(module=models)
    if model not in names:
        near = get_close_matches(model, names, n=3) or ["resnet18", "convnext_tiny", "vit_b_16"]
        raise UsageError(
            tr(
                "torchvision has no classification model {model}; it has {names} and others",
                model=f"{model!r}",
                names=", ".join(near),
            )
        )
    published = models.get_model_weights(model)
    return [_recipe(model, weights) for weights in dict.fromkeys([published.DEFAULT, *published])]


def _recipe(model: str, weights: Any) -> Recipe:
    import torch

    transforms = weights.transforms()
    side = transforms.crop_size[0]
    options: dict[str, Any] = {}
    if model.startswith("vit_"):
        options = {"image_size": side}
    elif model in ("googlenet", "inception_v3"):
        options = {"init_weights": False, "transform_input": True}
    return Recipe(
        file=Path(torch.hub.get_dir()) / "checkpoints" / weights.url.rpartition("/")[2],
        url=weights.url,
        options=options,
        side=side,
        mean=np.array(transforms.mean, np.float32),
        deviation=np.array(transforms.std, np.float32),
        resample=Pillow.Resampling[transforms.interpolation.name],
    )


def _read_state(file: Path) -> dict[str, torch.Tensor]:
    """The tensors of a weights file, also of one that training programs wrapped."""
    import torch

    try:
        state = torch.load(file, map_location="cpu", weights_only=True)
        state = state.get("model", state.get("state_dict", state))
        return {OLD_DENSENET_KEY.sub(r"\1\2", key): value for key, value in state.items()}
    except Exception as error:
        raise UsageError(tr("{file} is not a file of torch weights", file=file)) from error
