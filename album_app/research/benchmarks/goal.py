"""A measured figure in a line, with its goal where there is one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A figure in a sentence, with the least or the most that it should be; a bound of nan is never reached."""

    what: str
    found: float
    least: float | None = None
    most: float | None = None
    unit: str = ""
    note: str = ""

    def __str__(self) -> str:
        found = f"{self.found:,.0f}" if abs(self.found) >= 1000 else f"{self.found:.4g}"
        line = f"{self.what:<70}{found:>9} {self.unit:<3}{self._verdict}"
        return (f"{line}  ({self.note})" if self.note else line).rstrip()

    @property
    def _verdict(self) -> str:
        if self.least is None and self.most is None:
            return ""
        wanted = f"at least {self.least:.4g}" if self.least is not None else f"at most {self.most:.4g}"
        return f" wanted {wanted:<16} {'reached' if self.reached else 'MISSED'}"

    @property
    def reached(self) -> bool:
        """Whether the figure is within its bounds; a figure that is not a number is not."""
        low = self.least if self.least is not None else float("-inf")
        high = self.most if self.most is not None else float("inf")
        return bool(low <= self.found <= high)
