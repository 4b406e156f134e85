"""Captions: what stands below a photo, by a text of one's own, by what its file says, or by a template."""

import csv
import re
import string
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path, PurePosixPath

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import days, reason, short_number, tr
from album_app.paths import read_bounded
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.header import FILE, TABLE, Shot

NONE = "none"
CAPTIONS = (NONE, "title", "name", "date")
"""Captions that have a name: none at all, a text of one's own or the file's title, the file's name, the date."""
CAMERA_FIELDS = ("camera", "exposure", "aperture", "iso", "focal_length", "lens")
FIELDS = ("title", "description", "keywords", "name", "date", *CAMERA_FIELDS)
"""What a template can name: "{title}, {date:%Y}", or "{camera}, {exposure}"."""
LONGEST_FRACTION = 0.3
"""Seconds; shorter exposures are written as fractions of a second."""
LOOSE = " \t,;:·-–—|/"
"""Characters at the ends of a caption that only separated it from what is not known of a photo."""
EMPTY_BRACKETS = re.compile(r"\s*(\(\s*\)|\[\s*\])")

LONGEST_CAPTION = 500
"""Characters; longer captions are cut off."""

LARGEST_LIST = 16_000_000
"""Bytes; larger lists of captions are refused before they are read."""

COLUMNS = ("photo", "caption")
"""The columns of a list of captions."""


def check_template(template: str, columns: Collection[str] = ()) -> None:
    """Refuse a template that is neither the name of a caption nor made of known fields and columns of a table.

    >>> check_template("{title}, {date:%Y}")
    >>> check_template("{class}", columns=["class"])
    """
    if template in CAPTIONS:
        return
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        parts = []
    named = [(field, spec, conversion) for _, field, spec, conversion in parts if field is not None]
    known = (*FIELDS, *(column for column in columns if column not in FIELDS))
    plain = all(field in known and not conversion and "{" not in (spec or "") for field, spec, conversion in named)
    if not named or not plain or any(spec and field != "date" for field, spec, _ in named):
        raise UsageError(
            tr(
                "“{template}” is no caption; choose one of {choices}, or name {fields} in braces, as in {example}.",
                template=template,
                choices=", ".join(CAPTIONS),
                fields=", ".join(known),
                example="“{title}, {date:%Y}”",
            )
        )


def caption_of(photo: Photo, template: str) -> str:
    """What stands below a photo; an empty text if nothing that the template names is known.

    >>> caption_of(Photo(Path("a/sea.jpg"), "a/sea.jpg", 1, 1, 4, 3), "{title}, {name}")
    'sea'
    """
    if template == NONE:
        return ""
    if template in CAPTIONS:
        return _field(photo, template, "")
    parts = []
    for literal, field, spec, _ in string.Formatter().parse(template):
        known = "" if field is None else _field(photo, field, spec or "")
        if known or field is None or literal.strip(LOOSE):  # what is not known takes the separator before it along
            parts += [literal, known]
    return EMPTY_BRACKETS.sub("", "".join(parts)).strip(LOOSE)


def _field(photo: Photo, field: str, spec: str) -> str:
    """What is known of a photo: what its file says, or else its line in a table."""
    return (_noted(photo, field, spec) if field in FIELDS else "") or photo.metadata.row.get(field)


def _noted(photo: Photo, field: str, spec: str) -> str:
    notes = photo.metadata
    if field == "title":
        return notes.title or notes.description
    if field == "description":
        return notes.description
    if field == "keywords":
        return ", ".join(notes.keywords)
    if field == "name":
        return PurePosixPath(photo.name).stem
    if field in CAMERA_FIELDS:
        return photo.camera if field == "camera" else _shot_words(photo.shot)[field]
    if photo.taken is None:
        return ""
    if photo.taken_by == TABLE and not spec:
        return notes.row.date_words
    day = photo.taken.strftime(spec) if spec else days(photo.taken.date(), photo.taken.date())
    return tr("{when} (the file's time)", when=day) if photo.taken_by == FILE else day


def shot_words(shot: Shot) -> list[str]:
    """What is known of how a photo was taken.

    >>> shot_words(Shot(1 / 250, 2.8, 400, 50, "EF50mm"))
    ['1/250 s', 'f/2.8', 'ISO 400', '50 mm', 'EF50mm']
    """
    return [words for words in _shot_words(shot).values() if words]


def _shot_words(shot: Shot) -> dict[str, str]:
    """Each fact of how a photo was taken by its name in templates; empty where it is not known."""
    seconds = short_number(shot.seconds)
    if 0 < shot.seconds < LONGEST_FRACTION:
        seconds = f"1/{1 / shot.seconds:.0f}"  # without a sign between thousands, as on cameras
    return {
        "exposure": f"{seconds} s" if shot.seconds else "",
        "aperture": f"f/{short_number(shot.aperture)}" if shot.aperture else "",
        "iso": f"ISO {shot.iso}" if shot.iso else "",
        "focal_length": f"{short_number(shot.focal_length)} mm" if shot.focal_length else "",
        "lens": shot.lens,
    }


MOST_VALUES = 8
"""Values of a table that are shown of a photo, the first columns first."""
LONGEST_VALUE = 80
"""Characters of a value that are shown; longer ones are cut off."""


def row_words(photo: Photo, columns: Collection[str] = ("all",)) -> list[str]:
    """What columns of a table say about a photo, a line each, without those that are empty or just name the photo.

    >>> from album_app.photos.decoding.header import Metadata, Row
    >>> row = Row(("file", "title", "artist"), ("sea.jpg", "The sea", ""))
    >>> row_words(Photo(Path("a/sea.jpg"), "a/sea.jpg", 1, 1, 4, 3, metadata=Metadata(row=row)))
    ['title: The sea']
    """
    file, row = PurePosixPath(photo.name), photo.metadata.row
    words = [
        f"{column}: {value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + '…'}"
        for column, value in zip(row.names, row.values, strict=True)
        if value
        and (column.casefold() in columns or "all" in columns)
        and value.replace("\\", "/").rsplit("/", 1)[-1] not in (file.name, file.stem)
    ]
    return words[:MOST_VALUES]


def with_captions(album: Album, captions: Mapping[int, str]) -> Album:
    """The album with texts of one's own in the place of the titles that the files have."""
    if not captions:
        return album
    photos = list(album.photos)
    for place, text in captions.items():
        photos[place] = replace(photos[place], metadata=replace(photos[place].metadata, title=text, description=""))
    return replace(album, photos=tuple(photos))


def read_captions(path: Path, album: Album) -> dict[int, str]:
    """Captions from a CSV with the columns photo and caption; a photo is named as in the album, or by its file name."""
    try:
        text = read_bounded(path, LARGEST_LIST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        why = reason(fault) if isinstance(fault, OSError) else tr("it is not UTF-8 text")
        raise UsageError(tr("The captions in {path} could not be read: {reason}.", path=path, reason=why)) from fault
    by_name = {photo.name: place for place, photo in enumerate(album.photos)}
    by_file: dict[str, list[int]] = {}
    for name, place in by_name.items():
        by_file.setdefault(name.rsplit("/", 1)[-1], []).append(place)
    found: dict[int, str] = {}
    for line, (photo, caption) in _rows(path, text):
        places = [by_name[photo]] if photo in by_name else by_file.get(photo, [])
        if len(places) != 1:
            why = tr("several photos are called so") if places else tr("no photo is called so")
            raise UsageError(
                tr(
                    "{path}, line {line}: “{photo}”: {reason}.",
                    path=path,
                    line=line,
                    photo=printable(photo),
                    reason=why,
                )
            )
        found[places[0]] = caption[:LONGEST_CAPTION]
    return found


def _rows(path: Path, text: str) -> Iterator[tuple[int, tuple[str, str]]]:
    reader = csv.DictReader(StringIO(text, newline=""))
    if not set(COLUMNS) <= set(reader.fieldnames or ()):
        raise UsageError(tr("{path} needs the columns {columns}.", path=path, columns=", ".join(COLUMNS)))
    for row in reader:
        yield reader.line_num, ((row["photo"] or "").strip(), (row["caption"] or "").strip())
