"""Finds an experiment by name, runs it unit by unit, keeps each finished unit, and writes its CSV, table and plot."""

import csv
import io
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module, metadata
from pathlib import Path

from album_app import __version__
from album_app.errors import AlbumError
from album_app.own_files import PAGE, RUNS, SHEET
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write, own_kind
from album_app.research.experiments import study
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit, Value
from album_app.work import OnProgress, Stop, check, report

MODULES = {
    "convergence": "convergence",
    "runtime": "runtime",
    "synthetic": "smi",
    "synthetic-unequal": "smi",
    "yardstick": "yardstick",
    "gaussian": "gaussian",
    "bias": "gaussian",
    "independence": "independence",
    "power": "independence",
    "plan": "plans",
    "uci": "uci",
    "matching": "matching",
    "competitors": "competitors",
    "album-color": "album_color",
    "album-corners": "album_color",
    "album-semantic": "album_semantic",
    "ablation": "ablation",
    "choices": "choices",
    "guide": "guide",
}
NAMES = tuple(MODULES)


class MissingData(AlbumError):
    """The experiment needs data that was not given; the message says which and how to give it."""


def load(name: str) -> Experiment:
    """The experiment with a name; its module lists it under EXPERIMENTS."""
    module = import_module(f"album_app.research.experiments.figures.{MODULES[name]}")
    found: Experiment = next(each for each in module.EXPERIMENTS if each.name == name)
    return found


PACKAGES = ("numpy", "scipy", "torch", "POT", "scikit-learn", "matplotlib")


@dataclass(frozen=True)
class Result:
    """All rows of an experiment so far, its claims, and the written files."""

    rows: Sequence[Row]
    claims: Sequence[Claim]
    files: Sequence[Path]
    complete: bool


def run(
    experiment: Experiment,
    request: Request,
    folder: Path,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Result:
    """Run the units that are not finished yet; a stop or an interrupt keeps finished units and still writes the files.

    Rows of other settings and of other units stay in the CSV, but the tables leave them out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = {**experiment.settings(request), "quick": request.quick}
    mark = study.fingerprint(settings)
    record = folder / f"{experiment.name}.csv"
    units = experiment.units(request)
    kept = read_rows(record)
    rows = [row for row in kept if row.get("settings") == mark]
    others = [row for row in kept if row.get("settings") != mark]
    missing = [unit for unit, found in zip(units, rows_of(units, rows), strict=True) if not found]
    try:
        for done, unit in enumerate(missing, len(units) - len(missing)):
            report(on_progress, done, len(units))
            check(stop)
            rows += [{"settings": mark, **unit, **row} for row in experiment.measure(unit, request, rows)]
            write_rows(record, [*others, *rows], request.replacing)
        report(on_progress, len(units), len(units))
    finally:
        found = rows_of(units, rows)
        wanted = [row for members in found for row in members]
        result = _publish(experiment, request, settings, folder, wanted, all(found))
    return result


def files_of(experiment: Experiment, folder: Path) -> dict[Path, str]:
    """The files that every run of an experiment writes, with their kinds."""
    kinds = {".csv": RUNS, ".png": SHEET, ".md": PAGE}
    return {folder / f"{experiment.name}{suffix}": kind for suffix, kind in kinds.items()}


def rows_of(units: Sequence[Unit], rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each unit; none if it is not finished."""
    found = study.groups(rows, list(units[0])) if units else {}
    return [found.get(tuple(unit.values()), []) for unit in units]


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV that `run` wrote; none if there is no such file."""
    if own_kind(path) != RUNS:
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: _value(text) for key, text in line.items() if text != ""} for line in csv.DictReader(file)]


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def write_rows(path: Path, rows: Sequence[Row], replacing: Replacing = NOTHING_FOREIGN) -> None:
    """Rows as a CSV that `read_rows` reads again."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path, RUNS, replacing) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8")


def _publish(
    experiment: Experiment, request: Request, settings: dict[str, object], folder: Path, rows: list[Row], complete: bool
) -> Result:
    files = list(files_of(experiment, folder))
    if not rows:
        return Result(rows, (), (), complete)
    claims = judged(experiment, rows, experiment.claims(rows))
    _plot(experiment, rows, files[1], request.replacing)
    pictures = experiment.pictures(request, folder) if experiment.pictures and complete else []
    with atomic_write(files[2], PAGE, request.replacing) as temporary:
        temporary.write_text(_page(experiment, settings, rows, claims, pictures, complete), encoding="utf-8")
    return Result(rows, claims, [*files, *pictures], complete)


def judged(experiment: Experiment, rows: Sequence[Row], claims: Sequence[Claim]) -> list[Claim]:
    """Claims on the rows of an experiment; one seed decides none of them, unless it is made of one, as `power` is."""
    seeds = len({row["seed"] for row in rows})
    if experiment.seeds == 1 or seeds >= study.FEWEST_TO_JUDGE:
        return list(claims)
    return [replace(claim, holds=None, few=seeds) for claim in claims]


def _plot(experiment: Experiment, rows: Sequence[Row], path: Path, replacing: Replacing) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    experiment.plot(rows, figure)
    study.save_figure(figure, path, replacing)


def _page(
    experiment: Experiment,
    settings: dict[str, object],
    rows: Sequence[Row],
    claims: Sequence[Claim],
    pictures: Sequence[Path],
    complete: bool,
) -> str:
    """The experiment as a page of Markdown: claims, tables, settings, versions."""
    state = "" if complete else "\n**Not finished:** run the same command again to go on.\n"
    scale = " (quick: a small version, whose figures are not those of the whole)" if settings["quick"] else ""
    parts = [f"# {experiment.name}{scale}\n\n{experiment.what}\n{state}\n![{experiment.name}]({experiment.name}.png)"]
    if claims:
        parts.append(claims_text(claims))
    parts += [table_text(table, rows) for table in experiment.tables]
    parts += [f"![{path.stem}]({path.name})" for path in pictures]
    listed = "\n".join(f"- {name}: {value}" for name, value in settings.items())
    parts.append(f"Settings\n\n{listed}\n\n{versions()}")
    return "\n\n".join(parts) + "\n"


def claims_text(claims: Sequence[Claim]) -> str:
    """A Markdown table of claims."""
    bold = {"yes": "yes", "no": "**no**", "tie": "tie"}
    lines = [f"| {claim.text} | {claim.measured} | {bold.get(claim.verdict, claim.verdict)} |" for claim in claims]
    return "\n".join(["| claim | measured | holds |", "|---|---|---|", *lines])


def table_text(table: Table, rows: Sequence[Row]) -> str:
    """A Markdown table of means and spreads; a column without any is left out."""
    groups = study.groups(table.rows(rows), table.by)
    columns = [column for column in table.columns if any(_cell(members, column) != "–" for members in groups.values())]
    head = [*table.by, *columns, "seeds"]
    lines = [f"{table.title}\n", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for key, members in groups.items():
        cells = [_cell(members, column) for column in columns]
        if any(cell != "–" for cell in cells):
            names = [f"{value:.4g}" if isinstance(value, float) else str(value) for value in key]
            seeds = len({row.get("seed") for row in members})
            lines.append(f"| {' | '.join([*names, *cells, str(seeds)])} |")
    return "\n".join(lines)


def _cell(rows: Sequence[Row], column: str) -> str:
    """The mean and spread of a column, or its texts if it has no numbers."""
    texts = dict.fromkeys(str(row[column]) for row in rows if isinstance(row.get(column), str))
    return study.spread(study.numbers(rows, column)) if study.numbers(rows, column) or not texts else ", ".join(texts)


def versions() -> str:
    """The versions of everything that figures depend on, and the machine."""
    found = {name: _version(name) for name in PACKAGES}
    listed = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"album-app {__version__}, Python {platform.python_version()}, {listed}; {machine}"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
