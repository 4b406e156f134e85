"""Presets of exports: kept by name, found again, and harmless when damaged."""

import pytest

from album_app.errors import UsageError
from album_app.render.page.settings import RenderSettings
from album_app.render.presets import (
    PRESETS,
    Choice,
    delete_preset,
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
