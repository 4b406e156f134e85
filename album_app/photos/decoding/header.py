"""What a file's header says of a photo: its size, when it was taken and with what, and what people noted about it."""

import logging
import math
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, BinaryIO, cast
from xml.etree import ElementTree

from PIL import Image, IptcImagePlugin

from album_app.photos.decoding.decode import has_no_notes, opened, orientation
from album_app.photos.decoding.image_formats import says_sheet
from album_app.photos.decoding.raw import FULL_SIZE

log = logging.getLogger("album_app.photos.decoding.header")

BEST_RATING = 5
LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_KEYWORD = 200, 2000, 64
"""Characters that are kept of each; real ones are shorter."""
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
    """The line of a photo in the user's table: the names of the columns, which all photos share, and the values."""

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    date_column: str = ""  # the column that tells when photos were taken; empty where none does

    def get(self, name: str) -> str:
        """The value in a column; empty where there is none."""
        return self.values[self.names.index(name)] if name in self.names else ""

    @property
    def date_words(self) -> str:
        """The date as the table writes it, be it no more than a year."""
        return self.get(self.date_column)


NO_ROW = Row()


@dataclass(frozen=True)
class Metadata:
    """What people noted about a photo; the rating is 1 to 5 stars, 0 without one, -1 for a rejected photo."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    rating: int = 0
    row: Row = NO_ROW
    """The photo's line in a table; it comes from the table alone, so caches and projects do not keep it."""

    def filled_by(self, other: "Metadata") -> "Metadata":
        """These notes, with those of `other` for each kind of note that is missing here."""
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
    if not text:
        return ""
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
        _rating_number(next(iter([*_attributes(nodes, f"{_XMP}Rating"), *_texts(nodes, f"{_XMP}Rating")]), "")),
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
    rating = _rating_number(exif.get(_RATING_TAG))
    percent = _rating_number(exif.get(_RATING_PERCENT_TAG))
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


def _rating_number(value: Any) -> float:
    try:
        return float(value or 0)
    except (TypeError, ValueError):
        return 0.0


CAMERA, NAME, FILE = "camera", "name", "file"
TABLE = "table"
"""The date of a photo comes from its line in a table: its file tells no more than the time of the file."""

_EXIF_DATE = re.compile(r"(\d{4})\D(\d\d)\D(\d\d)\D(\d\d)\D(\d\d)(?:\D(\d\d))?")
_EXIF_ZONE = re.compile(r"([+-])(\d\d):?(\d\d)")
_DAY = r"(?<!\d)((?:19|20)\d\d)([-_. ]?)([01]\d)\2([0-3]\d)"
_CLOCK = r"(?:[-_. T]{1,3}|\sat\s|\sum\s)?([0-2]\d)[-_.:h]?([0-5]\d)[-_.:m]?([0-5]\d)"
_NAME_DATE = re.compile(f"{_DAY}(?:{_CLOCK})?")
_EPOCH = re.compile(r"(?<!\d)(1[0-9]{9})(?:\d{3})?(?!\d)")


def when_taken(by_exif: datetime | None, name: str, mtime_ns: int) -> tuple[datetime | None, str]:
    """The date of a photo, aware of its time zone where that is known, and the source of the date."""
    if by_exif is not None:
        return by_exif, CAMERA
    by_name = date_in_name(name)
    if by_name is not None:
        return by_name, NAME
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(mtime_ns // 1_000_000_000), FILE
    return None, ""


def date_in_exif(words: str, zone: str = "") -> datetime | None:
    """A date as EXIF writes it; None for anything else, such as the zeros of a camera whose clock was not set."""
    match = _EXIF_DATE.search(words)
    date = _date(match.groups()) if match else None
    shift = _EXIF_ZONE.search(zone)
    if date is None or shift is None:
        return date
    minutes = int(shift[2]) * 60 + int(shift[3])
    with suppress(ValueError):
        return date.replace(tzinfo=timezone(timedelta(minutes=minutes if shift[1] == "+" else -minutes)))
    return date


def date_in_name(name: str) -> datetime | None:
    """The date that cameras, phones and messengers put into a file's name, for example IMG_20240503_141500.jpg."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    for match in _NAME_DATE.finditer(stem):
        year, _, month, day, *clock = match.groups()
        date = _date((year, month, day, *clock)) or _date((year, month, day))
        if date is not None:
            return date
    seconds = _EPOCH.search(stem)
    return datetime.fromtimestamp(int(seconds[1])) if seconds else None


def moment(taken: datetime) -> float:
    """Seconds by which dates can be ordered; a date without a time zone is taken as one in UTC."""
    return (taken if taken.tzinfo is not None else taken.replace(tzinfo=UTC)).timestamp()


def _date(numbers: Iterable[str | None]) -> datetime | None:
    year, month, day, hour, minute, second = [*(int(number or 0) for number in numbers), 0, 0, 0][:6]
    with suppress(ValueError):
        return datetime(year, month, day, hour, minute, second)
    return None


_EXIF_IFD = 0x8769
_TAKEN_TAGS = ((0x9003, 0x9011), (0x9004, 0x9012))
_CHANGED_TAG, _CHANGED_ZONE_TAG = 0x0132, 0x9010
_MAKE_TAG, _MODEL_TAG = 0x010F, 0x0110
_EXPOSURE_TAG, _APERTURE_TAG, _ISO_TAG, _FOCAL_TAG, _LENS_TAG = 0x829A, 0x829D, 0x8827, 0x920A, 0xA434
_LONGEST_NAME = 80
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 20_000
_LONGEST_EXIF = 1 << 20


@dataclass(frozen=True)
class Shot:
    """How a photo was taken, as far as its EXIF says: exposure in seconds, f-number, ISO, focal length in mm, lens."""

    seconds: float = 0.0
    aperture: float = 0.0
    iso: int = 0
    focal_length: float = 0.0
    lens: str = ""


NO_SHOT = Shot()


@dataclass(frozen=True)
class Header:
    """Width and height after orientation; date and camera where the EXIF has them; whether it is a sheet of ours."""

    width: int
    height: int
    taken: datetime | None
    camera: str = ""
    is_sheet: bool = False
    shot: Shot = NO_SHOT
    metadata: Metadata = NO_METADATA


def read_header(path: str | os.PathLike[str]) -> Header:
    """Read a picture's header without decoding it; raises Undecodable."""
    with opened(path) as image:
        if image.format == "PNG" and "exif" not in image.info:
            late = _late_exif(cast("BinaryIO", image.fp))
            image.info.update({"exif": late} if late else {})
        return header_of(image)


def header_of(image: Image.Image) -> Header:
    """The header of an opened picture, all of whose metadata is known."""
    size = image.info.get(FULL_SIZE, image.size)
    if image.format == "JPEG" and has_no_notes(image):  # as of most pictures from the web
        return Header(size[0], size[1], None, is_sheet=says_sheet(image))
    width, height = size[::-1] if orientation(image) >= 5 else size
    return Header(width, height, _taken(image), _camera(image), says_sheet(image), _shot(image), metadata_of(image))


def _late_exif(file: BinaryIO) -> bytes:
    """The EXIF of a PNG that may have it behind the pixels, which are passed over unread."""
    file.seek(len(_PNG_SIGNATURE))
    for _ in range(_MOST_CHUNKS):
        start = file.read(8)
        length = int.from_bytes(start[:4], "big")
        if len(start) < 8 or start[4:] == b"IEND":
            break
        if start[4:] == b"eXIf":
            return b"Exif\0\0" + file.read(min(length, _LONGEST_EXIF))
        file.seek(length + 4, os.SEEK_CUR)
    return b""


def _taken(image: Image.Image) -> datetime | None:
    """When the photo was taken, by its EXIF; failing that, when the picture was last changed."""
    try:
        exif = Image.Image.getexif(image)
        details = exif.get_ifd(_EXIF_IFD)
        dates = [(details.get(date), details.get(zone)) for date, zone in _TAKEN_TAGS]
        dates.append((exif.get(_CHANGED_TAG), details.get(_CHANGED_ZONE_TAG)))
        return next((found for date, zone in dates if (found := date_in_exif(str(date), str(zone)))), None)
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return None


def _camera(image: Image.Image) -> str:
    """What the photo was taken with, by its EXIF: "Canon EOS 80D", the maker once."""
    try:
        exif = Image.Image.getexif(image)
        make, model = (" ".join(str(exif.get(tag, "")).strip("\0 ").split()) for tag in (_MAKE_TAG, _MODEL_TAG))
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return ""
    named = model.casefold().startswith(make.partition(" ")[0].casefold())
    return (model if named else f"{make} {model}")[:_LONGEST_NAME].strip()


def _shot(image: Image.Image) -> Shot:
    """How the photo was taken, by its EXIF."""
    try:
        details = Image.Image.getexif(image).get_ifd(_EXIF_IFD)
        return Shot(
            _number(details.get(_EXPOSURE_TAG)),
            _number(details.get(_APERTURE_TAG)),
            round(_number(details.get(_ISO_TAG))),
            _number(details.get(_FOCAL_TAG)),
            " ".join(str(details.get(_LENS_TAG, "")).strip("\0 ").split())[:_LONGEST_NAME],
        )
    except Exception as error:
        log.info("bad EXIF: %s", error)
        return Shot()


def _number(value: Any) -> float:
    """A number above zero as EXIF has it, alone or the first of several; zero for anything else."""
    found = float(value[0] if isinstance(value, tuple) else value or 0)
    return found if 0 < found < math.inf else 0.0
