"""The export dialog: cards above, preview on the left, the form on the right, facts about the file below."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QInputDialog, QScrollArea, QVBoxLayout, QWidget

from album_app.errors import AlbumError
from album_app.file_names import suggested
from album_app.gui.controls import ask_user
from album_app.gui.controls.bars import ERROR, NOTE, SUCCESS, WARNING, StatusLine
from album_app.gui.dialogs.export.cards import (
    BOOK,
    CARDS,
    PRINT,
    SHEET_PX,
    ExportCards,
    card_of,
    first_choice,
    memory_key,
    with_chapters,
    with_own_texts,
)
from album_app.gui.dialogs.export.foot import ExportFoot, ExportSize, facts, remarks, short_folder
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.dialogs.export.own_sheet import PaperFit, PolishBeforeExport
from album_app.gui.dialogs.export.preview import PreviewBar, PreviewPane
from album_app.gui.dialogs.export.writing import FindPhotos, SheetWriter, free_name, print_sheet, proposed_folder
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets
from album_app.gui.state.pictures import Pixels, as_image, preview_pixels, thumbnails_of
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping
from album_app.gui.style.design import ROOM, TIGHT, WIDE
from album_app.gui.style.wording import in_bytes, sentence
from album_app.language import tr, trn
from album_app.layout.editing.edits import titled
from album_app.layout.layout import Layout
from album_app.layout.project.document import Counts, Document
from album_app.layout.shapes.pages import usual_grid
from album_app.layout.shapes.shape import KINDS, ShapeSpec
from album_app.render import RenderSettings, can_fill_paper, empty_share, has_cover, is_book, parse_paper
from album_app.render.presets import Choice, as_words, delete_preset, from_words, own_presets, save_preset

PREVIEW_MS = 120
"""After the last change of a setting, the preview is drawn within this time."""
LEAST_PX, WINDOW_SHARE = (1120, 820), 0.7
"""The dialog has at least this width and height, or this share of the window's, but is never larger than the window."""
MOST_COVER_PHOTOS = 8
"""A book's cover can show any of the photos selected last, up to this many."""
SETTINGS_PX, SCROLL_BAR_PX = 396, 14
"""Width of the settings, unless a language or a typeface needs more, and of their scroll bar."""

LIST_WANTED = "export/list"
"""The key of the preference that remembers whether a hanging list is wanted."""


class ExportDialog(QDialog):
    """Exports the sheet as it is, fitted to a paper, or polished; the open sheet changes only when it is exported.

    Signals:
        book_started(): the dialog has closed, and the photos are about to be arranged on the pages of a book
    """

    book_started = Signal()

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        photos: PhotoStore,
        jobs: Jobs,
        reshaping: Reshaping,
        preferences: Preferences,
        title: str,
        find: FindPhotos,
        card: str = "",
        facets: PhotoFacets | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export"))
        document = session.document
        if document is None or document.layout is None:
            raise AlbumError(tr("There is no sheet to export yet."))
        self._document: Document = document
        self._layout: Layout = document.layout
        self._session, self._photos, self._jobs = session, photos, jobs
        self._preferences, self._title, self._find = preferences, title, find
        self._reshaping = reshaping
        self._known_facets = {} if facets is None else facets.facets
        self._fit = PaperFit(session, photos, jobs, self._on_change)
        self._polish = PolishBeforeExport(session, photos)
        self._asking = False  # whether the user is being asked about photos that would lose their cells
        self._printing = False  # whether the sheet is printed instead of written to a file
        self._folder: Path | None = None  # the folder for exports; None until it has been found
        self._export_waits = False  # whether to export as soon as the folder is known
        self._room = parent.size()
        self._drawn: Document | None = document
        self._waits = False  # whether the sheet was still being arranged when the facts were shown
        self._size = ExportSize(jobs, self)
        self._build()
        self._preview_timer = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._preview_timer.timeout.connect(self._settle)
        self._form.changed.connect(self._on_change)
        self._size.found.connect(self._tell_size)
        jobs.changed.connect(self._on_jobs)
        self._writer = SheetWriter(self, photos, jobs, self._find_lost)
        self._writer.busy_changed.connect(self._on_busy)
        self._writer.checked.connect(self._on_change)
        self._writer.progressed.connect(self._foot.show_progress)
        self._writer.written.connect(self._on_written)
        self._writer.failed.connect(lambda why: self._facts.say(why, ERROR))
        self._writer.cancelled.connect(lambda: self._facts.say(tr("Cancelled; nothing was written.")))
        session.layout_changed.connect(self._on_layout)
        session.document_changed.connect(self._fit.forget)
        session.opened.connect(self.close)  # a slot of Qt, which Qt disconnects when the dialog is deleted
        remembered = next(filter(None, map(preferences.word, self._memory_keys())), "")
        begun = (
            from_words(remembered, with_own_texts(document, RenderSettings())) if remembered else first_choice(document)
        )
        self._form.fill(self._harmless(with_chapters(begun, document)))
        self._form.hanging_list.setChecked(bool(preferences.word(LIST_WANTED)))
        self._draw_cards()
        self._change_presets(lambda: None)
        if card:
            self._on_card(card)
        self._on_change()
        self.cards.focus_chosen()

    def _memory_keys(self) -> list[str]:
        """The keys under which the last choice is remembered: for this project, for its folders, and for any album."""
        path, roots = self._session.path, self._document.album.roots
        own = [] if path is None else [(path,)]
        return [memory_key(self._document, places) for places in (*own, roots, ())]

    def _change_presets(self, change: Callable[[], None]) -> None:
        """Change the user's own presets in the background, and offer the changed presets."""

        own = with_own_texts(self._document, RenderSettings())

        def work() -> dict[str, Choice]:
            change()
            return own_presets(own)

        self._jobs.compute(JobKind.PRESETS, work, self._form.set_own_presets)

    @Slot()
    def _ask_preset_name(self) -> None:
        """Ask for a name, and save the settings as a preset."""
        try:
            choice = self._form.choice
        except AlbumError as error:
            self._facts.say(sentence(str(error)), ERROR)
            return
        dialog = QInputDialog(self)
        dialog.setWindowTitle(tr("Save preset"))
        dialog.setLabelText(tr("Name of the preset"))
        dialog.textValueSelected.connect(
            lambda name: self._change_presets(lambda: save_preset(name, choice)) if name.strip() else None
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _delete_preset(self, name: str) -> None:
        question = tr("Delete the preset “{name}”?", name=name)
        ask_user.confirm(self, question, tr("Delete"), lambda: self._change_presets(lambda: delete_preset(name)))

    def _harmless(self, choice: Choice) -> Choice:
        """The choice without fitting to the paper if that is impossible or if photos would lose their cells."""
        can_fit = choice.settings.fit_paper and can_fill_paper(self._document.spec)
        fit = can_fit and not self._fit.losing(self._document, choice)
        return replace(choice, settings=replace(choice.settings, fit_paper=fit))

    @property
    def drawn(self) -> Document | None:
        """The document that is exported; None while it is still being arranged for the paper."""
        return self._drawn

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        self.cards = ExportCards()
        self.cards.chosen.connect(self._on_card)
        whole.addWidget(self.cards)
        top = QHBoxLayout()
        whole.addLayout(top, 1)  # before it is filled: widgets are styled again when they get another parent
        side = QScrollArea(self)
        side.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        is_book = self._document.shape.pages is not None
        kind = self._document.spec.kind
        covers = cover_photos(self._session, self._document)
        can_fit = can_fill_paper(self._document.spec)
        colour_by = self._document.colour_by if self._document.colour_by in self._known_facets else ""
        self._form = ExportForm(
            *(side, is_book, can_fit, kind not in ("text", "pages"), covers),
            *(self._document.columns, colour_by, bool(self._known_facets)),
        )
        self._form.preset_to_save.connect(self._ask_preset_name)
        self._form.preset_to_delete.connect(self._delete_preset)
        self._form.time_marks.setVisible(bool(self._document.options.time_weight))
        side.setWidgetResizable(True)
        side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side.setFixedWidth(max(SETTINGS_PX, self._form.wanted_width + SCROLL_BAR_PX))
        side.setAccessibleName(tr("Export settings"))
        side.setWidget(self._form)
        self._preview = PreviewPane(self._jobs, self._photos)
        self._bar = PreviewBar(self._preview)
        self._bar.page_turned.connect(self._draw_preview)
        self._bar.fill_wanted.connect(self._form.fill_paper)
        self._preview.zoomed.connect(self._preview_again)
        self._foot = ExportFoot()
        self._facts, self._export = self._foot.facts, self._foot.export
        self._foot.wanted.connect(self._on_export)
        self._foot.elsewhere_wanted.connect(self._ask_target)
        self._foot.left.connect(self.reject)
        self._remarks = StatusLine(tr("Remarks on the export"))
        top.setSpacing(18)
        seen = QVBoxLayout()
        seen.setSpacing(TIGHT)
        seen.addWidget(self._preview, 1)
        seen.addWidget(self._bar)
        top.addLayout(seen, 1)
        top.addWidget(side)
        whole.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        whole.setSpacing(ROOM)
        whole.addWidget(self._remarks)
        whole.addWidget(self._foot)
        self._export.setDefault(True)  # has an effect only once the button is in the dialog
        room = self._room
        width, height = (
            max(least, round(WINDOW_SHARE * side)) for least, side in zip(LEAST_PX, room.toTuple(), strict=True)
        )
        self.resize(min(width, room.width() - 40), min(height, room.height() - 30))

    @Slot()
    def _on_change(self) -> None:
        """Say what the file will be like, or why the sheet cannot be exported like this."""
        self._foot.offer_folder(None)
        self._show_card()
        self._preview_timer.start()
        self._waits = self._arranging
        self._form.polish.setVisible(self._polish.can_change(self._document))
        try:
            choice = self._form.choice
            self._take(self._fit.fitted(self._document, choice))
            self._bar.set_pages(self._sheets(choice))
            self._offer_to_fill(choice)
            fitted = self._drawn is not None and not self._arranging
            size = self._size.of(self._layout, choice)
            waiting = tr("Arranging the photos for this paper…") if choice.settings.fit_paper else tr("Arranging…")
            self._facts.say(facts(self._layout, choice, size) if fitted else waiting)
            drawn = self._drawn if fitted else None
            unplaced = 0 if drawn is None else Counts.of(drawn, self._photos.pictures.damaged).unplaced
            said, kind = ("", NOTE) if drawn is None else remarks(drawn, self._layout, choice, unplaced)
            self._remarks.say(said, kind)
            self._tell_target()
            problem = False
        except AlbumError as error:
            self._facts.say(sentence(str(error)), ERROR)
            self._remarks.say("")
            fitted, problem = True, True
        self._remarks.setVisible(bool(self._remarks.label.text()))
        self._export.setEnabled(fitted and not problem and not self._writer.is_busy)

    def _offer_to_fill(self, choice: Choice) -> None:
        """Where the sheet could fill more of its paper than it does, offer that below the preview."""
        settings, kind = choice.settings, choice.kind
        can_fit = bool(settings.paper) and not settings.fit_paper and can_fill_paper(self._document.spec)
        fitting = can_fit and not is_book(self._layout.shape, kind)
        empty = empty_share(self._layout, settings) if fitting else 0.0
        self._bar.offer_to_fill(empty, is_screen=bool(settings.paper) and parse_paper(settings.paper).unit == "px")

    def _sheets(self, choice: Choice) -> int:
        """How many pages the preview has, including the cover; 0 if it has no pages."""
        pages = self._layout.shape.pages
        if pages is None or not is_book(self._layout.shape, choice.kind):
            return 0
        return pages.count + has_cover(choice.settings)

    def _take(self, drawn: Document | None) -> None:
        """Export this document: the open one, or one that was fitted to the paper on trial."""
        self._drawn = drawn
        if drawn is not None and drawn.layout is not None:
            self._layout = drawn.layout

    @property
    def _arranging(self) -> bool:
        """Whether the sheet is still being arranged."""
        return self._jobs.running(JobKind.ARRANGE)

    @Slot(object)
    def _on_layout(self, layout: Layout) -> None:
        """Follow the open sheet when it has been arranged again, unless the dialog has been closed."""
        is_closed = self._preview_timer.signalsBlocked()
        if self._session.document is not None and not self._writer.is_busy and not is_closed:
            self._document, self._layout = self._session.document, layout
            self._fit.forget()
            self._on_change()

    @Slot()
    def _tell_size(self) -> None:
        """Add the size of the file to the facts, unless another message is shown by now."""
        if self._export.isEnabled():
            layout, choice = self._layout, self._form.choice
            if self._facts.label.text() == facts(layout, choice, None):
                self._facts.say(facts(layout, choice, self._size.of(layout, choice)))

    @Slot()
    def _settle(self) -> None:
        """Draw the preview after a pause of the user, and fit the sheet to the paper before if that is wanted."""
        try:
            choice = self._form.choice
            losing = self._fit.losing(self._document, choice)
            if losing:
                self._ask_to_lose(losing, choice)
                return
            if not self._arranging:
                self._fit.start(self._document, choice)
        except AlbumError:
            return
        if self._drawn is None:
            return
        self._draw_preview()
        if self._export.isEnabled():
            self._size.find(self._layout, self._document.captioned_album, choice, self._photos.crops)

    @Slot()
    def _draw_preview(self) -> None:
        try:
            self._preview.draw(self._layout, self._form.choice, self._document.captioned_album, self._bar.page)
        except AlbumError:
            return

    @Slot()
    def _preview_again(self) -> None:
        """Draw the preview with more pixels once the user stops zooming."""
        self._preview_timer.start()

    def _draw_cards(self) -> None:
        """Draw the sheet on the cards, and find the folder for exports, both in the background."""
        layout, thumbnails = self._layout, thumbnails_of(self._layout, self._photos.pictures)
        last, project, roots = self._preferences.word("export folder"), self._session.path, self._document.album.roots

        def draw() -> Pixels:
            return preview_pixels(layout, thumbnails, RenderSettings(cell=24, margin=0, gap=0), SHEET_PX)

        def on_folder(folder: Path) -> None:
            self._folder = folder
            self._tell_target()
            if self._export_waits:
                self._on_export()

        self._jobs.compute(JobKind.EXPORT_FOLDER, lambda: proposed_folder(last, project, roots), on_folder)

        def on_drawn(drawn: Pixels) -> None:
            self.cards.show_sheet(as_image(drawn).copy(), layout.shape.columns)

        self._jobs.compute(JobKind.EXPORT_CARDS, draw, on_drawn)

    @Slot(str)
    def _on_card(self, key: str) -> None:
        """Set the form to the choice of a card; ask first if the card is a book and the sheet has no pages."""
        if key == BOOK and self._document.shape.pages is None:
            self._show_card()
            question = tr("A book needs pages. Arrange the photos on the pages of a book? Undo brings this sheet back.")
            ask_user.confirm(self, question, tr("Make a book"), self._make_book)
            return
        self._printing = key == PRINT
        self._foot.set_printing(self._printing)
        self._form.become(CARDS[key].choice())

    def _make_book(self) -> None:
        """Close, and arrange the photos on the pages of a book; who hears `book_started` opens the dialog again."""
        reshaping, name = self._reshaping, tr("Shape: {title}", title=tr(KINDS["pages"].title))
        self.reject()
        self.book_started.emit()
        rows, columns = usual_grid(len(self._photos.taking_part()))
        reshaping.start(ShapeSpec("pages", rows=rows, columns=columns, fill_pages=True), name, merge="shape pages")

    def _show_card(self) -> None:
        try:
            choice = self._form.choice
            found = PRINT if self._printing else card_of(choice, self._document.shape.pages is not None)
        except AlbumError:
            found = ""
        self.cards.show_chosen(found)

    def _ask_to_lose(self, count: int, choice: Choice) -> None:
        """Ask whether photos may lose their cells; otherwise the sheet is not fitted to the paper."""
        if self._asking:
            return
        self._asking = True

        def agree() -> None:
            self._fit.agree(self._document, choice)

        def on_answered() -> None:
            self._asking = False
            if self._fit.losing(self._document, choice):
                self._form.leave_paper()
            self._preview_timer.start()

        question = trn(
            "{count} photo would lose its cell, because this paper is filled by fewer cells. Fit the sheet anyway?",
            "{count} photos would lose their cells, because this paper is filled by fewer cells. Fit the sheet anyway?",
            count,
        )
        ask_user.confirm(self, question, tr("Fit anyway"), agree).finished.connect(on_answered)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._preview_timer.start()

    @Slot()
    def _on_export(self) -> None:
        """Print, or write a file with a new name into the folder for exports as soon as that folder is known."""
        self._export_waits = self._folder is None and not self._printing
        if self._export_waits:
            return
        if self._printing:
            self._polished_first(lambda document: self._print())
        elif self._folder is not None:
            self.export_to(self._target_in(self._folder)())

    def _target_in(self, folder: Path) -> Callable[[], Path]:
        """A function that finds the file that is written into a folder; it looks at the files there."""
        stem, suffix = self._proposed_stem(), self._form.choice.kind.suffixes[0]
        return lambda: free_name(folder, stem, suffix)

    def _tell_target(self) -> None:
        """Say which file will be written, found in the background; nothing if the sheet is printed."""
        if self._folder is None or self._printing:
            self._foot.tell_target(None)
        else:
            self._jobs.compute(JobKind.EXPORT_FOLDER, self._target_in(self._folder), self._on_target)

    def _on_target(self, path: Path) -> None:
        self._foot.tell_target(None if self._printing else path)

    def _print(self) -> None:
        """Change the open sheet to the one that is printed, and have the system ask for a printer."""
        self._adopt()
        settings = self._form.choice.settings
        print_sheet(self, self._session, self._photos, self._jobs, self._find_lost, settings)

    def _polished_first(self, go_on: Callable[[Document], None]) -> None:
        """Polish the document to export if the user wants that, then go on with it."""
        document = self._drawn or self._document
        self._polish.forget()
        if self._form.wants_polish:
            self._writer.polish(self._polish, document, go_on)
        else:
            go_on(document)

    def _adopt(self) -> None:
        """Change the open sheet to the exported one, and untick “Polish before exporting” for the next export."""
        self._fit.adopt(self._document, self._form.choice)
        self._polish.adopt()
        self._form.polish.setChecked(False)
        self._keep()

    def _proposed_stem(self) -> str:
        """The name of the album for a new file; that of a book says so, since a poster often has the other name."""
        name = suggested(self._title, tr("Untitled"))
        is_paged = self._layout.shape.pages is not None and not self._form.choice.kind.to_look_around
        return tr("{name}-book", name=name) if is_paged else name

    @Slot()
    def _ask_target(self) -> None:
        choice = self._form.choice
        suffix, last = choice.kind.suffixes[0], self._preferences.word("export folder")
        folder = proposed_folder(last, self._session.path, self._document.album.roots)
        start = str(folder / f"{self._proposed_stem()}{suffix}")
        filters = f"{tr(choice.kind.title)} (*{suffix})"
        ask_user.target(self, tr("Export"), start, filters, suffix[1:], lambda paths: self.export_to(paths[0]))

    def export_to(self, path: Path) -> None:
        """Write the sheet to a file; meanwhile the dialog shows the progress and can cancel it."""
        self._preferences.remember("export folder", str(path.parent))
        self._polished_first(lambda document: self._export_document(document, path))

    def _export_document(self, document: Document, path: Path) -> None:
        with_list = self._form.hanging_list.isChecked() and not self._form.hanging_list.isHidden()
        self._writer.write(document, document.layout or self._layout, path, self._form.choice.settings, with_list)

    def _find_lost(self, photos: frozenset[int]) -> None:
        """Close, because the sheet of this dialog lacks these photos, and look for them."""
        self.reject()
        self._find(photos)

    @Slot(object)
    def _on_written(self, written: tuple[tuple[Path, ...], str, int]) -> None:
        files, remark, size = written
        self._adopt()
        names = " … ".join(dict.fromkeys((files[0].name, files[-1].name)))
        folder = short_folder(files[0].parent)
        written_words = tr("Wrote {name} into {folder}, {size}.", name=names, folder=folder, size=in_bytes(size))
        self._facts.say(f"{written_words} {remark}".rstrip(), WARNING if remark else SUCCESS)
        self._foot.offer_folder(files[0])
        self._foot.tell_target(None)  # the next file gets another name, which would be confused with this one

    @Slot()
    def _on_jobs(self) -> None:
        if not self._writer.is_busy and self._waits != self._arranging:
            self._on_change()

    @Slot()
    def _on_busy(self) -> None:
        if self._writer.is_busy:
            self.setFocus()  # from the button, which is disabled now, the keyboard would go on to the first card
        self._form.setEnabled(not self._writer.is_busy)
        self._foot.set_busy(self._writer.is_busy)

    def reject(self) -> None:
        """Cancel the export that is under way, or close the dialog if there is none."""
        if self._writer.is_busy:
            self._writer.cancel()
        else:
            super().reject()

    def _keep(self) -> None:
        """Remember the choice in the preferences, and the titles and the cover in the document."""
        try:
            choice = self._form.choice
        except AlbumError:
            return
        self._preferences.remember(LIST_WANTED, "yes" if self._form.hanging_list.isChecked() else "")
        for key in self._memory_keys():
            self._preferences.remember(key, as_words(choice))
        document = self._session.document
        if document is not None and document.album is self._document.album:
            settings = choice.settings
            self._session.edit(titled, settings.title, settings.subtitle, settings.cover)

    def done(self, result: int) -> None:
        self._asking = True  # ask nothing any more
        self._folder = None  # look for no name in it any more
        self._fit.give_up()
        self._keep()
        self._preview_timer.blockSignals(True)  # draw and measure nothing any more
        for kind in (
            JobKind.EXPORT_CARDS,
            JobKind.EXPORT_FOLDER,
            JobKind.EXPORT_PREVIEW,
            JobKind.EXPORT_SIZE,
            JobKind.EXPORT,
            JobKind.PRESETS,
        ):
            self._jobs.cancel(kind)
        super().done(result)


def cover_photos(session: Session, document: Document) -> list[str]:
    """The names of photos that the cover of a book can show: the one that was chosen, and the selected ones."""
    names = [photo.name for photo in document.album.photos]
    chosen = [document.cover] if document.cover in names else []
    return list(dict.fromkeys([*chosen, *(names[photo] for photo in session.selected[-MOST_COVER_PHOTOS:])]))
