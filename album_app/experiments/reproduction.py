"""The report on all experiments together: the paper's claims, our figures, and where and why we differ."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from album_app.experiments.catalogue import load
from album_app.experiments.runner import Result, claims_text, table_text, versions
from album_app.experiments.study import Experiment, Request
from album_app.paths import atomic_write

LONGEST_TABLE = 40
"""Longer tables stay in the experiment's own page, and in its CSV."""

INTRODUCTION = """# The paper, reproduced

Liu et al., *LSMI-Sinkhorn: Semi-supervised Mutual Information Estimation with Optimal Transport*, ECML PKDD 2021,
figure by figure, as `album-app experiment` measures it. Each section names the command that made it; the same
command writes every single run as a CSV. A claim that does not hold on our runs is marked so.

Where we differ from the paper on purpose:

- **Start.** The plan starts uniform instead of random: deterministic, and the pairs speak first. `start="random"`
  is the paper's.
- **Basis.** At most half of the basis are pairs, the rest are samples of the two sides coupled at random. Only
  such strangers can hold the ratio down between the pairs. LSMI (full), the yardstick, uses the same basis; what
  it converges to depends on it, since the true SMI of these data is far beyond what 200 basis functions can show.
- **Model selection.** Five folds instead of two, the first term of the hold-out error over all samples instead of
  the held-out ones, and a rank test that falls back to the candidate of least dependence where held-out pairs give
  no evidence of any. On independent data it is a safeguard: the start and the basis alone bring the estimate near 0.
- **Layouts.** One photo per cell and every pin in its cell, by rounding and by refinement under the plan's
  guidance; the paper shows the most likely photo of each cell, with repeats.
"""

NOTES = {
    "synthetic": "“LSMI, coupled basis” is not in the paper: LSMI from the few pairs alone, with our basis. It shows"
    " how much of the gain over LSMI comes from the basis and how much from the unpaired samples: on these data it is"
    " often nearer to LSMI (full) than LSMI-Sinkhorn with epsilon = 0.3 is, and it is the baseline to beat. Nor is"
    " “LSMI-Sinkhorn, epsilon too”: it selects epsilon from {0.1, 0.3} along with lambda and beta, at n = 10, 50, 100.",
    "plan": "With epsilon = 0.3 the plan is soft: the diagonal stands out clearly, yet most of the mass lies beside it."
    " Ranks are those of x's first coordinate, one of five.",
    "album-semantic": "A sheet of ours shows the 320 images that stand best for all 1000 (coverage, below 1 is better"
    " than chance), odd ones among them; a random choice leaves those out and has more equal neighbours to begin with."
    " “FLAS on our choice” compares the arrangement alone.",
    "uci": "The paper does not name its four data sets; these come with scikit-learn. Wine has 178 samples, so with 100"
    " pairs only 78 are left to learn from. “LSMI, coupled basis”, which looks strong on the synthetic data, is far off"
    " on breast cancer and digits: there the unpaired samples are what brings LSMI-Sinkhorn near.",
    "matching": "STL10 cannot be had here; scikit-learn's digits, even against odd pixel rows, stand in for it.",
}


def write_reproduction(folder: Path, results: Mapping[str, tuple[Request, Result]], report: Path | None = None) -> Path:
    """Write REPRODUCTION.md beside the results, or into a folder of its own along with the plots and numbers."""
    home, beside = (folder, "") if report is None else (report, "reproduction/")
    (home / beside).mkdir(parents=True, exist_ok=True)
    parts = [INTRODUCTION]
    for name, (request, result) in results.items():
        experiment = load(name)
        plain = (f"{name}.png", f"{name}.csv")
        shown = [path for path in result.files if path.name in plain or report is None or experiment.shareable]
        if report is not None:
            for path in shown:
                with atomic_write(home / beside / path.name) as temporary:
                    shutil.copyfile(path, temporary)
        parts.append(_section(experiment, request, result, [beside + path.name for path in shown]))
    target = home / "REPRODUCTION.md"
    with atomic_write(target) as temporary:
        temporary.write_text("\n\n".join([*parts, versions()]) + "\n", encoding="utf-8")
    return target


def _section(experiment: Experiment, request: Request, result: Result, files: Sequence[str]) -> str:
    name = experiment.name
    data = "".join(f" --{key} PATH" for key in request.data)
    quick = " --quick" if request.quick else ""
    command = f"`album-app experiment {name} -o FOLDER --seeds {request.seeds}{quick}{data}`"
    unfinished = "" if result.complete else " (not all runs of it were finished)"
    runs = next(file for file in files if file.endswith(".csv"))
    made = f"Made by {command}{unfinished}; every run is in [{name}.csv]({runs})."
    pictures = [f"![{Path(file).stem}]({file})" for file in files if not file.endswith((".csv", ".md"))]
    parts = [f"## {name}", experiment.what, made, pictures[0]]
    parts += [claims_text(result.claims)] if result.claims else []
    tables = [table_text(table, result.rows) for table in experiment.tables]
    parts += [table for table in tables if table.count("\n") <= LONGEST_TABLE]
    return "\n\n".join([*parts, *pictures[1:], *([NOTES[name]] if name in NOTES else [])])
