"""The one table of extractors, and how their names are read."""

from collections.abc import Callable
from dataclasses import dataclass

from album_app.errors import UsageError
from album_app.photos.features.backbone import Backbone
from album_app.photos.features.blend import Blend
from album_app.photos.features.extractor import Extractor
from album_app.photos.features.lab import Lab
from album_app.photos.features.lite0 import Lite0
from album_app.photos.features.resnet20 import ResNet20
from album_app.photos.features.rgb import Rgb, StrideRgb

LARGEST = 128
"""The largest side of reduced pixels; a thumbnail has little more to give."""


@dataclass(frozen=True)
class Entry:
    """A line of the table: what to type, what it sees, and what makes it from the words after the name."""

    usage: str
    title: str
    sees: str
    needs_torch: bool
    make: Callable[[str], Extractor]


def _entry(usage: str, kind: type[Extractor], make: Callable[[str], Extractor]) -> Entry:
    return Entry(usage, kind.title, kind.sees, kind.needs_torch, make)


def _rgb(words: str) -> Extractor:
    size, _, mode = words.partition(":")
    if mode and mode != "stride":
        raise ValueError
    return StrideRgb(_size(size)) if mode else Rgb(_size(size))


def _size(words: str) -> int:
    size = int(words or 8)
    if not 1 <= size <= LARGEST:
        raise ValueError
    return size


def _plain(made: Extractor, words: str) -> Extractor:
    """An extractor that takes no words."""
    if words:
        raise ValueError
    return made


def _backbone(words: str) -> Extractor:
    model, _, file = words.partition("@")
    if not model:
        raise ValueError
    return Backbone(model, file)


EXTRACTORS: dict[str, Entry] = {
    "rgb": _entry("rgb, rgb:SIZE, rgb:SIZE:stride", Rgb, _rgb),
    "lab": _entry("lab, lab:SIZE", Lab, lambda words: Lab(_size(words))),
    "semantic": _entry("semantic", Lite0, lambda words: _plain(Lite0(), words)),
    "blend": _entry("blend, blend:WEIGHT", Blend, lambda words: Blend(float(words or 0.5))),
    "resnet20": _entry("resnet20", ResNet20, lambda words: _plain(ResNet20(), words)),
    "torchvision": _entry("torchvision:MODEL, torchvision:MODEL@FILE", Backbone, _backbone),
}


def extractor(name: str) -> Extractor:
    """The extractor that `name` asks for; nothing is loaded before it extracts."""
    family, _, words = name.partition(":")
    if family not in EXTRACTORS:
        raise UsageError(f"there are no features called {name!r}; the choices are {choices()}")
    try:
        return EXTRACTORS[family].make(words)
    except ValueError:
        raise UsageError(f"features {name!r} are not understood; write {EXTRACTORS[family].usage}") from None


def choices() -> str:
    """Every name that can be typed, for messages and help."""
    return ", ".join(entry.usage for entry in EXTRACTORS.values())
