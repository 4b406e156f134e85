"""The built-in sample album, drawn by program into the cache on first use; every machine draws identical pictures."""

import io
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from PIL import Image

from album_app.errors import AlbumError
from album_app.language import mark, reason, tr
from album_app.paths import cache_folder, private_file, private_folder
from album_app.sample.brush import Picture, Random, finish
from album_app.sample.land import desert, fields, forest, mountains, snow, tree
from album_app.sample.things import balloons, city, flowers, fruit
from album_app.sample.water import aurora, lighthouse, night, sea, sunset, underwater
from album_app.work import OnProgress, Stop, check, report

Scene = Callable[[Random, int, int, float], Picture]

SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        aurora, balloons, city, desert, fields, flowers, forest, fruit,
        lighthouse, mountains, night, sea, snow, sunset, tree, underwater,
    )
}  # fmt: skip


VERSION = 1
"""The version of the pictures: it is part of their folder's name, and of the seeds of their random numbers."""

PREFIX = "sample-"
"""The beginning of the folder's name."""

SECONDS_TO_ABANDON = 3600
"""An unfinished folder that did not change for this long was left by a program that was ended."""

PER_KIND = 26
"""The number of pictures of each kind of scene."""

THREADS = 2
"""The number of pictures that are drawn at the same time."""

LONG_SIDE, SHORT_SIDE = 384, 288
"""The sides of a picture in pixels."""

PORTRAIT_EVERY = 7
"""One in this many pictures is upright."""

FIRST_DAY = datetime(2025, 1, 1, 6, 30)
"""No picture is dated earlier."""

EXIF_IFD, DATE_TAKEN = 0x8769, 36867
"""The numbers of EXIF's group of tags, and of its tag for the date."""


def kind_of(name: str) -> str:
    """The kind of scene that a sample picture's file name begins with: "sunset-07.jpg" is a sunset."""
    return Path(name).name.rsplit("-", 1)[0]


def sample_place() -> Path:
    """Where the sample album lies, or will lie once it is drawn."""
    return cache_folder() / f"{PREFIX}{VERSION}"


def sample_folder(*, per_kind: int = PER_KIND, on_progress: OnProgress | None = None, stop: Stop | None = None) -> Path:
    """The folder of the sample album, drawn first where it is not there yet; it appears whole or not at all."""
    folder = sample_place()
    _sweep(folder.parent)
    if folder.is_dir():
        return folder
    try:
        private_folder(folder.parent)
        with _unfinished(folder.parent) as drawn:
            _draw_all(drawn, per_kind, on_progress, stop)
            drawn.rename(folder)
    except OSError as error:
        if not folder.is_dir():  # where another program drew it meanwhile, its pictures are the same
            text = mark("The sample album could not be drawn into {folder}: {reason}.")
            raise AlbumError(tr(text, folder=folder.parent, reason=reason(error))) from error
    return folder


@contextmanager
def _unfinished(parent: Path) -> Iterator[Path]:
    """A folder to draw into, gone at the end unless it was renamed."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Remove unfinished folders of programs that were ended while they drew."""
    for folder in parent.glob(f"{PREFIX}????????"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > SECONDS_TO_ABANDON:
                shutil.rmtree(folder)


def _draw_all(folder: Path, per_kind: int, on_progress: OnProgress | None, stop: Stop | None) -> None:
    total = len(SCENES) * per_kind
    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(_draw_into, folder, kind, number) for number in range(per_kind) for kind in SCENES]
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                check(stop)
                job.result()
                report(on_progress, done, total)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _draw_into(folder: Path, kind: str, number: int) -> None:
    private_file(folder / f"{kind}-{number:02d}.jpg").write_bytes(draw(kind, number))


def draw(kind: str, number: int) -> bytes:
    """One sample picture as a JPEG file's bytes, the same every time."""
    place = list(SCENES).index(kind)
    rng = np.random.default_rng([VERSION, place, number])
    portrait = (number + place) % PORTRAIT_EVERY == 0
    height, width = (LONG_SIDE, SHORT_SIDE) if portrait else (SHORT_SIDE, LONG_SIDE)
    picture = SCENES[kind](rng, height, width, (number + rng.uniform(0, 1)) / PER_KIND)
    output = io.BytesIO()
    Image.fromarray(finish(rng, picture)).save(output, "JPEG", quality=90, exif=_exif(place, number))
    return output.getvalue()


def _exif(place: int, number: int) -> Image.Exif:
    """A date within one year that depends on the picture alone."""
    day = (number * 14 + place * 5) % 365
    taken = FIRST_DAY + timedelta(days=day, minutes=37 * place + 11 * number)
    exif = Image.Exif()
    exif.get_ifd(EXIF_IFD)[DATE_TAKEN] = taken.strftime("%Y:%m:%d %H:%M:%S")
    return exif
