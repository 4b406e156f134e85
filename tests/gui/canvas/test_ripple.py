"""Movement that can be followed: it starts at what was changed, and what stays does not stir."""

import numpy as np
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from album_app.gui.canvas.motion import Glide
from tests.gui.conftest import OpenCanvas, parts_of, wait_until_settled
from tests.gui.hands import document_of, drag, layout_of

DOWN = np.array([1.0, 0.0])
ROW = np.array([(0.0, float(column)) for column in range(12)])


def shifted(sources: tuple[tuple[int, int], ...], stays: int = 0) -> tuple[Glide, NDArray[np.float64]]:
    """Twelve photos in a row, those after the first `stays` moving down by one row; and where each set out."""
    photos = np.arange(12)
    target = ROW + (np.arange(12) >= stays)[:, None] * DOWN
    glide = Glide.resting(photos, ROW).redirected(photos, target, 5.0, move=True, sources=sources)
    places = np.empty_like(ROW)
    places[glide.photos] = glide.at(5.0 + 0.35 * glide.seconds)
    return glide, places


def test_a_change_ripples_outward_from_its_cell() -> None:
    glide, places = shifted(((1, 0),))
    fallen = places[:, 0]
    assert (np.diff(fallen) <= 0).all() and fallen[0] > 0.5, "the nearer the earlier"
    assert fallen[-1] == 0.0, "the furthest has not set out yet"
    assert 0.2 <= glide.seconds <= 0.7 and glide.over(5.0 + glide.seconds)
    last = glide.at(5.0 + 0.999 * glide.seconds)
    assert np.abs(last - glide.target).max() < 0.01, "all arrive in time, without a jump at the end"


def test_photos_that_keep_their_cells_do_not_stir() -> None:
    glide, _ = shifted(((0, 0),), stays=5)
    for share in (0.0, 0.2, 0.5, 0.8):
        now = glide.at(5.0 + share * glide.seconds)
        assert (now[glide.photos < 5] == ROW[glide.photos[glide.photos < 5]]).all()


def test_without_a_changed_pin_all_set_out_together() -> None:
    _, places = shifted(())
    assert len(np.unique(places[:, 0])) == 1


def test_a_better_sheet_on_the_way_does_not_begin_the_wave_again() -> None:
    glide, _ = shifted(((1, 0),))
    half = 5.0 + 0.4 * glide.seconds
    again = glide.redirected(np.arange(12), ROW + DOWN, half, move=True)
    begun = np.empty(12)
    assert again.delay is not None
    begun[again.photos] = again.delay
    assert begun[11] < 0.1 * glide.seconds, "what the wave has all but reached need not wait from the beginning"


def test_pinned_photos_are_on_top() -> None:
    photos, down = np.arange(12), ROW + DOWN
    down[7] += 2 * DOWN
    glide = Glide.resting(photos, ROW).redirected(photos, down, 0.0, move=True, pins=[(1, 3)])
    assert glide.photos[-1] == 3 and glide.photos[-2] == 7


def test_a_dropped_pin_is_where_the_movement_begins(open_canvas: OpenCanvas, qtbot: QtBot) -> None:
    canvas = open_canvas(60)
    session = canvas.session
    glides: list[Glide] = []
    session.layout_changed.connect(lambda layout: glides.append(canvas.scene.glide))
    drag(canvas, (0, 0), (4, 4))
    wait_until_settled(qtbot, session)
    assert document_of(session).pins and not parts_of(session).jobs.running("arrange")
    moving = [glide for glide in glides if glide.sources]
    assert moving and all(glide.sources == ((4, 4),) for glide in moving)
    assert layout_of(session).photo_in((4, 4)) == next(iter(document_of(session).pins))
