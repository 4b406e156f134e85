"""The form of the export dialog: which controls a format has, and the choices made in them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app import render
from album_app.errors import AlbumError
from album_app.gui.controls.sections import ChoiceBox, ColourBox, LabelledSlider, Section, align_rows, named, row
from album_app.gui.style import theme
from album_app.gui.style.design import SNUG
from album_app.gui.style.icons import icon
from album_app.language import mark, tr
from album_app.render.presets import MOST_CELLS, PRESETS, Choice

END_PX = 10
"""Space between the fields and their scroll bar."""
AUTO = -1.0
"""The value of a length that stands for “Automatic”; lengths start at 0."""
AUTO_CELL = 3
"""The size of a cell that stands for “Automatic”: one pixel less than the smallest size."""
BY_CELL, CUSTOM = mark("By cell size"), mark("Custom size…")
OWN = mark("No preset")
TEMPLATE = mark("Template…")
"""Entries of the lists that stand for a choice made in other fields."""
POSTER_PAGES = ("", "A4", "A3", mark("Letter"), mark("Tabloid"))
WORDS = {
    "crop": mark("Fill the cell"),
    "whole": mark("Show the whole photo"),
    "none": mark("None"),
    "title": mark("Title or own text"),
    "name": mark("File name"),
    "date": mark("Date taken"),
    "auto": mark("Automatic"),
    "portrait": mark("Portrait"),
    "landscape": mark("Landscape"),
    "": mark("One page"),
}
PAGE_TITLE_WORDS = {
    "number": mark("Numbers"),
    "date": mark("Numbers and dates"),
    "chapter": mark("Numbers, and chapters above"),
}
COVER_WORDS = dict(
    zip(render.COVERS, (mark("A photo, automatically"), mark("Many photos"), mark("No picture")), strict=True)
)


def spaced(paper: str) -> str:
    """The size of a paper with spaces, as people write it.

    >>> spaced("148x105mm")
    '148 × 105 mm'
    """
    sizes = re.sub(r"(?<=\d)\s*[x×*]\s*(?=\d)", " × ", paper)
    return re.sub(r"(?<=\d)\s*(?=[a-z])", " ", sizes)


class ExportForm(QWidget):
    """The settings of an export; `choice` is what the user has chosen in them.

    Signals:
        changed(): the user changed a setting
        preset_to_save(): the user wants to save the settings as a preset
        preset_to_delete(str): the user wants to delete the preset of this name
    """

    changed = Signal()
    preset_to_save = Signal()
    preset_to_delete = Signal(str)

    def __init__(
        self,
        parent: QWidget | None = None,
        is_book: bool = False,
        can_fit: bool = True,
        can_choose_cells: bool = True,
        cover_photos: Sequence[str] = (),
        columns: tuple[str, ...] = (),
        colour_by: str = "",
        has_facets: bool = False,
    ) -> None:
        """`cover_photos` are the names of photos that the user can choose for a book's cover.

        `columns` are the columns of the album's table, which captions can name. Photos are framed in the colours of the
        column `colour_by`. `has_facets` says whether a web page of the album has anything to filter by.
        """
        super().__init__(parent)
        self._columns, self._colour_by, self._has_facets = columns, colour_by, has_facets
        self._own_presets: Mapping[str, Choice] = {}
        self._chapter_titles: tuple[tuple[int, str], ...] = ()
        self._is_book, self._can_fit, self._can_choose_cells = is_book, can_fit, can_choose_cells
        self._filling = False
        self._make_paper_fields()
        self._make_photo_fields()
        self._make_text_fields(cover_photos)
        self._make_file_fields()
        self.details = Section(tr("Details"), open_at_first=False)
        self.details.stand_alone()
        self._build()
        self._connect()
        self.fill(Choice())

    def _make_paper_fields(self) -> None:
        """Fields for the paper, and for its margin, gaps and bleed."""
        self._paper = _combo([BY_CELL, *render.PAPERS, CUSTOM], {paper: spaced(paper) for paper in render.PAPERS})
        self._custom = QLineEdit(placeholderText=tr("210x297mm or 3000x2000px"))
        self._cell = _spin(AUTO_CELL, 4096, " px")
        self._cell.setSpecialValueText(tr("Automatic"))
        self._dpi = _spin(1, 2400, " dpi")
        self._landscape = _combo(render.ORIENTATIONS)
        self._fit_paper = QCheckBox(tr("Fit the sheet to this paper"))
        self._fit_paper.setToolTip(
            tr("The photos are arranged to fill it. The preview shows them; the sheet changes when you export.")
        )
        self._cells = _spin(0, MOST_CELLS, "")
        self._cells.setSpecialValueText(tr("As now"))
        self._gap, self._margin = _measure(), _measure()
        self._bleed = QDoubleSpinBox(maximum=100, singleStep=1, decimals=1)
        self._cut_marks = QCheckBox(tr("Cut marks"))
        glued = {page: tr("Pages of {page}, to glue together", page=tr(page)) for page in POSTER_PAGES[1:]}
        self._poster = _combo(POSTER_PAGES, {**WORDS, **glued})

    def _make_photo_fields(self) -> None:
        """Fields for how the photos look."""
        self._background = ColourBox(tr("Background"), transparent=True)
        self._fit = _combo(render.FITS)
        self._corner = LabelledSlider(tr("Rounded corners"), tr("Square corners"), tr("Round"), 0.0, 0.5)
        self._border = QDoubleSpinBox(maximum=1000, singleStep=0.5, decimals=1)
        self._border_colour = ColourBox(tr("Border colour"))
        self._mark_pins = QCheckBox(tr("Mark the pinned photos"))
        self.polish = QCheckBox(tr("Polish before exporting"))
        self.polish.setToolTip(
            tr("Improves the sheet with the highest effort. It takes a second or more, and Undo brings the sheet back.")
        )

    def _make_text_fields(self, cover_photos: Sequence[str]) -> None:
        """Fields for titles and captions, and for a book's cover."""
        self._title = QLineEdit(placeholderText=tr("None", about="title"))
        self._subtitle = QLineEdit(placeholderText=tr("None", about="title"))
        self._caption = _combo([*render.CAPTIONS, TEMPLATE])
        self._template = QLineEdit(placeholderText="{title}, {date:%Y}")
        self._template.setAccessibleName(tr("Template of captions"))
        if self._columns:
            first = self._columns[1:3] or self._columns  # the first column usually names the files
            self._template.setPlaceholderText(", ".join(f"{{{column}}}" for column in first))
            self._template.setToolTip(tr("Columns of the table: {columns}", columns=", ".join(self._columns)))
        self._page_titles = _combo(render.PAGE_TITLES, {**WORDS, **PAGE_TITLE_WORDS})
        photos = {name: PurePosixPath(name).name for name in cover_photos}
        self._cover = ChoiceBox({**{name: tr(words) for name, words in COVER_WORDS.items()}, **photos})
        self._cover.setToolTip(tr("Select a photo on the sheet before you export, and it can be chosen here."))
        self.time_marks = QCheckBox(tr("Months along the edge"))

    def _make_file_fields(self) -> None:
        """Fields for presets, the format of the file, and what only some formats have."""
        self._preset = _combo([OWN, *PRESETS])
        self._save_preset = _tool("save", tr("Save these settings as a preset"))
        self._delete_preset = _tool("close", tr("Delete this preset"))
        self._format = _combo(render.FORMATS, {name: kind.title for name, kind in render.FORMATS.items()})
        self._quality = _spin(1, 100, " %")
        self._megabytes = _measure(" MB")
        self._names = QCheckBox(tr("Show the photos' names and dates"))
        self._filters = QCheckBox(tr("Let readers filter by folder, keywords and table"))
        self._filters.setToolTip(tr("The page then contains all columns of the table for each photo."))
        self._region_names = QCheckBox(tr("Names of regions, to be switched on and off"))
        self.hanging_list = QCheckBox(tr("Also write a hanging list (CSV)"))
        self.hanging_list.setToolTip(tr("Place and size of each photo in centimetres, in a file next to the export"))

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, END_PX, 0)
        column.setSpacing(8)
        self._rows = {
            "paper": row(tr("Size"), self._paper),
            "custom": row("", self._custom),
            "cell": row(tr("Cell"), self._cell),
            "dpi": row(tr("Resolution"), self._dpi),
            "landscape": row(tr("Orientation"), self._landscape),
            "fit_paper": self._fit_paper,
            "cells": row(tr("Cells, about"), self._cells),
            "poster": row(tr("Spread over"), self._poster),
            "quality": row(tr("Quality"), self._quality),
            "megabytes": row(tr("File at most"), self._megabytes),
            "names": self._names,
            "filters": self._filters,
            "region_names": self._region_names,
            "hanging_list": self.hanging_list,
            "bleed": row(tr("Bleed"), self._bleed, self._cut_marks),
            "page_titles": row(tr("Below pages"), self._page_titles),
            "subtitle": row(tr("Subtitle"), self._subtitle),
            "cover": row(tr("Cover"), self._cover),
        }
        self._rows["template"] = row("", self._template)
        self._custom.setAccessibleName(tr("Custom size"))
        main = ("paper", "custom", "landscape", "fit_paper", "cells", "names", "filters", "region_names")
        of_books = ("subtitle", "cover", "page_titles")
        for widget in (
            row(tr("Start from"), self._preset, self._save_preset, self._delete_preset),
            row(tr("Format"), self._format),
            *(self._rows[name] for name in main),
            row(tr("Title"), self._title),
            *(self._rows[name] for name in of_books),
            row(tr("Captions"), self._caption),
            self._rows["template"],
            self.time_marks,
            self.polish,
            self.details,
        ):
            column.addWidget(widget)
        for widget in (
            *(each for name, each in self._rows.items() if name not in (*main, *of_books, "template")),
            row(tr("Photos"), self._fit),
            row(tr("Gap"), self._gap),
            row(tr("Margin"), self._margin),
            row(tr("Background"), self._background),
            self._corner,
            row(tr("Border"), self._border, self._border_colour),
            self._mark_pins,
        ):
            self.details.body.addWidget(widget)
        column.addStretch(1)
        align_rows(self)

    @property
    def wanted_width(self) -> int:
        """The width at which all fixed choices can be read; names of photos and of the user's presets may be cut."""
        boxes = [box for box in self.findChildren(ChoiceBox) if box not in (self._cover, self._preset)]
        labels = [label for label in self.findChildren(QLabel) if label.buddy() in boxes]
        ticks = [tick.sizeHint().width() for tick in self.findChildren(QCheckBox) if tick is not self._cut_marks]
        named_boxes = (
            max(label.minimumWidth() for label in labels) + SNUG + max(box.sizeHint().width() for box in boxes)
        )
        return max(named_boxes, *ticks) + END_PX

    def _connect(self) -> None:
        for combo in (
            self._format,
            self._paper,
            self._landscape,
            self._fit,
            self._caption,
            self._page_titles,
            self._cover,
            self._poster,
        ):
            combo.currentIndexChanged.connect(self._on_change)
        lengths = (self._gap, self._margin, self._border, self._bleed, self._megabytes)
        for box in (self._cell, self._cells, self._dpi, self._quality, *lengths):
            box.valueChanged.connect(self._on_change)
        for line in (self._custom, self._title, self._subtitle, self._template):
            line.textChanged.connect(self._on_change)
        for colour in (self._background, self._border_colour):
            colour.changed.connect(self._on_change)
        self._corner.changed.connect(self._on_change)
        for check in (self._mark_pins, self.time_marks, self._fit_paper, self._cut_marks):
            check.toggled.connect(self._on_change)
        for check in (self._names, self._filters, self._region_names):
            check.toggled.connect(self._on_change)
        self._preset.activated.connect(self._on_preset)
        self._save_preset.clicked.connect(lambda checked=False: self.preset_to_save.emit())
        self._delete_preset.clicked.connect(
            lambda checked=False: self.preset_to_delete.emit(str(self._preset.currentData()))
        )

    @Slot()
    def _on_change(self) -> None:
        self._show_rows()
        if not self._filling:
            self._show_preset()
            self.changed.emit()

    @Slot(int)
    def _on_preset(self, index: int) -> None:
        name = self._preset.itemData(index)
        preset = PRESETS.get(name) or self._own_presets.get(name)
        if preset is not None:
            self.become(preset)

    @property
    def _personal(self) -> dict[str, Any]:
        """The settings that no preset changes: titles, cover, page titles, and what a web page says about photos."""
        return {
            "title": self._title.text(),
            "subtitle": self._subtitle.text(),
            "cover": self._cover.currentData(),
            "page_titles": self._page_titles.currentData(),
            "chapter_titles": self._chapter_titles,
            "names": self._names.isChecked(),
            "filters": self._filter_words,
            "columns": self._columns,
            "colour_by": self._colour_by,
        }

    @property
    def _filter_words(self) -> str:
        return "all" if self._filters.isChecked() and self._has_facets else ""

    def set_own_presets(self, presets: Mapping[str, Choice]) -> None:
        """Offer the user's own presets below those of the program."""
        self._own_presets = presets
        while self._preset.count() > 1 + len(PRESETS):
            self._preset.removeItem(self._preset.count() - 1)
        for name in presets:
            self._preset.addItem(name, name)
        self._show_preset()

    def _as_here(self, preset: Choice) -> Choice:
        """A preset with the personal settings of this form, and fitted to its paper only if the sheet can be."""
        fit = preset.settings.fit_paper and self._can_fit
        return replace(preset, settings=replace(preset.settings, fit_paper=fit, **self._personal))

    def _show_preset(self) -> None:
        """Select the preset that the form matches; personal settings, for example the title, do not count."""
        try:
            choice = self.choice
        except AlbumError:
            self._preset.setCurrentIndex(0)
            return
        presets = [self._as_here(each) for each in (*PRESETS.values(), *self._own_presets.values())]
        self._preset.setCurrentIndex(1 + presets.index(choice) if choice in presets else 0)
        self._delete_preset.setVisible(self._preset.currentData() in self._own_presets)

    def _show_rows(self) -> None:
        """Show only the rows that matter for the chosen size and format."""
        paper = self._paper.currentData()
        kind = render.FORMATS[self._format.currentData()]
        shown = {
            "paper": not kind.to_look_around,
            "custom": paper == CUSTOM and not kind.to_look_around,
            "cell": paper == BY_CELL and not kind.to_look_around,
            "dpi": not kind.to_look_around,
            "landscape": paper != BY_CELL and not kind.to_look_around,
            "fit_paper": paper != BY_CELL and self._can_fit and not kind.to_look_around,
            "cells": paper != BY_CELL
            and self._can_fit
            and self._fit_paper.isChecked()
            and self._can_choose_cells
            and not kind.to_look_around,
            "poster": kind.pages and paper != BY_CELL and not self._is_book,
            "page_titles": self._is_book,
            "subtitle": self._is_book and not kind.to_look_around,
            "cover": self._is_book and not kind.to_look_around,
            "template": self._caption.currentData() == TEMPLATE,
            "quality": kind.lossy,
            "megabytes": kind.to_look_around,
            "names": kind.to_look_around,
            "filters": kind.to_look_around and self._has_facets,
            "region_names": kind.to_look_around,
            "hanging_list": paper != BY_CELL and not kind.to_look_around,
            "bleed": paper != BY_CELL and not kind.to_look_around,
        }
        for name, visible in shown.items():
            self._rows[name].setVisible(visible)
        unit = _unit(self._custom.text() if paper == CUSTOM else paper)
        for box in (self._gap, self._margin, self._border, self._bleed):
            box.setSuffix(f" {unit}")

    def become(self, choice: Choice) -> None:
        """Show a choice but keep the title and the other personal settings; emit `changed`."""
        self.fill(self._as_here(choice))
        self.changed.emit()

    @property
    def wants_polish(self) -> bool:
        """Whether the sheet is to be polished before it is exported."""
        return self.polish.isChecked() and not self.polish.isHidden()

    def fill_paper(self) -> None:
        """Tick “Fit the sheet to this paper”."""
        self._fit_paper.setChecked(True)

    def leave_paper(self) -> None:
        """Untick “Fit the sheet to this paper”."""
        self._fit_paper.setChecked(False)

    def fill(self, choice: Choice) -> None:
        """Show a choice without emitting `changed`."""
        settings = choice.settings
        self._filling = True
        for combo, value in (
            (self._format, choice.format),
            (self._landscape, settings.landscape),
            (self._fit, settings.fit),
            (self._caption, settings.caption if settings.caption in render.CAPTIONS else TEMPLATE),
            (self._page_titles, settings.page_titles),
            (self._cover, settings.cover),
            (self._poster, settings.poster),
        ):
            combo.setCurrentIndex(max(0, combo.findData(value)))
        known = self._paper.findData(settings.paper or BY_CELL)
        self._paper.setCurrentIndex(known if known >= 0 else self._paper.findData(CUSTOM))
        self._custom.setText("" if known >= 0 else spaced(settings.paper))
        self._template.setText("" if settings.caption in render.CAPTIONS else settings.caption)
        self._cell.setValue(settings.cell or AUTO_CELL)
        self._cells.setValue(choice.cells)
        self._dpi.setValue(settings.dpi)
        self._quality.setValue(settings.quality)
        self._gap.setValue(AUTO if settings.gap is None else settings.gap)
        self._margin.setValue(AUTO if settings.margin is None else settings.margin)
        self._background.set_colour(settings.background)
        self._corner.show_value(settings.corner)
        self._border.setValue(settings.border)
        self._border_colour.set_colour(settings.border_colour)
        self._title.setText(settings.title)
        self._chapter_titles = settings.chapter_titles
        self._subtitle.setText(settings.subtitle)
        self._mark_pins.setChecked(settings.mark_pins)
        self.time_marks.setChecked(settings.time_marks)
        self._fit_paper.setChecked(settings.fit_paper)
        self._bleed.setValue(settings.bleed)
        self._cut_marks.setChecked(settings.cut_marks)
        self._megabytes.setValue(settings.megabytes or AUTO)
        self._names.setChecked(settings.names)
        self._filters.setChecked(bool(settings.filters))
        self._region_names.setChecked(settings.region_names)
        self._show_rows()
        self._show_preset()
        self._filling = False

    @property
    def _caption_words(self) -> str:
        """The captions that are chosen; an empty template stands for titles."""
        chosen = self._caption.currentData()
        return str(chosen) if chosen != TEMPLATE else self._template.text().strip() or "title"

    @property
    def choice(self) -> Choice:
        """The settings of the form; raises UsageError if they contradict each other."""
        paper = self._paper.currentData()
        kind = render.FORMATS[self._format.currentData()]
        sheet = paper == BY_CELL or kind.to_look_around
        settings = render.RenderSettings(
            cell=self._cell.value() if self._cell.value() > AUTO_CELL else None,
            paper="" if sheet else self._custom.text().strip() if paper == CUSTOM else paper,
            dpi=self._dpi.value(),
            landscape=self._landscape.currentData(),
            gap=None if self._gap.value() < 0 else self._gap.value(),
            margin=None if self._margin.value() < 0 else self._margin.value(),
            background=self._background.colour,
            fit=self._fit.currentData(),
            corner=self._corner.value,
            border=self._border.value(),
            border_colour=self._border_colour.colour or "black",
            caption=self._caption_words,
            page_titles=self._page_titles.currentData(),
            chapter_titles=self._chapter_titles,
            title=self._title.text(),
            subtitle=self._subtitle.text(),
            cover=self._cover.currentData(),
            mark_pins=self._mark_pins.isChecked(),
            time_marks=self.time_marks.isChecked() and not self.time_marks.isHidden(),
            quality=self._quality.value(),
            fit_paper=self._fit_paper.isChecked() and not sheet and self._can_fit,
            bleed=0.0 if sheet or kind.to_look_around else self._bleed.value(),
            cut_marks=self._cut_marks.isChecked() and not (sheet or kind.to_look_around),
            poster=self._poster.currentData() if kind.pages and not (sheet or self._is_book) else "",
            megabytes=self._megabytes.value() if self._megabytes.value() > 0 else None,
            names=self._names.isChecked(),
            filters=self._filter_words,
            region_names=self._region_names.isChecked() and kind.to_look_around,
            columns=self._columns,
            colour_by=self._colour_by,
        )
        return Choice(self._format.currentData(), settings, self._cells.value() if settings.fit_paper else 0)


def _combo(values: Iterable[str], words: Mapping[str, str] = WORDS) -> ChoiceBox:
    return ChoiceBox({value: tr(words.get(value, value)) for value in values})


def _tool(picture: str, name: str) -> QToolButton:
    made = named(QToolButton(), name)
    made.setToolTip(name)
    made.setIcon(icon(picture, theme.current().text, theme.current().disabled))
    return made


def _spin(low: int, high: int, suffix: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(low, high)
    box.setSuffix(suffix)
    return box


def _measure(suffix: str = "") -> QDoubleSpinBox:
    box = QDoubleSpinBox(suffix=suffix)
    box.setRange(AUTO, 1000)
    box.setDecimals(1)
    box.setSpecialValueText(tr("Automatic"))
    return box


def _unit(paper: str) -> str:
    """The unit of lengths on a paper; pixels if no paper is chosen."""
    try:
        return render.parse_paper(paper).unit
    except AlbumError:
        return "px"
