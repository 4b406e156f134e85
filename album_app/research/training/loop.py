"""The training loop: augmented batches in, a checkpoint after every epoch and on every stop."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from album_app.errors import Stopped
from album_app.photos.features.neural import device, torch_threads
from album_app.photos.features.torchvision_import import import_torchvision
from album_app.research.training.cifar10 import SIDE, Labelled
from album_app.research.training.curve import save_curve
from album_app.research.training.evaluation import as_inputs, as_pictures, count_right
from album_app.research.training.run import Epoch, Recipe, Run
from album_app.work import Stop, check

CHECKPOINT = "checkpoint.pt"
CURVE = "learning_curve.png"
WEIGHTS = "resnet20_cifar10.pt"

FIRST_SEED_OF_RUN = 1 << 32
FIRST_SEED_OF_ORDERS = 1 << 31


@dataclass(frozen=True)
class Progress:
    """How far the run is; loss and accuracy are those of this epoch so far."""

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
    threads: int = 2,
    on_progress: Callable[[Progress], None] | None = None,
    on_epoch: Callable[[int, Epoch], None] | None = None,
    stop: Stop | None = None,
) -> list[Epoch]:
    """Train into `folder`, going on from its checkpoint if there is one; a stop leaves a checkpoint and raises."""
    run = Run(recipe, len(data))
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
    """Train to the end of the recipe, telling how far it is after every step."""
    started, first_step = time.monotonic(), run.step
    for _ in range(len(run.history), run.recipe.epochs):
        for _ in _steps_of_epoch(run, data, stop):
            yield _progress(run, (time.monotonic() - started) / (run.step - first_step))
        run.finish_epoch(count_right(run.network, test, stop=stop) / len(test))
        run.save(folder / CHECKPOINT)
        save_curve(run.history, folder / CURVE)
        if on_epoch is not None:
            on_epoch(len(run.history), run.history[-1])


def _steps_of_epoch(run: Run, data: Labelled, stop: Stop | None) -> Iterator[None]:
    """Take the steps that this epoch still lacks.

    Every epoch's order and every step's augmentation has its own seed: a run that was interrupted takes the same steps.
    """
    augment = _augmentation(run.recipe)
    pictures, labels = as_pictures(data), torch.from_numpy(data.labels)
    epoch, seed = len(run.history), run.recipe.seed * FIRST_SEED_OF_RUN
    shuffle = torch.Generator().manual_seed(seed + FIRST_SEED_OF_ORDERS + epoch)
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
