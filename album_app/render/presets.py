"""Named presets of exports, each a kind of file and its settings: those of the program and the user's own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import mark, reason, tr
from album_app.paths import atomic_write, state_folder
from album_app.render.formats.format import Format
from album_app.render.formats.table import FORMATS
from album_app.render.page.settings import RenderSettings
from album_app.state_files import read_state

MOST_CELLS = 5_000
"""Cells that a sheet which fills its paper can have."""
MOST_PRESETS, LONGEST_NAME = 100, 60
"""Presets of a user, and characters of a preset's name."""


@dataclass(frozen=True)
class Choice:
    """A kind of file and how it is drawn."""

    format: str = "PNG"
    settings: RenderSettings = field(default_factory=RenderSettings)
    cells: int = 0  # about how many cells a sheet that fills its paper has; 0: as many as it has now

    @property
    def kind(self) -> Format:
        return FORMATS[self.format]


PRESETS = {
    mark("For the screen"): Choice("PNG"),
    mark("To share"): Choice("JPEG", RenderSettings(cell=72, quality=85)),
    mark("A4 to print"): Choice("PDF", RenderSettings(paper="A4", dpi=300)),
    mark("A3 poster"): Choice("PDF", RenderSettings(paper="A3", dpi=300)),
    mark("A2 poster"): Choice("PDF", RenderSettings(paper="A2", dpi=300)),
    mark("50 × 70 cm poster, no border"): Choice(
        "PDF", RenderSettings(paper="50x70 cm", dpi=300, margin=0, gap=0, fit_paper=True)
    ),
    mark("Wallpaper, 4K"): Choice(
        "PNG", RenderSettings(paper="3840x2160", background="#101010", margin=0, fit_paper=True)
    ),
    mark("Contact sheet with names"): Choice("PDF", RenderSettings(paper="A3", fit="whole", caption="name")),
}
"""The presets of the program, by their English names."""

OF_ITS_ALBUM = ("title", "subtitle", "cover", "chapter_titles", "colour_by", "columns")
REMEMBERED = [field.name for field in fields(RenderSettings) if field.name not in OF_ITS_ALBUM]
"""The settings that a preset keeps; titles, covers and columns of a table belong to one album."""


def packed(choice: Choice) -> dict[str, Any]:
    """A choice as JSON can hold it."""
    settings = {name: getattr(choice.settings, name) for name in REMEMBERED}
    return {"format": choice.format, "cells": choice.cells, **settings}


def unpacked(words: Mapping[str, Any], own: RenderSettings) -> Choice:
    """The choice that `packed` packed, with the album's settings of `own`; invalid values get their defaults."""
    known = {name: words[name] for name in REMEMBERED if name in words}
    try:
        settings = replace(own, **known)
    except UsageError:  # a caption may name columns that only another table has
        try:
            settings = replace(own, **{**known, "caption": own.caption})
        except Exception:
            settings = own
    except Exception:
        settings = own
    cells = words.get("cells")
    chosen = cells if isinstance(cells, int) and 0 <= cells <= MOST_CELLS else 0
    return Choice(words["format"] if words.get("format") in FORMATS else Choice.format, settings, chosen)


def as_words(choice: Choice) -> str:
    """A choice as a text that can be stored."""
    return json.dumps(packed(choice))


def from_words(text: str, own: RenderSettings) -> Choice:
    """The choice that `as_words` stored, with the album's settings of `own`; invalid values get their defaults."""
    try:
        words = dict(json.loads(text))
    except Exception:
        return Choice(settings=own)
    return unpacked(words, own)


def presets_file() -> Path:
    """The path of the user's own presets."""
    return state_folder() / "export-presets.json"


def own_presets(own: RenderSettings | None = None) -> dict[str, Choice]:
    """The user's presets by name; none if the file is damaged."""
    found = read_state(presets_file())
    known = found.items() if isinstance(found, dict) else ()
    usual = own or RenderSettings()
    return {str(name): unpacked(words, usual) for name, words in known if isinstance(words, dict)}


def save_preset(name: str, choice: Choice) -> None:
    """Save a choice as a preset of the user; a preset of the same name is replaced."""
    name = " ".join(name.split())[:LONGEST_NAME]
    if not name:
        raise UsageError(tr("A preset needs a name."))
    if name.casefold() in {known.casefold() for preset in PRESETS for known in (preset, tr(preset))}:
        raise UsageError(tr("“{name}” is a preset of the program; choose another name.", name=name))
    presets = own_presets()
    if name not in presets and len(presets) >= MOST_PRESETS:
        raise UsageError(tr("There are {count} presets already; delete one first.", count=MOST_PRESETS))
    _write({**presets, name: choice})


def delete_preset(name: str) -> None:
    """Delete a preset of the user."""
    _write({known: choice for known, choice in own_presets().items() if known != name})


def _write(presets: Mapping[str, Choice]) -> None:
    file = presets_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(file) as temporary:
            content = {name: packed(presets[name]) for name in sorted(presets, key=str.casefold)}
            temporary.write_text(json.dumps(content, indent=1), "utf-8")
    except OSError as error:
        raise AlbumError(tr("The presets could not be saved: {reason}.", reason=reason(error))) from error


def preset_named(name: str) -> Choice:
    """The preset with a name, the user's own first; a UsageError lists the existing names."""
    wanted, own = " ".join(name.split()).casefold(), own_presets()
    for known, choice in own.items():
        if known.casefold() == wanted:
            return choice
    for known, choice in PRESETS.items():
        if wanted in (known.casefold(), tr(known).casefold()):
            return choice
    listed = ", ".join((*own, *(tr(known) for known in PRESETS)))
    raise UsageError(tr("There is no preset “{name}”; there are: {presets}.", name=printable(name), presets=listed))
