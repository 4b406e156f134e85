"""Words about an album and its layout, for the title, the status bar and the panel."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from album_app.language import begun, listed, mark, moment, number, tr, trn
from album_app.layout import Cell, Document, Layout
from album_app.layout.project.document import Counts
from album_app.layout.shapes.pages import Pages
from album_app.paths import cache_folder
from album_app.photos.album import Photo
from album_app.photos.decoding.header import FILE, TABLE
from album_app.photos.features.table import features_title


def is_sample(document: Document) -> bool:
    """Whether a document is of the built-in album, which lies in the cache."""
    return any(root.parent == cache_folder() for root in document.album.roots[:1])


def title_of(document: Document | None, project: Path | None) -> str:
    """The name of an album: that of its project file, or else of its first folder."""
    if project is not None:
        return project.stem
    if document is None or not document.album.roots:
        return tr("Untitled")
    return tr("Sample album") if is_sample(document) else document.album.roots[0].name or str(document.album.roots[0])


def photos_words(count: int) -> str:
    """ "1 photo", "12 photos"."""
    return trn("{count} photo", "{count} photos", count)


def cells_words(count: int) -> str:
    """ "1 cell", "12 cells"."""
    return trn("{count} cell", "{count} cells", count)


def no_cell_words(unplaced: int) -> str:
    """ "2 photos have no cell"; nothing where every photo has one."""
    return trn("{count} photo has no cell", "{count} photos have no cell", unplaced) if unplaced else ""


def photos_and_skipped(photos: int, skipped: int) -> str:
    """ "12 photos, 1 file skipped"."""
    counted = photos_words(photos)
    return trn("{photos}, {count} file skipped", "{photos}, {count} files skipped", skipped, photos=counted)


def news_words(new: int, changed: int, moved: int, gone: int, pinned: int = 0) -> str:
    """ "12 new photos: add them?", "1 new photo, 2 changed and 3 gone: follow the folder?"."""
    if not (changed or moved or gone):
        return trn("{count} new photo: add it?", "{count} new photos: add them?", new)
    words_so_far: list[str] = []
    for count, words in ((new, _new), (changed, _changed), (moved, _moved), (gone, _gone)):
        words_so_far += [words(count, not words_so_far)] if count else []
    if pinned:
        words_so_far[-1] += " " + trn("({count} of them pinned)", "({count} of them pinned)", pinned)
    return tr("{news}: follow the folder?", news=listed(words_so_far))


def _new(count: int, first: bool) -> str:
    return trn("{count} new photo", "{count} new photos", count)


def _changed(count: int, first: bool) -> str:
    if first:
        return trn("{count} changed photo", "{count} changed photos", count)
    return trn("{count} changed", "{count} changed", count)


def _moved(count: int, first: bool) -> str:
    if first:
        return trn("{count} renamed photo", "{count} renamed photos", count)
    return trn("{count} renamed", "{count} renamed", count)


def _gone(count: int, first: bool) -> str:
    if first:
        return trn("{count} gone photo", "{count} gone photos", count)
    return trn("{count} gone", "{count} gone", count)


def place_words(cell: Cell, pages: Pages | None = None) -> str:
    """ "row 3, column 5", counted from 1; in a book also the page, with row and column on that page."""
    if pages is None:
        return tr("row {row}, column {column}", row=cell[0] + 1, column=cell[1] + 1)
    page = int(pages.page_of(cell)[0])
    row, column = (place - start for place, start in zip(cell, pages.origin(page), strict=True))
    return tr("page {page}, row {row}, column {column}", page=page + 1, row=row + 1, column=column + 1)


def sentence(text: str) -> str:
    """The text of an error as a sentence with a capital letter and a full stop; a name at its start stays as it is."""
    words_so_far = begun(text) if text.partition(" ")[0].isalpha() else text
    return words_so_far if words_so_far.endswith((".", "!", "?", ")")) else f"{words_so_far}."


def in_bytes(count: float) -> str:
    """ "9.1 MB"."""
    if count < 1000:
        return tr("{count} bytes", count=number(count))
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 1000 or unit == "GB":
            break
    return f"{number(count, 0 if count >= 10 and unit != 'GB' else 1)} {unit}"


def in_time(seconds: float) -> str:
    """ "20 s", "3 min"."""
    return f"{number(seconds)} s" if seconds < 90 else f"{number(seconds / 60)} min"


def with_own_letters(titles: Sequence[str]) -> list[str]:
    """Titles of menus; each gets as its Alt shortcut the first of its letters that no title before it has."""
    taken: set[str] = set()
    made = []
    for title in titles:
        at = next((k for k, sign in enumerate(title) if sign.isalpha() and sign.lower() not in taken), None)
        taken |= set() if at is None else {title[at].lower()}
        made.append(title if at is None else f"{title[:at]}&{title[at:]}")
    return made


def taken_words(photo: Photo) -> list[str]:
    """When a photo was taken, marked if only the file says so; an empty list if that is unknown."""
    if photo.taken is None or photo.taken_by == TABLE:  # the words from the table have that date already
        return []
    when = moment(photo.taken)
    return [tr("{when} (the file's time)", when=when) if photo.taken_by == FILE else when]


def literal(text: str) -> str:
    """A name for a button or a menu, with each & doubled, because a single one would underline the next letter."""
    return text.replace("&", "&&")


@dataclass(frozen=True)
class Grade:
    """How good something is: one to four points, and in words."""

    points: int
    words: str  # English, translated where it is shown


SMOOTHNESS = (
    (0.8, mark("very smooth")),
    (0.65, mark("smooth")),
    (0.52, mark("a little mixed")),
    (-math.inf, mark("mixed")),
)
"""Least DPQ16 of each grade; a random sheet has about 0.4."""

SMOOTH_DISTANCES = (0.7, 0.85, 1.0)
"""Largest `neighbour_distance` of the first three grades.

DPQ16 compares a sheet with other sheets of the same photos, so the best sheet of 60 photos that have nothing in common
has a high DPQ16, too. Its neighbour distance is above 0.85; sheets of photos that are much alike have 0.4 to 0.65.
"""

FOLLOWING = (
    (0.85, mark("followed closely")),
    (0.6, mark("followed")),
    (0.3, mark("followed a little")),
    (-math.inf, mark("hardly followed")),
)
"""Least pin pull of each grade; a random sheet has 0."""


def neighbours_grade(layout: Layout) -> Grade | None:
    """How alike neighbours are; None while the layout has no scores."""
    return smoothness_of(layout.scores)


def smoothness_of(scores: Mapping[str, float]) -> Grade | None:
    """How alike neighbours are on a sheet with these scores; None if DPQ16 is not among them."""
    grade, distance = _grade(scores.get("dpq16"), SMOOTHNESS), scores.get("neighbour_distance", 0.0)
    if grade is None:
        return None
    best = next((place for place, most in enumerate(SMOOTH_DISTANCES) if distance <= most), len(SMOOTH_DISTANCES))
    points = min(grade.points, len(SMOOTHNESS) - best)
    return Grade(points, SMOOTHNESS[len(SMOOTHNESS) - points][1])


def measured_by(document: Document) -> str:
    """The look that a document's layout was made with, and by which it is scored."""
    return tr("Measured by “{title}”.", title=features_title(document.layout_features))


def pins_grade(layout: Layout) -> Grade | None:
    """How well similar photos gather around the pins; None without pins or scores."""
    return _grade(layout.scores.get("pin_pull"), FOLLOWING)


def _grade(score: float | None, scale: Sequence[tuple[float, str]]) -> Grade | None:
    if score is None:
        return None
    place = next(place for place, (least, _) in enumerate(scale) if score >= least)
    return Grade(len(scale) - place, scale[place][1])


def smi_text(layout: Layout) -> str:
    """ "1.93  (z 41)": SMI and, once it is known, its z score."""
    if not layout.arranged:
        return "–"
    z = layout.scores.get("smi_z")
    return number(layout.smi, 2) + (f"  (z {number(z)})" if z is not None else "")


def summary_of(counts: Counts, layout: Layout) -> str:
    """ "320 of 320 photos on 320 cells    Neighbours very smooth"."""
    photos = photos_words(counts.photos)
    shown = tr("{shown} of {photos}", shown=number(counts.shown), photos=photos)
    on_cells = trn(
        "{photos} on {count} cell",
        "{photos} on {count} cells",
        counts.cells,
        photos=photos_words(counts.shown) if _all_but_stacked(counts) else shown,
    )
    parts = [", ".join([on_cells, *_in_stacks(counts)])]
    if counts.missing:
        parts.append(trn("{count} missing", "{count} missing", counts.missing))
    smoothness = neighbours_grade(layout)
    if smoothness is not None:
        parts.append(tr("Neighbours {grade}", grade=tr(smoothness.words)))
    return "    ".join(parts)


def whereabouts(counts: Counts) -> str:
    """ "All 320 photos are on the sheet.", "280 of 320 photos are on the sheet, 20 more in stacks, 20 are not."."""
    if _all_but_stacked(counts):
        words_so_far = trn("{count} photo is on the sheet", "{count} photos are on the sheet", counts.shown)
    elif counts.unplaced:
        shown = number(counts.shown)
        words_so_far = tr("{shown} of {photos} are on the sheet", shown=shown, photos=photos_words(counts.photos))
    else:
        words_so_far = trn("The photo is on the sheet", "All {count} photos are on the sheet", counts.photos)
    left = [trn("{count} is not", "{count} are not", counts.unplaced)] if counts.unplaced else []
    return ", ".join([words_so_far, *_in_stacks(counts), *left]) + "."


def _all_but_stacked(counts: Counts) -> bool:
    """Whether all photos that are not on the sheet lie in stacks."""
    return counts.stacked > 0 and not counts.unplaced


def _in_stacks(counts: Counts) -> list[str]:
    return [trn("{count} more in stacks", "{count} more in stacks", counts.stacked)] if counts.stacked else []
