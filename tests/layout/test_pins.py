"""Pins: always one cell per photo and one photo per cell; carried over to other shapes; written as CSV."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.errors import AlbumError, UsageError
from album_app.layout.pins import Pins, read_pins_csv, write_pins_csv
from album_app.layout.shapes.shape import ShapeSpec, build_shape, rectangle

NAMES = ["a.jpg", "b, c.jpg", 'trip/"d".jpg', "été.jpg", "caf\udce9.jpg", "line\nbreak.jpg"]


def test_pinning_moves_the_photo_and_frees_the_cell() -> None:
    pins = Pins({1: (0, 0), 2: (0, 1)})
    assert pins.pin(3, (1, 1)) == {1: (0, 0), 2: (0, 1), 3: (1, 1)}
    assert pins.pin(1, (3, 3)) == {1: (3, 3), 2: (0, 1)}
    assert pins.pin(1, (0, 1)) == {1: (0, 1)}
    assert pins.pin(9, (0, 0)) == {9: (0, 0), 2: (0, 1)}
    assert pins == {1: (0, 0), 2: (0, 1)}, "the older pins are as they were"


def test_unpinning_and_swapping() -> None:
    pins = Pins({1: (0, 0), 2: (0, 1)})
    assert pins.unpin(1) == {2: (0, 1)}
    assert pins.unpin(7) == pins
    assert pins.swap(1, 2) == {1: (0, 1), 2: (0, 0)}
    assert pins.swap(1, 5) == {5: (0, 0), 2: (0, 1)}
    assert pins.swap(5, 6) == pins


def test_pins_are_values() -> None:
    assert Pins({1: (0, 0), 2: (0, 1)}) == Pins({2: (0, 1), 1: (0, 0)})
    assert len({Pins({1: (0, 0), 2: (0, 1)}), Pins({2: (0, 1), 1: (0, 0)})}) == 1
    assert Pins({1: (0, 0)}).at((0, 0)) == 1
    assert Pins().at((0, 0)) is None
    with pytest.raises(UsageError):
        Pins({1: (0, 0), 2: (0, 0)})


STEPS = st.one_of(
    st.tuples(st.just("pin"), st.integers(0, 5), st.tuples(st.integers(0, 2), st.integers(0, 2))),
    st.tuples(st.just("unpin"), st.integers(0, 5)),
    st.tuples(st.just("swap"), st.integers(0, 5), st.integers(0, 5)),
)


@given(st.lists(STEPS, max_size=30))
def test_no_cell_is_ever_pinned_twice(steps: list[tuple[str, ...]]) -> None:
    pins = Pins()
    for name, *arguments in steps:
        pins = getattr(pins, name)(*arguments)
        assert len(set(pins.values())) == len(pins)
        assert all(pins.at(cell) == photo for photo, cell in pins.items())


def test_corners_stay_corners_when_the_sheet_changes() -> None:
    old, new = rectangle(16, 20), rectangle(7, 31)
    pins = Pins(dict(enumerate(old.corners)))
    assert pins.carry(old, new) == dict(enumerate(new.corners))
    assert pins.carry(old, rectangle(16, 20)) == pins


def test_pins_go_to_the_nearest_cell_of_another_figure() -> None:
    old, new = rectangle(16, 20), build_shape(ShapeSpec("heart"), 320)
    carried = Pins({3: (0, 0), 4: (15, 19), 5: (8, 10)}).carry(old, new)
    assert set(carried) == {3, 4, 5}
    assert all(cell in new for cell in carried.values())
    assert carried[3][1] < new.columns / 2 < carried[4][1]


def test_pins_that_find_no_cell_are_lost() -> None:
    old = rectangle(3, 3)
    pins = Pins({photo: old.cell(photo) for photo in range(9)})
    carried = pins.carry(old, rectangle(1, 2))
    assert len(carried) == 2
    assert len(Pins({0: (0, 0)}).carry(rectangle(1, 1), rectangle(5, 5))) == 1


@given(
    sizes=st.tuples(*[st.integers(1, 9)] * 2),
    count=st.integers(1, 60),
    kind=st.sampled_from(["circle", "triangle", "heart", "ring", "diamond", "hexagon"]),
    seed=st.randoms(use_true_random=False),
)
def test_as_many_pins_survive_as_there_are_cells(sizes: tuple[int, int], count: int, kind: str, seed: object) -> None:
    old, new = rectangle(*sizes), build_shape(ShapeSpec(kind), count)
    order = list(range(old.count))
    seed.shuffle(order)  # type: ignore[attr-defined]
    pins = Pins({photo: old.cell(index) for photo, index in enumerate(order)})
    carried = pins.carry(old, new)
    assert len(carried) == min(len(pins), new.count)
    assert all(cell in new for cell in carried.values())


def test_no_name_in_a_csv_is_a_formula_and_every_name_comes_back(tmp_path: Path) -> None:
    names = ["=1+1", "'=1+1", "+a.jpg", "-b.jpg", "@c.jpg", "\td.jpg", "'e.jpg", "e.jpg", "''", "plain.jpg"]
    pins = Pins({photo: (0, photo) for photo in range(len(names))})
    write_pins_csv(tmp_path / "pins.csv", pins, names)
    assert read_pins_csv(tmp_path / "pins.csv", names) == pins
    lines = list(csv.reader((tmp_path / "pins.csv").open(newline="")))[1:]
    assert not [line for line in lines if line[0][0] in "=+-@\t\r"]


def test_a_quoted_name_of_another_program_is_found_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "pins.csv").write_text("'e.jpg,0,1\n")
    assert read_pins_csv(tmp_path / "pins.csv", ["'e.jpg"]) == {0: (0, 1)}


def test_pins_come_back_from_csv(tmp_path: Path) -> None:
    pins = Pins({photo: (photo, 2 * photo) for photo in range(len(NAMES))})
    write_pins_csv(tmp_path / "pins.csv", pins, NAMES)
    assert read_pins_csv(tmp_path / "pins.csv", NAMES) == pins
    assert (tmp_path / "pins.csv").read_bytes().startswith(b"photo,row,column")


@pytest.mark.parametrize(
    "text",
    [
        "photo,row,column\na.jpg,1,2\n",
        "a.jpg,1,2\n",
        "\ufeffphoto,row,column\r\na.jpg, 1 , 2\r\n\r\n",
        "photo;row;column\na.jpg;1;2\n",
        "Photo,Row,Column\n\na.jpg,1,2",
    ],
)
def test_spreadsheets_of_all_kinds_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "pins.csv").write_bytes(text.encode())
    assert read_pins_csv(tmp_path / "pins.csv", NAMES) == {0: (1, 2)}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a.jpg,1,2\nnone.jpg,0,0\n", "Line 2.*none.jpg"),
        ("a.jpg,1\n", "Line 1"),
        ("a.jpg,one,2\n", "Line 1"),
        ("a.jpg,1,2\na.jpg,0,0\n", "Line 2"),
        ("a.jpg,1,2\nété.jpg,1,2\n", "Line 2"),
        ("a.jpg,7,0\n", "7,0"),
        ("a.jpg,-1,0\n", "-1,0"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "pins.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint):
        read_pins_csv(tmp_path / "pins.csv", NAMES, rectangle(3, 3))


def test_a_file_of_pins_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AlbumError, match="could not be read"):
        read_pins_csv(tmp_path / "none.csv", NAMES)
    with pytest.raises(AlbumError, match="could not be written"):
        write_pins_csv(tmp_path / "no" / "pins.csv", Pins(), NAMES)
