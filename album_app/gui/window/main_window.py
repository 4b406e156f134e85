"""The main window: menus, tool bar, start page and workspace, and what happens on closing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from album_app.file_names import undirected
from album_app.gui.canvas.cards import FloatingCard
from album_app.gui.commands.actions import PHOTO_MENU, Actions, menu_for
from album_app.gui.controls.bars import HINT, EditNotice, MessageBar, NoticeBar
from album_app.gui.controls.input import MenuFocus, MenuKey, WindowKeysFirst, local_paths
from album_app.gui.controls.sections import set_look
from album_app.gui.state.preferences import Preferences
from album_app.gui.style import theme
from album_app.gui.style.design import HAIR, ICON_PX, ROOM
from album_app.gui.style.wording import photos_and_skipped, summary_of
from album_app.gui.window import messages
from album_app.gui.window.parts import Parts, WindowCommands
from album_app.gui.window.start_page import RecentsKeeper, StartPage
from album_app.language import mark, tr

if TYPE_CHECKING:
    from album_app.gui.window.large_view.lightbox import Lightbox
    from album_app.gui.window.workspace import Workspace


LEFT_ACTIONS = ("open_folder", "save", "", "undo", "redo", "", "pin_corners", "pin_suggest", "", "arrange", "hold")
RIGHT_ACTIONS = ("heat", "places", "fit", "", "tray", "panel", "")
"""Keys of the actions at both ends of the tool bar; an empty string is a separator."""
LABELS = {
    "arrange": mark("Arrange again"),
    "hold": mark("Hold"),
    "pin_corners": mark("Corners"),
    "pin_suggest": mark("Suggest"),
    "heat": mark("How sure?"),
    "places": mark("Where else?"),
    "open_folder": mark("Open"),
}
"""Texts next to the icons of the main actions; if there is too little room, the last of them loses its text first."""


class ToolBar(QToolBar):
    """The tool bar: its actions never move; the main ones have a text as long as there is room.

    Signals:
        hinted(str): what the button with the keyboard focus does; "" if no button has it
    """

    hinted = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__(tr("Tools"))
        self._table = actions
        self.setMovable(False)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setIconSize(QSize(ICON_PX, ICON_PX))
        for key, words in LABELS.items():
            actions[key].setIconText(tr(words))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for key in LEFT_ACTIONS:
            self._add(key)
        self.addWidget(space)
        for key in RIGHT_ACTIONS:
            self._add(key)
        export = QToolButton()
        export.setDefaultAction(actions["export"])
        export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        export.setProperty("primary", True)
        export.setAccessibleName(tr("Export the sheet"))
        self.addWidget(export)

    def _add(self, key: str) -> None:
        if not key:
            self.addSeparator()
            return
        self.addAction(self._table[key])
        widget = self.widgetForAction(self._table[key])
        widget.setAccessibleName(self._table[key].data().text.rstrip("…"))
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        widget.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_labels()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_labels()

    def _fit_labels(self) -> None:
        """Show as many texts as there is room for; no action is moved into a menu."""
        buttons = [self.widgetForAction(self._table[key]) for key in LABELS]
        labelled = [button for button in buttons if isinstance(button, QToolButton)]
        for button in labelled:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for button in reversed(labelled):
            if self._needed_width() <= self.width():
                return
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def _needed_width(self) -> int:
        widgets = (self.widgetForAction(action) for action in self.actions())
        return sum(each.sizeHint().width() + HAIR for each in widgets) + 2 * ROOM

    def eventFilter(self, button: QObject, event: QEvent) -> bool:
        if isinstance(button, QToolButton) and isinstance(event, QFocusEvent):
            self.hinted.emit(button.toolTip() if event.gotFocus() else "")
        return False


SMALLEST, USUAL = (860, 560), (1280, 800)
"""Width and height of the window: the least, and at the first start."""
FRAME = QSize(8, 32)
"""Pixels that the system's frame takes around a window, about."""
LEAST_MESSAGE_PX = 480
"""If the sheet is narrower than this, messages take the width of the whole window."""
LEAVE_FULL_SCREEN = mark("F11 or Esc leaves the full screen.")
FULL_SCREEN_HINT_MS = 4000
"""The sentence about leaving the full screen is shown for this long."""


class MainWindow(QMainWindow):
    """The start page or the workspace, with menus and tool bar above and the status bar below."""

    def __init__(self, parts: Parts, preferences: Preferences) -> None:
        super().__init__()
        self.parts, self.preferences = parts, preferences
        self.session = parts.session
        self.session.setParent(self)
        session, photos, jobs = parts.session, parts.photos, parts.jobs
        self.start_page = StartPage()
        self._workspace: Workspace | None = None
        self.message_bar = MessageBar()
        self._commands = WindowCommands(
            self,
            parts,
            preferences,
            lambda: self.workspace,
            self.open_large,
            self.apply_preferences,
            self._show_bars,
        )
        self.files = self._commands.files
        self.actions_table = Actions(self, session, jobs, vars(self._commands))
        self.recents = RecentsKeeper(session, photos, jobs, self.files, self.start_page)
        self.messages = messages.AlbumMessages(session, parts.loading, self.message_bar, self.files.relink)
        self._commands.work.look_left.connect(self.messages.offer_look)
        messages.FolderOffer(session, parts.folder_watch, self.message_bar)
        messages.Invitation(session, self.message_bar, preferences, parts.solving.scored, parts.proposals.changed)
        messages.BehindOffer(
            *(session, photos, parts.solving, jobs, self.message_bar),
            quiet_ms=parts.thresholds.comparison_ms,
            fewest_edits=parts.thresholds.comparison_edits,
        )
        messages.StackOffer(session, self._commands.stacks, self.message_bar, preferences)
        messages.DamagedOffer(session, photos, self.message_bar)
        messages.ChapterPinsOffer(session, self.message_bar)
        messages.FitNotice(session, self.message_bar)
        self.recovery = messages.RecoveryOffer(
            session, parts.loading, jobs, parts.autosave, self.files, self.message_bar
        )
        self._leaving = False
        self._lightbox: Lightbox | None = None
        self._build()
        self._connect()
        self._restore()

    def _build(self) -> None:
        self.setWindowTitle("Album App")
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.start_page)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        self.message_bar.float_over(middle, self._room_for_messages)
        self.setCentralWidget(middle)
        menus = self.actions_table.fill(self.menuBar())
        self.recents.add_menu(menus["File"], self.actions_table["add_photos"])
        self.tools = ToolBar(self.actions_table)
        self.addToolBar(self.tools)
        self.tools.hide()
        self.tools.hinted.connect(self.show_hint)
        MenuFocus(self.menuBar())
        MenuKey(self)
        WindowKeysFirst(self)
        self.status = NoticeBar(self.parts.jobs)
        self.setStatusBar(self.status)
        self.notice, self.summary, self.job_bar = self.status.notice, self.status.summary, self.status.job_bar

    def _room_for_messages(self) -> QRect:
        """Where messages are shown: over the sheet if it is wide enough, so that tray and panel stay visible."""
        middle, canvas = self.pages, None if self._workspace is None else self._workspace.canvas
        if canvas is None or not canvas.isVisible() or canvas.width() < LEAST_MESSAGE_PX:
            return middle.rect()
        return QRect(canvas.mapTo(middle, QPoint(0, 0)), canvas.size())

    def _connect(self) -> None:
        session, page = self.session, self.start_page
        session.opened.connect(self._on_opened)
        session.saved_changed.connect(self._on_title)
        session.notice.connect(self.status.show_notice)
        EditNotice(session, self.parts.photos, self.status.show_notice)
        session.problem.connect(self.message_bar.show_error)
        self.message_bar.focus_left.connect(self._focus_on_sheet)
        self.job_bar.cancel_wanted.connect(self._commands.work.cancel)
        for changed in (session.layout_changed, self.parts.solving.scored, self.parts.photos.fewer_take_part):
            changed.connect(self._summarise)
        self.parts.photos.fewer_take_part.connect(self._tell_skipped)
        for follow in (self.files.catch_up, self.actions_table.refresh):
            self.parts.solving.settled.connect(follow)
        self.parts.solving.scored.connect(self.recents.remember)
        self.parts.loading.began.connect(page.set_busy)
        self.parts.loading.ended.connect(lambda: page.set_busy(""))
        page.folder_wanted.connect(self.files.open_folder)
        page.project_wanted.connect(self.files.open_project)
        page.sample_wanted.connect(self.files.open_sample)
        page.paths_chosen.connect(self.files.open_paths)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply_preferences)

    def _restore(self) -> None:
        geometry = self.preferences.bytes("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(*USUAL)
        self._focus_on_sheet()
        set_look(self.statusBar(), "quiet", True)
        self.apply_preferences()

    def stay_within(self, screen: QSize) -> None:
        """Make the window no larger than the screen, including the frame of the system."""
        room = screen - FRAME
        self.setMinimumSize(room.boundedTo(QSize(*SMALLEST)))
        self.resize(self.size().boundedTo(room))

    @property
    def workspace(self) -> "Workspace":
        """Tray, sheet and panel; built when first needed, so that the window appears quickly."""
        if self._workspace is None:
            from album_app.gui.window.workspace import Workspace

            self._workspace = Workspace(self.pages, self.parts, self._commands.pins, self.preferences)
            self._workspace.restore(self.preferences)
            self._workspace.dress(theme.current(), self.preferences)
            self.pages.addWidget(self._workspace)
            self._workspace.sides_changed.connect(self._follow_sides)
            self._follow_sides()
            self._workspace.canvas.hint.connect(self.show_hint)
            self._workspace.canvas.places_left.connect(self.actions_table["places"].trigger)
            self.message_bar.covering.connect(self._workspace.canvas.keep_clear_below)
            self.message_bar.keep_clear_of(self._workspace.canvas.findChildren(FloatingCard))
            self._workspace.canvas.files_dropped.connect(self.files.take_dropped)
            self._workspace.canvas.menu_requested.connect(lambda at: self.show_menu(at, menu_for(self.session)))
            self._workspace.tray.menu_requested.connect(lambda at: self.show_menu(at, PHOTO_MENU))
            for part in (self._workspace.canvas, self._workspace.tray):
                part.large_requested.connect(self.open_large)
            self._workspace.tray.likeness_requested.connect(self.actions_table["similar"].trigger)
            self._workspace.tray.pin_requested.connect(self._commands.pins.at_place)
        return self._workspace

    @Slot()
    def apply_preferences(self) -> None:
        """Take over the preferences: theme, memory, and how folders are opened."""
        choice = self.preferences.get("theme")
        palette = theme.apply(choice)
        self.actions_table[f"theme_{choice}"].setChecked(True)
        self.actions_table.refresh_icons()
        self.message_bar.refresh_theme()
        self.start_page.refresh_theme()
        if self._workspace is not None:
            self._workspace.dress(palette, self.preferences)
        self.parts.photos.hold_at_most(1_000_000 * int(self.preferences.get("memory")))
        self.parts.folder_watch.prefer(self.preferences.get("recursive"))
        self.parts.loading.prefer(self.preferences.get("recursive"), self.preferences.get("features"))
        self.parts.words.prefer(self.preferences.get("text_model"))

    @Slot()
    def _on_opened(self) -> None:
        document = self.session.document
        self.status.show_hint("", at_once=True)
        self.pages.setCurrentWidget(self.workspace if document is not None else self.start_page)
        self._show_bars(self.isFullScreen())
        self.summary.clear()
        self._focus_on_sheet()
        if document is None:
            return
        self.workspace.to_top()
        self._tell_skipped()

    @Slot()
    def _tell_skipped(self) -> None:
        """Say how many files are skipped, and again when more of them turn out to be damaged."""
        counts = self.parts.photos.counts()
        if counts.skipped:
            self.status.show_notice(photos_and_skipped(counts.photos, counts.skipped))

    def _show_bars(self, alone: bool) -> None:
        """Show menus, tool bar and status bar, or with `alone` nothing but the sheet."""
        for bar in (self.menuBar(), self.statusBar()):
            bar.setVisible(not alone)
        self.tools.setVisible(not alone and self.session.document is not None)
        set_look(self.statusBar(), "quiet", self.session.document is None)
        if self.session.document is not None:
            self.workspace.set_alone(alone)
        if alone:
            self.message_bar.show_message(tr(LEAVE_FULL_SCREEN), kind=HINT)
            QTimer.singleShot(FULL_SCREEN_HINT_MS, self, self._clear_hint)
        else:
            self._clear_hint()

    @Slot()
    def _clear_hint(self) -> None:
        if self.message_bar.text == tr(LEAVE_FULL_SCREEN):
            self.message_bar.clear()

    @Slot()
    def _follow_sides(self) -> None:
        for side in ("tray", "panel"):
            self.actions_table[side].setChecked(self.workspace.is_shown(side))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys that no other widget used: Enter presses the focused button, Esc moves the focus to the sheet."""
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton | QToolButton):
            focused.click()
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.actions_table["full_screen"].trigger()
        elif event.key() == Qt.Key.Key_Escape and self.session.document is not None:
            self.workspace.canvas.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    @Slot()
    def _focus_on_sheet(self) -> None:
        (self.start_page if self.session.document is None else self.workspace.canvas).setFocus()

    @Slot()
    def _on_title(self) -> None:
        album = f"{undirected(self.files.title)}[*] – " if self.session.document is not None else ""
        self.setWindowTitle(f"{album}Album App")
        self.setWindowModified(self.session.modified)

    @Slot()
    def _summarise(self) -> None:
        document = self.session.document
        if document is not None and document.layout is not None:
            self.summary.setText(summary_of(self.parts.photos.counts(), document.layout))

    @Slot(str)
    def show_hint(self, text: str) -> None:
        """Show a description of what is under the pointer unless a notice is shown; during a drag, show it at once."""
        carrying = self.session.document is not None and self.workspace.canvas.hand.carried is not None
        self.status.show_hint(text, at_once=carrying)

    def show_menu(self, position: QPoint, keys: Sequence[str]) -> None:
        """Open a context menu of these actions at a position on the screen."""
        menu = self.actions_table.context_menu(keys, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)

    @Slot(int)
    def open_large(self, photo: int, crop: bool = False) -> None:
        """Show a photo over the whole window; with `crop`, begin to choose its crop there."""
        if self._lightbox is None:
            from album_app.gui.window.large_view.lightbox import Lightbox

            self._lightbox = Lightbox(self, self.session, self.parts.photos, self.parts.details)
        self._lightbox.open(photo, self.workspace.tray.model.rows, self.session.selected, crop)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self.start_page.set_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start_page.set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.start_page.set_dropping(False)
        paths = local_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.files.take_dropped(paths)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.parts.folder_watch.look()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._leaving:
            self.files.leave_then(lambda: self.files.when_kept(self._leave))
        event.setAccepted(self._leaving)

    def _leave(self) -> None:
        """Remember how the window looks, stop all work, and close."""
        self._leaving = True
        with self.preferences.saved_together():
            self.preferences.remember("geometry", self.saveGeometry())
            if self._workspace is not None:
                self._workspace.remember(self.preferences)
        self.parts.shut_down()
        self.parts.autosave.finish()
        QTimer.singleShot(0, self, self.close)
