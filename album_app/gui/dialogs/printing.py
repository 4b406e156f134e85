"""Printing the sheet: the system's dialog, then the export's own drawing at the printer's resolution."""

import tempfile
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPageLayout, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from album_app.errors import AlbumError
from album_app.gui.dialogs.lost_photos import Drawing, Faults, Find, lost_photos, settle_lost_photos, write
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style.wording import title_of
from album_app.language import tr
from album_app.layout.crops import Crops
from album_app.layout.project.document import Document
from album_app.render import RenderSettings

DPI = 300
MM_PER_INCH = 25.4


def print_sheet(
    parent: QWidget,
    session: Session,
    photos: PhotoStore,
    jobs: Jobs,
    find: Find,
    settings: RenderSettings | None = None,
) -> QPrintDialog | None:
    """Ask for a printer and print the sheet as large as its page allows; a page turned like the sheet is suggested."""
    document = session.document
    if document is None or document.layout is None:
        return None
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setResolution(DPI)
    printer.setDocName(title_of(document, session.path))  # a dialog that prints to files suggests their name by it
    way, shape = QPageLayout.Orientation, document.layout.shape
    one = shape.pages or shape
    printer.setPageOrientation(way.Landscape if one.columns > one.rows else way.Portrait)
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
    find: Find,
    settings: RenderSettings | None = None,
) -> None:
    """Look at the photos, then draw and print in the background."""
    document = session.document
    if document is None or document.layout is None:
        return
    layout = document.layout

    def on_looked(faults: Faults) -> None:
        settle_lost_photos(parent, document, layout, faults, photos.pictures, print_it, find)

    def print_it(drawing: Drawing) -> None:
        crops = photos.crops
        file = printer.outputFileName()
        done = tr("Wrote {name}", name=Path(file).name) if file else tr("Sent to the printer")
        jobs.start(
            JobKind.PRINT,
            tr("Printing"),
            lambda task: draw(document, drawing, crops, printer, settings, task),
            on_done=lambda remark: session.tell(f"{done}. {remark}" if remark else done),
        )

    jobs.start(
        JobKind.PRINT, tr("Looking at the photos"), lambda task: lost_photos(layout, document, task), on_done=on_looked
    )


def draw(
    document: Document,
    drawing: Drawing,
    crops: Crops,
    printer: QPrinter,
    wanted: RenderSettings | None,
    task: Task,
) -> str:
    """Export at the page's size in dots, and put that on the page, or on one for each page of a book.

    Gives what there is to say about it.
    """
    page = printer.pageRect(QPrinter.Unit.DevicePixel).toRect()
    settings = _on_page(wanted or RenderSettings(title=document.title), page, printer.resolution())
    with tempfile.TemporaryDirectory(prefix="album-app-") as folder:
        files, remark = write(drawing, document, Path(folder) / "page.tif", settings, crops, task)
        with QPainter() as painter:
            for number, file in enumerate(files):
                picture = QImage(str(file))
                ready = printer.newPage() if number else painter.begin(printer)
                if picture.isNull() or not ready:
                    raise AlbumError(tr("The sheet could not be sent to the printer."))
                painter.drawImage(QRect(0, 0, page.width(), page.height()), picture)
    return remark


def _on_page(wanted: RenderSettings, page: QRect, dpi: int) -> RenderSettings:
    """What was wanted, on the part of the paper that the printer reaches; its lengths in dots."""
    dots = dpi / MM_PER_INCH
    return replace(
        wanted,
        paper=f"{page.width()}x{page.height()}px",
        landscape=_way(page),
        margin=0,
        gap=None if wanted.gap is None else wanted.gap * dots,
        border=wanted.border * dots,
        bleed=0.0,
        cut_marks=False,
        poster="",
        fit_paper=False,
    )


def _way(page: QRect) -> str:
    return "landscape" if page.width() >= page.height() else "portrait"
