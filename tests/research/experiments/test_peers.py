"""The methods that layouts are compared with: each gives a full sheet with its pins, and the figures are honest."""

import numpy as np
import pytest

from album_app.layout import Options, Pins
from album_app.layout.evaluation.scores import layout_scores
from album_app.layout.shapes.shape import rectangle
from album_app.research.benchmarks import Goal, layout_promises
from album_app.research.benchmarks import layout as bench_layout
from album_app.research.experiments.peers import PEERS, flas_layout, hidden_error
from album_app.research.experiments.study import Request

SHAPE = rectangle(8, 8)
PLANE = SHAPE.coordinates + 0.02 * np.random.default_rng(0).standard_normal((64, 2))
PINS = Pins({0: (0, 0), 7: (0, 7), 56: (7, 0), 63: (7, 7)})


@pytest.mark.parametrize("name", PEERS)
def test_every_method_fills_the_sheet_and_keeps_the_pins(name: str) -> None:
    if name.startswith("FLAS"):
        pytest.importorskip("vc_flas")
    sheet = PEERS[name](PLANE, SHAPE, PINS, 0)
    assert sorted(sheet.photo_at.tolist()) == list(range(64))
    assert all(sheet.photo_at[SHAPE.index_of(cell)] == photo for photo, cell in PINS.items())
    assert np.array_equal(PEERS[name](PLANE, SHAPE, PINS, 0).photo_at, sheet.photo_at)


def test_ours_knows_where_a_hidden_pin_belongs_and_chance_does_not() -> None:
    assert hidden_error(PEERS["Album App"], PLANE, SHAPE, PINS, 0) < 0.25
    assert hidden_error(PEERS["random"], PLANE, SHAPE, PINS, 0) > 0.25


def test_flas_lays_out_a_choice_of_photos() -> None:
    pytest.importorskip("vc_flas")
    features = np.random.default_rng(1).random((80, 3))
    layout = flas_layout(features, SHAPE, PINS, [*PINS, *(photo for photo in range(80) if photo not in PINS)][:64], 0)
    assert len(layout.shown) == 64
    assert all(layout.photo_in(cell) == photo for photo, cell in PINS.items())
    assert layout_scores(layout, features)["dpq16"] > 0.6


def test_the_table_and_the_promises_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Material:
        features = PLANE

    monkeypatch.setattr(bench_layout, "colour_material", lambda request, features: Material)
    peers, since = dict.fromkeys(("Album App", "FLAS 0.99"), PEERS["random"]), dict[str, bench_layout.Gains]()
    goals = bench_layout.compare(Request(2), "rgb", since, shape=SHAPE, peers=peers)
    assert bench_layout.shown_promises("one, sample album", [Goal("of one", 1.0, 1.0)])[0].reached
    assert goals[0].what == "sample album, rgb: DPQ16 against FLAS 0.99" and list(since)
    printed = capsys.readouterr().out
    assert "| FLAS 0.99 | 0." in printed
    assert "64/64/64, 0" in printed
    assert "of one" in printed and "one, sample album" in printed


def test_colours_are_measured_by_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_promises, "rectangle", lambda rows, columns: SHAPE)
    monkeypatch.setattr(layout_promises, "Options", lambda seed: Options(seed=seed, basis=20))
    quality, seconds = layout_promises.random_colours(Request(2))
    assert 0.5 < quality.found < 1.0
    assert seconds.found > 0
