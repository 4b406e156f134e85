"""The one table of extractors, and how their names are read.

Panels, preferences, help texts and the names of undo steps read nothing else. An extractor's own module is imported
when it is first asked for, so that the table costs nothing to show.
"""

from collections.abc import Callable
from dataclasses import dataclass

from album_app.errors import UsageError
from album_app.language import mark, short_number, tr
from album_app.photos.features.extractor import Extractor

MOST_REDUCED_PIXELS = 128
"""Pixels along a side of a reduced picture; a thumbnail has hardly more detail."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the table; `make` turns the words after the name's colon into an extractor, or raises ValueError."""

    title: str
    sentence: str
    usage: str  # every form of the name, the shortest first
    make: Callable[[str], Extractor]
    seconds: float | None = None  # for a thousand thumbnails on one thread, where that can be said
    needs_torch: bool = False
    special: bool = False  # whether only some want it; those stand at the end
    with_thumbnail: bool = False  # whether the rows by its shortest name come with reading a photo

    @property
    def cost(self) -> str:
        """How long it takes, in words."""
        if self.seconds is None:
            return ""
        if self.seconds < 1:
            return tr("Fast.")
        seconds = short_number(self.seconds)
        return tr("A thousand photos take about {seconds} seconds, more on a busy computer.", seconds=seconds)


def _rgb(words: str) -> Extractor:
    from album_app.photos.features.rgb import Rgb, StrideRgb

    size, _, mode = words.partition(":")
    if mode and mode != "stride":
        raise ValueError
    return StrideRgb(_size(size)) if mode else Rgb(_size(size))


def _lab(words: str) -> Extractor:
    from album_app.photos.features.rgb import Lab

    return Lab(_size(words))


def _size(words: str) -> int:
    size = int(words or 8)
    if not 1 <= size <= MOST_REDUCED_PIXELS:
        raise ValueError
    return size


def _semantic(words: str) -> Extractor:
    from album_app.photos.features.lite0 import Lite0

    return _without(words, Lite0())


def _blend(words: str) -> Extractor:
    from album_app.photos.features.lite0 import Blend

    return Blend(float(words)) if words else Blend()


def _resnet20(words: str) -> Extractor:
    from album_app.photos.features.resnet20 import ResNet20

    return _without(words, ResNet20())


def _without(words: str, made: Extractor) -> Extractor:
    """An extractor that takes no words."""
    if words:
        raise ValueError
    return made


def _torchvision(words: str) -> Extractor:
    from album_app.photos.features.backbone import Backbone

    model, _, file = words.partition("@")
    if not model:
        raise ValueError
    return Backbone(model, file)


def _vectors(words: str) -> Extractor:
    from album_app.photos.features.vectors import Vectors

    if not words:
        raise UsageError(tr("features 'vectors' need a file: write vectors:FILE, or in a command --vectors FILE"))
    return Vectors(words)


EXTRACTORS: dict[str, Entry] = {
    "lab": Entry(
        title=mark("Colour"),
        sentence=mark("Colours and their places in the photo, compared as the eye sees them."),
        usage="lab, lab:SIZE",
        make=_lab,
        seconds=0.5,
        with_thumbnail=True,
    ),
    "rgb": Entry(
        title=mark("Red, green and blue"),
        sentence=mark("Colours and where they are, by their bare numbers, as in the paper."),
        usage="rgb, rgb:SIZE, rgb:SIZE:stride",
        make=_rgb,
        seconds=0.3,
        with_thumbnail=True,
    ),
    "semantic": Entry(
        title=mark("What is in the photo"),
        sentence=mark("Things and scenes, by a larger network. Best for real photos."),
        usage="semantic",
        make=_semantic,
        seconds=40,
        needs_torch=True,
    ),
    "blend": Entry(
        title=mark("Colour and content"),
        sentence=mark("A mix of colour and of what is in the photo."),
        usage="blend, blend:WEIGHT",
        make=_blend,
        seconds=40,
        needs_torch=True,
    ),
    "resnet20": Entry(
        title="ResNet20",
        sentence=mark("Simple shapes and textures, by the paper's small network."),
        usage="resnet20",
        make=_resnet20,
        seconds=5,
        needs_torch=True,
        special=True,
    ),
    "torchvision": Entry(
        title=mark("Torchvision model"),
        sentence=mark("A network of your own, by its torchvision name and weights file."),
        usage="torchvision:MODEL, torchvision:MODEL@FILE",
        make=_torchvision,
        needs_torch=True,
        special=True,
    ),
    "vectors": Entry(
        title=mark("Vectors from a file"),
        sentence=mark(
            "Numbers of your own for each photo, from any model: .npy, .npz, .csv or .parquet, best with file names."
        ),
        usage="vectors:FILE",
        make=_vectors,
        special=True,
    ),
}


def extractor(name: str) -> Extractor:
    """The extractor that `name` asks for; nothing is loaded before it extracts."""
    entry = entry_of(name)
    if entry is None:
        raise UsageError(
            tr("there are no features called {name}; the choices are {choices}", name=f"{name!r}", choices=choices())
        )
    try:
        return entry.make(name.partition(":")[2])
    except ValueError:
        raise UsageError(
            tr("features {name} are not understood; write {usage}", name=f"{name!r}", usage=entry.usage)
        ) from None


def features_key(name: str) -> str:
    """Names features down to their version and weights, empty where that cannot be read; may read a weights file."""
    try:
        return extractor(name).features_key
    except (OSError, UsageError):
        return ""


def entry_of(name: str) -> Entry | None:
    """The line of the table that a name, with or without words behind a colon, belongs to."""
    return EXTRACTORS.get(name.partition(":")[0])


def comes_with_thumbnails(name: str) -> bool:
    """Whether features cost nothing beyond reading the photos."""
    return name in EXTRACTORS and EXTRACTORS[name].with_thumbnail


def file_named(name: str) -> str:
    """The file that a name of features asks to be read, "" where it asks for none: weights or vectors."""
    family, _, words = name.partition(":")
    return {"torchvision": words.partition("@")[2], "vectors": words}.get(family, "")


def features_title(name: str) -> str:
    """What people call these features; a name that is not known is its own title."""
    entry = entry_of(name)
    return name if entry is None else tr(entry.title)


def ready_titles() -> dict[str, str]:
    """The titles of the extractors that need no words after their name."""
    return {name: tr(entry.title) for name, entry in EXTRACTORS.items() if name in entry.usage.split(", ")}


def choices() -> str:
    """Every name that can be typed, for messages and help."""
    return ", ".join(entry.usage for entry in EXTRACTORS.values())
