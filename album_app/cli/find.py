"""`album-app find FOLDER WORD` or `--like PHOTO`: photos that show a word or are like others, the best match first."""

import argparse
import json
import sys
from typing import Any

from album_app.cli.progress import Bars, progress_bars
from album_app.cli.sheet_arguments import add_folder, add_quiet
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.photos.album import Album
from album_app.photos.cache import Cache
from album_app.photos.features import extractor


def configure(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument(
        "words",
        nargs="*",
        metavar=tr("WORD"),
        help=tr("what the photos show, in English or German"),
    )
    parser.add_argument(
        "--like",
        action="append",
        default=[],
        metavar=tr("PHOTO"),
        help=tr("list all photos by their likeness to this photo of FOLDER instead; repeatable"),
    )
    parser.add_argument(
        "--unlike",
        action="append",
        default=[],
        metavar=tr("PHOTO"),
        help=tr("with --like: list photos that are like this one later; repeatable"),
    )
    parser.add_argument(
        "--features", metavar=tr("NAME"), help=tr("compare photos for --like by these features (default: semantic)")
    )
    parser.add_argument(
        "--text-model",
        metavar=tr("FILE"),
        help=tr("find by the text-image model with these weights (default: the one in the preferences)"),
    )
    parser.add_argument("--json", action="store_true", help=tr("print names and the certainty of each as JSON"))
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.files import read_album

    _check(arguments)

    bars = progress_bars(arguments.quiet)
    with Cache.open() as cache:
        album = read_album(arguments.folder, bars, cache)
        if arguments.like:
            found = _alike(arguments, album, cache, bars)
    if not arguments.like:
        found = _showing(" ".join(arguments.words), album, bars, arguments.text_model)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        for photo in found["photos"]:
            print(printable(photo["path"]))
    return 0 if found["photos"] else 1


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict each other or have no effect."""
    if bool(arguments.words) == bool(arguments.like):
        raise UsageError(tr("Name what the photos show, or photos that they are like with --like."))
    if arguments.text_model and arguments.like:
        raise UsageError(tr("{name} has no effect without {needed}.", name="--text-model", needed=tr("WORD")))
    for name, given in (("--unlike", arguments.unlike), ("--features", arguments.features)):
        if given and not arguments.like:
            raise UsageError(tr("{name} has no effect without {needed}.", name=name, needed="--like"))
    if arguments.features:
        extractor(arguments.features)


def _alike(arguments: argparse.Namespace, album: Album, cache: Cache, bars: Bars) -> dict[str, Any]:
    """All photos by their likeness to those of --like and their unlikeness to those of --unlike."""
    from album_app.cli.wishes import photo_named
    from album_app.photos.album_features import album_features
    from album_app.photos.find import by_likeness

    like, unlike = ([photo_named(album, name) for name in names] for names in (arguments.like, arguments.unlike))
    both = sorted(set(like) & set(unlike))
    if both:
        name = printable(album.photos[both[0]].name)
        raise UsageError(tr("{name} cannot be wanted and unwanted at once.", name=name))
    with bars(tr("Looking at photos")) as on_progress:
        features = album_features(album.photos, arguments.features or "semantic", cache, on_progress=on_progress)
    ranked, alike = by_likeness(features, like, unlike)
    return {
        "photos": [
            {"path": str(album.photos[photo].path), "score": round(float(score), 3)}
            for photo, score in zip(ranked, alike, strict=True)
        ]
    }


def _showing(text: str, album: Album, bars: Bars, text_model: str | None) -> dict[str, Any]:
    """The photos that show what a text names; words that the program does not know are reported."""
    from album_app.cli.wishes import look_for
    from album_app.photos.find import unknown_words

    found = look_for(text, album.photos, bars, text_model)
    if found.unknown:
        print(f"album-app: {unknown_words(found)}", file=sys.stderr)
    hits = [{"path": str(album.photos[hit.photo].path), "score": round(hit.score, 3)} for hit in found.hits]
    return {"unknown": found.unknown, "nearest": found.nearest, "photos": hits}
