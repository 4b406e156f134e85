"""What the window says and offers by itself: about the album, changed folders, stacks, and unsaved work it found."""

import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, SignalInstance, Slot
from PySide6.QtWidgets import QApplication

from album_app.file_names import printable
from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.commands.photo_commands import StackCommands
from album_app.gui.controls.bars import MessageBar
from album_app.gui.state.autosave import Autosave, Recovery, discard, recoveries
from album_app.gui.state.folder_watch import FolderWatch
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.preferences import Preferences
from album_app.gui.state.recent import recent_albums
from album_app.gui.state.session import Session
from album_app.gui.state.solving import Solving
from album_app.gui.style.wording import news_words, photos_words
from album_app.language import number, tr, trn
from album_app.layout.editing.edits import FITTED, excluded, unpinned, with_options
from album_app.layout.editing.timeline import compared, moments_for_chapters, pins_out_of_time
from album_app.layout.layout import Layout
from album_app.layout.options import Options
from album_app.layout.project.document import Document, held_places
from album_app.paths import state_folder
from album_app.photos.album import Album
from album_app.photos.features import features_title
from album_app.photos.folder_news import News
from album_app.state_files import newly_set_aside


class StateMessages(QObject):
    """Says once that the state folder cannot be written to, at the start of the program or when it is found out."""

    def __init__(self, autosave: Autosave, preferences: Preferences, bar: MessageBar) -> None:
        super().__init__(autosave)
        self._bar = bar
        self._is_said = False
        autosave.failed.connect(self._tell)
        if preferences.trouble:
            self._tell(
                tr(
                    "Preferences, recent albums and unsaved work cannot be kept in {folder}: {trouble}.",
                    folder=state_folder(),
                    trouble=preferences.trouble,
                )
            )

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        if not self._is_said:
            self._bar.keep_message("state", sentence)
        self._is_said = True


class AlbumMessages(QObject):
    """Messages about the open album; each disappears when it no longer applies, for example when photos are found."""

    def __init__(self, session: Session, loading: Loading, bar: MessageBar, find: Callable[[], None]) -> None:
        super().__init__(session)
        self._session = session
        self._loading = loading
        self._bar = bar
        self._find = find
        self._missing: frozenset[int] = frozenset()
        self._features = ""
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        loading.file_named.connect(self._ask_about_file)
        loading.began.connect(self._on_began)

    @Slot()
    def _on_began(self) -> None:
        """Clear what was said about the album before, for example why it could not be opened."""
        self._bar.clear()

    @Slot()
    def _on_opened(self) -> None:
        self._bar.clear()
        self._bar.settle("missing")
        self._bar.settle("weights")
        self._bar.settle("look")
        self._missing = frozenset()
        self._on_document()

    @Slot(str)
    def _on_document(self, name: str = "") -> None:
        document = self._session.document
        missing = frozenset[int]() if document is None else document.missing - document.excluded
        features = "" if document is None else document.options.features
        if (missing, features) != (self._missing, self._features):
            self._bar.clear()
        if features != self._features:
            self._bar.settle("weights")
            self._bar.settle("look")
        if missing != self._missing:
            self._tell_missing(len(missing), some_found=missing < self._missing)
        self._missing, self._features = missing, features

    @Slot(str)
    def _ask_about_file(self, file: str) -> None:
        """Ask before a file that a project names is read: somebody else may have made the project."""

        def allow() -> None:
            self._bar.settle("weights")
            self._loading.allow_file()

        def decline() -> None:
            self._session.edit(with_options, tr("Compare by colour"), features=Options().features)

        self._bar.keep_message(
            "weights",
            tr(
                "This project compares photos by the contents of the file “{file}”. Read it only if you trust it.",
                file=printable(file),
            ),
            (tr("Read it"), allow),
            (tr("Compare by colour"), decline),
        )

    @Slot(str, int, int)
    def offer_look(self, features: str, done: int, count: int) -> None:
        """Say how far comparing was when it was cancelled, and offer to go on from there."""
        title = features_title(features)

        def go_on() -> None:
            self._session.edit(with_options, tr("Compare by “{title}”", title=title), features=features)

        values = {"title": title, "done": number(done), "photos": photos_words(count)}
        self._bar.keep_message(
            "look", tr("{done} of {photos} are compared by “{title}”.", **values), (tr("Go on"), go_on)
        )

    def _tell_missing(self, count: int, some_found: bool) -> None:
        self._bar.settle("missing")
        if not count:
            return
        if some_found:
            text = trn("{count} photo is still missing.", "{count} photos are still missing.", count)
        else:
            text = trn(
                "{count} photo was not found where the project says.",
                "{count} photos were not found where the project says.",
                count,
            )
        one = count == 1
        find, take_out = (tr("Find it…"), tr("Take it out")) if one else (tr("Find them…"), tr("Take them out"))
        self._bar.keep_message("missing", text, (find, self._find), (take_out, self._take_missing_out))

    def _take_missing_out(self) -> None:
        self._session.edit(excluded, sorted(self._missing))


FOLDER_TOPIC = "folder"
"""Topics name the messages of the bar, so that each can be replaced and removed."""


class FolderOffer(QObject):
    """Asks whether the album is to follow changes in its folder."""

    def __init__(self, session: Session, watch: FolderWatch, bar: MessageBar) -> None:
        super().__init__(session)
        self._session = session
        self._watch = watch
        self._bar = bar
        watch.found.connect(self._ask)
        session.opened.connect(self._on_opened)

    @Slot()
    def _on_opened(self) -> None:
        self._bar.settle(FOLDER_TOPIC)

    @Slot(object)
    def _ask(self, news: "News") -> None:
        def answered(run: "Callable[[News], None]") -> None:
            self._bar.settle(FOLDER_TOPIC)
            run(news)

        add = tr("Add it") if len(news.new) == 1 else tr("Add them")
        yes = tr("Follow the folder") if news.changed or news.gone or news.moved else add
        document = self._session.document
        pinned = 0 if document is None else sum(photo in document.pins for photo in news.gone)
        self._bar.keep_message(
            FOLDER_TOPIC,
            news_words(len(news.new), len(news.changed), len(news.moved), len(news.gone), pinned),
            (yes, partial(answered, self._watch.take_over)),
            (tr("Not now"), partial(answered, self._watch.leave)),
        )


BEHIND_TOPIC = "behind"
QUIET_MS = 1500
"""After the last edit, this time passes before the sheet is compared with a fresh one."""
FEWEST_EDITS = 3
"""The sheet is compared from this edit on: after the first ones, the sheet is as the user has just asked for."""
MOST_COMPARED = 10_000
"""A sheet of more cells is not compared, because arranging a fresh one would take minutes."""


class BehindOffer(QObject):
    """Offers to arrange the sheet again if a fresh one would be visibly better after several edits."""

    def __init__(
        self,
        session: Session,
        photos: PhotoStore,
        solving: Solving,
        jobs: Jobs,
        bar: MessageBar,
        *,
        quiet_ms: int = QUIET_MS,
        fewest_edits: int = FEWEST_EDITS,
    ) -> None:
        super().__init__(session)
        self._session, self._photos, self._solving, self._jobs, self._bar = session, photos, solving, jobs, bar
        self._fewest_edits = fewest_edits
        self._fresh: Layout | None = None  # the latest layout that was arranged from scratch
        self._edits = 0  # edits since then that moved photos
        self._declined = False
        self._timer = QTimer(self, singleShot=True, interval=quiet_ms)
        self._timer.timeout.connect(self._compare)
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._on_document)
        session.layout_changed.connect(self._on_layout)
        solving.settled.connect(self._on_settled)

    @Slot()
    def _on_opened(self) -> None:
        self._fresh, self._edits, self._declined = None, 0, False
        self._on_document()

    @Slot(str)
    def _on_document(self, name: str = "") -> None:
        self._timer.stop()
        self._bar.settle(BEHIND_TOPIC)

    @Slot(object)
    def _on_layout(self, layout: Layout) -> None:
        """Note a layout that was arranged from scratch; an edited one keeps the `fresh_roughness` of the one before."""
        known = self._fresh
        if layout.stage == "refined" and (known is None or known.fresh_roughness != layout.fresh_roughness):
            self._fresh, self._edits, self._declined = layout, 0, False

    @Slot(object)
    def _on_settled(self, layout: Layout) -> None:
        same = self._fresh is not None and self._fresh.photo_at.tolist() == layout.photo_at.tolist()
        self._edits = 0 if same else self._edits + 1
        if self._edits >= self._fewest_edits and not self._declined:
            self._timer.start()

    @Slot()
    def _compare(self) -> None:
        document, features, fresh = self._session.document, self._photos.features_of_layout, self._fresh
        if document is None or document.layout is None or features is None or fresh is None:
            return
        if document.is_held or not document.is_settled or document.shape.count > MOST_COMPARED:
            return
        layout = document.layout
        active = [photo for photo in self._photos.taking_part() if photo not in document.missing]
        missing = held_places(document)

        def work(task: Task) -> bool:
            from album_app.layout.evaluation.insight import behind_fresh, dragged_since

            found = behind_fresh(
                compared(document, features),
                layout,
                dragged=dragged_since(fresh, layout),
                active=active,
                missing=missing,
                always=document.always_shown,
                when=moments_for_chapters(document.spec, document.dated_photos),
                hold=sorted(document.held) or None,
                stop=task.stop,
            )
            return found.visible

        self._jobs.start(JobKind.BEHIND, "", work, on_done=self._offer, quiet=True, version=self._session.version)

    def _offer(self, visible: bool) -> None:
        if not visible:
            return

        def arrange() -> None:
            self._bar.settle(BEHIND_TOPIC)
            self._solving.again()

        def decline() -> None:
            self._declined = True
            self._bar.settle(BEHIND_TOPIC)

        self._bar.keep_message(
            BEHIND_TOPIC,
            tr("After your edits, the sheet would be smoother if it were arranged again. Pins stay."),
            (tr("Arrange again"), arrange),
            (tr("Not now"), decline),
        )


FIT_TOPIC = "fit"


class FitNotice(QObject):
    """Says that an export has fitted the sheet to its paper, and offers to undo that until the next edit."""

    def __init__(self, session: Session, bar: MessageBar) -> None:
        super().__init__(session)
        self._session, self._bar = session, bar
        self._before: Document | None = session.document
        self._step = 0  # how many edits were made before the sheet was fitted
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._follow)
        session.layout_changed.connect(self._keep)

    @Slot()
    def _on_opened(self) -> None:
        self._before = self._session.document
        self._bar.settle(FIT_TOPIC)

    @Slot()
    def _keep(self) -> None:
        self._before = self._session.document

    @Slot(str)
    def _follow(self, name: str) -> None:
        """Announce that the sheet was fitted; edits that the export makes after that leave the notice as it is."""
        before, after = self._before, self._session.document
        self._before = after
        if before is None or after is None or before.layout is None or after.layout is None:
            return
        if name == tr(FITTED) and self._session.undo_stack.is_recording:
            self._step = self._session.undo_stack.index()
            words = tr(
                "The export changed the sheet to fit its paper: {size} cells instead of {size_before}, "
                "{photos} instead of {photos_before}.",
                size=_size_words(after),
                size_before=_size_words(before),
                photos=photos_words(len(after.layout.shown)),
                photos_before=number(len(before.layout.shown)),
            )
            self._bar.keep_message(FIT_TOPIC, words, (tr("Undo"), self._undo))
        elif QApplication.activeModalWidget() is None:
            self._bar.settle(FIT_TOPIC)

    def _undo(self) -> None:
        self._bar.settle(FIT_TOPIC)
        self._session.undo_stack.setIndex(self._step)


def _size_words(document: Document) -> str:
    return f"{document.shape.rows}\u00a0×\u00a0{document.shape.columns}"


INVITED = "invited"
"""The key of the preference that remembers that the user needs no invitation."""
INVITATION_TOPIC = "invitation"


class Invitation(QObject):
    """Says what to do with a first sheet, until the user pins a photo or closes the sentence for the first time."""

    def __init__(
        self,
        session: Session,
        bar: MessageBar,
        preferences: Preferences,
        scored: SignalInstance,
        proposed: SignalInstance,
    ) -> None:
        super().__init__(session)
        self._session, self._bar, self._preferences = session, bar, preferences
        scored.connect(self._invite)
        proposed.connect(self._settle)  # the message would cover the question about proposed pins
        session.document_changed.connect(self._follow)
        session.opened.connect(self._settle)

    @Slot()
    def _invite(self) -> None:
        document = self._session.document
        if document is None or document.pins or self._preferences.word(INVITED):
            return
        self._bar.keep_message(
            INVITATION_TOPIC,
            tr("Drag a photo to a corner: photos like it gather around it. Then press Export."),
            (tr("Got it"), self._decline),
        )

    @Slot()
    def _follow(self) -> None:
        document = self._session.document
        if document is not None and document.pins and not self._preferences.word(INVITED):
            self._decline()

    def _decline(self) -> None:
        self._preferences.remember(INVITED, "yes")
        self._settle()

    @Slot()
    def _settle(self) -> None:
        self._bar.settle(INVITATION_TOPIC)


STACK_TOPIC = "stacks"
DECLINED, MOST_DECLINED = "stacks/declined", 200
"""The key of the preference with the refused offers, and the most of them that are remembered."""


class StackOffer(QObject):
    """Asks whether near-duplicates are to be stacked, unless the user refused that for the same photos."""

    def __init__(self, session: Session, stacks: StackCommands, bar: MessageBar, preferences: Preferences) -> None:
        super().__init__(session)
        self._session, self._stacks, self._bar, self._preferences = session, stacks, bar, preferences
        stacks.found.connect(self._ask)
        session.opened.connect(self._settle)
        session.document_changed.connect(self._follow)

    @Slot()
    def _settle(self) -> None:
        self._bar.settle(STACK_TOPIC)

    @Slot(str)
    def _follow(self, name: str) -> None:
        if not self._stacks.loose:
            self._settle()

    @Slot(list)
    def _ask(self, groups: list[Sequence[int]]) -> None:
        document = self._session.document
        if document is None or _fingerprint(document, groups) in self._declined:
            return

        def decline() -> None:
            self._settle()
            declined = [*self._declined, _fingerprint(document, groups)][-MOST_DECLINED:]
            self._preferences.remember(DECLINED, " ".join(declined))

        question = trn(
            "{photos} are nearly the same: stack them?",
            "{photos} in {count} groups are nearly the same: stack them?",
            len(groups),
            photos=photos_words(sum(map(len, groups))),
        )
        show = tr("Show groups…"), self._stacks.stack
        self._bar.keep_message(STACK_TOPIC, question, show, (tr("Not now"), decline))

    @property
    def _declined(self) -> list[str]:
        return self._preferences.word(DECLINED).split()


DAMAGED_TOPIC = "damaged"


class DamagedOffer(QObject):
    """Says that photos on the sheet are damaged, so that parts of them are grey, and offers to leave them out.

    It is said once for the photos that are known to be damaged, and again when there are others.
    """

    def __init__(self, session: Session, photos: PhotoStore, bar: MessageBar) -> None:
        super().__init__(session)
        self._session, self._photos, self._bar = session, photos, bar
        self._album: Album | None = None
        self._scanned: frozenset[int] = frozenset()  # photos of this album that its scan found damaged
        self._kept: frozenset[int] = frozenset()
        self._said: frozenset[int] = frozenset()
        session.opened.connect(self._forget)
        session.document_changed.connect(self._look)
        photos.pictures_changed.connect(self._look)

    @Slot()
    def _forget(self) -> None:
        self._kept = self._said = frozenset()
        self._bar.settle(DAMAGED_TOPIC)
        self._look()

    @Slot()
    def _look(self) -> None:
        document = self._session.document
        damaged: frozenset[int] = frozenset()
        if document is not None:
            if document.album is not self._album:
                self._album = document.album
                self._scanned = frozenset(i for i, photo in enumerate(document.album.photos) if photo.damage)
            damaged = self._scanned.union(self._photos.pictures.flaws).intersection(document.active)
        if damaged == self._said:
            return
        self._said = damaged
        self._bar.settle(DAMAGED_TOPIC)
        if damaged - self._kept:
            words = trn(
                "{count} damaged photo is on the sheet, part of it grey.",
                "{count} damaged photos are on the sheet, part of each grey.",
                len(damaged),
            )
            one = len(damaged) == 1
            leave_out = tr("Leave it out") if one else tr("Leave them out")
            keep = tr("Keep it") if one else tr("Keep them")
            self._bar.keep_message(DAMAGED_TOPIC, words, (leave_out, self._leave_out), (keep, self._keep))

    def _leave_out(self) -> None:
        self._session.edit(excluded, sorted(self._said))

    def _keep(self) -> None:
        self._kept |= self._said
        self._bar.settle(DAMAGED_TOPIC)


CHAPTER_TOPIC = "chapters"


class ChapterPinsOffer(QObject):
    """Offers to remove pins that keep photos on pages of another time, once the pages of a book become chapters.

    Pins that are set later are meant to be where they are, and so are those of a book that is opened.
    """

    def __init__(self, session: Session, bar: MessageBar) -> None:
        super().__init__(session)
        self._session, self._bar = session, bar
        self._had_chapters = False
        self._found: frozenset[int] = frozenset()
        session.opened.connect(self._on_opened)
        session.document_changed.connect(self._look)

    @Slot()
    def _on_opened(self) -> None:
        document = self._session.document
        self._found, self._had_chapters = frozenset(), document is not None and document.has_chapters
        self._bar.settle(CHAPTER_TOPIC)

    @Slot()
    def _look(self) -> None:
        document = self._session.document
        before, self._had_chapters = self._had_chapters, document is not None and document.has_chapters
        found = frozenset(() if document is None else pins_out_of_time(document))
        found = found & self._found if before else found
        if found == self._found:
            return
        self._found = found
        self._bar.settle(CHAPTER_TOPIC)
        if found:
            words = trn(
                "{count} pin keeps its photo on a page of another time.",
                "{count} pins keep their photos on pages of another time.",
                len(found),
            )
            one = len(found) == 1
            remove = tr("Remove this pin") if one else tr("Remove these pins")
            keep = tr("Keep it") if one else tr("Keep them")
            self._bar.keep_message(CHAPTER_TOPIC, words, (remove, self._remove), (keep, self._keep))

    def _remove(self) -> None:
        self._session.edit(unpinned, sorted(self._found))

    def _keep(self) -> None:
        self._found = frozenset()
        self._bar.settle(CHAPTER_TOPIC)


def _fingerprint(document: Document, groups: list[Sequence[int]]) -> str:
    """A short text that identifies these groups of near-duplicates in any album."""
    photos = document.album.photos
    names = "\n".join("\t".join(str(photos[photo].path) for photo in group) for group in groups)
    return f"{zlib.crc32(names.encode('utf-8', 'surrogateescape')):08x}"


def _search() -> tuple[list[Recovery], list[Path]]:
    """Unsaved work that was left behind, and damaged state files; for use off the GUI thread."""
    found = recoveries()
    recent_albums()  # reading the list sets it aside if it is damaged
    return found, newly_set_aside()


def _damaged_words(files: Sequence[Path]) -> str:
    """A sentence that names the program's own files that could not be read."""
    return trn(
        "A file in which Album App remembers things could not be read and was set aside: {names}. "
        "Photos, projects and unsaved work are not affected.",
        "Files in which Album App remembers things could not be read and were set aside: {names}. "
        "Photos, projects and unsaved work are not affected.",
        len(files),
        names=", ".join(printable(str(file)) for file in files),
    )


class RecoveryOffer(QObject):
    """Offers unsaved work that was left behind; without an answer it is offered again at the next start."""

    def __init__(
        self,
        session: Session,
        loading: Loading,
        jobs: Jobs,
        autosave: Autosave,
        files: FileCommands,
        bar: MessageBar,
    ) -> None:
        super().__init__(session)
        self._loading = loading
        self._jobs = jobs
        self._autosave = autosave
        self._files = files
        self._bar = bar
        self._looking = False
        self._offered: list[Recovery] = []
        session.opened.connect(self._on_opened)

    def look(self) -> None:
        """Look for unsaved work that was left behind, and offer it."""
        self._looking = True
        self._jobs.compute(JobKind.RECOVERY, _search, self._on_found)

    @Slot()
    def _on_opened(self) -> None:
        if self._looking:  # opening an album has ended the search
            self.look()

    def _on_found(self, result: tuple[Sequence[Recovery], Sequence[Path]]) -> None:
        self._looking = False
        found, damaged = result
        if damaged:
            self._bar.keep_message("damaged", _damaged_words(damaged))
        self._offered = list(found)
        self._offer_next()

    def _offer_next(self) -> None:
        if not self._offered:
            self._bar.settle("recovery")
            return
        latest, *others = self._offered
        text = tr("Album App did not end properly. Unsaved work on “{title}” can be brought back.", title=latest.title)
        if others:
            text += " " + tr("Work on {count} more is offered after that.", count=len(others))
        self._bar.keep_message(
            "recovery",
            text,
            (tr("Recover"), lambda: self._files.leave_then(lambda: self._recover(latest))),
            (tr("Discard"), lambda: self._discard(latest)),
        )

    def _recover(self, recovery: Recovery) -> None:
        def on_opened() -> None:
            self._autosave.take_over(recovery)
            self._answered(recovery)

        self._loading.open_recovered(recovery, on_opened)

    def _discard(self, recovery: Recovery) -> None:
        self._jobs.compute(JobKind.DISCARD, lambda: discard([recovery]), lambda done: None)
        self._answered(recovery)

    def _answered(self, recovery: Recovery) -> None:
        self._offered.remove(recovery)
        self._offer_next()
