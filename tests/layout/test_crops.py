"""Crops: the part of a photo that a frame shows lies inside the photo, has the frame's proportions and keeps faces."""

import numpy as np
import pytest

from album_app.layout.crops import LARGEST_ZOOM, Crops, HandCrop, adjusted, crop
from album_app.photos.faces import Box, Focus

ASPECTS = [0.1, 0.5, 0.75, 1.0, 4 / 3, 3.0, 10.0]
TINY = 1e-9


def random_focus(rng: np.random.Generator, count: int) -> Focus:
    corners, sizes = rng.uniform(0, 0.8, (count, 2)), rng.uniform(0.02, 0.6, (count, 2))
    ends = np.minimum(corners + sizes, 1)
    boxes = np.hstack([corners, ends])[np.argsort(-(ends - corners).prod(axis=1))]
    return Focus(tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in boxes))


def keeps(part: Box, face: Box) -> bool:
    inside = [face[0] - part[0], face[1] - part[1], part[2] - face[2], part[3] - face[3]]
    return min(inside) >= -TINY


def largest_together(faces: tuple[Box, ...], part: Box) -> list[Box]:
    """The faces that some crop of this size holds, taken in their order."""
    held: list[Box] = []
    for face in faces:
        boxes = [*held, face]
        wide = max(box[2] for box in boxes) - min(box[0] for box in boxes)
        high = max(box[3] for box in boxes) - min(box[1] for box in boxes)
        if wide <= part[2] - part[0] and high <= part[3] - part[1]:
            held.append(face)
    return held


@pytest.mark.parametrize("photo", ASPECTS)
@pytest.mark.parametrize("frame", ASPECTS)
def test_a_crop_is_inside_has_the_frames_proportions_and_cuts_no_face_it_could_keep(photo: float, frame: float) -> None:
    rng = np.random.default_rng(7)
    for case in range(60):
        focus = random_focus(rng, case % 6)
        by_hand = HandCrop(*rng.uniform(-0.5, 1.5, 2), rng.uniform(0.5, 4)) if case % 5 == 4 else None
        left, top, right, bottom = part = crop(photo, frame, focus, by_hand)
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
        assert (right - left) * photo / (bottom - top) == pytest.approx(frame)
        if by_hand is None:
            assert right - left == pytest.approx(1) or bottom - top == pytest.approx(1)
            assert all(keeps(part, face) for face in largest_together(focus.faces, part))


def test_without_a_focus_a_crop_lies_in_the_middle_and_higher_in_an_upright_photo() -> None:
    assert crop(2, 1) == (0.25, 0, 0.75, 1)
    assert crop(1.5, 3) == (0, 0.25, 1, 0.75)
    left, top, right, bottom = crop(0.5, 1)
    assert (left, right) == (0, 1)
    assert top == pytest.approx((1 - bottom) / 2)


def test_a_photo_with_the_frames_proportions_is_shown_whole() -> None:
    assert crop(1.5, 1.5, Focus(faces=((0, 0, 0.1, 0.1),))) == (0, 0, 1, 1)


def test_one_face_gets_room_above_it_and_more_below() -> None:
    _, top, _, bottom = crop(0.5, 1, Focus(faces=((0.4, 0.5, 0.6, 0.6),)))
    assert 0.05 <= 0.5 - top < bottom - 0.6


def test_of_two_faces_far_apart_the_larger_one_is_kept() -> None:
    assert crop(3, 1, Focus(faces=((0.7, 0.2, 0.9, 0.6), (0.0, 0.2, 0.1, 0.4))))[2] >= 0.9


def test_a_face_that_no_crop_holds_is_shown_by_its_middle() -> None:
    left, _, right, _ = crop(4, 1, Focus(faces=((0.2, 0, 0.8, 1),)))
    assert (left + right) / 2 == pytest.approx(0.5)


def test_of_several_faces_that_no_crop_holds_the_largest_is_shown_by_its_middle() -> None:
    left, _, right, _ = crop(4, 1, Focus(faces=((0.0, 0.0, 0.5, 1.0), (0.6, 0.0, 1.0, 1.0))))
    assert (left + right) / 2 == pytest.approx(0.25)


def test_a_crop_by_hand_wins_over_faces_and_stays_inside() -> None:
    focus = Focus(faces=((0.9, 0.4, 1.0, 0.6),))
    assert crop(2, 1, focus, HandCrop(x=0.3)) == pytest.approx((0.05, 0, 0.55, 1))
    assert crop(2, 1, focus, HandCrop(-3, 9, 4)) == pytest.approx((0, 0.75, 0.125, 1))


def test_a_sure_face_goes_before_a_larger_find_that_is_doubtful() -> None:
    doubtful, face = (0.0, 0.2, 0.2, 0.6), (0.9, 0.3, 1.0, 0.5)
    assert keeps(crop(2, 1, Focus((doubtful, face), (0.61, 0.95))), face)
    assert keeps(crop(2, 1, Focus((doubtful, face), (0.95, 0.61))), doubtful)


@pytest.mark.parametrize("photo", ASPECTS)
def test_a_centred_crop_lies_exactly_in_the_middle_unless_it_was_chosen_by_hand(photo: float) -> None:
    centred = Crops({1: HandCrop(x=0.0, y=0.0)}, {0: Focus(((0.9, 0.0, 1.0, 0.1),))}, centred=True)
    left, top, right, bottom = centred.of(0, photo, 1.0)
    assert (left + right) / 2 == pytest.approx(0.5) and (top + bottom) / 2 == pytest.approx(0.5)
    assert centred.of(1, photo, 1.0)[:2] == (0, 0)


@pytest.mark.parametrize(
    ("box", "zoom", "move", "expected"),
    [
        ((0.0, 0.25, 1.0, 0.75), 1.0, {"down": 0.1}, HandCrop(0.5, 0.6, 1.0)),
        ((0.0, 0.25, 1.0, 0.75), 1.0, {"down": -0.9}, HandCrop(0.5, 0.25, 1.0)),
        ((0.0, 0.25, 1.0, 0.75), 1.0, {"right": 0.3}, HandCrop(0.5, 0.5, 1.0)),
        ((0.1, 0.2, 0.3, 0.6), 2.0, {"right": 0.1, "down": 0.2}, HandCrop(0.3, 0.6, 2.0)),
        ((0.1, 0.2, 0.3, 0.6), 2.0, {"factor": 0.5}, HandCrop(0.2, 0.4, 1.0)),
        ((0.1, 0.2, 0.3, 0.6), 2.0, {"factor": 0.1}, HandCrop(0.2, 0.4, 1.0)),
        ((0.1, 0.2, 0.3, 0.6), 2.0, {"factor": 1.5}, HandCrop(0.2, 0.4, 3.0)),
        ((0.1, 0.2, 0.3, 0.6), 2.0, {"factor": 1e9}, HandCrop(0.2, 0.4, LARGEST_ZOOM)),
        ((0.0, 0.0, 0.2, 0.4), 2.0, {"factor": 0.5}, HandCrop(0.2, 0.4, 1.0)),
        ((0.8, 0.6, 1.0, 1.0), 2.0, {"right": 0.1, "down": 0.1}, HandCrop(0.9, 0.8, 2.0)),
    ],
)
def test_a_crop_moved_or_zoomed_by_hand_stays_inside_around_its_centre(
    box: Box, zoom: float, move: dict[str, float], expected: HandCrop
) -> None:
    found = adjusted(box, zoom, **move)
    assert (found.x, found.y, found.zoom) == pytest.approx((expected.x, expected.y, expected.zoom))
