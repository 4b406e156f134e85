"""Every experiment in its quick version: it writes its files, and the claims point the way the paper says."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import AlbumError
from album_app.research.experiments.figures import gaussian, plans, runtime
from album_app.research.experiments.figures.convergence import CASES, CHOSEN, DEFAULT
from album_app.research.experiments.figures.estimators import (
    OUR_BASIS,
    OUR_TRUTH,
    OURS,
    PEERS,
    SMALL_TRUTH,
    YARDSTICKS,
    with_errors,
)
from album_app.research.experiments.figures.uci import correlation_split
from album_app.research.experiments.runner import NAMES, MissingData, Result, load, run
from album_app.research.experiments.study import Request, agreeing, average
from album_app.sample import sample_album

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As many small pictures as the sheets have cells, each of a colour of its own that fades downwards."""
    folder, fading = tmp_path_factory.mktemp("photos"), np.linspace(1.0, 0.6, 12)[:, None, None]
    for number, colour in enumerate(np.random.default_rng(0).integers(30, 256, (320, 3))):
        Image.fromarray(np.broadcast_to(colour * fading, (12, 16, 3)).astype(np.uint8)).save(folder / f"{number}.png")
    return folder


def quick(name: str, folder: Path, **data: Path) -> Result:
    experiment = load(name)
    return run(experiment, Request(experiment.quick_seeds, quick=True, data=data), folder)


def test_convergence_holds_as_the_paper_has_it_and_falls_behind_where_selection_leads(tmp_path: Path) -> None:
    claims = quick("convergence", tmp_path).claims
    default = [claim for claim in claims if claim.text.startswith(CASES[DEFAULT])]
    as_in_the_paper = [claim.holds for claim in default]
    selected = [claim.holds for claim in claims if "settles" in claim.text and claim not in default]
    proposition = f"{CASES[CHOSEN]}: the loss never rises (Proposition 1)"
    never_rises = [claim.holds for claim in claims if claim.text == proposition]
    assert len(as_in_the_paper) == 3 and all(as_in_the_paper)
    assert len(selected) == 4 and not any(selected) and never_rises == [True]


@pytest.mark.parametrize("name", ["matching", "album-color", "ablation", "choices", "guide"])
def test_no_claim_fails_and_files_are_there(
    name: str, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_album, "LONG_SIDE", 96)  # the guide's album, which is drawn faster when it is small
    monkeypatch.setattr(sample_album, "SHORT_SIDE", 72)
    result = quick(name, tmp_path, photos=photos)
    assert result.complete
    assert [claim for claim in result.claims if claim.holds is False] == []  # one seed decides nothing more
    assert all(path.stat().st_size > 100 for path in result.files)


@pytest.mark.parametrize("name", ["synthetic", "synthetic-unequal"])
def test_lsmi_sinkhorn_comes_nearest_to_the_truth_and_invents_no_dependence(name: str, tmp_path: Path) -> None:
    result = quick(name, tmp_path)
    rows = with_errors(result.rows)
    for data in ("linear", "nonlinear", "pca"):
        errors = {method: average(rows, "error", data=data, method=method) for method in (*PEERS, OURS)}
        assert min(errors, key=lambda method: errors[method]) == OURS
    assert average(result.rows, "smi", data="random", method=OURS) < 0.15
    assert ("epsilon selected" in (tmp_path / f"{name}.md").read_text()) == (name == "synthetic")


def test_the_plan_is_uniform_on_independent_data_and_diagonal_elsewhere(tmp_path: Path) -> None:
    rows = quick("plan", tmp_path).rows
    assert average(rows, "nats_from_uniform", data="random") <= plans.UNIFORM
    for name in ("linear", "nonlinear", "pca"):
        assert average(rows, "near_diagonal", data=name) >= 3 * plans.BY_CHANCE


def test_a_permutation_is_as_far_from_uniform_as_a_plan_can_be() -> None:
    shuffled = np.eye(100)[np.random.default_rng(0).permutation(100)] / 100
    assert plans.scores(shuffled)["nats_from_uniform"] == pytest.approx(np.log(100))
    uniform = plans.scores(np.full((100, 100), 1e-4))
    assert uniform == {
        "near_diagonal": pytest.approx(0.107),
        "on_diagonal": pytest.approx(0.01),
        "nats_from_uniform": pytest.approx(0.0),
    }


def test_every_method_is_timed_on_every_size(tmp_path: Path) -> None:
    rows = quick("runtime", tmp_path).rows
    timed = {(row["n_x"], row["method"]) for row in rows if float(row[runtime.TIME]) > 0.0 < float(row["seconds"])}
    assert timed == set(product(runtime.QUICK_SIZES, runtime.METHODS))


def test_unpaired_samples_bring_the_estimate_nearer_on_real_data(tmp_path: Path) -> None:
    result = quick("uci", tmp_path)
    assert {row["data"] for row in result.rows} == {"wine", "breast_cancer"}
    assert all(np.isfinite(float(row["smi"])) for row in result.rows)
    rows = agreeing(with_errors(result.rows), {"data": "breast_cancer"})
    errors = {method: average(rows, "error", method=method) for method in (*PEERS, OUR_BASIS["LSMI"], OURS)}
    assert min(errors, key=lambda method: errors[method]) == OURS


def test_the_true_smi_of_gaussian_data_is_the_mean_of_the_squared_ratio(tmp_path: Path) -> None:
    x, y = (side[:, 0] for side in gaussian.gaussian_pairs(1, 0.5, 200_000, 0))
    ratio = np.exp(-(0.25 * x**2 + 0.25 * y**2 - x * y) / 1.5) / np.sqrt(0.75)  # p(x, y) / p(x) p(y), over p(x, y)
    assert (np.mean(ratio) - 1) / 2 == pytest.approx(gaussian.true_smi(1, 0.5), rel=0.02)
    assert 1 + 2 * gaussian.true_smi(2, 0.5) == pytest.approx((1 + 2 * gaussian.true_smi(1, 0.5)) ** 2)
    result = quick("gaussian", tmp_path)
    assert all(row["bias"] == pytest.approx(float(row["smi"]) - float(row["truth"])) for row in result.rows)


def test_dependence_is_more_than_shuffled_pairs_show_and_independence_is_not(tmp_path: Path) -> None:
    result = quick("independence", tmp_path)
    above = {rho: average(result.rows, "above chance", rho=rho) for rho in (0.0, 0.8)}
    assert above[0.8] > 0.2 > 0.1 > abs(above[0.0])
    assert result.claims[0].holds is None  # independent data cannot be distinguished from chance


def test_the_yardstick_is_longer_the_smaller_lambda_and_with_our_basis(tmp_path: Path) -> None:
    rows = quick("yardstick", tmp_path).rows

    def smi(method: str, lam: float) -> float:
        return average(rows, "smi", method=method, lam=lam)

    assert all(smi(method, 1e-7) > smi(method, 1e-4) for method in YARDSTICKS)
    assert smi(OUR_TRUTH, 1e-4) > smi(SMALL_TRUTH, 1e-4)


def test_data_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="--cifar10"):
        quick("album-semantic", tmp_path)
    with pytest.raises(MissingData, match="--flickr"):
        quick("album-corners", tmp_path)
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
