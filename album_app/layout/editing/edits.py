"""Edits: pure functions that take a document and return a new one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from album_app.errors import UsageError
from album_app.language import mark, tr, trn
from album_app.layout.captions import LONGEST_CAPTION
from album_app.layout.crops import HandCrop
from album_app.layout.editing import refit
from album_app.layout.options import EFFORTS
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document, held_places
from album_app.layout.shapes.blocks import LARGEST_SIZE, Variation
from album_app.layout.shapes.outlines import grown
from album_app.layout.shapes.shape import Cell, Shape, ShapeSpec, build_shape
from album_app.photos.album import Album, Photo
from album_app.photos.tables import Table

FITTED = mark("Fit to the paper")
"""The name of the edit that gives the sheet the shape that was exported."""


@dataclass(frozen=True)
class Edit:
    """A document that is to take the place of another."""

    name: str  # "Pin IMG_12", as undo calls it
    document: Document
    hint: str = ""  # what the status bar says before it is made
    swaps: bool = False  # whether two photos or two pins trade places
    merge: str = ""  # edits with equal words here that follow each other closely become one undo step


def pinned(document: Document, name: str, pins: Pins, hint: str = "", swaps: bool = False) -> Edit | None:
    """All pins replaced; the layout shows them at once. A pinned photo takes part, so a shape may grow for it."""
    if pins == document.pins:
        return None
    layout = None if document.layout is None else refit.with_pins(document.layout, pins)
    after = replace(document, pins=pins, excluded=document.excluded - set(pins), layout=layout)
    return Edit(name, after if after.excluded == document.excluded else refit.refitted(after), hint, swaps)


def unpinned(document: Document, photos: Iterable[int]) -> Edit | None:
    """The pins of some photos removed."""
    chosen = [photo for photo in photos if photo in document.pins]
    rest = Pins({photo: cell for photo, cell in document.pins.items() if photo not in chosen})
    if not chosen:
        return None
    name = trn("Unpin {name}", "Unpin {count} photos", len(chosen), name=_first(document, chosen))
    return pinned(document, name, rest)


def excluded(document: Document, photos: Iterable[int]) -> Edit | None:
    """Photos taken out of the album (their files stay as they are); one photo has to stay."""
    chosen = [photo for photo in photos if photo not in document.excluded]
    if not chosen:
        return None
    if set(document.active) <= set(chosen):
        raise UsageError(tr("The last photo cannot be excluded."))
    name = trn("Exclude {name}", "Exclude {count} photos", len(chosen), name=_first(document, chosen))
    return Edit(name, refit.refitted(refit.without_photos(document, chosen)))


def included(document: Document, photos: Iterable[int]) -> Edit | None:
    """Excluded photos taken back into the album."""
    chosen = [photo for photo in photos if photo in document.excluded]
    if not chosen:
        return None
    after = replace(refit.to_be_solved(document), excluded=document.excluded - set(chosen))
    name = trn("Include {name}", "Include {count} photos", len(chosen), name=_first(document, chosen))
    return Edit(name, refit.refitted(after))


def alone(document: Document, title: str, photos: Iterable[int]) -> Edit | None:
    """The sheet with nothing but some photos; `all_again` brings the others back as they were."""
    kept = set(photos) - document.missing
    rest = [photo for photo in range(len(document.album)) if photo not in kept and photo not in document.excluded]
    if not kept or not rest:
        return None
    if set(document.active) <= set(rest):
        raise UsageError(tr("None of these photos takes part in the sheet."))
    after = replace(
        refit.refitted(refit.without_photos(document, rest)),
        alone=title,
        aside=document.aside | set(rest),
        before_alone=document.before_alone or document,
    )
    return Edit(tr("Only {view}", view=title), after)


def all_again(document: Document) -> Edit | None:
    """All photos on the sheet again after some were shown alone.

    The sheet is the one from before, with the crops, captions and sizes that were chosen meanwhile. Where it is not
    known any more, after a project was opened or photos were added, the photos are arranged anew.
    """
    if not document.alone:
        return None
    before, name = document.before_alone, tr("All photos again")
    if before is not None and before.album is document.album:
        crops, captions = {**before.crops, **document.crops}, {**before.captions, **document.captions}
        back = replace(before, crops=crops, captions=captions, title=document.title)
        back = replace(back, table=document.table, colour_by=document.colour_by)
        more = {photo: size for photo, size in document.sizes.items() if before.sizes.get(photo) != size}
        return Edit(name, _resized_again(back, more))
    after = replace(refit.to_be_solved(document), excluded=document.excluded - document.aside)
    return Edit(name, refit.refitted(replace(after, alone="", aside=frozenset(), before_alone=None)))


def _resized_again(document: Document, sizes: Mapping[int, int]) -> Document:
    """The document with sizes that were chosen elsewhere, as far as there is room for them."""
    for photo, size in sizes.items():
        try:
            edit = resized(document, [photo], size)
        except UsageError:
            continue
        document = document if edit is None else edit.document
    return document


def with_own_table(document: Document, table: Table | None) -> Edit:
    """Another table of the user's, or none; colouring ends if the table lacks its column."""
    lost = document.columns and document.colour_by in document.columns
    keeps = not lost or (table is not None and document.colour_by in table.columns)
    name = tr("Table {name}", name=table.name) if table is not None else tr("Close the table")
    return Edit(name, replace(document, table=table, colour_by=document.colour_by if keeps else ""))


def coloured_by(document: Document, key: str, title: str) -> Edit | None:
    """Frames in the colours of a facet, or in none where the key is empty."""
    if key == document.colour_by:
        return None
    name = tr("Colour by {column}", column=title) if key else tr("Colour by nothing")
    return Edit(name, replace(document, colour_by=key))


def always_shown(document: Document, photos: Iterable[int], always: bool = True) -> Edit | None:
    """Photos marked to be on the sheet in any case, without a place of their own, or no longer marked so.

    An excluded photo that is marked takes part again.
    """
    chosen = [photo for photo in photos if (photo in document.always_shown) != always]
    if not chosen:
        return None
    if always:
        name = trn("Always show {name}", "Always show {count} photos", len(chosen), name=_first(document, chosen))
        back = document.excluded & set(chosen)
        after = replace(
            refit.to_be_solved(document),
            always_shown=document.always_shown | set(chosen),
            excluded=document.excluded - back,
        )
        return Edit(name, refit.refitted(after) if back else after)
    name = trn(
        "No longer always show {name}",
        "No longer always show {count} photos",
        len(chosen),
        name=_first(document, chosen),
    )
    return Edit(name, replace(document, always_shown=document.always_shown - set(chosen)))


def resized(document: Document, photos: Iterable[int], size: int = 0, step: int = 0) -> Edit | None:
    """Photos that cover size x size cells from now on, or `step` more cells along each side than before.

    The sheet grows where its shape allows that. Raises UsageError where a photo finds no room.
    """
    wanted = {}
    for photo in photos:
        now = document.sizes.get(photo, 1)
        wanted[photo] = min(max(1, size or now + step), LARGEST_SIZE)
    changed = {photo: size for photo, size in wanted.items() if size != document.sizes.get(photo, 1)}
    if not changed:
        return None
    sizes = {photo: size for photo, size in {**document.sizes, **changed}.items() if size > 1}
    name = document.short_name(next(iter(changed)))
    if document.shape.is_justified or document.shape.shift:
        raise UsageError(tr("Photos have sizes on sheets of rows and columns, in letters and on pages only."))
    varied = replace(document.variation, photos=document.variation.photos - changed.keys())
    variation = varied if varied.photos else replace(varied, amount=0.0)
    after = refit.refitted(replace(refit.to_be_solved(document), sizes=sizes, variation=variation))
    if after.layout is not None:
        layout = refit.with_sizes(after.layout, sizes)
        after = replace(after, layout=layout)
        lacking = [photo for photo in changed if photo in sizes and photo not in layout.sizes]
        if lacking and lacking[0] in after.active:
            text = mark("{name} finds no room for {size} x {size} cells.")
            raise UsageError(tr(text, name=document.short_name(lacking[0]), size=sizes[lacking[0]]))
    one, size = len(changed) == 1, next(iter(changed.values()))
    several = trn("Size of {count} photo", "Sizes of {count} photos", len(changed))
    title = tr("Size {size} for {name}", size=size, name=name) if one else several
    return Edit(title, after, merge=f"size {sorted(changed)}" if step else "")


FAVOURITE_SIZES = {4: 2, 5: 3}
"""The size that the preset gives to a photo by the stars in its file."""


def larger_favourites(document: Document) -> Edit | None:
    """Photos with four or five stars larger than the others; those without room, and all others, have size 1."""
    stars = {photo: document.album.photos[photo].metadata.rating for photo in document.active}
    sizes = {photo: FAVOURITE_SIZES[rating] for photo, rating in stars.items() if rating in FAVOURITE_SIZES}
    if not sizes:
        return None
    after = refit.refitted(replace(refit.to_be_solved(document), sizes=sizes, variation=Variation()))
    if after.layout is not None:
        after = replace(after, layout=refit.with_sizes(after.layout, sizes))
    return Edit(tr("Larger favourites"), after)


def sizes_varied(document: Document, amount: float, larger: Mapping[int, int]) -> Edit | None:
    """The sizes of photos that nobody chose by hand, varied by an amount from 0 to 1: `larger` are the large ones.

    Every photo that had a cell still has one: rows and columns grow with the sizes, and go back with them.
    """
    if document.shape.is_justified or document.shape.shift:
        raise UsageError(tr("Photos have sizes on sheets of rows and columns, in letters and on pages only."))
    former, spec = document.variation, document.spec
    by_hand = {photo: size for photo, size in document.sizes.items() if photo not in former.photos}
    sizes = {**larger, **by_hand}
    varied = frozenset(sizes.keys() - by_hand.keys())
    if amount == former.amount and sizes == document.sizes:
        return None
    after = replace(refit.to_be_solved(document), sizes=sizes, variation=Variation(amount, varied))
    if spec.kind == "rectangle" and not document.is_held:
        rows, columns = (former.rows, former.columns) if former.rows else (spec.rows, spec.columns)
        after = replace(after, variation=Variation(amount, varied, rows if varied else 0, columns if varied else 0))
        if rows * columns >= len(document.active):
            rows, columns = grown(rows, columns, after.cells_needed)
        spec = replace(spec, rows=rows, columns=columns)
        if spec != document.spec:
            after = refit.with_shape(after, spec, build_shape(spec, len(document.active)))
    else:
        after = refit.refitted(after)
    if after.layout is not None:
        after = replace(after, layout=refit.with_sizes(after.layout, sizes))
    return Edit(tr("Vary sizes"), after, merge="vary sizes")


def cropped(document: Document, photo: int, crop: HandCrop | None, merge: str = "") -> Edit | None:
    """Another part of a photo seen in its frame, chosen by hand; None leaves the choice to the program again."""
    if document.crops.get(photo) == crop:
        return None
    crops = {other: known for other, known in document.crops.items() if other != photo}
    name = document.short_name(photo)
    if crop is None:
        return Edit(tr("Reset the crop of {name}", name=name), replace(document, crops=crops))
    return Edit(tr("Crop {name}", name=name), replace(document, crops={**crops, photo: crop}), merge=merge)


def with_options(document: Document, /, name: str, merge: str = "", **chosen: Any) -> Edit | None:
    """Options changed by their names, e.g. `with_options(document, "Follow the pins", follow=0.8)`."""
    options = replace(document.options, **chosen)
    if options == document.options:
        return None
    after = refit.to_be_solved(document)
    if options.fill != "repeat" and after.layout is not None:
        after = replace(after, layout=after.layout.without_repeats())
    return Edit(name, replace(after, options=options), merge=merge)


def reshaped(document: Document, /, name: str, spec: ShapeSpec, shape: Shape, merge: str = "", **chosen: Any) -> Edit:
    """The document on another shape, and with other options; the pins move along by their relative position."""
    after = refit.with_shape(document, spec, shape)
    after = replace(after, variation=replace(document.variation, rows=0, columns=0))
    return Edit(name, replace(after, options=replace(after.options, **chosen)), merge=merge)


def titled(document: Document, title: str, subtitle: str = "", cover: str = Document.cover) -> Edit | None:
    """The sheet with another title, or the book with another cover."""
    after = replace(document, title=title, subtitle=subtitle, cover=cover)
    words = (document.title, document.subtitle, document.cover)
    return None if words == (title, subtitle, cover) else Edit(tr("Title"), after)


def captioned(document: Document, photo: int, text: str) -> Edit | None:
    """Another text below a photo; an empty one brings back what its file says."""
    text = " ".join(text.split())[:LONGEST_CAPTION]
    notes = document.album.photos[photo].metadata
    if text == document.captions.get(photo, notes.title or notes.description):
        return None
    captions = {place: words for place, words in document.captions.items() if place != photo}
    if text:
        captions[photo] = text
    name = tr("Caption of {name}", name=document.short_name(photo))
    return Edit(name, replace(document, captions=captions))


def arranged_again(document: Document) -> Edit:
    """The sheet as it is until a new one is found: the next solve does not start from it."""
    if document.is_held:
        raise UsageError(tr("The sheet is held; press H to let it go first."))
    layout = document.layout
    if layout is not None:
        layout = replace(layout, stage="first", arranged=False, smi=0.0, scores={})
    return Edit(tr("Arrange again"), replace(document, layout=layout), merge="again")


def can_be_polished(document: Document) -> bool:
    """Whether polishing could move a photo: the sheet is arranged, and at least two of its cells are free."""
    layout = document.layout
    if document.is_held or layout is None or layout.options is None or not layout.arranged:
        return False
    return len(document.held.union(document.pins.values())) + 1 < document.shape.count


def polished(document: Document) -> Edit | None:
    """The sheet, to be improved at the highest effort; later edits take no longer than before."""
    if document.is_held:
        raise UsageError(tr("The sheet is held; press H to let it go first."))
    layout = document.layout
    if layout is None or layout.options is None:
        return None
    layout = replace(layout, stage="first", scores={}, options=replace(layout.options, effort=EFFORTS[0]))
    return Edit(tr("Polish"), replace(document, layout=layout, options=replace(document.options, effort=EFFORTS[-1])))


def chosen_again(document: Document) -> Edit | None:
    """Other photos may be chosen for the sheet, where there are more photos than cells."""
    if document.layout is None or len(document.active) <= document.shape.count:
        return None
    edit = arranged_again(document)
    return replace(edit, name=tr("Choose photos again"), document=replace(edit.document, new_choice=True), merge="")


def added(document: Document, found: Album, cell: Cell | None) -> Edit:
    """Photos added to the album; on a cell, the first is pinned there and the others around it.

    A shape of as many cells as photos grows with them; any other keeps its cells. A held sheet that shows all photos
    grows by rows.
    """
    album, indices = _joined(document.album, found)
    after = replace(document, album=album, excluded=document.excluded - set(indices))
    if document.is_held:
        after = refit.with_rows(after) if not _is_crowded(document) else after
    elif _is_crowded(after):
        after = refit.refitted(after)
        if cell is not None:
            cell = Pins({0: cell}).carry(document.shape, after.shape)[0]
    pins = after.pins
    if cell is not None:
        for photo in indices[: after.shape.count]:
            place = after.shape.nearest_free(cell, [c for p, c in pins.items() if c != cell or p in indices])
            pins = pins if place is None else pins.pin(photo, place)
    layout = None if after.layout is None else refit.with_pins(after.layout, pins)
    name = trn("Add {name}", "Add {count} photos", len(indices), name=_first(after, indices))
    return Edit(name, replace(after, pins=pins, layout=layout))


def _is_crowded(document: Document) -> bool:
    """Whether the photos need more cells than there are."""
    return document.cells_needed + len(held_places(document)) > document.shape.count


def taken_over(
    document: Document,
    found: Album,
    gone: frozenset[int],
    moved: Mapping[int, Path] | None = None,
    back: frozenset[int] = frozenset(),
) -> Edit | None:
    """The album after its folders changed: changed photos are read again, deleted ones taken out, new ones added.

    A photo whose file moved keeps its cell and its pin. A photo that was deleted before takes part again if it is in
    `back`.
    """
    now = {photo.path: photo for photo in found.photos}
    places = {index: path for index, path in (moved or {}).items() if path in now}
    changed = {index for index, photo in enumerate(document.album.photos) if photo.path in now} - places.keys()
    there, lost = changed | places.keys(), gone - places.keys()
    after = replace(
        document,
        album=_with_files(document.album, now, places),
        missing=(document.missing | lost) - there,
        excluded=document.excluded - (back & there),
    )
    named = {*places.values(), *(document.album.photos[index].path for index in changed)}
    fresh = tuple(photo for photo in found.photos if photo.path not in named)
    if after.active or fresh:
        after = refit.without_photos(after, lost) if lost else after
    if fresh:
        edit = added(after, replace(found, photos=fresh), None)
        return replace(edit, name=tr("Follow the folder")) if there or lost else edit
    if changed or lost or back & there:
        after = refit.refitted(refit.to_be_solved(after))
    return Edit(tr("Follow the folder"), after) if there or lost else None


def _with_files(album: Album, now: Mapping[Path, Photo], moved: Mapping[int, Path]) -> Album:
    """The album with the photos as their files are now; names stay, except those of photos whose files moved."""
    photos = [replace(now[photo.path], name=photo.name) if photo.path in now else photo for photo in album.photos]
    names = {photo.name for index, photo in enumerate(photos) if index not in moved}
    for index, path in moved.items():
        name = _free_name(now[path].name, path, names)
        names.add(name)
        photos[index] = replace(now[path], name=name)
    return replace(album, photos=tuple(photos))


def still_selected(document: Document, photos: Sequence[int], cell: Cell | None) -> tuple[tuple[int, ...], Cell | None]:
    """The selection after a change: the photos that are still there, and the cell that the last one is in now."""
    kept = tuple(photo for photo in photos if photo < len(document.album))
    place = document.layout.cell_of(kept[-1]) if kept and document.layout is not None else None
    return kept, place or (cell if cell is not None and cell in document.shape else None)


def _first(document: Document, photos: Sequence[int]) -> str:
    return document.short_name(photos[0])


def _joined(album: Album, found: Album) -> tuple[Album, list[int]]:
    """The album with photos appended that it lacks, and the indices of all that were found."""
    photos = list(album.photos)
    index_of = {photo.path: index for index, photo in enumerate(photos)}
    names = {photo.name for photo in photos}
    for photo in found.photos:
        if photo.path not in index_of:
            name = _free_name(photo.name, photo.path, names)
            names.add(name)
            index_of[photo.path] = len(photos)
            photos.append(replace(photo, name=name))
    roots = tuple(dict.fromkeys([*album.roots, *found.roots]))
    skipped = (*album.skipped, *found.skipped)
    return replace(album, roots=roots, photos=tuple(photos), skipped=skipped), [index_of[p.path] for p in found.photos]


def _free_name(name: str, path: Path, names: set[str]) -> str:
    """The name itself, or with its folder's name before it, or with a number, whichever is free."""
    folder = f"{path.parent.name}/{name}"
    numbered = (f"{path.parent.name}-{k}/{name}" for k in range(2, len(names) + 3))
    return next(free for free in (name, folder, *numbered) if free not in names)
