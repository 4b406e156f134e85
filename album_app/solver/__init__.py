"""LSMI-Sinkhorn as a small library: `LsmiSinkhorn(...).solve(Problem(x_pairs, y_pairs, x, y))` gives a `Solution`.

`select(problem).solver` is the solver with lambda and beta chosen by cross-validation on the pairs.
"""

from album_app.solver.arrays import InvalidInput
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, Solution, State
from album_app.solver.problem import Problem
from album_app.solver.selection import Selection, select

__all__ = ["InvalidInput", "LsmiSinkhorn", "Problem", "Selection", "Solution", "State", "select"]
