"""Fixtures for every room: folders of their own for cache and state, and the shared measuring data where it exists."""

import gc
import os
import shutil
import sys
from collections.abc import Generator
from pathlib import Path

# The cores are shared out among test processes: the maths of each keeps to one thread instead of waiting for the
# others' in a spinning loop. To be said before the libraries are loaded; what a test starts inherits it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from album_app import language
from tests.fonts import make_font, no_fonts

__all__ = ["make_font", "no_fonts"]

# Processes share compiled modules, as on most machines, instead of each compiling every module for itself.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

IN_MEMORY = Path("/dev/shm")
ROOM_FOR_FILES = 4 << 30  # bytes; the tests leave about a quarter of it
if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM_FOR_FILES:
    # Where the system has room in memory, no test waits until its files have arrived on a disk.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

gc.disable()  # until all tests are collected: half of the collecting would be a search for garbage that is not there

language.use(language.ENGLISH)  # whatever the system speaks; what a test starts inherits it

# How long an example takes says more about the machine; the same examples on every run, so that a failure stays.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


QUICK = {"cli", "layout", "sample"}
"""Rooms of many files that take a few seconds each."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every second test process collects from the end: each compiles half of the modules, for the others as well."""
    report = yield
    if isinstance(collector, pytest.Directory) and os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579":
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick files come last: of a long one at the end, all other processes would wait for the end."""

    def place(item: pytest.Item) -> tuple[bool, tuple[str, ...]]:
        parts = item.path.relative_to(Path(__file__).parent).parts
        return parts[0] in QUICK, parts

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Modules and tests live to the end: no search for garbage looks through them again."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: tests wait a part of their time, for timers, helpers and disks."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of measuring data next to the checkout; tests that want it are skipped where it is absent."""
    folder = Path(__file__).parent.parent.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("no measuring data next to the checkout")
    return folder


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache or state."""
    monkeypatch.setenv("ALBUM_APP_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("ALBUM_APP_STATE", str(tmp_path_factory.mktemp("state")))
