"""The foot of the export dialog: facts and remarks about the file to be written, progress and buttons."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QDeadlineTimer, QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from album_app import render
from album_app.errors import AlbumError
from album_app.file_names import printable
from album_app.gui.controls.bars import NOTE, WARNING, StatusLine, describe
from album_app.gui.controls.sections import muted, named
from album_app.gui.state.jobs import Job, JobKind, Jobs
from album_app.gui.style.design import TIGHT
from album_app.gui.style.wording import in_bytes, no_cell_words, photos_words, sentence
from album_app.language import number, short_number, tr, trn
from album_app.layout.captions import NONE
from album_app.layout.crops import Crops
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.photos.album import Album
from album_app.render.page.settings import COARSE_DPI
from album_app.render.presets import Choice

MUCH_MEMORY = 500_000_000
"""An export that needs at least this many bytes of memory is announced with that number."""

LONGEST_FOLDER = 44
"""Of a folder whose path has more characters than this, only the last parts are shown."""


class ExportFoot(QWidget):
    """Shows facts and messages, the progress of an export, and the buttons of the dialog.

    Signals:
        wanted(): the user wants to write the file, or to print
        elsewhere_wanted(): the user wants to choose the folder and the name of the file
        left(): the user wants to cancel the export, or to close the dialog
    """

    wanted = Signal()
    elsewhere_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.facts = StatusLine(tr("Size of the export"))
        self.facts.setMinimumHeight(2 * self.facts.fontMetrics().lineSpacing())
        self._target = named(muted(), tr("File to be written"))
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(tr("Export progress"))
        for widget in (self._bar, self._target):
            size_policy = widget.sizePolicy()
            size_policy.setRetainSizeWhenHidden(True)  # so that the preview does not move when it appears
            widget.setSizePolicy(size_policy)
        self._bar.hide()
        self._written: Path | None = None
        self._click_ends = QDeadlineTimer()  # until then a click may belong to a double click on “Cancel”
        self.export = named(QPushButton(tr("Export")), tr("Export"))
        self._elsewhere = named(QPushButton(tr("Save as…")), tr("Export to another place or name"))
        self._elsewhere.clicked.connect(self.elsewhere_wanted)
        self.export.setProperty("primary", True)
        self._open = named(QPushButton(tr("Open folder")), tr("Open folder"))
        self._open.hide()
        self._close = named(QPushButton(tr("Close")), tr("Close or cancel"))
        self.export.clicked.connect(self.wanted)
        self._open.clicked.connect(self._open_folder)
        self._close.clicked.connect(self._on_close)
        self._build()

    def _build(self) -> None:
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        column.addWidget(self._bar)
        column.addLayout(row)
        said = QVBoxLayout()
        said.setSpacing(TIGHT)
        said.addWidget(self.facts)
        said.addWidget(self._target)
        row.addLayout(said, 1)
        for button in (self._open, self._close, self._elsewhere, self.export):
            row.addWidget(button)

    def tell_target(self, path: Path | None) -> None:
        """Say which file the button writes, and into which folder; None if it prints or the folder is not known yet."""
        self._target.setVisible(path is not None)
        if path is None:
            self.export.setToolTip("")
            return
        self._target.setText(tr("Writes {name} into {folder}", name=path.name, folder=short_folder(path.parent)))
        self._target.setToolTip(str(path))
        self.export.setToolTip(tr("Into the folder {folder}", folder=path.parent))

    def set_printing(self, printing: bool) -> None:
        """Have the button print instead of writing a file, or write again."""
        self.export.setText(tr("Print…") if printing else tr("Export"))
        self._elsewhere.setVisible(not printing)

    def set_busy(self, busy: bool) -> None:
        """Show progress and “Cancel” while a file is being written."""
        self._bar.setVisible(busy)
        self.export.setEnabled(not busy)
        self._elsewhere.setEnabled(not busy)
        self._close.setText(tr("Cancel") if busy else tr("Close"))
        self._click_ends.setRemainingTime(QApplication.doubleClickInterval())

    def show_progress(self, job: Job) -> None:
        """Show how far an export is."""
        self._bar.setRange(0, job.total)
        self._bar.setValue(job.done)
        self.facts.say(describe(job, f"{100 * job.done // max(1, job.total)} %"))

    def offer_folder(self, written: Path | None) -> None:
        """Offer to open the folder of a written file; None hides the button."""
        self._written = written
        self._open.setVisible(written is not None)
        if written is not None:
            self._open.setFocus()

    @Slot()
    def _on_close(self) -> None:
        """Cancel or close; the second click of a double click on “Cancel” does not close the dialog."""
        if self._bar.isVisible() or self._click_ends.hasExpired():
            self.left.emit()

    @Slot()
    def _open_folder(self) -> None:
        if self._written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written.parent)))


def short_folder(folder: Path) -> str:
    """The path of a folder, or its end if it is long."""
    if len(str(folder)) <= LONGEST_FOLDER:
        return str(folder)
    end = str(Path("…", *folder.parts[-2:]))
    return end if len(end) <= LONGEST_FOLDER else f"…{end[1 - LONGEST_FOLDER :]}"


class ExportSize(QObject):
    """Measures in the background how large the file will be; knows the answer for the latest sheet and choice.

    Signals:
        found(): the size is known now
    """

    found = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: tuple[Layout, Choice, int] | None = None

    def of(self, layout: Layout, choice: Choice) -> int | None:
        """The size of the file in bytes; None if it is not known yet."""
        known = self._known
        return known[2] if known is not None and known[0] is layout and known[1] == choice else None

    def find(self, layout: Layout, album: Album, choice: Choice, crops: Crops) -> None:
        """Begin to measure the size of the file, unless it is known."""
        if self.of(layout, choice) is not None:
            return

        def on_done(size: int) -> None:
            self._known = layout, choice, size
            self.found.emit()

        self._jobs.start(
            JobKind.EXPORT_SIZE,
            "",
            lambda task: render.measured_bytes(layout, album, choice.kind, choice.settings, task.stop, crops),
            on_done=on_done,
            on_error=lambda error: isinstance(error, AlbumError | OSError),
            quiet=True,
        )


def facts(layout: Layout, choice: Choice, size_in_bytes: int | None) -> str:
    """Facts about the file, such as "4100 × 3200 px at 300 dpi  ·  about 12 MB", and the memory needed if it is much.

    `size_in_bytes` is None while the size is being measured. Raises AlbumError if the sheet cannot be exported like
    this.
    """
    kind = choice.kind
    plan = render.plan_for(layout, choice.settings, kind)
    render.check_plan(kind, plan, choice.settings)
    size = tr("{width} × {height} px at {dpi} dpi", width=plan.width, height=plan.height, dpi=short_number(plan.dpi))
    size = tr("{width} × {height} px", width=plan.width, height=plan.height) if kind.to_look_around else size
    if choice.settings.poster:
        sheets, paper = len(list(render.poster_of(plan, choice.settings))), tr(choice.settings.poster)
        size += " " + trn("on {count} page of {paper}", "on {count} pages of {paper}", sheets, paper=paper)
    pages = layout.shape.pages.count if layout.shape.pages is not None and render.is_book(layout.shape, kind) else 1
    if pages > 1:
        size = tr("{pages} pages of {size}", pages=pages, size=size)
    memory = render.memory_needed(kind, plan)
    size_words = "…" if size_in_bytes is None else in_bytes(size_in_bytes)
    bulk = tr("at most {bytes}", bytes=size_words) if kind.to_look_around else tr("about {bytes}", bytes=size_words)
    found = [size, bulk] + [tr("needs {memory} of memory", memory=in_bytes(memory))] * (memory >= MUCH_MEMORY)
    return "   ·   ".join(found)


def remarks(document: Document, layout: Layout, choice: Choice, unplaced: int) -> tuple[str, str]:
    """Sentences about photos that have no cell, are missing or smaller than their cells, and about captions left out.

    The second text is the kind of message: a warning if photos are coarse on paper. Raises AlbumError if the sheet
    cannot be exported like this.
    """
    plan = render.plan_for(layout, choice.settings, choice.kind)
    tile = plan.tile
    reach = max if choice.settings.fit == "whole" else min  # the side of a photo that is as long as that of its cell
    shown = {int(photo) for photo in np.unique(layout.photo_at[layout.photo_at >= 0])}
    missing = len(shown & document.missing)
    photos = [document.album.photos[photo] for photo in shown - document.missing]
    small = sum(reach(photo.width, photo.height) < tile for photo in photos)
    left = no_cell_words(unplaced)
    said = [sentence(left)] if left else []
    if choice.settings.paper and choice.settings.margin == 0 and not render.can_fill_paper(document.spec):
        said.append(tr("This shape leaves some of the paper empty; rows and columns can cover it."))
    if missing:
        said.append(
            trn(
                "{count} photo is missing; Export asks what to put there.",
                "{count} photos are missing; Export asks what to put there.",
                missing,
            )
        )
    letters = render.unprintable_letters(layout, document.captioned_album, choice.settings)
    if letters:
        said.append(sentence(render.unprintable_words(letters)))
    captions = sum(bool(document.captions.get(photo)) for photo in shown)
    if captions and choice.settings.caption == NONE:
        said.append(
            trn(
                "{count} caption of your own is left out; “Title or own text” under Captions shows it.",
                "{count} captions of your own are left out; “Title or own text” under Captions shows them.",
                captions,
            )
        )
    kind = NOTE
    if small and choice.settings.paper and render.parse_paper(choice.settings.paper).unit == "mm":
        sides = [tile * layout.sizes.get(photo, 1) for photo in shown - document.missing]
        pairs = zip(photos, sides, strict=True)
        found = ((reach(photo.width, photo.height), side, photo.name) for photo, side in pairs)
        soft = sorted((round(plan.dpi * length / side), name) for length, side, name in found if length < side)
        said.append(_dpi_words(soft, len(photos)))
        kind = WARNING if soft[0][0] < COARSE_DPI else NOTE
    elif small:
        said.append(_soft_photos_words(small, len(photos), number(tile)))
    return " ".join(said), kind


def _dpi_words(soft: Sequence[tuple[int, str]], photos: int) -> str:
    """A sentence about the photos with fewer pixels per inch than the paper: (dpi, name), the coarsest first."""
    (least, name), (most, _) = soft[0], soft[-1]
    dpi = tr("{dpi} dpi", dpi=least) if least == most else tr("{least} to {most} dpi", least=least, most=most)
    if len(soft) == photos:
        return tr("On this paper the photos have {dpi}; {name} is the coarsest.", dpi=dpi, name=printable(name))
    return trn(
        "On this paper {count} of {photos} has {dpi} and will look soft: {name}.",
        "On this paper {count} of {photos} have {dpi} and will look soft; {name} is the coarsest.",
        len(soft),
        photos=photos_words(photos),
        dpi=dpi,
        name=printable(name),
    )


def _soft_photos_words(small: int, photos: int, tile: str) -> str:
    if small == photos:
        return tr("The photos are smaller than {tile} px, so at this size they will look soft.", tile=tile)
    return trn(
        "{count} of {photos} is smaller than {tile} px, so at this size it will look soft.",
        "{count} of {photos} are smaller than {tile} px, so at this size they will look soft.",
        small,
        photos=photos_words(photos),
        tile=tile,
    )
