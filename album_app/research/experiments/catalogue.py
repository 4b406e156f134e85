"""The experiments by name, each in a module of its own that is imported when it is asked for."""

from importlib import import_module

from album_app.errors import AlbumError
from album_app.research.experiments.study import Experiment

MODULES = {
    "convergence": "convergence",
    "runtime": "runtime",
    "synthetic": "smi",
    "synthetic-unequal": "smi",
    "yardstick": "yardstick",
    "gaussian": "gaussian",
    "bias": "bias",
    "independence": "independence",
    "power": "power",
    "plan": "plans",
    "uci": "uci",
    "matching": "matching",
    "competitors": "competitors",
    "album-color": "album_color",
    "album-corners": "album_color",
    "album-semantic": "album_semantic",
    "ablation": "ablation",
    "choices": "choices",
}
NAMES = tuple(MODULES)


class MissingData(AlbumError):
    """The experiment needs data that was not given; the message says which and how to give it."""


def load(name: str) -> Experiment:
    """The experiment of that name; its module lists it under EXPERIMENTS."""
    module = import_module(f"album_app.research.experiments.figures.{MODULES[name]}")
    found: Experiment = next(each for each in module.EXPERIMENTS if each.name == name)
    return found
