"""Measurements of the program and of its peers; each offers `configure(parser)` and `run(arguments)`.

- book: measures how alike the photos of a page are, compared with equal k-means, FLAS cut into pages, and a random
  deal
- camera_files: photos as cameras write them: large JPEGs with a preview of 160 x 120 pixels in their EXIF data, made
  by program
- choice: measures a choice of few photos among many: how well they cover all, how sharp, rich and large they are
- crops: measures how many faces crops cut although they could keep them, and what looking for faces costs
- exports: measures the memory and time of large exports of the sample album's 320 photos, each in a process of its own
- frames: measures what large photos and whole photos in rows cost: DPQ16 against a plain sheet, and how even the rows
  are
- hostile: reads damaged and malicious files, made by program and from any folders named, and reports the outcome of
  each
- layout: compares layouts with FLAS, LAS, kernelized sorting, PCA and chance, then checks the promises about single
  sheets
- layout_calm: how much of a sheet a change leaves in place, and how good the sheet is then compared with a fresh one
- layout_promises: benchmarks of single promises (random colours, large sheets, many photos, moving pins) and of what
  the program says about a sheet
- photos: measures the way from files to features: photos per second for scan, thumbnails and every extractor
- reading: measures where the time of reading a photo goes, at several sizes: milliseconds of the processor, median of
  rounds
- solver: measures LSMI-Sinkhorn against the algorithm on POT's Sinkhorn and against Gromov-Wasserstein, and how it
  scales
- timeline: measures what a timeline costs: how well columns follow dates, and by how much DPQ16 by look falls
- trust: measures how far answers of the solver can be trusted: intervals of SMI, and matches by the cut between two
  halves
- words: measures the search by words on photos of Caltech-101: precision among the first ten, and recall
- window: the benchmarks of the window and of very many photos: `album-app bench gui`, `album-app bench large`
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A measured figure with its description and the bounds that it should keep; a bound of nan is never reached."""

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
        """Whether the figure is within its bounds; nan never is."""
        low = self.least if self.least is not None else float("-inf")
        high = self.most if self.most is not None else float("inf")
        return bool(low <= self.found <= high)
