"""When a photo was taken: by its EXIF, else by its name, else by its file's time, and which of them it was."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

CAMERA, NAME, FILE = "camera", "name", "file"

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
    """The date that cameras, phones and messengers put into a file's name: IMG_20240503_141500.jpg and its like."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    for match in _NAME_DATE.finditer(stem):
        year, _, month, day, *clock = match.groups()
        date = _date((year, month, day, *clock)) or _date((year, month, day))
        if date is not None:
            return date
    seconds = _EPOCH.search(stem)
    return datetime.fromtimestamp(int(seconds[1])) if seconds else None


def moment(taken: datetime) -> float:
    """Seconds by which dates can be ordered; one without a time zone counts as it stands."""
    return (taken if taken.tzinfo is not None else taken.replace(tzinfo=UTC)).timestamp()


def _date(numbers: Iterable[str | None]) -> datetime | None:
    year, month, day, hour, minute, second = [*(int(number or 0) for number in numbers), 0, 0, 0][:6]
    with suppress(ValueError):
        return datetime(year, month, day, hour, minute, second)
    return None
