"""The command `album-app`: a table of commands, each in a module that is imported only when it runs.

A command's module offers `configure(parser)`, which adds its arguments, and `run(arguments) -> int`.

- arrange: `album-app arrange FOLDER -o SHEET`: a folder of photos in, a sheet out
- cache: `album-app cache`: shows or clears the cache of thumbnails and features
- demo: `album-app demo`: the built-in sample album with pinned corners, in the window or as a picture
- files: the files of a command: reads the photos of a folder, and refuses to replace files of other origin
- find: `album-app find FOLDER WORD` or `--like PHOTO`: photos that show a word or are like others, the best match first
- gui: `album-app [FOLDER | PROJECT.album | photos...]`: the desktop program
- install_desktop: `album-app install-desktop`: puts the program into the menus of a Linux desktop, or removes it
- outliers: `album-app outliers FOLDER`: the photos that fit badly anywhere, the worst fit first
- pipeline: a folder becomes a sheet: the steps that `arrange` and `demo` share
- progress: progress bars on standard error, shown on a terminal, or where the user asks for them
- reports: the report of a sheet as JSON: what `arrange` writes and `score` reads
- score: `album-app score REPORT --features NAME FOLDER`: scores the sheet of a report by other features
- sheet_arguments: arguments that describe a sheet: files, shape, pins, order and look
- twins: `album-app twins FOLDER`: which photos are near-duplicates of each other, best first, as a CSV
- wishes: reads wishes about single photos and pages: pins, crops, sizes, photos that are shown in any case or left
  out, held projects, titles of chapters
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from album_app import __version__
from album_app.errors import AlbumError, Stopped, UsageError
from album_app.file_names import bounded, printable
from album_app.language import LANGUAGES, OPTION, begun, mark, reason, tr, use_for
from album_app.log import logged
from album_app.state_files import read_preferences

COMMANDS = {
    "gui": mark("open the desktop program (what plain `album-app` does)"),
    "arrange": mark("arrange a folder of photos and write the sheet"),
    "demo": mark("arrange the built-in sample album"),
    "score": mark("score a report that `arrange` wrote"),
    "find": mark("find photos by what they show, or by their likeness to others"),
    "outliers": mark("list the photos that fit badly anywhere"),
    "twins": mark("list near-duplicates and the best of each stack"),
    "cache": mark("show or clear the cache of thumbnails and features"),
    "install-desktop": mark("put the program into the menus of a Linux desktop, or take it out"),
    "train": mark("train or evaluate the ResNet20 that ships with the program"),
    "bench": mark("measure the solver, the photo pipeline, the layouts or the window"),
    "experiment": mark("reproduce a figure of the paper"),
}
FOR_RESEARCHERS = ("train", "bench", "experiment")
"""Commands whose modules are in `album_app.research.commands`; no other command loads that room."""

EXAMPLES = mark("""examples:
  album-app                                    open the window
  album-app ~/Pictures/Crete                   open the window on a folder
  album-app --sample                           open the window on the built-in sample album
  album-app demo                               the same with its four corners pinned
  album-app arrange ~/Pictures/Crete -o crete.pdf --paper A2
  album-app arrange ~/Pictures/Crete -o crete.png --text "CRETE" --pin-preset letters
""")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 could not, 2 wrong usage.

    If the reader of the output closes it early, as `head` does, the command ends without a message.
    """
    try:
        code = _run(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        with suppress(OSError, ValueError):  # Python flushes once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(argv: Sequence[str] | None) -> int:
    _print_anything()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        words = use_for(words, _preferred_language())
        if not words or words[0] not in (*COMMANDS, "-h", "--help", "--version"):
            words = ["gui", *words]
        _check_words(words)
        arguments = _parser(words[0]).parse_args(words)
        with logged():
            return int(arguments.run(arguments))
    except SystemExit as request:
        return request.code if isinstance(request.code, int) else 2
    except (KeyboardInterrupt, Stopped):
        _complain(tr("stopped"))
        return 1
    except BrokenPipeError:
        raise
    except AlbumError as error:
        _complain(str(error))
        return 2 if isinstance(error, UsageError) else 1
    except Exception as error:
        if os.environ.get("ALBUM_APP_DEBUG"):
            raise
        _complain(_unforeseen(error))
        return 1


def _preferred_language() -> str:
    """The language in the window's preferences, read without loading the window."""
    return str(read_preferences().get("preferences/language", ""))


def _check_words(words: Sequence[str]) -> None:
    """Refuse words that no file can have as its name."""
    for word in words:
        try:
            os.fsencode(word)
        except UnicodeEncodeError:
            raise UsageError(tr("“{word}” is no text.", word=printable(word))) from None
        if "\0" in word:
            raise UsageError(tr("“{word}” is no text.", word=printable(word)))


def _complain(sentence: str) -> None:
    """Print one line of limited length to standard error, without unprintable characters."""
    print(f"album-app: {bounded(printable(sentence))}", file=sys.stderr)


def _unforeseen(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{os.fsdecode(error.filename)}: {reason(error)}" if error.filename else reason(error)
    return tr("unexpected {name}: {error} (ALBUM_APP_DEBUG=1 shows where)", name=type(error).__name__, error=error)


def _print_anything() -> None:
    """Let names of photos be printed even if the terminal lacks some of their characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong usage in one line, without the usage that argparse would print first."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(tr("{message} (see {prog} --help)", message=message, prog=self.prog))


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser with all commands, as the help lists them, and with the arguments of `command`."""
    parser = Parser(
        prog="album-app",
        description=tr("Turns a folder of photos into a sheet where every picture sits next to its kin."),
        epilog=tr(EXAMPLES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version_help = tr("show program's version number and exit")
    parser.add_argument("--version", action="version", version=f"album-app {__version__}", help=version_help)
    known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    parser.add_argument(
        OPTION,
        metavar=tr("CODE"),
        help=tr("use this language: {known} (default: the preferred one, or the system's)", known=known),
    )
    commands = parser.add_subparsers(title=tr("commands"), metavar=tr("COMMAND"), required=True)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(
            name, help=tr(summary), description=begun(tr(summary)), formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == command:
            folder = "research.commands" if name in FOR_RESEARCHERS else "cli"
            module = importlib.import_module(f"album_app.{folder}.{name.replace('-', '_')}")
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return parser
