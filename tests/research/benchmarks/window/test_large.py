"""The benchmark of very many photos: its album takes little room, its processes tell every stage, its bars hold."""

import os
from mmap import PAGESIZE, mmap
from pathlib import Path

import pytest

from album_app.research.benchmarks.window.benchmark import link_photos
from album_app.research.benchmarks.window.large import (
    BY_PREVIEWS,
    READ_WHOLE,
    Bar,
    Cost,
    Meter,
    costs_in,
    costs_of,
    growths,
    line_of,
    preview_shares,
)

STAGES = {
    *(
        "scan",
        "thumbnails",
        "near-duplicates",
        "features",
        "choose and arrange on 16 x 20",
        "arrange all",
        "export of 16 x 20",
    ),
    *(BY_PREVIEWS, READ_WHOLE),
    *("first sheet in a window, all of it cached", "final sheet and every small picture", "move a pin"),
    *(
        "autosave, on the GUI thread",
        "the sheet judged, all at rest",
        "save anew, longest stall",
        "undo",
        "filter the tray",
        "scroll the tray",
    ),
}


@pytest.mark.usefixtures("few_pictures")
def test_hard_links_take_their_room_but_once(tmp_path: Path) -> None:
    (tmp_path / "linked").mkdir()
    link_photos(tmp_path / "linked", 40)
    files = [path.stat() for path in (tmp_path / "linked").iterdir()]
    assert len(files) == 40 and len({status.st_ino for status in files}) == 6


@pytest.mark.usefixtures("few_pictures")
def test_every_stage_is_measured() -> None:
    costs = list(costs_of(24))
    assert {cost.stage for cost in costs} == STAGES and len(costs) == len(STAGES)
    assert all(cost.photos == 24 and cost.seconds > 0 and cost.megabytes > 10 for cost in costs)


def hold(count: int) -> None:
    """Fill `count` bytes fresh from the system: an allocator could have room left by tests before this one."""
    with mmap(-1, count) as memory:
        memory[::PAGESIZE] = bytes(len(range(0, count, PAGESIZE)))


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="the peak cannot be forgotten here")
def test_a_stage_has_its_own_peak(capsys: pytest.CaptureFixture[str]) -> None:
    meter = Meter(1)
    meter.run("much", lambda: hold(200_000_000))
    meter.run("little", lambda: None)
    much, little = costs_in(capsys.readouterr().out.splitlines())
    assert much.megabytes > little.megabytes + 150


def test_bars_and_growth_are_told() -> None:
    cost = Cost("undo", 10_000, 0.06, 0.06, 100.0)
    assert "MISSED" in line_of(cost) and "reached" in line_of(Cost("undo", 10_000, 0.01, 0.01, 100.0))
    assert not Bar("open", 10, megabytes=50).holds(cost)
    assert [goal.reached for goal in growths([cost, Cost("undo", 100_000, 0.6, 0.6, 100.0)])] == [True]
    assert [goal.reached for goal in growths([cost, Cost("undo", 100_000, 0.8, 0.8, 100.0)])] == [False]


def test_a_sheet_by_previews_is_compared_with_reading_as_many_photos_whole() -> None:
    whole = Cost(READ_WHOLE, 100, 4.0, 4.0, 100.0)  # 40 ms a photo
    few, many = (Cost(BY_PREVIEWS, count, 0.003 * count, 1.0, 100.0) for count in (1_000, 10_000))
    assert [goal.found for goal in preview_shares([few, whole, many, whole])] == pytest.approx([0.075, 0.075])
    assert [goal.reached for goal in preview_shares([few, whole, many, whole])] == [True, False]
