"""Where the sheet lies in the window: fit, zoom at a point, pan; in whole device pixels, so that tiles stay crisp."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from album_app.layout.shapes.frames import Cell, Frames, SheetGeometry

GAP = 0.06
"""Between tiles, as a share of the step from one cell to the next."""
SMALLEST_GAPPED = 6
"""Cells with a smaller step, in device pixels, have no gaps."""
LIMITS = (3.0, 1024.0)
"""The smallest and the largest step, in device pixels."""
MARGIN = 0.03
"""Around a fitted sheet, as a share of the window's shorter side."""
SIGHT = 0.25
"""The share of the sheet that stays in sight however far it is pushed."""


class Framed(Protocol):
    """A shape or a layout: anything that has frames."""

    def frames(self, gap: float = 0.0, caption: float = 0.0) -> Frames: ...


@dataclass(frozen=True)
class Viewport:
    """A sheet seen in a window: the wanted distance between cells, and the top left corner of the first cell.

    All lengths are device pixels; `geometry` rounds them, `pitch` keeps the fraction that a slow zoom adds up.
    """

    sheet: Framed
    pitch: float
    left: float = 0.0
    top: float = 0.0

    @classmethod
    def fitted(
        cls, sheet: Framed, width: float, height: float, largest: float = LIMITS[1], below: float = 0.0
    ) -> "Viewport":
        """The whole sheet, centred, as large as a small margin allows but no cell larger than `largest`.

        `below` is the room to keep free below it, in cells.
        """
        margin = max(8.0, MARGIN * min(width, height))
        frames = sheet.frames(GAP)
        pitch = min((width - 2 * margin) / frames.width, (height - 2 * margin) / (frames.height + below))
        pitch = max(LIMITS[0], float(int(min(pitch, largest))))
        return cls(sheet, pitch).centred(width, height - below * pitch)

    @cached_property
    def geometry(self) -> SheetGeometry:
        """The frames in whole device pixels: one step and one gap all over the sheet."""
        step = max(1, round(self.pitch))
        gap = max(1, round(step * GAP)) if step >= SMALLEST_GAPPED else 0
        side = step - gap
        return SheetGeometry(self.sheet.frames(gap / step), side, side, gap, round(self.left), round(self.top))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole sheet, with the gap to the right of its last cells and below them."""
        frames = self.geometry.frames
        return frames.width * self.step, frames.height * self.step

    @property
    def side(self) -> int:
        """The edge of a tile that is one cell large."""
        return int(self.geometry.cell_width)

    @property
    def step(self) -> int:
        """From one cell to the next."""
        return int(self.geometry.pitch[0])

    def of(self, sheet: Framed) -> "Viewport":
        """The same view of another sheet, for instance of the same cells with other photos."""
        return replace(self, sheet=sheet)

    def centred(self, width: float, height: float) -> "Viewport":
        """The same size in the middle of the window."""
        across, down = self.geometry.width - self.geometry.left, self.geometry.height - self.geometry.top
        return replace(self, left=round((width - across) / 2), top=round((height - down) / 2))

    def zoomed(self, pitch: float, x: float, y: float) -> "Viewport":
        """Another size, the point (x, y) of the sheet staying under the cursor."""
        bounded = replace(self, pitch=min(max(LIMITS[0], pitch), LIMITS[1]))
        ratio = bounded.step / self.step
        return replace(bounded, left=x - (x - self.left) * ratio, top=y - (y - self.top) * ratio)

    def panned(self, dx: float, dy: float, width: float, height: float) -> "Viewport":
        """Moved by a number of pixels, a part of the sheet always staying in sight."""
        across, down = self.size
        left, top = _bounded(self.left + dx, across, width), _bounded(self.top + dy, down, height)
        return replace(self, left=left, top=top)

    def showing(self, cell: Cell, width: float, height: float) -> "Viewport":
        """Moved as little as needed to have the frame of a cell, and half of one around it, in sight."""
        x, y, across, down = self.geometry.rect(cell)
        return replace(self, left=self.left + _nudge(x, across, width), top=self.top + _nudge(y, down, height))


def _bounded(start: float, length: float, room: float) -> float:
    keep = SIGHT * min(length, room)
    return min(max(start, keep - length), room - keep)


def _nudge(start: float, length: float, room: float) -> float:
    border = min(length / 2, max(0.0, (room - length) / 2))
    return max(0.0, border - start) - max(0.0, start + length + border - room)
