"""The commands for researchers; each module offers `configure(parser)` and `run(arguments) -> int`.

- bench: `album-app bench NAME`: the benchmarks, each a table on standard output
- experiment: `album-app experiment NAME -o FOLDER`: a figure of the paper as a plot, a table and the raw numbers
- train: `album-app train resnet20`: train the network behind the `resnet20` features, or measure its weights
"""

from importlib.util import find_spec

from album_app.errors import AlbumError
from album_app.language import tr

PAPER = ("matplotlib", "sklearn")


def need_paper(who: str) -> None:
    """Say what to install where the extra `paper` is missing."""
    if not all(find_spec(package) for package in PAPER):
        raise AlbumError(tr("{who} needs the extra `paper`: pip install 'album-app[paper]'", who=who))
