"""The sample album: pictures are identical every time, of enough kinds, dated over a year, and drawn all or none."""

import errno
import io
import os
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import AlbumError, Stopped
from album_app.paths import cache_folder
from album_app.sample import sample_album
from album_app.sample.sample_album import SCENES


def taken(picture: bytes) -> datetime:
    exif = Image.open(io.BytesIO(picture)).getexif()
    return datetime.strptime(exif.get_ifd(sample_album.EXIF_IFD)[sample_album.DATE_TAKEN], "%Y:%m:%d %H:%M:%S")


def refuse(drawn: Path, folder: Path) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("kind", SCENES)
def test_each_kind_is_drawn_the_same_every_time_and_each_number_differently(kind: str) -> None:
    assert sample_album.draw(kind, 3) == sample_album.draw(kind, 3) != sample_album.draw(kind, 4)


@pytest.mark.parametrize("kind", SCENES)
def test_pictures_have_light_and_detail(kind: str) -> None:
    pixels = np.asarray(Image.open(io.BytesIO(sample_album.draw(kind, 11))).convert("L"), float)
    assert sorted(pixels.shape) == [288, 384]
    assert pixels.std() > 10
    assert np.abs(np.diff(pixels, axis=1)).mean() > 1


def test_there_are_enough_pictures_kinds_and_portraits() -> None:
    assert len(SCENES) >= 12
    assert len(SCENES) * sample_album.PER_KIND >= 400
    sizes = {
        Image.open(io.BytesIO(sample_album.draw("sea", number))).size for number in range(sample_album.PORTRAIT_EVERY)
    }
    assert sizes == {(384, 288), (288, 384)}


def test_dates_spread_over_one_year() -> None:
    months = {taken(sample_album.draw("night", number)).month for number in range(sample_album.PER_KIND)}
    assert months == set(range(1, 13))


def test_a_stopped_drawing_leaves_no_album_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter(range(100))
    with pytest.raises(Stopped):
        sample_album.sample_folder(stop=lambda: next(asked) > 5)
    assert [path for path in cache_folder().iterdir() if path.name.startswith("sample")] == []


def test_what_an_ended_program_left_is_removed_and_what_another_draws_is_not() -> None:
    album, left, drawing = (
        cache_folder() / f"sample-{name}" for name in (sample_album.VERSION, "x7_ab3cd", "k2mnop4q")
    )
    for folder in (album, left, drawing):
        folder.mkdir(parents=True)
        (folder / "sea-00.jpg").write_bytes(b"x")
    for folder in (album, left):
        os.utime(folder, (0, 0))
    assert sample_album.sample_folder() == album
    assert album.is_dir() and drawing.is_dir() and not left.exists()


def test_an_album_that_cannot_be_kept_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(AlbumError, match=r"sample album could not be drawn into .*: No space left on device"):
        sample_album.sample_folder(per_kind=1)
    assert list(cache_folder().glob("sample-*")) == []


def test_an_album_that_another_program_drew_meanwhile_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(drawn: Path, folder: Path) -> None:
        folder.mkdir()
        refuse(drawn, folder)

    monkeypatch.setattr(Path, "rename", too_late)
    assert [sample_album.sample_folder(per_kind=1)] == list(cache_folder().glob("sample-*"))


def test_the_folder_is_drawn_once_and_named_by_kind() -> None:
    progress: list[tuple[int, int]] = []
    folder = sample_album.sample_folder(per_kind=1, on_progress=lambda done, total: progress.append((done, total)))
    assert progress[-1] == (len(SCENES), len(SCENES))
    assert {sample_album.kind_of(path.name) for path in folder.iterdir()} == set(SCENES)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert sample_album.sample_folder() == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
