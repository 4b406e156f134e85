"""Measures the memory and time of large exports of the sample album's 320 photos, each in a process of its own."""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from album_app.layout import Layout, Pins, Shape, rectangle
from album_app.memory import peak_bytes
from album_app.photos.album import scan
from album_app.render import FORMATS, RenderSettings, export, plan_export
from album_app.research.benchmarks import Goal
from album_app.sample.sample_album import sample_folder

MEGAPIXELS = (100.0, 515.0, 1100.0)
"""Sizes of the sheets."""
MOST_MB = 500
"""The memory that an export may take at most."""
SHAPE = rectangle(16, 20)
WITHOUT_GOAL = ("WebP",)
"""Formats whose encoder needs the whole picture in memory."""


def configure(parser: argparse.ArgumentParser) -> None:
    kinds = [name for name, kind in FORMATS.items() if not kind.to_look_around]
    parser.add_argument("--megapixels", nargs="+", type=float, default=MEGAPIXELS, help="how large the sheets are")
    parser.add_argument("--formats", nargs="+", choices=kinds, default=["PNG", "JPEG", "TIFF", "PDF"])


def run(arguments: argparse.Namespace) -> int:
    sample_folder()
    goals = []
    for name in arguments.formats:
        for megapixels in arguments.megapixels:
            goals.append(_measured_elsewhere(name, megapixels))
            print(goals[-1], flush=True)
    return 0 if all(goal.reached for goal in goals) else 1


def _measured_elsewhere(name: str, megapixels: float) -> Goal:
    words = [sys.executable, "-m", __name__, name, str(megapixels)]
    found = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    note = f"{found['processor']:.1f} s of the processor, {found['bytes'] / 1e6:,.0f} MB written"
    what = f"{name}, {found['pixels'] / 1e6:,.0f} megapixels, peak"
    return Goal(what, found["peak"] / 1e6, most=None if name in WITHOUT_GOAL else MOST_MB, unit="MB", note=note)


def measured(name: str, megapixels: float, folder: Path | None = None, shape: Shape = SHAPE) -> dict[str, float]:
    """Write a sheet of a folder, or of the sample album; its size, peak memory and processor time."""
    album = scan(folder or sample_folder())
    layout = Layout(shape, np.arange(shape.count), np.ones(shape.count, np.float32), Pins())
    settings = RenderSettings(cell=round((megapixels * 1e6 / shape.count) ** 0.5), gap=0, margin=0)
    with tempfile.TemporaryDirectory(prefix="album-bench-") as place:
        plan = plan_export(layout, Path(place) / f"sheet{FORMATS[name].suffixes[0]}", settings)
        began = time.process_time()
        (file,) = export(layout, album, plan)
        size = file.stat().st_size
    processor = time.process_time() - began
    return {"pixels": plan.page.pixels, "bytes": size, "processor": processor, "peak": peak_bytes()}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], float(sys.argv[2]))))
