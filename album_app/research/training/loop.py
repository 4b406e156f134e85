"""The training loop: augmented batches, a checkpoint after every epoch and on every stop, the learning curve."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from album_app.errors import Stopped, UsageError
from album_app.own_files import NETWORK, SHEET, SOFTWARE, mark_archive
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write
from album_app.photos.features.neural import device, import_torchvision, on_device, torch_threads
from album_app.photos.features.resnet20 import DEVIATION, MEAN
from album_app.photos.features.resnet20_network import Network, initialise
from album_app.research.training.cifar10 import SIDE, Labelled
from album_app.work import OnProgress, Stop, batches_of, check, report


@dataclass(frozen=True)
class Recipe:
    """The settings of a training; two runs with one recipe on the same pictures give the same network."""

    epochs: int = 30
    batch: int = 128
    peak: float = 0.3
    warm_up: float = 0.2
    momentum: float = 0.9
    weight_decay: float = 5e-4
    padding: int = 4
    seed: int = 0


@dataclass(frozen=True)
class Epoch:
    """The results of one pass over the pictures; accuracies are shares of 1."""

    loss: float
    accuracy: float
    test_accuracy: float
    seconds: float


@dataclass
class Sums:
    """Sums over the pictures seen in this epoch so far."""

    loss: float = 0.0
    right: int = 0
    seen: int = 0
    seconds: float = 0.0


class Run:
    """The network in training with its optimizer and schedule, `step` steps after the start."""

    def __init__(self, recipe: Recipe, pictures: int, replacing: Replacing = NOTHING_FOREIGN) -> None:
        self.recipe = recipe
        self.pictures = pictures
        self.replacing = replacing
        self.batch = min(recipe.batch, pictures)
        self.steps_per_epoch = pictures // self.batch
        self.steps = self.steps_per_epoch * recipe.epochs
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed)
            self.network = Network()
            initialise(self.network)
        on_device(self.network)
        self.optimizer = torch.optim.SGD(
            _parameter_groups(self.network, recipe.weight_decay),
            lr=recipe.peak,
            momentum=recipe.momentum,
            nesterov=True,
        )
        self.schedule = OneCycleLR(
            self.optimizer, recipe.peak, total_steps=self.steps, pct_start=recipe.warm_up, cycle_momentum=False
        )
        self.step = 0
        self.sums = Sums()
        self.history: list[Epoch] = []

    def learn(self, inputs: torch.Tensor, labels: torch.Tensor) -> None:
        """One step of gradient descent on a batch."""
        self.network.train()
        scores = self.network(inputs)
        loss = nn.functional.cross_entropy(scores, labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.schedule.step()
        self.step += 1
        self.sums.loss += float(loss.detach()) * len(labels)
        self.sums.right += int((scores.argmax(dim=1) == labels).sum())
        self.sums.seen += len(labels)

    def finish_epoch(self, test_accuracy: float) -> None:
        sums = self.sums
        self.history.append(Epoch(sums.loss / sums.seen, sums.right / sums.seen, test_accuracy, sums.seconds))
        self.sums = Sums()

    def save(self, file: Path) -> None:
        """Write the checkpoint: tensors and plain values only."""
        state = {
            "about": self._about(),
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "step": self.step,
            "sums": asdict(self.sums),
            "history": [asdict(epoch) for epoch in self.history],
        }
        self._write(state, file)

    def restore(self, file: Path) -> None:
        """Continue from a checkpoint, which must have the same recipe and number of pictures."""
        state = _read(file)
        if state.get("about") != self._about():
            raise UsageError(f"{file} is of a run with other options: repeat them, or start over with --restart")
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        self.step = state["step"]
        self.sums = Sums(**state["sums"])
        self.history = [Epoch(**epoch) for epoch in state["history"]]

    def save_weights(self, file: Path) -> None:
        """Write the network alone, as the program loads it."""
        state = {name: tensor.detach().cpu().contiguous() for name, tensor in self.network.state_dict().items()}
        self._write(state, file)

    def _write(self, state: dict[str, Any], file: Path) -> None:
        with atomic_write(file, NETWORK, self.replacing) as temporary:
            torch.save(state, temporary)
            mark_archive(temporary, NETWORK)

    def _about(self) -> dict[str, Any]:
        return asdict(self.recipe) | {"pictures": self.pictures}


def _read(file: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        raise UsageError(f"the checkpoint {file} cannot be read: start over with --restart") from error
    return state


def _parameter_groups(network: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Parameter groups in which only weights of convolutions and linear layers decay, not biases and batch norms."""
    weights = [p for p in network.parameters() if p.dim() > 1]
    others = [p for p in network.parameters() if p.dim() <= 1]
    return [{"params": weights, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]


TRAINING, TEST = "#c4701c", "#1f6fb2"


def save_curve(history: Sequence[Epoch], file: Path, replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Draw the results of all epochs so far."""
    from matplotlib.figure import Figure

    epochs = range(1, len(history) + 1)
    accuracy, test = ([100 * getattr(epoch, name) for epoch in history] for name in ("accuracy", "test_accuracy"))
    figure = Figure(figsize=(9.6, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(epochs, [epoch.loss for epoch in history], ".-", color=TRAINING, label=f"training {history[-1].loss:.3f}")
    right.plot(epochs, accuracy, ".-", color=TRAINING, label=f"training {accuracy[-1]:.1f}")
    right.plot(epochs, test, ".-", color=TEST, label=f"test {test[-1]:.1f}")
    left.set(title="Loss", xlabel="epoch", ylim=(0, None))
    right.set(title="Accuracy, %", xlabel="epoch", ylim=(None, 100))
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.3)
        axes.legend()
    with atomic_write(file, SHEET, replacing) as temporary:
        figure.savefig(temporary, dpi=100, metadata={"Software": SOFTWARE})


EVALUATION_BATCH = 100
"""Pictures that are evaluated at a time."""


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
    """The inputs of the network for pictures (k, 3, 32, 32) of bytes."""
    mean, deviation = (torch.from_numpy(values).view(3, 1, 1) for values in (MEAN, DEVIATION))
    inputs = (pictures.float() / 255 - mean) / deviation
    return inputs.to(device()).contiguous(memory_format=torch.channels_last)


def as_pictures(labelled: Labelled) -> torch.Tensor:
    """The pictures as a tensor (n, 3, 32, 32) of bytes."""
    return torch.from_numpy(np.ascontiguousarray(labelled.pictures.transpose(0, 3, 1, 2)))


def count_right(
    network: nn.Module, data: Labelled, *, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> int:
    """The number of pictures that the network classifies correctly; it is left in evaluation mode."""
    network.eval()
    pictures, right = as_pictures(data), 0
    with torch.inference_mode():
        for batch in batches_of(len(data), EVALUATION_BATCH):
            check(stop)
            found = network(as_inputs(pictures[batch.start : batch.stop])).argmax(dim=1).cpu().numpy()
            right += int((found == data.labels[batch.start : batch.stop]).sum())
            report(on_progress, batch.stop, len(data))
    return right


CHECKPOINT = "checkpoint.pt"
CURVE = "learning_curve.png"
WEIGHTS = "resnet20_cifar10.pt"
FILES = {CHECKPOINT: NETWORK, CURVE: SHEET, WEIGHTS: NETWORK}
"""The files of a training, with their kinds."""

SEEDS_PER_RUN = 1 << 32
FIRST_ORDER_SEED = 1 << 31
"""Each seed of a recipe has SEEDS_PER_RUN seeds: for its steps, and from FIRST_ORDER_SEED on for its epochs."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run; loss and accuracy are those of this epoch so far."""

    step: int
    steps: int
    epoch: int
    epochs: int
    loss: float
    accuracy: float
    seconds_left: float


def train(
    data: Labelled,
    test: Labelled,
    folder: Path,
    recipe: Recipe,
    *,
    replacing: Replacing = NOTHING_FOREIGN,
    threads: int = 2,
    on_progress: Callable[[Progress], None] | None = None,
    on_epoch: Callable[[int, Epoch], None] | None = None,
    stop: Stop | None = None,
) -> list[Epoch]:
    """Train into `folder`, going on from its checkpoint if there is one; a stop leaves a checkpoint and raises."""
    run = Run(recipe, len(data), replacing)
    checkpoint = folder / CHECKPOINT
    if checkpoint.exists():
        run.restore(checkpoint)
    with torch_threads(threads), torch.random.fork_rng(devices=[]):
        try:
            for progress in _epochs(run, data, test, folder, on_epoch, stop):
                if on_progress is not None:
                    on_progress(progress)
        except Stopped:
            run.save(checkpoint)
            raise
    run.save_weights(folder / WEIGHTS)
    return run.history


def _epochs(
    run: Run,
    data: Labelled,
    test: Labelled,
    folder: Path,
    on_epoch: Callable[[int, Epoch], None] | None,
    stop: Stop | None,
) -> Iterator[Progress]:
    """Train to the end of the recipe; yields the progress after every step."""
    started, first_step = time.monotonic(), run.step
    for _ in range(len(run.history), run.recipe.epochs):
        for _ in _steps_of_epoch(run, data, stop):
            yield _progress(run, (time.monotonic() - started) / (run.step - first_step))
        run.finish_epoch(count_right(run.network, test, stop=stop) / len(test))
        run.save(folder / CHECKPOINT)
        save_curve(run.history, folder / CURVE, run.replacing)
        if on_epoch is not None:
            on_epoch(len(run.history), run.history[-1])


def _steps_of_epoch(run: Run, data: Labelled, stop: Stop | None) -> Iterator[None]:
    """Take the steps that this epoch still lacks.

    Every epoch's order and every step's augmentation has its own seed: a run that was interrupted takes the same steps.
    """
    augment = _augmentation(run.recipe)
    pictures, labels = as_pictures(data), torch.from_numpy(data.labels)
    epoch, seed = len(run.history), run.recipe.seed * SEEDS_PER_RUN
    shuffle = torch.Generator().manual_seed(seed + FIRST_ORDER_SEED + epoch)
    order = torch.randperm(len(data), generator=shuffle)
    for step in range(run.step, (epoch + 1) * run.steps_per_epoch):
        check(stop)
        began = time.monotonic()
        place = (step - epoch * run.steps_per_epoch) * run.batch
        chosen = order[place : place + run.batch]
        torch.manual_seed(seed + step)
        augmented = torch.stack([augment(picture) for picture in pictures[chosen]])
        run.learn(as_inputs(augmented), labels[chosen].to(device()))
        run.sums.seconds += time.monotonic() - began
        yield


def _augmentation(recipe: Recipe) -> Callable[[torch.Tensor], torch.Tensor]:
    v2 = import_torchvision("torchvision.transforms.v2")
    augment: Callable[[torch.Tensor], torch.Tensor] = v2.Compose(
        [v2.RandomCrop(SIDE, padding=recipe.padding), v2.RandomHorizontalFlip()]
    )
    return augment


def _progress(run: Run, seconds_per_step: float) -> Progress:
    return Progress(
        step=run.step,
        steps=run.steps,
        epoch=len(run.history) + 1,
        epochs=run.recipe.epochs,
        loss=run.sums.loss / run.sums.seen,
        accuracy=run.sums.right / run.sums.seen,
        seconds_left=seconds_per_step * (run.steps - run.step),
    )
