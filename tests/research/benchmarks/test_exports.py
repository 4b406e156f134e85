"""The benchmark of large exports tells what it wrote."""

from album_app.research.benchmarks.exports import measured


def test_a_sheet_is_written_and_measured() -> None:
    found = measured("JPEG", 0.5)
    assert 4e5 < found["pixels"] < 6e5 and found["bytes"] > 1e4 and found["peak"] > 1e7
