"""The Shape section: which kind of shape the sheet has, with how many cells, and a small picture of the cells."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
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
from album_app.gui.panel.shape_fields import BookFields, GridFields, LetteringFields, in_column
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
from album_app.layout.options import Options
from album_app.layout.project.document import Document, unplaced
from album_app.layout.shapes.frames import SheetGeometry
from album_app.layout.shapes.outlines import MAX_CELLS
from album_app.layout.shapes.pages import usual_grid
from album_app.layout.shapes.shape import KINDS, Shape, ShapeSpec, grid_instead
from album_app.photos.cache import Cache
from album_app.photos.decoding.image_formats import name_patterns
from album_app.photos.quality import quality_of

PICTURE_HEIGHT_PX = 96
"""Height of the small picture of a shape."""
PICTURE_CELL_PX = 8
"""Side of a cell in that picture before it is scaled to fit."""
PREVIEW_MS = 60
"""After the last change in the section, the picture follows within this time."""
APPLY_MS = 450
"""After the last change in the section, the sheet follows within this time: long enough to type the next letter."""
KINDS_WITHOUT_PICTURE = ("auto", "rectangle", "rows")
"""Kinds of shapes whose picture would only show a grid."""


class ShapePreview(QWidget):
    """A small picture of a shape's cells; if the shape has letters, a legend explains the colour of their middles."""

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
        """Paint the colour that the legend explains as it is in the current theme."""
        side = self._colour.fontMetrics().ascent()
        square = QPixmap(side, side)
        square.fill(QColor(theme.current().pin))
        self._colour.setPixmap(square)


class ShapePicture(QWidget):
    """Paints the cells of a shape, and the cell in the middle of each letter in another colour."""

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
        fitted = picture.scaled(  # `scaled` averages, so that gaps narrower than a pixel all look alike
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


class RepeatOffer(QPushButton):
    """Offers to fill the letters by repeating photos, for example thirty photos in a word of a hundred cells."""

    def __init__(self, accept: Callable[[int], None]) -> None:
        super().__init__()
        self._cells = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # as wide as the panel, never wider
        self.clicked.connect(lambda checked=False: accept(self._cells))
        self.hide()

    def offer(self, cells: int, repeats: bool = False) -> None:
        """Offer letters with `cells` cells.

        0 offers one cell per photo if photos are repeated now, and hides the offer otherwise.
        """
        self._cells = cells
        more = trn("Repeat photos on {count} cell", "Repeat photos on {count} cells", cells)
        self.setText(more if cells else tr("As many cells as photos"))
        self.setVisible(cells > 0 or repeats)


def repeats(spec: ShapeSpec) -> bool:
    """Whether a spec has letters with more cells than photos, so that photos are repeated."""
    return spec.kind == "text" and spec.cells > 0


def fill_with(document: Document, spec: ShapeSpec) -> dict[str, str]:
    """The option for spare cells that a new spec needs: repeats for letters with more cells than photos.

    After such letters the option goes back to its default; it stays as it is in all other cases.
    """
    if repeats(spec) and not repeats(document.spec):
        return {"fill": "repeat"}
    over = repeats(document.spec) and not repeats(spec) and document.options.fill == "repeat"
    return {"fill": Options.fill} if over else {}


class ShapeSection(Section):
    """Shows and changes the document's shape; the small picture follows a change at once, the sheet a moment later.

    `apply_timer` runs between the last change and the moment when the sheet follows.
    """

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
        self._size_words = ""  # the size of the sheet
        self._spec = ShapeSpec()
        self._kind = ChoiceBox({key: tr(kind.title) for key, kind in KINDS.items()})
        self._fields = QStackedWidget()
        self._grid = GridFields(lambda: len(photos.taking_part()), self._count_covered)
        self._lettering = LetteringFields(reshaping.list_fonts)
        self._book = BookFields()
        self._lettering.changed.connect(self._on_letters)
        for asking in (self._grid, self._book):
            asking.changed.connect(lambda changes: self._change(**changes))
        self._fields_for: dict[str, QWidget] = {
            "aspect": self._aspect_field(),
            "size": self._grid,
            "pages": self._book,
            "text": self._lettering,
            "mask": self._mask_fields(),
            "cells": self._cells_field(),
        }
        for fields in self._fields_for.values():
            self._fields.addWidget(fields)
        self._preview = ShapePreview()
        self._summary = StatusLine(tr("Size of the sheet"))
        self._repeat = RepeatOffer(self._repeat_photos)
        self._sizes = LabelledSlider(tr("Vary sizes"), tr("Equal sizes"), tr("Vary sizes"))
        self._sizes.setToolTip(
            tr("Some good photos that stand for others cover 2 × 2 or 3 × 3 cells, and the sheet grows with them.")
        )
        self._sizes.changed.connect(self._vary_sizes)
        kind = named(self._kind, tr("Shape"))
        for widget in (kind, self._fields, self._preview, self._summary, self._repeat, self._sizes):
            self.body.addWidget(widget)
        self._kind.activated.connect(self._on_kind)
        self._preview_timer = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._preview_timer.timeout.connect(self._show_preview)
        self.apply_timer = QTimer(self, singleShot=True, interval=APPLY_MS)
        self.apply_timer.timeout.connect(self._apply)
        boxes = (
            self._grid.rows,
            self._grid.columns,
            self._grid.photos,
            self._lettering.text,
            self._cells,
            *self._book.boxes,
        )
        SheetUndo(*boxes, give_up=self.give_up)
        session.opened.connect(self._start_over)
        session.document_changed.connect(self.refresh)
        session.layout_changed.connect(self._count_again)
        photos.fewer_take_part.connect(self._count_again)
        self.refresh()  # an album may have been opened before the panel was made

    def _count_covered(self) -> int:
        """Cells that large photos on the sheet need in addition to one each."""
        document = self._session.document
        return 0 if document is None or document.layout is None else document.layout.covered

    def _aspect_field(self) -> QWidget:
        tall, wide = tr("Tall"), tr("Wide")
        self._aspect = LabelledSlider(tr("Aspect of the sheet"), tall, wide, -1.2, 1.2, lambda value: self._size_words)
        self._aspect.changed.connect(lambda value: self._change(aspect=round(2**value, 3)))
        return in_column(self._aspect)

    def _mask_fields(self) -> QWidget:
        self._mask = QLabel()
        self._mask.setWordWrap(True)
        self._mask.setMinimumWidth(1)  # a long name must not widen the panel
        self._inverted = QCheckBox(tr("Photos where it is light"))
        self._inverted.clicked.connect(lambda on: self._change(inverted=on))
        choose = button(tr("Choose a picture…"), self._choose_mask, tr("Choose a black and white picture as mask"))
        choose.setToolTip(tr("Photos go where the picture is dark."))
        return in_column(self._mask, choose, self._inverted)

    def _cells_field(self) -> QWidget:
        self._cells = QSpinBox()
        self._cells.setRange(0, MAX_CELLS)
        self._cells.setSpecialValueText(tr("as many as photos"))
        self._cells.valueChanged.connect(lambda cells: self._change(cells=cells))
        return in_column(row(tr("Cells"), self._cells))

    @Slot()
    def _start_over(self) -> None:
        """Show the document as it is, and forget a change that the sheet has not followed yet."""
        self._preview_timer.stop()
        self.apply_timer.stop()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the document's shape, unless the sheet is about to follow a change made here."""
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
        self._show_fields(spec.kind)
        self._aspect.show_value(math.log2(max(spec.aspect, 0.01)))
        self._grid.show_spec(spec, shape)
        self._lettering.show_spec(spec)
        self._book.show_spec(spec, shape)
        self._inverted.setChecked(spec.inverted)
        self._mask.setText(Path(spec.mask).name if spec.mask else tr("No picture chosen"))
        self._cells.setValue(spec.cells)

    def _show_fields(self, kind: str) -> None:
        """Show the fields of this kind of shape, and make the stack as tall as they are."""
        fields = self._fields_for[KINDS[kind].asks]
        self._fields.setCurrentWidget(fields)
        self._fields.setFixedHeight(fields.sizeHint().height())

    def _without_cell(self, document: Document) -> str:
        """How many photos have no cell, and how many of these need none, because they lie in a stack without one."""
        without = unplaced(document, self._photos.pictures.damaged)
        below = sum(photo in document.covered for photo in without)
        more = trn("{count} of them under another photo", "{count} of them under other photos", below)
        return f"{no_cell_words(len(without))}, {more}" if below else no_cell_words(len(without))

    def _summarise(self, shape: Shape) -> None:
        document, photos = self._session.document, self._photos.taking_part()
        missing = 0 if document is None else len(document.missing.intersection(photos))
        name = tr(KINDS[shape.name].title) if shape.name in KINDS else shown(shape.name)
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
        size = "; ".join(filter(None, (size, self._without_cell(document) if settled and document else "")))
        size = size.replace(" × ", "\u00a0×\u00a0")  # keeps the size on one line
        self._summary.say("\n".join(filter(None, (size, shape.remark))), WARNING if shape.readable_from else NOTE)
        self._repeat.offer(shape.readable_from if shape.readable_from > shape.count else 0, repeats(self._spec))
        self.set_note(sized)
        self._size_words = sized
        self._aspect.tell_value()

    def refresh_theme(self) -> None:
        super().refresh_theme()
        for line in self.findChildren(StatusLine):
            line.refresh_theme()
        for preview in self.findChildren(ShapePreview):
            preview.refresh_theme()

    @Slot()
    def _count_again(self) -> None:
        """Say the number of photos again: some may have turned out to be damaged, or have been stacked."""
        document = self._session.document
        if document is not None and self._spec == document.spec:
            self._summarise(document.shape)

    @Slot(int)
    def _on_kind(self, index: int) -> None:
        kind = self._kind.itemData(index)
        self._show_fields(kind)
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
        """Enlarge photos that stand for others; for an amount of 0 all photos are equally large again."""

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
        self.apply_timer.start()

    @property
    def is_ahead(self) -> bool:
        """Whether the sheet is about to follow a change made here."""
        return self.apply_timer.isActive()

    def give_up(self) -> bool:
        """Forget a change that the sheet has not followed yet; returns whether there was one."""
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
        self._preview.setVisible(self._spec.kind not in KINDS_WITHOUT_PICTURE)
        self._summarise(shape)

    def _on_impossible(self, spec: ShapeSpec, error: Exception) -> bool:
        """Say in this section why the shape is impossible, if that is why; returns whether the error was handled."""
        is_explained = isinstance(error, AlbumError)
        if is_explained and spec == self._spec:
            self._summary.say(sentence(str(error)), ERROR)
            self._repeat.offer(error.needed if isinstance(error, TooFewCells) else 0, repeats(self._spec))
        return is_explained

    def _repeat_photos(self, cells: int) -> None:
        """Give the letters this many cells (0: one per photo) and repeat photos in them, as one step of undo."""
        self._change(cells=cells)
        self.apply_timer.stop()
        self._apply()

    @Slot(dict)
    def _on_letters(self, changes: dict[str, object]) -> None:
        """Take over what the fields say; a new text starts with one cell per photo again."""
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
    """The filter of a file dialog that asks for a picture as mask."""
    return tr("Pictures ({patterns});;All files (*)", patterns=name_patterns())


def _is_blank(spec: ShapeSpec) -> bool:
    return spec.kind == "text" and not spec.text.strip()
