"""Options, layouts and documents: immutable values that are checked when they are made."""

import math

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout.arranging.arrange import arrange
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.pins import Pins
from album_app.layout.shapes.shape import rectangle


@pytest.mark.parametrize(
    "wrong",
    [
        {"beta": -0.1},
        {"beta": math.nan},
        {"epsilon": 0.0},
        {"lam": 0.0},
        {"basis": 0},
        {"iterations": 0},
        {"seed": -1},
        {"follow": 1.1},
        {"fill": "half"},
    ],
)
def test_options_out_of_range_are_refused_by_name(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Options(**wrong)  # type: ignore[arg-type]


def test_a_layout_knows_who_is_where() -> None:
    layout = Layout(rectangle(2, 3), np.array([4, 2, -1, 2, 0, 4]), np.ones(6), Pins({4: (1, 2)}))
    assert layout.shown == (0, 2, 4)
    assert layout.repeats == 2
    assert layout.positions == {4: (0, 0), 2: (0, 1), 0: (1, 1)}
    assert layout.cell_of(4) == (1, 2), "a pinned photo is where its pin is"
    assert layout.cell_of(0) == (1, 1)
    assert layout.cell_of(3) is None
    assert layout.photo_in((0, 0)) == 4
    assert layout.photo_in((0, 2)) is None
    with pytest.raises(KeyError):
        layout.photo_in((2, 0))
    with pytest.raises(ValueError, match="read-only"):
        layout.photo_at[0] = 1


def test_a_layout_needs_a_value_for_every_cell() -> None:
    with pytest.raises(ValueError, match="one photo index"):
        Layout(rectangle(2, 2), np.zeros(3), np.zeros(4))


def test_a_layout_is_shown_in_a_line() -> None:
    layout = Layout(rectangle(2, 3), np.array([4, 2, -1, 2, 0, 4]), np.ones(6), Pins({4: (1, 2)}), smi=0.0893)
    assert repr(layout) == "Layout(3 photos on 2x3, 1 pinned, smi=0.089)"


def test_wrong_types_are_named_with_the_right_ones() -> None:
    features = np.arange(6.0)[:, None]
    with pytest.raises(TypeError, match=r"shape must be a Shape, such as rectangle\(12, 15\), not \(2, 3\)"):
        arrange(features, (2, 3))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pins must be Pins"):
        arrange(features, rectangle(2, 3), {0: (0, 0)})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"pinned to a cell, \(row, column\), not to 7"):
        Pins({0: 7})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"rows and columns must be whole numbers, not 2\.5 and 3"):
        rectangle(2.5, 3)  # type: ignore[arg-type]
    assert rectangle(np.int64(2), np.int64(3)).name == "2x3"  # type: ignore[arg-type]
    features[4, 0] = np.nan
    with pytest.raises(UsageError, match="the first is photo 4, by row 4 and column 0 of the table"):
        arrange(features, rectangle(2, 3))
