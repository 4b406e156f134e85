"""The methods that ours are compared with.

Estimators of SMI are called as `method(problem, *, basis, seed, ...)` and return an `Estimate`. Matchers are called as
`method(problem, *, seed)` and return scores (n_x, n_y). The paper discusses `lsom` and `kernelized_sorting` but does
not measure them; they take part in no experiment.

- estimate: the answer of every estimator of SMI
- gromov: Gromov-SMI: Gromov-Wasserstein pairs the unpaired samples, then LSMI takes all pairs
- independence: permutation tests of independence from pairs alone: HSIC and distance correlation
- kernelized_sorting: Kernelized sorting (Quadrianto et al., 2010): the permutation that makes x and y most dependent
  by HSIC
- lsmi: LSMI (Suzuki et al., 2009): the squared-loss mutual information from pairs alone
- lsom: LSOM, least-squares object matching (Yamada et al., 2011, 2015): the Hungarian method in place of Sinkhorn's
- matchers: ways to match unpaired samples by a few pairs, each with its source, all tuned by held-out rank
"""

from album_app.baselines.estimate import Estimate
from album_app.baselines.gromov import gromov_plan, gromov_smi
from album_app.baselines.kernelized_sorting import kernelized_sorting
from album_app.baselines.lsmi import lsmi, lsmi_full, lsmi_of_pairs, lsmi_opt
from album_app.baselines.lsom import lsom
from album_app.baselines.matchers import MATCHERS, Matcher

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
