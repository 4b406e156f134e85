"""Recent albums: the page that is seen first, the list in the menu, and what keeps both up to date."""

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
SHOWN = 8
CARD = QSize(200, 176)
PREVIEW = QSize(172, 108)
GAP = 12
Choices = Callable[[Recent], Sequence[tuple[str, Callable[[], None]]]]
"""What can be done with an album, the first of it by a click."""


MENU_KEY = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)


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


class RecentMenu(QMenu):
    """Lists recent albums, the latest first."""

    def __init__(self, parent: QWidget, choices: Choices) -> None:
        super().__init__(tr("Open recent"), parent, toolTipsVisible=True)
        self._choices = choices

    def fill(self, albums: Sequence[Recent]) -> None:
        """Show other albums than before."""
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
        """The right button opens no album: it asks for the menu."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+F10 is the menu key of those who have none."""
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
        """All menus close, as after any choice."""
        menu: QWidget | None = self
        while isinstance(menu, QMenu):
            menu.close()
            menu = menu.parentWidget()
        run()


MOST_UNSEEN = 0.1
"""If a greater share of a sheet's photos is missing and unknown, its former small picture is kept: it shows more."""


FINER = 4
"""How many times larger a picture is drawn before it is reduced, so that small photos are not jagged."""


class RecentsKeeper(QObject):
    """Writes and reads the list off the GUI thread, and shows it in the menu and on the start page."""

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
        """Read the list anew."""
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
        """Note the open album as opening it again would show it: work that is not saved may yet be discarded."""
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
        """What draws a sheet off the GUI thread; nothing while photos on it are read, or many not there to be seen."""
        pictures = self._photos.pictures
        if layout is None or any(pictures.state(photo) == LOADING for photo in layout.shown):
            return lambda: None
        unseen = sum(pictures.lacks_last(photo) for photo in layout.shown)
        if unseen > MOST_UNSEEN * len(layout.shown):
            return lambda: None
        thumbnails, crops = thumbnails_of(layout, pictures, last_seen=True), self._photos.crops

        def draw() -> QImage:
            from album_app.render import RenderSettings

            settings = RenderSettings(cell=48, margin=0, gap=0)  # gaps of less than a pixel show as stripes
            large = as_image(preview_pixels(layout, thumbnails, settings, FINER * PREVIEW_WIDTH, crops=crops))
            large = calm_picture(large, layout.shape.columns, PREVIEW.width())
            return large.scaledToWidth(PREVIEW_WIDTH, Qt.TransformationMode.SmoothTransformation)

        return draw


def _read() -> list[tuple[Recent, QImage]]:
    return [(album, QImage(str(album.preview_file))) for album in recent.recent_albums()]
