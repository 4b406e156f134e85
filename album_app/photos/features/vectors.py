"""Features from a file of the user's own: one row of numbers per photo, by name or in the album's order.

The file may come from any model or search engine. NPY holds rows in the album's order; NPZ holds `names` and `vectors`;
CSV and Parquet have a column with file names (`photo`, `file`, `name` or `path`) or, without one, rows in order.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr
from album_app.paths import is_file
from album_app.photos.features.extractor import Extractor, Features, Image

NAME_COLUMNS = ("photo", "file", "name", "path", "filename", "file_name")
LONGEST_WORD = 40
"""Characters of a value that a message repeats."""
NPY_BEGINNING = b"\x93NUMPY"
NUMBER_KINDS = "fiub"
"""The kinds of NumPy's types whose values are numbers: floating, signed, unsigned, and truth."""
LISTED_NAMES = 3
"""A message names this many photos without a row, and counts the others."""


@dataclass(frozen=True)
class Vectors(Extractor):
    """Rows that are read from `file` instead of being computed from pictures."""

    file: str

    @property
    def name(self) -> str:
        return f"vectors:{self.file}"

    @property
    def key(self) -> str:
        status = self._path().stat()
        return f"vectors/{self.file}/{status.st_size}/{status.st_mtime_ns}"

    @property
    def dimension(self) -> int:
        return int(self._table[1].shape[1])

    def extract(self, batch: Sequence[Image]) -> Features:
        raise NotImplementedError("vectors are read, not computed from pictures")

    def rows_of(self, names: Sequence[str]) -> Features:
        """(n, d) rows for the photos with these names, in their order; a UsageError says what does not match."""
        found, rows = self._table
        if not found:
            if len(rows) != len(names):
                self.fail(tr("it has {rows} rows for {photos} photos, and no names", rows=len(rows), photos=len(names)))
            return _finite(rows, names, self)
        places = self._places(found, names)
        return _finite(rows[places], names, self)

    def order_remark(self, names: Sequence[str]) -> str:
        """A sentence if rows without names would belong to other photos in alphabetical order; else an empty text."""
        usual = sorted(names)
        row = next((k for k, (ours, theirs) in enumerate(zip(names, usual, strict=True)) if ours != theirs), None)
        if row is None or self._has_names:
            return ""
        return tr(
            "Row {row} of {file} was taken for {ours}, not for {theirs}: photo2 comes before photo10 here. "
            "A file with names leaves no doubt.",
            row=row + 1,
            file=printable(Path(self.file).name),
            ours=printable(names[row]),
            theirs=printable(usual[row]),
        )

    @property
    def _has_names(self) -> bool:
        """Whether the file names its rows; of a CSV file only the first line is read."""
        path = self._path()
        if path.suffix.lower() != ".csv":
            return bool(self._table[0])
        with path.open(newline="", encoding="utf-8-sig") as file:
            first = next((line for line in csv.reader(file) if line), [])
        return _csv_columns(first)[0] is not None

    def _places(self, found: Sequence[str], names: Sequence[str]) -> NDArray[np.intp]:
        """The row of each photo: by its name below the folder, else by its bare file name where only one has it."""
        whole = {name.replace("\\", "/"): row for row, name in enumerate(found)}
        bare: dict[str, int] = {}
        for row, name in enumerate(found):
            short = _bare(name)
            bare[short] = -1 if short in bare else row
        rows = [whole.get(name, bare.get(_bare(name), -1)) for name in names]
        lacking = [name for name, row in zip(names, rows, strict=True) if row < 0]
        if len(lacking) == len(names):
            text = mark(
                "none of its names is that of a photo; they are such as {theirs}, and photos have names such as {ours}"
            )
            self.fail(tr(text, theirs=printable(found[0]), ours=printable(names[0])))
        if lacking:
            listed = ", ".join(printable(name) for name in lacking[:LISTED_NAMES])
            self.fail(tr("it has no row, or several, for {count} photos: {names}", count=len(lacking), names=listed))
        return np.array(rows, np.intp)

    @cached_property
    def _table(self) -> tuple[list[str], Features]:
        """The names of the file's rows, none where it has none, and the rows."""
        path = self._path()
        readers = {".npy": _from_npy, ".npz": _from_npz, ".csv": _from_csv, ".parquet": _from_parquet}
        reader = readers.get(path.suffix.lower())
        if reader is None:
            self.fail(tr("vectors are read from .npy, .npz, .csv and .parquet files"))
        try:
            names, rows = reader(path)
        except UsageError:
            raise
        except Exception as error:  # readers raise many kinds of errors for damaged files
            self.fail(tr("it cannot be read: {error}", error=str(error)[:200]))
        if rows.ndim != 2 or 0 in rows.shape or rows.dtype.kind not in NUMBER_KINDS:
            self.fail(tr("it has to hold a table with a row of numbers for each photo"))
        if names and len(names) != len(rows):
            self.fail(tr("it has {names} names for {rows} rows", names=len(names), rows=len(rows)))
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            self.fail(tr("it has several rows for {name}", name=printable(twice)))
        return names, rows.astype(np.float32, copy=False)

    def _path(self) -> Path:
        path = Path(self.file).expanduser()
        if not is_file(path):
            self.fail(tr("there is no such file"))
        return path

    def fail(self, reason: str) -> NoReturn:
        """Refuse the file, with the reason."""
        raise UsageError(tr("vectors of {file}: {reason}", file=printable(self.file), reason=reason))


def _finite(rows: Features, names: Sequence[str], source: Vectors) -> Features:
    """The rows of the photos with these names, if all their values are finite numbers."""
    rows = np.asarray(rows, np.float32)
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(wrong):
        name = printable(names[int(wrong[0])])
        source.fail(tr("the row of {name} holds a value that is no finite number", name=name))
    return rows


def _bare(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def _from_npy(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    with path.open("rb") as file:
        if file.read(len(NPY_BEGINNING)) != NPY_BEGINNING:
            raise ValueError(tr("it is no file of NumPy"))
        file.seek(0)
        if _holds_objects(file):
            raise ValueError(tr("it has to hold a table with a row of numbers for each photo"))
    return [], np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _holds_objects(file: BinaryIO) -> bool:
    """Whether an .npy file says at its beginning that it holds objects of Python, which are not read."""
    layout = np.lib.format
    read = layout.read_array_header_1_0 if layout.read_magic(file) == (1, 0) else layout.read_array_header_2_0
    return bool(read(file)[2].hasobject)


def _from_npz(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    with np.load(path, allow_pickle=False) as arrays:
        if not {"names", "vectors"} <= set(arrays):
            raise ValueError(tr("it holds no arrays called names and vectors"))
        return [str(name) for name in arrays["names"]], arrays["vectors"]


def _from_csv(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = [line for line in csv.reader(file) if line]
    if not lines:
        raise ValueError(tr("it is empty"))
    column, has_heading = _csv_columns(lines[0])
    body = lines[1:] if has_heading else lines
    names = [line[column] for line in body] if column is not None else []
    rows = [[_number(cell) for place, cell in enumerate(line) if place != column] for line in body]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(tr("its lines differ in length"))
    return names, np.array(rows, np.float32)


def _csv_columns(first: Sequence[str]) -> tuple[int | None, bool]:
    """The column with names, if there is one, and whether the first line is a heading."""
    column = _name_column(first)
    if column is None and first and all(map(_is_number, first[1:])):
        return (None if _is_number(first[0]) else 0), False
    return column, True


def _from_parquet(path: Path) -> tuple[list[str], NDArray[np.float32]]:
    try:
        import pandas

        table = pandas.read_parquet(path)
    except ImportError:  # pandas looks for pyarrow when it reads
        raise UsageError(tr("Parquet files need the packages pandas and pyarrow: pip install pandas pyarrow")) from None
    columns = [str(column) for column in table.columns]
    column = _name_column(columns)
    names = [] if column is None else [str(name) for name in table.iloc[:, column]]
    numbers = table.drop(columns=table.columns[column]) if column is not None else table
    return names, numbers.to_numpy(np.float32)


def _name_column(headings: Sequence[str]) -> int | None:
    words = [heading.strip().lower() for heading in headings]
    return next((words.index(name) for name in NAME_COLUMNS if name in words), None)


def _number(word: str) -> float:
    if not _is_number(word):
        raise ValueError(tr("“{word}” is no number", word=printable(word[:LONGEST_WORD])))
    return float(word)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
