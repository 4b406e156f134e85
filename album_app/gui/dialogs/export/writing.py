"""Writing the sheet to a file or printing it: folder and name of the file, and photos that can no longer be read."""

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRect, QStandardPaths, Signal, Slot
from PySide6.QtGui import QImage, QPageLayout, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from album_app.errors import AlbumError
from album_app.file_names import printable
from album_app.gui.controls import ask_user
from album_app.gui.dialogs.export.own_sheet import PolishBeforeExport
from album_app.gui.state.jobs import Job, JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pictures, thumbnails_of
from album_app.gui.state.session import Session
from album_app.gui.style.wording import sentence, title_of
from album_app.language import shown, tr, trn
from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.paths import is_folder
from album_app.photos.album import replacing
from album_app.photos.decoding.decode import Undecodable
from album_app.render import RenderSettings, earlier_files, export, plan_export, unreadable_photos
from album_app.render.export import write_hanging_list
from album_app.render.page.settings import MM_PER_INCH

if TYPE_CHECKING:
    from album_app.layout.evaluation.region_names import Label

PLACES = (
    QStandardPaths.StandardLocation.PicturesLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.HomeLocation,
)
"""Where a sheet is written first if neither an earlier export nor the project names a folder, in this order."""


def proposed_folder(
    last: str,
    project: Path | None,
    roots: Iterable[Path],
    places: Iterable[QStandardPaths.StandardLocation] = PLACES,
) -> Path:
    """The folder of the last export, else that of the project, else one of the `places`.

    A folder inside the album is never proposed: the sheet would appear among the photos when the album is opened again.
    If all these folders are inside the album, the one that contains the album is proposed.
    """
    album = [root.absolute() for root in roots]
    candidates = [Path(last)] if last else []
    candidates += [project.parent] if project is not None else []
    candidates += [Path(QStandardPaths.writableLocation(place)) for place in places]
    fitting = (folder for folder in candidates if is_folder(folder) and not _is_inside(folder, album))
    return next(fitting, album[0].parent if album else Path.home())


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """`stem` with `suffix`, numbered from 2 on if a file of that name or pages of a book with that name exist."""
    names = (folder / f"{stem}{f'-{place}' if place > 1 else ''}{suffix}" for place in count(1))
    return next(path for path in names if not os.path.lexists(path) and not any(earlier_files(path)))


def _is_inside(folder: Path, album: Iterable[Path]) -> bool:
    folder = folder.absolute()
    return any(root == folder or root in folder.parents for root in album)


Faults = Mapping[int, Undecodable]
FindPhotos = Callable[[frozenset[int]], None]
"""Asks for a folder and looks there for these photos."""
MOST_NAMES = 200
"""Names of unreadable photos that the question lists; its text stays short enough to scroll through."""


@dataclass(frozen=True)
class Drawing:
    """A sheet as it is to be drawn: `instead` has pixels to draw instead of files, by photo.

    `remark` is a sentence about photos left out or replaced, shown once the sheet is written.
    """

    layout: Layout
    instead: Mapping[int, NDArray[np.uint8]] = field(default_factory=dict)
    remark: str = ""


def find_lost_photos(layout: Layout, document: Document, task: Task) -> Faults:
    """The photos of a sheet that can no longer be read, with the reasons; for use off the GUI thread."""
    return unreadable_photos(layout, document.album, on_progress=task.progress, stop=task.stop)


def ask_about_lost_photos(
    parent: QWidget,
    document: Document,
    layout: Layout,
    faults: Faults,
    pictures: Pictures,
    go_on: Callable[[Drawing], None],
    find: FindPhotos,
) -> None:
    """Call `go_on` at once if all photos can be read, or else once the user chose what their cells show instead.

    If the user wants to look for the photos, call `find` and do not go on.
    """
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
    ask_user.lost_photos(parent, question, _names_and_reasons(document, faults), len(faults), on_answer)


def write_sheet(
    drawing: Drawing,
    document: Document,
    path: Path,
    settings: RenderSettings,
    crops: Crops,
    task: Task,
    with_list: bool = False,
) -> tuple[tuple[Path, ...], str]:
    """Write the sheet; returns the files, and remarks on photos left out, replaced or lost while the sheet was written.

    `with_list` also writes a CSV file of the same name that says where each photo hangs.
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
    remark = " ".join(filter(None, [drawing.remark, _lost_meanwhile_words(len(lost))]))
    return files, remark


def _lost_meanwhile_words(count: int) -> str:
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


def _names_and_reasons(document: Document, faults: Faults) -> str:
    lines = [
        f"{printable(document.album.photos[photo].name)}: {shown(fault.reason)}" for photo, fault in faults.items()
    ]
    more = len(lines) - MOST_NAMES
    return "\n".join(lines[:MOST_NAMES]) + (
        "\n" + trn("and {count} more", "and {count} more", more) if more > 0 else ""
    )


PRINT_DPI = 300
"""Dots per inch of printed sheets: finer dots are not seen at reading distance."""


def print_sheet(
    parent: QWidget,
    session: Session,
    photos: PhotoStore,
    jobs: Jobs,
    find: FindPhotos,
    settings: RenderSettings | None = None,
) -> QPrintDialog | None:
    """Ask for a printer, then print the sheet as large as the page allows.

    The dialog suggests landscape for a sheet that is wider than high, and portrait otherwise.
    """
    document = session.document
    if document is None or document.layout is None:
        return None
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setResolution(PRINT_DPI)
    printer.setDocName(title_of(document, session.path))  # a dialog that prints to files suggests their name by it
    orientation, shape = QPageLayout.Orientation, document.layout.shape
    page = shape.pages or shape
    printer.setPageOrientation(orientation.Landscape if page.columns > page.rows else orientation.Portrait)
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(tr("Print the sheet"))
    dialog.accepted.connect(lambda: start_printing(parent, session, photos, jobs, printer, find, settings))
    session.opened.connect(dialog.reject)
    dialog.finished.connect(dialog.deleteLater)
    dialog.show()
    return dialog


def start_printing(
    parent: QWidget,
    session: Session,
    photos: PhotoStore,
    jobs: Jobs,
    printer: QPrinter,
    find: FindPhotos,
    settings: RenderSettings | None = None,
) -> None:
    """Check that the photos can be read, then draw and print the sheet in the background."""
    document = session.document
    if document is None or document.layout is None:
        return
    layout = document.layout

    def on_checked(faults: Faults) -> None:
        ask_about_lost_photos(parent, document, layout, faults, photos.pictures, print_it, find)

    def print_it(drawing: Drawing) -> None:
        crops = photos.crops
        file = printer.outputFileName()
        done = tr("Wrote {name}", name=Path(file).name) if file else tr("Sent to the printer")
        jobs.start(
            JobKind.PRINT,
            tr("Printing"),
            lambda task: _print_pages(document, drawing, crops, printer, settings, task),
            on_done=lambda remark: session.tell(f"{done}. {remark}" if remark else done),
        )

    def check(task: Task) -> Faults:
        return find_lost_photos(layout, document, task)

    jobs.start(JobKind.PRINT, tr("Looking at the photos"), check, on_done=on_checked)


def _print_pages(
    document: Document,
    drawing: Drawing,
    crops: Crops,
    printer: QPrinter,
    wanted: RenderSettings | None,
    task: Task,
) -> str:
    """Draw the sheet at the printer's resolution and send it, a book page by page; returns the remarks."""
    page = printer.pageRect(QPrinter.Unit.DevicePixel).toRect()
    settings = _settings_for_page(wanted or RenderSettings(title=document.title), page, printer.resolution())
    with tempfile.TemporaryDirectory(prefix="album-app-") as folder:
        files, remark = write_sheet(drawing, document, Path(folder) / "page.tif", settings, crops, task)
        with QPainter() as painter:
            for number, file in enumerate(files):
                picture = QImage(str(file))
                ready = printer.newPage() if number else painter.begin(printer)
                if picture.isNull() or not ready:
                    raise AlbumError(tr("The sheet could not be sent to the printer."))
                painter.drawImage(QRect(0, 0, page.width(), page.height()), picture)
    return remark


def _settings_for_page(wanted: RenderSettings, page: QRect, dpi: int) -> RenderSettings:
    """The wanted settings for the printable part of the paper, with lengths in dots instead of millimetres."""
    dots = dpi / MM_PER_INCH
    return replace(
        wanted,
        paper=f"{page.width()}x{page.height()}px",
        landscape="landscape" if page.width() >= page.height() else "portrait",
        margin=0,
        gap=None if wanted.gap is None else wanted.gap * dots,
        border=wanted.border * dots,
        bleed=0.0,
        cut_marks=False,
        poster="",
        fit_paper=False,
    )


class SheetWriter(QObject):
    """Polishes and writes a sheet for the export dialog, one job at a time in the background.

    Signals:
        busy_changed(): a job has begun or ended
        checked(): all photos were tried; the user is asked about those that cannot be read
        progressed(Job): the job got further
        written(tuple): the files, the remarks on them as one text, and their size in bytes
        failed(str): why the job could not be finished; a sentence
        cancelled(): the user cancelled the job, and nothing was written
    """

    busy_changed = Signal()
    checked = Signal()
    progressed = Signal(object)
    written = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, dialog: QWidget, photos: PhotoStore, jobs: Jobs, find: FindPhotos) -> None:
        super().__init__(dialog)
        self._dialog, self._photos, self._jobs, self._find = dialog, photos, jobs, find
        self._job: Job | None = None
        jobs.changed.connect(self._on_jobs)

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def polish(self, polish: PolishBeforeExport, document: Document, go_on: Callable[[Document], None]) -> None:
        """Polish the sheet, then go on with the polished document."""

        def on_done(polished: Document) -> None:
            self._end()
            polish.note(document, polished)
            go_on(polished)

        self._begin(tr("Polishing the sheet"), polish.work(document), on_done)

    def write(self, document: Document, layout: Layout, path: Path, settings: RenderSettings, with_list: bool) -> None:
        """Write a sheet into a file, once the user chose what the cells of unreadable photos show."""
        crops = self._photos.crops

        def write_drawing(drawing: Drawing) -> None:
            def work(task: Task) -> tuple[tuple[Path, ...], str, int]:
                files, remark = write_sheet(drawing, document, path, settings, crops, task, with_list=with_list)
                return files, remark, sum(file.stat().st_size for file in files)

            self._begin(tr("Exporting {name}", name=path.name), work, self._on_written)

        def on_checked(faults: Faults) -> None:
            self._end()
            self.checked.emit()
            ask_about_lost_photos(
                self._dialog, document, layout, faults, self._photos.pictures, write_drawing, self._find
            )

        self._begin(tr("Looking at the photos"), lambda task: find_lost_photos(layout, document, task), on_checked)

    def cancel(self) -> None:
        self._jobs.cancel(JobKind.EXPORT)

    def _begin(self, title: str, work: Callable[[Task], Any], on_done: Callable[[Any], None]) -> None:
        self._jobs.cancel(JobKind.EXPORT_SIZE)
        self._job = self._jobs.start(JobKind.EXPORT, title, work, on_done=on_done, on_error=self._on_failed)
        self.busy_changed.emit()

    def _end(self) -> None:
        self._job = None
        self.busy_changed.emit()

    def _on_written(self, written: tuple[tuple[Path, ...], str, int]) -> None:
        self._end()
        self.written.emit(written)

    def _on_failed(self, error: Exception) -> bool:
        self._end()
        if isinstance(error, AlbumError):
            self.failed.emit(sentence(str(error)))
        return isinstance(error, AlbumError)

    @Slot()
    def _on_jobs(self) -> None:
        job = self._job
        if job is None:
            return
        if self._jobs.running(JobKind.EXPORT):
            self.progressed.emit(job)
        elif job.cancelled:
            self._end()
            self.cancelled.emit()
