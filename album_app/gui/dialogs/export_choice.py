"""What an export dialog is left with: a kind of file and how it is drawn, good ones to start from, and its memory."""

import json
from dataclasses import dataclass, field, fields
from typing import Any

from album_app.language import mark
from album_app.render import FORMATS, Format, RenderSettings


@dataclass(frozen=True)
class Choice:
    """What the form says: a kind of file and how it is drawn."""

    format: str = "PNG"
    settings: RenderSettings = field(default_factory=RenderSettings)

    @property
    def kind(self) -> Format:
        return FORMATS[self.format]


PRESETS = {
    mark("For the screen"): Choice("PNG"),
    mark("To share"): Choice("JPEG", RenderSettings(cell=72, quality=85)),
    mark("A4 to print"): Choice("PDF", RenderSettings(paper="A4", dpi=300)),
    mark("A2 poster"): Choice("PDF", RenderSettings(paper="A2", dpi=300)),
    mark("50 × 70 cm poster, no border"): Choice("PDF", RenderSettings(paper="50x70 cm", dpi=300, margin=0, gap=0)),
    mark("Wallpaper, 4K"): Choice("PNG", RenderSettings(paper="3840x2160", background="#101010", margin=0)),
    mark("Contact sheet with names"): Choice("PDF", RenderSettings(paper="A3", fit="whole", caption="name")),
}


def as_words(choice: Choice, album: str) -> dict[str, Any]:
    """A choice for an album as plain values, to be remembered."""
    settings = {field.name: getattr(choice.settings, field.name) for field in fields(RenderSettings)}
    return {"format": choice.format, "album": album, **settings}


def from_words(words: dict[str, Any], album: str) -> Choice:
    """A remembered choice, its title only for the same album; what does not fit any more is left at its default."""
    names = {field.name for field in fields(RenderSettings)} - ({"title"} if words.get("album") != album else set())
    try:
        settings = RenderSettings(**{name: value for name, value in words.items() if name in names})
    except Exception:
        return Choice()
    return Choice(words["format"] if words.get("format") in FORMATS else Choice.format, settings)


def remembered(text: str, album: str) -> Choice:
    """The choice that a text holds, if any."""
    try:
        words = json.loads(text)
    except ValueError:
        words = {}
    return from_words(words, album) if isinstance(words, dict) else Choice()
