"""Which language the program speaks: `--lang CODE`, or what the environment, the preferences or the system say."""

import configparser
from contextlib import suppress

from album_app import language
from album_app.errors import UsageError
from album_app.language import mark, tr
from album_app.paths import preferences_file

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
"""What argparse says, by way of the same catalogue."""


def speak(words: list[str]) -> list[str]:
    """Choose the language; gives the words without the option that asked for it."""
    asked, rest = _asked(words)
    language.use(language.choose(asked, _preferred()))
    if asked and language.current() != asked:
        codes = ", ".join(language.LANGUAGES)
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


def _preferred() -> str:
    """What the window's preferences say, which is read without the window here."""
    kept = configparser.ConfigParser(interpolation=None, strict=False)
    with suppress(OSError, ValueError, configparser.Error):
        kept.read(preferences_file(), encoding="utf-8")
    return kept.get("preferences", "language", fallback="")
