"""Names for regions: where a word is typical there is a label, elsewhere none, and no label covers another."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from album_app.layout import Layout, Options, rectangle
from album_app.layout.evaluation.region_names import (
    LABEL_HEIGHT,
    LETTER_WIDTH,
    named_by_colours,
    named_regions,
    region_names,
)
from album_app.photos.album import scan

WORDS = ["dog", "sea", "flower"]


def sheet(rows: int, columns: int) -> Layout:
    count = rows * columns
    return Layout(rectangle(rows, columns), np.arange(count), np.ones(count))


def scores_of(rows: int, columns: int, **places: tuple[slice, slice]) -> np.ndarray:
    scores = np.zeros((rows, columns, len(WORDS)))
    for word, place in places.items():
        scores[(*place, WORDS.index(word))] = 0.9
    return scores.reshape(rows * columns, -1)


def test_each_region_has_the_word_of_its_photos() -> None:
    scores = scores_of(12, 16, dog=(slice(0, 5), slice(0, 5)), sea=(slice(7, 12), slice(10, 16)))
    dog, sea = sorted(region_names(sheet(12, 16), scores, WORDS), key=lambda label: label.word)
    assert (dog.word, sea.word) == ("dog", "sea")
    assert dog.x < 6 and dog.y < 6 and sea.x > 9 and sea.y > 6


def test_a_word_that_fits_everywhere_or_a_single_photo_names_nothing() -> None:
    everywhere = scores_of(10, 10, dog=(slice(None), slice(None)))
    assert region_names(sheet(10, 10), everywhere, WORDS) == []
    single = scores_of(10, 10, dog=(slice(4, 5), slice(4, 5)))
    assert region_names(sheet(10, 10), single, WORDS) == []


def test_a_label_lies_over_a_photo_that_shows_its_word() -> None:
    scores = scores_of(8, 16, dog=(slice(0, 7), slice(0, 7)))
    scores.reshape(8, 16, -1)[2:5, 2:5] = 0.0
    (label,) = region_names(sheet(8, 16), scores, WORDS)
    row, column = int(label.y), int(label.x)
    assert scores[16 * row + column, 0] == 0.9


def test_scattered_photos_are_no_region() -> None:
    random = np.random.default_rng(2)
    scores = np.where(random.random((400, 3)) < 0.1, 0.9, 0.0)
    assert region_names(sheet(20, 20), scores, WORDS) == []


def test_the_word_that_is_rarer_elsewhere_wins() -> None:
    scores = scores_of(12, 12, dog=(slice(0, 6), slice(0, 6)), flower=(slice(0, 6), slice(0, 12)))
    labels = region_names(sheet(12, 12), scores, WORDS)
    assert [label.word for label in labels if label.x < 5] == ["dog"]


def test_labels_do_not_cover_each_other() -> None:
    random = np.random.default_rng(5)
    field = random.random((6, 6, 8)) ** 6
    scores = np.kron(field, np.ones((4, 4, 1))).reshape(576, 8)
    labels = region_names(sheet(24, 24), scores, [f"word{number}" for number in range(8)])
    assert len(labels) > 1
    for place, one in enumerate(labels):
        for other in labels[:place]:
            assert abs(one.x - other.x) >= 5 * LETTER_WIDTH or abs(one.y - other.y) >= LABEL_HEIGHT


def test_an_empty_sheet_has_no_names() -> None:
    empty = Layout(rectangle(3, 3), np.full(9, -1), np.zeros(9))
    assert region_names(empty, np.zeros((0, 3)), WORDS) == []


RED, BLUE, WHITE = (210, 20, 20), (30, 50, 220), (250, 250, 250)


def quarter_red_and_blue() -> list[tuple[int, int, int]]:
    """The colours of 144 photos: a red corner, a blue one, and white around them."""
    colours = [WHITE] * 144
    for row in range(5):
        for column in range(5):
            colours[12 * row + column], colours[12 * (11 - row) + 11 - column] = RED, BLUE
    return colours


def test_regions_are_named_by_the_colours_of_their_photos() -> None:
    pictures = [(photo, np.full((2, 2, 3), colour, np.uint8)) for photo, colour in enumerate(quarter_red_and_blue())]
    blue, red = sorted(named_by_colours(sheet(12, 12), pictures), key=lambda label: label.word)
    assert (blue.word, red.word) == ("blue", "red")
    assert red.x < 6 and red.y < 6 and blue.x > 6 and blue.y > 6


def test_a_sheet_made_by_colours_is_named_by_colours_of_the_photos_on_it(tmp_path: Path) -> None:
    for photo, colour in enumerate(quarter_red_and_blue()):
        Image.new("RGB", (4, 4), colour).save(tmp_path / f"{photo:03d}.png")
    photos = scan(tmp_path).photos
    by_colour = replace(sheet(12, 12), options=Options(features="lab:4"))
    assert {label.word for label in named_regions(by_colour, photos, {})} == {"blue", "red"}
    upside_down = replace(by_colour, photo_at=by_colour.photo_at[::-1].copy())
    (red,) = [label for label in named_regions(upside_down, photos, {}) if label.word == "red"]
    assert red.x > 6 and red.y > 6
