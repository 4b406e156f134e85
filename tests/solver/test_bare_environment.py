"""The solver alone: it works where nothing but numpy, scipy, array-api-compat and threadpoolctl is installed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

PACKAGES = ("numpy", "scipy", "array_api_compat", "threadpoolctl", "album_app")
PROGRAM = """
import importlib, pkgutil, sys
import numpy as np
import album_app.solver as solver
from album_app.solver.estimator import NotFitted, SmiEstimator
from album_app.solver.inference import infer

for module in pkgutil.iter_modules(solver.__path__):
    importlib.import_module(f"album_app.solver.{module.name}")
x = np.linspace(0.0, 1.0, 30)[:, None] ** 2
problem = solver.Problem(x[::3], -x[::3], x, -x)
assert solver.select(problem, lams=[1e-2], betas=[0.5]).solver.solve(problem).smi > 0.0
assert (solver.match_samples(x[::3], -x[::3], x, -x).columns == np.arange(30)).mean() > 0.5
assert infer(problem, solver.LsmiSinkhorn().solve, resamples=2, permutations=1).smi > 0.0
try:
    SmiEstimator().predict(x)
except NotFitted:
    SmiEstimator().fit(x, x).save("estimator.npz")
print(SmiEstimator.load("estimator.npz").smi_ > 0.0, "sklearn" in sys.modules)
"""


def test_the_solver_needs_four_packages(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    for name in PACKAGES:
        origin = Path(importlib.util.find_spec(name).origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        (packages / source.name).symlink_to(source)
        libraries = source.parent / f"{name}.libs"  # what the wheels of numpy and scipy link to
        if libraries.exists():
            (packages / libraries.name).symlink_to(libraries)
    done = subprocess.run(
        [sys.executable, "-S", "-c", PROGRAM],
        env={"PYTHONPATH": str(packages), "OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["True", "False"]
