"""A layout becomes a file: a picture or a page, in any of the formats of one table.

- book: a book on paper: a cover and a sheet for each page, and what stands below a page
- colours: colours by name or number, and the ink that reads well on them
- compose: the one place that says what is drawn where; painters (pixels, PDF, SVG) only know how
- estimate: how large a file will be: some of its photos are drawn and written as they will be in it
- formats: the kinds of file a sheet can become, one row each, and a file for how each is written
- output: layout in, file or preview out
- papers: sizes a sheet can have: papers in millimetres, screens in pixels, and whatever else a person writes down
- photo_check: before a sheet is written: which of its photos can no longer be read
- pixels: a sheet as one picture in memory
- plan: how large everything on a sheet is, known before a single photo is read
- profile: the sRGB profile that every written sheet carries
- room: what a paper has room for: within its margins and below its title, how large are so many photos?
- settings: what the sheet shall look like: one immutable value, checked when it is made
- text_faces: the fonts of text on sheets, and the part of each that a PDF, an SVG or a page embeds
- time_labels: days, months or years below the columns of a timeline, each in the middle of its stretch
- tiles: photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in
"""

from album_app.render.book import earlier_files, files_of, is_book, plan_for
from album_app.render.colours import parse_background, parse_colour
from album_app.render.estimate import measured_bytes
from album_app.render.formats.checks import check_folder, check_plan, check_target, estimated_bytes, memory_needed
from album_app.render.formats.format import Format
from album_app.render.formats.poster import poster_of
from album_app.render.formats.table import FORMATS, format_of
from album_app.render.output import export, preview
from album_app.render.papers import PAPERS, Paper, parse_paper
from album_app.render.photo_check import unreadable_photos
from album_app.render.plan import SheetPlan, plan_sheet
from album_app.render.room import can_fill_paper, filling_paper, spec_for_paper
from album_app.render.settings import CAPTIONS, FITS, ORIENTATIONS, PAGE_TITLES, RenderSettings

__all__ = [
    "CAPTIONS",
    "FITS",
    "FORMATS",
    "ORIENTATIONS",
    "PAGE_TITLES",
    "PAPERS",
    "Format",
    "Paper",
    "RenderSettings",
    "SheetPlan",
    "can_fill_paper",
    "check_folder",
    "check_plan",
    "check_target",
    "earlier_files",
    "estimated_bytes",
    "export",
    "files_of",
    "filling_paper",
    "format_of",
    "is_book",
    "measured_bytes",
    "memory_needed",
    "parse_background",
    "parse_colour",
    "parse_paper",
    "plan_for",
    "plan_sheet",
    "poster_of",
    "preview",
    "spec_for_paper",
    "unreadable_photos",
]
