"""What people noted about a photo in its file: title, description, keywords and rating, by XMP, IPTC or EXIF."""

import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from PIL import Image, IptcImagePlugin

log = logging.getLogger("album_app.photos.decoding.metadata")

BEST_RATING = 5
LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_KEYWORD = 200, 2000, 64
MOST_KEYWORDS = 64
LARGEST_XMP = 1 << 20
"""Bytes of an XMP packet that is read; larger ones hold edits or previews."""
WRITTEN_BY_CAMERAS = (
    "olympus digital camera",
    "sony dsc",
    "digital camera",
    "samsung",
    "minolta digital camera",
    "dcim",
)
"""How descriptions begin that cameras write into every photo."""

_RDF, _DC, _XMP = (
    f"{{{name}}}"
    for name in (
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "http://purl.org/dc/elements/1.1/",
        "http://ns.adobe.com/xap/1.0/",
    )
)
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_DESCRIPTION_TAG, _RATING_TAG, _RATING_PERCENT_TAG = 0x010E, 0x4746, 0x4749
_XP_TITLE_TAG, _XP_COMMENT_TAG, _XP_KEYWORDS_TAG = 0x9C9B, 0x9C9C, 0x9C9E
_IPTC_TITLE, _IPTC_DESCRIPTION, _IPTC_KEYWORDS = (2, 5), (2, 120), (2, 25)
_PERCENT_OF_RATING = (1, 13, 38, 63, 88)
"""The least RatingPercent of one star, two stars and so on: Windows writes 1, 25, 50, 75 and 99."""


@dataclass(frozen=True, slots=True)
class Row:
    """The line of a photo in a table of one's own: the names of the columns, which all photos share, and its values."""

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def get(self, name: str) -> str:
        """The value in a column; empty where there is none."""
        return self.values[self.names.index(name)] if name in self.names else ""


NO_ROW = Row()


@dataclass(frozen=True)
class Metadata:
    """What people noted about a photo; the rating is 1 to 5 stars, 0 without one, -1 for a rejected photo."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    rating: int = 0
    row: Row = NO_ROW
    """What a table says about it; this is in no file of the photo, so caches and projects never keep it."""

    def filled_by(self, other: "Metadata") -> "Metadata":
        """These notes, and those of `other` where there is none of a kind."""
        return Metadata(
            self.title or other.title,
            self.description or other.description,
            self.keywords or other.keywords,
            self.rating or other.rating,
            self.row,
        )


NO_METADATA = Metadata()


def metadata_of(image: Image.Image) -> Metadata:
    """What the file of an opened picture notes: in its XMP first, then its IPTC, then its EXIF."""
    found = NO_METADATA
    for read in (_by_xmp, _by_iptc, _by_exif):
        try:
            found = found.filled_by(read(image))
        except Exception as error:
            log.info("bad metadata: %s: %s", type(error).__name__, error)
    return found


def _noted(title: str, description: str, keywords: Iterable[str], rating: float) -> Metadata:
    """Metadata as it is kept: on one line, of bounded length, without what cameras write into every photo."""
    description = _line(description, LONGEST_DESCRIPTION)
    if description.casefold().startswith(WRITTEN_BY_CAMERAS):
        description = ""
    words = dict.fromkeys(_line(word, LONGEST_KEYWORD) for word in keywords)
    kept = [word for word in words if word][:MOST_KEYWORDS]
    stars = round(rating) if math.isfinite(rating) else 0
    return Metadata(_line(title, LONGEST_TITLE), description, tuple(kept), max(-1, min(stars, BEST_RATING)))


def _line(text: str, longest: int) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:longest].strip()


def _by_xmp(image: Image.Image) -> Metadata:
    packet = image.info.get("xmp") or b""
    content = packet.encode() if isinstance(packet, str) else bytes(packet)
    if not content or len(content) > LARGEST_XMP or b"<!" in content:  # a packet declares no entities
        return Metadata()
    nodes = list(ElementTree.fromstring(content.strip(b"\0 \n\r\t")).iter(f"{_RDF}Description"))
    return _noted(
        _alternative(nodes, f"{_DC}title"),
        _alternative(nodes, f"{_DC}description"),
        _texts(nodes, f"{_DC}subject"),
        _number(next(iter([*_attributes(nodes, f"{_XMP}Rating"), *_texts(nodes, f"{_XMP}Rating")]), "")),
    )


def _attributes(nodes: Sequence[ElementTree.Element], name: str) -> list[str]:
    return [node.attrib[name] for node in nodes if name in node.attrib]


def _texts(nodes: Sequence[ElementTree.Element], name: str) -> list[str]:
    """The texts of a property: those of its list where it is one."""
    values = [value for node in nodes for value in node.iterfind(name)]
    return [item.text or "" for value in values for item in (list(value.iter(f"{_RDF}li")) or [value])]


def _alternative(nodes: Sequence[ElementTree.Element], name: str) -> str:
    """A text that may be there in several languages: the default one, else the first."""
    items = [item for node in nodes for value in node.iterfind(name) for item in value.iter(f"{_RDF}li")]
    items.sort(key=lambda item: item.get(_LANGUAGE) != "x-default")
    texts = [item.text for item in items if item.text and item.text.strip()]
    return next(iter([*texts, *_attributes(nodes, name), *_texts(nodes, name)]), "")


def _by_iptc(image: Image.Image) -> Metadata:
    if not ("photoshop" in image.info or image.format == "TIFF"):
        return Metadata()
    known = IptcImagePlugin.getiptcinfo(image) or {}  # type: ignore[arg-type]

    def texts(key: tuple[int, int]) -> list[str]:
        value = known.get(key, b"")
        return [_decoded(item) for item in (value if isinstance(value, list) else [value])]

    return _noted(texts(_IPTC_TITLE)[0], texts(_IPTC_DESCRIPTION)[0], texts(_IPTC_KEYWORDS), 0)


def _by_exif(image: Image.Image) -> Metadata:
    exif = Image.Image.getexif(image)
    rating = _number(exif.get(_RATING_TAG))
    percent = _number(exif.get(_RATING_PERCENT_TAG))
    return _noted(
        _wide(exif.get(_XP_TITLE_TAG)),
        _decoded(exif.get(_DESCRIPTION_TAG, "")) or _wide(exif.get(_XP_COMMENT_TAG)),
        _wide(exif.get(_XP_KEYWORDS_TAG)).split(";"),
        rating or sum(percent >= least for least in _PERCENT_OF_RATING),
    )


def _decoded(value: Any) -> str:
    """A text of a file; bytes are taken for UTF-8 where they can be it."""
    if not isinstance(value, bytes):
        return str(value)
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")


def _wide(value: Any) -> str:
    """A text as Windows writes it into EXIF: bytes of UTF-16, alone or as a tuple."""
    return bytes(value).decode("utf-16-le", "replace").partition("\0")[0] if value else ""


def _number(value: Any) -> float:
    try:
        return float(value or 0)
    except (TypeError, ValueError):
        return 0.0
