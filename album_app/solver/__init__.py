"""LSMI-Sinkhorn as a small library: `LsmiSinkhorn(...).solve(Problem(x_pairs, y_pairs, x, y))` gives a `Solution`."""

from album_app.solver.arrays import InvalidInput
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, Solution, State
from album_app.solver.problem import Problem

__all__ = ["InvalidInput", "LsmiSinkhorn", "Problem", "Solution", "State"]
