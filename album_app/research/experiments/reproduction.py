"""The report on all experiments together: the paper's statements, our figures, and where and why we differ."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill

from album_app.paths import AGREED, atomic_write
from album_app.research.experiments.catalogue import load
from album_app.research.experiments.notes import HOW_TO_READ, INTRODUCTION, NOTES
from album_app.research.experiments.runner import Result, claims_text, table_text, versions, write_rows
from album_app.research.experiments.statements import summary
from album_app.research.experiments.study import Experiment, Request, Row

LONGEST_TABLE = 50
"""Longer tables stay in the experiment's own page, and in its CSV."""


def write_reproduction(folder: Path, results: Mapping[str, tuple[Request, Result]], report: Path | None = None) -> Path:
    """Write REPRODUCTION.md beside the results, or into a folder of its own along with the plots and numbers."""
    home, beside = (folder, "") if report is None else (report, "reproduction/")
    (home / beside).mkdir(parents=True, exist_ok=True)
    parts = [INTRODUCTION, summary({name: result.claims for name, (_, result) in results.items()}), HOW_TO_READ]
    for name, (request, result) in results.items():
        experiment = load(name)
        plain = (f"{name}.png", f"{name}.csv")
        shown = [path for path in result.files if path.name in plain or report is None or experiment.shareable]
        if report is not None:
            _copy(shown, home / beside, result.rows)
        parts.append(_section(experiment, request, result, [beside + path.name for path in shown]))
    target = home / "REPRODUCTION.md"
    with atomic_write(target, replacing=AGREED) as temporary:
        temporary.write_text("\n\n".join([*parts, versions()]) + "\n", encoding="utf-8")
    return target


def _copy(files: Sequence[Path], folder: Path, rows: Sequence[Row]) -> None:
    """Copy what an experiment wrote; of its runs those that the report is made of, and no others."""
    for path in files:
        if path.suffix == ".csv":
            write_rows(folder / path.name, rows)
            continue
        with atomic_write(folder / path.name, replacing=AGREED) as temporary:
            shutil.copyfile(path, temporary)


def _section(experiment: Experiment, request: Request, result: Result, files: Sequence[str]) -> str:
    name = experiment.name
    data = "".join(f" --{key} PATH" for key in request.data)
    quick = " --quick" if request.quick else ""
    command = f"`album-app experiment {name} -o FOLDER --seeds {request.seeds}{quick}{data}`"
    unfinished = "" if result.complete else " (not all runs of it were finished)"
    runs = next(file for file in files if file.endswith(".csv"))
    made = f"Made by {command}, {_seeds(result.rows)}{unfinished}; every run is in [{name}.csv]({runs})."
    pictures = [f"![{Path(file).stem}]({file})" for file in files if not file.endswith((".csv", ".md"))]
    parts = [
        f"## {name}",
        experiment.what,
        made,
        pictures[0],
        *(note(experiment, result.rows) if result.complete else []),
    ]
    parts += [claims_text(result.claims)] if result.claims else []
    tables = [table_text(table, result.rows) for table in experiment.tables]
    parts += [table for table in tables if table.count("\n") <= LONGEST_TABLE]
    return "\n\n".join([*parts, *pictures[1:]])


def _seeds(rows: Sequence[Row]) -> str:
    found = sorted({int(row["seed"]) for row in rows})
    return f"seeds {found[0]} to {found[-1]}" if len(found) > 1 else f"seed {found[0]}"


class _Figures(dict[str, str]):
    """The figures of a note; a quick look does not have all of them."""

    def __missing__(self, name: str) -> str:
        return "–"


def note(experiment: Experiment, rows: Sequence[Row]) -> list[str]:
    """What there is to say about an experiment, with its own figures."""
    if experiment.name not in NOTES:
        return []
    paragraphs = NOTES[experiment.name].format_map(_Figures(experiment.quoted(rows))).split("\n\n")
    return [fill(paragraph, 120, break_long_words=False, break_on_hyphens=False) for paragraph in paragraphs]
