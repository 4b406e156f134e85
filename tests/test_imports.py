"""A folder imports only folders to its left, and only the named folders know Qt and Pillow."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "album_app"
ORDER = ["solver", "baselines", "photos", "layout", "render", "experiments", "gui", "cli"]
OUTSIDE = {"PySide6": ("gui/",), "PIL": ("photos/", "layout/letters.py", "layout/masks.py", "render/", "experiments/")}


def imports(source: Path) -> Iterator[str]:
    """Every module that a file imports anywhere in it, with relative imports resolved."""
    here = ["album_app", *source.relative_to(PACKAGE).with_suffix("").parts]
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: -node.level], *(node.module or "").split(".")] if node.level else [node.module or ""]
            yield from (".".join([*filter(None, base), alias.name]) for alias in node.names)


def sources() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path


def test_folders_import_only_leftwards() -> None:
    wrong = []
    for name, path in sources():
        room = name.split("/")[0]
        if room not in ORDER:
            continue
        for module in imports(path):
            parts = module.split(".")
            if parts[0] == "album_app" and len(parts) > 1 and parts[1] in ORDER[ORDER.index(room) + 1 :]:
                wrong.append(f"{name} imports {module}")
    assert not wrong


def test_qt_and_pillow_stay_in_their_rooms() -> None:
    wrong = []
    for name, path in sources():
        for module in imports(path):
            allowed = OUTSIDE.get(module.split(".")[0])
            if allowed is not None and not name.startswith(allowed):
                wrong.append(f"{name} imports {module}")
    assert not wrong


def test_every_package_is_installed() -> None:
    listed = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {"album_app.resources"} | {
        ".".join(["album_app", *path.parent.relative_to(PACKAGE).parts]) for path in PACKAGE.rglob("__init__.py")
    }
    assert set(listed) == found
