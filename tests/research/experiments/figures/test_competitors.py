"""The comparisons of our own: data sets are read as they are, and claims follow the rows."""

from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.research.experiments.figures import competitors, independence
from album_app.research.experiments.study import Row


def test_a_data_set_of_keel_is_features_and_classes(tmp_path: Path) -> None:
    path = tmp_path / "small.dat"
    path.write_text("@relation small\n@data\n1.0, 2.5, red\n3, 4, blue\n", encoding="utf-8")
    features, classes = competitors.keel_file(path)
    assert features.tolist() == [[1.0, 2.5], [3.0, 4.0]] and classes.tolist() == [1, 0]
    path.write_text("@data\none, two, red\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"small\.dat is not a data set of numbers"):
        competitors.keel_file(path)


def test_the_hidden_pairing_leads_from_each_y_to_its_x() -> None:
    x = np.arange(40.0)[:, None]
    problem, right, kinds = competitors.hidden_pairing(x, -x, np.arange(40), 10, 3, 20)
    assert problem.n == 10 and problem.n_x == problem.n_y == 20
    assert (problem.x_pairs == -problem.y_pairs).all()
    assert (problem.y[:, 0] == -problem.x[right, 0]).all() and (kinds == problem.x[:, 0]).all()


def test_a_competitor_that_wins_is_said_to_win() -> None:
    rows: list[Row] = [
        {"data": "digits", "n": 10, "method": method, "seed": seed, "top1": base + 0.001 * seed, "seconds": 1.0}
        for seed in range(4)
        for method, base in {competitors.OURS: 0.5 + 0.001 * (seed % 2), "ridge": 0.2, "CCA": 0.9}.items()
    ]
    holds = {claim.peer: claim.holds for claim in competitors.claims(rows)}
    assert holds["ridge"] is True and holds["CCA"] is False
    assert "CCA on digits with 10 pairs" in competitors.quoted(rows)["ahead"]


@pytest.mark.parametrize("case", independence.CASES)
def test_cases_of_the_power_study_have_the_dependence_they_are_named_for(case: str) -> None:
    x, y = independence.draw(case, 4000, np.random.default_rng(0))
    correlation = float(np.corrcoef(x[:, 0], y[:, 0])[0, 1])
    squares = float(np.corrcoef(x[:, 0] ** 2, y[:, 0] ** 2)[0, 1])
    expected = {"independent": abs(correlation) + abs(squares) < 0.1, "rho = 0.5": abs(correlation - 0.5) < 0.05}
    expected |= {
        "circle": abs(correlation) < 0.05 and squares < -0.5,
        "clusters": abs(correlation) + abs(squares) > 0.1,
    }
    assert expected[case]
