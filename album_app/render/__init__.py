"""A layout becomes a file: PNG, JPEG, WebP, TIFF, PDF or SVG."""

from album_app.render.colours import parse_background, parse_colour
from album_app.render.formats import (
    FORMATS,
    check_folder,
    check_plan,
    check_target,
    estimated_bytes,
    format_of,
    memory_needed,
)
from album_app.render.output import export, preview
from album_app.render.papers import PAPERS, Paper, parse_paper
from album_app.render.plan import SheetPlan, plan_sheet
from album_app.render.profile import is_sheet
from album_app.render.settings import CAPTIONS, FITS, ORIENTATIONS, RenderSettings

__all__ = [
    "CAPTIONS",
    "FITS",
    "FORMATS",
    "ORIENTATIONS",
    "PAPERS",
    "Paper",
    "RenderSettings",
    "SheetPlan",
    "check_folder",
    "check_plan",
    "check_target",
    "estimated_bytes",
    "export",
    "format_of",
    "is_sheet",
    "memory_needed",
    "parse_background",
    "parse_colour",
    "parse_paper",
    "plan_sheet",
    "preview",
]
