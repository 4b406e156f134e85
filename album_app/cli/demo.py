"""`album-app demo`: the built-in sample album with pinned corners, in the window or as a picture."""

import argparse
import os
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from album_app.cli.gui import has_display
from album_app.language import tr

NAME = "album-demo"
SUFFIX = ".png"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = tr(
        "Where there is no display, the sheet is written to {picture} in the current folder, or the next free name.",
        picture=NAME + SUFFIX,
    )


def run(arguments: argparse.Namespace) -> int:
    if has_display() and find_spec("album_app.gui.window.app") is not None:
        from album_app.gui.window.app import run as run_window

        return run_window(demo=True)
    return write_picture(free_name())


def free_name() -> Path:
    """The first name for the picture that no file in the current folder has."""
    names = (Path(f"{NAME}{f'-{number}' if number > 1 else ''}{SUFFIX}") for number in count(1))
    return next(path for path in names if not os.path.lexists(path))


def write_picture(path: Path) -> int:
    """Arrange the sample album and write it."""
    from album_app.cli.pipeline import Request, make_sheet
    from album_app.cli.progress import Bar
    from album_app.layout.shapes.shape import ShapeSpec
    from album_app.render import RenderSettings, check_target
    from album_app.sample.sample_album import sample_folder

    check_target(path)
    with Bar(tr("Drawing the sample album")) as on_progress:
        folder = sample_folder(on_progress=on_progress)
    settings = RenderSettings(corner=0.06, mark_pins=True)
    request = Request(folder, ShapeSpec(aspect=1.6), settings=settings, preset="corners", output=path)
    outcome = make_sheet(request, Bar)
    print(tr("There is no display for the window, so the sample album went to {absolute}:", absolute=path.absolute()))
    print(tr("{count} photos, like next to like, the four in the corners pinned.", count=len(outcome.layout.shown)))
    return 0
