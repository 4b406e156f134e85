"""The middle of the window while an album is open: tray, canvas, side panel."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from album_app.gui.canvas.canvas import Canvas, CanvasColours
from album_app.gui.commands.pin_commands import PinCommands
from album_app.gui.controls.input import KeepFocusInSight
from album_app.gui.controls.sections import Section, align_rows, without_idle_handle
from album_app.gui.panel.look import LookSection
from album_app.gui.panel.pins import PinsSection
from album_app.gui.panel.quality import QualitySection
from album_app.gui.panel.researchers import ResearchersSection
from album_app.gui.panel.shape import ShapeSection
from album_app.gui.panel.time import TimeSection
from album_app.gui.state.preferences import Preferences
from album_app.gui.style.design import PANEL_WIDTH_PX, TRAY_WIDTH_PX
from album_app.gui.style.theme import Palette
from album_app.gui.tray.model import UNPLACED
from album_app.gui.tray.tray import Tray
from album_app.gui.window.parts import Parts
from album_app.language import tr

LEAST_TRAY_PX, LEAST_PANEL_PX, MOST_PANEL_PX = 200, 264, 420
"""Widths between which the user can drag the edges; the panel becomes wider if its words need it."""
TRAY, PANEL = "tray", "panel"
LIST_MS = 500
"""After the tray is shown again, its list of photos has been laid out within this time."""
LEAST_SHEET_SHARE = 0.5
"""If tray and panel together would leave the sheet less than this share of the width, only one of them is shown."""


class Workspace(QSplitter):
    """Tray, sheet and panel in columns that the user can resize; one or both sides hide if there is little room.

    Signals:
        sides_changed(): tray or panel was shown or hidden
    """

    sides_changed = Signal()

    def __init__(self, parent: QWidget, parts: Parts, pins: PinCommands, preferences: Preferences) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)  # widgets are styled again when they get another parent
        session, photos = parts.session, parts.photos
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.canvas = Canvas(session, photos, parts.details, parts.advice, parts.jobs, parts.proposals)
        self.tray = Tray(session, photos, parts.tray_details, parts.words, parts.facets, target=self.canvas)
        self._words = parts.words
        self._words.named.connect(self.canvas.set_region_labels)
        parts.facets.coloured.connect(self.canvas.set_colouring)
        self.panel = QScrollArea()
        for widget in (self.tray, self.canvas, self.panel):
            self.addWidget(widget)
        self.shape = ShapeSection(session, photos, parts.reshaping, parts.advice, preferences)
        pins_section = PinsSection(session, photos, parts.advice, pins)
        quality = QualitySection(session, photos, parts.advice, parts.solving, parts.facets)
        time = TimeSection(session, pins, preferences)
        self.canvas.set_time_marks(time.marks_shown)
        time.marks_wanted.connect(self.canvas.set_time_marks)
        self.sections: tuple[Section, ...] = (
            self.shape,
            LookSection(session, parts.solving, preferences, parts.facets),
            pins_section,
            time,
            quality,
            ResearchersSection(session, photos, parts.solving),
        )
        self._fill_panel()
        self.panel.verticalScrollBar().rangeChanged.connect(self._widen_panel)
        self._wanted = [TRAY, PANEL]  # the sides that the user wants to see, the latest last
        self._alone = False
        self._list_at = 0  # the scroll position of the list of photos before the sheet was shown alone
        self._list_waits = QTimer(self, singleShot=True, interval=LIST_MS)
        self.tray.list.verticalScrollBar().rangeChanged.connect(self._back_in_list)
        self.setStretchFactor(1, 1)
        self.tray.setMinimumWidth(LEAST_TRAY_PX)  # otherwise its contents would widen it
        self.setSizes([TRAY_WIDTH_PX, 900, PANEL_WIDTH_PX])
        parts.solving.settled.connect(self.canvas.strip.refresh)
        parts.solving.scored.connect(pins_section.find_conflicts)
        pins_section.go_to.connect(self.canvas.go_to)
        quality.misfits.wanted.connect(self.canvas.go_to_all)
        quality.unplaced_wanted.connect(self.show_unplaced)
        self.tray.go_to_requested.connect(self.canvas.go_to)
        KeepFocusInSight(self.panel)

    def _fill_panel(self) -> None:
        self.panel.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its contents have the keyboard instead
        self.panel.setWidgetResizable(True)
        self.panel.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.panel.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        without_idle_handle(self.panel)
        self.panel.setMinimumWidth(LEAST_PANEL_PX)
        self.panel.setMaximumWidth(MOST_PANEL_PX)
        self.panel.setAccessibleName(tr("Settings panel"))
        inside = QFrame()
        inside.setObjectName("sidePanel")
        self.panel.setWidget(inside)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        for section in self.sections:
            section.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            column.addWidget(section)
            align_rows(section)
        column.addStretch(1)

    def restore(self, preferences: Preferences) -> None:
        """Restore widths and folded sections as they were when the window was closed."""
        state = preferences.bytes("columns")
        if state is not None:
            self.restoreState(state)
        for section in self.sections:
            remembered = preferences.word(f"section/{type(section).__name__}")
            if remembered:
                section.set_open(remembered == "open")
        for side in (TRAY, PANEL):
            self.show_side(side, preferences.word(side, "shown") == "shown")

    def remember(self, preferences: Preferences) -> None:
        preferences.remember("columns", self.saveState())
        for section in self.sections:
            preferences.remember(f"section/{type(section).__name__}", "open" if section.is_open else "folded")

    def to_top(self) -> None:
        """Scroll tray and panel to their tops: another album is shown."""
        self.tray.list.scrollToTop()
        self.panel.verticalScrollBar().setValue(0)

    @Slot()
    def show_unplaced(self) -> None:
        """List the photos that are not on the sheet."""
        self.show_side(TRAY, True)
        self.tray.show_section(UNPLACED)

    def show_side(self, side: str, shown: bool) -> None:
        """Show or hide the tray or the panel; if there is room for only one, the one asked for last is shown."""
        self._wanted = [other for other in self._wanted if other != side] + [side] * shown
        self._make_room()

    def set_alone(self, alone: bool) -> None:
        """Show the sheet without tray and panel, or everything as it was before."""
        if alone and not self._alone:
            self._list_at = self.tray.list.verticalScrollBar().value()
        elif self._alone and not alone:
            self._list_waits.start()
        self._alone = alone
        self._make_room()

    @Slot(int, int)
    def _back_in_list(self, least: int, most: int) -> None:
        """Scroll the list of photos back to where it was before the sheet was shown alone."""
        if self._list_waits.isActive() and most >= self._list_at:
            self._list_waits.stop()
            self.tray.list.verticalScrollBar().setValue(self._list_at)

    def is_shown(self, side: str) -> bool:
        return not self._side(side).isHidden()

    def _side(self, side: str) -> QWidget:
        return self.tray if side == TRAY else self.panel

    def _make_room(self) -> None:
        both = self.width() - sum(self._usual_width(side) for side in self._wanted) >= LEAST_SHEET_SHARE * self.width()
        shown = () if self._alone else self._wanted if both else self._wanted[-1:]
        changed = [side for side in (TRAY, PANEL) if self.is_shown(side) != (side in shown)]
        for side in changed:
            if side not in shown and self._side(side).isAncestorOf(QApplication.focusWidget() or self):
                self.canvas.setFocus()
            self._side(side).setVisible(side in shown)
        if changed:
            self.sides_changed.emit()

    def _usual_width(self, side: str) -> int:
        if self.is_shown(side) and self._side(side).width() >= self._side(side).minimumWidth() > 0:
            return self._side(side).width()
        return TRAY_WIDTH_PX if side == TRAY else PANEL_WIDTH_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def show_names(self, shown: bool) -> None:
        """Show or hide names over the regions of the sheet."""
        self._words.show_names(shown)

    def give_up_shape(self) -> bool:
        """Forget a change of shape that the sheet has not followed yet; returns whether there was one."""
        return self.shape.give_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._widen_panel()

    @Slot()
    def _widen_panel(self) -> None:
        """Widen the panel if a language, a typeface or an unfolded section needs that.

        The panel never becomes narrower again, so that the sheet does not move when a text changes.
        """
        inside = self.panel.widget() or self.panel
        needed = inside.minimumSizeHint().width() + self.panel.verticalScrollBar().sizeHint().width()
        if needed > max(PANEL_WIDTH_PX, self.panel.minimumWidth()):
            self.panel.setMaximumWidth(max(needed, MOST_PANEL_PX))
            self.panel.setMinimumWidth(needed)

    def dress(self, palette: Palette, preferences: Preferences) -> None:
        """Take over the colours of the theme, and whether the user wants reduced motion."""
        for section in self.sections:
            section.refresh_theme()
        colours = CanvasColours.from_palette(palette)
        self.canvas.set_colours(colours)
        self.tray.set_colours(colours)
        self.canvas.set_motion(preferences.get("motion") == "reduced")
