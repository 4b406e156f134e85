"""Questions about the open sheet, thought about off the GUI thread."""

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.vectors import Features
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import Cell
from album_app.layout.sheet import Layout

if TYPE_CHECKING:
    from album_app.gui.state.session import Session

Question = Callable[[Document, Features, Sequence[int]], Any]
"""Answered from the document, its features, and the photos that take part."""
STILL_LOOKING = "The photos are still being looked at."


class Advice:
    """What the solver would do, for a session's document."""

    def __init__(self, session: "Session") -> None:
        self._session = session

    def ask(self, question: Question, answer: Callable[[Any], None]) -> None:
        """Ask something that leads to an edit; where the document has changed meanwhile it is asked again."""
        session, document, generation = self._session, self._session.document, self._session.generation
        features, photos = session.features, session.taking_part()
        if document is None:
            return
        if features is None:
            session.notice.emit(STILL_LOOKING)
            return

        def on_answer(found: Any) -> None:
            if session.generation == generation:
                answer(found)
            else:
                self.ask(question, answer)

        session.ask(JobKind.SUGGEST, lambda: question(document, features, photos), on_answer)

    def alternatives(self, cell: Cell, answer: Callable[[list[tuple[int, float]]], None]) -> None:
        """The photos that would fit a cell best, each with its share."""
        self._ask_plan(JobKind.ALTERNATIVES, lambda insight, layout: insight.alternatives_at(layout, cell), answer)

    def places(self, photo: int, answer: Callable[[Any], None]) -> None:
        """How well each cell of the layout would suit a photo: an array of shares."""
        self._ask_plan(JobKind.PLACES, lambda insight, layout: insight.places_for(layout, photo), answer)

    def _ask_plan(self, kind: JobKind, question: Callable[[Any, Layout], Any], answer: Callable[[Any], None]) -> None:
        """Ask the layout's plan; where it came without one, from a file or by undo, it is learnt again."""
        document, features = self._session.document, self._session.features
        if document is None or document.layout is None:
            return
        layout, options = document.layout, document.options

        def work() -> Any:
            insight = importlib.import_module("album_app.layout.insight")
            return question(insight, layout if features is None else insight.with_plan(layout, features, options))

        def on_answer(found: Any) -> None:
            now = self._session.document
            if now is not None and len(now.album) == len(document.album):  # otherwise it may speak of photos that left
                answer(found)

        self._session.ask(kind, work, on_answer)
