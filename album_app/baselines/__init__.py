"""The methods that ours are compared with.

Estimators of SMI are called as `method(problem, *, basis, seed, ...)` and return an `Estimate`. Matchers are called as
`method(problem, *, seed)` and return scores (n_x, n_y). The paper discusses `lsom` and `kernelized_sorting` but does
not measure them; they take part in no experiment.

- dependence: measures of dependence: LSMI from pairs alone (Suzuki et al., 2009), Gromov-SMI, and permutation tests of
  independence (HSIC, distance correlation)
- matchers: other ways to match unpaired samples: by a few pairs, tuned by held-out rank, and by permutations (LSOM,
  kernelized sorting)
"""

from album_app.baselines.dependence import Estimate, gromov_plan, gromov_smi, lsmi, lsmi_full, lsmi_of_pairs, lsmi_opt
from album_app.baselines.matchers import MATCHERS, Matcher, kernelized_sorting, lsom

__all__ = [
    "MATCHERS",
    "Estimate",
    "Matcher",
    "gromov_plan",
    "gromov_smi",
    "kernelized_sorting",
    "lsmi",
    "lsmi_full",
    "lsmi_of_pairs",
    "lsmi_opt",
    "lsom",
]
