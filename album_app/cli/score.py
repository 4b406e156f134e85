"""`album-app score REPORT --features NAME FOLDER`: scores the sheet of a report by other features."""

import argparse
from pathlib import Path

from album_app.cli.progress import progress_bars
from album_app.cli.sheet_arguments import add_quiet, folder_path
from album_app.language import mark, tr
from album_app.layout.options import Options
from album_app.photos.cache import Cache
from album_app.photos.features import choices, extractor

EXAMPLES = mark("""examples:
  album-app score crete.json Crete                         with colours
  album-app score crete.json --features semantic Crete     with what the photos show

Prints one figure a line: dpq16 and pin_pull are better the nearer to 1, coverage below 1 beats a random choice.
""")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = tr(EXAMPLES)
    parser.add_argument("report", type=Path, metavar=tr("REPORT"), help=tr("what `album-app arrange --report` wrote"))
    parser.add_argument(
        "folder", type=folder_path, metavar=tr("FOLDER"), help=tr("the photos that the report is about")
    )
    parser.add_argument("--features", default=Options.features, metavar=tr("NAME"), help=choices())
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    from album_app.cli.files import read_album
    from album_app.cli.reports import SCORES, read_report, rebuilt
    from album_app.layout.evaluation.scores import layout_scores
    from album_app.photos.album_features import album_features

    extractor(arguments.features)
    report = read_report(arguments.report)

    bars = progress_bars(arguments.quiet)
    with Cache.open() as cache:
        album = read_album(arguments.folder, bars, cache)
        layout, active = rebuilt(report, album)
        with bars(tr("Looking at photos")) as on_progress:
            features = album_features(album.photos, arguments.features, cache, on_progress=on_progress)
    scores = layout_scores(layout, features, active)
    counts = {"photos": len(active), "cells": report.cells, "shown": len(layout.shown), "repeats": layout.repeats}
    for name, value in {"features": arguments.features, **counts}.items():
        print(name, value)
    for name in SCORES:
        print(f"{name} {scores[name]:.4f}" if name in scores else f"{name} -")
    return 0
