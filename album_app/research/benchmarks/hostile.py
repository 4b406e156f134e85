"""Reads damaged and malicious files, made by program and from any folders named, and reports the outcome of each."""

import argparse
import io
import json
import os
import struct
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.layout.shapes.outlines import mask_from_picture
from album_app.memory import children_peak_bytes
from album_app.photos.decoding.decode import MOST_MEMORY, Undecodable
from album_app.photos.fonts import BUILT_IN
from album_app.photos.fonts import SUFFIXES as FONT_SUFFIXES
from album_app.photos.sandbox import MAKES_FAIL, MOST_SECONDS, end_idle, font_facts, readings
from album_app.photos.walk import Walk
from album_app.research.benchmarks import Goal
from album_app.state_files import read_state
from album_app.work import batches_of, in_threads

CUTS = 50
"""Lengths at which each whole file is cut off."""
SCRAMBLED, FLIPS = 200, 12
"""Damaged copies of each whole file, and the bytes that are changed in each."""
SCANS, FRAMES = 20_000, 1000
"""Scans of a progressive JPEG, and frames of an animation."""
MASK_CELLS = 60
MASK_SUFFIXES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")

Files = Iterator[tuple[str, bytes]]

_SAVED: dict[str, dict[str, object]] = {
    "jpg": {"quality": 85},
    "progressive.jpg": {"quality": 85, "progressive": True},
    "png": {},
    "gif": {},
    "webp": {"quality": 80},
    "lossless.webp": {"lossless": True},
    "bmp": {},
    "tif": {},
    "lzw.tif": {"compression": "tiff_lzw"},
    "deflate.tif": {"compression": "tiff_adobe_deflate"},
    "jp2": {},
    "avif": {},
    "heic": {},
}


def make_corpus(folder: Path) -> None:
    """Write all files; they are identical in every run."""
    whole = dict(_whole())
    for makers in (_cut(whole), _scrambled(whole), _liars(whole), _loops(whole), _bombs(), _shapes(), _odd(whole)):
        for name, content in makers:
            (folder / name).write_bytes(content)
    (folder / "link.jpg").symlink_to(folder / "link.jpg")
    (folder / "lost.jpg").symlink_to(folder / "nowhere.jpg")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jpg")


def _picture(size: tuple[int, int] = (160, 120)) -> Image.Image:
    coarse = np.random.default_rng(0).integers(0, 256, (12, 16, 3), np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def _whole() -> Files:
    import pillow_heif

    pillow_heif.register_heif_opener()
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8769)[0x9003] = "2020:01:02 03:04:05"
    for name, options in _SAVED.items():
        stream = io.BytesIO()
        kind = {"jpg": "JPEG", "tif": "TIFF", "jp2": "JPEG2000", "heic": "HEIF"}.get(name.split(".")[-1])
        metadata = {} if kind == "TIFF" else {"exif": exif.tobytes()}
        _picture().save(stream, kind or name.split(".")[-1].upper(), **metadata, **options)
        yield name, stream.getvalue()


def _cut(whole: dict[str, bytes]) -> Files:
    for name, content in whole.items():
        for i in range(CUTS):
            yield f"cut-{i:02d}.{name}", content[: len(content) * (i + 1) // (CUTS + 1)]


def _scrambled(whole: dict[str, bytes]) -> Files:
    for name, content in whole.items():
        for seed in range(SCRAMBLED):
            rng = np.random.default_rng(seed)
            damaged = bytearray(content)
            reach = len(content) if seed % 2 else min(len(content), 400)  # headers do more harm
            for place in rng.integers(0, reach, FLIPS):
                damaged[place] = rng.integers(0, 256)
            yield f"scrambled-{seed:03d}.{name}", bytes(damaged)


def _liars(whole: dict[str, bytes]) -> Files:
    """Headers that claim far larger pictures than the files hold."""
    for side in (9_999, 30_000, 65_000):
        yield f"promise-{side}.png", _png(side, side, 8, 2, b"")
        yield f"promise-{side}.gif", whole["gif"][:6] + struct.pack("<HH", side, side) + whole["gif"][10:]
        yield f"promise-{side}.bmp", whole["bmp"][:18] + struct.pack("<ii", side, side) + whole["bmp"][26:]
        place = whole["jpg"].index(b"\xff\xc0") + 5
        yield f"promise-{side}.jpg", whole["jpg"][:place] + struct.pack(">HH", side, side) + whole["jpg"][place + 4 :]
        place = whole["jp2"].index(b"\xff\x51") + 6
        large = struct.pack(">II", side, side)
        grid = whole["jp2"][place + 8 : place + 16]
        yield f"promise-{side}.j2k", whole["jp2"][:place] + large + grid + large + whole["jp2"][place + 24 :]
        promise = struct.pack("<I", min(side, 16_383) | min(side, 16_383) << 14)
        body = b"WEBPVP8L" + struct.pack("<I", 17) + b"\x2f" + promise + bytes(13)
        yield f"promise-{side}.webp", b"RIFF" + struct.pack("<I", len(body)) + body
        yield f"promise-{side}.tif", _tiff({256: side, 257: side, 258: 8, 259: 1, 262: 1, 273: 8, 278: side, 279: 9})
        tiles = {256: 64, 257: 64, 258: 8, 259: 5, 262: 1, 322: side, 323: side, 324: 8, 325: 9}
        yield f"tiles-{side}.tif", _tiff(tiles)


def _loops(whole: dict[str, bytes]) -> Files:
    tags = {256: 8, 257: 8, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 8, 279: 64}
    yield "loop.tif", _tiff(tags, following=8)
    yield "loop-exif.tif", _tiff(tags | {0x8769: 8})
    yield "loop-sub.tif", _tiff(tags | {330: 8})
    block = b"Exif\0\0" + _tiff({0x8769: 8, 0x8825: 8}, following=8)
    segment = b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block
    yield "loop-exif.jpg", whole["jpg"][:2] + segment + whole["jpg"][2:]


def _bombs() -> Files:
    content = _saved(Image.new("L", (3000, 3000), 200), "JPEG", progressive=True)
    last = content.rindex(b"\xff\xda")
    yield "scans.jpg", content[:last] + content[last:-2] * SCANS + content[-2:]
    row = zlib.compress(bytes(40_000_000), 9)
    for kind in (b"zTXt", b"iCCP"):
        yield f"text-{kind.decode()}.png", _png(8, 8, 8, 0, bytes(72), [(kind, b"x\0\0" + row)] * 4)
    yield "flat-30000.png", _flat(30_000)
    yield "flat-7000.webp", _saved(Image.new("RGB", (7_000, 7_000), "red"), "WEBP", lossless=True, method=0, quality=0)
    yield "deep.png", _png(9_000, 9_000, 16, 6, b"")


def _shapes() -> Files:
    for size in ((1, 100_000), (100_000, 1), (65_000, 1), (1, 1)):
        for kind in ("PNG", "BMP", "TIFF", "GIF", "JPEG"):
            if kind in ("PNG", "BMP", "TIFF") or max(size) <= 65_500:
                yield f"shape-{size[0]}x{size[1]}.{kind.lower()}", _saved(Image.new("RGB", size, "red"), kind)
    frames = [Image.new("P", (16, 16), i % 256) for i in range(FRAMES)]
    for kind in ("GIF", "PNG", "WEBP"):
        yield f"frames.{kind.lower()}", _saved(frames[0], kind, save_all=True, append_images=frames[1:])


def _odd(whole: dict[str, bytes]) -> Files:
    """Invalid profiles, metadata and names."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    rng = np.random.default_rng(0)
    for i in range(50):
        odd = bytearray(profile[: rng.integers(1, len(profile) + 1)])
        for place in rng.integers(0, len(odd), 20):
            odd[place] = rng.integers(0, 256)
        yield f"profile-{i:02d}.jpg", _saved(_picture(), "JPEG", icc_profile=bytes(odd))
        yield f"profile-{i:02d}.png", _saved(_picture().convert("L"), "PNG", icc_profile=bytes(odd))
        yield f"exif-{i:02d}.jpg", _saved(_picture(), "JPEG", exif=b"Exif\0\0II*\0" + rng.bytes(200))
    for value in (0, 9, 65_535):
        exif = Image.Exif()
        exif[0x0112] = value
        exif[0x0132] = "9999:99:99 99:99:99"
        yield f"turned-{value}.jpg", _saved(_picture(), "JPEG", exif=exif.tobytes())
    yield "empty.jpg", b""
    yield "notes.jpg", b"dear diary"
    yield "page.png", b"<html>not found</html>"
    yield "picture.txt", whole["png"]
    yield "film.mp4", b"\0\0\0\x18ftypmp42" + bytes(100)
    yield "camera.cr2", whole["tif"]
    yield "camera.nef", b"II*\0" + rng.bytes(5000)
    yield "camera.raf", b"FUJIFILMCCD-RAW " + rng.bytes(5000)
    yield "camera.cr3", b"\0\0\0\x18ftypcrx \0\0\0\1crx isom" + rng.bytes(5000)
    yield "a\nb\x1b[31m.jpg", whole["jpg"]
    yield "x" * 240 + ".jpg", whole["jpg"]


def _saved(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def _png(
    width: int, height: int, bits: int, colour: int, raw: bytes, extra: list[tuple[bytes, bytes]] | None = None
) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    chunks = [(b"IHDR", head), *(extra or []), (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _flat(side: int) -> bytes:
    """A complete PNG of one colour with one bit per pixel."""
    return _png(side, side, 1, 0, bytes((side // 8 + 1) * side))


def _tiff(tags: dict[int, int], following: int = 0) -> bytes:
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + struct.pack("<I", following) + bytes(64)


FILES_AT_ONCE = 16
SLOWEST = 5
"""The slowest files, which are listed."""
EMPTY_PROCESS_BYTES = 80 << 20
"""Memory of a decoding process before it has read a file."""


def configure(parser: argparse.ArgumentParser) -> None:
    what = "further folders to try: pictures, also as masks, fonts, and JSON as state files"
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help=what)


@dataclass
class Tally:
    """The outcomes of the files so far."""

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
        others = {
            "fonts": _try_fonts([*_made_fonts(Path(place)), *_named(arguments.folders, FONT_SUFFIXES)]),
            "masks": _try_masks(
                [*sorted(Path(place).glob("scrambled-*.png")), *_named(arguments.folders, MASK_SUFFIXES)]
            ),
            "state files": _try_state_files([*_made_states(Path(place)), *_named(arguments.folders, (".json",))]),
        }
    _print(tally, tried)
    for kind, (read, refused) in others.items():
        print(f"{read + refused} {kind} tried, {read} read, {refused} refused")
    goals = [
        Goal("files that were neither shown nor given a reason", tried - tally.shown - tally.reasons.total(), most=0),
        Goal("files that ended a decoder's process", tally.reasons[MAKES_FAIL], most=0),
        Goal("seconds of the slowest, by the clock on the wall", max(tally.seconds.values(), default=0.0)),
        Goal("MB of memory at most", _peak() / 1e6, most=(MOST_MEMORY + EMPTY_PROCESS_BYTES) / 1e6),
    ]
    for goal in goals:
        print(goal)
    return int(not all(goal.reached for goal in goals))


def _try_all(folders: Sequence[Path]) -> tuple[Tally, int]:
    """Read everything in folders, as opening them does; the outcomes, and the number of files."""
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
            reason, damage = (found.reason, "") if isinstance(found, Undecodable) else ("", found.facts.damage)
            yield paths[index], reason, damage, now - begun
            begun = now

    for done, result in enumerate(in_threads(read, batches_of(len(paths), FILES_AT_ONCE)), 1):
        tally.count(*result)
        if sys.stderr.isatty():
            print(f"\r{done} of {len(paths)}", end="", file=sys.stderr, flush=True)
    return tally, tried


def _named(folders: Sequence[Path], suffixes: Sequence[str]) -> list[Path]:
    """The files in folders that have one of these suffixes."""
    found = (path for folder in folders for path in sorted(folder.rglob("*")))
    return [path for path in found if path.name.lower().endswith(tuple(suffixes))]


def _made_fonts(folder: Path) -> Iterator[Path]:
    """Write damaged fonts."""
    sound = BUILT_IN.source()
    content = sound.getvalue() if isinstance(sound, io.BytesIO) else Path(sound).read_bytes()
    for name, damaged in (*_cut({"ttf": content}), *_scrambled({"ttf": content})):
        (folder / name).write_bytes(damaged)
        yield folder / name


def _try_fonts(paths: Sequence[Path]) -> tuple[int, int]:
    """Read fonts, as choosing one does; the numbers of those that were read and refused."""
    found = list(font_facts([(str(path), 0) for path in paths]))
    refused = sum(isinstance(facts, Undecodable) for facts in found)
    return len(found) - refused, refused


def _try_masks(paths: Sequence[Path]) -> tuple[int, int]:
    """Read pictures as masks; the numbers of those that were read and refused."""
    refused = 0
    for path in paths:
        try:
            mask_from_picture(path, MASK_CELLS)
        except UsageError:
            refused += 1
    return len(paths) - refused, refused


def _made_states(folder: Path) -> Iterator[Path]:
    """Write damaged state files."""
    sound = json.dumps([{"paths": ["/trip"], "title": "Trip", "photos": 3, "opened": 1.5}]).encode()
    nested = {"deep": b"[" * 100_000, "large": b"1e999", "long": b"9" * 5000, "none": b""}
    for name, content in (*_cut({"json": sound}), *_scrambled({"json": sound}), *nested.items()):
        (folder / name).write_bytes(content)
        yield folder / name


def _try_state_files(paths: Sequence[Path]) -> tuple[int, int]:
    """Read state files; the numbers of those that were read and refused."""
    refused = sum(read_state(path) is None for path in paths)
    return len(paths) - refused, refused


def _print(tally: Tally, tried: int) -> None:
    print(f"{tried} files tried, {tally.shown} shown, {tally.damaged} of them marked as damaged")
    for reason, count in tally.reasons.most_common():
        print(f"{count:>8}  {reason}")
    print("slowest")
    for path, seconds in sorted(tally.seconds.items(), key=lambda item: -item[1])[:SLOWEST]:
        print(f"{seconds:>8.1f} s  {printable(path.name)}")
    print(f"limits: {MOST_MEMORY >> 20} MB and {MOST_SECONDS} s of processor time a file")


def _peak() -> float:
    """The most memory that a decoding process took, in bytes."""
    end_idle()
    return children_peak_bytes()
