"""What is said about an album and its layout, in the title, in the status bar and in the panel."""

from pathlib import Path

import numpy as np

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


def place_words(cell: Cell) -> str:
    """ "row 3, column 5", as people count."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def sentence(text: str) -> str:
    """A complaint of the layers below as a sentence of its own; a name at its beginning stays as it is."""
    begun = text[:1].upper() + text[1:] if text.partition(" ")[0].isalpha() else text
    return begun if begun.endswith((".", "!", "?", ")")) else f"{begun}."


def literal(text: str) -> str:
    """A name as the text of a button or a menu, where a single & would underline the next letter."""
    return text.replace("&", "&&")


def shown_count(layout: Layout) -> int:
    """How many different photos are on the sheet; quick for large ones, too."""
    return len(np.unique(layout.photo_at[layout.photo_at >= 0]))


def smi_text(layout: Layout) -> str:
    """ "1.93  (z 41)", as far as it is known."""
    if not layout.arranged:
        return "–"
    z = layout.scores.get("smi_z")
    return f"{layout.smi:.2f}" + (f"  (z {z:.0f})" if z is not None else "")


def summary_of(layout: Layout, photos: int, missing: int = 0) -> str:
    """ "320 of 320 photos on 320 cells    SMI 1.93  (z 41)    DPQ 0.87"."""
    shown = shown_count(layout)
    parts = [f"{shown} of {counted(max(shown, photos), 'photo')} on {counted(layout.shape.count, 'cell')}"]
    if missing:
        parts.append(f"{missing} missing")
    if smi_text(layout) != "–":
        parts.append(f"SMI {smi_text(layout)}")
    if "dpq16" in layout.scores:
        parts.append(f"DPQ {layout.scores['dpq16']:.2f}")
    return "    ".join(parts)
