"""The objects of the start are exempt from collection; those of a later window are garbage once it is closed."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from PySide6.QtCore import QObject

from album_app.gui.window import app
from album_app.gui.window.app import GuiThreadGc


class Knot:
    """Something that only the collector can destroy."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    app.put_start_aside.cache_clear()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_frozen", "qapp")
def test_a_second_window_does_not_keep_what_is_left_of_the_first() -> None:
    first, second = QObject(), QObject()
    GuiThreadGc(first)
    assert gc.get_freeze_count() > 0 and not gc.isenabled()
    knot = Knot()
    remains = ref(knot)
    GuiThreadGc(second)
    del knot
    gc.collect()
    assert remains() is None
