"""A measured figure in a line, beside what was promised where something was."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A figure in a sentence, with the least or the most that it should be."""

    what: str
    found: float
    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        line = f"{self.what:<70}{self.found:>9.4g}"
        if self.least is None and self.most is None:
            return line
        wanted = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"{line}   wanted {wanted:<16} {'reached' if self.reached else 'MISSED'}"

    @property
    def reached(self) -> bool:
        """Whether the figure is within its bounds; a figure that is not a number is not."""
        low, high = (
            self.least if self.least is not None else float("-inf"),
            self.most if self.most is not None else float("inf"),
        )
        return low <= self.found <= high
