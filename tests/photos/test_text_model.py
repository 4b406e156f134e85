"""A text-image model of the user's own: built by OpenCLIP, read as numbers only, remembered under its weights' hash."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import UsageError
from album_app.photos import text_model
from album_app.photos.album import Photo, scan
from album_app.photos.cache import Cache
from album_app.photos.text_model import CONFIG_FILE, TextAndModel, TextImageModel, score_photos, text_scores

SETTINGS = {
    "model_cfg": {
        "embed_dim": 16,
        "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "patch_size": 16, "head_width": 16},
        "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1},
    },
    "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25]},
}


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A tiny model with random weights, as OpenCLIP publishes models."""
    if find_spec("open_clip") is None:
        pytest.skip("OpenCLIP is not installed")
    import torch

    from album_app.photos.features.neural import import_torchvision

    import_torchvision("torchvision.transforms")
    import open_clip

    folder = tmp_path / "model"
    folder.mkdir()
    (folder / CONFIG_FILE).write_text(json.dumps(SETTINGS))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        model = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    torch.save(model.state_dict(), folder / "weights.bin")
    return folder / "weights.bin"


@pytest.fixture
def album_folder(tmp_path: Path) -> Path:
    (tmp_path / "album").mkdir()
    for name, colour in (("blue", (20, 40, 200)), ("green", (30, 160, 40)), ("red", (200, 30, 30))):
        Image.new("RGB", (64, 48), colour).save(tmp_path / "album" / f"{name}.png")
    (tmp_path / "album" / "torn.jpg").write_bytes(b"\xff\xd8\xff")
    return tmp_path / "album"


def scores_here(photos: Sequence[Photo], text: str, weights: Path, store: Path) -> np.ndarray:
    """`text_scores` by the function that the helper runs, without the seconds in which a helper loads OpenCLIP."""
    (scores,) = score_photos(TextAndModel(tuple(photos), store, text, str(weights)), lambda done, total: None)
    return scores


def test_photos_are_compared_with_a_text_as_the_model_itself_does(weights: Path, album_folder: Path) -> None:
    import open_clip
    import torch

    photos = scan(album_folder).photos
    found = text_scores(photos, "a red wall", str(weights), album_folder.parent / "cache")
    model = TextImageModel(str(weights)).model
    square = np.asarray(Image.open(album_folder / "red.png").convert("RGB").resize((32, 32)), np.float32)
    pixels = torch.from_numpy((square / 255 - 0.5) / 0.25).permute(2, 0, 1)[None]
    words = ["a red wall", *(word.english[0] for word in text_model.everyday_words())]
    with torch.inference_mode():
        texts = open_clip.get_tokenizer(f"local-dir:{weights.parent}")([f"a photo of {word}" for word in words])
        seen = model.encode_image(pixels, normalize=True) @ model.encode_text(texts, normalize=True).T
        wanted = float((model.logit_scale.exp() * seen).softmax(dim=1)[0, 0])
    (red,) = (place for place, photo in enumerate(photos) if photo.name == "red.png")
    assert found.shape == (len(photos),) and len(set(found.tolist())) >= 3
    assert found[red] == pytest.approx(wanted, rel=0.02)


def test_what_the_model_saw_is_remembered_under_the_hash_of_its_weights(weights: Path, album_folder: Path) -> None:
    photos = [photo for photo in scan(album_folder).photos if photo.name != "torn.jpg"]
    store, before = album_folder.parent / "cache", TextImageModel(str(weights)).key
    first = scores_here(photos, "dog", weights, store)
    with Cache.open(store) as cache:
        assert all(row is not None and len(row) == 16 for row in cache.get_features(photos, before))
    for photo in photos:
        photo.path.unlink()
    np.testing.assert_array_equal(scores_here(photos, "Hund", weights, store), first)
    weights.write_bytes(weights.read_bytes() + b"\0")
    assert TextImageModel(str(weights)).key != before


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@pytest.mark.parametrize("content", [b"", b"no weights", b"\x80\x04cos\nsystem\n(S'touch owned'\ntR."])
def test_a_file_that_holds_no_weights_is_refused_and_runs_nothing(
    weights: Path, album_folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(album_folder)
    weights.write_bytes(content)
    with pytest.raises(UsageError, match="does not hold weights for the model"):
        scores_here(scan(album_folder).photos, "dog", weights, album_folder.parent / "cache")
    assert not (album_folder / "owned").exists()


def test_weights_without_their_settings_or_not_there_are_named(weights: Path) -> None:
    (weights.parent / CONFIG_FILE).unlink()
    with pytest.raises(UsageError, match=CONFIG_FILE):
        _ = TextImageModel(str(weights)).key
    with pytest.raises(UsageError, match="there is no weights file"):
        _ = TextImageModel(str(weights.with_name("other.bin"))).key


def test_without_openclip_the_extra_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_model, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"album-app\[words\]"):
        text_scores([], "dog", "weights.bin")
