"""The scores of a layout that the quality panel shows."""

import math
from collections.abc import Mapping

import numpy as np

from album_app.gui.vectors import Features
from album_app.layout.document import Document
from album_app.layout.result import Layout
from album_app.work import Stop, check


def scores_of(document: Document, layout: Layout, features: Features, stop: Stop) -> Mapping[str, float]:
    """DPQ16, pin pull, coverage and the z-value of the SMI, as far as they can be computed."""
    from album_app.layout.insight import smi_significance
    from album_app.layout.scores import coverage, dpq, pin_pull

    taken = np.flatnonzero(layout.photo_at >= 0)
    rows, cells = features[layout.photo_at[taken]], layout.shape.cells[taken]
    row_of = {tuple(cell): row for row, cell in enumerate(cells.tolist())}
    pins = {row_of[cell]: cell for cell in layout.pins.values() if cell in row_of}
    active = list(document.active)
    place = {photo: row for row, photo in enumerate(active)}
    shown = [place[photo] for photo in layout.shown if photo in place]
    scores = {"dpq16": dpq(rows, cells, stop=stop), "pin_pull": pin_pull(rows, cells, pins)}
    check(stop)
    if shown and len(shown) < len(active):
        scores["coverage"] = coverage(features[active], shown)
    check(stop)
    scores["smi_z"] = float(smi_significance(layout, features, stop=stop))
    return {name: value for name, value in scores.items() if math.isfinite(value)}
