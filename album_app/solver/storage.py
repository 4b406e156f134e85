"""A solution as a file: an .npz of plain arrays and one JSON text, read without pickle."""

from __future__ import annotations

import json
import types
import zipfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from album_app.solver.arrays import InvalidInput, is_torch_array
from album_app.solver.model import PaperModel, RatioModel
from album_app.solver.state import Solution

VERSION = 2
"""The version of the file format; files of other versions are refused."""


def save_solution(path: Path, solution: Solution, settings: Mapping[str, Any], replace: bool = False) -> None:
    """Write a solution and the settings it was found with.

    A file that holds no solution of this library is replaced only if the caller asks for it.
    """
    from album_app.own_files import SOLUTION, mark_archive
    from album_app.paths import Replacing, atomic_write

    arrays: dict[str, NDArray[Any]] = {}
    tree = {"version": VERSION, "settings": settings, "solution": solution}
    try:
        text = json.dumps(_packed(tree, arrays))
    except TypeError as error:
        raise InvalidInput(
            f"a solver is saved with the names of its columns, which must be text or numbers: {error}"
        ) from None
    with atomic_write(path, SOLUTION, Replacing(replace)) as temporary:
        with temporary.open("wb") as file:
            np.savez(file, tree=np.asarray(text), **arrays)  # type: ignore[arg-type]
        mark_archive(temporary, SOLUTION)


def load_solution(path: Path) -> tuple[Solution, dict[str, Any]]:
    """The solution, in numpy arrays, and the settings that `save_solution` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        tree = json.loads(str(arrays["tree"]))
        if tree["version"] != VERSION:
            raise InvalidInput(f"{path} was written by another version of this library ({tree['version']})")
        return _unpacked(tree["solution"], Solution, arrays), tree["settings"]
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{path} does not hold a fitted solver") from error


def _packed(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """A value as JSON takes it; its arrays are put aside by name."""
    if is_dataclass(value):
        return {each.name: _packed(getattr(value, each.name), arrays) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: _packed(each, arrays) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(each, arrays) for each in value]
    if is_torch_array(value):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray):
        name = f"array{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    return value.item() if isinstance(value, np.generic) else value


def _unpacked(tree: Any, kind: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """The value that `_packed` took apart; `kind` is its type, as far as it is known."""
    if isinstance(tree, dict) and set(tree) == {"array"}:
        return arrays[tree["array"]]
    kind = PaperModel if kind is RatioModel else kind  # the estimator's solver has the paper's model
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{name: _unpacked(each, hints[name], arrays) for name, each in tree.items()})
    if isinstance(tree, list):
        kept = [_unpacked(each, Any, arrays) for each in tree]
        return tuple(kept) if _is_tuple(kind) else kept
    return tree


def _is_tuple(kind: Any) -> bool:
    """Whether a type is a tuple, or a tuple or nothing."""
    kinds = get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    return any(get_origin(each) is tuple for each in kinds)
