"""Album App: a folder of photos becomes a sheet on which similar photos lie next to each other.

A folder imports only those above it; each begins with a map of its own.

- solver: LSMI-Sinkhorn, Algorithm 1 with the paper's equation numbers
- baselines: the methods it is compared with
- photos: files to arrays: albums, thumbnails, features
- sample: the built-in album, drawn by program
- layout: shapes, pins, arranging, scores, edits, the project file
- render: a sheet becomes a file
- gui: the window, the only room that knows Qt
- cli: the commands
- research: the paper's figures, the benchmarks and training: it imports the program, the program never imports it
- desktop: the program in the menus of a Linux desktop
- errors: errors that are shown to the user
- file_names: names of files and photos: which ones Windows refuses, how to sort them, how to show them
- language: texts in the language of the user, which `choose` decides; `cli` has `use_for` set it before the window
  exists
- log: the program's log file
- memory: how much memory this process holds and the machine has
- own_files: the marks by which the program recognises files that it wrote
- paths: cache and state folders, and the one way to write a file
- state_files: small files in the state folder, read safely even if they are damaged or hostile
- work: what long work shares: progress reports, stop requests, and threads that a stop request ends at once
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.3.0"


def shipped_file(name: str) -> Path:
    """The path of a file that ships with the program, whether it is installed or runs from a checkout."""
    package = Path(__file__).parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"resource {name} is missing from this installation")


def fetching(package: str, names: Mapping[str, tuple[str, str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports its modules only when their names are used, so that it loads fast.

    `names` gives for each name that the package offers the module that has it, and its name there.
    """

    def fetch(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, name_there = names[name]
        return getattr(import_module(f"{package}.{module}"), name_there)

    return fetch
