"""The learning curve as a picture: loss on the left, accuracies on the right."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from album_app.paths import atomic_write
from album_app.training.run import Epoch

WIDTH, HEIGHT, SCALE = 960, 400, 2
INK, GRID, PAPER = "#333333", "#e2e2e2", "#ffffff"
TRAINING, TEST = "#c4701c", "#1f6fb2"
TICKS = 4

Line = tuple[str, str, list[float]]
"""A name, a colour, and one value per epoch."""


@dataclass(frozen=True)
class Panel:
    """A rectangle of the picture in which values from `low` to `high` go from bottom to top."""

    title: str
    left: int
    right: int
    low: float
    high: float
    form: str
    top: int = 66
    bottom: int = HEIGHT - 52

    def x(self, epoch: int, epochs: int) -> float:
        return SCALE * (self.left + (self.right - self.left) * (epoch / max(epochs - 1, 1)))

    def y(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return SCALE * (self.bottom - (self.bottom - self.top) * min(max(share, 0.0), 1.0))


def save_curve(history: Sequence[Epoch], file: Path) -> None:
    """Draw what every epoch brought so far."""
    losses = [epoch.loss for epoch in history]
    image = Image.new("RGB", (SCALE * WIDTH, SCALE * HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    _draw(draw, Panel("Loss", 64, 440, 0.0, math.ceil(2 * max(losses)) / 2, "{:.3f}"), [("training", TRAINING, losses)])
    accuracies = [
        ("training", TRAINING, [100 * epoch.accuracy for epoch in history]),
        ("test", TEST, [100 * epoch.test_accuracy for epoch in history]),
    ]
    low = 10 * (min(min(values) for _, _, values in accuracies) // 10)
    _draw(draw, Panel("Accuracy, %", 544, 920, low, 100.0, "{:.1f}"), accuracies)
    with atomic_write(file) as temporary:
        image.resize((WIDTH, HEIGHT), Image.Resampling.BOX).save(temporary)


def _draw(draw: ImageDraw.ImageDraw, panel: Panel, lines: Sequence[Line]) -> None:
    epochs = len(lines[0][2])
    _write(draw, (panel.left, panel.top - 22), panel.title, 17, INK, "ls")
    for tick in range(TICKS + 1):
        value = panel.low + (panel.high - panel.low) * tick / TICKS
        y = panel.y(value)
        draw.line([(SCALE * panel.left, y), (SCALE * panel.right, y)], GRID, SCALE)
        _write(draw, (panel.left - 8, round(y / SCALE)), panel.form.format(value), 13, INK, "rm")
    for epoch in sorted({0, (epochs - 1) // 2, epochs - 1}):
        _write(draw, (round(panel.x(epoch, epochs) / SCALE), panel.bottom + 8), str(epoch + 1), 13, INK, "ma")
    _write(draw, ((panel.left + panel.right) // 2, panel.bottom + 28), "epoch", 13, INK, "ma")
    for place, (name, colour, values) in enumerate(lines):
        points = [(panel.x(epoch, epochs), panel.y(value)) for epoch, value in enumerate(values)]
        draw.line(points, colour, 2 * SCALE, joint="curve")
        for x, y in points:
            draw.circle((x, y), 2.5 * SCALE, colour)
        label = f"{name} {panel.form.format(values[-1])}"
        _write(draw, (panel.right, panel.top - 22 - 18 * (len(lines) - 1 - place)), label, 13, colour, "rs")


def _write(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, colour: str, anchor: str) -> None:
    font = ImageFont.load_default(size=SCALE * size)
    draw.text((SCALE * at[0], SCALE * at[1]), text, colour, font, anchor)
