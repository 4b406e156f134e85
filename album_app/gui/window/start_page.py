"""The start page and the menu of recent albums, and the keeper of their list."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QKeyCombination, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QIcon,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.file_names import undirected
from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.commands.photo_commands import show
from album_app.gui.controls.sections import named
from album_app.gui.state import recent
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import LOADING, as_image, calm_picture, preview_pixels, thumbnails_of
from album_app.gui.state.recent import PREVIEW_WIDTH, Recent
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.icons import pixmap
from album_app.gui.style.wording import literal, photos_words
from album_app.language import day_in, tr
from album_app.layout.layout import Layout

COLUMNS = 4
MOST_CARDS = 8
"""The most recent albums that the page shows, each as a card."""
CARD = QSize(200, 176)
PREVIEW = QSize(172, 108)
"""Sizes of a card and of the picture of the sheet on it, in logical pixels."""
GAP_PX = 12
"""Gap between two cards."""
Choices = Callable[[Recent], Sequence[tuple[str, Callable[[], None]]]]
"""What can be done with a recent album: texts, and what they do; a click does the first."""
MENU_KEY = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)


class StartPage(QScrollArea):
    """The page shown while no album is open: a place to drop photos, buttons, and cards of recent albums.

    Signals:
        folder_wanted(), project_wanted(), sample_wanted(): the user pressed a button
        paths_chosen(list[Path]): the user chose a recent album
        forget_wanted(Recent): the user wants to remove an album from the list
        show_wanted(Path): the user wants to see a recent album in the file manager
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
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its contents have the keyboard instead
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
        self._recents.setSpacing(GAP_PX)
        self._recents.setColumnStretch(COLUMNS, 1)
        column.addLayout(self._recents)
        return box

    def _centred(self, widget: QWidget) -> QWidget:
        widget.setMaximumWidth(COLUMNS * (CARD.width() + GAP_PX) - GAP_PX)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(widget, 20)
        row.addStretch(1)
        return holder

    def set_recent(self, recents: Sequence[tuple[Recent, QImage]]) -> None:
        """Show recent albums, each with the picture of its sheet; the picture is null if there is none."""
        for card in self._cards:
            card.deleteLater()
        self._cards = [self._card(recent, picture) for recent, picture in recents[:MOST_CARDS]]
        for place, card in enumerate(self._cards):
            self._recents.addWidget(card, place // COLUMNS, place % COLUMNS)
        self._recent_title.setVisible(bool(self._cards))

    def _card(self, recent: Recent, picture: QImage) -> QToolButton:
        photos = photos_words(recent.photos)
        card = named(QToolButton(), tr("Open {name}, {photos}", name=recent.name, photos=photos), "recentCard")
        card.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        card.setFixedSize(CARD)
        card.setIconSize(PREVIEW)
        metrics, opened = self.fontMetrics(), date.fromtimestamp(recent.opened)
        day = day_in(opened, "MMMd" if opened.year == date.today().year else "yMMMd")
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
        """Show whether the user is dragging files over the window that can be dropped."""
        self.drop_zone.setProperty("active", active)
        self.drop_zone.style().unpolish(self.drop_zone)
        self.drop_zone.style().polish(self.drop_zone)

    def set_busy(self, title: str) -> None:
        """Say which album is being opened; an empty title means none."""
        self._headline.setText(tr("Opening {title}…", title=title) if title else tr("Drop a folder or photos here"))

    def refresh_theme(self) -> None:
        self._sign.setPixmap(pixmap("album-app", "", 64, self.devicePixelRatio()))


def _preview_icon(picture: QImage, ratio: float) -> QIcon:
    """The picture on a card: the sheet in the middle, or a sign if there is no picture of it yet."""
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


class RecentMenu(QMenu):
    """The menu of recent albums, the latest first; each has a context menu."""

    def __init__(self, parent: QWidget, choices: Choices) -> None:
        super().__init__(tr("Open recent"), parent, toolTipsVisible=True)
        self._choices = choices

    def fill(self, albums: Sequence[Recent]) -> None:
        """Show these albums."""
        self.clear()
        self.setEnabled(bool(albums))
        for album in albums:
            action = self.addAction(literal(undirected(album.name)))
            action.setToolTip(album.paths[0])
            action.setData(album)
            action.triggered.connect(lambda checked=False, album=album: self._choices(album)[0][1]())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ignore the right button, which opens the context menu instead of an album."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the context menu with Shift+F10, for keyboards without a menu key."""
        if event.keyCombination() == MENU_KEY:
            self._ask_by_key()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._ask_by_key()
        else:
            self._ask_about(self.actionAt(event.pos()), event.pos())

    def _ask_by_key(self) -> None:
        action = self.activeAction()
        if isinstance(action, QAction):
            self._ask_about(action, self.actionGeometry(action).center())

    def _ask_about(self, action: QAction | None, at: QPoint) -> None:
        if isinstance(action, QAction) and isinstance(action.data(), Recent):
            self._ask(action.data(), self.mapToGlobal(at))

    def _ask(self, album: Recent, position: QPoint) -> None:
        menu = QMenu(self)
        for text, run in self._choices(album):
            menu.addAction(text).triggered.connect(lambda checked=False, run=run: self._do(run))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)

    def _do(self, run: Callable[[], None]) -> None:
        """Close all menus, as after any choice, and do what was chosen."""
        menu: QWidget | None = self
        while isinstance(menu, QMenu):
            menu.close()
            menu = menu.parentWidget()
        run()


MOST_UNSEEN_SHARE = 0.1
"""If more of a sheet's photos have no thumbnail, its former picture is kept, which shows more."""
OVERSAMPLING = 4
"""A picture is drawn this many times larger and then scaled down, so that small photos are not jagged."""


class RecentsKeeper(QObject):
    """Keeps the list of recent albums: reads and writes it off the GUI thread, fills the menu and the start page."""

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs, files: FileCommands, page: StartPage) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._files = files
        self._page = page
        self._menu: RecentMenu | None = None
        session.opened.connect(self._on_opened)
        session.saved_changed.connect(self._on_saved)
        page.forget_wanted.connect(self._forget)
        page.show_wanted.connect(show)

    def add_menu(self, menu: QMenu, before: QAction) -> None:
        self._menu = RecentMenu(menu, self._choices)
        menu.insertMenu(before, self._menu)

    @Slot()
    def refresh(self) -> None:
        """Read the list again, and show it."""
        self._jobs.compute(JobKind.RECENTS, _read, self._show)

    def _show(self, found: list[tuple[Recent, QImage]]) -> None:
        if self._session.document is None:
            self._page.set_recent(found)
        self._fill_menu([album for album, _ in found])

    def _fill_menu(self, albums: list[Recent]) -> None:
        if self._menu is not None:
            self._menu.fill(albums)

    def _choices(self, album: Recent) -> list[tuple[str, Callable[[], None]]]:
        return [
            (tr("Open"), lambda: self._files.open_paths([Path(path) for path in album.paths])),
            (tr("Show in folder"), lambda: show(Path(album.paths[0]))),
            (tr("Remove from this list"), lambda: self._forget(album)),
        ]

    def _forget(self, album: Recent) -> None:
        self._jobs.compute(JobKind.FORGET, lambda: recent.forget(album), lambda done: self.refresh())

    @Slot()
    def _on_opened(self) -> None:
        if self._session.document is None:
            self.refresh()
        else:
            self.remember()

    @Slot()
    def _on_saved(self) -> None:
        if self._session.path is not None:
            self.remember()

    @Slot()
    def remember(self, layout: object = None) -> None:
        """Put the open album first on the list, unless it has unsaved changes, which the user may still discard."""
        session, document = self._session, self._session.document
        if document is None or session.modified:
            return
        paths = [session.path] if session.path is not None else list(document.album.roots)
        title, count, roots = self._files.title, self._photos.counts().photos, document.album.roots
        draw = self._drawing(document.layout)

        def work() -> list[Recent]:
            recent.remember(paths, title, count, draw(), roots)
            return recent.recent_albums()

        if paths:
            self._jobs.compute(JobKind.REMEMBER, work, self._fill_menu)

    def _drawing(self, layout: Layout | None) -> Callable[[], QImage | None]:
        """A function that draws a sheet off the GUI thread, or returns None if too many thumbnails are missing."""
        pictures = self._photos.pictures
        if layout is None or any(pictures.state(photo) == LOADING for photo in layout.shown):
            return lambda: None
        unseen = sum(pictures.lacks_last(photo) for photo in layout.shown)
        if unseen > MOST_UNSEEN_SHARE * len(layout.shown):
            return lambda: None
        thumbnails, crops = thumbnails_of(layout, pictures, last_seen=True), self._photos.crops

        def draw() -> QImage:
            from album_app.render import RenderSettings

            settings = RenderSettings(cell=48, margin=0, gap=0)  # gaps narrower than a pixel would show as stripes
            large = as_image(preview_pixels(layout, thumbnails, settings, OVERSAMPLING * PREVIEW_WIDTH, crops=crops))
            large = calm_picture(large, layout.shape.columns, PREVIEW.width())
            return large.scaledToWidth(PREVIEW_WIDTH, Qt.TransformationMode.SmoothTransformation)

        return draw


def _read() -> list[tuple[Recent, QImage]]:
    return [(album, QImage(str(album.preview_file))) for album in recent.recent_albums()]
