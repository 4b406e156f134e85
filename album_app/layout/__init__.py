"""Photos on cells: shapes, pins, arrangements and what can be said about them, as immutable values.

- arranging: photos, shape and pins in, a sheet out
- captions: what stands below a photo, by a text of one's own, by what its file says, or by a template
- colouring: colours for photos by a facet: a colour for each of a few values, or a ramp for numbers, and the legend
- crops: which part of a photo a frame shows (`crop`): faces are kept whole where they fit
- options: how a sheet is arranged: one immutable value, checked when it is made
- pins: pins: the photos that a person put in place, each in one cell
- project: a sheet as a document, and its file
- shapes: what the user asks for (a rectangle, a word, a mask, a heart) becomes cells
- layout: the result of arranging: one photo per cell, and what is known about it
- editing: edits of a document, as pure functions
- evaluation: what can be said about a layout: scores, misfits, alternatives, suggested pins

`arrange`, `corner_pins`, `layout_scores` are fetched when they are asked for: a starting window can do without them.
"""

from typing import TYPE_CHECKING

from album_app import fetching
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec, build_shape, parse_shape, rectangle

if TYPE_CHECKING:
    from album_app.layout.arranging.arrange import arrange
    from album_app.layout.evaluation.scores import layout_scores
    from album_app.layout.evaluation.suggest import corner_pins

__all__ = [
    "Cell",
    "Document",
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
        "corner_pins": ("evaluation.suggest", "corner_pins"),
        "layout_scores": ("evaluation.scores", "layout_scores"),
    },
)
