"""The benchmark of large exports tells what it wrote."""

from pathlib import Path

from album_app.layout import rectangle
from album_app.research.benchmarks import exports
from tests.cli.conftest import draw_photos


def test_a_sheet_is_written_and_measured(tmp_path: Path) -> None:
    folder = draw_photos(tmp_path / "few", 6)
    found = exports.measured("JPEG", 0.5, folder, rectangle(2, 3))
    assert 4e5 < found["pixels"] < 6e5 and found["bytes"] > 1e4 and found["peak"] > 1e7
