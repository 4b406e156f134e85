"""The first thing seen: a place to drop photos, ways to open some, and the albums of last time."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.gui.controls.sections import named
from album_app.gui.state.recent import Recent
from album_app.gui.style import theme
from album_app.gui.style.icons import pixmap
from album_app.gui.style.wording import literal, photos_words
from album_app.language import day_in, tr

COLUMNS = 4
SHOWN = 8
CARD = QSize(200, 176)
PREVIEW = QSize(172, 108)
GAP = 12


class StartPage(QScrollArea):
    """Offers albums to open.

    Signals:
        folder_wanted(), project_wanted(), sample_wanted(): a button was pressed
        paths_chosen(list[Path]): a recent album was chosen
        forget_wanted(Recent): a recent album is to leave the list
        show_wanted(Path): where a recent album lies is to be shown
    """

    show_wanted = Signal(object)

    folder_wanted = Signal()
    project_wanted = Signal()
    sample_wanted = Signal()
    paths_chosen = Signal(list)
    forget_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setAccessibleName(tr("Start page"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it has the keyboard
        self.drop_zone = named(QFrame(), tr("Drop zone"), "dropZone")
        self._sign = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._headline = QLabel(tr("Drop a folder or photos here"), alignment=Qt.AlignmentFlag.AlignCenter)
        self._headline.setProperty("role", "title")
        self._recents = QGridLayout()
        self._recent_title = QLabel(tr("Recent albums"))
        self._recent_title.setProperty("role", "heading")
        self._cards: list[QToolButton] = []
        self._build()
        self.set_recent([])

    def _build(self) -> None:
        zone = QVBoxLayout(self.drop_zone)
        zone.setContentsMargins(32, 34, 32, 34)
        zone.setSpacing(12)
        about = QLabel(tr("Every picture finds its place next to its kin; pin a few and the others follow."))
        about.setAlignment(Qt.AlignmentFlag.AlignCenter)
        about.setWordWrap(True)
        about.setProperty("role", "muted")
        for widget in (self._sign, self._headline, about):
            zone.addWidget(widget)
        zone.addSpacing(8)
        zone.addLayout(self._buttons())
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(40, 32, 40, 32)
        column.setSpacing(18)
        column.addStretch(1)
        column.addWidget(self._centred(self.drop_zone))
        column.addWidget(self._centred(self._recent_box()))
        column.addStretch(2)
        self.setWidget(page)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        for text, signal, primary in (
            (tr("Open folder…"), self.folder_wanted, True),
            (tr("Open project…"), self.project_wanted, False),
            (tr("Try the sample album"), self.sample_wanted, False),
        ):
            button = named(QPushButton(text), text.rstrip("…"))
            button.setProperty("primary", primary)
            button.clicked.connect(lambda checked=False, wanted=signal: wanted.emit())
            row.addWidget(button)
            if primary:
                self.setFocusProxy(button)
        row.addStretch(1)
        return row

    def _recent_box(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._recent_title)
        self._recents.setSpacing(GAP)
        self._recents.setColumnStretch(COLUMNS, 1)
        column.addLayout(self._recents)
        return box

    def _centred(self, widget: QWidget) -> QWidget:
        widget.setMaximumWidth(COLUMNS * (CARD.width() + GAP) - GAP)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(widget, 20)
        row.addStretch(1)
        return holder

    def set_recent(self, recents: Sequence[tuple[Recent, QImage]]) -> None:
        """Show albums opened lately, each with its picture (a null one where there is none)."""
        for card in self._cards:
            card.deleteLater()
        self._cards = [self._card(recent, picture) for recent, picture in recents[:SHOWN]]
        for place, card in enumerate(self._cards):
            self._recents.addWidget(card, place // COLUMNS, place % COLUMNS)
        self._recent_title.setVisible(bool(self._cards))

    def _card(self, recent: Recent, picture: QImage) -> QToolButton:
        photos = photos_words(recent.photos)
        card = named(QToolButton(), tr("Open {name}, {photos}", name=recent.name, photos=photos), "recentCard")
        card.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        card.setFixedSize(CARD)
        card.setIconSize(PREVIEW)
        metrics, day = self.fontMetrics(), day_in(date.fromtimestamp(recent.opened), "yMMMd")
        title = metrics.elidedText(recent.name, Qt.TextElideMode.ElideMiddle, PREVIEW.width())
        facts = metrics.elidedText(f"{photos} · {day}", Qt.TextElideMode.ElideRight, PREVIEW.width())
        card.setText(f"{literal(title)}\n{facts}")
        card.setToolTip(f"{recent.paths[0]}\n{photos}")
        card.setIcon(_preview_icon(picture, self.devicePixelRatio()))
        paths = [Path(path) for path in recent.paths]
        card.clicked.connect(lambda checked=False: self.paths_chosen.emit(paths))
        for text, keys, run in (
            (tr("Open"), "", lambda: self.paths_chosen.emit(paths)),
            (tr("Show in folder"), "", lambda: self.show_wanted.emit(paths[0])),
            (tr("Remove from this list"), "Delete", lambda: self.forget_wanted.emit(recent)),
        ):
            action = QAction(text, card, shortcut=QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda checked=False, run=run: run())
            card.addAction(action)
        card.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return card

    def set_dropping(self, active: bool) -> None:
        """Show that what is being dragged may be dropped."""
        self.drop_zone.setProperty("active", active)
        self.drop_zone.style().unpolish(self.drop_zone)
        self.drop_zone.style().polish(self.drop_zone)

    def set_busy(self, title: str) -> None:
        """Say what is being opened; an empty title means nothing is."""
        self._headline.setText(tr("Opening {title}…", title=title) if title else tr("Drop a folder or photos here"))

    def refresh_theme(self) -> None:
        self._sign.setPixmap(pixmap("album-app", "", 64, self.devicePixelRatio()))


def _preview_icon(picture: QImage, ratio: float) -> QIcon:
    """A picture of a sheet in the middle of a card, or a sign where there is none yet."""
    whole = QPixmap(PREVIEW * ratio)
    whole.fill(Qt.GlobalColor.transparent)
    if picture.isNull():
        shown = pixmap("photo", theme.current().muted, round(40 * ratio))
    else:
        smooth = Qt.TransformationMode.SmoothTransformation
        shown = QPixmap.fromImage(picture.scaled(whole.size(), Qt.AspectRatioMode.KeepAspectRatio, smooth))
    with QPainter(whole) as painter:
        painter.drawPixmap((whole.width() - shown.width()) // 2, (whole.height() - shown.height()) // 2, shown)
    whole.setDevicePixelRatio(ratio)
    return QIcon(whole)
