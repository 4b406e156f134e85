"""The preview in the export dialog: drawn in the background, zoomed by the wheel, and turned page by page."""

from PySide6.QtCore import QLineF, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from album_app.errors import AlbumError
from album_app.gui.controls.sections import muted, named
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image, preview_pixels, thumbnails_of
from album_app.gui.style import theme
from album_app.gui.style.design import SMALL_ICON_PX, SNUG
from album_app.gui.style.icons import icon
from album_app.language import number, tr
from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.render import plan_page, poster_of
from album_app.render.presets import Choice

AROUND = QSize(24, 24)
"""Pixels that stay free around the picture, both sides together."""
LARGEST_ZOOM, ZOOM_STEP = 8.0, 1.25
"""The strongest zoom, and the factor of one step of the wheel or one press of a button."""
DOUBLE_CLICK_ZOOM = 3.0
LEAST_EMPTY_SHARE = 0.05
"""A paper of which at least this share stays empty inside the margins is offered to be filled."""
LONGEST_PX = 4096
"""The longer side of a zoomed preview; in a larger one, thumbnails would not show more details."""

Seams = tuple[list[float], list[float]]
"""Where the pages of a poster meet: shares of its width, and shares of its height."""
NO_SEAMS: Seams = ([], [])


class PreviewPane(QLabel):
    """Shows the sheet as it will be exported; the wheel zooms at the pointer, a drag moves the picture.

    Signals:
        zoomed(): the zoom has changed, and a picture of more pixels may be needed
    """

    zoomed = Signal()

    def __init__(self, jobs: Jobs, photos: PhotoStore) -> None:
        super().__init__()
        self._jobs, self._photos = jobs, photos
        self.zoom = 1.0
        self._centre = QPointF(0.5, 0.5)  # the point in the middle of the pane, as shares of the picture
        self._dragged_from: QPointF | None = None
        self._whole = QPixmap()  # the picture as it was drawn, larger than the pane if it is zoomed
        self.setObjectName("previewPane")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMinimumSize(280, 240)
        self.setAccessibleName(tr("Preview of the sheet"))

    @property
    def longest_side(self) -> int:
        """The longer side of the picture that is needed now, in device pixels."""
        side = max(self.width(), self.height()) * self.devicePixelRatio()
        return round(max(side, min(side * self.zoom, LONGEST_PX)))

    def draw(self, layout: Layout, choice: Choice, album: Album, page: int | None = None) -> None:
        """Begin to draw the sheet, or one page of a book, as it will be exported."""
        settings, kind = choice.settings, choice.kind
        side, thumbnails = self.longest_side, thumbnails_of(layout, self._photos.pictures)
        seams = poster_of(plan_page(layout, settings), settings).seams if settings.poster else NO_SEAMS
        crops, mat = self._photos.crops, theme.current().mat

        def work(task: Task) -> Pixels:
            return preview_pixels(layout, thumbnails, settings, side, album, task.stop, crops, page, kind, mat)

        self._jobs.start(
            JobKind.EXPORT_PREVIEW,
            "",
            work,
            on_done=lambda pixels: self.show_picture(as_image(pixels), seams),
            on_error=lambda error: isinstance(error, AlbumError),
            quiet=True,
        )

    def show_picture(self, picture: QImage, seams: Seams = NO_SEAMS) -> None:
        """Show a picture, with lines where the pages of a poster meet."""
        ratio = self.devicePixelRatio()
        self._whole = QPixmap.fromImage(picture)
        _draw_seams(self._whole, seams, round(ratio))
        room, smooth = (self.size() - AROUND) * ratio, Qt.TransformationMode.SmoothTransformation
        fitted = QPixmap.fromImage(picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, smooth))
        _draw_seams(fitted, seams, round(ratio))
        fitted.setDevicePixelRatio(ratio)
        self.setPixmap(fitted)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom to this factor; the point of the picture at `at` stays there (None: the middle of the pane)."""
        zoom = min(max(zoom, 1.0), LARGEST_ZOOM)
        point = QPointF(self.rect().center()) if at is None else at
        size, middle = self._size_at(self.zoom), QPointF(self.rect().center())
        if size.isEmpty() or zoom == self.zoom:
            return
        away = QPointF((point.x() - middle.x()) / size.width(), (point.y() - middle.y()) / size.height())
        self._centre += away * (1 - self.zoom / zoom)
        self.zoom = zoom
        self._stay_within()
        self.update()
        self.zoomed.emit()

    def _size_at(self, zoom: float) -> QSize:
        """The size of the whole picture at this zoom, in logical pixels."""
        return (self.pixmap().deviceIndependentSize() * zoom).toSize()

    def _stay_within(self) -> None:
        """Move the picture back until no empty strip is left at an edge of the pane."""
        size = self._size_at(self.zoom)
        for set_share, share, room, length in (
            (self._centre.setX, self._centre.x(), self.width(), size.width()),
            (self._centre.setY, self._centre.y(), self.height(), size.height()),
        ):
            half = 0.5 * room / max(1, length)
            set_share(0.5 if half >= 0.5 else min(max(share, half), 1 - half))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event) if self.zoom <= 1.0 else self._paint_zoomed()

    def _paint_zoomed(self) -> None:
        size, middle = self._size_at(self.zoom), QPointF(self.rect().center())
        corner = middle - QPointF(self._centre.x() * size.width(), self._centre.y() * size.height())
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.current().mat)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(corner)
            painter.drawPixmap(0, 0, size.width(), size.height(), self._whole)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_to(self.zoom * ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged_from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        size = self._size_at(self.zoom)
        if self._dragged_from is not None and self.zoom > 1.0 and not size.isEmpty():
            way, self._dragged_from = event.position() - self._dragged_from, event.position()
            self._centre -= QPointF(way.x() / size.width(), way.y() / size.height())
            self._stay_within()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged_from = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom_to(1.0 if self.zoom > 1.0 else DOUBLE_CLICK_ZOOM, event.position())


class PreviewBar(QWidget):
    """The bar below the preview: its buttons zoom, turn the pages of a book, and offer to fill the paper.

    Signals:
        page_turned(): the user wants to see another page, or all pages
        fill_wanted(): the user wants the sheet to fill the paper
    """

    page_turned = Signal()
    fill_wanted = Signal()

    def __init__(self, pane: PreviewPane) -> None:
        super().__init__()
        self._pane, self._count, self._place = pane, 0, 0
        self._smaller = self._button("minus", tr("Smaller"), lambda: pane.zoom_to(pane.zoom / ZOOM_STEP))
        self._larger = self._button("plus", tr("Larger"), lambda: pane.zoom_to(pane.zoom * ZOOM_STEP))
        self._earlier = self._button("left", tr("Page before"), lambda: self._turn(-1))
        self._later = self._button("right", tr("Next page"), lambda: self._turn(1))
        self._scale = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._scale.setProperty("role", "muted")
        self._words = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._words.setProperty("role", "muted")
        self._empty, self._fill = muted(), QPushButton()
        self._fill.setAutoDefault(False)
        self._fill.clicked.connect(lambda checked=False: self.fill_wanted.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SNUG)
        row.addWidget(self._earlier)
        row.addWidget(self._words)
        row.addWidget(self._later)
        row.addWidget(self._empty)
        row.addWidget(self._fill)
        row.addStretch(1)
        row.addWidget(self._smaller)
        row.addWidget(self._scale)
        row.addWidget(self._larger)
        pane.zoomed.connect(self._refresh)
        self.set_pages(0)
        self.offer_to_fill(0.0)

    def _button(self, picture: str, name: str, run: object) -> QToolButton:
        made = named(QToolButton(), name)
        made.setToolTip(name)
        made.setIcon(icon(picture, theme.current().text, theme.current().line))
        made.setIconSize(QSize(SMALL_ICON_PX, SMALL_ICON_PX))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda checked=False: run())  # type: ignore[operator]
        return made

    @property
    def page(self) -> int | None:
        """The page to show, counted from 0; None for the whole sheet or all pages side by side."""
        return self._place - 1 if self._place else None

    def set_pages(self, count: int) -> None:
        """Offer to turn `count` pages, including the cover; the buttons are hidden for fewer than two."""
        self._count = count
        self._place = min(self._place, count)
        for widget in (self._earlier, self._words, self._later):
            widget.setVisible(count > 1)
        self._refresh()

    def offer_to_fill(self, empty: float, is_screen: bool = False) -> None:
        """Say which share of the paper stays empty, and offer to fill it unless the share is small."""
        for widget in (self._empty, self._fill):
            widget.setVisible(empty >= LEAST_EMPTY_SHARE)
        share = tr("{share} %", share=number(100 * empty))
        self._empty.setText(tr("{share} empty", share=share))
        self._fill.setText(tr("Fill the picture") if is_screen else tr("Fill the paper"))
        self._fill.setAccessibleName(self._fill.text())
        self._fill.setToolTip(
            tr("The photos are arranged to fill it. The preview shows them; the sheet changes when you export.")
        )

    def _turn(self, by: int) -> None:
        self._place = min(max(self._place + by, 0), self._count)
        self._refresh()
        self.page_turned.emit()

    @Slot()
    def _refresh(self) -> None:
        place, count = number(self._place), number(self._count)
        self._words.setText(tr("Page {place} of {count}", place=place, count=count) if self._place else tr("All pages"))
        self._earlier.setEnabled(self._place > 0)
        self._later.setEnabled(self._place < self._count)
        self._scale.setText(tr("{share} %", share=number(round(100 * self._pane.zoom))))
        self._smaller.setEnabled(self._pane.zoom > 1.0)
        self._larger.setEnabled(self._pane.zoom < LARGEST_ZOOM)


def _draw_seams(picture: QPixmap, seams: Seams, width: int) -> None:
    """Draw lines of black and white dashes, which are visible on any photo."""
    across, down = picture.width(), picture.height()
    lines = [QLineF(share * across, 0, share * across, down) for share in seams[0]]
    lines += [QLineF(0, share * down, across, share * down) for share in seams[1]]
    painter = QPainter(picture)
    for colour, style in ((Qt.GlobalColor.white, Qt.PenStyle.SolidLine), (Qt.GlobalColor.black, Qt.PenStyle.DashLine)):
        painter.setPen(QPen(colour, 2 * width, style))
        painter.drawLines(lines)
    painter.end()
