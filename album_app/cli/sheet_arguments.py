"""The arguments that describe a sheet: files, shape, pins, arranging and looks."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr
from album_app.layout.options import CHOICES, EFFORTS, FILLS, Options
from album_app.layout.shapes.shape import ShapeSpec, nameable
from album_app.photos.features import choices

Group = argparse._ActionsContainer
Add = Callable[..., None]
"""Adds an argument; `adder` makes these functions."""


def folder_path(words: str) -> Path:
    """A folder; an empty name, which would mean the current folder, is refused."""
    if not words.strip():
        raise UsageError(tr("Name a folder; a full stop is the current one."))
    return Path(words)


def file_path(words: str) -> Path:
    """A file to write; the name of a folder is refused."""
    if words.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise UsageError(tr("{name} is a folder, not a file.", name=printable(words)))
    return Path(words)


def add_folder(parser: argparse.ArgumentParser) -> None:
    """The album of a command: all photos of a folder."""
    parser.add_argument(
        "folder", type=folder_path, metavar=tr("FOLDER"), help=tr("the photos, with all folders inside")
    )


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Whether a command shows no progress bars."""
    parser.add_argument("--quiet", action="store_true", help=tr("show no progress"))


class Once(argparse.Action):
    """An option that may be given only once: if it named two files, one of them would be ignored."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            raise UsageError(tr("{name} was given twice.", name=option))
        setattr(namespace, self.dest, values)


class _ListPresets(argparse.Action):
    """Prints the names of all presets, the user's own first."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        from album_app.render.presets import PRESETS, own_presets

        print("\n".join((*own_presets(), *(tr(name) for name in PRESETS))))
        parser.exit()


def add_files(group: Group) -> None:
    """The files to write."""
    from album_app.render import FORMATS

    suffixes = " ".join(kind.suffixes[0] for kind in FORMATS.values())
    group.add_argument(
        "-o",
        "--output",
        type=file_path,
        action=Once,
        metavar=tr("OUT"),
        help=tr("write the sheet to this file: {suffixes}", suffixes=suffixes),
    )
    group.add_argument(
        "--animate", action="store_true", help=tr("write a moving .webp that shows how the sheet came about")
    )
    group.add_argument(
        "--project",
        type=file_path,
        action=Once,
        metavar=tr("FILE.album"),
        help=tr("write a project that the window can open"),
    )
    group.add_argument(
        "--report",
        type=file_path,
        action=Once,
        metavar=tr("FILE.json"),
        help=tr("write the cells of all photos, scores and times as JSON"),
    )
    group.add_argument(
        "--list",
        type=file_path,
        action=Once,
        metavar=tr("FILE.csv"),
        help=tr("write where each photo hangs, in centimetres from the upper left corner of the paper"),
    )
    quick = tr("arrange and draw by the small pictures that cameras put into their files, without reading the photos")
    group.add_argument("--draft", action="store_true", help=quick)
    add_force(group)


def add_data(group: Group) -> None:
    """Data about the photos that are not in their files."""
    group.add_argument(
        "--data",
        type=Path,
        action=Once,
        metavar=tr("TABLE.csv"),
        help=tr("read a table with a line per photo, one column of which names the files"),
    )


def add_force(group: Group, has_folder: bool = True) -> None:
    """Whether files of other origin may be replaced; `has_folder` says whether the command reads FOLDER."""
    outside = mark("replace files that Album App did not write; files in FOLDER stay in any case")
    anywhere = mark("replace files that Album App did not write")
    group.add_argument("--force", action="store_true", help=tr(outside if has_folder else anywhere))


def add_shape(group: Group) -> None:
    """The cells of the sheet."""
    shape = group.add_mutually_exclusive_group()
    names = tr("16x20 (rows x columns), 4:3 (width : height), {names}", names=", ".join(nameable()))
    shape.add_argument(
        "--shape", default=ShapeSpec.kind, help=tr("{help} (default: {value})", help=names, value=ShapeSpec.kind)
    )
    shape.add_argument("--text", help=tr("arrange the photos as letters; \\n starts a new line"))
    shape.add_argument(
        "--mask", type=Path, metavar=tr("FILE"), help=tr("put photos where this black-and-white picture is dark")
    )
    group.add_argument(
        "--fit-paper",
        action="store_true",
        help=tr("choose rows and columns, or lines of a text, that fill the --paper or screen"),
    )
    group.add_argument(
        "--pages", metavar="N", help=tr("make a book with this number of pages of that shape; auto: as many as needed")
    )
    group.add_argument(
        "--fixed-cells",
        action="store_true",
        help=tr("keep photos in their cells where a page has empty ones, instead of having them fill the page"),
    )
    group.add_argument("--cells", type=int, metavar="N", help=tr("use this number of cells (default: one per photo)"))
    group.add_argument(
        "--font",
        default="",
        metavar=tr("NAME"),
        help=tr("draw the letters in this font: a font of this computer, or its file"),
    )
    group.add_argument("--one-line", action="store_true", help=tr("keep the text on one line, however long"))
    group.add_argument("--invert", action="store_true", help=tr("put photos where the mask is light"))


def add_pins(group: Group) -> None:
    """Wishes about single photos: pins, sizes, photos that are shown or left out."""
    from album_app.layout.evaluation.suggest import PRESETS

    group.add_argument(
        "--pin",
        action="append",
        default=[],
        metavar=tr("PATH@ROW,COL"),
        help=tr("put a photo of FOLDER in a cell, in a book with PATH@PAGE:ROW,COL; repeatable"),
    )
    group.add_argument(
        "--size",
        action="append",
        default=[],
        metavar=tr("PATH=SIZE"),
        help=tr("have a photo cover SIZE x SIZE cells, such as 2; repeatable"),
    )
    group.add_argument(
        "--vary-sizes",
        type=float,
        default=0.0,
        metavar=tr("SHARE"),
        help=tr("have some good photos that stand for others cover 2 x 2 or 3 x 3 cells: 0 is none, 1 is many"),
    )
    group.add_argument("--pins", type=Path, metavar=tr("FILE.csv"), help=tr("read pins from lines of photo,row,column"))
    group.add_argument(
        "--include",
        action="append",
        default=[],
        metavar=tr("NAME"),
        help=tr(
            "show these photos in any case: a name, a pattern in quotes, or @FILE with one on each line; repeatable"
        ),
    )
    group.add_argument(
        "--exclude", action="append", default=[], metavar=tr("NAME"), help=tr("leave these photos out; as --include")
    )
    group.add_argument(
        "--hold-from",
        type=Path,
        metavar=tr("FILE.album"),
        help=tr("leave every photo where this project shows it; others go to empty cells or a new row"),
    )
    group.add_argument(
        "--pin-word",
        action="append",
        default=[],
        metavar=tr("WORD@PLACE"),
        help=tr(
            "pin the photos that show a word best, such as dog@bottom-left: a corner, an edge (left, top …), "
            "the middle or ROW,COL; repeatable"
        ),
    )
    group.add_argument("--pin-preset", choices=PRESETS, default="", help=tr("pin photos that differ most"))


def add_arranging(group: Group) -> None:
    """How photos are compared and arranged."""
    add = adder(group, Options())
    blind = tr("in blind comparisons people put blend first most often, which takes longer, and lab never last")
    alike = tr("compare photos by {choices}; {blind}", choices=choices(), blind=blind)
    add("--features", metavar=tr("NAME"), help=alike)
    group.add_argument(
        "--vectors",
        dest="features",
        default=argparse.SUPPRESS,  # that of --features
        type=lambda file: f"vectors:{file}",
        metavar=tr("FILE"),
        help=tr(
            "compare photos by your own numbers: .npy, .npz, .csv or .parquet, a row per photo; "
            "rows without file names are in the order of the files in a --report (photo2 before photo10)"
        ),
    )
    flows = tr(
        "put the earliest photos on the left and the latest on the right; in a book, make a chapter of each page"
    )
    group.add_argument("--timeline", action="store_true", help=flows)
    alone = tr("weigh time against look: 0 compares photos by look alone, 1 by date alone")
    add("--time-weight", type=float, metavar="W", help=alone)
    add("--follow", type=float, help=tr("choose between smooth neighbours (0) and following the pins (1)"))
    group.add_argument("--stack", action="store_true", help=tr("show only one photo of each stack of near-duplicates"))
    add("--fill", choices=FILLS, help=tr("fill cells without a photo this way"))
    which = tr("choose these photos where there are more than cells: varied ones, or sharp, rich and large ones")
    add("--choose", choices=tuple(CHOICES), help=which)
    add("--effort", choices=EFFORTS, help=tr("fine and best take longer and give a smoother sheet"))
    add("--seed", type=int, help=tr("use this seed for all random numbers"))
    add("--auto", action="store_true", help=tr("choose beta and lambda by cross-validation where pins allow it"))
    add("--no-refine", dest="refine", action="store_false", help=tr("use the paper's method alone, without refinement"))
    add("--beta", type=float, help=tr("set the weight of the pins, 0 to 1"))
    add("--epsilon", type=float, help=tr("set epsilon, the softness of the transport plan"))
    add("--lam", type=float, help=tr("set lambda, the ridge penalty of the density ratio"))
    add("--basis", type=int, help=tr("set the number of basis functions"))
    add("--iterations", type=int, help=tr("run at most this number of iterations"))


def add_sheet(group: Group) -> None:
    """How the sheet is drawn."""
    from album_app.render import FORMATS, RenderSettings

    group.add_argument(
        "--preset",
        action=Once,
        metavar=tr("NAME"),
        help=tr("start from a preset of the export dialog; other options change it"),
    )
    group.add_argument("--presets", action=_ListPresets, nargs=0, help=tr("list the presets and exit"))
    add = adder(group, RenderSettings())
    _add_paper(group, add)
    _add_photo_looks(group, add)
    _add_words(group, add)
    lossy = ", ".join(kind.name for kind in FORMATS.values() if kind.lossy)
    add("--megabytes", type=float, help=tr("limit the size of a web page; photos are embedded as large as that allows"))
    add(
        "--no-names", dest="names", action="store_false", help=tr("leave the photos' names and dates out of a web page")
    )
    add(
        "--region-names",
        action="store_true",
        help=tr("let a web page show names over regions of the sheet, by what the photos show or by their colours"),
    )
    add("--quality", type=int, help=tr("set the quality of the pictures in {lossy}, 1 to 100", lossy=lossy))


def _add_paper(group: Group, add: Add) -> None:
    """The paper, the space around the photos, and the pages of a poster."""
    from album_app.render import ORIENTATIONS, PAPERS, RenderSettings

    size = adder(group.add_mutually_exclusive_group(), RenderSettings())
    size("--cell", type=int, metavar="PX", help=tr("set the side of a photo in pixels"))
    size("--paper", help=f"{', '.join(PAPERS)}, 210x297mm, 3000x2000px")
    add("--dpi", type=int, help=tr("set the resolution in dots per inch"))
    add("--orientation", dest="landscape", choices=ORIENTATIONS, help=tr("turn the paper"))
    add("--gap", type=float, help=tr("set the gap between photos"))
    add("--margin", type=float, help=tr("set the margin around the photos"))
    add("--bleed", type=float, help=tr("extend photos at the edge beyond it; 3 is usual for a print shop"))
    add("--cut-marks", action="store_true", help=tr("draw marks where the paper is to be cut"))
    add(
        "--poster",
        metavar=tr("PAGE"),
        help=tr("spread a PDF over pages of this paper, such as A4, to be glued together"),
    )
    add("--overlap", type=float, metavar="MM", help=tr("let a poster's pages overlap"))
    add("--background", metavar=tr("COLOUR"), help=tr("set the background: a name, #rrggbb or transparent"))


def _add_photo_looks(group: Group, add: Add) -> None:
    """How each photo is cropped and framed."""
    group.add_argument(
        "--crop",
        choices=("focus", "centre", "whole"),
        default="focus",
        help=tr("keep faces in sight, cut around the middle, or show whole photos"),
    )
    group.add_argument(
        "--focus",
        action="append",
        default=[],
        metavar=tr("PATH@X,Y"),
        help=tr("put this point of a photo, in shares of its width and height, in the middle of its crop; repeatable"),
    )
    add("--corner", type=float, metavar=tr("SHARE"), help=tr("round the corners, 0 to 0.5 of the photo"))
    add("--border", type=float, metavar=tr("WIDTH"), help=tr("draw a frame around each photo"))
    add("--border-colour", metavar=tr("COLOUR"), help=tr("set the colour of the frames"))


def _add_words(group: Group, add: Add) -> None:
    """Captions, titles and other texts around the photos."""
    from album_app.render import CAPTIONS, COVERS, PAGE_TITLES

    add(
        "--caption",
        metavar=tr("WHAT"),
        help=tr(
            "write this below each photo: {choices}, or a template such as {example}",
            choices=", ".join(CAPTIONS),
            example="'{title}, {date:%Y}'".replace("%", "%%"),
        ),
    )
    group.add_argument(
        "--captions-from",
        type=Path,
        metavar=tr("FILE.csv"),
        help=tr("read captions from lines of photo,caption; they take the place of the titles in the files"),
    )
    add("--title", help=tr("write this title above the photos"))
    add(
        "--colour-by",
        metavar=tr("COLUMN"),
        help=tr("frame photos in the colours of this column of the table, of folder or of keywords"),
    )
    add(
        "--filters",
        metavar=tr("COLUMNS"),
        help=tr("let a web page filter by these columns, with commas between them, or by all"),
    )
    add("--subtitle", help=tr("write this below the title on the cover of a book"))
    add(
        "--cover",
        metavar=tr("PHOTO"),
        help=tr("put this photo of FOLDER on the cover of a book, or: {choices}", choices=", ".join(COVERS)),
    )
    add(
        "--page-titles",
        choices=PAGE_TITLES,
        help=tr("write this below the pages of a book; chapter: numbers, and a title where a chapter begins"),
    )
    group.add_argument(
        "--chapter-title",
        action="append",
        metavar=tr("PAGE=TEXT"),
        help=tr("begin a chapter of a book on this page with this title, in the place of dates; repeatable"),
    )
    add("--mark-pins", action="store_true", help=tr("show which photos are pinned"))
    add("--time-marks", action="store_true", help=tr("write days, months or years below the columns of a timeline"))


def adder(group: Group, defaults: object) -> Add:
    """A function that adds arguments which are set only if they are given; their help names the default."""

    def add(name: str, *, help: str, **settings: Any) -> None:
        value = getattr(defaults, settings.get("dest", name.removeprefix("--").replace("-", "_")))
        known = not isinstance(value, bool) and value != ""
        default = tr("to suit") if value is None else value
        shown = tr("{help} (default: {value})", help=help, value=default) if known else help
        group.add_argument(name, default=argparse.SUPPRESS, help=shown, **settings)

    return add
