"""Files are written whole or not at all, and keep their permissions."""

from pathlib import Path

import pytest

from album_app.paths import atomic_write, cache_folder


def test_a_finished_write_replaces_the_file_and_keeps_its_suffix_while_writing(tmp_path: Path) -> None:
    target = tmp_path / "sheet.png"
    target.write_text("old")
    with atomic_write(target) as temporary:
        assert temporary.suffix == ".png"
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "sheet.png"
    target.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_permissions_survive_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    kept, plain, fresh = tmp_path / "kept", tmp_path / "plain", tmp_path / "fresh"
    kept.write_text("old")
    kept.chmod(0o640)
    plain.write_text("made the usual way")
    for path in (kept, fresh):
        with atomic_write(path) as temporary:
            temporary.write_text("new")
    assert kept.stat().st_mode & 0o777 == 0o640
    assert fresh.stat().st_mode == plain.stat().st_mode


def test_the_cache_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ALBUM_APP_CACHE", str(tmp_path / "elsewhere"))
    assert cache_folder() == tmp_path / "elsewhere"
