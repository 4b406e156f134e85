"""The arguments that say what a sheet shall look like."""

import argparse
from collections.abc import Callable
from typing import Any

from album_app.language import tr

Group = argparse._ActionsContainer


def add_sheet(group: Group) -> None:
    """What the sheet shall look like."""
    from album_app.render import CAPTIONS, FITS, FORMATS, ORIENTATIONS, PAGE_TITLES, PAPERS, RenderSettings

    lossy = ", ".join(kind.name for kind in FORMATS.values() if kind.lossy)
    defaults = RenderSettings()
    size = adder(group.add_mutually_exclusive_group(), defaults)
    size("--cell", type=int, metavar="PX", help="side of a photo in pixels")
    size("--paper", help=f"{', '.join(PAPERS)}, 210x297mm, 3000x2000px")
    add = adder(group, defaults)
    add("--dpi", type=int, help="dots per inch")
    add("--orientation", dest="landscape", choices=ORIENTATIONS, help="of the paper")
    add("--gap", type=float, help="between photos")
    add("--margin", type=float, help="around the photos")
    add("--bleed", type=float, help="photos at the edge go on beyond it; 3 is usual for a print shop")
    add("--cut-marks", action="store_true", help="show where the paper is to be cut")
    add("--poster", metavar="PAGE", help="spread a PDF over pages of this paper, such as A4, to be glued together")
    add("--overlap", type=float, metavar="MM", help="of a poster's pages")
    add("--background", metavar="COLOUR", help="a name, #rrggbb or transparent")
    add("--fit", choices=FITS, help="fill the cell, or show the whole photo")
    add("--corner", type=float, metavar="SHARE", help="round the corners, 0 to 0.5 of the photo")
    add("--border", type=float, metavar="WIDTH", help="frame around each photo")
    add("--border-colour", metavar="COLOUR", help="of the frames")
    add("--caption", choices=CAPTIONS, help="below each photo")
    add("--title", help="above the photos")
    add("--page-titles", choices=PAGE_TITLES, help=tr("below the pages of a book"))
    add("--mark-pins", action="store_true", help="show which photos are pinned")
    add("--megabytes", type=float, help="how large a web page may be; photos are embedded as large as that allows")
    add("--no-names", dest="names", action="store_false", help="a web page without the photos' names and dates")
    add("--quality", type=int, help=f"of the pictures in {lossy}, 1 to 100")


def adder(group: Group, defaults: object) -> Callable[..., None]:
    """Adds arguments that are only set where they are given, and tells what holds where they are not."""

    def add(name: str, *, help: str, **settings: Any) -> None:
        value = getattr(defaults, settings.get("dest", name.removeprefix("--").replace("-", "_")))
        known = not isinstance(value, bool) and value != ""
        shown = f"{help} (default: {'to suit' if value is None else value})" if known else help
        group.add_argument(name, default=argparse.SUPPRESS, help=shown, **settings)

    return add
