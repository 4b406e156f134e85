"""The report on all experiments: the statements of the paper, what our runs say about them, a page per experiment."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from album_app.own_files import PAGE, SHEET
from album_app.paths import Replacing, atomic_write
from album_app.research.experiments.notes import DETAILS, DIFFERENCES, HOW_TO_READ, INTRODUCTION, NOTES
from album_app.research.experiments.runner import Result, claims_text, judged, load, table_text, versions, write_rows
from album_app.research.experiments.study import Claim, Experiment, Request, Row


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper, with the name by which claims refer to it."""

    name: str
    section: str
    quote: str


STATEMENTS = (
    Statement(
        "Proposition 1", "3.2", "Algorithm 1 will monotonically decrease the objective function in each iteration."
    ),
    Statement("converges quickly", "5.2", "The loss value and SMI value converge quickly (< 5 iterations)"),
    Statement(
        "an order of magnitude faster",
        "5.2",
        "in comparison to the Gromov-Wasserstein, LSMI-Sinkhorn is more than one order of magnitude faster for the CPU"
        " version",
    ),
    Statement(
        "small on random data",
        "5.3",
        "In the random case, the data are nearly independent and our algorithm achieves a small SMI value.",
    ),
    Statement(
        "nearest on synthetic data", "5.3", "In other cases, LSMI-Sinkhorn yields a better estimation of the SMI value"
    ),
    Statement("near when n increases", "5.3", "and it lies near the ground truth when n increases."),
    Statement("Gromov-SMI is small", "5.3", "In contrast, Gromov-SMI has a small estimation value"),
    Statement("uniform on random data", "5.3", "For the random case, Π distributes uniformly as expected."),
    Statement("concentrates on the diagonal", "5.3", "For all other cases, Π concentrate on the diagonal"),
    Statement(
        "best with unequal numbers",
        "5.3",
        "n_x = 1000, n_y = 500 [...] Similarly, LSMI-Sinkhorn achieves the best performance among all methods.",
    ),
    Statement(
        "Gromov-SMI is worse with unequal numbers",
        "5.3",
        "Gromov-SMI achieves even worse estimation than n_x = n_y case",
    ),
    Statement(
        "better on all four UCI data sets",
        "5.3",
        "Similarly, LSMI-Sinkhorn obtains better estimation values in all four datasets.",
    ),
    Statement("Gromov-SMI overestimates", "5.3", "Gromov-SMI tends to overestimate the value by a large margin"),
    Statement("other baselines underestimate", "5.3", "while other baselines underestimate the value."),
    Statement(
        "high accuracy with a few tens of pairs",
        "5.4",
        "LSMI-Sinkhorn obtains high accuracy with only a few tens of supervised pairs.",
    ),
    Statement(
        "good colour topology",
        "5.5",
        "these layouts show good color topology according to the fixed color images.",
    ),
    Statement(
        "aligned by semantics",
        "5.5",
        "objects are aligned together by their semantics rather than colors according to the fixed images.",
    ),
)


MEANINGS = {
    "yes": "hold in every case that we ran",
    "in part": "in some cases",
    "no": "in none",
    "tie": "cannot be distinguished from chance",
    "too few runs": "had too few runs to tell",
    "not measured": "were not measured",
}
"""The meanings of the words on statements, in the order in which they are counted."""


def summary(claims: Mapping[str, Sequence[Claim]]) -> str:
    """How many statements hold, and a Markdown table of all of them; `claims` are those of each experiment."""
    words, lines = [], ["| § | the paper | holds | where it does and where not | see |", "|---|---|---|---|---|"]
    for statement in STATEMENTS:
        found = {name: [claim for claim in each if claim.statement == statement.name] for name, each in claims.items()}
        bearing = {name: each for name, each in found.items() if each}
        see = ", ".join(f"[{name}](#{name})" for name in bearing)
        words.append(in_a_word([claim for each in bearing.values() for claim in each]))
        lines.append(f"| {statement.section} | “{statement.quote}” | **{words[-1]}** | {cases(bearing)} | {see} |")
    counts = ", ".join(f"{words.count(word)} {meaning}" for word, meaning in MEANINGS.items() if word in words)
    return f"Of {len(STATEMENTS)} statements {counts}.\n\n" + "\n".join(lines)


def in_a_word(claims: Sequence[Claim]) -> str:
    """Whether a statement holds in all cases, in a part of them, or in none; a tie is neither."""
    verdicts = {claim.verdict for claim in claims}
    if not verdicts:
        return "not measured"
    if "yes" in verdicts:
        return "yes" if len(verdicts) == 1 else "in part"
    return "no" if "no" in verdicts else "tie" if "tie" in verdicts else "too few runs"


def cases(claims: Mapping[str, Sequence[Claim]]) -> str:
    """The cases of some experiments by their verdicts, those of one scope together, a line a verdict."""
    lines = []
    few = sorted({claim.verdict for each in claims.values() for claim in each if claim.few})
    for verdict in ("yes", "tie", "no", *few):
        scopes: dict[str, list[str]] = {}
        for experiment, each in claims.items():
            for case, scope in dict.fromkeys((claim.case, claim.scope) for claim in each if claim.verdict == verdict):
                parts = [scope, experiment if _judged_apart(case, scope, claims) else ""]
                scopes.setdefault(", ".join(filter(None, parts)), []).append(case)
        parts = [", ".join(dict.fromkeys(each)) + (f" ({scope})" if scope else "") for scope, each in scopes.items()]
        lines += [f"{verdict}: {'; '.join(parts)}"] if parts else []
    return "<br>".join(lines)


def _judged_apart(case: str, scope: str, claims: Mapping[str, Sequence[Claim]]) -> bool:
    """Whether experiments differ on a case."""
    about = (case, scope)
    verdicts = [{claim.verdict for claim in each if (claim.case, claim.scope) == about} for each in claims.values()]
    return any(each != verdicts[0] for each in verdicts)


REPORT_NAME = "REPRODUCTION.md"


def write_reproduction(
    folder: Path,
    results: Mapping[str, tuple[Request, Result]],
    report: Path | None = None,
    force: bool = False,
) -> Path:
    """Write the report next to the results, or into a folder of its own along with plots, pages and numbers."""
    home, linked = (folder, "") if report is None else (report, "reproduction/")
    (home / linked).mkdir(parents=True, exist_ok=True)
    claims = all_claims({name: result.rows for name, (_, result) in results.items()})
    data = tuple(path for request, _ in results.values() for path in (*request.data.values(), *request.albums))
    parts = [INTRODUCTION, summary(claims), HOW_TO_READ]
    for name, (request, result) in results.items():
        experiment = load(name)
        plain = (f"{name}.png", f"{name}.csv")
        shown = [path for path in result.files if path.name in plain or report is None or experiment.shareable]
        if report is not None:
            _copy(shown, home / linked, result.rows, request.replacing)
        pictures = [path.name for path in shown if path.suffix not in (".csv", ".md")]
        _write(
            home / linked / f"{name}.md", page(experiment, request, result, claims[name], pictures), request.replacing
        )
        parts.append(section(experiment, request, result, linked))
    target = home / REPORT_NAME
    _write(target, "\n\n".join([*parts, DIFFERENCES, versions()]) + "\n", Replacing(force, data))
    return target


def all_claims(rows: Mapping[str, Sequence[Row]]) -> dict[str, list[Claim]]:
    """The claims of each experiment, and those that compare it with other experiments."""
    found = {}
    for name, each in rows.items():
        experiment = load(name)
        found[name] = judged(experiment, each, [*experiment.claims(each), *experiment.across(rows)])
    return found


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


def section(experiment: Experiment, request: Request, result: Result, linked: str = "") -> str:
    """An experiment in the report: what it is, its figure, and a paragraph."""
    name = experiment.name
    parts = [
        f"## {name}",
        experiment.what,
        f"![{name}]({linked}{name}.png)",
        *(note(experiment, result.rows, NOTES) if result.complete else []),
        f"{_made(experiment, request, result)} [Claims, tables and settings]({linked}{name}.md), "
        f"[every run]({linked}{name}.csv).",
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
    data += f" --albums {' '.join(album.name for album in request.albums)}" if request.albums else ""
    quick = " --quick" if request.quick else ""
    command = f"`album-app experiment {experiment.name} -o FOLDER --seeds {request.seeds}{quick}{data}`"
    unfinished = "" if result.complete else " (not all runs of it were finished)"
    return f"Made by {command}, {_seeds(result.rows)}{unfinished}."


def _seeds(rows: Sequence[Row]) -> str:
    found = sorted({int(row["seed"]) for row in rows})
    return f"seeds {found[0]} to {found[-1]}" if len(found) > 1 else f"seed {found[0]}"


class _Figures(dict[str, str]):
    """The figures of a note; those that a quick run lacks become dashes."""

    def __missing__(self, name: str) -> str:
        return "–"


def note(experiment: Experiment, rows: Sequence[Row], texts: Mapping[str, str]) -> list[str]:
    """The paragraphs of a text on an experiment, with the experiment's own figures."""
    if experiment.name not in texts:
        return []
    paragraphs = texts[experiment.name].format_map(_Figures(experiment.quoted(rows))).split("\n\n")
    return [fill(paragraph, 120, break_long_words=False, break_on_hyphens=False) for paragraph in paragraphs]
