"""One training run: everything that changes while it goes on, and its checkpoint."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from album_app.errors import UsageError
from album_app.paths import AGREED, atomic_write
from album_app.photos.features.neural import on_device
from album_app.photos.features.resnet20_network import Network, initialise


@dataclass(frozen=True)
class Recipe:
    """How to train; two runs with one recipe on the same pictures give the same network."""

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
    """What one pass over the pictures brought; accuracies are shares of 1."""

    loss: float
    accuracy: float
    test_accuracy: float
    seconds: float


@dataclass
class Sums:
    """Of the pictures seen in this epoch so far."""

    loss: float = 0.0
    right: int = 0
    seen: int = 0
    seconds: float = 0.0


class Run:
    """The network in training with its optimizer and schedule, `step` steps after the start."""

    def __init__(self, recipe: Recipe, pictures: int) -> None:
        self.recipe = recipe
        self.pictures = pictures
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
        with atomic_write(file, replacing=AGREED) as temporary:
            torch.save(state, temporary)

    def restore(self, file: Path) -> None:
        """Go on where the checkpoint was written; it must be of the same recipe on as many pictures."""
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
        with atomic_write(file, replacing=AGREED) as temporary:
            torch.save(state, temporary)

    def _about(self) -> dict[str, Any]:
        return asdict(self.recipe) | {"pictures": self.pictures}


def _read(file: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        raise UsageError(f"the checkpoint {file} cannot be read: start over with --restart") from error
    return state


def _parameter_groups(network: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Only the weights of convolutions and linear layers decay, not biases and batch norms."""
    weights = [p for p in network.parameters() if p.dim() > 1]
    others = [p for p in network.parameters() if p.dim() <= 1]
    return [{"params": weights, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]
