"""Measures a choice of few photos among many: how well they cover all, how sharp, rich and large they are.

The weights were chosen by choosing 60 of 1,000 ImageNet samples and of 1,500 Caltech photos by colour; figures of other
folders show what they do there.
"""

import argparse
import math
from pathlib import Path

import numpy as np

from album_app.layout import Options, arrange, build_shape, parse_shape
from album_app.layout.evaluation.scores import coverage
from album_app.layout.options import CHOICES
from album_app.photos.album import scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.decoding.measures import CONTRAST, LAPLACIAN, QUALITY_KEY
from album_app.photos.faces import focus_of
from album_app.photos.quality import quality_of, ranks
from album_app.photos.read_once import known_rows

HEAD = "| chosen | coverage, random = 1 | lost | sharpness | contrast | pixels |\n|---|---|---|---|---|---|"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="+", type=Path, help="folders of more photos than are shown")
    parser.add_argument("--features", nargs="+", default=["lab", "semantic"], metavar="NAME", help="(lab semantic)")
    parser.add_argument("--shape", default="6x10", help="how many are shown (6x10)")


def run(arguments: argparse.Namespace) -> int:
    for folder in arguments.folder:
        with Cache.open() as cache:
            photos = scan(folder, cache=cache, decode_for=math.inf).photos
            focus_of(photos)
            quality = quality_of(photos, cache)
            measures = np.array([np.zeros(3) if row is None else row for row in known_rows(photos, QUALITY_KEY, cache)])
            looks = {name: album_features(photos, name, cache) for name in arguments.features}
        pixels = np.array([photo.width * photo.height for photo in photos])
        percentiles = [ranks(values) for values in (measures[:, LAPLACIAN], measures[:, CONTRAST], pixels)]
        shape = build_shape(parse_shape(arguments.shape), len(photos))
        for name, features in looks.items():
            print(f"\n{folder.name}, {name}: {shape.count} of {len(photos)} photos; mean percentiles\n{HEAD}")
            usual = math.nan
            for choose in CHOICES:
                layout = arrange(features, shape, options=Options(choose=choose), quality=quality)
                shown = sorted(layout.shown)
                covered = coverage(features, shown)
                usual = covered if choose == "varied" else usual
                found = " | ".join(f"{percentile[shown].mean():.2f}" for percentile in percentiles)
                print(f"| {choose} | {covered:.3f} | {100 * (covered / usual - 1):.1f} % | {found} |", flush=True)
    return 0
