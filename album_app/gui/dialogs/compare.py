"""Two versions of the sheet side by side, steps of undo or saved projects, with their scores below."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from album_app.errors import AlbumError, UsageError
from album_app.file_names import printable
from album_app.gui.controls import ask_user
from album_app.gui.controls.sections import named
from album_app.gui.state.jobs import JobKind, Jobs, Task
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, Thumbnails, as_image, preview_pixels, thumbnails_of
from album_app.gui.state.session import Session
from album_app.gui.style.wording import smoothness_of
from album_app.language import number, tr
from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import PROJECT_SUFFIX, load_project
from album_app.photos.album_features import album_features
from album_app.work import Stop

PICTURE_PX = 620
"""The longer side of each picture."""
LEAST_PICTURE_PX = 240
"""The longer side of each picture is at least this long, however small the window is."""
Version = tuple[Pixels, Mapping[str, float]]
"""A picture of a sheet, and its scores."""
MOST_STEPS = 40
"""The most steps of undo that can be chosen, the latest ones."""
AROUND_PICTURES = QSize(100, 200)
"""Pixels of the window that are kept for the choices, the scores and the frame around the pictures."""
CHEAP_FEATURES = ("rgb", "lab")
"""Features computed from thumbnails alone: scores that are missing in a project are measured only by these."""


class CompareDialog(QDialog):
    """Shows the sheet before the last edit and the sheet now; each side can show another step of undo or a project."""

    def __init__(self, parent: QWidget, session: Session, photos: PhotoStore, jobs: Jobs) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Compare two versions"))
        self._photos, self._jobs = photos, jobs
        self._folder = str(session.path.parent) if session.path is not None else ""
        done = session.undo_stack.done[:MOST_STEPS]
        known = [(tr("Before “{edit}”", edit=step.text()), step.before) for step in done]
        versions = [*known[::-1], (tr("Now"), session.document)]
        self._versions = [(title, document) for title, document in versions if document and document.layout]
        self._own = len(self._versions)  # the first versions are those of the open album; projects follow
        self._chosen = [max(0, self._own - 2), self._own - 1]
        self.choices = [self._choice(tr("Left version"), 0), self._choice(tr("Right version"), 1)]
        self.pictures = [named(QLabel(), tr("Left version")), named(QLabel(), tr("Right version"))]
        self.scores = [QLabel(wordWrap=True), QLabel(wordWrap=True)]
        for label in self.scores:
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.fault = QLabel(wordWrap=True)
        self.fault.hide()
        room = parent.size() - AROUND_PICTURES
        self._side = max(LEAST_PICTURE_PX, min(PICTURE_PX, room.width() // 2, room.height()))
        row = QHBoxLayout()
        row.setSpacing(18)
        for choice, picture, scores in zip(self.choices, self.pictures, self.scores, strict=True):
            picture.setFixedSize(self._side, self._likely_height)
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column = QVBoxLayout()
            for widget in (choice, picture, scores):
                column.addWidget(widget)
            column.addStretch(1)
            row.addLayout(column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.addLayout(row)
        whole.addWidget(self.fault)
        whole.addWidget(buttons)
        self.finished.connect(lambda result: jobs.cancel(JobKind.COMPARE))
        self._draw()

    @property
    def _likely_height(self) -> int:
        """About the height of the taller picture, so that the dialog hardly changes once both are drawn."""
        sides = [self._versions[place][1].shape.extent for place in self._chosen]
        return round(self._side * min(1.0, max(rows / columns for rows, columns in sides)))

    def _choice(self, name: str, side: int) -> QComboBox:
        box = named(QComboBox(), name)
        for title, _ in self._versions:
            box.addItem(title)
        box.addItem(tr("A project…"))
        box.setCurrentIndex(self._chosen[side])
        box.currentIndexChanged.connect(lambda index: self._on_chosen(side, index))
        return box

    def _on_chosen(self, side: int, index: int) -> None:
        if index == len(self._versions):
            self.choices[side].setCurrentIndex(self._chosen[side])  # until the project has been read
            filters = tr("Album projects ({pattern})", pattern=f"*{PROJECT_SUFFIX}")
            ask_user.files(
                self, tr("Open project"), self._folder, filters, lambda paths: self.add(paths[0], side), many=False
            )
        elif index != self._chosen[side]:
            self._chosen[side] = index
            self._draw()

    def add(self, path: Path, side: int) -> None:
        """Read a project in the background and show its sheet on one side: 0 is left, 1 is right."""
        self._jobs.start(
            JobKind.COMPARE,
            "",
            lambda task: _with_layout(path),
            on_done=lambda document: self._on_read(path, document, side),
            on_error=self._on_fault,
            quiet=True,
        )

    def _on_fault(self, error: BaseException) -> bool:
        self.fault.setText(str(error))
        self.fault.setVisible(isinstance(error, AlbumError))
        self._draw()
        return isinstance(error, AlbumError)

    def _on_read(self, path: Path, document: Document, side: int) -> None:
        self.fault.hide()
        self._versions.append((printable(path.stem), document))
        for box in self.choices:
            box.insertItem(len(self._versions) - 1, self._versions[-1][0])
        self.choices[side].setCurrentIndex(len(self._versions) - 1)

    def _draw(self) -> None:
        """Draw and measure both versions in the background, then show them."""
        works = [self._work(place) for place in self._chosen]
        for picture in self.pictures:
            if picture.pixmap().isNull():
                picture.setText(tr("Drawing…"))

        def work(task: Task) -> list[Version]:
            return [make(task) for make in works]

        self._jobs.start(JobKind.COMPARE, "", work, on_done=self._show, quiet=True)

    def _work(self, place: int) -> Callable[[Task], Version]:
        document = self._versions[place][1]
        layout = document.layout
        assert layout is not None
        if place >= self._own:
            return lambda task: _drawn_project(document, layout, task.stop)
        thumbnails = thumbnails_of(layout, self._photos.pictures)
        features = self._photos.vectors.complete(document.layout_features, len(document.album))

        def make(task: Task) -> Version:
            from album_app.layout.evaluation.insight import scores_of

            scores = layout.scores
            if not scores and features is not None:
                scores = scores_of(document, layout, features, task.stop)
            return _drawn(layout, thumbnails, task.stop), scores

        return make

    def _show(self, found: list[Version]) -> None:
        for (pixels, scores), picture, label in zip(found, self.pictures, self.scores, strict=True):
            picture.setPixmap(_within(QPixmap.fromImage(as_image(pixels).copy()), self._side))
            label.setText(score_words(scores))
        highest = max(picture.pixmap().height() for picture in self.pictures)
        for picture in self.pictures:
            picture.setFixedSize(self._side, highest)
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.adjustSize()


def _within(drawn: QPixmap, side: int) -> QPixmap:
    """The picture, scaled down if it is larger than `side`."""
    if max(drawn.width(), drawn.height()) <= side:
        return drawn
    return drawn.scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _with_layout(path: Path) -> Document:
    """The document of a project; a UsageError if it has no sheet yet."""
    document = load_project(path)
    if document.layout is None:
        raise UsageError(tr("The project “{name}” has no finished sheet yet.", name=printable(path.name)))
    return document


def _drawn(layout: Layout, thumbnails: Thumbnails, stop: Stop) -> Pixels:
    from album_app.render import RenderSettings

    return preview_pixels(layout, thumbnails, RenderSettings(cell=96), PICTURE_PX, stop=stop)


def _drawn_project(document: Document, layout: Layout, stop: Stop) -> Version:
    """The sheet of a project, drawn from thumbnails in the cache or, if they are missing there, from the files."""
    from album_app.layout.evaluation.insight import scores_of
    from album_app.photos.cache import Cache
    from album_app.photos.thumbnails import load_thumbnails

    photos, shown = document.album.photos, [photo for photo in layout.shown if photo not in document.missing]
    thumbnails: list[NDArray[np.uint8] | None] = [None] * len(photos)
    with Cache.open() as cache:
        for photo, pixels in zip(
            shown, load_thumbnails([photos[photo] for photo in shown], cache, stop=stop), strict=True
        ):
            thumbnails[photo] = pixels
        scores = layout.scores
        if not scores and document.layout_features in CHEAP_FEATURES:
            features = album_features(photos, document.layout_features, cache, stop=stop)
            scores = scores_of(document, layout, features, stop)
    return _drawn(layout, thumbnails, stop), scores


def score_words(scores: Mapping[str, float]) -> str:
    """The scores of a version in one line; a smaller neighbour distance is better.

    >>> score_words({"dpq16": 0.81234, "neighbour_distance": 0.5})
    'Neighbours very smooth · DPQ₁₆ 0.812 · neighbour distance 0.500'
    """
    grade = smoothness_of(scores)
    titles = {
        "dpq16": "DPQ₁₆",
        "neighbour_distance": tr("neighbour distance"),
        "pin_pull": tr("pin pull"),
    }
    shown = [f"{title} {number(scores[name], 3)}" for name, title in titles.items() if name in scores]
    words = [] if grade is None else [tr("Neighbours {grade}", grade=tr(grade.words))]
    return " · ".join(words + shown) or tr("Not measured yet")
