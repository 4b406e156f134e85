"""Why a sheet cannot be written so or there, said before any work, and what it will cost."""

import os
from collections.abc import Callable
from pathlib import Path

from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.language import number, reason, short_number, tr
from album_app.memory import machine_bytes
from album_app.paths import check_writable, is_folder, is_stream
from album_app.render.formats.format import Format
from album_app.render.formats.table import FORMATS, format_of
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import RenderSettings, parse_paper

SMALLEST_PAGE_MM = 100
OVERHEAD = 120_000_000
MM_PER_POINT = 25.4 / 72


def check_target(path: str | os.PathLike[str], settings: RenderSettings | None = None, moving: bool = False) -> Format:
    """Say before any work why a sheet could not be written there.

    >>> check_target("sheet.pdf").name
    'PDF'
    >>> check_target("sheet.doc")
    Traceback (most recent call last):
        ...
    album_app.errors.UsageError: ...
    """
    target = Path(path)
    kind = format_of(target)
    check_folder(target)
    if settings is not None:
        _check_wishes(kind, settings, moving)
    return kind


def check_folder(target: Path) -> None:
    """Say before any work why no file of that name could be written.

    >>> check_folder(Path("sheet.png"))
    >>> check_folder(Path("no such folder/sheet.png"))
    Traceback (most recent call last):
        ...
    album_app.errors.UsageError: There is no folder no such folder to write sheet.png into.
    """
    name = printable(str(target))
    if is_folder(target):
        raise UsageError(tr("{name} is a folder, not a file.", name=name))
    if not is_stream(target) and not is_folder(target.parent):
        raise UsageError(
            tr(
                "There is no folder {folder} to write {name} into.",
                folder=printable(str(target.parent)),
                name=printable(target.name),
            )
        )
    try:
        check_writable(target)
    except OSError as problem:
        raise AlbumError(tr("{name} cannot be written: {reason}.", name=name, reason=reason(problem))) from problem


def check_plan(kind: Format, plan: PagePlan, settings: RenderSettings, moving: bool = False) -> None:
    """Say before any work why a sheet cannot have this format.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> settings = RenderSettings(cell=96)
    >>> check_plan(format_of("sheet.png"), plan_page(rectangle(16, 20), settings), settings)
    """
    _check_wishes(kind, settings, moving)
    _check_size(kind, plan)
    _check_memory(kind, plan)


def memory_needed(kind: Format, plan: PagePlan) -> int:
    """Roughly how many bytes of memory writing a sheet takes.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> a0 = plan_page(rectangle(16, 20), RenderSettings(paper="A0"))
    >>> memory_needed(format_of("sheet.pdf"), a0) < memory_needed(format_of("sheet.png"), a0)
    True
    """
    return OVERHEAD + round(kind.memory(plan))


def estimated_bytes(kind: Format, plan: PagePlan, settings: RenderSettings) -> int:
    """Roughly how large the file will be.

    >>> from album_app.layout import rectangle
    >>> from album_app.render import format_of, plan_page
    >>> settings = RenderSettings()
    >>> estimated_bytes(format_of("sheet.html"), plan_page(rectangle(16, 20), settings), settings)
    12000000
    """
    return round(kind.expected_bytes(plan, settings))


def _check_size(kind: Format, plan: PagePlan) -> None:
    """Against what the format allows."""
    size = _size(plan)
    if _pixels(plan) > kind.longest_pixels:
        raise UsageError(
            tr(
                "{name} allows {most} pixels a side and the sheet has {size}; choose {names}, "
                "a smaller cell or fewer dpi.",
                name=tr(kind.name),
                most=short_number(kind.longest_pixels),
                size=size,
                names=_names(lambda other: _pixels(plan) <= other.longest_pixels),
            )
        )
    if max(plan.points) * MM_PER_POINT > kind.longest_mm:
        raise UsageError(
            tr(
                "A {name} page is at most {most} mm a side; the sheet of {size} needs more dpi or smaller cells.",
                name=tr(kind.name),
                most=short_number(kind.longest_mm),
                size=size,
            )
        )
    if _bytes(kind, plan) > kind.most_bytes:
        raise UsageError(
            tr(
                "{name} files end at {most} GB and the sheet has {size}; choose {names}, or fewer dpi.",
                name=tr(kind.name),
                most=number(kind.most_bytes / 2**30),
                size=size,
                names=_names(lambda other: _bytes(other, plan) <= other.most_bytes),
            )
        )


def _check_memory(kind: Format, plan: PagePlan) -> None:
    """Against what the machine has."""
    there_is = machine_bytes()
    if memory_needed(kind, plan) > there_is:
        raise AlbumError(
            tr(
                "A sheet of {size} needs {memory} GB of memory, more than there is; choose "
                "{names}, a smaller cell or fewer dpi.",
                size=_size(plan),
                memory=number(memory_needed(kind, plan) / 1e9, 1),
                names=_names(lambda other: memory_needed(other, plan) <= there_is),
            )
        )


def _check_wishes(kind: Format, settings: RenderSettings, moving: bool) -> None:
    if moving and not kind.moving:
        raise UsageError(
            tr("{name} does not move; choose {names}.", name=tr(kind.name), names=_names(lambda other: other.moving))
        )
    if settings.background is None and not kind.transparent:
        others = _names(lambda other: other.transparent)
        raise UsageError(
            tr(
                "{name} cannot be transparent; choose a background colour, or {others}.",
                name=tr(kind.name),
                others=others,
            )
        )
    if settings.poster:
        _check_poster(kind, settings.poster)


def _check_poster(kind: Format, paper: str) -> None:
    if not kind.pages:
        others = _names(lambda other: other.pages)
        raise UsageError(
            tr("{name} has no pages to spread a poster over; choose {others}.", name=tr(kind.name), others=others)
        )
    page = parse_paper(paper)
    if page.unit != "mm" or min(page.width, page.height) < SMALLEST_PAGE_MM:
        raise UsageError(
            tr(
                "The pages of a poster are papers of at least {least} mm a side, not “{paper}”.",
                least=SMALLEST_PAGE_MM,
                paper=paper,
            )
        )


def _names(fits: Callable[[Format], bool]) -> str:
    """ "PNG, TIFF or PDF": the formats that would do."""
    *most, last = [tr(kind.name) for kind in FORMATS.values() if fits(kind)]
    return tr("{others} or {last}", others=", ".join(most), last=last) if most else last


def _size(plan: PagePlan) -> str:
    return tr("{width} x {height} pixels", width=plan.width, height=plan.height)


def _pixels(plan: PagePlan) -> int:
    return max(plan.width, plan.height)


def _bytes(kind: Format, plan: PagePlan) -> float:
    return plan.pixels * kind.bytes_per_pixel
