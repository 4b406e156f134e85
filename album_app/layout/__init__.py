"""Photos on cells: shapes, pins, arrangements and what can be said about them, as immutable values.

`arrange` is imported from its module, where it is needed: it brings the solver, which a starting window can do without.
"""

from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.result import Layout
from album_app.layout.shapes import Cell, Shape, ShapeSpec, build_shape, parse_shape

__all__ = ["Cell", "Layout", "Options", "Pins", "Shape", "ShapeSpec", "build_shape", "parse_shape"]
