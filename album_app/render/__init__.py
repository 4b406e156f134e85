"""A layout becomes a file, in any of the formats of one table.

- book: a book on paper: a sheet for each page, the text below a page, the titles of chapters, and the cover
- checks: checks before a sheet is written: whether it can be, how large it will be, which photos and letters it lacks
- formats: the kinds of file a sheet can become, one row each, and a file for how each is written
- export: a layout becomes files: `plan_export` checks everything once and gathers the page plans, `export` writes; the
  hanging list
- page: the page plan: how large the page is and what is drawn where, decided once (`plan_page`)
- painters: draw a page plan as pixels, PDF or SVG
- presets: named presets of exports, each a kind of file and its settings
"""

from album_app.layout.captions import CAPTIONS
from album_app.render.book import earlier_files, files_of, has_cover, is_book, plan_for
from album_app.render.checks import (
    check_folder,
    check_plan,
    check_target,
    estimated_bytes,
    measured_bytes,
    memory_needed,
    unprintable_letters,
    unprintable_words,
    unreadable_photos,
)
from album_app.render.export import ExportPlan, export, plan_export, preview
from album_app.render.formats.format import Format
from album_app.render.formats.table import FORMATS, format_of
from album_app.render.page.plan import PagePlan, can_fill_paper, empty_share, filling_paper, plan_page, spec_for_paper
from album_app.render.page.settings import (
    COVERS,
    FITS,
    ORIENTATIONS,
    PAGE_TITLES,
    PAPERS,
    Paper,
    RenderSettings,
    parse_background,
    parse_colour,
    parse_paper,
)
from album_app.render.painters.pdf import poster_of

__all__ = [
    "CAPTIONS",
    "COVERS",
    "FITS",
    "FORMATS",
    "ORIENTATIONS",
    "PAGE_TITLES",
    "PAPERS",
    "ExportPlan",
    "Format",
    "PagePlan",
    "Paper",
    "RenderSettings",
    "can_fill_paper",
    "check_folder",
    "check_plan",
    "check_target",
    "earlier_files",
    "empty_share",
    "estimated_bytes",
    "export",
    "files_of",
    "filling_paper",
    "format_of",
    "has_cover",
    "is_book",
    "measured_bytes",
    "memory_needed",
    "parse_background",
    "parse_colour",
    "parse_paper",
    "plan_export",
    "plan_for",
    "plan_page",
    "poster_of",
    "preview",
    "spec_for_paper",
    "unprintable_letters",
    "unprintable_words",
    "unreadable_photos",
]
