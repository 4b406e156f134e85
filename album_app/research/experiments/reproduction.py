"""The report on all experiments: the paper's statements, a figure and a paragraph each, and a page for each of them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill

from album_app.own_files import PAGE, SHEET
from album_app.paths import Replacing, atomic_write
from album_app.research.experiments.catalogue import load
from album_app.research.experiments.notes import DETAILS, DIFFERENCES, HOW_TO_READ, INTRODUCTION, NOTES
from album_app.research.experiments.runner import Result, claims_text, table_text, versions, write_rows
from album_app.research.experiments.statements import summary
from album_app.research.experiments.study import Claim, Experiment, Request, Row

REPORT_NAME = "REPRODUCTION.md"


def write_reproduction(
    folder: Path,
    results: Mapping[str, tuple[Request, Result]],
    report: Path | None = None,
    force: bool = False,
) -> Path:
    """Write the report next to the results, or into a folder of its own along with plots, pages and numbers."""
    home, beside = (folder, "") if report is None else (report, "reproduction/")
    (home / beside).mkdir(parents=True, exist_ok=True)
    claims = all_claims({name: result.rows for name, (_, result) in results.items()})
    data = tuple(path for request, _ in results.values() for path in request.data.values())
    parts = [INTRODUCTION, summary(claims), HOW_TO_READ]
    for name, (request, result) in results.items():
        experiment = load(name)
        plain = (f"{name}.png", f"{name}.csv")
        shown = [path for path in result.files if path.name in plain or report is None or experiment.shareable]
        if report is not None:
            _copy(shown, home / beside, result.rows, request.replacing)
        pictures = [path.name for path in shown if path.suffix not in (".csv", ".md")]
        _write(
            home / beside / f"{name}.md", page(experiment, request, result, claims[name], pictures), request.replacing
        )
        parts.append(section(experiment, request, result, beside))
    target = home / REPORT_NAME
    _write(target, "\n\n".join([*parts, DIFFERENCES, versions()]) + "\n", Replacing(force, data))
    return target


def all_claims(rows: Mapping[str, Sequence[Row]]) -> dict[str, list[Claim]]:
    """The claims of each experiment, and those that compare it with other experiments."""
    return {name: [*load(name).claims(each), *load(name).across(rows)] for name, each in rows.items()}


def _write(path: Path, text: str, replacing: Replacing) -> None:
    with atomic_write(path, PAGE, replacing) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _copy(files: Sequence[Path], folder: Path, rows: Sequence[Row], replacing: Replacing) -> None:
    """Copy what an experiment wrote; of its runs those that the report is made of, and no others."""
    for path in files:
        if path.suffix == ".csv":
            write_rows(folder / path.name, rows, replacing)
        elif path.suffix != ".md":
            with atomic_write(folder / path.name, SHEET, replacing) as temporary:
                shutil.copyfile(path, temporary)


def section(experiment: Experiment, request: Request, result: Result, beside: str = "") -> str:
    """An experiment in the report: what it is, its figure, and a paragraph."""
    name = experiment.name
    parts = [
        f"## {name}",
        experiment.what,
        f"![{name}]({beside}{name}.png)",
        *(note(experiment, result.rows, NOTES) if result.complete else []),
        f"{_made(experiment, request, result)} [Claims, tables and settings]({beside}{name}.md), "
        f"[every run]({beside}{name}.csv).",
    ]
    return "\n\n".join(parts)


def page(
    experiment: Experiment, request: Request, result: Result, claims: Sequence[Claim], pictures: Sequence[str]
) -> str:
    """The page of an experiment: details, claims, tables, settings and versions."""
    settings = "\n".join(f"- {name}: {value}" for name, value in experiment.settings(request).items())
    parts = [
        f"# {experiment.name}",
        experiment.what,
        f"{_made(experiment, request, result)} [Every run]({experiment.name}.csv).",
        f"![{experiment.name}]({experiment.name}.png)",
        *(note(experiment, result.rows, DETAILS) if result.complete else []),
        *([claims_text(claims)] if claims else []),
        *(table_text(table, result.rows) for table in experiment.tables),
        *(f"![{Path(name).stem}]({name})" for name in pictures if name != f"{experiment.name}.png"),
        f"Settings\n\n{settings}",
        versions(),
    ]
    return "\n\n".join(parts) + "\n"


def _made(experiment: Experiment, request: Request, result: Result) -> str:
    data = "".join(f" --{key} PATH" for key in request.data)
    quick = " --quick" if request.quick else ""
    command = f"`album-app experiment {experiment.name} -o FOLDER --seeds {request.seeds}{quick}{data}`"
    unfinished = "" if result.complete else " (not all runs of it were finished)"
    return f"Made by {command}, {_seeds(result.rows)}{unfinished}."


def _seeds(rows: Sequence[Row]) -> str:
    found = sorted({int(row["seed"]) for row in rows})
    return f"seeds {found[0]} to {found[-1]}" if len(found) > 1 else f"seed {found[0]}"


class _Figures(dict[str, str]):
    """The figures of a note; a quick look does not have all of them."""

    def __missing__(self, name: str) -> str:
        return "–"


def note(experiment: Experiment, rows: Sequence[Row], texts: Mapping[str, str]) -> list[str]:
    """The paragraphs of a text on an experiment, with the experiment's own figures."""
    if experiment.name not in texts:
        return []
    paragraphs = texts[experiment.name].format_map(_Figures(experiment.quoted(rows))).split("\n\n")
    return [fill(paragraph, 120, break_long_words=False, break_on_hyphens=False) for paragraph in paragraphs]
