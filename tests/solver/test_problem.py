"""A problem is validated once, with a sentence that names the argument."""

from typing import Any

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.solver import LsmiSinkhorn, Problem

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
