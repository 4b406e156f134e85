"""The pages of a book: each as a sheet of its own, moved as a whole, and the titles of its chapters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from album_app.file_names import printable
from album_app.language import day_in, days, tr
from album_app.layout.captions import LONGEST_CAPTION
from album_app.layout.editing.edits import Edit
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.layout.shapes.pages import Pages
from album_app.layout.shapes.shape import Cell, Shape, rectangle
from album_app.photos.album import Photo
from album_app.photos.time_order import stretch, unit_of_chapters

STRAY_SHARE = 0.1
"""At most this share of a chapter's photos, at either end of its time, is left out of its title for being far away."""

LEAST_STRAY_DAYS = 31
"""Days: a photo that is nearer to the others of its chapter is never left out of its title."""


def page_layouts(layout: Layout) -> list[Layout]:
    """Each page of a book as a sheet of its own; a sheet without pages is its only one."""
    pages, shape = layout.shape.pages, layout.shape
    if pages is None:
        return [layout]
    one = page_shape(shape, pages)
    cells = shape.reading.reshape(pages.count, pages.size)
    own = [Pins({photo: _within(pages, cell) for photo, cell in pins.items()}) for pins in _pins_by_page(layout, pages)]
    return [
        replace(
            layout, shape=one, photo_at=layout.photo_at[at], confidence=layout.confidence[at], pins=pins, guide=None
        )
        for at, pins in zip(cells, own, strict=True)
    ]


def page_shape(shape: Shape, pages: Pages) -> Shape:
    """One page of a book as a shape of its own; frames that follow the photos' proportions keep to the page."""
    one = rectangle(pages.rows, pages.columns)
    if not shape.needs_aspects:
        return one
    single = Pages.of(1, pages.rows, pages.columns)
    return replace(one, is_justified=shape.is_justified, fills_pages=shape.fills_pages, pages=single)


def page_moved(document: Document, page: int, to: int) -> Edit | None:
    """A page with its photos and pins in another place of the book; those between make room."""
    pages, layout = document.shape.pages, document.layout
    if pages is None or layout is None or page == to or not (0 <= page < pages.count and 0 <= to < pages.count):
        return None
    order = list(range(pages.count))
    order.insert(to, order.pop(page))
    cells = document.shape.reading.reshape(pages.count, pages.size)
    photo_at, confidence = layout.photo_at.copy(), layout.confidence.copy()
    photo_at[cells], confidence[cells] = layout.photo_at[cells[order]], layout.confidence[cells[order]]
    place_of = {former: now for now, former in enumerate(order)}
    pins = Pins({photo: _on_page(pages, cell, place_of) for photo, cell in document.pins.items()})
    after = replace(layout, photo_at=photo_at, confidence=confidence, pins=pins, guide=None, scores={})
    return Edit(
        tr("Move page {page} to {to}", page=page + 1, to=to + 1),
        replace(
            document,
            pins=pins,
            layout=after,
            pin_home=None,
            chapter_titles={place_of.get(at, at): text for at, text in document.chapter_titles.items()},
        ),
    )


def chapter_titled(document: Document, page: int, text: str) -> Edit | None:
    """A title of one's own for the chapter that begins on a page, from 0 on; an empty one brings back its dates."""
    pages, text = document.shape.pages, " ".join(text.split())[:LONGEST_CAPTION]
    if pages is None or not 0 <= page < pages.count or text == document.chapter_titles.get(page, ""):
        return None
    titles = {at: words for at, words in document.chapter_titles.items() if at != page}
    if text:
        titles[page] = text
    return Edit(tr("Chapter title of page {page}", page=page + 1), replace(document, chapter_titles=titles))


def page_title(number: int, photos: Iterable[Photo] = ()) -> str:
    """What stands below a page: its number, and from when to when its photos were taken, where dates are asked for.

    >>> from datetime import datetime
    >>> from pathlib import Path
    >>> days = [Photo(Path("a"), "a", 1, 1, 4, 3, datetime(2024, 5, day)) for day in (9, 4)]
    >>> page_title(3, days), page_title(3)
    ('3 · 4–9 May 2024', '3')
    """
    return " · ".join([str(number), *dates_of(photos)])


def dates_of(photos: Iterable[Photo]) -> list[str]:
    """From when to when photos were taken, and whether only their files tell that; nothing where not even they do."""
    dated = [photo for photo in photos if photo.taken is not None]
    known = [photo for photo in dated if photo.date is not None]
    found = sorted(photo.taken.date() for photo in known or dated if photo.taken is not None)
    if not found:
        return []
    words = days(found[0], found[-1])
    return [words if known else tr("{when} (the file's time)", when=words)]


def chapter_titles(layout: Layout, photos: Sequence[Photo], own: Mapping[int, str]) -> dict[int, str]:
    """The titles of a book's chapters by the pages on which they begin, counted from 0.

    A title of one's own takes the place of the dates, and begins a chapter on any page.
    """
    pages = 1 if layout.shape.pages is None else layout.shape.pages.count
    written = {page: printable(text) for page, text in own.items() if page < pages}
    return dict(sorted({**_titles_by_date(layout, photos), **written}.items()))


def _titles_by_date(layout: Layout, photos: Sequence[Photo]) -> dict[int, str]:
    """When the chapters of a book were, by the pages on which they begin: "July 2026".

    A chapter is a day, a week, a month or a year, whichever divides the book well. A page belongs to the chapter of the
    photo in the middle of its order of time; photos that only their files date count where they are most of the page.
    A book whose pages do not follow each other in time has no chapters.
    """
    pages = [_Dates.of(photos[photo] for photo in page.shown) for page in page_layouts(layout)]
    middle = [(page, dates.main[len(dates.main) // 2]) for page, dates in enumerate(pages) if dates.main]
    if not middle or any(after < before for (_, before), (_, after) in pairwise(middle)):
        return {}
    unit = unit_of_chapters([day for _, day in middle])
    starts = [middle[0][0]]
    starts += [page for (_, before), (page, day) in pairwise(middle) if stretch(day, unit) != stretch(before, unit)]
    chapters = zip(starts, [*starts[1:], len(pages)], strict=True)
    return {start: _chapter_words(_Dates.joined(pages[start:end]), unit) for start, end in chapters}


@dataclass(frozen=True)
class _Dates:
    """The days of photos, ascending: those of the photos themselves, and those that only the times of files tell."""

    known: list[date]
    by_file: list[date]

    @classmethod
    def of(cls, photos: Iterable[Photo]) -> "_Dates":
        dated = [(photo.taken.date(), photo.date is not None) for photo in photos if photo.taken is not None]
        return cls(sorted(day for day, known in dated if known), sorted(day for day, known in dated if not known))

    @classmethod
    def joined(cls, parts: Sequence["_Dates"]) -> "_Dates":
        known, by_file = (day for part in parts for day in part.known), (day for part in parts for day in part.by_file)
        return cls(sorted(known), sorted(by_file))

    @property
    def trusted(self) -> bool:
        return len(self.known) >= len(self.by_file)

    @property
    def main(self) -> list[date]:
        """The days that tell when most of the photos were taken."""
        return self.known if self.trusted else self.by_file


def _chapter_words(dates: _Dates, unit: str) -> str:
    """A month or year if all days belong to it, else from when to when they are, without a few days far from these."""
    of = _without_strays(dates.main)
    words, first = days(of[0], of[-1]), stretch(of[0], unit)
    whole = unit in ("month", "year") and first == stretch(of[-1], unit)
    if whole:
        words = day_in(of[0], "y" if unit == "year" else "yMMMM")
    if not dates.trusted:
        words = tr("{when} (the file's time)", when=words)
    every = (*dates.known, *dates.by_file)
    others = any(stretch(day, unit) != first if whole else not of[0] <= day <= of[-1] for day in every)
    return tr("{when} and other days", when=words) if others else words


def _without_strays(of: list[date]) -> list[date]:
    """The days without the first and the last few of them, if these are farther from the rest than its own length."""
    most = int(STRAY_SHARE * len(of))
    for begin in range(most, 0, -1):
        if (of[begin] - of[begin - 1]).days > max(LEAST_STRAY_DAYS, (of[-1 - most] - of[begin]).days):
            of = of[begin:]
            break
    for end in range(len(of) - most, len(of)):
        if (of[end] - of[end - 1]).days > max(LEAST_STRAY_DAYS, (of[end - 1] - of[0]).days):
            return of[:end]
    return of


def page_titles(layout: Layout, document: Document) -> list[str]:
    """What stands below each page: its number, and a chapter's own title, or its dates where pages are chapters."""
    photos, own = document.album.photos if document.spec.chapters else (), document.chapter_titles
    return [
        f"{number} · {printable(own[number - 1])}"
        if number - 1 in own
        else page_title(number, [photos[photo] for photo in page.shown] if photos else ())
        for number, page in enumerate(page_layouts(layout), start=1)
    ]


def _pins_by_page(layout: Layout, pages: Pages) -> list[dict[int, Cell]]:
    found: list[dict[int, Cell]] = [{} for _ in range(pages.count)]
    for photo, cell in layout.pins.items():
        found[int(pages.page_of(cell)[0])][photo] = cell
    return found


def _within(pages: Pages, cell: Cell) -> Cell:
    """Where a cell lies on its page."""
    top, left = pages.origin(int(pages.page_of(cell)[0]))
    return cell[0] - top, cell[1] - left


def _on_page(pages: Pages, cell: Cell, place_of: dict[int, int]) -> Cell:
    """The same cell of the place where its page is now."""
    row, column = _within(pages, cell)
    top, left = pages.origin(place_of[int(pages.page_of(cell)[0])])
    return top + row, left + column
