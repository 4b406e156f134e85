"""Where pins were put by hand: trying one shape after another must not make them drift."""

from collections import deque

from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Shape

REMEMBERED = 40


class PinHomes:
    """Carries pins to other shapes, always from the shape on which they were put in place."""

    def __init__(self) -> None:
        self._carried: deque[tuple[Pins, Shape, Pins, Shape]] = deque(maxlen=REMEMBERED)

    def carry(self, document: Document, shape: Shape) -> Pins:
        """The document's pins on another shape; back on the one they come from, they are where they were."""
        home, place = document.pins, document.shape
        for pins, where, first, origin in self._carried:
            if pins == home and where.same_cells(place):
                home, place = first, origin
                break
        carried = home.carry(place, shape)
        self._carried.appendleft((carried, shape, home, place))
        return carried
