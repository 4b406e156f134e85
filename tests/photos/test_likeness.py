"""Photos are ordered by how much they are like some photos and unlike others, and by how lonely they are."""

import numpy as np

from album_app.photos.find import MARKED_LIKENESS, by_likeness, loneliness

RNG = np.random.default_rng(0)
CENTRES = np.eye(4, 16, dtype=np.float32)
KIND = np.repeat(np.arange(4), 20)
ROWS = (CENTRES[KIND] + 0.05 * RNG.standard_normal((80, 16))).astype(np.float32)


def test_similar_photos_follow_the_liked_photo_and_are_marked() -> None:
    ranked, alike = by_likeness(ROWS, [5])
    assert ranked[0] == 5 and sorted(ranked) == list(range(80))
    assert set(ranked[:20]) == set(range(20)) and (np.diff(alike[1:]) <= 0).all()
    assert (alike >= MARKED_LIKENESS).sum() == 20


def test_photos_like_each_of_several_liked_ones_come_in_turn() -> None:
    ranked, _ = by_likeness(ROWS, [0, 70])
    assert ranked[:2] == [0, 70] and set(KIND[ranked[:40]]) == {0, 3}


def test_photos_like_an_unwanted_one_come_last_and_the_unwanted_one_is_left_out() -> None:
    between = (ROWS[:20].mean(axis=0) + ROWS[20:40].mean(axis=0)) / 2
    rows = np.vstack([ROWS, between]).astype(np.float32)
    assert {0, 1} <= set(KIND[by_likeness(rows, [80])[0][1:40]])
    ranked, _ = by_likeness(rows, [80], [25])
    assert 25 not in ranked and set(KIND[ranked[1:21]]) == {0}


def test_equal_photos_are_alike() -> None:
    assert np.isfinite(by_likeness(np.zeros((3, 2), np.float32), [1], [2])[1]).all()


def test_a_photo_that_resembles_no_other_is_the_loneliest() -> None:
    rows = np.vstack([ROWS, np.eye(16, dtype=np.float32)[9]])
    assert loneliness(rows).argmax() == 80


def test_large_albums_are_compared_with_a_part_of_themselves() -> None:
    whole = loneliness(ROWS)
    part = loneliness(ROWS, most_compared=60, block_rows=7)
    assert part.shape == whole.shape and np.isfinite(part).all() and (part >= whole - 1e-5).all()


def test_one_photo_is_not_lonely() -> None:
    assert loneliness(ROWS[:1]).tolist() == [0.0]
