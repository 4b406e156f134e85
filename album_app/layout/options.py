"""How a sheet is arranged: one immutable value, checked when it is made."""

import math
from dataclasses import dataclass, fields

from album_app.errors import UsageError
from album_app.language import short_number, tr

FILLS = ("end", "empty", "repeat")
CHOICES = {"varied": 0.0, "balanced": 0.0199, "best": 0.05}
"""The share of coverage that quality may cost where photos are chosen that stand for all others.

Coverage is how near all photos are to one that is shown; quality counts as much as this share allows, which is kept
exactly, but for photos that are too small for the print and for rounding.
"""
EFFORTS = ("quick", "fine", "best")
"""How long a sheet is improved, ascending: 320 photos take about 0.1, 0.4 and 1.7 seconds of one processor core.

Eyes hardly tell them apart: twice sheets of three albums of 320 photos by `lab` were ranked without names, the second
time with the present weights. The orders were quick, fine, best; best, fine, quick; and fine, best, quick; then best,
quick, fine; quick, best, fine; and fine, best, quick. Best was never last the second time, but two looks are no proof.
"""
DEFAULT_FEATURES = "lab"
"""Chosen by eyes: seven times somebody ranked sheets of one of three albums by `rgb`, `lab` and `blend`, without names.

First were blend 3 of 3 and 2 of 2 times, on the third album narrowly lab 2 of 2; the other of the two was second, and
rgb always last. `lab` is the default because it was never last and needs neither torch nor time; the window offers
`blend` once its first sheet stands. `rgb` is what the paper compares by, and its experiments name it.
"""


@dataclass(frozen=True)
class Options:
    """Everything the user can choose about an arrangement apart from photos, shape and pins.

    >>> Options(follow=0.8).follow, Options().fill
    (0.8, 'end')
    """

    features: str = DEFAULT_FEATURES
    beta: float = 0.5
    epsilon: float = 0.01  # with this lambda four pins say best where a hidden one belongs
    lam: float = 0.3
    basis: int = 200
    iterations: int = 20
    seed: int = 0
    auto: bool = False
    follow: float = 0.5
    refine: bool = True
    fill: str = "end"
    choose: str = "varied"  # which photos are shown where there are more than cells: one of CHOICES
    effort: str = "quick"  # one of EFFORTS
    time_weight: float = 0.0  # of the order of time against the look, 0 to 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise UsageError(
                    tr("The option {name} must be a finite number, not {value}.", name=field.name, value=value)
                )
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(
                    tr(
                        "The option {name} must lie between {low} and {high}, not {value}.",
                        name=name,
                        low=short_number(low),
                        high=short_number(high),
                        value=value,
                    )
                )
        if self.fill not in FILLS:
            raise UsageError(
                tr("The option fill must be one of {fills}, not “{fill}”.", fills=", ".join(FILLS), fill=self.fill)
            )
        if self.choose not in CHOICES:
            names = ", ".join(CHOICES)
            raise UsageError(
                tr("The option choose must be one of {names}, not “{choose}”.", names=names, choose=self.choose)
            )
        if self.effort not in EFFORTS:
            raise UsageError(
                tr(
                    "The option effort must be one of {efforts}, not “{effort}”.",
                    efforts=", ".join(EFFORTS),
                    effort=self.effort,
                )
            )


_RANGES = (
    ("beta", 0.0, 1.0),
    ("epsilon", 1e-6, 1e6),
    ("lam", 1e-12, 1e6),
    ("basis", 1, 100_000),
    ("iterations", 1, 10_000),
    ("seed", 0, 2**32 - 1),
    ("follow", 0.0, 1.0),
    ("time_weight", 0.0, 1.0),
)
