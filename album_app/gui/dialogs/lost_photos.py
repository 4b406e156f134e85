"""Photos that can no longer be read: what the user wants in their cells, and looking for them in another folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.gui.controls import ask_user
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.pictures import Pictures, thumbnails_of
from album_app.gui.state.session import Session
from album_app.language import shown, tr, trn
from album_app.layout.crops import Crops
from album_app.layout.editing.edits import Edit
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document, lost_and_free, relinked
from album_app.photos.album import Album, Photo, replacing, scan
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.folder_news import same_files
from album_app.render import RenderSettings, export, plan_export, unreadable_photos
from album_app.render.export import write_hanging_list

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label

Faults = Mapping[int, Undecodable]
Find = Callable[[frozenset[int]], None]
"""Looks for photos elsewhere."""
MOST_NAMES = 200


@dataclass(frozen=True)
class Drawing:
    """A sheet as it shall be drawn, and what there is to say about it afterwards."""

    layout: Layout
    instead: Mapping[int, NDArray[np.uint8]] = field(default_factory=dict)
    remark: str = ""


def lost_photos(layout: Layout, document: Document, task: Task) -> Faults:
    """The photos of a sheet that can no longer be read; for use off the GUI thread."""
    return unreadable_photos(layout, document.album, on_progress=task.progress, stop=task.stop)


def settle_lost_photos(
    parent: QWidget,
    document: Document,
    layout: Layout,
    faults: Faults,
    pictures: Pictures,
    go_on: Callable[[Drawing], None],
    find: Find,
) -> None:
    """Go on with a sheet once it is clear what becomes of the photos that cannot be read."""
    if not faults:
        go_on(Drawing(layout))
        return

    def on_answer(answer: str) -> None:
        if answer == "find":
            find(frozenset(faults))
        elif answer == "thumbnails":
            go_on(_with_thumbnails(layout, faults, pictures))
        elif answer == "empty":
            go_on(_with_empty_cells(layout, faults))

    question = trn(
        "{count} photo of the sheet can no longer be read.",
        "{count} photos of the sheet can no longer be read.",
        len(faults),
    )
    ask_user.lost_photos(parent, question, _names(document, faults), len(faults), on_answer)


def write(
    drawing: Drawing,
    document: Document,
    path: Path,
    settings: RenderSettings,
    crops: Crops,
    task: Task,
    with_list: bool = False,
) -> tuple[tuple[Path, ...], str]:
    """Write the sheet; gives the files and what there is to say, also of photos that were lost even meanwhile.

    With a list, a CSV of the same name says where each photo hangs.
    """
    lost: list[int] = []
    plan = plan_export(drawing.layout, path, settings)
    names: Sequence[Label] = ()
    if settings.region_names and plan.kind.to_look_around:
        from album_app.layout.evaluation.region_names import named_regions

        names = named_regions(
            drawing.layout, document.album.photos, crops.foci, on_progress=task.progress, stop=task.stop
        )
    files = export(
        drawing.layout,
        document.captioned_album,
        plan,
        crops=crops,
        instead=drawing.instead,
        on_progress=task.progress,
        on_missing=lambda photo, why: lost.append(photo),
        stop=task.stop,
        region_names=names,
        agreed=plan.files == (path,),  # the dialog asked about this name, not about those of the pages of a book
    )
    if with_list:
        target, kept = path.with_suffix(".csv"), replacing(document.album, False)
        write_hanging_list(target, plan, drawing.layout, document.captioned_album, crops, kept)
        files = (*files, target)
    remark = " ".join(filter(None, [drawing.remark, _late(len(lost))]))
    return files, remark


def _late(count: int) -> str:
    if not count:
        return ""
    return trn(
        "{count} photo could not be read any more, so the cells are empty.",
        "{count} photos could not be read any more, so the cells are empty.",
        count,
    )


def _with_thumbnails(layout: Layout, faults: Faults, pictures: Pictures) -> Drawing:
    known = thumbnails_of(layout, pictures)
    instead = {photo: pixels for photo in faults if (pixels := known[photo]) is not None}
    rest = _with_empty_cells(layout, [photo for photo in faults if photo not in instead])
    drawn = trn("{count} photo is drawn from thumbnails.", "{count} photos are drawn from thumbnails.", len(instead))
    return Drawing(rest.layout, instead, " ".join(filter(None, [drawn if instead else "", rest.remark])))


def _with_empty_cells(layout: Layout, photos: Faults | list[int]) -> Drawing:
    remark = trn(
        "{count} photo is left out, so the cells are empty.",
        "{count} photos are left out, so the cells are empty.",
        len(photos),
    )
    return Drawing(layout.without(photos), remark=remark if photos else "")


def _names(document: Document, faults: Faults) -> str:
    lines = [
        f"{printable(document.album.photos[photo].name)}: {shown(fault.reason)}" for photo, fault in faults.items()
    ]
    more = len(lines) - MOST_NAMES
    return "\n".join(lines[:MOST_NAMES]) + (
        "\n" + trn("and {count} more", "and {count} more", more) if more > 0 else ""
    )


Found = tuple[Album, dict[int, Photo]]
"""The files of a folder, and which missing photos are among them by their content."""


def relink(session: Session, jobs: Jobs, folder: Path, lost: frozenset[int] = frozenset()) -> None:
    """Look in a folder for missing photos, and others that were lost since; one edit takes back those found."""

    if session.document is None:
        return
    before = replace(session.document, missing=session.document.missing | lost)

    def work(task: Task) -> Found:
        found = scan(folder, with_sheets=True, on_progress=task.progress, stop=task.stop)
        return found, same_files(*lost_and_free(before, found), task.stop)

    def on_done(result: Found) -> None:
        document = session.document
        if document is None:
            return
        after, again = relinked(replace(document, missing=document.missing | lost), *result)
        if not again:
            session.report(UsageError(tr("None of the missing photos is in “{name}”.", name=folder.name)))
            return
        session.apply(Edit(tr("Find missing photos"), after))
        session.tell(trn("Found {count} photo again", "Found {count} photos again", len(again)))

    jobs.start(JobKind.RELINK, tr("Looking through {name}", name=folder.name), work, on_done=on_done)
