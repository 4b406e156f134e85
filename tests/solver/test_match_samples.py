"""`match_samples`: partners are found again, in any order and number, with a confidence that can be believed."""

from pathlib import Path

import numpy as np
import pytest

from album_app.errors import Stopped
from album_app.solver import InvalidInput, Problem, match_samples
from album_app.solver.matching import both_ways, held_out_folds, mean_log_ranks, probabilities, self_trained, surest

Views = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def views(n: int, unpaired: int, noise: float, seed: int = 0) -> Views:
    """Pairs, unpaired x and y, and for each unpaired y the row of the x that it belongs to."""
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((n + unpaired, 4))
    x, y = hidden @ rng.standard_normal((4, 6)), np.tanh(0.5 * hidden @ rng.standard_normal((4, 5)))
    x, y = (side + noise * side.std() * rng.standard_normal(side.shape) for side in (x, y))
    order = rng.permutation(unpaired)
    return x[:n], y[:n], x[n:], y[n:][order], order


@pytest.fixture(scope="module")
def noisy() -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    *samples, order = views(12, 120, 0.12)
    return match_samples(*samples), order


def test_partners_are_found_and_the_surer_ones_more_often(noisy: tuple) -> None:
    (rows, columns, confidence), order = noisy
    assert (rows == np.arange(120)).all() and sorted(columns) == list(range(120))
    right = order[columns] == rows
    assert right.mean() > 0.6
    assert ((confidence > 0.0) & (confidence <= 13 / 14)).all()  # twelve tests promise no more
    sure = confidence >= np.median(confidence)
    assert right[sure].mean() > right[~sure].mean() + 0.1
    assert abs(right.mean() - confidence.mean()) < 0.2


def test_the_answer_depends_on_the_samples_and_the_seed_alone(noisy: tuple) -> None:
    *samples, _ = views(12, 120, 0.12)
    again = match_samples(*samples)
    assert all((one == other).all() for one, other in zip(again, noisy[0], strict=True))


def test_sides_may_differ_in_number() -> None:
    found, sure = [], []
    for seed in range(3):
        x_pairs, y_pairs, x, y, order = views(10, 60, 0.05, seed)
        rows, columns, confidence = match_samples(x_pairs, y_pairs, x, y[:40])
        assert len(rows) == len(confidence) == 40 and sorted(columns) == list(range(40))
        found.append(np.mean(order[columns] == rows))
        sure.append(confidence.mean())
    assert np.mean(found) > 0.85
    assert abs(np.mean(found) - np.mean(sure)) < 0.15  # a row may give all of its share to one partner


@pytest.mark.parametrize("count", [1, 30])
def test_a_single_sample_of_a_side_has_a_partner_and_a_confidence(count: int) -> None:
    x_pairs, y_pairs, x, y, _ = views(10, 30, 0.0)
    rows, columns, confidence = match_samples(x_pairs, y_pairs, x[:1], y[:count])
    assert rows == [0] and columns < count and 0.0 <= confidence <= 1.0


def test_tables_are_read_by_their_column_names() -> None:
    pandas = pytest.importorskip("pandas")
    x_pairs, y_pairs, x, y, _ = views(10, 30, 0.0)
    tables = [pandas.DataFrame(side, columns=list("abcdef")[: side.shape[1]]) for side in (x_pairs, y_pairs, x, y)]
    turned = [tables[0].iloc[:, ::-1], *tables[1:]]
    plain, named = match_samples(x_pairs, y_pairs, x, y), match_samples(*turned)
    assert all((one == other).all() for one, other in zip(plain, named, strict=True))
    with pytest.raises(InvalidInput, match="paired x must have the column 'a'"):
        match_samples(tables[0].rename(columns={"a": "z"}), *tables[1:])


def test_copies_of_a_pair_are_no_evidence() -> None:
    x_pairs, y_pairs, x, y, _ = views(3, 30, 0.0)
    assert (match_samples(*(np.repeat(side, 5, axis=0) for side in (x_pairs, y_pairs)), x, y)[2] <= 0.5).all()


def test_equal_pairs_are_held_out_together() -> None:
    x_pairs, y_pairs, x, y, _ = views(4, 20, 0.0)
    doubled = Problem(*(np.concatenate([side, side]) for side in (x_pairs, y_pairs)), x, y)
    for fold in held_out_folds(doubled):
        held_out = fold.problem.x[-fold.count :]
        assert not (held_out[:, None, :] == fold.problem.x_pairs).all(axis=2).any()


@pytest.mark.parametrize("n", [0, 1, 3])
def test_few_pairs_are_answered_without_selection(n: int) -> None:
    x_pairs, y_pairs, x, y, _ = views(n, 30, 0.0)
    rows, columns, confidence = match_samples(x_pairs, y_pairs, x, y)
    assert sorted(rows) == sorted(columns) == list(range(30))
    assert (confidence <= 0.5).all()  # nothing was tested


def test_wrong_samples_are_named() -> None:
    x_pairs, y_pairs, x, y, _ = views(5, 20, 0.0)
    with pytest.raises(InvalidInput, match="paired x and paired y must hold as many samples"):
        match_samples(x_pairs, y_pairs[:4], x, y)
    with pytest.raises(InvalidInput, match="unpaired y must hold finite numbers"):
        match_samples(x_pairs, y_pairs, x, y * np.nan)


def test_it_reports_progress_and_can_be_stopped() -> None:
    *samples, _ = views(6, 20, 0.0)
    seen: list[tuple[int, int]] = []
    match_samples(*samples, on_progress=lambda *at: seen.append(at))
    assert seen == sorted(seen) and seen[-1][0] == seen[-1][1]
    with pytest.raises(Stopped):
        match_samples(*samples, stop=lambda: True)


def test_halves_of_deep_features_find_each_other_with_ten_pairs(shared: Path) -> None:
    features = np.load(shared / "data" / "resnet20_cifar10_test_features.npz", allow_pickle=False)["feats"][2000:2210]
    rng = np.random.default_rng(3)
    order = rng.permutation(200)
    x, y = features[:, :32], features[:, 32:]
    rows, columns, _ = match_samples(x[:10], y[:10], x[10:], y[10:][order])
    assert np.mean(order[columns] == rows) >= 0.97


def test_held_out_partners_are_ranked_among_all_strangers() -> None:
    x_pairs, y_pairs, x, y, _ = views(9, 20, 0.0)
    folds = held_out_folds(Problem(x_pairs, y_pairs, x, y))
    assert [fold.count for fold in folds] == [3, 3, 3] and all(fold.problem.n == 6 for fold in folds)
    perfect, reversed_, flat = np.eye(23), -np.eye(23), np.zeros((23, 23))
    ranks = mean_log_ranks(folds, [[perfect, reversed_, flat]] * 3)
    np.testing.assert_allclose(ranks, [0.0, np.log(23), np.log(12)])


def test_probabilities_are_sharp_where_the_temperature_is_low() -> None:
    scores = np.eye(5)
    assert probabilities(scores, 0.01).diagonal() == pytest.approx(1.0)
    assert probabilities(scores, 1e6) == pytest.approx(0.2, abs=1e-3)


def test_regressions_both_ways_find_a_linear_map_and_self_training_helps() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((105, 6))
    y = x @ rng.standard_normal((6, 6)) + 0.1 * rng.standard_normal((105, 6))
    problem = Problem(x[:5], y[:5], x[5:], y[5:])
    first = both_ways(problem, 1e-2)
    last = self_trained(problem, first, 1e-2)
    before, after = (np.mean(surest(scores)[0] == surest(scores)[1]) for scores in (first, last))
    assert after > 0.95 > before
