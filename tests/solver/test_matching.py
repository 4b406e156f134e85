"""Deep image matching: halves of ResNet20 features find each other again with 100 pairs to learn from."""

from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from album_app.solver import LsmiSinkhorn, Problem


def test_halves_of_image_features_are_matched(shared: Path) -> None:
    data = np.load(shared / "data" / "resnet20_cifar10_test_features.npz")
    scores = np.mean([match(data["feats"], data["labels"], seed) for seed in range(5)], axis=0)
    by_class, top_1, rounded = scores
    assert by_class >= 0.97
    assert top_1 >= 0.61
    assert rounded >= 0.79


def match(features: np.ndarray, labels: np.ndarray, seed: int) -> tuple[float, float, float]:
    """Class accuracy and top-1 of the plan's largest entries, and top-1 of its one-to-one rounding."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(features))[:600]
    x, y, kinds = features[chosen, :32], features[chosen, 32:], labels[chosen][100:]
    shuffle = rng.permutation(500)
    problem = Problem(x[:100], y[:100], x[100:], y[100:][shuffle])
    plan = LsmiSinkhorn(basis=500, epsilon=0.1, lam=1e-4, seed=seed).solve(problem).plan
    best, rounded = shuffle[plan.argmax(axis=1)], shuffle[linear_sum_assignment(np.log(plan), maximize=True)[1]]
    own = np.arange(500)
    return float(np.mean(kinds[best] == kinds)), float(np.mean(best == own)), float(np.mean(rounded == own))
