"""Photos on cells: shapes, pins, arrangements and what can be said about them, as immutable values.

- arranging: photos, shape and pins in, a sheet out
- book: the pages of a book: each as a sheet of its own, and moved as a whole
- crops: which part of a photo a frame shows: faces are kept whole where they fit, then the crop follows the focus
- drops: what dropping photos on a cell means: pin, swap pins, or with Shift swap the photos; a pure decision
- edits: what an edit makes of a document: pure functions, each giving the edit by its name
- geometry: cells <-> pixels, for screen and paper alike; every length in one unit that the caller chooses
- insight: what can be said beside a layout: its significance, other photos and places, the next pin, pins that
  disagree
- misfits: photos that look out of place on a sheet: unlike all around them, and no surer of this cell than of another
- options: how a sheet is arranged: one immutable value, checked when it is made
- participants: which photos take part in the arrangement, which only keep their places, and how many are where
- pins: pins: the photos that a person put in place, each in one cell
- project: a sheet as a document, and its file
- quality: the scores of a whole document's layout: everything that the quality panel shows
- scores: how good a layout is: distance preservation, pin pull, leave-one-pin-out, coverage, semantic agreement
- shapes: what the user asks for (a rectangle, a word, a mask, a heart) becomes cells
- sheet: what arranging gives: one photo per cell, and what is known about it
- stacks: near-duplicates that count as one photo and show one of them; edits of them, and their list as a CSV
- story: how a sheet came about, told again: photos shuffled, then the pins put in place one after the other
- suggest: pins by preset: which cells, and which photos for them
- time: time as an axis of a sheet, and marks along its edge

`arrange`, `corner_pins`, `layout_scores` are fetched when they are asked for: a starting window can do without them.
"""

from typing import TYPE_CHECKING

from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec, build_shape, rectangle
from album_app.layout.shapes.shape_words import parse_shape
from album_app.layout.sheet import Layout
from album_app.lazy import fetching

if TYPE_CHECKING:
    from album_app.layout.arranging.arrange import arrange
    from album_app.layout.scores import layout_scores
    from album_app.layout.suggest import corner_pins

__all__ = [
    "Cell",
    "Layout",
    "Options",
    "Pins",
    "Shape",
    "ShapeSpec",
    "arrange",
    "build_shape",
    "corner_pins",
    "layout_scores",
    "parse_shape",
    "rectangle",
]

__getattr__ = fetching(
    __name__,
    {
        "arrange": ("arranging.arrange", "arrange"),
        "corner_pins": ("suggest", "corner_pins"),
        "layout_scores": ("scores", "layout_scores"),
    },
)
