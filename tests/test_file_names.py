"""Names of files on systems that are not here: devices, dots, deep folders, capitals."""

import errno
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app import paths
from album_app.file_names import LONGEST_PATH, complaint, reachable, suggested
from album_app.layout.shapes.shape import book
from album_app.paths import atomic_write, place_of
from album_app.render import RenderSettings, files_of

WRONG = [
    "CON",
    "nul",
    "aux.jpg",
    "Com1.png",
    "LPT9",
    "com².pdf",
    "con .png",
    "prn.tar.gz",
    "sheet.png.",
    "sheet ",
    "...",
]
WRONG += ["sheet:2.png", "why?.png", "a|b.png", "<new>.png", 'so "called".png', "tab\t.png", "a*.png"]
RIGHT = [
    "sheet.png",
    "console.png",
    "com10.png",
    "nul-01.png",
    ".hidden",
    "Kreta – 2024.pdf",
    "写真.png",
    "a.b.c",
    "auxiliary",
]


@pytest.mark.parametrize("name", WRONG)
def test_windows_is_not_asked_for_names_it_does_not_have(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert complaint(name)
    monkeypatch.setattr(paths.sys, "platform", "win32")
    with pytest.raises(OSError) as reported, atomic_write(tmp_path / name) as temporary:
        temporary.write_bytes(b"lost")
    assert reported.value.errno == errno.EINVAL and "Windows" in str(reported.value.strerror)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("platform", ["win32", "linux", "darwin"])
@pytest.mark.parametrize("name", RIGHT)
def test_other_names_are_written_everywhere(
    name: str, platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths.sys, "platform", platform)
    with atomic_write(tmp_path / name) as temporary:
        temporary.write_bytes(b"all of it")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_is_no_name_on_windows_is_one_elsewhere(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "aux.jpg") as temporary:
        temporary.write_bytes(b"all of it")
    assert (tmp_path / "aux.jpg").read_bytes() == b"all of it"


@given(st.text(max_size=40))
def test_suggested_names_can_be_had_everywhere(title: str) -> None:
    name = suggested(title, "Untitled")
    assert name and not complaint(name) and not complaint(f"{name}.png") and PureWindowsPath(name).name == name


@pytest.mark.parametrize("name", ["trip.png", "aux trip.png"])
def test_names_that_we_make_of_others_can_be_had_everywhere(name: str) -> None:
    pages = files_of(book(12, 2, 2), Path(name), RenderSettings(title="Trip"))
    assert len(pages) == 13 and not any(complaint(page.name) for page in pages)
    assert len({page.name.casefold() for page in pages}) == 13


@pytest.mark.parametrize("start", ["C:\\", "c:\\users\\me\\", "\\\\server\\share\\"])
def test_deep_folders_are_reached_by_their_long_names(start: str) -> None:
    short, long = start + "sheet.png", start + "deep\\" * 60 + "sheet.png"
    assert reachable(short) == short and len(long) > 260
    found = PureWindowsPath(reachable(long))
    assert reachable(str(found)) == str(found) and found.name == "sheet.png" and found.is_absolute()
    assert str(found).startswith("\\\\?\\") and str(found).endswith(long.lstrip("\\"))


def test_an_unfinished_file_is_never_longer_than_windows_takes(tmp_path: Path) -> None:
    with atomic_write(tmp_path / f"s.{'x' * (paths.LONGEST_SUFFIX - 1)}") as temporary:
        assert LONGEST_PATH + len(temporary.name) < 260
        temporary.touch()


def test_names_in_capitals_are_the_same_file_where_the_folder_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "Crete"
    folder.mkdir()
    assert place_of(folder / "a.png") != place_of(folder / "A.PNG")
    (tmp_path / "cRETE").symlink_to(folder)  # as a folder that is blind to case looks from outside
    assert place_of(folder / "a.png") == place_of(folder / "A.PNG") == place_of(tmp_path / "cRETE" / "a.png")
    assert place_of(folder / "a.png") != place_of(folder / "b.png")


def test_a_folder_named_by_a_number_is_as_blind_as_the_one_around_it(tmp_path: Path) -> None:
    folder = tmp_path / "Crete" / "2024"
    folder.mkdir(parents=True)
    assert place_of(folder / "a.png") != place_of(folder / "A.png")
    (tmp_path / "cRETE").symlink_to(tmp_path / "Crete")
    assert place_of(folder / "a.png") == place_of(folder / "A.png")
