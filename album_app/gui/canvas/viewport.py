"""Where the sheet lies in the window: fit, zoom at a point, pan; in whole device pixels, so that tiles stay crisp."""

from dataclasses import dataclass, replace
from functools import cached_property

from album_app.layout.geometry import SheetGeometry
from album_app.layout.shapes.lattice import SQUARE, Lattice
from album_app.layout.shapes.shape import Cell

GAP = 0.06
SMALLEST_GAPPED = 6
LIMITS = (3.0, 1024.0)
MARGIN = 0.03
SIGHT = 0.25


@dataclass(frozen=True)
class Viewport:
    """A sheet seen in a window: the wanted distance between cells, and the top left corner of the first cell.

    All lengths are device pixels; `geometry` rounds them, `pitch` keeps the fraction that a slow zoom adds up.
    """

    rows: int
    columns: int
    pitch: float
    left: float = 0.0
    top: float = 0.0
    lattice: Lattice = SQUARE

    @classmethod
    def fitted(
        cls,
        rows: int,
        columns: int,
        width: float,
        height: float,
        largest: float = LIMITS[1],
        below: float = 0.0,
        lattice: Lattice = SQUARE,
    ) -> "Viewport":
        """The whole sheet, centred, as large as a small margin allows but no cell larger than `largest`.

        `below` it so many rows more have room.
        """
        margin = max(8.0, MARGIN * min(width, height))
        down, across = lattice.extent(rows, columns)
        pitch = min((width - 2 * margin) / across, (height - 2 * margin) / (down + below))
        pitch = max(LIMITS[0], float(int(min(pitch, largest))))
        return cls(rows, columns, pitch, lattice=lattice).centred(width, height - below * pitch)

    @cached_property
    def geometry(self) -> SheetGeometry:
        """The cells in whole device pixels: one tile size and one gap all over the sheet."""
        step = max(1, round(self.pitch))
        gap = max(1, round(step * GAP)) if step >= SMALLEST_GAPPED else 0
        side = step - gap
        corner = round(self.left), round(self.top)
        return SheetGeometry(self.rows, self.columns, side, side, gap, *corner, lattice=self.lattice)

    @property
    def grid(self) -> tuple[int, int, Lattice]:
        """Which sheets it can show: their rows and columns, and how these lie."""
        return self.rows, self.columns, self.lattice

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole sheet, a gap beside and below its last cells included."""
        down, across = self.geometry.extent
        return across * self.step, down * self.step

    @property
    def side(self) -> int:
        """The edge of a tile."""
        return int(self.geometry.cell_width)

    @property
    def step(self) -> int:
        """From one tile to the next."""
        return int(self.geometry.pitch[0])

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
        """Moved by so many pixels, a part of the sheet always staying in sight."""
        across, down = self.size
        left, top = _bounded(self.left + dx, across, width), _bounded(self.top + dy, down, height)
        return replace(self, left=left, top=top)

    def showing(self, cell: Cell, width: float, height: float) -> "Viewport":
        """Moved as little as needed to have a cell, and half a cell around it, in sight."""
        x, y, side, _ = self.geometry.cell_rect(cell)
        return replace(self, left=self.left + _nudge(x, side, width), top=self.top + _nudge(y, side, height))


def _bounded(start: float, length: float, room: float) -> float:
    keep = SIGHT * min(length, room)
    return min(max(start, keep - length), room - keep)


def _nudge(start: float, length: float, room: float) -> float:
    border = min(length / 2, max(0.0, (room - length) / 2))
    return max(0.0, border - start) - max(0.0, start + length + border - room)
