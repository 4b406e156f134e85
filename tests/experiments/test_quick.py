"""Every experiment in its quick version: it writes its files, and the claims point the way the paper says."""

from pathlib import Path

import numpy as np
import pytest

from album_app.errors import AlbumError
from album_app.experiments.catalogue import NAMES, MissingData, load
from album_app.experiments.runner import Result, run
from album_app.experiments.study import Request, average
from album_app.experiments.uci import correlation_split

pytest.importorskip("matplotlib")


def quick(name: str, folder: Path, **data: Path) -> Result:
    experiment = load(name)
    return run(experiment, Request(experiment.quick_seeds, quick=True, data=data), folder)


@pytest.mark.parametrize("name", ["convergence", "plan", "matching", "album-color", "ablation"])
def test_claims_hold_and_files_are_there(name: str, tmp_path: Path) -> None:
    result = quick(name, tmp_path)
    assert result.complete
    assert [claim for claim in result.claims if not claim.holds] == []
    assert all(path.stat().st_size > 100 for path in result.files)


def test_lsmi_sinkhorn_comes_nearest_to_the_truth_and_invents_no_dependence(tmp_path: Path) -> None:
    rows = quick("synthetic", tmp_path).rows
    for name in ("linear", "nonlinear", "pca"):
        truth = average(rows, "smi", data=name, method="LSMI (full)")
        off = {
            method: abs(average(rows, "smi", data=name, method=method) - truth)
            for method in ("LSMI", "LSMI (opt)", "Gromov-SMI", "LSMI-Sinkhorn")
        }
        assert min(off, key=lambda method: off[method]) == "LSMI-Sinkhorn"
    assert average(rows, "smi", data="random", method="LSMI-Sinkhorn") < 0.15


def test_gromov_wasserstein_takes_longer_and_longer(tmp_path: Path) -> None:
    rows = quick("runtime", tmp_path).rows
    ours, theirs = (
        average(rows, "seconds", method=method, n_x=400)
        for method in ("LSMI-Sinkhorn (numpy)", "Gromov-Wasserstein (POT)")
    )
    assert theirs > ours


def test_real_data_give_finite_estimates_by_every_method(tmp_path: Path) -> None:
    result = quick("uci", tmp_path)
    assert {row["data"] for row in result.rows} == {"wine", "breast_cancer"}
    assert all(np.isfinite(float(row["smi"])) for row in result.rows)


def test_data_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="--cifar10"):
        quick("album-semantic", tmp_path)
    with pytest.raises(AlbumError, match="feats"):
        quick("matching", tmp_path, features=Path(__file__))


def test_every_experiment_says_what_it_is() -> None:
    for name in NAMES:
        experiment = load(name)
        assert experiment.name == name
        assert experiment.what.endswith(".")
        assert experiment.takes and experiment.needs


def test_correlated_features_end_up_on_different_sides() -> None:
    rng = np.random.default_rng(0)
    base = rng.standard_normal((200, 3))
    features = np.concatenate([base, base + 0.1 * rng.standard_normal((200, 3)), np.zeros((200, 1))], axis=1)
    x, y = correlation_split(features)
    assert x.shape == y.shape == (200, 3)
    strength = np.abs(x.T @ y) / len(x)
    assert (strength.max(axis=1) > 0.9).all()
