"""How one photo is seen in a room of some size: fitted, larger up to several times 100 %, pushed about."""

from dataclasses import dataclass, replace

LARGEST = 4.0
LARGEST_FITTED = 2.0
"""Screen pixels per pixel of the photo: by zooming, and without it where a photo is smaller than its room."""


@dataclass(frozen=True)
class PhotoZoom:
    """A photo of `width` x `height` pixels, `scale` device pixels each, its middle at (x, y) of the room's middle."""

    width: float
    height: float
    room: tuple[float, float]
    scale: float
    x: float = 0.0
    y: float = 0.0

    @classmethod
    def fitted(cls, width: float, height: float, room: tuple[float, float]) -> "PhotoZoom":
        """All of the photo, in the middle; a small one enlarged, but not beyond 200 %."""
        return cls(width, height, room, min(room[0] / width, room[1] / height, LARGEST_FITTED))

    @property
    def smallest(self) -> float:
        """The scale at which all of it is seen."""
        return PhotoZoom.fitted(self.width, self.height, self.room).scale

    @property
    def is_fitted(self) -> bool:
        return self.scale <= self.smallest

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Left, top, width and height in the room."""
        width, height = self.width * self.scale, self.height * self.scale
        return (self.room[0] - width) / 2 + self.x, (self.room[1] - height) / 2 + self.y, width, height

    def zoomed(self, scale: float, at: tuple[float, float]) -> "PhotoZoom":
        """Another scale, the point `at` of the room staying on the same point of the photo."""
        scale = min(max(scale, min(self.smallest, 1.0)), LARGEST)
        grown = scale / self.scale
        right, down = at[0] - self.room[0] / 2, at[1] - self.room[1] / 2
        return replace(self, scale=scale, x=right - (right - self.x) * grown, y=down - (down - self.y) * grown).within()

    def panned(self, dx: float, dy: float) -> "PhotoZoom":
        """Pan by a number of pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy).within()

    def resized(self, room: tuple[float, float]) -> "PhotoZoom":
        """In another room: fitted if it was fitted."""
        if self.is_fitted:
            return PhotoZoom.fitted(self.width, self.height, room)
        return replace(self, room=room).within()

    def like(self, other: "PhotoZoom") -> "PhotoZoom":
        """Zoomed as far beyond its whole as another photo, and pushed as far for its size."""
        scale = self.smallest * other.scale / other.smallest
        right = other.x / (other.width * other.scale) * self.width * scale
        down = other.y / (other.height * other.scale) * self.height * scale
        return replace(self, scale=scale, x=right, y=down).within()

    def within(self) -> "PhotoZoom":
        """No border of the photo further in than that of the room; what is smaller than the room in its middle."""
        most_x = max(0.0, (self.width * self.scale - self.room[0]) / 2)
        most_y = max(0.0, (self.height * self.scale - self.room[1]) / 2)
        return replace(self, x=min(max(self.x, -most_x), most_x), y=min(max(self.y, -most_y), most_y))
