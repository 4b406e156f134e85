"""Days, months or years below the columns of a timeline, each in the middle of its stretch."""

from collections.abc import Sequence
from itertools import pairwise

from album_app.layout.editing.timeline import TimeMark, time_marks
from album_app.layout.layout import Layout
from album_app.photos.album import Photo
from album_app.render.page.compose import Label
from album_app.render.page.plan import PagePlan
from album_app.render.page.text_faces import face_for

BASELINE = 1.35  # of their size, below the cells


def time_labels(layout: Layout, photos: Sequence[Photo], plan: PagePlan) -> tuple[Label, ...]:
    """The words, where the sheet has room for them and its columns follow time; those without room are left out."""
    size, options = plan.marks_size, layout.options
    if not size or not photos or options is None or not options.time_weight:
        return ()
    geometry = plan.geometry
    step, below = geometry.cell_width + geometry.gap, plan.height - geometry.bottom
    marks = [*time_marks(layout, photos), TimeMark(layout.shape.columns, "")]
    labels = []
    for mark, after in pairwise(marks):
        left, right = (geometry.left + step * column for column in (mark.column, after.column))
        if face_for(mark.words).width(mark.words, size) <= right - left:
            labels.append(Label(mark.words, (left + right) / 2, below + BASELINE * size, size, right - left + size))
    return tuple(labels)
