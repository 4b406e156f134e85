"""`album-app bench NAME`: the benchmarks, each a table on standard output."""

import argparse
import importlib
from types import ModuleType

from album_app.cli import Parser

BENCHMARKS = {
    "solver": ("album_app.research.benchmarks.solver", "LSMI-Sinkhorn against POT"),
    "trust": ("album_app.research.benchmarks.trust", "how far intervals of SMI and matches can be trusted"),
    "photos": ("album_app.research.benchmarks.photos", "scan, thumbnails and features of a folder"),
    "crops": ("album_app.research.benchmarks.crops", "how many faces are cut, and what finding them costs"),
    "words": ("album_app.research.benchmarks.words", "how well words find the photos that show them"),
    "choice": ("album_app.research.benchmarks.choice", "how good a choice of few photos among many is"),
    "reading": ("album_app.research.benchmarks.reading", "where the time of reading a photo goes"),
    "exports": ("album_app.research.benchmarks.exports", "the memory and time of large exports"),
    "hostile": ("album_app.research.benchmarks.hostile", "what becomes of damaged and malicious files"),
    "layout": ("album_app.research.benchmarks.layout", "layouts against FLAS and other peers"),
    "frames": ("album_app.research.benchmarks.frames", "what large photos and rows of whole photos cost"),
    "timeline": ("album_app.research.benchmarks.timeline", "what a sheet that follows time gives up"),
    "book": ("album_app.research.benchmarks.book", "how alike the photos of a book's pages are"),
    "large": (
        "album_app.research.benchmarks.window.large",
        "1,000 to 100,000 photos from files to the window, stage by stage",
    ),
    "gui": ("album_app.research.benchmarks.window.benchmark", "frames, latency, stalls and start-up of the window"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", choices=BENCHMARKS, help="; ".join(f"{k}: {v[1]}" for k, v in BENCHMARKS.items()))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the benchmark's own arguments (--help lists them)")


def run(arguments: argparse.Namespace) -> int:
    module = _module(arguments.benchmark)
    parser = Parser(prog=f"album-app bench {arguments.benchmark}", description=module.__doc__)
    module.configure(parser)
    return int(module.run(parser.parse_args(arguments.arguments)))


def _module(name: str) -> ModuleType:
    return importlib.import_module(BENCHMARKS[name][0])
