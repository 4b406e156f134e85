"""Colour and subject at once, in any proportion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from album_app.photos.features.extractor import BLEND_WEIGHT, Extractor, Features, Image
from album_app.photos.features.lite0 import Lite0
from album_app.photos.features.reduction import standardise
from album_app.photos.features.rgb import Lab


@dataclass(frozen=True)
class Blend(Extractor):
    """Squared distances that are `weight` parts subject and 1 - `weight` parts colour, on equal terms."""

    weight: float = BLEND_WEIGHT

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise ValueError(f"weight {self.weight} is not between 0 and 1")

    @property
    def name(self) -> str:
        return "blend" if self.weight == BLEND_WEIGHT else f"blend:{self.weight:g}"

    @property
    def key(self) -> str:
        return f"blend:{self.weight:g}/" + "+".join(part.key for part in self.parts)

    @property
    def features_key(self) -> str:
        return f"blend:{self.weight:g}/" + "+".join(part.features_key for part in self.parts)

    @property
    def _shares(self) -> dict[Extractor, float]:
        """The extractors that have a share at all, so that nothing is extracted for nothing."""
        shares: dict[Extractor, float] = {Lab(): 1 - self.weight, Lite0(): self.weight}
        return {part: share for part, share in shares.items() if share > 0}

    @property
    def parts(self) -> tuple[Extractor, ...]:
        return tuple(self._shares)

    @property
    def dimension(self) -> int:
        return sum(part.dimension for part in self.parts)

    @property
    def batch(self) -> int:
        return min(part.batch for part in self.parts)

    def extract(self, batch: Sequence[Image]) -> Features:
        return np.hstack([part.extract(batch) for part in self.parts])

    def reduce(self, rows: Features) -> Features:
        ends = np.cumsum([part.dimension for part in self.parts])
        blocks = np.split(rows, ends[:-1], axis=1)
        weighted = [
            np.float32(share**0.5) * standardise(part.reduce(block))
            for (part, share), block in zip(self._shares.items(), blocks, strict=True)
        ]
        return np.hstack(weighted)
