"""Measures the way from files to features: photos per second for scan, thumbnails and every extractor.

The photos are read once beforehand, so that "cold" means an empty cache of this program, not an empty disk cache.
"""

import argparse
import math
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import UsageError
from album_app.photos.album import Photo, scan
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.decoding.colour import THUMBNAIL_SIDE
from album_app.photos.features import EXTRACTORS, Extractor, extractor, ready_titles
from album_app.photos.sandbox import end_idle, readings
from album_app.photos.thumbnails import load_thumbnails
from album_app.research.benchmarks import Goal
from album_app.sample.sample_album import kind_of, sample_folder
from album_app.work import batches_of, in_threads

FEATURES = ("rgb:40", *ready_titles())
THREADS = (1, 2)
PROCESSOR_ROUNDS = 3
PATIENCE = 6.0
"""Seconds after which a figure is not measured again."""


@dataclass(frozen=True)
class Kind:
    """Photos of one size that are made of the sample album's."""

    count: int
    size: tuple[int, int]  # width and height
    least: float  # the share of bare Pillow's speed at which they should be read
    distinct: int | None = None  # photos that are made, where the others are links to them


SMALL = Kind(9000, (300, 200), 0.95)
"""Photos that are small enough to be thumbnails as they are; they are measured all the way to their features."""
LARGER = (Kind(2000, (500, 375), 0.9), Kind(60, (4240, 2830), 0.95, distinct=12))
"""Photos that are shrunk to thumbnails; only their reading is measured."""

Thumbnails = list[NDArray[np.uint8]]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", help=f"a folder of photos (default: {SMALL.count} made of the sample album)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each figure is measured; the best one counts")
    parser.add_argument(
        "--features",
        nargs="*",
        default=list(FEATURES),
        metavar="NAME",
        help=f"extractors (default {' '.join(FEATURES)})",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.folder:
        return _measure(arguments.folder, {}, arguments)
    return measure_made(arguments, sample_folder())


def measure_made(
    arguments: argparse.Namespace, album: Path, small: Kind = SMALL, larger: Sequence[Kind] = LARGER
) -> int:
    """Measure photos of several sizes that are made of an album."""
    with tempfile.TemporaryDirectory() as place:
        made = {}
        for kind in larger:
            width, height = kind.size
            made[_made(Path(place) / f"larger {width}", kind, album)] = f"{width} x {height}", kind.least
        return _measure(_made(Path(place) / "small", small, album), made, arguments)


def _made(place: Path, kind: Kind, album: Path) -> str:
    """A folder of photos of one size: those of an album, linked until there are enough of them."""
    place.mkdir()
    for i, photo in enumerate(scan(album).photos[: kind.distinct or kind.count]):
        Image.open(photo.path).convert("RGB").resize(kind.size).save(place / f"{i}.jpg", quality=85)
    made = sorted(place.iterdir())
    for i in range(len(made), kind.count):
        (place / f"{i}.jpg").hardlink_to(made[i % len(made)])
    return str(place)


def _measure(folder: str, larger: Mapping[str, tuple[str, float]], arguments: argparse.Namespace) -> int:
    """Measure the photos of a folder up to their features; of larger photos only how fast they are read."""
    photos = scan(folder).photos
    if not photos:
        raise UsageError(f"there are no photos in {folder}")
    extractors = [extractor(name) for name in arguments.features]
    print(f"{len(photos)} photos in {folder}; photos a second, best of {arguments.rounds}\n")
    clock = Clock(len(photos), arguments.rounds)
    goals = _files(folder, photos, clock)
    for folder_of_larger, (size, least) in larger.items():
        goals += _larger(folder_of_larger, size, least, arguments.rounds)
    if extractors:
        goals += [*_features(photos, extractors, clock), *_kinds(extractors)]
    print()
    for goal in goals:
        print(goal)
    return 0


@dataclass(frozen=True)
class Clock:
    """Times work on all the photos, several times over."""

    photos: int
    rounds: int

    def rates(self, *works: Callable[[], object]) -> list[float]:
        """Photos per second of each work; the works take turns, so that a slow moment of the machine affects all."""
        best = [float("inf")] * len(works)
        began = time.perf_counter()
        for _ in range(self.rounds):
            for i, work in enumerate(works):
                start = time.perf_counter()
                work()
                best[i] = min(best[i], time.perf_counter() - start)
            if time.perf_counter() - began > PATIENCE * len(works):
                break
        return [self.photos / seconds for seconds in best]


def _line(label: str, rates: Sequence[float]) -> None:
    print(f"{label:<44}" + "".join(f"{rate:>12,.0f}" for rate in rates), flush=True)


def _files(folder: str, photos: Sequence[Photo], clock: Clock) -> list[Goal]:
    """Reading a folder, compared with Pillow alone, which only makes small JPEGs."""
    print(f"{'':<44}{'2 threads':>12}")
    with tempfile.TemporaryDirectory() as place, Cache.open(Path(place)) as cache:
        read = partial(_read, folder, cache)
        headers, bare, ours, again, thumbnails = clock.rates(
            lambda: scan(folder), partial(_bare_pillow, photos), partial(_fill, cache, read), read,
            partial(load_thumbnails, photos, cache),
        )  # fmt: skip
        milliseconds = _processor(len(photos), partial(_bare_pillow, photos), partial(_fill, cache, read))
    _line("headers alone", [headers])
    _line("thumbnails by bare Pillow (draft, thumbnail)", [bare])
    _line("read: size, date, thumbnail, features, cache", [ours])
    _line("read again, unchanged", [again])
    _line("thumbnails from the cache, as pixels", [thumbnails])
    return [
        Goal("read with rgb features / bare Pillow, 2 threads each", ours / bare, SMALL.least),
        _by_processor(milliseconds, SMALL.least),
        Goal("seconds to read 10,000 unchanged photos again", 10_000 / again, most=3),
    ]


def _larger(folder: str, size: str, least: float, rounds: int) -> Iterator[Goal]:
    """Reading photos that have to be shrunk, compared with Pillow alone."""
    photos = scan(folder).photos
    with tempfile.TemporaryDirectory() as place, Cache.open(Path(place)) as cache:
        works = partial(_bare_pillow, photos), partial(_fill, cache, partial(_read, folder, cache))
        bare, ours = Clock(len(photos), rounds).rates(*works)
        milliseconds = _processor(len(photos), *works)
    _line(f"{size}: thumbnails by bare Pillow, read", [bare, ours])
    yield Goal(f"{size}: read with rgb features / bare Pillow", ours / bare, least)
    yield _by_processor(milliseconds, least)


def _by_processor(milliseconds: tuple[float, float], least: float) -> Goal:
    bare, ours = milliseconds
    return Goal("  by processor time", bare / ours, least, note=f"{bare:.2f} and {ours:.2f} ms a photo")


def _processor(photos: int, bare: Callable[[], object], ours: Callable[[], object]) -> tuple[float, float]:
    """Processor milliseconds per photo, the best of some rounds in turns; helpers count, except for their start."""
    start = THREADS[-1] * _spent(lambda: list(readings([sample_folder() / "none"])))
    rounds = [(_spent(bare), _spent(ours) - start) for _ in range(PROCESSOR_ROUNDS)]
    least, ours_least = (1000 * min(seconds) / photos for seconds in zip(*rounds, strict=True))
    return least, ours_least


def _spent(work: Callable[[], object]) -> float:
    """Seconds of the processor for some work, with those of helpers, which are ended so that they are known."""
    end_idle()
    before = os.times()
    work()
    end_idle()
    return sum(os.times()[:4]) - sum(before[:4])


def _read(folder: str, cache: Cache) -> None:
    """All that a sheet by colour needs to know of a folder."""
    album_features(scan(folder, cache=cache, decode_for=math.inf).photos, "rgb", cache)


def _fill(cache: Cache, work: Callable[[], object]) -> None:
    """Do the work with nothing in the cache."""
    cache.clear()
    work()


def _bare_pillow(photos: Sequence[Photo]) -> None:
    def work(batch: Sequence[int]) -> Generator[NDArray[np.uint8], None, None]:
        for index in batch:
            with Image.open(photos[index].path) as image:
                image.draft("RGB", (THUMBNAIL_SIDE, THUMBNAIL_SIDE))
                image.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE), reducing_gap=2.0)
                yield np.asarray(image)

    for _ in in_threads(work, batches_of(len(photos), 16), threads=2):
        pass


def _features(photos: Sequence[Photo], extractors: Sequence[Extractor], clock: Clock) -> list[Goal]:
    """Every extractor on thumbnails in memory, on files with an empty cache, and from the cache."""
    print(f"\n{'':<44}{'1 thread':>12}{'2 threads':>12}{'cold':>12}{'cached':>12}")
    thumbnails: Thumbnails = [pixels for pixels in load_thumbnails(photos) if pixels is not None]
    goals = []
    for each in extractors:
        each.extract(thumbnails[: each.batch])
        with tempfile.TemporaryDirectory() as place, Cache.open(Path(place)) as cache:
            alone = [clock.rates(partial(_extract, each, thumbnails, threads))[0] for threads in THREADS]
            whole = partial(album_features, photos, each.name, cache)
            rates = clock.rates(partial(_fill, cache, whole), whole)
        _line(f"{each.name} ({each.dimension} numbers)", [*alone, *rates])
        goals.append(Goal(f"{each.name} features from the cache / cold", rates[1] / rates[0], 20))
        goals += _promised(each.name, alone[0])
    return goals


def _promised(name: str, rate: float) -> list[Goal]:
    seconds = EXTRACTORS[name].seconds if name in EXTRACTORS else None
    return [] if seconds is None else [Goal(f"{name} on thumbnails, photos a second, 1 thread", rate, 1000 / seconds)]


def _extract(each: Extractor, thumbnails: Thumbnails, threads: int) -> None:
    def work(batch: Sequence[int]) -> Generator[int, None, None]:
        each.extract([thumbnails[i] for i in batch])
        yield len(batch)

    for _ in in_threads(work, batches_of(len(thumbnails), each.batch), threads=threads):
        pass


def _kinds(extractors: Sequence[Extractor]) -> list[Goal]:
    """How often a sample picture's nearest neighbour is of its own kind."""
    photos = scan(sample_folder()).photos
    kinds = np.array([kind_of(photo.name) for photo in photos])
    print(f"\nnearest neighbour of the same kind, {len(photos)} sample pictures of {len(set(kinds))} kinds")
    agreement = {}
    with tempfile.TemporaryDirectory() as place, Cache.open(Path(place)) as cache:
        for each in extractors:
            agreement[each.name] = nearest_agreement(album_features(photos, each.name, cache), kinds)
            print(f"{each.name:<44}{agreement[each.name]:>12.3f}")
    if "semantic" not in agreement:
        return []
    others = max((value for name, value in agreement.items() if name != "semantic"), default=0.0)
    return [
        Goal("semantic: nearest neighbour of the same kind", agreement["semantic"], 0.9),
        Goal("semantic above the best other one", agreement["semantic"] - others, 0.0),
    ]


def nearest_agreement(features: NDArray[np.float32], kinds: NDArray[np.str_]) -> float:
    """The share of rows whose nearest other row is of the same kind."""
    squares = (features.astype(np.float64) ** 2).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * features.astype(np.float64) @ features.T
    np.fill_diagonal(distances, np.inf)
    return float((kinds[distances.argmin(axis=1)] == kinds).mean())
