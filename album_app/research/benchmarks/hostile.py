"""Reads files that mean no good, made for it and in any folders named, and tells what became of each.

Every file must be shown or given a reason; it falls where one is neither, or where a decoder's process ended over one.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from album_app.file_names import printable
from album_app.memory import children_peak_bytes
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.limits import MOST_MEMORY, MOST_SECONDS
from album_app.photos.in_threads import batches_of, in_threads
from album_app.photos.sandbox import MAKES_FAIL, end_idle, readings
from album_app.photos.walk import Walk
from album_app.research.benchmarks.goal import Goal
from album_app.research.benchmarks.hostile_corpus import make_corpus

FILES_AT_ONCE = 16
SLOWEST = 5
PROCESS_ITSELF = 80 << 20
"""What a decoding process takes before it has seen a file."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="further folders of files to try")


@dataclass
class Tally:
    """What became of the files so far."""

    shown: int = 0
    damaged: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    seconds: dict[Path, float] = field(default_factory=dict)

    def count(self, path: Path, reason: str, damage: str, seconds: float) -> None:
        self.seconds[path] = seconds
        self.shown += not reason
        self.damaged += bool(damage)
        self.reasons.update([reason] if reason else [])


def run(arguments: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as place:
        print("making the files", flush=True)
        make_corpus(Path(place))
        tally, tried = _try_all([Path(place), *arguments.folders])
    _print(tally, tried)
    goals = [
        Goal("files that were neither shown nor given a reason", tried - tally.shown - tally.reasons.total(), most=0),
        Goal("files that ended a decoder's process", tally.reasons[MAKES_FAIL], most=0),
        Goal("seconds of the slowest, by the clock on the wall", max(tally.seconds.values(), default=0.0)),
        Goal("MB of memory at most", _peak() / 1e6, most=(MOST_MEMORY + PROCESS_ITSELF) / 1e6),
    ]
    for goal in goals:
        print(goal)
    return int(not all(goal.reached for goal in goals))


def _try_all(folders: Sequence[Path]) -> tuple[Tally, int]:
    """Read everything there is in folders, as opening them does."""
    tally, paths, tried = Tally(), [], 0
    for item in Walk(folders, True, None):
        tried += 1
        if item.trouble:
            tally.count(item.path, item.trouble, "", 0.0)
        else:
            paths.append(item.path)

    def read(batch: Sequence[int]) -> Generator[tuple[Path, str, str, float], None, None]:
        begun = time.perf_counter()
        for index, found in zip(batch, readings([paths[i] for i in batch]), strict=True):
            now = time.perf_counter()
            reason, damage = (found.reason, "") if isinstance(found, Undecodable) else ("", found.damage)
            yield paths[index], reason, damage, now - begun
            begun = now

    for done, result in enumerate(in_threads(read, batches_of(len(paths), FILES_AT_ONCE)), 1):
        tally.count(*result)
        if sys.stderr.isatty():
            print(f"\r{done} of {len(paths)}", end="", file=sys.stderr, flush=True)
    return tally, tried


def _print(tally: Tally, tried: int) -> None:
    print(f"{tried} files tried, {tally.shown} shown, {tally.damaged} of them marked as damaged")
    for reason, count in tally.reasons.most_common():
        print(f"{count:>8}  {reason}")
    print("slowest")
    for path, seconds in sorted(tally.seconds.items(), key=lambda item: -item[1])[:SLOWEST]:
        print(f"{seconds:>8.1f} s  {printable(path.name)}")
    print(f"limits: {MOST_MEMORY >> 20} MB and {MOST_SECONDS} s of processor time a file")


def _peak() -> float:
    """The most memory that any of the decoding processes took, in bytes."""
    end_idle()
    return children_peak_bytes()
