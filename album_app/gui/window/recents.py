"""Recent albums: the list in the menu and on the start page, kept up to date."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QKeyCombination, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from album_app.file_names import undirected
from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.commands.photo_commands import show
from album_app.gui.state import recent
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import LOADING, as_image, preview_pixels, thumbnails_of
from album_app.gui.state.recent import PREVIEW_WIDTH, Recent
from album_app.gui.state.session import Session
from album_app.gui.style.wording import literal
from album_app.gui.window.start_page import StartPage
from album_app.language import tr
from album_app.layout.layout import Layout

Choices = Callable[[Recent], Sequence[tuple[str, Callable[[], None]]]]
"""What can be done with an album, the first of it by a click."""


MENU_KEY = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)


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
"""Of the photos on a sheet: where more are missing and nothing is known of them, the former picture shows more."""


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
            return large.scaledToWidth(PREVIEW_WIDTH, Qt.TransformationMode.SmoothTransformation)

        return draw


def _read() -> list[tuple[Recent, QImage]]:
    return [(album, QImage(str(album.preview_file))) for album in recent.recent_albums()]
