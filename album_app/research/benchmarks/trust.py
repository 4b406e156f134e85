"""Measures how far answers of the solver can be trusted: intervals of SMI, and matches by the cut between two halves.

The true SMI of jointly Gaussian x and y is known. Matches are those of `match_samples` between halves of scikit-learn's
digits, 8 x 8 pixels, which are cut in four ways.
"""

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from album_app.research.experiments.figures.gaussian import true_smi
from album_app.solver import LsmiSinkhorn, Problem, match_samples
from album_app.solver.inference import infer

SOLVER = LsmiSinkhorn(basis=60, lam=1e-2)
"""The solver of LIBRARY's example of `infer`."""
CASES = ((0.8, 20), (0.8, 50), (0.0, 20))
"""Correlations and numbers of pairs."""
UNPAIRED = 100
RUNS, RESAMPLES = 60, 20
PAIRS, SEEDS = (20, 50), (0, 1)
HIDDEN, FEW = 300, 100

Images = NDArray[np.float64]
CUTS = {
    "even against odd pixel rows": (np.s_[:, ::2], np.s_[:, 1::2]),
    "even against odd pixel columns": (np.s_[:, :, ::2], np.s_[:, :, 1::2]),
    "left against right half": (np.s_[:, :, :4], np.s_[:, :, 4:]),
    "upper against lower half": (np.s_[:, :4], np.s_[:, 4:]),
}
"""The pixels of each side."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--runs", type=int, default=RUNS, help="draws of the samples for each row on intervals")
    parser.add_argument("--quick", action="store_true", help="leave out matching, which takes minutes")


def run(arguments: argparse.Namespace) -> int:
    print(f"intervals of 95 % in {arguments.runs} runs, {UNPAIRED} unpaired samples of each side")
    print("| rho | pairs | true SMI | mean estimate | mean bound | hold the mean estimate | hold the truth |")
    print("|---|---|---|---|---|---|---|")
    for rho, pairs in CASES:
        estimates, bounds, own, truth = coverage(rho, pairs, arguments.runs)
        print(
            f"| {rho} | {pairs} | {true_smi(1, rho):.2f} | {estimates:.2f} | {bounds:.2f} | {own:.0%} | {truth:.0%} |",
            flush=True,
        )
    if not arguments.quick:
        _print_matching()
    return 0


def coverage(rho: float, pairs: int, runs: int) -> tuple[float, float, float, float]:
    """The mean estimate and the mean bound, and how many intervals hold the mean estimate and the true SMI."""
    found = [
        infer(gaussian(rho, pairs, seed), SOLVER, resamples=RESAMPLES, permutations=1, seed=seed)
        for seed in range(runs)
    ]
    mean, bound = (float(np.mean(values)) for values in zip(*((each.smi, each.bound) for each in found), strict=True))
    own, truth = (
        float(np.mean([each.low <= value <= each.high for each in found])) for value in (mean, true_smi(1, rho))
    )
    return mean, bound, own, truth


def gaussian(rho: float, pairs: int, seed: int) -> Problem:
    """Pairs of x and y with correlation rho, and unpaired x and y of other pairs."""
    rng = np.random.default_rng(seed)
    x, noise = rng.standard_normal((2, pairs + 2 * UNPAIRED, 1))
    y = rho * x + np.sqrt(1.0 - rho**2) * noise
    return Problem(x[:pairs], y[:pairs], x[pairs : pairs + UNPAIRED], y[pairs + UNPAIRED :])


def _print_matching() -> None:
    print(f"\nmatches found by the cut of the digits, seeds {', '.join(map(str, SEEDS))}")
    print("| cut | pairs | of | among | found | mean confidence |\n|---|---|---|---|---|---|")
    for cut, pairs, among in rows():
        found = zip(*(matched(cut, pairs, among, seed) for seed in SEEDS), strict=True)
        shares, sure = (", ".join(f"{share:.0%}" for share in each) for each in found)
        print(f"| {cut} | {pairs} | {among} | {HIDDEN} | {shares} | {sure} |", flush=True)


def rows() -> Iterator[tuple[str, int, int]]:
    """Cuts, numbers of pairs, and how many x are to be matched: all cuts with few pairs, the first one in all ways."""
    first, *others = CUTS
    yield from ((first, pairs, among) for among in (HIDDEN, FEW) for pairs in PAIRS)
    yield from ((cut, PAIRS[0], HIDDEN) for cut in others)


def matched(cut: str, pairs: int, among: int, seed: int) -> tuple[float, float]:
    """The share of `among` x whose partners are found among 300 y, and the mean confidence of the matches."""
    from sklearn.datasets import load_digits

    images, rng = load_digits().images / 16, np.random.default_rng(seed)
    images = images[rng.permutation(len(images))[: pairs + HIDDEN]]
    x, y = (images[side].reshape(len(images), -1) for side in CUTS[cut])
    hidden = rng.permutation(HIDDEN)
    found = match_samples(x[:pairs], y[:pairs], x[pairs : pairs + among], y[pairs:][hidden], seed=seed)
    return float(np.mean(hidden[found.columns] == found.rows)), float(np.mean(found.confidence))
