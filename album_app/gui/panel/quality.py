"""The Quality section: how good the sheet is, and which photos look out of place."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from album_app.gui.controls.sections import Section, button, muted, named, percent, square_picture
from album_app.gui.state.advice import Advice
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.photo_words import PhotoFacets
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style import theme, wording
from album_app.language import begun, mark, tr, trn

MOST_PICTURES = 5
"""The most photos out of place that are shown as small pictures."""
PICTURE_PX = 34
"""Side of a small picture."""


class MisfitsLine(QWidget):
    """Names the photos that look out of place once the sheet is settled; hidden if there are none.

    Signals:
        wanted(list[int]): the user wants to see these photos on the sheet
    """

    wanted = Signal(list)

    def __init__(self, session: Session, photos: PhotoStore, advice: Advice, solving: Solving) -> None:
        super().__init__()
        self._session, self._photos, self._advice = session, photos, advice
        self.photos: list[int] = []  # the photos that look out of place, the worst first
        self._words = named(QLabel(wordWrap=True), tr("Photos that look out of place"))
        self._show = button(tr("Show them"), lambda: self.wanted.emit(self.photos), tr("Select them on the sheet"))
        self._pictures = QHBoxLayout()
        self._pictures.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._words)
        column.addLayout(self._pictures)
        column.addWidget(self._show, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()
        solving.scored.connect(self.refresh)
        session.layout_changed.connect(self._forget)
        session.opened.connect(self._forget)

    @Slot()
    def refresh(self) -> None:
        """Look for photos out of place on the present sheet."""
        self._advice.misfits(self._fill)

    @Slot()
    def _forget(self) -> None:
        self._fill([])

    def _fill(self, photos: list[int]) -> None:
        document = self._session.document
        self.photos = photos
        while self._pictures.count():
            item = self._pictures.takeAt(0)
            picture = None if item is None else item.widget()
            if picture is not None:
                picture.deleteLater()
        if photos and document is not None:
            self._words.setText(
                trn("{count} photo looks out of place.", "{count} photos look out of place.", len(photos))
            )
            for photo in photos[:MOST_PICTURES]:
                self._pictures.addWidget(self._picture(photo, document.short_name(photo)))
            self._pictures.addStretch(1)
            self._show.setText(tr("Show it") if len(photos) == 1 else tr("Show them"))
        self.setVisible(bool(photos))

    def _picture(self, photo: int, name: str) -> QToolButton:
        made = named(QToolButton(), tr("Show {name}", name=name), "smallPicture")
        made.setToolTip(name)
        made.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        made.setIcon(QIcon(square_picture(self._photos.pictures.image(photo), PICTURE_PX)))
        made.clicked.connect(lambda checked=False: self.wanted.emit([photo]))
        return made


POINTS = 4
"""Points in the picture of a grade; the best grade fills all of them."""
NOT_MEASURED = wording.Grade(0, mark("not measured yet"))
NO_PINS = wording.Grade(0, mark("none yet"))
GRADES = (NO_PINS.words, NOT_MEASURED.words, *(words for _, words in (*wording.SMOOTHNESS, *wording.FOLLOWING)))


class QualitySection(Section):
    """Shows how good the layout is; the grades appear a moment after it has settled.

    Signals:
        unplaced_wanted(): the user wants a list of the photos without a cell
    """

    unplaced_wanted = Signal()

    def __init__(
        self, session: Session, photos: PhotoStore, advice: Advice, solving: Solving, facets: PhotoFacets
    ) -> None:
        super().__init__(tr("Quality"), open_at_first=False)
        self._session, self._photos, self._facets = session, photos, facets
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(7)
        self._grid.setColumnStretch(1, 1)
        self._neighbours = self._line(tr("Neighbours"), tr("How similar photos are that lie next to each other."))
        self._pins = self._line(tr("Pins"), tr("How strongly similar photos gather around the pinned ones."))
        self._measured_by = named(muted(wrap=True), tr("What neighbours are measured by"))
        self._alike = named(QLabel(wordWrap=True), tr("Neighbours with the same value"))
        self._alike.setToolTip(tr("Of all pairs of neighbouring photos, in the column chosen under “Colour by”."))
        self._on_sheet = QLabel(wordWrap=True)
        self._on_sheet.setAccessibleName(tr("Photos on the sheet"))
        self._show_unplaced = button(
            tr("Show them"), self.unplaced_wanted.emit, tr("List the photos without a cell, and why")
        )
        self.misfits = MisfitsLine(session, photos, advice, solving)
        self.body.addLayout(self._grid)
        self.body.addWidget(self._measured_by)
        self.body.addWidget(self._alike)
        self.body.addWidget(self.misfits)
        self.body.addWidget(self._on_sheet)
        self.body.addWidget(self._show_unplaced, 0, Qt.AlignmentFlag.AlignLeft)
        for changed in (session.opened, session.layout_changed, solving.scored, photos.fewer_take_part):
            changed.connect(self.refresh)
        for changed in (session.document_changed, session.layout_changed, facets.coloured):
            changed.connect(self._tell_alike)
        self._tell_alike()
        self.refresh()  # an album may have been opened before the panel was made

    @Slot()
    def _tell_alike(self) -> None:
        """Say how often neighbours have the same value in the column that photos are coloured by."""
        known = self._facets.agreement
        self._alike.setVisible(known is not None)
        if known is not None:
            share, chance = percent(known[1].share), percent(known[1].chance)
            text = mark("{share} of neighbours have the same {column}; by chance {chance}.")
            self._alike.setText(tr(text, share=share, column=known[0], chance=chance))

    def _line(self, title: str, hint: str) -> "GradeLine":
        line, name = GradeLine(title), muted(title)
        row = self._grid.rowCount()
        for column, widget in enumerate((name, line.words, line.points)):
            widget.setToolTip(hint)
            self._grid.addWidget(widget, row, column)
        return line

    @Slot()
    def refresh(self) -> None:
        """Show the grades of the layout, and how many photos are on the sheet."""
        document = self._session.document
        layout = None if document is None else document.layout
        if document is None or layout is None:
            return
        neighbours = wording.neighbours_grade(layout)
        self._neighbours.show(neighbours or NOT_MEASURED)
        self.set_note("" if neighbours is None else begun(tr(neighbours.words)))
        self._pins.show(wording.pins_grade(layout) or (NOT_MEASURED if document.pins else NO_PINS))
        self._measured_by.setText(wording.measured_by(document))
        self._measured_by.setVisible(bool(layout.scores))
        counts = self._photos.counts()
        self._on_sheet.setText(wording.whereabouts(counts))
        self._show_unplaced.setVisible(counts.unplaced > 0)

    def refresh_theme(self) -> None:
        super().refresh_theme()
        for points in self.findChildren(PointsPicture):
            points.update()


class GradeLine:
    """A line of the section: a grade in words, and as filled points."""

    def __init__(self, title: str) -> None:
        self.words = GradeWords("")
        self.words.setProperty("role", "value")
        self.words.setWordWrap(True)
        self.words.setMinimumWidth(1)  # a longer grade must not widen the panel
        self.words.setAccessibleName(title)
        self.points = PointsPicture()

    def show(self, grade: wording.Grade) -> None:
        self.words.setText(begun(tr(grade.words)))
        self.points.show_grade(grade)


class GradeWords(QLabel):
    """A grade in words, as wide as the longest one, so that the panel keeps its width when the grade changes."""

    def minimumSizeHint(self) -> QSize:
        longest = max(self.fontMetrics().horizontalAdvance(begun(tr(words))) for words in GRADES)
        return QSize(longest, 0).expandedTo(super().minimumSizeHint())


class PointsPicture(QWidget):
    """A row of points, of which a grade fills some or all."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.filled = 0

    def sizeHint(self) -> QSize:
        return QSize(14 * POINTS, 14)

    def show_grade(self, grade: wording.Grade) -> None:
        if self.filled != grade.points:
            self.filled = grade.points
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, middle = theme.current(), QRectF(self.rect()).center().y()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for point in range(POINTS):
                filled = point < self.filled
                if palette.name == theme.CONTRAST:  # white points would look filled as well as yellow ones
                    painter.setPen(QColor(palette.accent if filled else palette.line))
                    painter.setBrush(QColor(palette.accent if filled else palette.surface))
                else:
                    painter.setBrush(QColor(palette.accent if filled else palette.line))
                painter.drawEllipse(QPointF(7 + 14 * point, middle), 4.5, 4.5)
