"""Zoom, overlays, panels and themes; arranging again and cancelling; undo and redo; the Help menu."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMainWindow, QWidget

from album_app import language, shipped_file
from album_app.gui.canvas.canvas import Canvas
from album_app.gui.commands.actions import MENUS, keys_of
from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.jobs import Job, JobKind, Jobs
from album_app.gui.state.loading import Loading, again_words, back_from
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import photos_words
from album_app.gui.tray.tray import Tray
from album_app.language import number, tr
from album_app.layout.editing.edits import chosen_again, polished
from album_app.layout.editing.hold import sheet_held
from album_app.log import log_file


class WorkCommands(QObject):
    """Arranging again, looking for new photos, and cancelling.

    Signals:
        look_left(str, int, int): the user cancelled comparing by some features; how many photos were done, of how many
    """

    look_left = Signal(str, int, int)

    def __init__(
        self, session: Session, photos: PhotoStore, solving: Solving, loading: Loading, jobs: Jobs, folders: FolderWatch
    ) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._solving = solving
        self._loading = loading
        self._jobs = jobs
        self._folders = folders

    def look(self) -> None:
        """Look for new photos in the folders of the album, and go on reading if that was cancelled."""
        self._loading.resume()
        self._folders.look_now()

    def arrange(self) -> None:
        """Arrange the sheet again from scratch, and go on reading photos if that was cancelled."""
        self._loading.resume()
        self._solving.again()

    def polish(self) -> None:
        """Improve the present sheet for a second or more, as before an export."""
        self._session.edit(polished)

    def hold(self, wanted: bool) -> None:
        """Hold the whole sheet, or release it."""
        self._session.edit(sheet_held, wanted)

    def choose(self) -> None:
        """Choose again which photos are shown if there are more photos than cells."""
        self._session.edit(chosen_again)

    def cancel(self) -> None:
        """Cancel the work that the status bar shows, and say what that means for the sheet."""
        notice = self._when_stopped()
        looking = [job for job in self._jobs.visible if job.kind == JobKind.FEATURES]
        self._jobs.cancel_visible()
        for job in looking:
            notice = self._leave_look(job) or notice
        if notice:
            self._session.tell(notice)

    def _leave_look(self, job: Job) -> str:
        """Go back to the look by which the sheet is arranged; returns what to say about it."""
        document = self._session.document
        if document is None or self._solving.is_as_opened:
            return ""
        wanted, count = document.options.features, len(document.album)
        former = back_from(self._session, wanted)
        if not former:
            return ""
        self.look_left.emit(wanted, job.done * count // max(1, job.total), count)
        return f"{tr('Cancelled.')} {again_words(former)}"

    def _when_stopped(self) -> str:
        document, running = self._session.document, {job.kind for job in self._jobs.visible}
        if document is None:
            return ""
        if JobKind.PHOTOS in running:
            photos = photos_words(len(document.album) - len(document.missing))
            read = number(len(self._photos.pictures))
            return tr("Reading stopped at {read} of {photos}; Ctrl+Shift+R goes on.", read=read, photos=photos)
        if running & {JobKind.ARRANGE, JobKind.FEATURES}:
            return tr("Cancelled: the sheet stays as it is now; Ctrl+Shift+R goes on.")
        return ""


HELP_LANGUAGES = ("en", "de")
"""Languages that have a help page; users of other languages see the English page."""


class WorkspaceParts(Protocol):
    """What the commands need of the workspace: tray, sheet and panel."""

    @property
    def tray(self) -> Tray: ...

    @property
    def canvas(self) -> Canvas: ...

    @property
    def panel(self) -> QWidget: ...

    def show_side(self, side: str, shown: bool) -> None:
        """Show or hide the "tray" or the "panel"."""

    def show_names(self, shown: bool) -> None:
        """Show or hide names over the regions of the sheet."""

    def give_up_shape(self) -> bool:
        """Forget a change of shape that the sheet has not followed yet; returns whether there was one."""


class EditCommands(QObject):
    """Undo and redo."""

    def __init__(self, session: Session, workspace: Callable[[], WorkspaceParts]) -> None:
        super().__init__(session)
        self._session = session
        self._workspace = workspace

    def undo(self) -> None:
        if self._workspace().give_up_shape():  # the user's last change, which the sheet does not show yet
            self._session.tell(tr("Undone: {name}", name=tr("Change shape")))
            return
        name = self._session.undo_stack.undoText()
        self._session.undo_stack.undo()
        self._session.tell(tr("Undone: {name}", name=name))

    def redo(self) -> None:
        name = self._session.undo_stack.redoText()
        self._session.undo_stack.redo()
        self._session.tell(tr("Redone: {name}", name=name))


class ViewCommands(QObject):
    """Zoom, overlays, panels, theme, and the dialogs of the Help menu."""

    def __init__(
        self,
        window: QMainWindow,
        workspace: Callable[[], WorkspaceParts],
        preferences: Preferences,
        on_preferences: Callable[[], None],
        on_full_screen: Callable[[bool], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._preferences = preferences
        self._on_preferences, self._on_full_screen = on_preferences, on_full_screen
        self._state_before = window.windowState()

    def fit(self) -> None:
        self._workspace().canvas.fit()

    def actual_size(self) -> None:
        self._workspace().canvas.actual_size()

    def zoom_in(self) -> None:
        self._workspace().canvas.zoom_in()

    def zoom_out(self) -> None:
        self._workspace().canvas.zoom_out()

    @Slot(bool)
    def heat(self, on: bool) -> None:
        self._workspace().canvas.set_overlay("confidence" if on else "")

    @Slot(bool)
    def places(self, on: bool) -> None:
        self._workspace().canvas.set_overlay("places" if on else "")

    @Slot(bool)
    def names(self, on: bool) -> None:
        self._workspace().show_names(on)

    def filter(self) -> None:
        self._workspace().show_side("tray", True)
        field = self._workspace().tray.field
        field.setFocus()
        field.selectAll()

    def alone(self) -> None:
        """Leave only the photos that the tray's filter lists on the sheet."""
        self._workspace().tray.show_alone()

    def all_again(self) -> None:
        self._workspace().tray.show_all_again()

    @Slot(bool)
    def tray(self, on: bool) -> None:
        self._workspace().show_side("tray", on)
        self._preferences.remember("tray", "shown" if on else "hidden")

    @Slot(bool)
    def panel(self, on: bool) -> None:
        self._workspace().show_side("panel", on)
        self._preferences.remember("panel", "shown" if on else "hidden")

    @Slot(bool)
    def full_screen(self, on: bool) -> None:
        """Show the sheet alone on the whole screen, or the window as it was before."""
        if on:
            self._state_before = self._window.windowState()
            self._window.setWindowState(self._state_before | Qt.WindowState.WindowFullScreen)
        else:
            self._window.setWindowState(self._state_before)
        self._on_full_screen(on)

    def _theme(self, choice: str) -> None:
        self._preferences.set("theme", choice)
        self._on_preferences()

    @Slot(bool)
    def theme_system(self, on: bool = True) -> None:
        self._theme("system")

    @Slot(bool)
    def theme_light(self, on: bool = True) -> None:
        self._theme("light")

    @Slot(bool)
    def theme_dark(self, on: bool = True) -> None:
        self._theme("dark")

    @Slot(bool)
    def theme_contrast(self, on: bool = True) -> None:
        self._theme("contrast")

    def preferences(self) -> None:
        from album_app.gui.dialogs.preferences import PreferencesDialog

        dialog = PreferencesDialog(self._window, self._preferences)
        dialog.changed.connect(self._on_preferences)
        dialog.open()

    def shortcuts(self) -> None:
        from album_app.gui.dialogs.about import ShortcutsDialog

        ShortcutsDialog(self._window, {tr(menu): keys_of(menu) for menu in MENUS}).open()

    def log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file())))

    def help(self) -> None:
        """Open the help page in the browser, in the language of the window if there is one in it."""
        spoken = language.current().partition("_")[0]
        name = f"help/{spoken if spoken in HELP_LANGUAGES else language.ENGLISH}.html"
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(shipped_file(name))))

    def about(self) -> None:
        from album_app.gui.dialogs.about import AboutDialog

        AboutDialog(self._window, self.help, self.shortcuts).open()
