"""Examples in docstrings run as they are written, and whatever a room offers has one."""

import doctest
import inspect
import linecache
from importlib import import_module
from pathlib import Path

import pytest

import album_app

ROOMS = ("solver", "baselines", "photos", "layout", "render")
"""The rooms whose examples are run, and the modules of no room; all that is in a room's `__all__` needs an example."""

HOME = Path(album_app.__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules_with_examples() -> list[str]:
    """Modules by their names, the `__init__` of a package among them."""
    paths = [*sorted(HOME.glob("*.py")), *(path for room in ROOMS for path in sorted((HOME / room).rglob("*.py")))]
    found = [path for path in paths if ">>>" in path.read_text("utf-8")]
    return [".".join(path.relative_to(HOME.parent).with_suffix("").parts).removesuffix(".__init__") for path in found]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_run_as_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = [test for test in doctest.DocTestFinder().find(import_module(name), name) if test.examples]
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    linecache.clearcache()  # every example looks whether a file in it has changed
    for test in examples:
        runner.run(test)
    assert runner.tries and not runner.failures, capsys.readouterr().out


@pytest.mark.parametrize("room", ROOMS)
def test_everything_a_room_offers_has_an_example(room: str) -> None:
    offers = import_module(f"album_app.{room}")
    finder = doctest.DocTestFinder(exclude_empty=True)
    bare = []
    for name in offers.__all__:
        thing = getattr(offers, name)
        ours = (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__.startswith("album_app.")
        if ours and not any(test.examples for test in finder.find(thing, name)):
            bare.append(name)
    assert bare == []
