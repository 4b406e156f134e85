"""What is known about an export before it is made: its size, and what will not be as good as one may think."""

import numpy as np

from album_app.gui.dialogs.export_choice import Choice
from album_app.gui.style.wording import in_bytes, no_cell_words, photos_words, sentence
from album_app.language import number, short_number, tr, trn
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.render import can_fill_paper, check_plan, is_book, memory_needed, plan_for, poster_of


def facts(layout: Layout, choice: Choice, size_in_bytes: int | None) -> str:
    """ "4100 × 3200 px at 300 dpi  ·  about 12 MB  ·  needs 170 MB of memory"; an AlbumError if it cannot be.

    How large the file will be is None where that is still to be found out.
    """
    kind = choice.kind
    plan = plan_for(layout.shape, choice.settings, kind)
    check_plan(kind, plan, choice.settings)
    size = tr("{width} × {height} px at {dpi} dpi", width=plan.width, height=plan.height, dpi=short_number(plan.dpi))
    if choice.settings.poster:
        sheets, paper = len(list(poster_of(plan, choice.settings))), tr(choice.settings.poster)
        size += " " + trn("on {count} page of {paper}", "on {count} pages of {paper}", sheets, paper=paper)
    pages = layout.shape.pages.count if layout.shape.pages is not None and is_book(layout.shape, kind) else 1
    if pages > 1:
        size = tr("{pages} pages of {size}", pages=pages, size=size)
    memory = in_bytes(memory_needed(kind, plan))
    bytes_told = "…" if size_in_bytes is None else in_bytes(size_in_bytes)
    bulk = tr("at most {bytes}", bytes=bytes_told) if kind.to_look_around else tr("about {bytes}", bytes=bytes_told)
    return tr("{size}   ·   {bulk}   ·   needs {memory} of memory", size=size, bulk=bulk, memory=memory)


def remarks(document: Document, layout: Layout, choice: Choice, taking_part: int) -> str:
    """Sentences about photos without a cell, missing, or smaller than their cells; an AlbumError if it cannot be."""
    tile = plan_for(layout.shape, choice.settings, choice.kind).tile
    reach = max if choice.settings.fit == "whole" else min  # the side of a photo that meets the cell's
    shown = {int(photo) for photo in np.unique(layout.photo_at[layout.photo_at >= 0])}
    missing = len(shown & document.missing)
    photos = [document.album.photos[photo] for photo in shown - document.missing]
    small = sum(reach(photo.width, photo.height) < tile for photo in photos)
    left = no_cell_words(taking_part, layout.shape.count)
    said = [sentence(left)] if left else []
    if choice.settings.paper and choice.settings.margin == 0 and not can_fill_paper(document.spec):
        said.append(tr("This shape leaves some of the paper empty; rows and columns can cover it."))
    if missing:
        said.append(
            trn(
                "{count} photo is missing; Export asks what to put there.",
                "{count} photos are missing; Export asks what to put there.",
                missing,
            )
        )
    if small:
        said.append(_soft(small, len(photos), number(tile)))
    return " ".join(said)


def _soft(small: int, photos: int, tile: str) -> str:
    if small == photos:
        return tr("The photos are smaller than {tile} px, so at this size they will look soft.", tile=tile)
    return trn(
        "{count} of {photos} is smaller than {tile} px, so at this size it will look soft.",
        "{count} of {photos} are smaller than {tile} px, so at this size they will look soft.",
        small,
        photos=photos_words(photos),
        tile=tile,
    )
