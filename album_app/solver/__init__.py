"""LSMI-Sinkhorn as a small library: `LsmiSinkhorn(...).solve(Problem(x_pairs, y_pairs, x, y))` gives a `Solution`.

`match_samples(x_pairs, y_pairs, x, y)` matches two sets of samples one to one. `select(problem).solver` is the solver
with lambda and beta chosen by cross-validation on the pairs. `estimator.SmiEstimator` is the scikit-learn estimator.
assets/LIBRARY.md shows how to use them. The paper's equations are here:

| equation | what it is | code |
|---|---|---|
| (1) | SMI, estimated | `density_ratio.squared_loss_mi` |
| (2) | the model r_alpha, and C_alpha | `density_ratio.ratio`; on the samples of a problem `model.PaperModel` |
| (3) | the loss, as hold-out error J_te | `state.Solution.score`; in model selection `selection.Candidate.error` |
| (4) | h, its two sums | `density_ratio.mean_over_pairs`, `density_ratio.mean_over_plan` |
| (5) | the objective J; its H | `lsmi_sinkhorn.LsmiSinkhorn.objective`; `density_ratio.design` |
| (6) | the plan Pi for a fixed alpha | `sinkhorn.sinkhorn` |
| (7), (8) | alpha for a fixed plan | `density_ratio.fit` |
| Algorithm 1 | the loop, line by line | `lsmi_sinkhorn.LsmiSinkhorn.init`, `step`, `settled`, `solution` |

- arrays: one implementation for numpy and torch: the array namespace of the data, its device, and its precisions
- density_ratio: the density ratio r_alpha, Eq. (2): Gaussian kernels K and L with widths by the median rule, and its
  least-squares fit, Eq. (8): H, h, alpha and SMI as pure functions of kernel values
- estimator: the scikit-learn estimator, a thin adapter around `LsmiSinkhorn`: `fit`, attributes that end with an
  underscore, parameters; and its file, an .npz read without pickle
- inference: how sure an estimate of SMI is: an interval from reweighted samples, a lower bound from held-out pairs, a
  p-value from shuffled pairs
- lsmi_sinkhorn: Algorithm 1, LSMI-Sinkhorn: its starts, its settings, and the loop between the density ratio's alpha
  and the transport plan Pi
- matching: match two sets of samples one to one: the tensor model and ridge regressions, selected by held-out pairs
- minibatch: Algorithm 1 for very many unpaired samples: each iteration plans the transport of a random batch
- model: the paper's ratio model, Eq. (2), on the samples of a problem: everything in Algorithm 1 that stays fixed
- problem: what is to be solved: a few pairs and many unpaired samples, validated once
- selection: model selection: lambda, beta and other settings, by how well the fit suits held-out pairs
- sinkhorn: Sinkhorn's algorithm for Eq. (6): log-stabilised by absorption, warm-started, in any precision
- state: the state of Algorithm 1 between two steps, and its answer
- tensor_sinkhorn: Algorithm 1 with a full tensor basis, which couples every feature of x with every feature of y
- threads: solve small problems on one thread, to which threadpoolctl limits the loaded maths libraries
"""

from album_app.solver.arrays import InvalidInput
from album_app.solver.lsmi_sinkhorn import LsmiSinkhorn, Rule
from album_app.solver.matching import Matching, match_samples
from album_app.solver.problem import Problem
from album_app.solver.selection import MATCHING, Selection, select
from album_app.solver.state import HasRatio, Solution, State
from album_app.solver.tensor_sinkhorn import TensorSinkhorn

__all__ = [
    "MATCHING",
    "HasRatio",
    "InvalidInput",
    "LsmiSinkhorn",
    "Matching",
    "Problem",
    "Rule",
    "Selection",
    "Solution",
    "State",
    "TensorSinkhorn",
    "match_samples",
    "select",
]
