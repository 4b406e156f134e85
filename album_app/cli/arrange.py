"""`album-app arrange FOLDER -o SHEET`: a folder of photos in, a sheet out."""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from album_app.cli import sheet_arguments
from album_app.cli.files import skipped_words
from album_app.cli.pipeline import Outcome, Request, make_sheet
from album_app.cli.progress import Bar
from album_app.cli.reports import report_of, write_report
from album_app.cli.wishes import split_chapter_titles, split_pin, split_word_pin
from album_app.errors import UsageError
from album_app.file_names import bounded, printable
from album_app.language import mark, number, shown, tr, trn
from album_app.layout import Options, ShapeSpec, parse_shape
from album_app.layout.captions import with_captions
from album_app.layout.editing.timeline import USUAL_WEIGHT, file_time_words
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import PROJECT_SUFFIX, load_project, save_project
from album_app.own_files import HANGING_COLUMNS
from album_app.paths import is_file, place_of
from album_app.photos.album import replacing
from album_app.photos.facets import FOLDER, KEYWORDS
from album_app.photos.features import extractor
from album_app.photos.features.table import comes_with_thumbnails
from album_app.photos.fonts import find_font
from album_app.photos.tables import Table, read_table
from album_app.photos.time_order import by_file_time
from album_app.render import ExportPlan, RenderSettings, check_folder, check_target, parse_background
from album_app.render.export import hanging_rows, write_hanging_list
from album_app.render.page.plan import USUAL_CELL, can_fill_paper
from album_app.render.page.settings import COARSE_DPI, parse_paper
from album_app.render.presets import REMEMBERED, Choice, preset_named

EXAMPLES = mark("""examples:
  album-app arrange Crete -o crete.png                                  as many cells as photos
  album-app arrange Crete -o crete.pdf --paper A2 --title "Crete 2024"  for the printer
  album-app arrange Crete -o crete.png --shape 16x20 --pin-preset corners --mark-pins
  album-app arrange Crete -o crete.jpg --shape 10x10 --pin beach/img12.jpg@0,0 --pin night.jpg@9,9
  album-app arrange Crete -o crete.svg --text "CRETE" --pin-preset letters --features semantic
  album-app arrange Crete -o crete.png --text "Κρήτη" --font "DejaVu Serif"
  album-app arrange Crete -o heart.webp --shape heart --background transparent --corner 0.15
  album-app arrange Crete -o wall.jpg --paper 3840x2160 --fit-paper     fills the screen
  album-app arrange Crete -o crete.pdf --pages auto --shape 4x5 --paper A4 --title "Crete 2024"      a book
  album-app arrange Crete -o year.pdf --pages auto --timeline --title 2024 --subtitle "Crete and home"
                                                                        a book in the order of time, with chapters
  album-app arrange Crete -o crete.html --title "Crete 2024"            a page to look around in and to send
  album-app arrange Crete -o year.pdf --timeline --paper A3             January on the left, December on the right
  album-app arrange Crete -o crete.webp --animate --pin-preset corners  how it comes about
  album-app arrange Crete -o crete.png --cells 60 --include wedding.jpg --exclude "blurred/*" --exclude @not.txt
  album-app arrange Crete -o crete.png --hold-from crete.album          as it was, with the new photos
  album-app arrange Crete -o crete.jpg --draft                          in seconds, by the previews in camera files
  album-app arrange Crete --project crete.album --report crete.json --quiet
  album-app arrange crete.album -o crete.pdf --paper A2                 a finished project, as it is

Rows and columns count from 0 at the top left, in a hanging list (--list) from 1. Exit codes: 0 done, 2 wrong usage, 1
could not.
Photos that could not be read are named on standard error and in the report; if none could, nothing is written but that.
""")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = tr(EXAMPLES)
    sheet_arguments.add_folder(parser)
    sheet_arguments.add_files(parser.add_argument_group(tr("files to write (at least one)")))
    sheet_arguments.add_shape(parser.add_argument_group(tr("shape")))
    sheet_arguments.add_pins(parser.add_argument_group(tr("pins")))
    sheet_arguments.add_arranging(parser.add_argument_group(tr("arranging")))
    sheet_arguments.add_data(parser.add_argument_group(tr("your own data")))
    sheet_arguments.add_sheet(
        parser.add_argument_group(tr("the sheet (lengths in millimetres on paper, in pixels otherwise)"))
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help=tr("exit with 1 and write only the report if a photo is missing or damaged"),
    )
    voice = parser.add_argument_group(tr("messages")).add_mutually_exclusive_group()
    voice.add_argument("--quiet", action="store_true", help=tr("print errors only"))
    voice.add_argument("--progress", action="store_true", help=tr("show progress even where there is no terminal"))


def run(arguments: argparse.Namespace) -> int:
    request = requested(arguments)
    shown = True if arguments.progress else False if arguments.quiet else None
    outcome = make_sheet(request, lambda label: Bar(label, shown))
    if request.project is not None and outcome.complete:
        save_project(outcome.document(request), request.project, agreed=request.force)
    if request.report is not None:
        report = report_of(outcome, request.options, request.table)
        write_report(report, request.report, replacing(outcome.album, request.force))
    if request.hanging_list is not None and outcome.plan is not None:
        album, kept = with_captions(outcome.album, outcome.captions), replacing(outcome.album, request.force)
        write_hanging_list(request.hanging_list, outcome.plan, outcome.drawn, album, outcome.crops, kept)
    if outcome.complete and not arguments.quiet:
        tell(outcome, request)
    return _report_missing(outcome, request)


def _report_missing(outcome: Outcome, request: Request) -> int:
    """Report on standard error which photos the sheet lacks; return the exit code."""
    lacking = outcome.unshown
    if request.strict:
        lacking = (*(item for item in outcome.album.skipped if item.fault != "unsupported"), *lacking)
    if not lacking:
        return 0
    what = tr("the cells are empty") if outcome.complete else tr("no sheet was written")
    words = trn(
        "{count} photo could not be shown, {what}: {which}",
        "{count} photos could not be shown, {what}: {which}",
        len(lacking),
        what=what,
        which=skipped_words(lacking),
    )
    print(f"album-app: {bounded(words)}", file=sys.stderr)
    return 1 if request.strict or not outcome.complete else 0


def requested(arguments: argparse.Namespace) -> Request:
    """The request of a command line; finds every mistake that can be found without reading a photo."""
    given = vars(arguments)
    preset = None if arguments.preset is None else preset_named(arguments.preset)
    if preset is not None and preset.settings.paper and not {"paper", "cell"} & given.keys():
        given["paper"] = preset.settings.paper
    held = _held_project(arguments)
    _check_combinations(arguments, held)
    spec = shape_spec(arguments) if held is None else held.spec
    table = _table(arguments, held)
    settings = _settings(given, spec, preset, held, table)
    request = Request(
        folder=arguments.folder,
        spec=spec,
        options=_options(given, held),
        settings=settings,
        pins=tuple(arguments.pin),
        pins_file=arguments.pins,
        preset=arguments.pin_preset,
        output=arguments.output,
        project=arguments.project,
        report=arguments.report,
        animate=arguments.animate,
        strict=arguments.strict,
        timeline=arguments.timeline,
        stack=arguments.stack,
        force=arguments.force,
        include=tuple(arguments.include),
        exclude=tuple(arguments.exclude),
        held=held,
        sizes=tuple(arguments.size),
        vary_sizes=_variation(arguments, spec),
        crop=arguments.crop,
        foci=tuple(arguments.focus),
        captions_file=given.get("captions_from"),
        hanging_list=arguments.list,
        table=table,
        pin_words=tuple(arguments.pin_word),
        draft=arguments.draft,
    )
    extractor(request.options.features)
    for pin in request.pins:
        split_pin(pin)
    for pin in request.pin_words:
        split_word_pin(pin)
    _check_targets(request)
    return request


def _settings(
    given: dict[str, Any], spec: ShapeSpec, preset: Choice | None, held: Document | None, table: Table | None
) -> RenderSettings:
    """How the sheet looks: by the options, then by the preset, then by the held project and the table."""
    usual: dict[str, Any] = {}
    if held is not None:
        usual |= {name: getattr(held, name) for name in ("title", "subtitle", "cover")}
        if table is None or not table.is_missing or held.colour_by in (FOLDER, KEYWORDS):
            usual["colour_by"] = held.colour_by
    if "background" in given:
        given["background"] = parse_background(given["background"])
    written = split_chapter_titles(given.get("chapter_title") or ())
    if any(written.values()):
        given["page_titles"] = "chapter"
    given["chapter_titles"] = _chapter_titles(written, held)
    if spec.chapters or given["chapter_titles"]:
        usual["page_titles"] = "chapter"
    if given.get("captions_from") is not None:
        usual["caption"] = "title"
    if table is not None:
        usual["columns"] = table.columns
    settings = replace(RenderSettings(), **(usual | _of_preset(preset, given) | _named(RenderSettings, given)))
    return replace(settings, fit="whole") if given["crop"] == "whole" else settings


def _chapter_titles(written: Mapping[int, str], held: Document | None) -> tuple[tuple[int, str], ...]:
    """The titles of chapters by page: those of the held book, replaced by those of the command line."""
    last = 0 if held is None or held.shape.pages is None else held.shape.pages.count
    kept = {} if held is None else {page: text for page, text in held.chapter_titles.items() if page < last}
    return tuple(sorted((page, text) for page, text in {**kept, **written}.items() if text))


def _variation(arguments: argparse.Namespace, spec: ShapeSpec) -> float:
    """How much sizes are to vary, from 0 to 1."""
    amount = float(arguments.vary_sizes)
    if not 0 <= amount <= 1:
        raise UsageError(tr("--vary-sizes is a number from 0 to 1, not {amount}.", amount=amount))
    if amount and not spec.has_sizes:
        raise UsageError(tr("Photos have sizes on sheets of rows and columns, in letters and on pages only."))
    return amount


def _held_project(arguments: argparse.Namespace) -> Document | None:
    """The project whose sheet is held, if one was named; its shape is the sheet's."""
    source = arguments.hold_from
    if source is None and arguments.folder.suffix.lower() == PROJECT_SUFFIX and is_file(arguments.folder):
        source = arguments.folder  # a finished sheet is written unchanged
    if source is None:
        return None
    named = {f"--{name}": getattr(arguments, name) is not None for name in ("text", "mask", "pages", "cells")}
    named |= {"--shape": arguments.shape != "auto", "--vary-sizes": bool(arguments.vary_sizes)}
    for name, is_given in named.items():
        if is_given:
            raise _contradiction(arguments, name)
    held = load_project(source)
    if held.layout is None:
        raise UsageError(tr("The project “{name}” has no sheet to hold.", name=printable(source.name)))
    if arguments.fit_paper and not can_fill_paper(held.spec):
        raise _contradiction(arguments, "--fit-paper")
    return held


def _contradiction(arguments: argparse.Namespace, name: str) -> UsageError:
    """The error for an option that would change the shape of a finished sheet."""
    if arguments.hold_from is not None:
        return UsageError(tr("--hold-from and {name} contradict each other.", name=name))
    return UsageError(tr("A project has its shape already: it goes without {name}.", name=name))


def _table(arguments: argparse.Namespace, held: Document | None) -> Table | None:
    """The table that was named, or else that of the held project."""
    if arguments.data is not None:
        return read_table(arguments.data)
    if held is not None and held.table is not None and held.table.is_missing:
        print(f"album-app: {held.table.missing_words}", file=sys.stderr)
    return None if held is None else held.table


def _options(given: dict[str, Any], held: Document | None = None) -> Options:
    """How to arrange; --timeline sets the usual weight of time, except in a book, where it makes chapters instead."""
    usual = {"time_weight": USUAL_WEIGHT} if given["timeline"] and given["pages"] is None else {}
    return replace(Options() if held is None else held.options, **(usual | _named(Options, given)))


def _of_preset(preset: Choice | None, given: dict[str, Any]) -> dict[str, Any]:
    """The settings of a preset; it fits the shape to its paper only if no other shape was named."""
    if preset is None:
        return {}
    found = {name: getattr(preset.settings, name) for name in REMEMBERED}
    if "cell" in given:
        found["paper"] = ""
    shaped = given["shape"] != "auto" or any(given[name] is not None for name in ("mask", "hold_from"))
    if not given["fit_paper"] and found["fit_paper"] and found["paper"] and not shaped:
        given["fit_paper"] = True
    return found


def _named(kind: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def shape_spec(arguments: argparse.Namespace) -> ShapeSpec:
    """The wanted shape, by --text, --mask, --shape, --pages and --cells."""
    if arguments.text is not None:
        spec = ShapeSpec("text", text=arguments.text, font=_font(arguments.font), wrap=not arguments.one_line)
    elif arguments.mask is not None:
        spec = ShapeSpec("mask", mask=str(arguments.mask), inverted=arguments.invert)
    else:
        spec = parse_shape(arguments.shape)
    if arguments.pages is not None:
        return _book(arguments, spec)
    if arguments.cells is None:
        return spec
    if arguments.cells < 1:
        raise UsageError(tr("A sheet needs at least one cell, not {cells}.", cells=arguments.cells))
    if spec.kind == "rectangle":
        text = mark("--cells does not go with --shape {shape}, which has its number of cells already.")
        raise UsageError(tr(text, shape=arguments.shape))
    return replace(spec, cells=arguments.cells)


def _book(arguments: argparse.Namespace, page: ShapeSpec) -> ShapeSpec:
    """The value of --pages: a number of pages, or auto."""
    words = arguments.pages.strip().lower()
    if words != "auto" and not (words.isdecimal() and int(words[:7]) > 0):
        raise UsageError(
            tr("--pages is a number, or auto for as many as needed, not “{words}”.", words=arguments.pages)
        )
    if page.kind not in ("auto", "rectangle", "rows") or arguments.cells is not None:
        raise UsageError(tr("The pages of a book are sheets of rows x columns, such as --shape 4x5."))
    pages = 0 if words == "auto" else int(words[:7])
    justified = page.kind == "rows"
    return replace(
        page,
        kind="pages",
        pages=pages,
        chapters=arguments.timeline,
        justified=justified,
        fill_pages=not arguments.fixed_cells,
    )


def _check_combinations(arguments: argparse.Namespace, held: Document | None) -> None:
    """Refuse options that contradict each other, and options that have no effect without another one."""
    given = vars(arguments)
    if arguments.fit_paper and (arguments.mask is not None or arguments.shape != "auto"):
        text = mark(
            "--fit-paper chooses rows and columns, or the lines of a --text: it goes without --shape and --mask."
        )
        raise UsageError(tr(text))
    if arguments.draft:
        _check_draft(given, _options(given, held))
    if not given.get("names", True) and given.get("caption") == "name":
        raise UsageError(tr("--no-names and --caption name contradict each other."))
    for name, needed, is_there in _needs(given, held):
        if _is_given(given, name) and not is_there:
            raise UsageError(tr("{name} has no effect without {needed}.", name=name, needed=needed))


def _check_draft(given: dict[str, Any], options: Options) -> None:
    """Refuse options for which the photos themselves must be read."""
    if not comes_with_thumbnails(options.features):
        raise UsageError(tr("--draft compares photos by colours: it goes with --features lab or rgb alone."))
    reading = {"--stack": given["stack"], "--pin-word": given["pin_word"], "--choose": options.choose != "varied"}
    for name, is_given in reading.items():
        if is_given:
            raise UsageError(tr("--draft and {name} contradict each other.", name=name))


def _needs(given: dict[str, Any], held: Document | None) -> list[tuple[str, str, bool]]:
    """Options that need another one: the option, what it needs in words, and whether that is given."""
    suffix = given["output"].suffix.lower() if given["output"] is not None else ""
    has_output, is_page = given["output"] is not None, suffix in (".html", ".htm")
    is_book = given["pages"] is not None or (held is not None and held.spec.kind == "pages")
    return [
        ("--font", "--text", given["text"] is not None),
        ("--one-line", "--text", given["text"] is not None),
        ("--invert", "--mask", given["mask"] is not None),
        ("--time-marks", tr("--timeline or --time-weight"), bool(_options(given, held).time_weight)),
        ("--fit-paper", "--paper", bool(given.get("paper"))),
        ("--orientation", "--paper", bool(given.get("paper"))),
        ("--dpi", "--paper", bool(given.get("paper"))),
        ("--animate", "-o", has_output),
        ("--captions-from", tr("-o or --project"), has_output or given["project"] is not None),
        ("--title", tr("-o or --project"), has_output or given["project"] is not None),
        ("--megabytes", tr("a web page (-o FILE.html) or --animate"), is_page or given["animate"]),
        ("--no-names", tr("a web page (-o FILE.html)"), is_page),
        ("--overlap", "--poster", bool(given.get("poster"))),
        *((name, "--pages", is_book) for name in ("--page-titles", "--subtitle", "--cover")),
        ("--chapter-title", "--pages", is_book),
        ("--chapter-title", tr("--page-titles chapter"), given.get("page_titles", "chapter") == "chapter"),
        ("--fixed-cells", "--pages", given["pages"] is not None),
        ("--list", "--paper" if has_output else tr("-o and --paper"), has_output and bool(given.get("paper"))),
        ("--border-colour", "--border", bool(given.get("border"))),
        ("--colour-by", tr("-o or --project"), has_output or given["project"] is not None),
        ("--filters", tr("a web page (-o FILE.html)"), is_page),
        ("--region-names", tr("a web page (-o FILE.html)"), is_page),
    ]


def _is_given(given: dict[str, Any], name: str) -> bool:
    """Whether an option was given."""
    key = {"--no-names": "names", "--orientation": "landscape"}.get(name, name.removeprefix("--").replace("-", "_"))
    value = given.get(key)
    return key in given if key == "names" else not (value is None or value is False or value == "")


def _font(wanted: str) -> str:
    """The name of a font as a project stores it; a font that does not exist is refused."""
    file = Path(wanted).absolute()
    return str(file) if find_font(wanted).path == file else wanted


def _check_targets(request: Request) -> None:
    if not request.targets:
        raise UsageError(tr("There is nothing to write: name a sheet with -o, or use --project or --report."))
    if request.output is not None:
        check_target(request.output, request.settings, request.animate)
    for path in request.targets:
        check_folder(path)
    if request.project is not None and request.project.suffix.lower() != PROJECT_SUFFIX:
        text = mark("The name of a project must end with {suffix}; “{name}” does not.")
        raise UsageError(tr(text, suffix=PROJECT_SUFFIX, name=request.project.name))
    table = None if request.table is None else request.table.path
    named = (request.pins_file, Path(request.spec.mask or ""), table)
    read = [path for path in named if path is not None and is_file(path)]
    if len({place_of(path) for path in (*request.targets, *read)}) < len(request.targets) + len(read):
        raise UsageError(tr("Two of the files are the same one; give each its own name."))
    request.check_targets()


def tell(outcome: Outcome, request: Request) -> None:
    """Print what was done and which files were skipped."""
    shape, drawn = outcome.layout.shape, len(outcome.drawn.shown)
    photos = len(outcome.active)
    excluded = len(outcome.wishes.excluded.difference(outcome.active))
    stacked = len(outcome.album) - photos - excluded
    words = trn("{count} photo", "{count} photos", photos)
    of = words if drawn == photos else tr("{shown} of {photos}", shown=number(drawn), photos=words)
    ends = dict.fromkeys((*outcome.files[:1], *outcome.files[-1:]))
    sheet = " … ".join(printable(str(path)) for path in ends)
    files = ", ".join([sheet, *(printable(str(path)) for path in request.targets if path != request.output)])
    grid = f"{shape.rows} x {shape.columns}" if shape.pages is None else shown(shape.name)
    print(
        trn(
            "{files}: {photos} on {count} cells ({grid}), {pins} pinned",
            "{files}: {photos} on {count} cells ({grid}), {pins} pinned",
            shape.count,
            files=files.lstrip(", "),
            photos=of,
            grid=grid,
            pins=number(len(outcome.layout.pins)),
        )
    )
    if outcome.previews:
        print(
            trn(
                "a draft: {count} photo is arranged and drawn by the small picture in its file",
                "a draft: {count} photos are arranged and drawn by the small pictures in their files",
                outcome.previews,
            )
        )
    if stacked:
        print(trn("{count} more photo in stacks", "{count} more photos in stacks", stacked))
    if excluded:
        print(trn("{count} photo is excluded", "{count} photos are excluded", excluded))
    if shape.remark:
        print(shown(shape.remark))
    if outcome.plan is not None:
        _tell_cell_size(outcome.plan)
        _tell_coarse_photos(outcome, outcome.plan)
    if request.options.time_weight:
        _tell_doubtful_dates(outcome)
    if outcome.album.skipped:
        print(bounded(tr("skipped: {which}", which=skipped_words(outcome.album.skipped))))


def _tell_cell_size(plan: ExportPlan) -> None:
    """Print that photos are smaller than usual, if they are because there are many of them."""
    settings, side = plan.settings, plan.page.tile
    if not plan.moving and not settings.paper and settings.cell is None and side < USUAL_CELL:
        text = mark("Photos are {side} pixels a side, so that the picture fits into memory; --cell asks for others.")
        print(tr(text, side=number(side)))


def _tell_coarse_photos(outcome: Outcome, plan: ExportPlan) -> None:
    """Print how many photos have too few pixels for their size on paper, and which one has the fewest."""
    if plan.moving or not plan.settings.paper or parse_paper(plan.settings.paper).unit != "mm":
        return
    column = HANGING_COLUMNS.index("dpi")
    rows = hanging_rows(plan, outcome.drawn, outcome.album, outcome.crops)
    found = sorted((int(str(row[column])), str(row[0])) for row in rows)
    coarse = [item for item in found if item[0] < COARSE_DPI]
    if coarse:
        print(
            trn(
                "{count} photo has fewer than {good} pixels per inch on this paper: {name} has {least}",
                "{count} photos have fewer than {good} pixels per inch on this paper; the fewest has {name}: {least}",
                len(coarse),
                good=COARSE_DPI,
                name=printable(coarse[0][1]),
                least=coarse[0][0],
            )
        )


def _tell_doubtful_dates(outcome: Outcome) -> None:
    """Print how many photos are placed only by the time of their files."""
    words = file_time_words(len(by_file_time(outcome.album.photos)))
    if words:
        print(words)
