"""The kinds of file a sheet can become, their limits, and what they cost."""

import os
from dataclasses import dataclass
from pathlib import Path

from album_app.errors import AlbumError, UsageError
from album_app.render.plan import SheetPlan
from album_app.render.settings import RenderSettings

UNLIMITED = 2**31 - 1
BYTES_PER_PIXEL = 4  # in memory, with or without transparency
OVERHEAD = 120_000_000
TIFF_BYTES = 2**32 - 2**24


@dataclass(frozen=True)
class Format:
    """A file format: its suffixes, bytes per pixel of a typical sheet, and what it allows."""

    name: str
    suffixes: tuple[str, ...]
    bytes_per_pixel: float
    longest: int = UNLIMITED
    transparent: bool = True
    vector: bool = False
    copies: float = 1.0  # of the picture that writing it takes


FORMATS = (
    Format("PNG", (".png",), 1.9),
    Format("JPEG", (".jpg", ".jpeg"), 0.4, longest=65_500, transparent=False),
    Format("WebP", (".webp",), 0.25, longest=16_383, copies=2.5),
    Format("TIFF", (".tif", ".tiff"), 2.1),
    Format("PDF", (".pdf",), 0.4, vector=True),
    Format("SVG", (".svg",), 0.55, vector=True),
)
PDF_POINTS = 14_400
"""The longest side of a page that PDF readers promise to show."""


def format_of(path: str | os.PathLike[str]) -> Format:
    """The format that a file's name asks for."""
    suffix = Path(path).suffix.lower()
    for kind in FORMATS:
        if suffix in kind.suffixes:
            return kind
    choices = ", ".join(suffix for kind in FORMATS for suffix in kind.suffixes)
    raise UsageError(f"The name of a sheet must end with one of {choices}; “{Path(path).name}” does not.")


def check_target(path: str | os.PathLike[str], settings: RenderSettings | None = None) -> Format:
    """Say before any work why a sheet could not be written there."""
    target = Path(path)
    kind = format_of(target)
    check_folder(target)
    if settings is not None:
        _check_background(kind, settings)
    return kind


def _check_background(kind: Format, settings: RenderSettings) -> None:
    if settings.background is None and not kind.transparent:
        raise UsageError(f"{kind.name} cannot be transparent; choose a background colour, or PNG, WebP or TIFF.")


def check_folder(target: Path) -> None:
    """Say before any work why no file of that name could be written."""
    if target.is_dir():
        raise UsageError(f"{target} is a folder, not a file.")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {target.parent} to write {target.name} into.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise AlbumError(f"The folder {target.parent} cannot be written to.")


def check_plan(kind: Format, plan: SheetPlan, settings: RenderSettings) -> None:
    """Say before any work why a sheet cannot have this format."""
    size = f"{plan.width} x {plan.height} pixels"
    _check_background(kind, settings)
    if not kind.vector and max(plan.width, plan.height) > kind.longest:
        raise UsageError(
            f"{kind.name} allows {kind.longest} pixels a side and the sheet has {size}; "
            "choose PNG, TIFF or PDF, a smaller cell or fewer dpi."
        )
    if kind.name == "PDF" and max(plan.points) > PDF_POINTS:
        raise UsageError(f"A PDF page is at most 5080 mm a side; the sheet of {size} needs more dpi or smaller cells.")
    if kind.name == "TIFF" and plan.width * plan.height * kind.bytes_per_pixel > TIFF_BYTES:
        raise UsageError(f"TIFF files end at 4 GB and the sheet has {size}; choose PNG or PDF, or fewer dpi.")
    if memory_needed(kind, plan) > _memory():
        raise AlbumError(
            f"A sheet of {size} needs {memory_needed(kind, plan) / 1e9:.1f} GB of memory, more than there is; "
            "choose PDF, a smaller cell or fewer dpi."
        )


def memory_needed(kind: Format, plan: SheetPlan) -> int:
    """Roughly how many bytes of memory writing a sheet takes."""
    pixels = 0.0 if kind.vector else plan.width * plan.height * BYTES_PER_PIXEL * kind.copies
    return OVERHEAD + round(pixels)


def estimated_bytes(kind: Format, plan: SheetPlan, settings: RenderSettings) -> int:
    """Roughly how large the file will be."""
    lossy = kind.name in ("JPEG", "WebP") or kind.vector
    factor = 0.25 + 0.75 * (settings.quality / 90) ** 4 if lossy else 1.0
    return round(plan.width * plan.height * kind.bytes_per_pixel * factor)


def _memory() -> float:
    """Bytes of memory in this machine; unlimited where it does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return float("inf")
