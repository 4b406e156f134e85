"""The estimator: it reads tables, has attributes, works with scikit-learn's tools, and is saved and loaded."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from album_app.solver import LsmiSinkhorn, Problem
from album_app.solver.estimator import NotFitted, SmiEstimator

Make = Callable[..., Problem]


def fitted(problem: Problem, **settings: object) -> SmiEstimator:
    return SmiEstimator(**settings).fit(problem.x_pairs, problem.y_pairs, problem.x, problem.y)


def test_fit_says_what_solve_says(dependent: Make) -> None:
    problem = dependent()
    solver, solution = fitted(problem), LsmiSinkhorn().solve(problem)
    assert solver.smi_ == solution.smi and solver.n_iter_ == solution.iterations
    assert solver.converged_ == solution.converged and solver.degenerate_ == solution.degenerate
    assert (solver.plan_ == solution.plan).all()
    assert (solver.ratio(problem.x, problem.y) == solution.ratio(problem.x, problem.y)).all()


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.zeros((4, 1)), "x must have as many features as the fitted x: 2, not 1"),
        ([0.0, 1.0], "x must have as many features as the fitted x: 2, not 1"),  # one sample is a row of a matrix
        ([[0.0, 0.0], [np.nan, 0.0]], "x must hold finite numbers, but 1 .* the first in row 1, column 0"),
    ],
)
def test_new_samples_are_like_those_that_were_fitted(x: object, words: str) -> None:
    seen = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    solver = SmiEstimator().fit(seen, seen[:, 0])
    for ask in (solver.predict, lambda x: solver.ratio(x, [0.0]), lambda x: solver.score(x, [0.0] * len(x))):
        with pytest.raises(ValueError, match=words):
            ask(x)


def test_fit_names_its_own_samples() -> None:
    seen = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    with pytest.raises(ValueError, match=r"^unpaired x must hold finite numbers"):
        SmiEstimator().fit(seen, seen, np.full((3, 2), np.inf), seen)


def test_what_is_wrong_with_pairs_is_said_of_the_pairs_also_where_nothing_else_was_given() -> None:
    seen = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    with pytest.raises(ValueError, match=r"^paired x must hold finite numbers"):
        SmiEstimator().fit(np.full((6, 2), np.nan), seen)
    with pytest.raises(ValueError, match=r"^paired y must be a matrix with samples as rows, not of shape \(1, 6, 2\)"):
        SmiEstimator().fit(seen, seen[None])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("lam", -1.0, "lam must be at least 0, not -1.0"),
        ("lam", "0.1", "lam must be at least 0, not '0.1'"),
        ("basis", 50.0, "basis must be a whole number, at least 1, not 50.0"),
        ("seed", None, "seed must be a whole number, at least 0, not None"),
        ("landmarks", 0, "landmarks must be a whole number, at least 1, or None, not 0"),
    ],
)
def test_settings_that_mean_nothing_are_refused_however_they_were_set(name: str, value: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LsmiSinkhorn(**{name: value})
    changed = SmiEstimator()
    setattr(changed, name, value)
    for estimator in (SmiEstimator(**{name: value}), changed):  # refused by fit, as scikit-learn wants it
        with pytest.raises(ValueError, match=words):
            estimator.fit([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    assert SmiEstimator(basis=np.int64(3), seed=np.uint8(1)).fit([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]).smi_ > 0.0


@pytest.mark.parametrize("torch_first", [False, True])
def test_new_samples_may_be_arrays_or_tensors_whatever_was_fitted(torch_first: bool) -> None:
    torch = pytest.importorskip("torch")
    seen = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    arrays, tensors = (seen, seen), (torch.tensor(seen), torch.tensor(seen))
    solver = SmiEstimator().fit(*(tensors if torch_first else arrays))
    kind = torch.Tensor if torch_first else np.ndarray
    for asked in (solver.ratio(*arrays), solver.ratio(*tensors), solver.ratio(arrays[0], tensors[1])):
        assert isinstance(asked, kind)
        assert np.allclose(np.asarray(asked), np.asarray(solver.ratio(*arrays)))
    assert solver.score(*arrays) == pytest.approx(solver.score(*tensors))


def test_a_fit_that_fails_leaves_what_was_fitted() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(np.linspace(0.0, 1.0, 12).reshape(6, 2), columns=["a", "b"])
    solver = SmiEstimator().fit(table, table["a"])
    before = solver.predict(table[["b", "a"]])
    with pytest.raises(ValueError, match="finite"):
        solver.fit(table.rename(columns={"a": "c"}) * np.nan, table["a"])
    assert np.array_equal(solver.predict(table[["b", "a"]]), before)


def test_column_names_of_several_levels_are_saved_and_others_refused(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    values = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    table = pd.DataFrame(values, columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    solver = SmiEstimator().fit(table, values)
    solver.save(tmp_path / "solver.npz")
    assert np.array_equal(SmiEstimator.load(tmp_path / "solver.npz").predict(table), solver.predict(table))
    dated = pd.DataFrame(values, columns=pd.to_datetime(["2020-01-01", "2021-01-01"]))
    with pytest.raises(ValueError, match="names of its columns, which must be text or numbers"):
        SmiEstimator().fit(dated, values).save(tmp_path / "dated.npz")
    assert not (tmp_path / "dated.npz").exists()


def test_predictions_for_very_many_samples_take_little_memory() -> None:
    import tracemalloc

    rng = np.random.default_rng(0)
    x = rng.standard_normal((20_000, 2))
    solver = SmiEstimator(basis=40, landmarks=1000).fit(x[:40], x[:40], x, x)
    tracemalloc.start()
    solver.predict(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6  # all shares at once are 160 MB


def test_gaps_are_named_whatever_they_are_called() -> None:
    pd = pytest.importorskip("pandas")
    values = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    table = pd.DataFrame(values).convert_dtypes()
    table.iloc[4, 1] = pd.NA
    listed = [[None if (row, column) == (4, 1) else 0.5 for column in range(2)] for row in range(6)]
    for gappy in (table, listed):
        with pytest.raises(ValueError, match=r"^paired x must hold finite numbers.* the first in row 4, column 1"):
            SmiEstimator().fit(gappy, values)
    with pytest.raises(ValueError, match=r"^paired x must hold no masked numbers"):
        SmiEstimator().fit(np.ma.masked_greater(values, 0.5), values)


def test_sparse_samples_are_refused_with_the_way_out() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"^paired x must be .* not a sparse one: call its toarray\(\)"):
        SmiEstimator().fit(sparse.eye_array(6).tocsr(), np.eye(6))


def test_a_score_needs_pairs() -> None:
    solver = SmiEstimator().fit([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="x and y must hold as many samples, not 2 and 1"):
        solver.score([0.0, 1.0], [0.0])


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    solver = SmiEstimator().fit([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])
    with pytest.raises(FileNotFoundError, match=r"its folder is not there: .*nowhere.solver\.npz"):
        solver.save(tmp_path / "nowhere" / "solver.npz")


def test_a_hidden_permutation_is_matched_one_to_one(planted: tuple[Problem, np.ndarray]) -> None:
    problem, permutation = planted
    rows, columns = fitted(problem, epsilon=0.05).match()
    assert (rows == np.arange(80)).all() and sorted(columns) == list(range(80))
    assert (columns == permutation).all()


def test_more_of_one_side_leaves_some_unmatched(dependent: Make) -> None:
    rows, columns = fitted(dependent(n_x=37, n_y=23)).match()
    assert len(set(rows)) == 23 and sorted(columns) == list(range(23))


def test_prediction_is_the_mean_that_the_plan_expects(dependent: Make) -> None:
    problem = dependent()
    solver = fitted(problem, dtype="float64", sweeps=20_000, tolerance=1e-12)
    by_plan = solver.plan_ @ problem.y / solver.plan_.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(solver.predict(problem.x), by_plan, rtol=1e-6)


def test_without_unpaired_samples_the_pairs_are_torn_apart() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal(60)
    solver = SmiEstimator(epsilon=0.1).fit(x, np.tanh(x))
    assert solver.plan_.shape == (60, 60) and solver.smi_ > 0.5


def test_nothing_is_known_before_fitting() -> None:
    with pytest.raises(NotFitted, match="call fit"):
        _ = SmiEstimator().smi_
    assert not hasattr(SmiEstimator(), "plan_")


def test_tables_are_read_by_their_column_names(dependent: Make) -> None:
    pandas = pytest.importorskip("pandas")
    problem = dependent()
    tables = [
        pandas.DataFrame(np.asarray(side), columns=names)
        for side, names in (
            (problem.x_pairs, list("abc")),
            (problem.y_pairs, list("uv")),
            (problem.x, list("abc")),
            (problem.y, list("uv")),
        )
    ]
    plain = fitted(problem)
    turned = SmiEstimator().fit(tables[0], tables[1], tables[2][["c", "a", "b"]], tables[3])
    assert turned.smi_ == pytest.approx(plain.smi_)
    turned_ratio = turned.ratio(tables[2][["b", "c", "a"]], tables[3])
    np.testing.assert_allclose(turned_ratio, plain.ratio(problem.x, problem.y))
    with pytest.raises(ValueError, match="unpaired x must have the column 'c'"):
        SmiEstimator().fit(tables[0], tables[1], tables[2][["a", "b"]], tables[3])


def test_tensors_stay_tensors_and_their_gradients_are_left_alone(dependent: Make) -> None:
    torch = pytest.importorskip("torch")
    problem = dependent()
    sides = [torch.asarray(side).requires_grad_() for side in (problem.x_pairs, problem.y_pairs, problem.x, problem.y)]
    solver = SmiEstimator(dtype="float64").fit(*sides)
    assert isinstance(solver.plan_, torch.Tensor) and not solver.plan_.requires_grad
    assert all(side.requires_grad and side.grad is None for side in sides)
    assert solver.smi_ == pytest.approx(fitted(problem, dtype="float64").smi_, rel=1e-6)
    assert isinstance(solver.predict(sides[2]), torch.Tensor)


def test_settings_are_read_changed_and_copied() -> None:
    solver = SmiEstimator(lam=0.5)
    assert solver.get_params()["lam"] == 0.5
    assert solver.set_params(beta=0.3, width=2.0) is solver
    assert solver == SmiEstimator(lam=0.5, beta=0.3, width=2.0)
    with pytest.raises(ValueError, match="there is no setting 'sigma'"):
        solver.set_params(sigma=1.0)


def test_scikit_learn_clones_and_searches() -> None:
    base, selection = pytest.importorskip("sklearn.base"), pytest.importorskip("sklearn.model_selection")
    rng = np.random.default_rng(0)
    x = rng.standard_normal((160, 2))
    y = x + 0.1 * rng.standard_normal((160, 2))
    copy = base.clone(SmiEstimator(lam=0.3).fit(x, y))
    assert copy == SmiEstimator(lam=0.3) and not hasattr(copy, "smi_")
    search = selection.GridSearchCV(SmiEstimator(), {"lam": [1e-3, 10.0]}, cv=3)
    search.fit(x[:40], y[:40], x_unpaired=x[40:], y_unpaired=rng.permutation(y[40:]))
    assert search.best_params_ == {"lam": 1e-3}
    assert search.best_estimator_.smi_ > 0.5


def test_the_score_is_minus_the_hold_out_error(dependent: Make) -> None:
    problem = dependent(n=12)
    solver = fitted(problem.with_pairs(range(8)))
    held_out = problem.with_pairs(range(8, 12))
    everywhere = solver.ratio(
        np.concatenate([problem.x_pairs[:8], problem.x]), np.concatenate([problem.y_pairs[:8], problem.y])
    )
    at_pairs = np.diag(solver.ratio(held_out.x_pairs, held_out.y_pairs))
    expected = at_pairs.mean() - 0.5 * np.mean(everywhere**2)
    assert solver.score(held_out.x_pairs, held_out.y_pairs) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("landmarks", [None, 17])
def test_a_saved_solver_comes_back_as_it_was(dependent: Make, tmp_path: Path, landmarks: int | None) -> None:
    problem = dependent(n_x=300, n_y=250)
    solver = fitted(problem, lam=1e-2, landmarks=landmarks)
    solver.save(tmp_path / "solver.npz")
    again = SmiEstimator.load(tmp_path / "solver.npz")
    assert again == solver and again.smi_ == solver.smi_ and again.converged_ == solver.converged_
    assert (again.plan_ == solver.plan_).all()
    assert (again.ratio(problem.x, problem.y) == solver.ratio(problem.x, problem.y)).all()
    assert (again.predict(problem.x) == solver.predict(problem.x)).all()
    assert all((one == other).all() for one, other in zip(again.match(), solver.match(), strict=True))
    going_on = again.solver().run(again.solution_.state)
    assert going_on.iterations >= again.n_iter_


def test_inference_uses_the_seed_and_the_settings_of_the_fit(dependent: Make, tmp_path: Path) -> None:
    few = {"resamples": 2, "permutations": 1}
    for state in (np.random.default_rng(5), np.random.RandomState(5), 7):
        solver = fitted(dependent(), random_state=state, basis=9)
        inferred = solver.infer(**few)
        assert inferred.smi == solver.smi_
        solver.save(tmp_path / "solver.npz", replace=True)
        assert SmiEstimator.load(tmp_path / "solver.npz").infer(**few) == inferred
        assert solver.set_params(lam=0.5).infer(**few) == inferred


def test_a_saved_solver_holds_no_pickle(dependent: Make, tmp_path: Path) -> None:
    fitted(dependent()).save(tmp_path / "solver.npz")
    with np.load(tmp_path / "solver.npz", allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", b"words"])
def test_a_file_that_holds_no_solver_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"other\.npz does not hold a fitted solver"):
        SmiEstimator.load(tmp_path / "other.npz")


def test_landmarks_bound_the_plan_and_the_ratio_reaches_all() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(size=(3040, 2))
    y = x @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    hidden = rng.permutation(3000)
    solver = SmiEstimator(epsilon=0.02, landmarks=200).fit(x[:40], y[:40], x[40:], y[40:][hidden])
    assert solver.plan_.shape == (200, 200)
    assert solver.landmarks_ is not None
    assert np.abs(solver.predict(x[40:]) - y[40:]).mean() < 0.25 * np.abs(y[40:] - y[40:].mean(axis=0)).mean()
    rows, columns = solver.match()
    assert set(rows) == set(solver.landmarks_[0]) and set(columns) == set(solver.landmarks_[1])


NOT_APPLICABLE = {
    "check_fit1d": "a series is a single column of samples, which is read as such",
    "check_fit2d_predict1d": "a series is a single column of samples; of another number of features it is refused",
    "check_n_features_in_after_fitting": "another number of features is refused, in a sentence of our own",
    "check_complex_data": "complex numbers are refused, in a sentence of our own",
    "check_dtype_object": "objects that are no numbers are refused by a ValueError that names the argument",
    "check_estimators_empty_data_messages": "empty samples are refused, in a sentence of our own",
}
"""scikit-learn's checks that the estimator does not pass, and why each does not apply."""


def test_scikit_learn_finds_an_estimator() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    found = checks.check_estimator(
        SmiEstimator(basis=20), expected_failed_checks=NOT_APPLICABLE, on_fail=None, on_skip=None
    )
    failed = {each["check_name"]: str(each["exception"]) for each in found if each["status"] == "failed"}
    assert failed == {}
    assert {each["check_name"] for each in found if each["status"] == "xfail"} == set(NOT_APPLICABLE)
    assert sum(each["status"] == "passed" for each in found) >= 30


def test_features_are_counted_and_named_as_scikit_learn_does() -> None:
    pd, exceptions = pytest.importorskip("pandas"), pytest.importorskip("sklearn.exceptions")
    values = np.linspace(0.0, 1.0, 12).reshape(6, 2)
    estimator = SmiEstimator().fit(pd.DataFrame(values, columns=["a", "b"]), values)
    assert estimator.n_features_in_ == 2 and list(estimator.feature_names_in_) == ["a", "b"]
    assert not hasattr(estimator.fit(values, values), "feature_names_in_")
    with pytest.raises(exceptions.NotFittedError):
        SmiEstimator().predict(values)


def test_a_random_state_takes_the_place_of_the_seed() -> None:
    x = np.random.default_rng(0).standard_normal((90, 2))
    data = x[:9], x[:9], x[9:], x[9:]

    def smi(**settings: object) -> float:
        return SmiEstimator(basis=20, **settings).fit(*data).smi_

    assert smi(random_state=3) == smi(seed=3) != smi(seed=4)
    assert smi(random_state=np.random.default_rng(1)) == smi(random_state=np.random.default_rng(1)) != smi(seed=0)
    assert smi(random_state=np.random.RandomState(1)) == smi(random_state=np.random.RandomState(1)) != smi(seed=0)


def test_the_library_is_light() -> None:
    program = """
import sys
from album_app.solver import LsmiSinkhorn, Problem, match_samples
print(sorted({"torch", "ot", "scipy", "sklearn", "pandas", "PySide6"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
