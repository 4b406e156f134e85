"""Vectors of the user's own: read by name or in order, and refused in one sentence where they do not match."""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from album_app.errors import UsageError
from album_app.photos import extract, open_album
from album_app.photos.album import Photo
from album_app.photos.album_features import rows_remark
from album_app.photos.features import extractor

NAMES = ["a.png", "b.png", "c.png"]
ROWS = np.array([[1, 2], [3, 4], [5, 6]], np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "photos").mkdir()
    for name in NAMES:
        Image.new("RGB", (8, 8)).save(tmp_path / "photos" / name)
    return tmp_path


def read(folder: Path, file: str) -> np.ndarray:
    return extract(open_album(folder / "photos").photos, f"vectors:{folder / file}")


def test_rows_of_an_npy_file_are_in_the_order_of_the_album(folder: Path) -> None:
    np.save(folder / "v.npy", ROWS)
    assert np.array_equal(read(folder, "v.npy"), ROWS)


def test_rows_of_an_npz_file_go_by_name(folder: Path) -> None:
    np.savez(folder / "v.npz", names=np.array(["c.png", "a.png", "b.png"]), vectors=ROWS)
    assert read(folder, "v.npz").tolist() == [[3, 4], [5, 6], [1, 2]]


def numbered(folder: Path) -> Sequence[Photo]:
    """Photos that the album orders by number: 2, 10, 100."""
    (folder / "numbered").mkdir()
    for number in (100, 2, 10):
        Image.new("RGB", (8, 8)).save(folder / "numbered" / f"{number}.png")
    return open_album(folder / "numbered").photos


def test_rows_without_names_in_another_order_than_the_usual_one_are_remarked_on(folder: Path) -> None:
    photos = numbered(folder)
    np.save(folder / "v.npy", ROWS)
    (folder / "bare.csv").write_text("x,y\n1,2\n3,4\n5,6\n")
    for file in ("v.npy", "bare.csv"):
        remark = rows_remark(photos, f"vectors:{folder / file}")
        assert remark.startswith(f"Row 1 of {file} was taken for 2.png, not for 10.png:") and "names" in remark


def test_rows_with_names_or_in_the_usual_order_need_no_remark(folder: Path) -> None:
    photos = numbered(folder)
    np.savez(folder / "v.npz", names=np.array(["2.png", "10.png", "100.png"]), vectors=ROWS)
    (folder / "named.csv").write_text("file,x\n100.png,1\n2.png,2\n10.png,3\n")
    (folder / "first.csv").write_text("100.png,1\n2.png,2\n10.png,3\n")
    for name in (*(f"vectors:{folder / file}" for file in ("v.npz", "named.csv", "first.csv")), "rgb"):
        assert rows_remark(photos, name) == ""
    np.save(folder / "v.npy", ROWS)
    assert rows_remark(open_album(folder / "photos").photos, f"vectors:{folder / 'v.npy'}") == ""


def test_a_file_of_objects_is_refused_for_what_it_holds(folder: Path) -> None:
    np.save(folder / "v.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(UsageError, match="a table with a row of numbers for each photo"):
        read(folder, "v.npy")


@pytest.mark.parametrize(
    "text",
    [
        "photo,x,y\nc.png,5,6\na.png,1,2\nb.png,3,4\n",
        "x,y,path\n5,6,/far/away/c.png\n1,2,/far/away/a.png\n3,4,/far/away/b.png\n",
        "c.png,5,6\na.png,1,2\nb.png,3,4\nunknown.png,0,0\n",
        "1,2\n3,4\n5,6\n",
        "x,y\n1,2\n3,4\n5,6\n",
    ],
    ids=["named column", "long paths", "no heading", "bare numbers", "headings without names"],
)
def test_a_csv_file_goes_by_name_where_it_has_names(folder: Path, text: str) -> None:
    (folder / "v.csv").write_text(text)
    assert np.array_equal(read(folder, "v.csv"), ROWS)


def test_equal_names_in_different_folders_are_distinguished(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / "photos" / name).mkdir()
        Image.new("RGB", (8, 8)).save(folder / "photos" / name / "a.png")
    album = open_album(folder / "photos")
    lines = [f"{photo.name},{index}" for index, photo in enumerate(album.photos)]
    (folder / "v.csv").write_text("\n".join(["photo,x", *reversed(lines)]))
    assert read(folder, "v.csv").ravel().tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("v.csv", b"photo,x\na.png,1\nb.png,2\n", "for 1 photos: c.png"),
        ("v.csv", b"photo,x\na.png,1\nb.png,2\nq/c.png,3\nr/c.png,3\n", "for 1 photos: c.png"),
        ("v.csv", b"photo,x\nx.png,1\ny.png,2\nz.png,3\n", "such as x.png, .* such as a.png"),
        ("v.csv", b"1\n2\n", "2 rows for 3 photos"),
        ("v.csv", b"1\nnan\n3\n", "the row of b.png"),
        ("v.csv", b"1,2\n3\n4,5\n", "differ in length"),
        ("v.csv", b"", "is empty"),
        ("v.npy", b"\x93NUMPY no", "cannot be read"),
        ("v.txt", b"1\n2\n3\n", ".parquet"),
    ],
)
def test_a_file_that_does_not_match_is_refused_with_the_reason(
    folder: Path, file: str, content: bytes, reason: str
) -> None:
    (folder / file).write_bytes(content)
    with pytest.raises(UsageError, match=reason):
        read(folder, file)


def test_a_parquet_file_without_what_reads_it_names_the_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_engine(path: Path) -> None:
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(read_parquet=no_engine))
    (folder / "v.parquet").write_bytes(b"PAR1")
    with pytest.raises(UsageError, match="pip install pandas pyarrow"):
        read(folder, "v.parquet")


def test_a_pickle_is_refused(folder: Path) -> None:
    np.save(folder / "v.npy", np.array([{"a": 1}, 2, 3], object), allow_pickle=True)
    with pytest.raises(UsageError, match="cannot be read"):
        read(folder, "v.npy")


def test_a_missing_file_is_named(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.npy.*no such file"):
        read(folder, "gone.npy")


def test_a_changed_file_has_another_key(folder: Path) -> None:
    np.save(folder / "v.npy", ROWS)
    before = extractor(f"vectors:{folder / 'v.npy'}").key
    np.save(folder / "v.npy", np.tile(ROWS, 2))
    assert extractor(f"vectors:{folder / 'v.npy'}").key != before


@pytest.mark.parametrize(
    ("names", "vectors", "reason"),
    [
        (["a.png", "b.png"], ROWS, "it has 2 names for 3 rows"),
        (["a.png", "b.png", "a.png"], ROWS, "it has several rows for a.png"),
        (NAMES, np.array([["x", "y"]] * 3), "it has to hold a table with a row of numbers"),
        (NAMES[::-1], np.array([[np.inf, 0], [1, 2], [3, 4]]), "the row of c.png holds a value that is no finite"),
    ],
)
def test_names_and_rows_that_do_not_match_are_refused(
    folder: Path, names: list[str], vectors: np.ndarray, reason: str
) -> None:
    np.savez(folder / "v.npz", names=np.array(names), vectors=vectors)
    with pytest.raises(UsageError, match=reason):
        read(folder, "v.npz")


def test_files_of_other_kinds_are_refused_with_their_kind(folder: Path) -> None:
    (folder / "v.npy").write_text("no array")
    with pytest.raises(UsageError, match="it is no file of NumPy"):
        read(folder, "v.npy")
    np.savez(folder / "v.npz", vectors=ROWS)
    with pytest.raises(UsageError, match="it holds no arrays called names and vectors"):
        read(folder, "v.npz")
    (folder / "v.csv").write_text("photo,x\na.png,1\nb.png,much\nc.png,2\n")
    with pytest.raises(UsageError, match="“much” is no number"):
        read(folder, "v.csv")


def test_vectors_without_a_file_are_answered_with_both_ways_to_name_one() -> None:
    with pytest.raises(UsageError, match="vectors:FILE, or in a command --vectors FILE"):
        extractor("vectors")
