"""Names that a package offers and fetches from its modules when they are first asked for, so that starting is quick."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def fetching(package: str, where: Mapping[str, tuple[str, str]]) -> Callable[[str], Any]:
    """A package's `__getattr__`: each name is found in a module of the package, under a name it has there."""

    def fetch(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, name_there = where[name]
        return getattr(import_module(f"{package}.{module}"), name_there)

    return fetch
