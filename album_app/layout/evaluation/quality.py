"""The scores of a whole document's layout: everything that the quality panel shows."""

import math
from collections.abc import Mapping

from album_app.layout.layout import Layout
from album_app.layout.project.document import Document
from album_app.photos.features.extractor import Features
from album_app.work import Stop, check


def scores_of(document: Document, layout: Layout, features: Features, stop: Stop) -> Mapping[str, float]:
    """DPQ16, pin pull, coverage, the plan's gap and the z-value of the SMI, as far as they can be computed."""
    from album_app.layout.evaluation.insight import assignment_gap, smi_significance
    from album_app.layout.evaluation.scores import layout_scores

    layout = layout.without(document.missing)  # of a missing photo nothing is known
    scores = layout_scores(layout, features, document.active, stop=stop)
    check(stop)
    if layout.guide is not None:
        scores["gap"] = assignment_gap(layout, stop=stop)
    scores["smi_z"] = float(smi_significance(layout, features, stop=stop))
    return {name: value for name, value in scores.items() if math.isfinite(value)}
