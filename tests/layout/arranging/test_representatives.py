"""Photos that stand for all: near to everybody, where photos vary most, and without a table of all distances."""

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from album_app.errors import Stopped, UsageError
from album_app.layout import Options, Pins, arrange, rectangle
from album_app.layout.arranging.arrangement import Quality
from album_app.layout.arranging.representatives import good_representatives, representatives
from album_app.layout.arranging.space import Space
from album_app.layout.evaluation.scores import coverage
from album_app.layout.options import CHOICES
from tests.layout.conftest import FAST, check_sheet, photos

NOBODY = np.zeros(0, dtype=np.int64)


def clusters(count: int, size: int, seed: int = 0) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return (rng.random((count, 1, 3)) * 10 + 0.01 * rng.standard_normal((count, size, 3))).reshape(-1, 3)


def test_every_cluster_has_somebody_on_the_sheet() -> None:
    space = Space.of(clusters(12, 20))
    chosen = representatives(space, np.arange(240), 12, NOBODY)
    assert sorted(photo // 20 for photo in chosen.tolist()) == list(range(12))


def test_who_stands_already_speaks_for_those_alike() -> None:
    space = Space.of(clusters(12, 20))
    standing = np.array([0, 20, 40])
    chosen = representatives(space, np.setdiff1d(np.arange(240), standing), 9, standing)
    assert sorted(photo // 20 for photo in chosen.tolist()) == list(range(3, 12))


def test_the_choice_is_greedy_where_one_group_holds_all() -> None:
    space = Space.of(photos(200, 3))
    distances = np.linalg.norm(space.points[:, None] - space.points, axis=-1)
    nearest, expected = distances.max(axis=1), []
    for _ in range(20):
        gains = np.maximum(nearest[:, None] - distances, 0).sum(axis=0)
        gains[expected] = -1
        expected.append(int(gains.argmax()))
        nearest = np.minimum(nearest, distances[expected[-1]])
    assert representatives(space, np.arange(200), 20, NOBODY).tolist() == sorted(expected)


def test_groups_of_like_photos_cost_little_coverage() -> None:
    features = photos(1500, 4, axes=6)
    space = Space.of(features)
    whole = coverage(features, representatives(space, np.arange(1500), 100, NOBODY), draws=5)
    in_groups = representatives(space, np.arange(1500), 100, NOBODY, group_photos=200)
    parted = coverage(features, in_groups, draws=5)
    assert parted < 1.03 * whole < 1.0


def test_varied_photos_get_more_of_the_sheet_than_a_long_burst() -> None:
    burst = np.zeros((800, 3)) + 0.001 * photos(800, 5)
    features = np.concatenate([burst, 5 + 3 * photos(200, 6)])
    chosen = representatives(Space.of(features), np.arange(1000), 50, NOBODY, group_photos=100)
    assert (chosen >= 800).sum() > 25


def test_memory_grows_with_photos_and_not_with_their_square() -> None:
    def peak(count: int) -> int:
        space = Space.of(photos(count, 7, axes=8))
        tracemalloc.start()
        representatives(space, np.arange(count), 40, NOBODY)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    many = peak(12_000)
    assert many < 3 * peak(6_000)
    assert many < 40e6  # all distances would be 576 MB


def test_few_cells_are_chosen_for_among_a_sample() -> None:
    features = clusters(4, 2000)
    chosen = representatives(Space.of(features), np.arange(8000), 4, NOBODY)
    assert sorted(photo // 2000 for photo in chosen.tolist()) == [0, 1, 2, 3]


def test_photos_all_alike_are_still_different_ones() -> None:
    assert len(set(representatives(Space.of(np.ones((50, 3))), np.arange(50), 20, NOBODY).tolist())) == 20


def test_choosing_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        representatives(Space.of(photos(50)), np.arange(50), 10, NOBODY, stop=lambda: True)


def test_left_out_photos_are_told_whom_they_resemble_from_the_first_sheet_on() -> None:
    steps = []
    pins = Pins({0: (0, 0), 7: (5, 7)})
    arrange(photos(200, 8), rectangle(6, 8), pins, FAST, on_step=steps.append)
    assert steps[0].stage == "first"
    for step in steps:
        check_sheet(step, set(range(200)), pins, "empty")


def test_of_photos_that_stand_for_a_group_equally_well_the_best_is_shown() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(np.eye(6, dtype=np.float32) * 9, 20, axis=0) + rng.normal(0, 0.1, (120, 6)).astype(np.float32)
    quality = rng.permutation(120).astype(np.float32) / 120
    shape = rectangle(2, 3)
    chosen = {name: arrange(groups, shape, options=Options(choose=name), quality=quality).shown for name in CHOICES}
    means = [quality[list(photos)].mean() for photos in chosen.values()]
    assert all(sorted(np.array(list(photos)) // 20) == list(range(6)) for photos in chosen.values())
    assert means[0] < means[1] <= means[2] and means[2] > 0.9
    assert chosen["varied"] == arrange(groups, shape).shown


def test_quality_costs_no_more_coverage_than_the_choice_allows() -> None:
    features, rng = photos(400), np.random.default_rng(1)
    space, quality = Space.of(features), rng.random(400).astype(np.float32)
    away = {}
    for most_lost in (0.0, 0.003, 0.01, 0.05):
        chosen = good_representatives(space, np.arange(400), 30, NOBODY, Quality(quality, most_lost, space))
        away[most_lost] = space.distances(np.arange(400), chosen).min(axis=1).mean(), quality[chosen].mean()
    usual = representatives(space, np.arange(400), 30, NOBODY)
    least = space.distances(np.arange(400), usual).min(axis=1).mean()
    assert all(distance <= (1 + share) * least * 1.0001 for share, (distance, _) in away.items())
    assert quality[usual].mean() < away[0.0][1] < away[0.003][1] < away[0.01][1] < away[0.05][1]


@pytest.mark.parametrize("choose", ["balanced", "best"])
def test_the_coverage_that_quality_costs_is_measured_by_all_axes(choose: str) -> None:
    rng = np.random.default_rng(6)
    quality, shape = rng.random(300).astype(np.float32), rectangle(5, 6)
    groups = np.repeat(rng.standard_normal((30, 5)), 10, axis=0) + 0.05 * rng.standard_normal((300, 5))
    features = np.concatenate(
        [groups, 0.3 * np.diag(quality)], axis=1
    )  # the better a photo, the less it is like others
    assert Space.of(features).points.shape[1] == 5, "the leading axes know nothing of it"
    usual, good = (
        arrange(features, shape, options=Options(choose=name), quality=quality) for name in ("varied", choose)
    )
    assert coverage(features, good.shown) <= (1 + CHOICES[choose] + 1e-5) * coverage(features, usual.shown)
    assert quality[list(good.shown)].mean() > quality[list(usual.shown)].mean() + 0.02


def test_quality_of_photos_in_several_groups_costs_no_more_than_of_photos_in_one() -> None:
    features, rng = photos(500, 4), np.random.default_rng(2)
    space, quality, everybody = Space.of(features), rng.random(500).astype(np.float32), np.arange(500)
    for size in (500, 130):
        standing, allowed = np.array([3, 200]), Quality(quality, 0.02, space)
        usual = representatives(space, everybody, 40, standing, group_photos=size)
        good = good_representatives(space, everybody, 40, standing, allowed, group_photos=size)
        shown = [np.concatenate([chosen, standing]) for chosen in (usual, good)]
        away = [space.distances(everybody, photos_shown).min(axis=1).mean() for photos_shown in shown]
        assert len(set(good.tolist()) - set(standing.tolist())) == 40
        assert away[1] <= 1.0201 * away[0] and quality[good].mean() > quality[usual].mean() + 0.1


def test_a_photo_too_small_for_the_print_gives_way_to_one_that_it_stands_for() -> None:
    rng = np.random.default_rng(2)
    groups = np.repeat(np.eye(6, dtype=np.float32) * 9, 20, axis=0) + rng.normal(0, 0.1, (120, 6)).astype(np.float32)
    quality = np.full(120, -0.01, np.float32)  # nearly as good as the others, but too small
    quality[[7, 30, 45, 61, 99]] = 0.0  # of the sixth group there is none
    chosen = good_representatives(Space.of(groups), np.arange(120), 6, NOBODY, Quality.of(quality, 0.02, groups))
    assert set(chosen[:5]) == {7, 30, 45, 61, 99} and chosen[5] >= 100


def test_a_choice_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="varied, balanced, best"):
        Options(choose="nicest")
