"""LSMI-Sinkhorn as a small library: `LsmiSinkhorn(...).solve(Problem(x_pairs, y_pairs, x, y))` gives a `Solution`.

`select(problem).solver` is the solver with lambda and beta chosen by cross-validation on the pairs.

- arrays: one implementation for numpy and torch: the array namespace of the data, its device, and the precisions
  there
- density_ratio: the least-squares fit of the density ratio r_alpha: H, h, alpha and SMI as pure functions of kernel
  values
- kernels: Gaussian kernels K and L of the ratio model, their widths by the median rule
- lsmi_sinkhorn: Algorithm 1, LSMI-Sinkhorn: alternate between the density ratio's alpha and the transport plan Pi
- model: the ratio model of a problem: everything in Algorithm 1 that neither Pi nor alpha changes
- problem: what is to be solved: a few pairs and many unpaired samples, validated once
- selection: model selection: lambda and beta (and epsilon, if asked) by the error on pairs that were held out
- sinkhorn: Sinkhorn's algorithm for Eq. (6): log-stabilised by absorption, warm-started, in any precision
- start: where Algorithm 1 starts: logits whose transport plan is Pi^(1)
- threads: small problems are solved faster on one thread; this tells numpy's OpenBLAS so, where it is the one in use
"""

from album_app.solver.arrays import InvalidInput
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn
from album_app.solver.problem import Problem
from album_app.solver.selection import Selection, select
from album_app.solver.state import Solution, State

__all__ = ["InvalidInput", "LsmiSinkhorn", "Problem", "Selection", "Solution", "State", "select"]
