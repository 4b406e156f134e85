"""LSMI-Sinkhorn as a small library: `LsmiSinkhorn(...).solve(Problem(x_pairs, y_pairs, x, y))` gives a `Solution`.

`LsmiSinkhorn(...).fit(x, y, x_unpaired, y_unpaired)` is the same as notebooks like it; assets/LIBRARY.md shows how, and
has a table from the paper to the code.
`select(problem).solver` is the solver with lambda and beta chosen by cross-validation on the pairs.

- arrays: one implementation for numpy and torch: the array namespace of the data, its device, and the precisions
  there
- density_ratio: the least-squares fit of the density ratio r_alpha, Eq. (8): H, h, alpha and SMI as pure functions of
  kernel values
- estimator: what notebooks and scikit-learn's tools expect of an estimator: `fit`, attributes with a trailing
  underscore, params
- inference: how sure an estimate of SMI is: an interval from reweighted samples, a p-value from shuffled pairs
- kernels: Gaussian kernels K and L of the ratio model, their widths by the median rule or a multiple of it
- lsmi_sinkhorn: Algorithm 1, LSMI-Sinkhorn: alternate between the density ratio's alpha and the transport plan Pi
- model: the ratio model of a problem: everything in Algorithm 1 that neither Pi nor alpha changes
- principal_axes: points seen along the directions in which they vary most, the same on every machine
- problem: what is to be solved: a few pairs and many unpaired samples, validated once
- selection: model selection: lambda, beta and whatever else is asked for, by how the fit suits pairs that were held
  out
- sinkhorn: Sinkhorn's algorithm for Eq. (6): log-stabilised by absorption, warm-started, in any precision
- start: where Algorithm 1 starts: logits whose transport plan is Pi^(1)
- state: where Algorithm 1 stands, and what it answers with
- storage: a solution as a file: an .npz of plain arrays and one JSON text, read without pickle
- threads: small problems are solved faster on one thread; this tells the loaded maths libraries so, by threadpoolctl
"""

from album_app.solver.arrays import InvalidInput
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, Rule
from album_app.solver.problem import Problem
from album_app.solver.selection import MATCHING, Selection, select
from album_app.solver.state import HasRatio, Solution, State

__all__ = [
    "MATCHING",
    "HasRatio",
    "InvalidInput",
    "LsmiSinkhorn",
    "Problem",
    "Rule",
    "Selection",
    "Solution",
    "State",
    "select",
]
