"""What is said about an album and its layout, in the title, in the status bar and in the panel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from album_app.layout.participants import Counts
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from album_app.layout.sheet import Layout
from album_app.paths import cache_folder


def is_sample(document: Document) -> bool:
    """Whether the built-in album is open, which lies in the cache."""
    return any(root.parent == cache_folder() for root in document.album.roots[:1])


def title_of(document: Document | None, project: Path | None) -> str:
    """What an album is called: by its project file, or else by its first folder."""
    if project is not None:
        return project.stem
    if document is None or not document.album.roots:
        return "Untitled"
    return "Sample album" if is_sample(document) else document.album.roots[0].name


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 photo", "12 photos"; "1 photo is", "12 photos are"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def news_words(new: int, changed: int, gone: int) -> str:
    """ "12 new photos: add them?", "1 new photo, 2 changed and 3 gone: follow the folder?"."""
    if not (changed or gone):
        return f"{counted(new, 'new photo')}: add {'it' if new == 1 else 'them'}?"
    parts = [words for count, words in ((new, "new"), (changed, "changed"), (gone, "gone")) if count]
    first, *rest = [count for count in (new, changed, gone) if count]
    told = [f"{first} {parts[0]} photo{'s' if first > 1 else ''}"]
    told += [f"{count} {words}" for count, words in zip(rest, parts[1:], strict=True)]
    return f"{', '.join(told[:-1])}{' and ' if len(told) > 1 else ''}{told[-1]}: follow the folder?"


def place_words(cell: Cell) -> str:
    """ "row 3, column 5", as people count."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def sentence(text: str) -> str:
    """A complaint of the layers below as a sentence of its own; a name at its beginning stays as it is."""
    begun = text[:1].upper() + text[1:] if text.partition(" ")[0].isalpha() else text
    return begun if begun.endswith((".", "!", "?", ")")) else f"{begun}."


def in_bytes(count: float) -> str:
    """ "9.1 MB"."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if count >= 10 or unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def literal(text: str) -> str:
    """A name as the text of a button or a menu, where a single & would underline the next letter."""
    return text.replace("&", "&&")


@dataclass(frozen=True)
class Grade:
    """How good something is: so many of four points, and in words."""

    points: int
    words: str


SMOOTHNESS = ((0.8, "very smooth"), (0.65, "smooth"), (0.52, "a little mixed"), (-math.inf, "mixed"))
"""By DPQ16 (a random sheet has about 0.4)."""

FOLLOWING = ((0.85, "followed closely"), (0.6, "followed"), (0.3, "followed a little"), (-math.inf, "hardly followed"))
"""By pin pull (a random sheet has 0)."""


def neighbours_grade(layout: Layout) -> Grade | None:
    """How alike neighbours are; None where that is not known yet."""
    return _grade(layout.scores.get("dpq16"), SMOOTHNESS)


def pins_grade(layout: Layout) -> Grade | None:
    """How well the pins gather their like; None without pins, or where that is not known yet."""
    return _grade(layout.scores.get("pin_pull"), FOLLOWING)


def _grade(score: float | None, scale: Sequence[tuple[float, str]]) -> Grade | None:
    if score is None:
        return None
    place = next(place for place, (least, _) in enumerate(scale) if score >= least)
    return Grade(len(scale) - place, scale[place][1])


def smi_text(layout: Layout) -> str:
    """ "1.93  (z 41)", as far as it is known."""
    if not layout.arranged:
        return "–"
    z = layout.scores.get("smi_z")
    return f"{layout.smi:.2f}" + (f"  (z {z:.0f})" if z is not None else "")


def summary_of(counts: Counts, layout: Layout) -> str:
    """ "320 of 320 photos on 320 cells    Neighbours very smooth"."""
    parts = [f"{counts.shown} of {counted(counts.photos, 'photo')} on {counted(counts.cells, 'cell')}"]
    if counts.missing:
        parts.append(f"{counts.missing} missing")
    smoothness = neighbours_grade(layout)
    if smoothness is not None:
        parts.append(f"Neighbours {smoothness.words}")
    return "    ".join(parts)
