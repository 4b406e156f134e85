"""Photos on cells: shapes, pins, arrangements and what can be said about them, as immutable values."""

from album_app.layout.arrange import arrange
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.result import Layout
from album_app.layout.shapes import Cell, Shape, ShapeSpec, build_shape, parse_shape

__all__ = ["Cell", "Layout", "Options", "Pins", "Shape", "ShapeSpec", "arrange", "build_shape", "parse_shape"]
