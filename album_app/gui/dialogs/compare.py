"""Two versions of the sheet side by side, from the steps of undo, with their scores below."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from album_app.gui.controls.sections import named
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image, preview_pixels, thumbnails_of
from album_app.gui.state.session import Session
from album_app.language import number, tr
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document

SIDE = 620
"""The longer side of each picture, in pixels."""
Version = tuple[Pixels, Mapping[str, float]]
"""A picture of a sheet, and its scores."""
MOST_VERSIONS = 40
"""At most this many steps of undo can be chosen."""


class CompareDialog(QDialog):
    """The sheet as it is next to the sheet before the last edit; other steps can be chosen for each side."""

    def __init__(self, parent: QWidget, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Compare two versions"))
        self._photos, self._jobs = photos, jobs
        done = session.undo_stack.done[:MOST_VERSIONS]
        known = [(tr("Before “{edit}”", edit=step.text()), step.before) for step in done]
        versions = [*known[::-1], (tr("Now"), session.document)]
        self._versions = [(title, document) for title, document in versions if document and document.layout]
        self.choices = [self._choice(tr("Left version"), -2), self._choice(tr("Right version"), -1)]
        self.pictures = [named(QLabel(), tr("Left version")), named(QLabel(), tr("Right version"))]
        self.scores = [QLabel(wordWrap=True), QLabel(wordWrap=True)]
        row = QHBoxLayout()
        row.setSpacing(18)
        for choice, picture, scores in zip(self.choices, self.pictures, self.scores, strict=True):
            picture.setFixedSize(SIDE, SIDE)
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column = QVBoxLayout()
            for widget in (choice, picture, scores):
                column.addWidget(widget)
            row.addLayout(column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.addLayout(row)
        whole.addWidget(buttons)
        self.finished.connect(lambda result: jobs.cancel(JobKind.COMPARE))
        self._draw()

    def _choice(self, name: str, place: int) -> QComboBox:
        box = named(QComboBox(), name)
        for title, _ in self._versions:
            box.addItem(title)
        box.setCurrentIndex(max(0, len(self._versions) + place))
        box.currentIndexChanged.connect(lambda index: self._draw())
        return box

    def _draw(self) -> None:
        """Draw and measure both versions off the GUI thread."""
        wanted = [self._versions[choice.currentIndex()][1] for choice in self.choices]
        works = [self._work(document, document.layout) for document in wanted if document.layout is not None]

        def work(task: Task) -> list[Version]:
            return [make(task) for make in works]

        self._jobs.start(JobKind.COMPARE, "", work, on_done=self._show, quiet=True)

    def _work(self, document: Document, layout: Layout) -> Callable[[Task], Version]:
        thumbnails = thumbnails_of(layout, self._photos.pictures)
        features = self._photos.vectors.complete(document.layout_features, len(document.album))

        def make(task: Task) -> Version:
            from album_app.layout.evaluation.insight import scores_of
            from album_app.render import RenderSettings

            pixels = preview_pixels(layout, thumbnails, RenderSettings(cell=96), SIDE, stop=task.stop)
            scores = layout.scores
            if not scores and features is not None:
                scores = scores_of(document, layout, features, task.stop)
            return pixels, scores

        return make

    def _show(self, found: list[Version]) -> None:
        for (pixels, scores), picture, label in zip(found, self.pictures, self.scores, strict=True):
            picture.setPixmap(QPixmap.fromImage(as_image(pixels).copy()))
            label.setText(score_words(scores))


def score_words(scores: Mapping[str, float]) -> str:
    """The scores of a version in one line; a distance of neighbours is better if it is smaller.

    >>> score_words({"dpq16": 0.81234, "neighbour_distance": 0.5})
    'DPQ16 0.812 · distance of neighbours 0.500'
    """
    titles = {
        "dpq16": "DPQ16",
        "neighbour_distance": tr("distance of neighbours"),
        "pin_pull": tr("pull of the pins"),
    }
    told = [f"{title} {number(scores[name], 3)}" for name, title in titles.items() if name in scores]
    return " · ".join(told) or tr("Not measured yet")
