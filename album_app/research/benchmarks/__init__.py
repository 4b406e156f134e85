"""Measurements of the program and of its peers; each offers `configure(parser)` and `run(arguments)`.

- book: measures books: how alike the photos of a page are, compared with equal k-means, FLAS cut into pages, and a
  random deal
- camera_files: photos as cameras write them: large JPEGs with a preview of 160 x 120 pixels in their EXIF data, made
  by program
- choice: measures a choice of few photos among many: what it covers, and how sharp, rich in contrast and large they
  are
- crops: measures how many faces crops cut although they could keep them, and what looking for faces costs
- exports: measures the memory and time of large exports: 320 photos of the sample album on one sheet, each in a process
  of its own
- frames: measures what large photos and whole photos in rows cost: DPQ16 against a plain sheet, and how even the rows
  are
- hostile: reads damaged and malicious files, made by program and from any folders named, and reports the outcome of
  each
- layout: measures layouts against their peers: FLAS, LAS, kernelized sorting, PCA and chance, then the sheets of the
  promises
- layout_calm: what a change leaves of a sheet: pins set, moved and taken away, photos left out and added,
  compared with a fresh sheet
- layout_promises: benchmarks of single promises (random colours, large sheets, many photos, moving pins) and of what is
  said about a sheet
- photos: measures the way from files to features: photos a second for scan, thumbnails and every extractor
- reading: measures where the time of reading a photo goes, at several sizes: milliseconds of the processor, median of
  rounds
- solver: measures LSMI-Sinkhorn: against the same algorithm on POT's Sinkhorn, against Gromov-Wasserstein, and as it
  grows
- timeline: measures what a timeline costs: how well columns follow dates, and how much of DPQ16 by look is given up
  for it
- trust: measures how far answers of the solver can be trusted: intervals of SMI, and matches by the cut between two
  halves
- words: measures the search by words on photos of Caltech-101: precision among the first ten, and recall
- window: the benchmarks of the window and of very many photos: `album-app bench gui`, `album-app bench large`
"""

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
