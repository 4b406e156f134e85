"""Records that are packed come back, also without fields that were added later, and damage is noticed."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from album_app.language import StoredText
from album_app.photos.album import Photo
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.header import Header, Metadata, Row, Shot
from album_app.photos.reading import Facts
from album_app.photos.records import Arrays, packed, restored, stored, unpacked

TEXT = st.text(max_size=8) | st.just(StoredText("larger than {limit} megapixels", limit=200))
NUMBER = st.floats(0, 1e6)
METADATA = st.builds(
    Metadata,
    title=st.text(max_size=5),
    keywords=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    rating=st.integers(-1, 5),
    row=st.just(Row()) | st.just(Row(("place",), ("Oslo",))),
)
SHOT = st.builds(Shot, seconds=NUMBER, iso=st.integers(0, 99_999), lens=st.text(max_size=5))
HEADER = st.builds(
    Header,
    *(st.integers(1, 9999), st.integers(1, 9999)),
    taken=st.none() | st.datetimes(),
    camera=st.text(max_size=5),
    is_sheet=st.booleans(),
    shot=SHOT,
    metadata=METADATA,
)
PHOTO = st.builds(
    Photo,
    *(st.sampled_from([Path("a.jpg"), Path("b \udcff.png")]), st.text(max_size=5)),
    *(st.integers(0, 1 << 40), st.integers(0, 1 << 62), st.integers(0, 9), st.integers(0, 9)),
    taken=st.none() | st.datetimes(),
    damage=TEXT,
    metadata=METADATA,
    shot=SHOT,
)


def through_json(value: object) -> tuple[object, Arrays]:
    arrays: Arrays = []
    return json.loads(json.dumps(packed(value, arrays))), arrays


@settings(max_examples=60)
@given(st.lists(PHOTO, max_size=3).map(tuple))
def test_photos_come_back(photos: tuple[Photo, ...]) -> None:
    assert unpacked(tuple[Photo, ...], *through_json(photos)) == photos


@settings(max_examples=60)
@given(HEADER, TEXT, st.lists(st.lists(st.floats(-9, 9, width=32), max_size=4), max_size=3))
def test_facts_come_back_from_bytes(header: Header, damage: str, rows: list[list[float]]) -> None:
    facts = Facts(header, damage, tuple(np.array(row, np.float32) for row in rows))
    found = restored(Facts, stored(facts))
    assert found is not None and (found.header, found.damage) == (header, damage)
    assert [row.tolist() for row in found.rows] == rows


@dataclass(frozen=True, eq=False)
class Everything:
    numbers: frozenset[int]
    content: bytes
    pictures: dict[int, NDArray[np.uint8]]
    pair: tuple[int, int] | None = None
    words: tuple[str, ...] = ()


def test_arrays_bytes_sets_and_mappings_come_back_in_their_order() -> None:
    pictures = {3: np.arange(24, dtype=np.uint8).reshape(2, 4, 3), 1: np.zeros((1, 1, 3), np.uint8)}
    value = Everything(frozenset({7, 1 << 40}), b"\xff\xd8", pictures, (4, 5))
    content, arrays = through_json(value)
    assert content[-1] == [4, 5], "no words are stored where there are none"  # type: ignore[index]
    found = unpacked(Everything, content, arrays)
    assert (found.numbers, found.content, found.pair, found.words) == (value.numbers, value.content, (4, 5), ())
    assert [*found.pictures] == [3, 1] and all(np.array_equal(found.pictures[k], pictures[k]) for k in pictures)


def test_a_record_that_lacks_its_last_fields_has_their_default_values() -> None:
    """Entries of a cache stay valid when a field is added."""
    assert packed(Metadata(title="Sea"), []) == ["Sea"] and packed(Shot(), []) == []
    header = b'[10, 20, null, "", false, [0.0, 0.0, 0, 0.0, ""], ["t", "d", ["k"], 3]]'
    known = restored(Facts, b'{"header": %s, "damage": "", "rows": []}\n' % header)
    assert known is not None and known.header == Header(10, 20, None, metadata=Metadata("t", "d", ("k",), 3))


def test_why_a_file_gives_no_picture_comes_back_as_the_exception() -> None:
    fault = restored(
        Undecodable, stored(Undecodable(StoredText("larger than {limit} megapixels", limit=9), "too large"))
    )
    assert fault is not None and str(fault) == fault.reason == "larger than 9 megapixels" and fault.fault == "too large"


HEADER_LINE = b'{"header": [1, 2, null], "damage": "", "rows": [2]}\n'


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"7",
        b'{"header": [1, 2, "yesterday"], "damage": "", "rows": []}\n',
        b'{"header": ["1", 2, null], "damage": "", "rows": []}\n',
        b'{"header": [1, 2, null, "", false, [], [], 1, 2], "damage": "", "rows": []}\n',
        b'{"header": [1, 2, null], "damage": "", "rows": [], "more": 1}\n',
        HEADER_LINE + bytes(4),
        HEADER_LINE + bytes(7),
        HEADER_LINE + bytes(12),
        HEADER_LINE + np.array([1, np.nan], "<f4").tobytes(),
    ],
)
def test_bytes_that_are_no_record_are_none(content: bytes) -> None:
    assert restored(Facts, HEADER_LINE + bytes(8)) is not None
    assert restored(Facts, content) is None


def test_an_array_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="not the array"):
        unpacked(NDArray[np.float32], [2, 3], [np.zeros((3, 2), np.float32)])
    assert unpacked(datetime | None, None, ()) is None
