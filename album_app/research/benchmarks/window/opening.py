"""How long opening feels: the final sheet in the window beside `album-app arrange`, from an empty and a full cache."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from album_app.research.benchmarks.goal import Goal
from album_app.research.benchmarks.window.albums import album_of, own_cache

EMPTY, FULL = 1.5, 0.75
"""How many times as long as `arrange` with nothing cached the window may take, with nothing and with all cached."""
ROUNDS = 3

WINDOW_PROGRAM = """
import sys, time
from pathlib import Path
from album_app.research.benchmarks.window.albums import wait_for
from album_app.gui.window import app
began = float(sys.argv[1])
window = app.start([Path(sys.argv[2])])
session, jobs, photos = window.session, window.parts.jobs, window.parts.photos
canvas = window.workspace.canvas
wait_for(lambda: session.document is not None and session.is_settled and not jobs.visible
         and photos.pictures.complete and canvas.at_rest and not jobs.running("tiles"))
print(time.time() - began, flush=True)
wait_for(lambda: session.document.layout.scores and jobs.all_ended)
window.parts.shut_down()
"""
"""It stays, as a person would, until the sheet is judged and remembered."""


def opening(arguments: argparse.Namespace) -> Iterator[Goal]:
    """From starting the program to the final sheet with sharp tiles, the best of a few rounds that take turns."""
    command, empty, full = [], [], []
    with album_of(arguments.photos) as folder:
        for _ in range(ROUNDS):
            with own_cache():
                command.append(_arrange(folder))
            with own_cache():
                empty.append(_open(folder))
                full.append(_open(folder))
    alone = min(command)
    yield Goal(f"arrange, {arguments.photos} photos, empty cache", alone, unit="s")
    yield Goal("final sheet in the window / arrange, empty cache", min(empty) / alone, most=EMPTY, note=_told(empty))
    yield Goal("final sheet in the window / arrange, full cache", min(full) / alone, most=FULL, note=_told(full))


def _told(seconds: list[float]) -> str:
    return f"{min(seconds):.2f} s"


def _arrange(folder: Path) -> float:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="album-bench-") as place:
        words = ["arrange", str(folder), "--project", f"{place}/sheet.album"]
        subprocess.run([sys.executable, "-m", "album_app", *words], check=True, capture_output=True)
    return time.perf_counter() - start


def _open(folder: Path) -> float:
    words = [sys.executable, "-c", WINDOW_PROGRAM, str(time.time()), str(folder)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
