"""Measures the window: frames, the way from a drop to its layout, stalls, start-up and memory.

Every part runs in a process of its own, without a screen unless --screen says so, on the photos of the sample album.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from album_app.research.benchmarks.goal import Goal

MEASURES = {
    "frames": "time per frame while every tile moves",
    "latency": "from a drop to the first layout that moves other photos, painted",
    "stalls": "longest gap between timer ticks during scan, decode, features, solve and export",
    "opening": "the final sheet in the window beside `album-app arrange`, from an empty and a full cache",
    "start": "from the command to a visible window",
    "memory": "with the largest album open",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only", choices=MEASURES, help="; ".join(f"{name}: {what}" for name, what in MEASURES.items())
    )
    parser.add_argument("--photos", type=int, default=320, help="photos for latency and stalls (default 320)")
    parser.add_argument("--largest", type=int, default=10_000, help="photos for frames and memory (default 10000)")
    parser.add_argument("--drops", type=int, default=50, help="drops for the latency (default 50)")
    parser.add_argument("--screen", action="store_true", help="use the screen instead of painting into memory")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.screen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if arguments.only is None:
        return max(_run_alone(name, arguments) for name in MEASURES)
    for goal in _measure(arguments.only)(arguments):
        print(goal, flush=True)
    return 0


def _run_alone(name: str, arguments: argparse.Namespace) -> int:
    """Measure one thing in a fresh process, so that none feels what another left behind."""
    words = [f"--{option}={getattr(arguments, option)}" for option in ("photos", "largest", "drops")]
    if arguments.screen:
        words.append("--screen")
    return subprocess.run(
        [sys.executable, "-m", "album_app", "bench", "gui", f"--only={name}", *words], check=False
    ).returncode


def _measure(name: str) -> Callable[[argparse.Namespace], Iterator[Goal]]:
    from album_app.research.benchmarks.window import measurements, opening

    return {
        "frames": measurements.frames,
        "latency": measurements.latency,
        "stalls": measurements.stalls,
        "opening": opening.opening,
        "start": measurements.start_up,
        "memory": measurements.memory,
    }[name]
