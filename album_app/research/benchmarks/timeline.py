"""Measures what a timeline costs: how well columns follow dates, and by how much DPQ16 by look falls.

The weight that the program proposes was chosen on the sample album; figures of other folders show what it does there.
"""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from album_app.cli.files import refuse_foreign
from album_app.cli.sheet_arguments import add_force
from album_app.layout import Options, Pins, ShapeSpec, arrange, build_shape
from album_app.layout.editing.timeline import USUAL_WEIGHT, blended, flow, timeline_pins
from album_app.layout.evaluation.scores import dpq
from album_app.own_files import SHEET
from album_app.paths import NOTHING_FOREIGN, Replacing
from album_app.photos.album import Photo, scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.features.extractor import Features
from album_app.photos.time_order import by_file_time
from album_app.research.experiments.study import Row, curve, save_figure
from album_app.sample.sample_album import sample_folder

WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9)
"""The weights of time that are compared, from 0 (look alone) to 1 (time alone)."""
HEAD = "| weight of time | rank correlation of column and date | DPQ16 by look | given up |\n|---|---|---|---|"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="*", type=Path, help="also measure these folders of dated photos")
    parser.add_argument("--seeds", type=int, default=3, help="sheets per weight (3)")
    parser.add_argument("--features", nargs="+", default=["lab", "semantic"], metavar="NAME", help="(lab semantic)")
    parser.add_argument("-o", "--output", type=Path, metavar="PICTURE", help="also draw the curves into this picture")
    add_force(parser, has_folder=False)


def run(arguments: argparse.Namespace) -> int:
    replacing = Replacing(arguments.force, tuple(arguments.folder))
    if arguments.output is not None:
        refuse_foreign(arguments.output, SHEET, replacing)
    rows: list[Row] = []
    for folder in [None, *arguments.folder]:
        for name in arguments.features:
            rows += compare(folder, name, arguments.seeds)
    if arguments.output is not None:
        draw(rows, arguments.output, replacing)
    return 0


def compare(folder: Path | None, features: str, seeds: int, weights: Sequence[float] = WEIGHTS) -> list[Row]:
    """Print the table of one album, without a timeline and then with each weight, and return its figures."""
    with Cache.open() as cache:
        photos = scan(folder or sample_folder(), cache=cache, decode_for=math.inf).photos
        look = album_features(photos, features, cache)
    name = folder.name if folder else "sample album"
    doubtful = len(by_file_time(photos))
    print(f"\n{name}, {features}: {len(photos)} photos, {doubtful} dated by their file time only, {seeds} seeds")
    print(HEAD)
    without = float(np.mean([found["dpq16"] for found in sheets(photos, look, None, seeds)]))
    print(f"| no timeline | – | {without:.3f} | – |", flush=True)
    rows = []
    for weight in weights:
        found = sheets(photos, look, weight, seeds)
        rank, quality = (float(np.mean([row[key] for row in found])) for key in ("rank", "dpq16"))
        usual = ", proposed" if weight == USUAL_WEIGHT else ""
        print(f"| {weight:g}{usual} | {rank:.3f} | {quality:.3f} | {without - quality:.3f} |", flush=True)
        rows += [{"album": f"{name}, {features}", "weight": weight, **row} for row in found]
    return rows


def sheets(photos: Sequence[Photo], look: Features, weight: float | None, seeds: int) -> list[Row]:
    """The figures of sheets whose sides are pinned by date, with this weight of time; None is a sheet without both."""
    shape = build_shape(ShapeSpec(), len(photos))
    pins = Pins() if weight is None else timeline_pins(photos, look, shape)
    rows: list[Row] = []
    for seed in range(seeds):
        options = Options(seed=100 + seed, time_weight=weight or 0.0)
        layout = arrange(blended(look, photos, weight or 0.0), shape, pins, options)
        shown = layout.photo_at >= 0
        quality = dpq(look[layout.photo_at[shown]], shape.cells[shown])
        rows.append({"seed": seed, "rank": flow(layout, photos), "dpq16": quality})
    return rows


def draw(rows: Sequence[Row], path: Path, replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Plot both figures over the weight of time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    titles = {"rank": "rank correlation of column and date", "dpq16": "DPQ16 by look alone"}
    for axes, (column, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        for album in dict.fromkeys(row["album"] for row in rows):
            curve(axes, [row for row in rows if row["album"] == album], column, "weight", str(album))
        axes.axvline(USUAL_WEIGHT, color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlabel("weight of time")
        axes.set_title(title, fontsize=10)
    figure.axes[0].legend(fontsize=8)
    save_figure(figure, path, replacing)
