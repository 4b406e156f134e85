"""Presets of exports: kept by name, found again, and harmless when damaged."""

from dataclasses import replace

import pytest

from album_app.errors import UsageError
from album_app.render.formats.table import FORMATS
from album_app.render.page.settings import RenderSettings
from album_app.render.presets import (
    LONGEST_NAME,
    MOST_CELLS,
    MOST_PRESETS,
    PRESETS,
    Choice,
    as_words,
    delete_preset,
    from_words,
    own_presets,
    preset_named,
    presets_file,
    save_preset,
)

WALL = Choice(
    "PDF", RenderSettings(paper="A1", caption="{class}", columns=("class",), gap=2.0, title="Crete"), cells=90
)


def test_a_preset_is_kept_without_what_belongs_to_its_album() -> None:
    save_preset("  Museum  wall ", WALL)
    kept = own_presets(RenderSettings(title="Rome", columns=("class",)))["Museum wall"]
    assert (kept.format, kept.cells, kept.settings.paper, kept.settings.gap) == ("PDF", 90, "A1", 2.0)
    assert kept.settings.caption == "{class}" and kept.settings.title == "Rome"
    without_table = preset_named("museum WALL").settings
    assert (without_table.caption, without_table.paper) == ("none", "A1"), "no column of another table"
    save_preset("Museum wall", Choice("PNG"))
    assert own_presets()["Museum wall"].format == "PNG"
    delete_preset("Museum wall")
    assert own_presets() == {}


def test_names_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="needs a name"):
        save_preset("  ", WALL)
    with pytest.raises(UsageError, match="is a preset of the program"):
        save_preset("a4 TO print", WALL)
    with pytest.raises(UsageError, match=r"no preset “wall”; there are: For the screen, To share"):
        preset_named("wall")
    assert preset_named("a2 poster") is PRESETS["A2 poster"]


@pytest.mark.parametrize("content", ["", "[]", '{"a": 3, "b": {"format": "EXE", "cell": -1, "cells": "x"}}', "{"])
def test_a_damaged_file_has_no_presets_or_harmless_ones(content: str) -> None:
    presets_file().parent.mkdir(parents=True, exist_ok=True)
    presets_file().write_text(content)
    assert all(choice == Choice() for choice in own_presets().values())


def test_a_remembered_choice_comes_back_with_the_title_of_the_album_at_hand() -> None:
    own = RenderSettings(title="Rome", columns=("class",))
    back = from_words(as_words(WALL), own)
    assert back == Choice("PDF", replace(WALL.settings, title="Rome"), 90) and back.kind is FORMATS["PDF"]
    for damaged in ("", "[1]", "null", "{"):
        assert from_words(damaged, own) == Choice(settings=own)
    assert from_words('{"cells": -1}', own).cells == 0 == from_words(f'{{"cells": {MOST_CELLS + 1}}}', own).cells
    assert from_words(f'{{"cells": {MOST_CELLS}}}', own).cells == MOST_CELLS


def test_there_are_not_endlessly_many_presets_and_names_are_short() -> None:
    for number in range(MOST_PRESETS):
        save_preset(f"{number}", WALL)
    with pytest.raises(UsageError, match="delete one first"):
        save_preset("one more", WALL)
    save_preset("0", Choice("PNG"))
    assert own_presets()["0"].format == "PNG" and len(own_presets()) == MOST_PRESETS
    delete_preset("1")
    save_preset("x" * 1000, WALL)
    assert "x" * LONGEST_NAME in own_presets()
