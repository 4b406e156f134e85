"""Which photos of a folder are shown in any case, which are left out, and which stay where a project shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from album_app.cli.sheet_arguments import named_photos
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import tr
from album_app.layout.editing.edits import with_rows
from album_app.layout.layout import Layout
from album_app.layout.pins import Pins
from album_app.layout.project.document import Document
from album_app.photos.album import Album


@dataclass(frozen=True, eq=False)
class Wishes:
    """What the user wants of some photos, by their indices in the album."""

    always: frozenset[int] = frozenset()
    excluded: frozenset[int] = frozenset()
    held: Document | None = None  # whose sheet is held, with a shape that has room for the new photos
    sheet: Layout | None = None  # that is held, as it was


def wishes_of(album: Album, include: Sequence[str], exclude: Sequence[str], held: Document | None) -> Wishes:
    """The photos that words on the command line mean; what a held project says of its photos counts as well."""
    always, out = named_photos(album, include), named_photos(album, exclude)
    both = sorted(always & out)
    if both:
        raise UsageError(tr("{name} is to be included and to be excluded.", name=printable(album.photos[both[0]].name)))
    if held is None or held.layout is None:
        return Wishes(always, out)
    here = _indices(held, album)
    always |= {here[photo] for photo in held.always_shown if photo in here} - out
    out |= {here[photo] for photo in held.excluded if photo in here} - always
    photo_at = np.array([here.get(photo, -1) for photo in held.layout.photo_at.tolist()], dtype=np.int64)
    photo_at[np.isin(photo_at, list(out))] = -1
    pins = Pins({here[photo]: cell for photo, cell in held.pins.items() if photo in here and here[photo] not in out})
    resembles = {
        here[left]: here[shown] for left, shown in held.layout.resembles.items() if left in here and shown in here
    }
    sizes = {here[photo]: size for photo, size in held.layout.sizes.items() if photo in here}
    sheet = replace(held.layout, photo_at=photo_at, pins=pins, resembles=resembles, scores={}, sizes=sizes)
    document = Document(
        *(album, held.spec, held.shape, pins, held.options, out, sheet),
        is_held=True,
        stacks=tuple(stack for stack in (_known(stack, here) for stack in held.stacks) if len(stack) > 1),
        sizes=sizes,
        variation=replace(held.variation, photos=frozenset(_known(sorted(held.variation.photos), here))),
        captions={here[photo]: text for photo, text in held.captions.items() if photo in here},
        crops={here[photo]: crop for photo, crop in held.crops.items() if photo in here},
    )
    if held.cells_needed <= held.shape.count:  # a sheet that leaves photos out gets no more cells
        document = with_rows(document)
    return Wishes(always, out, document, sheet)


def _known(photos: Sequence[int], here: Mapping[int, int]) -> tuple[int, ...]:
    """Photos of a project by their indices in the album, without those that it lacks."""
    return tuple(here[photo] for photo in photos if photo in here)


def _indices(held: Document, album: Album) -> dict[int, int]:
    """Photos of a project -> the same files in an album, or files of the same names in it."""
    by_path = {photo.path: index for index, photo in enumerate(album.photos)}
    found: dict[int, int] = {}
    taken: set[int] = set()
    for index, photo in enumerate(held.album.photos):
        there = by_path.get(photo.path)
        there = album.index_of(photo.name) if there is None else there
        if there is not None and there not in taken:
            found[index] = there
            taken.add(there)
    return found
