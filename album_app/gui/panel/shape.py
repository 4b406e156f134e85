"""The section Shape: rectangle, figure, letters or book, how many cells, and a small picture of them."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from album_app.errors import AlbumError, TooFewCells
from album_app.gui.controls import ask_user
from album_app.gui.controls.bars import ERROR, NOTE, WARNING, StatusLine
from album_app.gui.controls.input import SheetUndo
from album_app.gui.controls.sections import ChoiceBox, LabelledSlider, Section, button, muted, named, row
from album_app.gui.panel.lettering import LetteringPage, RepeatOffer, fill_with, repeats
from album_app.gui.state.advice import Advice
from album_app.gui.state.photo_store import Features, PhotoStore
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Reshaping
from album_app.gui.style import theme
from album_app.gui.style.wording import cells_words, no_cell_words, photos_words, sentence
from album_app.language import shown, tr, trn
from album_app.layout.editing.edits import sizes_varied
from album_app.layout.editing.timeline import compared
from album_app.layout.project.document import Document
from album_app.layout.shapes.frames import SheetGeometry
from album_app.layout.shapes.pages import usual_grid
from album_app.layout.shapes.shape import KINDS, Shape, ShapeSpec, grid_instead
from album_app.photos.cache import Cache
from album_app.photos.decoding.image_formats import name_patterns
from album_app.photos.quality import quality_of

PICTURE_HEIGHT_PX = 96
PICTURE_CELL_PX = 8
LARGEST_PAGE_SIDE, MOST_PAGES = 100, 5000


class ShapePreview(QWidget):
    """A picture of a shape's cells; a legend explains the colour that marks the middles of letters."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview of the shape"))
        self._picture = ShapePicture()
        self._legend = QWidget()
        self._colour = QLabel()
        line = QHBoxLayout(self._legend)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(7)
        line.addWidget(self._colour, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(muted(tr("The middle of a letter: “Letters”, under Pins, pins a photo there."), wrap=True), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self._picture, self._legend):
            column.addWidget(part)
        self.refresh_theme()

    def set_shape(self, shape: Shape) -> None:
        self._picture.set_shape(shape)
        self._legend.setVisible(bool(shape.centres))
        self.setAccessibleDescription(f"{shown(shape.name)}, {cells_words(shape.count)}")

    def refresh_theme(self) -> None:
        """Show the colour that the words are about."""
        side = self._colour.fontMetrics().ascent()
        square = QPixmap(side, side)
        square.fill(QColor(theme.current().pin))
        self._colour.setPixmap(square)


class ShapePicture(QWidget):
    """Paints the cells of a shape as one picture, the middles of letters in another colour."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shape: Shape | None = None
        self._drawn: tuple[str, QImage] | None = None  # the palette it was drawn with, and the picture

    def sizeHint(self) -> QSize:
        return QSize(200, PICTURE_HEIGHT_PX)

    def set_shape(self, shape: Shape) -> None:
        self._shape, self._drawn = shape, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shape is None:
            return
        if self._drawn is None or self._drawn[0] != theme.current().name:
            self._drawn = theme.current().name, _picture(self._shape)
        picture, ratio = self._drawn[1], self.devicePixelRatioF()
        scale = min(self.width() / picture.width(), self.height() / picture.height(), 1.5)
        width, height = picture.width() * scale, picture.height() * scale
        fitted = picture.scaled(  # which averages, so that gaps of less than a pixel are all alike
            QSizeF(width * ratio, height * ratio).toSize().expandedTo(QSize(1, 1)),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        with QPainter(self) as painter:
            painter.drawImage(QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height), fitted)


def _picture(shape: Shape) -> QImage:
    palette = theme.current()
    sheet = SheetGeometry(shape.frames(), PICTURE_CELL_PX, PICTURE_CELL_PX)
    width, height = math.ceil(sheet.width), math.ceil(sheet.height)
    picture = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    inside, middle = (0xFF000000 | int(colour[1:], 16) for colour in (palette.accent, palette.pin))
    pixels = np.frombuffer(picture.bits(), np.uint32).reshape(height, width)
    for x, y, across, down in sheet.pixel_rects.tolist():
        pixels[y + 1 : y + down, x + 1 : x + across] = inside
    for centre in shape.centres:
        x, y, across, down = sheet.pixel_rect(centre)
        pixels[y + 1 : y + down, x + 1 : x + across] = middle
    return picture


class BookPage(QWidget):
    """Shows and changes what a spec says of its pages.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self) -> None:
        super().__init__()
        pages, rows, columns = QSpinBox(), QSpinBox(), QSpinBox()
        pages.setRange(0, MOST_PAGES)
        pages.setSpecialValueText(tr("as many as needed"))
        for side in (rows, columns):
            side.setRange(1, LARGEST_PAGE_SIDE)
        self.boxes = (pages, rows, columns)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        names = (tr("Pages"), tr("Page rows"), tr("Page columns"))
        for box, name, field in zip(self.boxes, names, ("pages", "rows", "columns"), strict=True):
            box.setAccessibleName(name)
            box.valueChanged.connect(lambda value, field=field: self.changed.emit({field: value}))
            column.addWidget(row(name, box))
        self._chapters = QCheckBox(tr("Pages are chapters"))
        self._chapters.setToolTip(tr("Photos in the order of time; pages break where it pauses longest."))
        self._chapters.clicked.connect(lambda on: self.changed.emit({"chapters": on}))
        column.addWidget(self._chapters)
        self._fill = QCheckBox(tr("Photos fill the page"))
        self._fill.setToolTip(tr("Where a page has empty cells, its photos grow until they fill it."))
        self._fill.clicked.connect(lambda on: self.changed.emit({"fill_pages": on}))
        column.addWidget(self._fill)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show what was asked for; where nothing was, what came of it."""
        rows, columns = usual_grid(shape.count) if shape.pages is None else (shape.pages.rows, shape.pages.columns)
        asked = (spec.pages, spec.rows or rows, spec.columns or columns) if spec.kind == "pages" else (0, rows, columns)
        for box, value in zip(self.boxes, asked, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        self._chapters.setChecked(spec.chapters)
        self._fill.setChecked(spec.fill_pages)


LARGEST_SIDE = 1000


class GridPage(QWidget):
    """Shows and changes the rows and columns of a spec.

    Signals:
        changed(dict): fields of the spec that the user gave another value
    """

    changed = Signal(dict)

    def __init__(self, count_photos: Callable[[], int]) -> None:
        super().__init__()
        self._count_photos = count_photos
        self.rows, self.columns = QSpinBox(), QSpinBox()
        for box, name in ((self.rows, tr("Rows")), (self.columns, tr("Columns"))):
            box.setRange(1, LARGEST_SIDE)
            box.setAccessibleName(name)
        self._lock = QCheckBox(tr("Keep a cell for every photo"))
        self._lock.setChecked(True)
        self.rows.valueChanged.connect(lambda rows: self._on_size(rows=rows))
        self.columns.valueChanged.connect(lambda columns: self._on_size(columns=columns))
        self._lock.toggled.connect(lambda on: self._on_size(rows=self.rows.value()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (row(tr("Rows"), self.rows), row(tr("Columns"), self.columns), self._lock):
            column.addWidget(widget)
        column.addStretch(1)

    def show_spec(self, spec: ShapeSpec, shape: Shape) -> None:
        """Show what was asked for; where photos have no cell, nothing says that each keeps one."""
        self._show_size(spec.rows or shape.rows, spec.columns or shape.columns)
        if spec.kind == "rectangle" and shape.count < self._count_photos():
            self.keep_a_cell_for_every_photo(False)

    def keep_a_cell_for_every_photo(self, on: bool) -> None:
        """Tick the box or not, without another size."""
        with QSignalBlocker(self._lock):
            self._lock.setChecked(on)

    def _on_size(self, rows: int = 0, columns: int = 0) -> None:
        photos = max(1, self._count_photos())
        if self._lock.isChecked():
            rows, columns = (rows, -(-photos // rows)) if rows else (-(-photos // columns), columns)
        else:
            rows, columns = rows or self.rows.value(), columns or self.columns.value()
        self._show_size(rows, columns)
        self.changed.emit({"kind": "rectangle", "rows": rows, "columns": columns})

    def _show_size(self, rows: int, columns: int) -> None:
        for box, value in ((self.rows, rows), (self.columns, columns)):
            with QSignalBlocker(box):
                box.setValue(value)


PREVIEW_MS, APPLY_MS = 60, 450
PLAIN = ("auto", "rectangle", "rows")
"""Kinds of shapes whose small picture would only show a grid."""


class ShapeSection(Section):
    """Shows and changes the document's shape; a preview follows at once, the sheet a moment later."""

    def __init__(
        self,
        session: Session,
        photos: PhotoStore,
        reshaping: Reshaping,
        advice: Advice,
        preferences: Preferences,
    ) -> None:
        super().__init__(tr("Shape"))
        self._session, self._photos, self._reshaping, self._preferences = session, photos, reshaping, preferences
        self._advice = advice
        self._filling = False
        self._outcome = ""  # the size of the sheet, in words
        self._spec = ShapeSpec()
        self._kind = ChoiceBox({key: tr(kind.title) for key, kind in KINDS.items()})
        self._pages = QStackedWidget()
        self._grid = GridPage(lambda: len(photos.taking_part()))
        self._lettering = LetteringPage(reshaping.list_fonts)
        self._book = BookPage()
        self._lettering.changed.connect(self._on_letters)
        for asking in (self._grid, self._book):
            asking.changed.connect(lambda changes: self._change(**changes))
        self._page_for: dict[str, QWidget] = {
            "aspect": self._aspect_page(),
            "size": self._grid,
            "pages": self._book,
            "text": self._lettering,
            "mask": self._mask_page(),
            "cells": self._cells_page(),
        }
        for page in self._page_for.values():
            self._pages.addWidget(page)
        self._preview = ShapePreview()
        self._summary = StatusLine(tr("Size of the sheet"))
        self._repeat = RepeatOffer(self._repeat_photos)
        self._sizes = LabelledSlider(tr("Vary sizes"), tr("Equal sizes"), tr("Vary sizes"))
        self._sizes.setToolTip(
            tr("Some good photos that stand for others cover 2 × 2 or 3 × 3 cells, and the sheet grows with them.")
        )
        self._sizes.changed.connect(self._vary_sizes)
        kind = named(self._kind, tr("Shape"))
        for widget in (kind, self._pages, self._preview, self._summary, self._repeat, self._sizes):
            self.body.addWidget(widget)
        self._kind.activated.connect(self._on_kind)
        self._preview_timer = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._preview_timer.timeout.connect(self._show_preview)
        self._apply_timer = QTimer(self, singleShot=True, interval=APPLY_MS)
        self._apply_timer.timeout.connect(self._apply)
        boxes = (self._grid.rows, self._grid.columns, self._lettering.text, self._cells, *self._book.boxes)
        SheetUndo(*boxes, give_up=self.give_up)
        session.opened.connect(self._start_over)
        session.document_changed.connect(self.refresh)
        session.layout_changed.connect(self._count_again)
        photos.fewer_take_part.connect(self._count_again)
        self.refresh()  # an album may have been opened before the panel is there

    def _aspect_page(self) -> QWidget:
        tall, wide = tr("Tall"), tr("Wide")
        self._aspect = LabelledSlider(tr("Aspect of the sheet"), tall, wide, -1.2, 1.2, lambda value: self._outcome)
        self._aspect.changed.connect(lambda value: self._change(aspect=round(2**value, 3)))
        return _page(self._aspect)

    def _mask_page(self) -> QWidget:
        self._mask = QLabel()
        self._mask.setWordWrap(True)
        self._mask.setMinimumWidth(1)  # a long name must not widen the panel
        self._inverted = QCheckBox(tr("Where it is light instead"))
        self._inverted.clicked.connect(lambda on: self._change(inverted=on))
        choose = button(tr("Choose a picture…"), self._choose_mask, tr("Choose a black and white picture as mask"))
        choose.setToolTip(tr("Photos go where the picture is dark."))
        return _page(self._mask, choose, self._inverted)

    def _cells_page(self) -> QWidget:
        self._cells = QSpinBox()
        self._cells.setRange(0, 100_000)
        self._cells.setSpecialValueText(tr("as many as photos"))
        self._cells.valueChanged.connect(lambda cells: self._change(cells=cells))
        return _page(row(tr("Cells"), self._cells))

    @Slot()
    def _start_over(self) -> None:
        """Show the document as it is; what was about to be changed is gone."""
        self._preview_timer.stop()
        self._apply_timer.stop()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the document says, unless the user is just changing it."""
        document = self._session.document
        if document is None or self.is_ahead:
            return
        self._spec = document.spec
        self._filling = True
        self._fill(document.spec, document.shape)
        if not self._sizes.slider.isSliderDown():
            self._sizes.show_value(document.variation.amount)
        self._sizes.setVisible(document.spec.has_sizes)
        self._filling = False
        self._on_preview(document.shape)

    def _fill(self, spec: ShapeSpec, shape: Shape) -> None:
        self._kind.show_value(spec.kind)
        self._show_page(spec.kind)
        self._aspect.show_value(math.log2(max(spec.aspect, 0.01)))
        self._grid.show_spec(spec, shape)
        self._lettering.show_spec(spec)
        self._book.show_spec(spec, shape)
        self._inverted.setChecked(spec.inverted)
        self._mask.setText(Path(spec.mask).name if spec.mask else tr("No picture chosen"))
        self._cells.setValue(spec.cells)

    def _show_page(self, kind: str) -> None:
        """What this kind asks; the stack is as tall as the page it shows."""
        page = self._page_for[KINDS[kind].asks]
        self._pages.setCurrentWidget(page)
        self._pages.setFixedHeight(page.sizeHint().height())

    def _summarise(self, shape: Shape) -> None:
        document, photos = self._session.document, self._photos.taking_part()
        missing = 0 if document is None else len(document.missing.intersection(photos))
        name = shown(shape.name)
        sized = re.sub(r"(?<=\d)x(?=\d)", " × ", name)
        if shape.is_justified:
            sized = trn("{count} row", "{count} rows", shape.rows)
        grid = sized if shape.pages is not None or shape.is_justified else f"{shape.rows} × {shape.columns}"
        size = trn(
            "{photos} for {count} cell, {grid}",
            "{photos} for {count} cells, {grid}",
            shape.count,
            photos=photos_words(len(photos)),
            grid=grid,
        )
        size += trn("; {count} missing", "; {count} missing", missing) if missing else ""
        settled = document is not None and shape is document.shape and document.is_settled
        size = "; ".join(filter(None, (size, no_cell_words(self._photos.counts().unplaced) if settled else "")))
        size = size.replace(" × ", "\u00a0×\u00a0")  # a size is not broken over two lines
        self._summary.say("\n".join(filter(None, (size, shape.remark))), WARNING if shape.readable_from else NOTE)
        self._repeat.offer(shape.readable_from if shape.readable_from > shape.count else 0, repeats(self._spec))
        self.set_note(sized)
        self._outcome = sized
        self._aspect.tell_value()

    def refresh_theme(self) -> None:
        super().refresh_theme()
        for line in self.findChildren(StatusLine):
            line.refresh_theme()
        for preview in self.findChildren(ShapePreview):
            preview.refresh_theme()

    @Slot()
    def _count_again(self) -> None:
        """Photos may have turned out damaged, or been stacked."""
        document = self._session.document
        if document is not None and self._spec == document.spec:
            self._summarise(document.shape)

    @Slot(int)
    def _on_kind(self, index: int) -> None:
        kind = self._kind.itemData(index)
        self._show_page(kind)
        document = self._session.document
        if document is None:
            return
        if kind == "mask" and not self._spec.mask:
            self._choose_mask()
            return
        photos = len(self._photos.taking_part())
        rows, columns = usual_grid(photos) if kind == "pages" else grid_instead(document.shape, photos)
        size: dict[str, object] = {"rows": rows, "columns": columns} if kind in ("rectangle", "pages") else {}
        if kind == "pages":
            size["fill_pages"] = True
        self._grid.keep_a_cell_for_every_photo(rows * columns >= photos)
        self._change(kind=kind, cells=0, **size)
        if kind == "text":
            self._lettering.text.setFocus()

    @Slot(float)
    def _vary_sizes(self, amount: float) -> None:
        """Have photos that stand for others become larger, or all of them equally large again."""

        def find(document: Document, features: Features, photos: Sequence[int]) -> dict[int, int]:
            from album_app.layout.arranging.large_photos import varied_sizes

            by_hand = document.sizes.keys() - document.variation.photos
            known = [photo for photo in photos if photo not in document.missing]
            with Cache.open() as cache:
                quality = quality_of(document.album.photos, cache) if amount else None
            return varied_sizes(compared(document, features), known, amount, quality, by_hand)

        if not self._filling:
            self._advice.find(find, lambda larger: self._session.edit(sizes_varied, amount, larger))

    def _choose_mask(self) -> None:
        def on_paths(paths: list[Path]) -> None:
            self._mask.setText(paths[0].name)
            self._preferences.remember("mask folder", str(paths[0].parent))
            self._change(kind="mask", mask=str(paths[0]))

        start = self._preferences.word("mask folder") or self._preferences.word("folder", str(Path.home()))
        dialog = ask_user.files(self.window(), tr("Choose a mask"), start, picture_files(), on_paths, many=False)
        dialog.rejected.connect(self.refresh)

    def _change(self, **changes: object) -> None:
        if self._filling:
            return
        self._spec = replace(self._spec, **changes)  # type: ignore[arg-type]
        self._preview_timer.start()
        self._apply_timer.start()

    @property
    def is_ahead(self) -> bool:
        """Whether a change is about to be sent to the sheet."""
        return self._apply_timer.isActive()

    def give_up(self) -> bool:
        """Forget a change that the sheet has not followed yet; whether there was one."""
        document = self._session.document
        if document is None or self._spec == document.spec:
            return False
        self._reshaping.give_up()
        self._start_over()
        return True

    @Slot()
    def _show_preview(self) -> None:
        spec, document = self._spec, self._session.document
        if document is None:
            return
        if _is_blank(spec):
            self._reshaping.give_up_preview()
            self._on_preview(document.shape)
            return
        self._reshaping.preview(spec, self._on_preview, lambda error: self._on_impossible(spec, error))

    def _on_preview(self, shape: Shape) -> None:
        self._preview.set_shape(shape)
        self._preview.setVisible(self._spec.kind not in PLAIN)
        self._summarise(shape)

    def _on_impossible(self, spec: ShapeSpec, error: Exception) -> bool:
        """A shape that cannot be is explained here, where it is being made, until something else is wanted."""
        foreseen = isinstance(error, AlbumError)
        if foreseen and spec == self._spec:
            self._summary.say(sentence(str(error)), ERROR)
            self._repeat.offer(error.needed if isinstance(error, TooFewCells) else 0, repeats(self._spec))
        return foreseen

    def _repeat_photos(self, cells: int) -> None:
        """Give letters the cells they need, and fill them with the photos again and again: one step of undo.

        Or, for 0, one cell for each photo again.
        """
        self._change(cells=cells)
        self._apply_timer.stop()
        self._apply()

    @Slot(dict)
    def _on_letters(self, changes: dict[str, object]) -> None:
        """Another text starts again at as many cells as photos: repeating was for the one before."""
        self._change(**changes, **({"cells": 0} if "text" in changes else {}))

    @property
    def _name(self) -> str:
        return tr("Shape: {title}", title=tr(KINDS[self._spec.kind].title))

    def _apply(self) -> None:
        spec, document = self._spec, self._session.document
        if not _is_blank(spec) and document is not None:
            self._reshaping.start(
                spec,
                self._name,
                merge=f"shape {spec.kind}",
                on_error=lambda error: self._on_impossible(spec, error),
                **fill_with(document, spec),
            )


def picture_files() -> str:
    """The filter of a file dialog for masks."""
    return tr("Pictures ({patterns});;All files (*)", patterns=name_patterns())


def _is_blank(spec: ShapeSpec) -> bool:
    return spec.kind == "text" and not spec.text.strip()


def _page(*widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(8)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return page
