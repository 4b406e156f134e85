"""The learning curve as a picture: loss on the left, accuracies on the right."""

from collections.abc import Sequence
from pathlib import Path

from album_app.paths import AGREED, atomic_write
from album_app.research.training.run import Epoch

TRAINING, TEST = "#c4701c", "#1f6fb2"


def save_curve(history: Sequence[Epoch], file: Path) -> None:
    """Draw what every epoch brought so far."""
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
    with atomic_write(file, replacing=AGREED) as temporary:
        figure.savefig(temporary, dpi=100)
