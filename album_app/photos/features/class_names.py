"""The names of ImageNet's thousand classes, in their order, as torchvision lists them."""

import ast
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

LIST_FILE, LIST_NAME = "models/_meta.py", "_IMAGENET_CATEGORIES"


@cache
def class_names() -> tuple[str, ...]:
    """The names; none where torchvision has no such list.

    The list is read from the source file, because importing torchvision takes seconds.
    """
    if "torchvision.models._meta" in sys.modules:
        return tuple(getattr(sys.modules["torchvision.models._meta"], LIST_NAME, ()))
    package = find_spec("torchvision")
    for folder in (package.submodule_search_locations if package else None) or ():
        path = Path(folder) / LIST_FILE
        if path.is_file():
            return _listed(path)
    return ()


def _listed(path: Path) -> tuple[str, ...]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == LIST_NAME:
            return tuple(ast.literal_eval(statement.value))
    return ()
