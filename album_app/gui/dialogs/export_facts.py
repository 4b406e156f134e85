"""What is known about an export before it is made: its size, and what will not be as good as one may think."""

import numpy as np

from album_app.gui.dialogs.export_choice import Choice
from album_app.gui.style.wording import counted, in_bytes
from album_app.language import tr
from album_app.layout.project.document import Document
from album_app.layout.sheet import Layout
from album_app.render import check_plan, estimated_bytes, is_book, memory_needed, plan_for, poster_of


def facts(layout: Layout, choice: Choice) -> str:
    """ "4100 × 3200 px at 300 dpi  ·  about 12 MB  ·  needs 170 MB of memory"; an AlbumError if it cannot be."""
    kind = choice.kind
    plan = plan_for(layout.shape, choice.settings, kind)
    check_plan(kind, plan, choice.settings)
    size = f"{plan.width} × {plan.height} px at {plan.dpi:g} dpi"
    if choice.settings.poster:
        size += f" on {counted(len(list(poster_of(plan, choice.settings))), 'page')} of {choice.settings.poster}"
    pages = layout.shape.pages.count if layout.shape.pages is not None and is_book(layout.shape, kind) else 1
    if pages > 1:
        size = tr("{pages} pages of {size}", pages=pages, size=size)
    memory = in_bytes(memory_needed(kind, plan))
    whole = in_bytes(pages * estimated_bytes(kind, plan, choice.settings))
    return f"{size}   ·   about {whole}   ·   needs {memory} of memory"


def remarks(document: Document, layout: Layout, choice: Choice) -> str:
    """Sentences about photos that are missing, or smaller than the cells they fill; an AlbumError if it cannot be."""
    tile = plan_for(layout.shape, choice.settings, choice.kind).tile
    reach = max if choice.settings.fit == "whole" else min  # the side of a photo that meets the cell's
    shown = {int(photo) for photo in np.unique(layout.photo_at[layout.photo_at >= 0])}
    missing = len(shown & document.missing)
    photos = [document.album.photos[photo] for photo in shown - document.missing]
    small = sum(reach(photo.width, photo.height) < tile for photo in photos)
    said = []
    if missing:
        said.append(f"{counted(missing, 'photo is', 'photos are')} missing; Export asks what to put there.")
    if small:
        few = f"{small} of {counted(len(photos), 'photo')}" if small < len(photos) else "The photos"
        are, they = ("is", "it") if small == 1 < len(photos) else ("are", "they")
        said.append(f"{few} {are} smaller than {tile:.0f} px, so at this size {they} will look soft.")
    return " ".join(said)
