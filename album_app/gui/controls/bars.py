"""Bars and lines that tell the user something: the status line, messages, notices and the progress of jobs."""

import logging
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QToolButton,
    QWidget,
)

from album_app.errors import AlbumError
from album_app.file_names import bounded, undirected
from album_app.gui.controls.sections import named, set_role
from album_app.gui.state.jobs import Job, Jobs
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.session import Session
from album_app.gui.style import theme
from album_app.gui.style.design import WIDE
from album_app.gui.style.icons import icon, pixmap
from album_app.gui.style.wording import in_time, no_cell_words, sentence
from album_app.language import mark, number, tr, trn

NOTE, SUCCESS, WARNING, ERROR = "muted", "success", "warning", "error"
HINT = "hint"
"""A message that disappears by itself after a moment."""
SIGNS = {
    SUCCESS: ("done", mark("Done")),
    WARNING: ("attention", mark("Warning")),
    ERROR: ("warning", mark("Error")),
}
"""The icon of each kind of message, and its name for screen readers; a note has no icon."""
SIDE = 18
"""Side of these icons, in pixels."""


class StatusLine(QWidget):
    """A label that may wrap, after the icon of its kind."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._mark = QLabel()
        self.label = named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), name)
        self.label.setMinimumWidth(1)  # a long word must not widen what is around
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._mark)
        row.addWidget(self.label, 1)
        self.kind = NOTE
        self.say("")

    def say(self, text: str, kind: str = NOTE) -> None:
        """Show a sentence as a message of a kind."""
        self.kind = kind
        self.label.setText(bounded(text))
        set_role(self.label, kind)
        self.refresh_theme()

    def refresh_theme(self) -> None:
        """Draw the icon in the colours of the theme."""
        self._mark.setVisible(self.kind in SIGNS)
        if self.kind in SIGNS:
            self._mark.setPixmap(sign(self.kind, self.devicePixelRatio()))
            self._mark.setAccessibleName(tr(SIGNS[self.kind][1]))


def sign(kind: str, ratio: float) -> QPixmap:
    """The icon of a kind in its colour."""
    return pixmap(SIGNS[kind][0], getattr(theme.current(), kind), SIDE, ratio)


SHOW_FROM_SECONDS = 0.4
"""A job shows in the status bar after this time, so that quick jobs do not flicker there."""
SHOW_TIME_FROM_SECONDS = 2.0
"""The time that is left is shown if it is at least this long."""


class JobBar(QWidget):
    """Shows the progress of the oldest visible job.

    Signals:
        cancel_wanted(): all visible jobs are to be stopped
    """

    cancel_wanted = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._label = named(QLabel(), tr("What is running"))
        self._bar = named(QProgressBar(textVisible=False), tr("Progress"))
        self._bar.setFixedWidth(140)
        self._cancel = named(QPushButton(tr("Cancel")), tr("Cancel what is running"))
        self._cancel.setProperty("flat", True)
        self._cancel.clicked.connect(lambda checked=False: self.cancel_wanted.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 0, 0)
        row.setSpacing(10)
        for widget in (self._label, self._bar, self._cancel):
            row.addWidget(widget)
        jobs.changed.connect(self.refresh)
        self.hide()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        now = time.monotonic()
        running = [job for job in self._jobs.visible if now - job.started > SHOW_FROM_SECONDS]
        if bool(running) == self.isHidden():
            self.setVisible(bool(running))
        if not running:
            return
        job = running[0]
        self._label.setText(describe(job))
        self._bar.setRange(0, max(0, job.total))
        self._bar.setValue(job.done)


def describe(job: Job, so_far: str = "") -> str:
    """ "Reading photos  120 / 320  ·  4 s left"; `so_far` replaces the part "120 / 320"."""
    text = undirected(job.title)
    if job.total > 0:
        text += f"   {so_far or f'{number(job.done)} / {number(job.total)}'}"
    left = job.seconds_left
    if left is not None and left >= SHOW_TIME_FROM_SECONDS:
        text += "   ·   " + tr("{time} left", time=in_time(left))
    return text


NOTICE_MS = 6000
"""Milliseconds that a notice is shown."""


class NoticeBar(QStatusBar):
    """The status bar. A notice is shown for NOTICE_MS, and then the latest hint."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._hint = ""
        self.notice = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.notice.setAccessibleName(tr("Notice"))
        self.notice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.timer = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self.timer.timeout.connect(lambda: self.notice.setText(self._hint))
        self.job_bar = JobBar(jobs)
        self.summary = QLabel()
        self.summary.setProperty("role", "muted")
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setAccessibleName(tr("Summary of the sheet"))
        self.addWidget(self.notice, 1)
        self.addPermanentWidget(self.job_bar)
        self.addPermanentWidget(self.summary)

    @Slot(str)
    def show_notice(self, text: str) -> None:
        """Show a sentence for NOTICE_MS."""
        self.notice.setText(undirected(text))
        self.timer.start()

    def show_hint(self, text: str, at_once: bool = False) -> None:
        """Show a hint until the next one: after the notice that is shown, or instead of it if `at_once`."""
        self._hint = text
        if at_once:
            self.timer.stop()
        if not self.timer.isActive():
            self.notice.setText(text)


class EditNotice(QObject):
    """Shows the name of each edit as a notice, and how many photos have no cell if they are more than before."""

    def __init__(self, session: Session, photos: PhotoStore, tell: Callable[[str], None]) -> None:
        super().__init__(session)
        self._session, self._photos, self._tell = session, photos, tell
        self._unplaced = 0  # photos without a cell when the layout was last final
        self._name = ""  # of the edit whose layout is not final yet
        self._size = 0  # of the album
        self._fresh: range | None = None  # photos that the last edit added, until the layout is final
        session.layout_changed.connect(self._tell_placed)
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_edit)

    @Slot()
    def _on_opened(self) -> None:
        self._size, self._name = 0, ""
        self._follow_album()
        self._unplaced = self._photos.counts().unplaced

    def _follow_album(self) -> None:
        document = self._session.document
        size = 0 if document is None else len(document.album)
        self._fresh = range(self._size, size) if 0 < self._size < size else None
        self._size = size

    @Slot(str)
    def _on_edit(self, name: str) -> None:
        self._follow_album()
        self._name = tr("{name}", about="an edit just made", name=name)
        self._tell(self._name)

    def _tell_unplaced(self) -> None:
        """Say how many photos have no cell if they are more than before."""
        before, self._unplaced = self._unplaced, self._photos.counts().unplaced
        name, self._name = self._name, ""
        if name and self._unplaced > before:
            self._tell(f"{name}  ·  {no_cell_words(self._unplaced)}")

    @Slot()
    def _tell_placed(self) -> None:
        """When the layout is final, say how many photos have no cell, or how many added ones found one."""
        document = self._session.document
        if document is None or document.layout is None or not document.is_settled:
            return
        if self._fresh is None:
            self._tell_unplaced()
            return
        self._name, self._unplaced = "", self._photos.counts().unplaced
        fresh, self._fresh = self._fresh, None
        placed = len(set(fresh).intersection(document.layout.shown))
        if placed == len(fresh):
            self._tell(trn("{count} new photo found a cell", "{count} new photos found a cell", placed))
        else:
            self._tell(
                trn(
                    "{placed} of {count} new photo found a cell",
                    "{placed} of {count} new photos found a cell",
                    len(fresh),
                    placed=number(placed),
                )
            )


Choice = tuple[str, Callable[[], None]]


@dataclass(frozen=True)
class Message:
    """A sentence with buttons for what the user can do about it."""

    text: str
    choices: tuple[Choice, ...]
    kind: str = "note"


DECLINING = (mark("Not now"), mark("Got it"))
"""Buttons that close the message; a message with one of them needs no cross."""
LEAVE_MS = 4000
"""Milliseconds that the room of a message stays free after it, so that the sheet does not move back and forth."""
BAR_MARGIN, WIDEST_BAR = 14, 760
"""Pixels between a message and the edges of the window, and the greatest width of a message."""


class MessageBar(QFrame):
    """Shows one message at a time: the latest, and after it those that wait for an answer.

    Signals:
        focus_left(): a button that had the keyboard focus is gone
        covering(int): this number of pixels along the lower edge of the room are covered now
    """

    focus_left = Signal()
    covering = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, tr("Message"), "messageBar")
        self._latest: Message | None = None
        self._shown: Message | None = None
        self._covers = 0
        self._answering = False  # whether a button of this bar is being pressed
        self._leaving = QTimer(self, singleShot=True, interval=LEAVE_MS)
        self._leaving.timeout.connect(self._leave_room)
        self._room: Callable[[], QRect] = self.rect
        self._waiting: dict[str, Message] = {}  # by topic; the latest is shown first
        self._cards: list[QWidget] = []  # cards that messages must not cover
        self._mark = named(QLabel(), "", "messageMark")
        self._text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._close = named(QToolButton(), tr("Close message"))
        self._close.setToolTip(tr("Close this message"))
        self._close.clicked.connect(lambda checked=False: self._answer(self._on_close))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 8, 8, 8)
        self._row.setSpacing(10)
        for widget in (self._mark, self._text, self._close):
            self._row.addWidget(widget, 1 if widget is self._text else 0)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_message(self, text: str, *choices: Choice, kind: str = "note") -> None:
        """Show a sentence with buttons; a button closes the bar."""
        closing = tuple((name, partial(self._close_and, run)) for name, run in choices)
        self._latest = Message(text, closing, kind)
        self._refresh()

    def keep_message(self, topic: str, text: str, *choices: Choice) -> None:
        """Show a sentence whenever no newer message is shown, until `settle` is called or the user closes it."""
        self._waiting = {**self._waiting, topic: Message(text, choices)}
        self._refresh()

    def settle(self, topic: str) -> None:
        """Drop the message about a topic, because it was answered."""
        if self._waiting.pop(topic, None) is not None:
            self._refresh()

    def clear(self) -> None:
        """Drop the latest message; one that waits for an answer is shown again."""
        if self._latest is not None:
            self._latest = None
            self._refresh()

    def _close_and(self, run: Callable[[], None]) -> None:
        self.clear()
        run()

    @Slot()
    def _on_close(self) -> None:
        if self._latest is None:
            self._waiting.popitem()
        self._latest = None
        self._refresh()

    def _refresh(self) -> None:
        message = self._shown = self._present
        focused = self.isAncestorOf(self.window().focusWidget())
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(*choice) for choice in message.choices] if message is not None else []
        for place, button in enumerate(self._buttons):
            self._row.insertWidget(2 + place, button)
        for before, after in pairwise([self._close, *self._buttons, self._close]):
            QWidget.setTabOrder(before, after)
        if message is not None:
            self._draw_icons(message)
            self._text.setText(bounded(undirected(message.text)))
            self._close.setHidden(any(name in map(tr, DECLINING) for name, _ in message.choices))
            self.setProperty("kind", message.kind)
            self.style().unpolish(self)
            self.style().polish(self)
            self._take_place()  # shown elsewhere first, it would take the pointer from what lies there
        self.setVisible(message is not None)
        self._lie_over_parent()
        self._tell_covered()
        if focused:
            self.focus_left.emit()

    @property
    def _present(self) -> Message | None:
        """The message to show now; those that wait are not shown while a card is open."""
        if self._latest is not None or any(card.isVisible() for card in self._cards):
            return self._latest
        return next(reversed(self._waiting.values()), None)

    def refresh_theme(self) -> None:
        """Draw the icons in the colours of the theme in use."""
        message = self._present
        if message is not None:
            self._draw_icons(message)

    def _draw_icons(self, message: Message) -> None:
        palette, ratio = theme.current(), self.devicePixelRatio()
        plain = message.kind not in SIGNS
        self._mark.setPixmap(pixmap("photo", palette.muted, SIDE, ratio) if plain else sign(message.kind, ratio))
        self._close.setIcon(icon("close", palette.muted))

    def eventFilter(self, parent: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Show, QEvent.Type.Hide) and parent in self._cards and self._shown != self._present:
            self._refresh()
        elif kind in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self._lie_over_parent()
        return False

    def event(self, event: QEvent) -> bool:
        """Take the height that the text needs when the buttons have got their sizes."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._lie_over_parent()
        return done

    @property
    def _wide_as_its_words(self) -> int:
        """The width at which everything fits into one line."""
        self.ensurePolished()
        words = self._text.fontMetrics().horizontalAdvance(self._text.text()) + WIDE
        others = [self._mark, *self._buttons, *([] if self._close.isHidden() else [self._close])]
        margins = self._row.contentsMargins()
        widths = sum(widget.sizeHint().width() + self._row.spacing() for widget in others)
        return words + widths + margins.left() + margins.right()

    def _lie_over_parent(self) -> None:
        """Lie over the lower edge of the parent, without moving what is there."""
        if self.parentWidget() is not None and not self.isHidden():
            self._take_place()
            self.raise_()
            self._tell_covered()

    def _take_place(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            room = self._room()
            width = min(room.width() - 2 * BAR_MARGIN, self._wide_as_its_words, WIDEST_BAR)
            height = max(self.heightForWidth(width), self.minimumSizeHint().height())
            left = room.left() + (room.width() - width) // 2
            place = QRect(left, room.top() + room.height() - height - BAR_MARGIN, width, height)
            for card in self._cards:
                covered = QRect(card.mapTo(parent, QPoint(0, 0)), card.size())
                if card.isVisible() and covered.intersects(place):
                    place.moveBottom(covered.top() - 1)
            self.setGeometry(place)

    def _tell_covered(self) -> None:
        """Announce how much is covered, except while a card is shown, whose cells must not move."""
        if any(card.isVisible() for card in self._cards):
            return
        covers = self._covered
        if covers < self._covers and not self._answering:
            self._leaving.start()
            return
        self._leaving.stop()
        if covers != self._covers:
            self._covers = covers
            self.covering.emit(covers)

    @property
    def _covered(self) -> int:
        lasting = self._shown is not None and self._shown.kind != HINT
        return self.height() + BAR_MARGIN if lasting else 0

    @Slot()
    def _leave_room(self) -> None:
        self._covers = self._covered
        self.covering.emit(self._covers)

    def _answer(self, run: Callable[[], None]) -> None:
        """Run the user's choice; the room that becomes free is announced at once."""
        self._answering = True
        run()
        self._answering = False

    def float_over(self, parent: QWidget, room: Callable[[], QRect]) -> None:
        """Become a child of `parent`, over the lower edge of the `room` in it."""
        self._room = room
        self.setParent(parent)
        parent.installEventFilter(self)

    def keep_clear_of(self, cards: Sequence[QWidget]) -> None:
        """Keep messages above these cards while the cards are shown."""
        self._cards += cards
        for card in cards:
            card.installEventFilter(self)

    def show_error(self, error: BaseException) -> None:
        """Show an expected error as its sentence; log any other, and offer its details to copy."""
        if isinstance(error, AlbumError):
            self.show_message(sentence(str(error)), kind="error")
            return
        details = "".join(traceback.format_exception(error))
        logging.getLogger("album_app").error("unexpected error\n%s", details)
        self.show_message(
            tr(
                "Something went wrong ({name}: {error}). Your work is safe, and the program goes on.",
                name=type(error).__name__,
                error=error,
            ),
            (tr("Copy details"), lambda: QGuiApplication.clipboard().setText(details)),
            kind="error",
        )

    def _button(self, name: str, run: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(name), name)
        button.clicked.connect(lambda checked=False: self._answer(run))
        return button
