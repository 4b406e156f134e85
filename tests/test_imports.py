"""The laws of the house: who may import whom, no cycles, a map in every room, rooms that can be used without Qt."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source_code import nodes, tree

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "album_app"
ROOMS = ["solver", "baselines", "photos", "sample", "layout", "render", "gui", "cli", "research"]
PHOTOS = [f"photos.{room}" for room in ("decoding", "features")] + ["photos"]
LAYOUT = [f"layout.{room}" for room in ("shapes.lettering", "shapes")] + ["layout"]
LAYOUT += [f"layout.{room}" for room in ("arranging", "project", "editing", "evaluation")]
RENDER = [f"render.{room}" for room in ("page", "painters", "formats")] + ["render"]
RESEARCH = [f"research.{room}" for room in ("training", "experiments", "benchmarks", "commands")]
GUI = [f"gui.{room}" for room in ("style", "state", "controls", "canvas", "tray", "dialogs", "commands", "panel")]
GUI += ["gui.window"]
"""Each imports only those before it; a name stands for everything below it that is not listed itself."""


WITH_QT = ("gui", "research.benchmarks.window")


def sources() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"), path


MODULES = {name for name, _ in sources()}


@cache
def imports(source: Path) -> list[str]:
    """Every module that a file imports anywhere in it, those for type checking alone as well."""
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{source} imports relatively"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def own_imports(source: Path) -> Iterator[str]:
    """The program's own modules among them, without the package's name."""
    for name in imports(source):
        module = name.removeprefix("album_app.")
        while module and module not in MODULES:
            module = module.rpartition(".")[0]
        if name.startswith("album_app.") and module:
            yield module


def rank(module: str, order: list[str]) -> int | None:
    """Where a module stands in an order, by the longest name that covers it."""
    covering = [name for name in order if module == name or module.startswith(name + ".")]
    return order.index(max(covering, key=len)) if covering else None


@pytest.mark.parametrize(
    "order",
    [ROOMS, PHOTOS, LAYOUT, RENDER, GUI, RESEARCH],
    ids=["rooms", "photos", "layout", "render", "gui", "research"],
)
def test_folders_import_only_leftwards(order: list[str]) -> None:
    wrong = []
    for name, path in sources():
        here = rank(name, order)
        if here is None or name in order:
            continue
        for module in own_imports(path):
            there = rank(module, order)
            if there is not None and there > here:
                wrong.append(f"{name} imports {module}")
    assert not wrong


def test_no_two_folders_import_each_other() -> None:
    """At every depth; maps (`__init__`) may name what is in the folders below them."""
    folders = {name: name if path.name == "__init__.py" else name.rpartition(".")[0] for name, path in sources()}
    maps = {name for name, path in sources() if path.name == "__init__.py"}
    pairs = {
        (folders[name], folders[module])
        for name, path in sources()
        for module in own_imports(path)
        if folders[name] != folders[module] and not {name, module} & maps
    }
    mutual = {tuple(sorted(pair)) for pair in pairs if pair[::-1] in pairs}
    assert not mutual


def test_the_program_never_imports_the_research_room() -> None:
    program = [(name, path) for name, path in sources() if not name.startswith("research")]
    assert not [name for name, path in program if any(module.startswith("research") for module in own_imports(path))]


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {name: set(own_imports(path)) - {name} for name, path in sources()}
    while leaves := {name for name, needed in graph.items() if not needed & graph.keys()}:
        graph = {name: needed for name, needed in graph.items() if name not in leaves}
    in_cycles = set(graph)
    while idle := {name for name in in_cycles if not any(name in graph[other] for other in in_cycles)}:
        in_cycles -= idle
    assert not in_cycles


def test_every_import_of_our_own_finds_its_module() -> None:
    wrong = []
    for name, path in [*sources(), *((str(path.relative_to(ROOT)), path) for path in ROOT.glob("tests/**/*.py"))]:
        for node in nodes(path):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.startswith("album_app.") and module.removeprefix("album_app.") not in MODULES:
                wrong.append(f"{name} imports {module}")
    assert not wrong


def test_only_the_window_knows_qt() -> None:
    wrong = [f"{name} imports {module}" for name, path in sources() for module in imports(path)
             if module.split(".")[0] == "PySide6" and not name.startswith(WITH_QT)]  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("room", sorted(path.parent for path in PACKAGE.rglob("__init__.py")), ids=str)
def test_every_room_begins_with_its_map(room: Path) -> None:
    text = ast.get_docstring(tree(room / "__init__.py")) or ""
    words = {line.removeprefix("- ").split(":")[0] for line in text.splitlines() if line.startswith("- ")}
    inside = {path.stem for path in room.glob("*.py")} | {path.parent.name for path in room.glob("*/__init__.py")}
    assert inside - {"__init__", "__main__"} - words == set()


def test_rooms_offer_what_others_may_use_without_what_is_heavy() -> None:
    code = (
        "from album_app.layout import arrange, rectangle, corner_pins, layout_scores, Options, Pins, Shape\n"
        "from album_app.solver import LsmiSinkhorn, Problem\n"
        "from album_app.photos import open_album, extract\n"
        "import sys\n"
        "assert not {'torch', 'torchvision', 'ot', 'PySide6'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
