"""The table of actions: menu, title, key, icon, and the condition under which each is enabled."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from album_app.gui.state.jobs import Jobs
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.icons import icon
from album_app.gui.style.wording import literal, with_own_letters
from album_app.language import mark, tr
from album_app.layout.project.document import Document

Condition = Callable[[Session, Jobs], bool]


def _selected(session: Session, test: Callable[[int], bool]) -> bool:
    return session.document is not None and any(test(photo) for photo in session.selected)


def _all_pinned(document: Document, photos: Sequence[int]) -> bool:
    """Whether at least one photo is selected and all selected ones are pinned, so that they can only be unpinned."""
    return bool(photos) and all(photo in document.pins for photo in photos)


def _shown(session: Session) -> int:
    """How many of the selected photos are on the sheet."""
    layout = None if session.document is None else session.document.layout
    return 0 if layout is None else sum(photo in layout.positions for photo in session.selected)


def _in_stack(document: Document, photo: int) -> bool:
    return photo in document.stack_of or photo in document.covered


CONDITIONS: dict[str, Condition] = {
    "always": lambda s, j: True,
    "document": lambda s, j: s.document is not None,
    "layout": lambda s, j: s.document is not None and s.document.layout is not None,
    "selection": lambda s, j: s.document is not None and bool(s.selected),
    "placed": lambda s, j: s.document is not None and s.cell is not None,
    "pinnable": lambda s, j: s.document is not None and s.cell is not None and not _all_pinned(s.document, s.selected),
    "empty_cell": lambda s, j: bool(s.selected) and s.on_empty_cell,
    "pinned": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.pins),
    "excluded": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.excluded),
    "included": lambda s, j: _selected(s, lambda p: s.document is not None and p not in s.document.excluded),
    "any_pins": lambda s, j: s.document is not None and bool(s.document.pins),
    "letters": lambda s, j: s.document is not None and bool(s.document.shape.centres),
    "book": lambda s, j: s.document is not None and s.document.shape.pages is not None and s.cell is not None,
    "in_stack": lambda s, j: _selected(s, lambda p: s.document is not None and _in_stack(s.document, p)),
    "covered": lambda s, j: s.current is not None and s.document is not None and s.current in s.document.covered,
    "any_stacks": lambda s, j: s.document is not None and bool(s.document.stacks),
    "crowded": lambda s, j: s.document is not None and len(s.document.active) > s.document.shape.count,
    "large": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.sizes),
    "any_sizes": lambda s, j: s.document is not None and bool(s.document.sizes),
    "cropped": lambda s, j: _selected(s, lambda p: s.document is not None and p in s.document.crops),
    "on_sheet": lambda s, j: _shown(s) > 0,
    "several": lambda s, j: _shown(s) > 1,
    "two": lambda s, j: len(s.selected) == _shown(s) == 2,
    "any_table": lambda s, j: s.document is not None and s.document.table is not None,
    "alone": lambda s, j: s.document is not None and bool(s.document.alone),
    "missing": lambda s, j: s.document is not None and bool(s.document.missing),
    "undo": lambda s, j: s.undo_stack.canUndo(),
    "redo": lambda s, j: s.undo_stack.canRedo(),
    "busy": lambda s, j: bool(j.visible),
}
"""The conditions under which actions are enabled, by the name that a row of the table gives in `when`."""


SEPARATOR = "-"
"""Stands between the keys of a context menu where the menu has a line."""
OVERLAYS = "overlays"
"""The group of actions of which at most one is checked."""


@dataclass(frozen=True)
class Entry:
    """A row of the table: an action, its menu, its text, the command that it runs, and when it is enabled.

    `menu` is a menu or "menu/submenu". `run` is "commands.method", such as "files.save"; `when` is one of `CONDITIONS`.
    """

    key: str
    menu: str
    text: str
    run: str
    shortcut: str = ""
    also: str = ""  # a second shortcut
    own_key: str = ""  # a key that the sheet handles itself: the menu shows it, but it is no shortcut of the action
    when: str = "always"
    icon: str = ""
    checkable: bool = False
    group: str = ""  # of checkable actions; only one of a group is checked

    @property
    def shortcuts(self) -> tuple[str, ...]:
        return tuple(keys for keys in (self.shortcut, self.also) if keys)


CORNERS = {
    "top_left": mark("Pin to the top left"),
    "top_right": mark("Pin to the top right"),
    "bottom_left": mark("Pin to the bottom left"),
    "bottom_right": mark("Pin to the bottom right"),
}

ACTIONS: tuple[Entry, ...] = (
    Entry("open_folder", "File", "Open folder…", "files.open_folder", "Ctrl+O", icon="folder"),
    Entry("open_photos", "File", "Open photos…", "files.open_photos", "Ctrl+Alt+O", icon="photo"),
    Entry("open_project", "File", "Open project…", "files.open_project", "Ctrl+Shift+O", icon="project"),
    Entry("open_sample", "File", "Open the sample album", "files.open_sample", "Ctrl+T", icon="sample"),
    Entry("add_photos", "File", "Add photos…", "files.add_photos", "Ctrl+I", when="document"),
    Entry("open_table", "File", mark("Open a table…"), "files.open_table", "Ctrl+Shift+T", when="document"),
    Entry("close_table", "File", mark("Close the table"), "files.close_table", "Ctrl+Shift+W", when="any_table"),
    Entry("look_for_photos", "File", mark("Look for new photos"), "work.look", "F5", "Ctrl+R", when="document"),
    Entry("save", "File", "Save", "files.save", "Ctrl+S", when="document", icon="save"),
    Entry("save_as", "File", "Save as…", "files.save_as", "Ctrl+Shift+S", when="document"),
    Entry("relink", "File", "Find missing photos…", "files.relink", "Ctrl+L", when="missing"),
    Entry("export", "File", "Export…", "files.export", "Ctrl+E", when="layout", icon="export"),
    Entry("print", "File", "Print…", "files.print_sheet", "Ctrl+P", when="layout", icon="print"),
    Entry("close", "File", "Close album", "files.close_album", "Ctrl+W", when="document"),
    Entry("quit", "File", "Quit", "files.quit", "Ctrl+Q"),
    Entry("undo", "Edit", "Undo", "edits.undo", "Ctrl+Z", when="undo", icon="undo"),
    Entry("redo", "Edit", "Redo", "edits.redo", "Ctrl+Shift+Z", "Ctrl+Y", when="redo", icon="redo"),
    Entry("copy_photo", "Edit", "Copy photo", "photos.copy", "Ctrl+C", when="selection"),
    Entry("copy_sheet", "Edit", "Copy sheet", "photos.copy_sheet", "Ctrl+Shift+C", when="layout"),
    Entry("paste", "Edit", "Paste photos", "files.paste", "Ctrl+V"),
    Entry("select_all", "Edit", "Select all", "photos.select_all", "Ctrl+A", when="document"),
    Entry("preferences", "Edit", "Preferences…", "view.preferences", "Ctrl+,"),
    Entry("large", "Photo", "Large view", "photos.large", own_key="Return", when="selection", icon="photo"),
    Entry("caption", "Photo", mark("Caption…"), "photos.caption", "F2", when="selection"),
    Entry("similar", "Photo", "Find similar", "photos.similar", "Ctrl+Shift+F", when="selection"),
    Entry("more_like", "Photo", mark("More like this"), "photos.more_like", "Ctrl+Alt+J", when="selection"),
    Entry("less_like", "Photo", mark("Less like this"), "photos.less_like", "Ctrl+Shift+J", when="selection"),
    Entry("outliers", "Photo", mark("Find outliers"), "photos.outliers", "Ctrl+Shift+U", when="document"),
    Entry(
        "alternatives",
        "Photo",
        "Show alternatives",
        "photos.alternatives",
        own_key="A",
        when="placed",
        icon="alternatives",
    ),
    Entry(
        "places",
        "Photo",
        "Where else could it go?",
        "view.places",
        "Ctrl+M",
        when="layout",
        icon="map",
        checkable=True,
        group=OVERLAYS,
    ),
    Entry("stack_open", "Photo/Stacks", "Open the stack", "stacks.open", own_key="S", when="in_stack"),
    Entry(
        "stack_first", "Photo/Stacks", "Show this one on its stack", "stacks.show_first", "Ctrl+Alt+F", when="covered"
    ),
    Entry("unstack", "Photo/Stacks", "Unstack", "stacks.unstack", "Ctrl+Shift+G", when="in_stack"),
    Entry("stack", "Photo/Stacks", "Stack near-duplicates…", "stacks.stack", "Ctrl+G", when="document"),
    Entry("unstack_all", "Photo/Stacks", "Unstack all", "stacks.unstack_all", "Ctrl+Alt+G", when="any_stacks"),
    Entry("stacks_write", "Photo/Stacks", "Write list to CSV…", "stacks.write", "Ctrl+Alt+D", when="document"),
    Entry(
        "page_earlier", "Photo/Page", mark("Move its page earlier"), "photos.page_earlier", "Ctrl+Alt+PgUp", when="book"
    ),
    Entry("page_later", "Photo/Page", mark("Move its page later"), "photos.page_later", "Ctrl+Alt+PgDown", when="book"),
    Entry(
        "chapter_title",
        "Photo/Page",
        mark("Chapter title of its page…"),
        "photos.chapter_title",
        "Shift+F2",
        when="book",
    ),
    Entry(
        "exclude", "Photo", "Exclude from album", "photos.exclude", "Ctrl+Backspace", when="included", icon="exclude"
    ),
    Entry("include", "Photo", "Take back into album", "photos.include", "Ctrl+Shift+Backspace", when="excluded"),
    Entry(
        "always_show",
        "Photo",
        mark("Always show"),
        "photos.always_show",
        "Ctrl+Alt+A",
        when="selection",
        checkable=True,
    ),
    Entry("hold_these", "Photo", mark("Hold these cells"), "photos.hold", own_key="Shift+H", when="on_sheet"),
    Entry("arrange_these", "Photo", mark("Arrange these again"), "photos.arrange", "Ctrl+Alt+R", when="several"),
    Entry("swap", "Photo", mark("Swap the two photos"), "photos.swap", "Ctrl+Shift+X", when="two"),
    Entry("larger", "Photo/Size", mark("Larger on the sheet"), "photos.larger", "Ctrl++", when="on_sheet"),
    Entry("smaller", "Photo/Size", mark("Smaller on the sheet"), "photos.smaller", "Ctrl+-", when="large"),
    Entry("favourites", "Photo/Size", mark("Larger favourites"), "photos.favourites", "Ctrl+Alt+B", when="layout"),
    Entry("one_size", "Photo/Size", mark("All photos in one size"), "photos.one_size", "Ctrl+Alt+0", when="any_sizes"),
    Entry("crop", "Photo", mark("Crop…"), "photos.crop", "Ctrl+K", when="selection", icon="crop"),
    Entry("reset_crop", "Photo", mark("Reset the crop"), "photos.reset_crop", "Ctrl+Alt+K", when="cropped"),
    Entry("viewer", "Photo", "Open in viewer", "photos.open_in_viewer", "Ctrl+Return", when="selection"),
    Entry("manager", "Photo", "Show in file manager", "photos.show_in_manager", "Ctrl+Shift+M", when="selection"),
    Entry("pin_here", "Pins", "Pin here", "photos.pin_here", own_key="P", when="pinnable", icon="pin"),
    Entry(
        "pin_selected", "Pins", "Pin the selected photo here", "photos.pin_selected", "Ctrl+Alt+H", when="empty_cell"
    ),
    *(
        Entry(
            f"pin_{k}",
            "Pins/Pin to corner",
            text,
            f"photos.pin_{where}",
            f"Ctrl+Alt+{k + 1}",
            when="selection",
        )
        for k, (where, text) in enumerate(CORNERS.items())
    ),
    Entry("carry", "Pins", mark("Carry to another cell"), "photos.carry", own_key="M", when="placed"),
    Entry("unpin", "Pins", "Unpin", "photos.unpin", own_key="Delete", when="pinned", icon="unpin"),
    Entry("pin_corners", "Pins", "Pin the four corners", "pins.corners", "Ctrl+Alt+C", when="layout", icon="corners"),
    Entry("pin_edges", "Pins", "Pin the edges' middles", "pins.edges", "Ctrl+Alt+E", when="layout"),
    Entry("pin_letters", "Pins", "Pin the letters", "pins.letters", "Ctrl+Alt+L", when="letters", icon="letters"),
    Entry("pin_suggest", "Pins", "Suggest a pin", "pins.suggest", "Ctrl+Alt+S", when="layout", icon="suggest"),
    Entry("pin_word", "Pins", mark("Pin what is found…"), "photos.pin_word", "Ctrl+Alt+W", when="layout"),
    Entry("timeline", "Pins", "Timeline", "pins.timeline", "Ctrl+Alt+T", when="layout"),
    Entry("unpin_all", "Pins", "Unpin all", "pins.unpin_all", "Ctrl+Alt+U", when="any_pins"),
    Entry("pins_read", "Pins", "Read pins from CSV…", "pins.read", "Ctrl+Alt+I", when="document"),
    Entry("pins_write", "Pins", "Write pins to CSV…", "pins.write", "Ctrl+Alt+X", when="any_pins"),
    Entry("fit", "View", "Fit", "view.fit", "Ctrl+0", when="document", icon="fit"),
    Entry("actual", "View", "100 %", "view.actual_size", "Ctrl+1", when="document"),
    Entry("zoom_in", "View", "Zoom in", "view.zoom_in", "Ctrl+Alt++", own_key="+", when="document"),
    Entry("zoom_out", "View", "Zoom out", "view.zoom_out", "Ctrl+Alt+-", own_key="-", when="document"),
    Entry(
        "heat", "View", "Confidence", "view.heat", "Ctrl+H", when="layout", icon="heat", checkable=True, group=OVERLAYS
    ),
    Entry("names", "View", "Names of regions", "view.names", "Ctrl+Shift+N", when="layout", checkable=True),
    Entry("arrange", "View", "Arrange again", "work.arrange", "Ctrl+Shift+R", when="document", icon="arrange"),
    Entry("polish", "View", mark("Polish the sheet"), "work.polish", "Ctrl+Alt+P", when="layout"),
    Entry(
        "hold", "View", mark("Hold the sheet"), "work.hold", own_key="H", when="layout", icon="locked", checkable=True
    ),
    Entry("compare", "View", mark("Compare two versions…"), "photos.compare", "Ctrl+Alt+V", when="layout"),
    Entry("choose_again", "View", mark("Choose photos again"), "work.choose", "Ctrl+Alt+N", when="crowded"),
    Entry("stop", "View", "Cancel what is running", "work.cancel", "Ctrl+.", when="busy"),
    Entry("filter", "View", "Filter photos", "view.filter", "Ctrl+F", when="document"),
    Entry("alone", "View", mark("Only the filtered photos"), "view.alone", "Ctrl+Shift+A", when="document"),
    Entry("all_again", "View", mark("All photos again"), "view.all_again", "Ctrl+Alt+Y", when="alone"),
    Entry("tray", "View", "Photos", "view.tray", "F9", when="document", icon="tray", checkable=True),
    Entry("panel", "View", "Settings panel", "view.panel", "F10", when="document", icon="panel", checkable=True),
    Entry(
        "theme_system", "View/Theme", "Follow the system", "view.theme_system", "Ctrl+F6", checkable=True, group="theme"
    ),
    Entry("theme_light", "View/Theme", "Light", "view.theme_light", "Ctrl+F7", checkable=True, group="theme"),
    Entry("theme_dark", "View/Theme", "Dark", "view.theme_dark", "Ctrl+F8", checkable=True, group="theme"),
    Entry(
        "theme_contrast",
        "View/Theme",
        mark("High contrast"),
        "view.theme_contrast",
        "Ctrl+F9",
        checkable=True,
        group="theme",
    ),
    Entry("full_screen", "View", "Full screen", "view.full_screen", "F11", checkable=True),
    Entry("help", "Help", mark("Help page"), "view.help", "Shift+F1", icon="help"),
    Entry("shortcuts", "Help", "Shortcuts", "view.shortcuts", "F1"),
    Entry("log", "Help", "Show the log file", "view.log", "F12"),
    Entry("about", "Help", "About Album App", "view.about", "Ctrl+F1"),
)

MENUS = tuple(dict.fromkeys(entry.menu.split("/")[0] for entry in ACTIONS))
SEPARATORS_BEFORE = (
    *("add_photos", "save", "export", "close", "quit", "copy_photo", "preferences", "similar", "exclude", "viewer"),
    *("pin_corners", "unpin_all", "heat", "arrange", "filter", "full_screen", "log"),
)
"""Actions with a line above them in their menu."""
PHOTO_MENU = (
    *("pin_here", "pin_selected", "pin_0", "pin_1", "pin_2", "pin_3", "unpin", "swap", "hold_these", SEPARATOR),
    *("larger", "smaller", "crop", "reset_crop", "caption", SEPARATOR),
    *("always_show", "exclude", "include", "arrange_these", SEPARATOR),
    *("stack_open", "stack_first", "unstack", SEPARATOR),
    *("similar", "more_like", "less_like", "alternatives", "places", SEPARATOR),
    *("large", "viewer", "manager", "copy_photo"),
)
"""The context menu of photos."""
CELL_MENU = (
    *("pin_selected", "alternatives", SEPARATOR, "pin_corners", "pin_letters", "pin_suggest", SEPARATOR),
    *("fit", "heat", "copy_sheet"),
)
"""The context menu of an empty cell."""


def keys_of(menu: str) -> list[tuple[str, str]]:
    """The shortcuts and titles of all actions in a menu and its submenus."""
    found = []
    for entry in ACTIONS:
        if entry.menu.split("/")[0] == menu:
            keys = (entry.own_key,) if entry.own_key else entry.shortcuts  # the key that the menu shows
            native = map(_native, keys or ("",))
            found.append((tr(" or ").join(native), tr(entry.text).rstrip("… ")))
    return found


def _native(keys: str) -> str:
    """The name of a shortcut in the user's language and on this system, of which Qt does not translate Return."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", tr("Return"))


def menu_for(session: Session) -> tuple[str, ...]:
    """The context menu for the selected photos, or for an empty cell."""
    return PHOTO_MENU if session.selected and not session.on_empty_cell else CELL_MENU


class Actions(QObject):
    """The rows of the table as QActions, each enabled while its condition holds."""

    def __init__(self, window: QWidget, session: Session, jobs: Jobs, parts: Mapping[str, object]) -> None:
        super().__init__(window)
        self._session, self._jobs = session, jobs
        self._groups: dict[str, QActionGroup] = {}
        self._possible: dict[str, bool] = {}
        self._actions = {entry.key: self._make(window, entry, parts) for entry in ACTIONS}
        for signal in (session.opened, session.document_changed, session.selection_changed):
            signal.connect(self.refresh)
        session.undo_stack.indexChanged.connect(self.refresh)
        jobs.changed.connect(self._refresh_busy)
        self.refresh()

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def _make(self, window: QWidget, entry: Entry, parts: Mapping[str, object]) -> QAction:
        text = tr(entry.text)
        shown = entry.own_key or (entry.shortcut if "Return" in entry.shortcut else "")  # Qt shows other shortcuts
        text = f"{text}\t{_native(shown)}" if shown else text
        action = QAction(text, window, checkable=entry.checkable)
        action.setShortcuts([QKeySequence(keys) for keys in entry.shortcuts])
        part, method = entry.run.split(".")
        run = getattr(parts[part], method)
        action.triggered.connect(run if entry.checkable else lambda checked=False: run())
        action.setData(entry)
        self._tell_keys(action, tr(entry.text))
        window.addAction(action)
        if entry.group:
            group = self._groups.setdefault(entry.group, QActionGroup(self))
            if entry.group == OVERLAYS:
                group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
            group.addAction(action)
        return action

    def _tell_keys(self, action: QAction, text: str) -> None:
        """Give the action a tooltip with its text and its shortcut."""
        entry: Entry = action.data()
        keys, short = _native((*entry.shortcuts, entry.own_key)[0]), text.rstrip("… ")
        action.setToolTip(f"{short} ({keys})" if keys else short)

    @Slot()
    def refresh(self) -> None:
        """Enable the actions whose condition holds, and name the steps that undo and redo would take."""
        possible = {name: test(self._session, self._jobs) for name, test in CONDITIONS.items()}
        for entry in ACTIONS:
            if possible[entry.when] != self._possible.get(entry.key):
                self._possible[entry.key] = possible[entry.when]
                self[entry.key].setEnabled(possible[entry.when])
        document, selected = self._session.document, self._session.selected
        self["hold"].setChecked(document is not None and document.is_held)
        self["always_show"].setChecked(
            document is not None and bool(selected) and document.always_shown.issuperset(selected)
        )
        stack = self._session.undo_stack
        self._name("undo", tr("Undo {name}", name=stack.undoText()) if stack.canUndo() else tr("Undo"))
        self._name("redo", tr("Redo {name}", name=stack.redoText()) if stack.canRedo() else tr("Redo"))

    def _name(self, key: str, text: str) -> None:
        self[key].setText(literal(text))
        self._tell_keys(self[key], text)

    @Slot()
    def _refresh_busy(self) -> None:
        busy = CONDITIONS["busy"](self._session, self._jobs)
        if busy != self._possible["stop"]:
            self._possible["stop"] = busy
            self["stop"].setEnabled(busy)

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the current theme."""
        palette = theme.current()
        for action in self._actions.values():
            if action.data().icon:
                action.setIcon(icon(action.data().icon, palette.text, palette.disabled))

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Put every action into its menu; returns the menus by name."""
        titles = with_own_letters([tr(name) for name in MENUS])
        menus = {name: bar.addMenu(title) for name, title in zip(MENUS, titles, strict=True)}
        for entry in ACTIONS:
            top, _, below = entry.menu.partition("/")
            if below and entry.menu not in menus:
                menus[entry.menu] = menus[top].addMenu(tr(below))
            if entry.key in SEPARATORS_BEFORE:
                menus[entry.menu].addSeparator()
            menus[entry.menu].addAction(self[entry.key])
        return menus

    def context_menu(self, keys: Iterable[str], parent: QWidget) -> QMenu:
        """A menu of those actions that are enabled."""
        menu = QMenu(parent)
        corner: QMenu | None = None
        for key in keys:
            if key == SEPARATOR:
                menu.addSeparator()
            elif self[key].isEnabled():
                if self[key].data().menu.endswith("corner"):
                    corner = corner or menu.addMenu(tr("Pin to corner"))
                    corner.addAction(self[key])
                else:
                    menu.addAction(self[key])
        return menu
