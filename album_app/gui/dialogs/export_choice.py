"""What an export dialog is left with: a kind of file and how it is drawn, good ones to start from, and its memory."""

import json
from dataclasses import dataclass, field, fields

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


REMEMBERED = [field.name for field in fields(RenderSettings) if field.name != "title"]
"""What is kept for other albums too; a title belongs to its own."""


def as_words(choice: Choice) -> str:
    """A choice as a text, to be remembered."""
    return json.dumps({"format": choice.format, **{name: getattr(choice.settings, name) for name in REMEMBERED}})


def from_words(text: str, title: str) -> Choice:
    """A remembered choice, for a sheet of this title; what does not fit any more is left at its default."""
    try:
        words = dict(json.loads(text))
        settings = RenderSettings(**{name: words[name] for name in REMEMBERED if name in words}, title=title)
    except Exception:
        return Choice(settings=RenderSettings(title=title))
    return Choice(words["format"] if words.get("format") in FORMATS else Choice.format, settings)
