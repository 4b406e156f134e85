"""Photos compared with a text by a text-image model that the user has installed; nothing is ever downloaded.

OpenCLIP, the optional extra `words`, builds the model. A model is a file of weights as OpenCLIP publishes them, in a
folder with the `open_clip_config.json` that is published with it. A helper process looks at the photos once, and
remembers what it saw under a key that names weights and settings; each text then takes as long as loading the model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr
from album_app.paths import is_file
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.album_features import album_rows
from album_app.photos.cache import Cache
from album_app.photos.classes import everyday_words, word_for
from album_app.photos.features.extractor import Image, centre_square
from album_app.photos.features.neural import Neural, device, import_torchvision, on_device
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.work import OnProgress, Stop

if TYPE_CHECKING:
    from torch import nn

CONFIG_FILE = "open_clip_config.json"
PREFERENCE = "preferences/text_model"
"""The preference that names the weights file, for the window and the command line."""
PROMPT = ("a", "photo", "of")
"""The words before a text: models of this kind were trained with captions like that."""
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
"""Keeps the libraries under OpenCLIP from asking the network for anything."""


@dataclass(frozen=True)
class TextImageModel(Neural):
    """A model that gives photos and texts directions that can be compared, from a file of weights."""

    batch = 8

    file: str

    @property
    def name(self) -> str:
        return f"openclip:{self.file}"

    @cached_property
    def key(self) -> str:
        digest = hashlib.sha256(self.config_file.read_bytes())
        with self.weights_file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
        return f"openclip/{digest.hexdigest()}/1"

    @cached_property
    def dimension(self) -> int:
        return int(self.extract([np.zeros((1, 1, 3), np.uint8)]).shape[1])

    @property
    def weights_file(self) -> Path:
        file = Path(self.file).expanduser().absolute()
        if not is_file(file):
            raise UsageError(tr("there is no weights file {file}", file=printable(str(file))))
        return file

    @property
    def config_file(self) -> Path:
        file = self.weights_file.with_name(CONFIG_FILE)
        if not is_file(file):
            raise UsageError(
                tr(
                    "the weights {file} lack {name}, which is published with them and belongs into the same folder",
                    file=printable(str(self.weights_file)),
                    name=CONFIG_FILE,
                )
            )
        return file

    @cached_property
    def model(self) -> Any:
        """The model with its weights, which are read as numbers only."""
        import open_clip

        place = f"{open_clip.factory.LOCAL_DIR_PREFIX}{self.config_file.parent}"
        try:
            model = open_clip.create_model(place, load_weights=False)
            model.load_state_dict(_read_weights(self.weights_file))
        except Exception as error:
            raise UsageError(
                tr(
                    "{file} does not hold weights for the model of its {name}",
                    file=printable(str(self.weights_file)),
                    name=CONFIG_FILE,
                )
            ) from error
        return on_device(model.eval())

    def load(self) -> nn.Module:
        from torch import nn

        model = self.model

        class Photos(nn.Module):
            """What the model makes of pictures: directions of length 1."""

            def forward(self, pictures: Any) -> Any:
                return model.encode_image(pictures, normalize=True)

        return Photos()

    def prepare(self, image: Image) -> NDArray[np.float32]:
        wanted = self.model.visual.preprocess_cfg
        size = wanted["size"]
        side = int(size if isinstance(size, int) else size[0])
        square = Pillow.fromarray(centre_square(image)).resize((side, side), Pillow.Resampling.BICUBIC)
        mean, deviation = (np.array(wanted[name], np.float32) for name in ("mean", "std"))
        return (np.asarray(square, np.float32) / np.float32(255) - mean) / deviation

    def scores(self, rows: NDArray[np.float32], text: str) -> NDArray[np.float32]:
        """How likely each photo is to show a text rather than one of the everyday words: (photos,) from 0 to 1."""
        import open_clip
        import torch

        known = word_for(text)
        wanted = text if known is None else known.english[0]
        others = [word.english[0] for word in everyday_words() if word.english[0] != wanted]
        tokenize = open_clip.get_tokenizer(f"{open_clip.factory.LOCAL_DIR_PREFIX}{self.config_file.parent}")
        prompts = tokenize([" ".join((*PROMPT, name)) for name in (wanted, *others)])
        with torch.inference_mode():
            texts = self.model.encode_text(prompts.to(device()), normalize=True)
            alike = self.model.logit_scale.exp() * (torch.from_numpy(rows).to(device()) @ texts.T)
            found: NDArray[np.float32] = alike.softmax(dim=1)[:, 0].float().cpu().numpy()
        return found


def text_scores(
    photos: Sequence[Photo],
    text: str,
    file: str,
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> NDArray[np.float32]:
    """How likely each photo is to show a text, by the model with these weights; 0 where a photo cannot be read."""
    if find_spec("open_clip") is None:
        raise UsageError(
            tr("Text-image models need OpenCLIP: install {package}, or choose no model.", package="album-app[words]")
        )
    (scores,) = answers_of(
        score_photos,
        TextAndModel(tuple(photos), cache_folder, text, file),
        mark("for features"),
        settings=ONE_THREAD | OFFLINE,
        on_progress=on_progress,
        stop=stop,
    )
    return scores


def _read_weights(file: Path) -> dict[str, Any]:
    if file.suffix == ".safetensors":
        from safetensors.torch import load_file

        return dict(load_file(file))
    import torch

    state = torch.load(file, map_location="cpu", weights_only=True)
    return dict(state.get("state_dict", state))


@dataclass(frozen=True)
class TextAndModel(CachedPhotos):
    """A request to compare photos with a text by the model in a file of weights."""

    text: str = ""
    file: str = ""


def score_photos(request: TextAndModel, on_progress: OnProgress) -> Iterator[NDArray[np.float32]]:
    """In a helper process: `text_scores`."""
    import_torchvision("torchvision.transforms")  # before OpenCLIP imports it in its own way
    photos, model = request.photos, TextImageModel(request.file)
    with Cache.open(request.cache_folder) as cache:
        rows = album_rows(photos, model, cache, on_progress=on_progress)
    scores = np.zeros(len(photos), np.float32)
    readable = [place for place, row in enumerate(rows) if row is not None]
    if readable:
        scores[readable] = model.scores(np.stack([row for row in rows if row is not None]), request.text)
    yield scores
