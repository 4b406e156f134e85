"""The benchmark of crops counts the faces that a crop cuts and could have kept."""

import pytest

from album_app.research.benchmarks.crops import Cut, cut_faces

LEFT_HALF = (0.0, 0.0, 0.5, 1.0)


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((), Cut(0, 0)),
        (((0.1, 0.1, 0.3, 0.3),), Cut(0, 1)),
        (((0.4, 0.1, 0.6, 0.3),), Cut(1, 1)),
        (((0.2, 0.1, 0.9, 0.8),), Cut(0, 0)),  # no crop of this size could hold it
        (((0.1, 0.1, 0.3, 0.3), (0.7, 0.1, 0.8, 0.2)), Cut(0, 1)),  # not both together, so the larger one counts
        (((0.6, 0.1, 0.8, 0.3), (0.4, 0.1, 0.45, 0.2)), Cut(1, 2)),
    ],
)
def test_faces_that_could_be_kept_are_counted(
    faces: tuple[tuple[float, float, float, float], ...], expected: Cut
) -> None:
    assert cut_faces(LEFT_HALF, faces) == expected
