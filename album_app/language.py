"""Texts in the language of the user: English texts are the keys, and gettext catalogues hold their translations.

`tr("Open {name}", name=name)` translates a text when it is shown, and `trn("{count} photo", "{count} photos", count)` a
text with a number; placeholders are plain names. A text in a table that is made at import is written in English inside
`mark("...")`, by which tools find it, and goes through `tr` when it is shown. A text that is kept (why a photo was
skipped, the name of a shape) is a `StoredText` of a key and values, which `shown` translates. All other texts are made
in the language in use, in helper processes as well.

Always English: the log, keys of JSON and CSV, the figures of `score`, file formats, and what researchers read
(experiments, benchmarks and training with their help texts), so that figures can be compared.

A catalogue is `resources/language/de/LC_MESSAGES/album_app.po`; after a change of it
`pybabel compile -d resources/language -D album_app` compiles it to the .mo file that the program reads. English needs
none.
"""

import gettext
import locale
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from album_app import shipped_file
from album_app.errors import UsageError


def mark(text: str) -> str:
    """Return the English text unchanged; it is translated where it is shown."""
    return text


ENGLISH, PSEUDO = "en", "pseudo"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""The languages by their codes, each under its own name."""
VARIABLE = "ALBUM_APP_LANGUAGE"
"""The environment variable that chooses the language."""
DOMAIN = "album_app"
FIRST_GROUPED = 1000
"""From here on a sign stands between the thousands."""

SYSTEM_REASONS = (
    *(mark("No such file or directory"), mark("Permission denied"), mark("Operation not permitted")),
    *(mark("No space left on device"), mark("Disk quota exceeded"), mark("Read-only file system")),
    *(mark("Is a directory"), mark("Not a directory"), mark("File exists"), mark("File name too long")),
    *(mark("Input/output error"), mark("Device or resource busy"), mark("Too many open files")),
    *(mark("Invalid argument"), mark("File too large"), mark("Stale file handle"), mark("Broken pipe")),
)
"""The commonest error messages of Linux, which come from the system in English."""

OPTION = "--lang"
ARGPARSE = (
    *(mark("usage: "), mark("options"), mark("positional arguments"), mark("show this help message and exit")),
    *(mark("the following arguments are required: %s"), mark("unrecognized arguments: %s")),
    mark("argument %(argument_name)s: %(message)s"),
    *(mark("expected one argument"), mark("expected at least one argument"), mark("expected at most one argument")),
    *(mark("ambiguous option: %(option)s could match %(matches)s"), mark("ignored explicit argument %r")),
    *(mark("invalid choice: %(value)r (choose from %(choices)s)"), mark("invalid %(type)s value: %(value)r")),
    *(mark("not allowed with argument %s"), mark("one of the arguments %s is required")),
)
"""Messages of argparse, which this catalogue translates, too."""

_NOT_ACCENTED = re.compile(r"(\{\w*\}|<[^<>]*>|&\w*;?|%\(?\w*\)?s|`[^`]*`)")
_PLACE = re.compile(r"\{(\w+)\}")
_ACCENTED = str.maketrans("aceinouyACEINOUY", "áçéîñöüýÁÇÉÎÑÖÜÝ")


class _Pseudo(gettext.NullTranslations):
    """An invented language, 40 % longer than English, that reveals untranslated texts and texts that are too long."""

    def gettext(self, message: str) -> str:
        parts = _NOT_ACCENTED.split(message)
        accented = "".join(part if k % 2 else part.translate(_ACCENTED) for k, part in enumerate(parts))
        return f"[{accented}{'~' * max(1, round(0.4 * len(message)) - 2)}]"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class _InUse:
    """The language in use; `current` chooses it where `use` has not."""

    code = ""
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use(code: str) -> None:
    """Use a language from now on, also in helper processes started later; English in place of an unknown one."""
    _InUse.code = code if code in (*LANGUAGES, PSEUDO) else ENGLISH
    _InUse.catalogue = _catalogue(_InUse.code)
    os.environ[VARIABLE] = _InUse.code
    os.environ["LANGUAGE"] = _InUse.code  # for the messages of argparse
    if _InUse.code != ENGLISH:
        gettext.bindtextdomain(DOMAIN, str(shipped_file("language")))
        gettext.textdomain(DOMAIN)


def current() -> str:
    """The code of the language in use."""
    if not _InUse.code:
        use(choose())
    return _InUse.code


def choose(asked: str = "", preferred: str = "") -> str:
    """The first known language: the one asked for, the environment's, the preferred one, the system's, or English."""
    wanted = (asked, os.environ.get(VARIABLE, ""), preferred, *_of_system())
    known = (language for language in map(_code, wanted) if language)
    return next(known, ENGLISH)


def tr(text: str, *, about: str = "", **values: object) -> str:
    """A text in the language in use, with values in place of their names.

    `about` distinguishes texts that are equal in English only, such as light colours and light letters.
    """
    current()
    catalogue = _InUse.catalogue
    translated = catalogue.pgettext(about, text) if about else catalogue.gettext(text) if text else text
    return translated.format(**values) if values else translated


def trn(one: str, many: str, count: int, **values: object) -> str:
    """A text with a number, in the right plural form; `{count}` stands for the number."""
    current()
    return _InUse.catalogue.ngettext(one, many, count).format(count=number(count), **values)


def listed(words: Sequence[str]) -> str:
    """ "one", "one and two", "one, two and three"."""
    *others, last = words
    return tr("{others} and {last}", others=", ".join(others), last=last) if others else last


def begun(text: str) -> str:
    """Words with a capital first letter; the other letters stay as they are."""
    return text[:1].upper() + text[1:]


def number(value: float, digits: int = 0) -> str:
    """A number with `digits` digits after the decimal point, as the language writes it, its thousands apart.

    >>> number(9144), number(1234.56, 1)
    ('9,144', '1,234.6')
    """
    if current() in (ENGLISH, PSEUDO) or (not digits and abs(round(value)) < FIRST_GROUPED):
        return f"{value:,.{digits}f}"
    from babel.numbers import format_decimal

    return format_decimal(value, "#,##0." + "0" * digits, locale=current())


def reason(problem: OSError) -> str:
    """The reason that the system gives for an error, in the language in use."""
    return shown(problem.strerror or str(problem))


class StoredText(str):
    """An English text that is kept and shown later: its key in the catalogue, and the values of its placeholders.

    As a string it is the English sentence, for logs and files; `shown` gives it in the language in use.

    >>> text = StoredText("larger than {limit} megapixels", limit=200)
    >>> text, text.key, unpacked_text(packed_text(text)) == text
    ('larger than 200 megapixels', 'larger than {limit} megapixels', True)
    """

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> "StoredText":
        text = super().__new__(cls, _filled(key, values))
        text.key, text.values = key, values
        return text


def shown(text: str) -> str:
    """A stored text in the language in use; another text is looked up as it is."""
    if not isinstance(text, StoredText):
        return tr(text)
    values = {name: shown(value) if isinstance(value, StoredText) else value for name, value in text.values.items()}
    return _filled(tr(text.key), values)


def packed_text(text: str) -> Any:
    """A text for JSON: a stored text as its key and values, any other text unchanged."""
    if not isinstance(text, StoredText):
        return text
    return [text.key, {name: packed_text(v) if isinstance(v, str) else v for name, v in text.values.items()}]


def unpacked_text(content: Any, inner: bool = False) -> str:
    """The text that `packed_text` packed; a ValueError for anything else. Values may be packed texts themselves."""
    match content:
        case str():
            return content
        case [str(key), dict(values)] if all(isinstance(value, int | float | str | list) for value in values.values()):
            if not (inner and values):
                return StoredText(
                    key, **{n: unpacked_text(v, True) if isinstance(v, list) else v for n, v in values.items()}
                )
    raise ValueError("not a stored text")


def _filled(text: str, values: Mapping[str, object]) -> str:
    """A text with values in place of their names, without `str.format`, which would obey codes in foreign files."""
    return _PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)


def moment(when: datetime) -> str:
    """A date and time of day, such as "3 August 2019, 14:05"."""
    from babel.dates import format_datetime

    return format_datetime(when, tr("d MMMM y, HH:mm"), locale=tag())


def days(first: date, last: date) -> str:
    """A range of days, such as "4–6 July 2026", in the language in use.

    >>> days(date(2026, 7, 4), date(2026, 7, 6)), days(date(2026, 7, 4), date(2026, 7, 4))
    ('4–6 July 2026', '4 July 2026')
    >>> days(date(2026, 7, 30), date(2026, 8, 2)), days(date(2026, 12, 30), date(2027, 1, 2))
    ('30 July – 2 August 2026', '30 December 2026 – 2 January 2027')
    """
    from babel.core import Locale
    from babel.dates import format_date

    known = Locale.parse(_dating())
    parts = known.interval_formats["yMMMd"]
    largest = next(
        (
            name
            for name, unit in zip("yMd", ("year", "month", "day"), strict=True)
            if getattr(first, unit) != getattr(last, unit)
        ),
        "",
    )
    patterns = parts[largest] if largest else (known.datetime_skeletons["yMMMd"].pattern,)
    ends = zip((first, last), patterns, strict=False)
    words = (format_date(day, pattern.replace("MMM", "MMMM"), locale=known) for day, pattern in ends)
    return "".join(words).replace("\N{THIN SPACE}", " ")


def day_in(day: date, skeleton: str) -> str:
    """The parts of a date that a skeleton such as `yMMM` names, in the language in use."""
    from babel.dates import format_skeleton

    return format_skeleton(skeleton, day, locale=_dating() if "d" in skeleton else tag())


def _dating() -> str:
    """The language whose order of day and month is meant; in English the day comes first, as everywhere here."""
    return "en_GB" if tag() == ENGLISH else tag()


def tag() -> str:
    """The code of the language in use as the web and Babel know it."""
    return ENGLISH if current() == PSEUDO else current()


def short_number(value: float) -> str:
    """A number with as few digits as it needs, as the language writes it."""
    return f"{value:g}".replace(".", number(0.0, 1)[1])


def _of_system() -> Iterator[str]:
    """The languages of the system's user, the preferred one first."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            yield from os.environ[variable].split(":")
            return
    yield locale.getlocale()[0] or ""


@cache
def _code(name: str) -> str:
    """The code of a known language, from `de`, `de_AT.UTF-8` or Windows' `German_Germany`; "" for other languages."""
    if name == PSEUDO:
        return name
    first = re.split(r"[_.@-]", name)[0]
    code = re.split(r"[_.@-]", locale.normalize(first))[0]
    return ENGLISH if code in ("C", "POSIX") else code if code in LANGUAGES else ""


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == PSEUDO:
        return _Pseudo()
    if code == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, str(shipped_file("language")), [code])


def use_for(words: list[str], preferred: str) -> list[str]:
    """Choose the language for a command line; return its words without `--lang CODE`."""
    asked, rest = _asked(words)
    use(choose(asked, preferred))
    if asked and current() != asked:
        codes = ", ".join(LANGUAGES)
        raise UsageError(tr("There is no language “{asked}”; choose one of {codes}.", asked=asked, codes=codes))
    return rest


def _asked(words: list[str]) -> tuple[str, list[str]]:
    for place, word in enumerate(words):
        if word == "--":
            break
        if word.startswith(f"{OPTION}="):
            return word.partition("=")[2], [*words[:place], *words[place + 1 :]]
        if word == OPTION and place + 1 < len(words):
            return words[place + 1], [*words[:place], *words[place + 2 :]]
    return "", words
