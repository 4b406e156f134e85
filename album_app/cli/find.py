"""`album-app find FOLDER WORD`: the photos that show what a word names, the surest first."""

import argparse
import json
import sys
from pathlib import Path

from album_app.language import tr


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar=tr("FOLDER"), help=tr("the photos, with all folders inside"))
    parser.add_argument(
        "words",
        nargs="+",
        metavar=tr("WORD"),
        help=tr("what the photos show, in English or German"),
    )
    parser.add_argument("--json", action="store_true", help=tr("print names and the certainty of each as JSON"))
    parser.add_argument("--quiet", action="store_true", help=tr("show no progress"))


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.pipeline import read_album
    from album_app.cli.progress import Bar
    from album_app.file_names import printable
    from album_app.photos.cache import Cache
    from album_app.photos.classes import classes_of
    from album_app.photos.everyday_words import word_for
    from album_app.photos.find import find, unknown_words
    from album_app.photos.finding_focus import focus_of

    def bars(label: str) -> Bar:
        return Bar(label, False if arguments.quiet else None)

    text = " ".join(arguments.words)
    with Cache.open() as cache:
        photos = read_album(arguments.folder, bars, cache).photos
    with bars(tr("Looking at photos")) as on_progress:
        classes = classes_of(photos, on_progress=on_progress)
    foci = {}
    if any(word is not None and word.with_faces for word in map(word_for, [text, *arguments.words])):
        with bars(tr("Looking for faces")) as on_progress:
            foci = dict(enumerate(focus_of(photos, on_progress=on_progress)))
    found = find(text, photos, classes, foci)
    if found.unknown:
        print(f"album-app: {unknown_words(found)}", file=sys.stderr)
    if arguments.json:
        hits = [{"path": str(photos[hit.photo].path), "score": round(hit.score, 3)} for hit in found.hits]
        print(json.dumps({"unknown": found.unknown, "nearest": found.nearest, "photos": hits}, indent=2))
    else:
        for hit in found.hits:
            print(printable(str(photos[hit.photo].path)))
    return 0 if found.hits else 1
