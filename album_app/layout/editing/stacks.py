"""Near-duplicates that count as one photo and show one of them; edits of them, and their list as a CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from album_app.errors import AlbumError
from album_app.file_names import printable
from album_app.language import reason, tr, trn
from album_app.layout.editing.edits import Edit
from album_app.layout.editing.refit import refitted, to_be_solved
from album_app.layout.pins import Pins, harmless
from album_app.layout.project.document import Document
from album_app.own_files import STACK_COLUMNS, STACK_LIST
from album_app.paths import NOTHING_FOREIGN, Replacing, atomic_write
from album_app.photos.album import Photo

Groups = Sequence[Sequence[int]]
"""Photos that are nearly the same, the best of each group first."""


def unstacked_groups(document: Document, groups: Groups) -> list[Sequence[int]]:
    """The groups of near-duplicates of which a photo lies on no stack yet; a missing photo is like no other."""
    known = {photo for stack in document.stacks for photo in stack}
    there = [tuple(photo for photo in group if photo not in document.missing) for group in groups]
    return [group for group in there if len(group) > 1 and not known.issuperset(group)]


def stacked(document: Document, groups: Groups) -> Edit | None:
    """Near-duplicates laid on stacks; those like an older stack join that at its end.

    >>> from album_app.layout import ShapeSpec, rectangle
    >>> from album_app.photos import Album
    >>> document = Document(Album((), ()), ShapeSpec(), rectangle(1, 1), stacks=((4, 2),))
    >>> stacked(document, [(2, 4, 7), (5, 6)]).document.stacks
    ((4, 2, 7), (5, 6))
    """
    stacks = list(document.stacks)
    for group in unstacked_groups(document, groups):
        joined = next((place for place, stack in enumerate(stacks) if not set(stack).isdisjoint(group)), len(stacks))
        known = {photo for stack in stacks for photo in stack}
        fresh = tuple(photo for photo in group if photo not in known)
        stacks[joined : joined + 1] = [(*(stacks[joined] if joined < len(stacks) else ()), *fresh)]
    if tuple(stacks) == document.stacks:
        return None
    after = replace(document, stacks=tuple(stacks))
    count = len(after.covered) - len(document.covered)
    name = trn("Stack {count} near-duplicate", "Stack {count} near-duplicates", count)
    return Edit(name, refitted(_without_covered(after), closely=True))


def unstacked(document: Document, photos: Iterable[int]) -> Edit | None:
    """The stacks of photos taken apart: each photo has a cell of its own again."""
    chosen = set(photos)
    stacks = tuple(stack for stack in document.stacks if chosen.isdisjoint(stack))
    if stacks == document.stacks:
        return None
    return Edit(tr("Unstack"), refitted(replace(to_be_solved(document), stacks=stacks)))


def shown_first(document: Document, photo: int) -> Edit | None:
    """Another photo of a stack shown: it takes the cell of the one that was, and its pin."""
    former = document.covered.get(photo)
    if former is None:
        return None
    stacks = tuple((photo, *(p for p in stack if p != photo)) if photo in stack else stack for stack in document.stacks)
    pins = Pins({photo if pinned == former else pinned: cell for pinned, cell in document.pins.items()})
    layout = document.layout
    if layout is not None:
        photo_at = np.where(layout.photo_at == former, photo, layout.photo_at)
        resembles = {photo if left == former else left: shown for left, shown in layout.resembles.items()}
        resembles = {left: photo if shown == former else shown for left, shown in resembles.items()}
        layout = replace(layout, photo_at=photo_at, pins=pins, resembles=resembles, stage="first", scores={})
    name = tr("Show {name} on its stack", name=document.short_name(photo))
    return Edit(name, replace(document, stacks=stacks, pins=pins, layout=layout))


def _without_covered(document: Document) -> Document:
    """The document with the cells empty of photos that lie under others now."""
    layout, covered = document.layout, document.covered
    if layout is None:
        return document
    resembles = {left: covered.get(shown, shown) for left, shown in layout.resembles.items() if left not in covered}
    layout = replace(layout.without(covered.keys()), resembles=resembles, scores={})
    return to_be_solved(replace(document, layout=layout))


def write_stacks_csv(
    path: Path, photos: Sequence[Photo], groups: Groups, replacing: Replacing = NOTHING_FOREIGN
) -> None:
    """Write which photos are near-duplicates of each other, a line each."""
    try:
        with atomic_write(path, STACK_LIST, replacing) as temporary:
            temporary.write_bytes(stacks_csv(photos, groups).encode("utf-8", "surrogateescape"))
    except OSError as error:
        text = tr("The list could not be written to {path}: {reason}.", path=path, reason=reason(error))
        raise AlbumError(text) from error


def stacks_csv(photos: Sequence[Photo], groups: Groups) -> str:
    """The list as a CSV: a line per photo, the best of each stack first."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(STACK_COLUMNS)
    writer.writerows(_rows(photos, groups))
    return text.getvalue()


def _rows(photos: Sequence[Photo], groups: Groups) -> Iterator[tuple[object, ...]]:
    for number, group in enumerate(groups, 1):
        for place, index in enumerate(group):
            photo = photos[index]
            name = harmless(printable(photo.name))
            taken = photo.date.isoformat(" ") if photo.date is not None else ""
            yield number, name, int(place == 0), photo.width, photo.height, f"{photo.sharpness:.1f}", taken
