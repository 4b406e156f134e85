"""What the solver advises about the open sheet, and the pins that it proposes.

Advice is found in the background. Proposed pins wait until the user accepts or dismisses them.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import Features, PhotoStore
from album_app.gui.state.session import Requests, Session
from album_app.gui.state.solving import solved
from album_app.language import mark, tr
from album_app.layout import Cell, Document, Layout, Pins
from album_app.layout.editing.edits import Edit, pinned
from album_app.layout.editing.timeline import compared
from album_app.layout.project.document import held_places, taking_part

FEWEST_PINS_COMPARED, MOST_PINS_COMPARED = 3, 40
"""Conflicts are sought among this many pins: two pins cannot outvote each other, and each pin costs one more solve."""

Work = Callable[[Document, Features, Sequence[int]], Any]
"""Finds something out from the document, its features, and the photos that take part."""
SIMILAR_PHOTOS = 60
"""The most photos that are listed as similar to others."""
STILL_LOOKING = mark("The photos are still being looked at.")
FORESEEN_SECONDS = 0.15
"""The most processor time of a solve whose sheet is shown during a drag; more would lag behind the pointer."""
READ_SECONDS = 0.6
"""A key accepts a proposal only when it has been shown for this long; an earlier key was meant for something else."""


def _are_comparable(pins: Pins) -> bool:
    """Whether conflicts are sought among these pins."""
    return FEWEST_PINS_COMPARED <= len(pins) <= MOST_PINS_COMPARED


class Advice:
    """Answers questions about the open document in the background.

    Each answer is found for one version of the document, and `Jobs` ends the search with that version. What the user
    has asked is then asked again, as `Requests` says.
    """

    def __init__(self, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        self._session = session
        self._photos = photos
        self._jobs = jobs
        self._requests = Requests(session)

    def _search(self, kind: JobKind, work: Callable[[Task], Any], on_found: Callable[[Any], object]) -> None:
        """Search for the present version of the document; of each kind only the latest search delivers."""

        def on_done(found: Any) -> None:
            self._requests.end(kind)
            on_found(found)

        self._jobs.start(kind, "", work, on_done=on_done, quiet=True, version=self._session.version)

    def find(self, work: Work, on_found: Callable[[Any], object]) -> None:
        """Run `work` on what the user has asked for; `on_found` usually makes an edit or a proposal of it."""
        document, features, photos = self._session.document, self._photos.features, self._photos.taking_part()
        if document is None:
            return
        if features is None:
            self._session.tell(tr(STILL_LOOKING))
            return
        self._requests.note(JobKind.SUGGEST, lambda: self.find(work, on_found))
        self._search(JobKind.SUGGEST, lambda task: work(document, features, photos), on_found)

    def similar(
        self, like: Sequence[int], unlike: Sequence[int], on_found: Callable[[tuple[list[int], int]], None]
    ) -> None:
        """Find the photos most like some and unlike others, the former first, and how many of them stand out."""
        features = self._photos.features
        if features is None:
            self._session.tell(tr(STILL_LOOKING))
            return
        self._requests.note(JobKind.SIMILAR, lambda: self.similar(like, unlike, on_found))

        def work(task: Task) -> tuple[list[int], int]:
            from album_app.photos.find import MARKED_LIKENESS, by_likeness

            ranked, alike = by_likeness(features, like, unlike, task.stop)
            most = SIMILAR_PHOTOS + len(set(like))
            marked = int((alike[len(set(like)) : most] >= MARKED_LIKENESS).sum()) + len(set(like))
            return ranked[:most], marked

        self._search(JobKind.SIMILAR, work, on_found)

    def outliers(self, on_found: Callable[[list[int]], None]) -> None:
        """Order all photos that take part by how badly they fit anywhere, the worst first."""
        document, among = self._session.document, self._photos.taking_part()
        if document is None:
            return
        photos = [document.album.photos[photo] for photo in among if photo not in document.missing]
        known = [photo for photo in among if photo not in document.missing]

        def work(task: Task) -> list[int]:
            from album_app.photos.find import outliers

            return [known[place] for place in outliers(photos, on_progress=task.progress, stop=task.stop)]

        self._jobs.start(JobKind.OUTLIERS, tr("Looking for outliers"), work, on_done=on_found)

    def conflicts(self, on_found: Callable[[dict[int, float]], None]) -> None:
        """Find pins that the other pins contradict: photo -> how far away they would put it (1 = the diagonal)."""
        document, features = self._session.document, self._photos.features_of_layout
        if document is None or document.layout is None or not _are_comparable(document.pins):
            return
        layout, options = document.layout, document.options

        def work(task: Task) -> dict[int, float]:
            from album_app.layout.evaluation.insight import conflicting_pins

            if features is None:
                return {}
            return dict(conflicting_pins(layout, compared(document, features), options, task.stop))

        self._search(JobKind.CONFLICTS, work, on_found)

    def foresee(self, edit: Edit, on_found: Callable[[Layout], None]) -> None:
        """Find the sheet that an edit would lead to, without making the edit.

        Where a solve takes longer than FORESEEN_SECONDS, it is the sheet that the edit shows at once.
        """
        document, table = self._session.document, self._photos.table
        after, at_once = edit.document, edit.document.layout
        if document is None or document.layout is None or at_once is None:
            return
        warm = document.layout
        if after.is_settled or table is None:
            self.forget_foreseen()
            on_found(at_once)
            return
        active = [photo for photo in taking_part(after, self._photos.pictures.damaged) if photo not in after.missing]
        places = held_places(after)

        def work(task: Task) -> Layout:
            began = time.thread_time()

            def stop() -> bool:
                return task.stop() or time.thread_time() - began > FORESEEN_SECONDS

            found = solved(after, table, active, places, warm, task, stop)
            return at_once if stop() else found

        self._search(JobKind.FORESEE, work, on_found)

    def forget_foreseen(self) -> None:
        """Stop looking for the sheet that an edit would lead to."""
        self._jobs.cancel(JobKind.FORESEE)

    def misfits(self, on_found: Callable[[list[int]], None]) -> None:
        """Find the photos that look out of place, the worst first."""
        document, features = self._session.document, self._photos.features_of_layout
        if document is None or document.layout is None or features is None:
            on_found([])
            return
        layout = document.layout.without(document.missing)

        def work(task: Task) -> list[int]:
            from album_app.layout.evaluation.insight import misfits

            return misfits(layout, compared(document, features))

        self._search(JobKind.MISFITS, work, on_found)

    def forget_conflicts(self) -> None:
        """Stop looking for pins that contradict each other."""
        self._jobs.cancel(JobKind.CONFLICTS)

    def alternatives(self, cell: Cell, on_found: Callable[[list[tuple[int, float]]], None]) -> None:
        """Find the photos that would fit a cell best, each with how well it fits, from 0 to 1."""
        self._read_plan(JobKind.ALTERNATIVES, lambda insight, layout: insight.alternatives_at(layout, cell), on_found)

    def places(self, photo: int, on_found: Callable[[Any], None]) -> None:
        """Find how well each cell of the layout would suit a photo: an array from 0 to 1."""
        self._read_plan(JobKind.PLACES, lambda insight, layout: insight.places_for(layout, photo), on_found)

    def _read_plan(self, kind: JobKind, reading: Callable[[Any, Layout], Any], on_found: Callable[[Any], None]) -> None:
        """Read the transport plan of the layout; it is computed again where the layout came without one."""
        document, features = self._session.document, self._photos.features_of_layout
        if document is None or document.layout is None:
            return
        layout, options = document.layout, document.options

        def work(task: Task) -> Any:
            from album_app.layout.evaluation import insight

            known = layout if features is None else insight.with_plan(layout, compared(document, features), options)
            return reading(insight, known)

        self._search(kind, work, on_found)


@dataclass(frozen=True)
class Proposal:
    """Pins to be accepted or dismissed."""

    name: str  # of the edit
    pins: Pins  # all pins as they would be, the new ones included
    ghosts: Mapping[int, Cell]  # the photos that are shown in the cells where they would be pinned
    question: str
    reason: str


class Proposals(QObject):
    """Holds one proposal at a time, until the document changes.

    `read_seconds` is how long a proposal has to be shown before a key accepts it.

    Signals:
        changed(): there is another proposal, or none any more
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.current: Proposal | None = None
        self.read_seconds = READ_SECONDS
        self._since = 0.0
        session.opened.connect(self.dismiss)
        session.document_changed.connect(self.dismiss)

    def offer(self, proposal: Proposal) -> None:
        """Propose pins instead of those proposed before."""
        self.current, self._since = proposal, time.monotonic()
        self.changed.emit()

    def accept(self) -> None:
        """Pin what is proposed, as one edit."""
        if self.current is not None:
            self._session.edit(pinned, self.current.name, self.current.pins)

    def accept_by_key(self) -> None:
        """Accept, unless the proposal has only just appeared: a key pressed then was meant for something else."""
        if time.monotonic() > self._since + self.read_seconds:
            self.accept()

    @Slot()
    def dismiss(self) -> None:
        """Forget what is proposed; the document stays as it is."""
        if self.current is not None:
            self.current = None
            self.changed.emit()
