"""A problem is validated once, with a sentence that names the argument."""

from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.solver import InvalidInput, LsmiSinkhorn, Problem, TensorSinkhorn, select
from album_app.solver.minibatch import solve_in_batches

GOOD = {"x_pairs": np.zeros((2, 3)), "y_pairs": np.zeros((2, 4)), "x": np.ones((5, 3)), "y": np.ones((6, 4))}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("x", np.zeros(5), "x must be a matrix with samples as rows, not of shape (5,)"),
        ("x", np.zeros((0, 3)), "x must hold at least one sample and feature, not shape (0, 3)"),
        ("y", np.zeros((6, 0)), "unpaired y must hold at least one sample and feature"),
        ("y", np.array([[1.0, np.nan, np.inf, 0.0]]), "unpaired y must hold finite numbers, but 2 of its entries"),
        ("x_pairs", np.array([[0, 0, 0], [0, 0, np.nan]]), "paired x must hold finite numbers, but 1 of its entries"),
        ("x_pairs", np.array([[0, 0, 0], [0, 0, np.nan]]), "the first in row 1, column 2"),
        ("y", np.ones((6, 4)) + 1j, "y must hold real numbers, not complex128"),
        ("x", [["a", "b", "c"]], "x must be an array of numbers"),
        ("x", [[1.0], [1.0, 2.0]], "x must be an array of numbers"),
        ("x", np.array([["a", "b", "c"]]), "x must be an array of numbers"),
        ("x_pairs", np.zeros((2, 5)), "paired x must have as many features as unpaired x: 3, not 5"),
        ("x_pairs", np.zeros((3, 3)), "must hold as many samples, not 3 and 2"),
    ],
)
def test_bad_input_is_named(name: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        Problem(**{**GOOD, name: value})
    assert words in str(caught.value)
    assert isinstance(caught.value, UsageError)
    assert "\n" not in str(caught.value)


def test_arrays_of_one_kind() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match="all numpy arrays or all torch tensors"):
        Problem(**{**GOOD, "x": torch.ones((5, 3))})


def test_lists_and_integers_are_numbers() -> None:
    problem = Problem([], [], [[1, 2], [3, 4]], np.arange(3)[:, None])
    assert (problem.n, problem.n_x, problem.n_y) == (0, 2, 3)
    assert problem.x_pairs.shape == (0, 2)
    assert np.isfinite(LsmiSinkhorn().solve(problem).plan).all()


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"basis": 0}, "basis must be a whole number, at least 1, not 0"),
        ({"beta": 1.5}, "beta must be between 0 and 1"),
        ({"epsilon": 0.0}, "epsilon must be positive"),
        ({"lam": float("nan")}, "lam must be at least 0"),
        ({"iterations": 0}, "iterations must be a whole number, at least 1"),
        ({"start": "middle"}, "start must be one of uniform, random, axes"),
        ({"dtype": "float16"}, "dtype must be float32, float64 or None"),
        ({"dtype": "float64", "device": "mps"}, "dtype must be float32 or None on device mps"),
    ],
)
def test_bad_settings_are_named(option: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LsmiSinkhorn(**option)


def test_unknown_device() -> None:
    with pytest.raises(ValueError, match="device 'abacus' cannot be used here"):
        LsmiSinkhorn(device="abacus").solve(Problem(**GOOD))


def test_dates_are_refused_by_the_name_of_their_column() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": np.arange(5.0), "when": pandas.date_range("2020-01-01", periods=5)})
    kinds = {
        "dates": table,
        "dates alone": table[["when"]],
        "with a time zone": table.assign(when=table["when"].dt.tz_localize("Europe/Berlin")),
        "differences": table.assign(when=table["when"] - table["when"][0]),
    }
    for kind, given in kinds.items():
        with pytest.raises(
            InvalidInput, match=r"unpaired x must .* row 0 of column 'when' holds a date or a time"
        ) as found:
            Problem(given[:2], np.zeros((2, 1)), given, np.ones((4, 1)))
        assert "such as days since the first" in str(found.value), kind
    with pytest.raises(InvalidInput, match="row 0 of column 1 holds a date"):
        Problem([], [], table.to_numpy(), np.ones((4, 1)))
    with pytest.raises(InvalidInput, match="row 0 of column 0 holds a date"):
        Problem([], [], np.array([["2020-01-01"], ["2021-01-01"]], "datetime64[D]"), np.ones((4, 1)))


def test_dates_of_polars_are_refused_too() -> None:
    polars, day = pytest.importorskip("polars"), date(2020, 1, 1)
    table = polars.DataFrame({"a": [1.0, 2.0], "when": [day, day]})
    with pytest.raises(InvalidInput, match="column 'when' holds a date"):
        Problem([], [], table, np.ones((4, 1)))


def test_a_word_is_named_with_its_column() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": [1.0, 2.0], "name": ["3", "bob"]})
    with pytest.raises(
        InvalidInput, match="unpaired x must be an array of numbers, but row 1 of column 'name' holds 'bob'"
    ):
        Problem([], [], table, np.ones((4, 1)))
    with pytest.raises(InvalidInput, match="but row 0 of column 1 holds 'u'"):
        Problem([], [], [[1.0, "u"]], np.ones((4, 1)))
    gaps = pandas.DataFrame({"a": pandas.array([1, None], dtype="Int64")})
    with pytest.raises(InvalidInput, match="finite numbers, but 1 of its entries"):
        Problem([], [], gaps, np.ones((4, 1)))


def test_a_series_is_one_column_and_an_array_is_asked_for_one() -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(np.linspace(0.0, 1.0, 9), name="a")
    column = series.to_numpy()[:, None]
    of_series, of_columns = (
        Problem(series[:4], series[:4], series, series),
        Problem(column[:4], column[:4], column, column),
    )
    assert LsmiSinkhorn().solve(of_series).smi == LsmiSinkhorn().solve(of_columns).smi
    with pytest.raises(InvalidInput, match=r"not of shape \(9,\): give a single feature as values\[:, None\]"):
        Problem([], [], column[:, 0], column)


@pytest.mark.parametrize("solve", [LsmiSinkhorn().solve, TensorSinkhorn().solve, select, solve_in_batches])
def test_whoever_solves_asks_for_a_problem(solve: Callable[..., Any]) -> None:
    with pytest.raises(InvalidInput, match=r"give a Problem\(x_pairs, y_pairs, x, y\) to solve, not a ndarray"):
        solve(np.zeros((2, 3)))


def test_samples_that_stand_alone_are_answered_with_the_way_to_a_problem() -> None:
    with pytest.raises(InvalidInput, match="give a Problem"):
        LsmiSinkhorn().solve(*(np.zeros((2, 3)) for _ in range(4)))  # type: ignore[arg-type]
