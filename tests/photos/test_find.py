"""Photos found by words: in two languages, ranked, with faces and notes; words that have no class are named."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from album_app import language
from album_app.photos.album import Photo, scan
from album_app.photos.cache import Cache
from album_app.photos.classes import (
    Classes,
    class_names,
    classes_of,
    everyday_words,
    known_classes,
    nearest_words,
    word_for,
)
from album_app.photos.decoding.header import Metadata
from album_app.photos.faces import Focus
from album_app.photos.features.lite0 import Lite0
from album_app.photos.find import find, unknown_words, word_scores
from tests.photos.conftest import MakePhoto

BEAGLE, TABBY, SEASHORE, GROOM = 162, 281, 978, 982


def photos_of(count: int) -> list[Photo]:
    return [Photo(Path(f"{k}.jpg"), f"{k}.jpg", 1, 1, 4, 3) for k in range(count)]


def classes_with(*probabilities: dict[int, float]) -> Classes:
    rows = np.zeros((len(probabilities), 20), np.float32)
    for row, known in zip(rows, probabilities, strict=True):
        row[: len(known)], row[10 : 10 + len(known)] = list(known), list(known.values())
    return Classes.of(list(rows))


def test_the_table_covers_classes_that_exist_and_names_each_thing_once_a_language() -> None:
    words = everyday_words()
    assert len(words) > 150 and len(class_names()) == 1000
    for word in words:
        assert word.german and word.classes and max(word.classes) < 1000
    for names in ([name for word in words for name in word.english], [n for word in words for n in word.german]):
        folded = [name.casefold() for name in names]
        assert len(set(folded)) == len(folded)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("dog", "dog"),
        ("Dogs", "dog"),
        ("Hunde", "dog"),
        ("CHURCHES", "church"),
        ("Vögel", "bird"),
        ("Voegel", None),
        ("babies", "person"),
        ("golden retriever", "golden retriever"),
        ("hot-air balloon", "balloon"),
        ("Straße", "street"),
        ("helicopter", None),
        ("", None),
    ],
)
def test_words_are_understood_in_both_languages_and_in_the_plural(typed: str, title: str | None) -> None:
    word = word_for(typed)
    assert (word.title if word else None) == title


@pytest.mark.parametrize("short", ["oxe", "oxs", "oxn"])
def test_a_short_word_is_not_taken_for_a_plural(short: str) -> None:
    assert word_for("ox") is not None
    assert word_for(short) is None


def test_a_word_of_both_languages_belongs_to_the_language_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert word_for("boot") == word_for("shoe")
    language.use("de")
    try:
        assert word_for("boot") == word_for("ship")
        assert nearest_words("Hubschrauber") == ["Flugzeug"]
    finally:
        language.use("en")


def test_words_without_a_class_suggest_what_is_near_in_meaning_or_letters() -> None:
    assert nearest_words("helicopter") == ["airplane"]
    assert "elephant" in nearest_words("elephnat")
    assert nearest_words("xyzzy") == []


def test_hits_are_ranked_by_all_classes_of_a_word_together() -> None:
    classes = classes_with({BEAGLE: 0.3, 163: 0.3}, {TABBY: 0.9}, {BEAGLE: 0.5, TABBY: 0.2}, {BEAGLE: 0.05})
    found = find("dog", photos_of(4), classes)
    assert [hit.photo for hit in found.hits] == [0, 2]
    assert found.hits[0].score == pytest.approx(0.6)
    assert not found.unknown
    assert [hit.photo for hit in find("cat", photos_of(4), classes).hits] == [1, 2]


def test_of_several_words_all_must_be_there() -> None:
    classes = classes_with({BEAGLE: 0.9}, {BEAGLE: 0.4, SEASHORE: 0.4}, {SEASHORE: 0.9})
    assert [hit.photo for hit in find("dog beach", photos_of(3), classes).hits] == [1]


def test_an_unknown_word_finds_nothing_and_says_what_is_near() -> None:
    found = find("helicopter", photos_of(1), classes_with({404: 1.0}))
    assert found.hits == ()
    assert unknown_words(found) == "There is no class of the name “helicopter”; the nearest: airplane."
    assert unknown_words(find("xyzzy", photos_of(1), classes_with({}))) == "There is no class of the name “xyzzy”."
    assert unknown_words(find("dog", photos_of(1), classes_with({}))) == ""


def test_people_are_found_by_their_faces_the_larger_ones_first() -> None:
    boxes = {0: (0.1, 0.1, 0.2, 0.2), 2: (0.1, 0.1, 0.5, 0.6), 3: (0, 0, 0.01, 0.01), 4: (0, 0, 1, 1)}
    foci = {photo: Focus((box,), (0.7 if photo == 4 else 0.9,)) for photo, box in boxes.items()}
    found = find("people", photos_of(5), classes_with({}, {GROOM: 0.4}, {}, {}, {}), foci)
    assert [hit.photo for hit in found.hits] == [2, 0, 1]
    assert [hit.score for hit in found.hits[:2]] == pytest.approx([0.9 * 1.5 / 2, 0.9 * 1.1 / 2]), (
        "half of it for its size"
    )


@pytest.mark.parametrize(
    ("noted", "typed"),
    [
        (Metadata(keywords=("Hund",)), "dog"),
        (Metadata(keywords=("Rex",)), "rex"),
        (Metadata(title="Rex, our dog"), "dog"),
        (Metadata(description="The harbour (Hamburg)."), "hamburg"),
    ],
)
def test_what_people_noted_is_certain(noted: Metadata, typed: str) -> None:
    first, second = photos_of(2)
    found = find(typed, [first, replace(second, metadata=noted)], classes_with({BEAGLE: 0.9}, {}))
    assert found.hits[0].photo == 1 and found.hits[0].score == 1


def test_a_part_of_a_noted_word_is_not_the_word() -> None:
    noted = replace(photos_of(1)[0], metadata=Metadata(title="hotdogs", keywords=("dogma",)))
    assert find("dog", [noted], classes_with({})).hits == ()


def test_classes_follow_from_remembered_features_and_are_remembered(make_photo: MakePhoto, tmp_path: Path) -> None:
    folder = make_photo("photos/a.jpg").parent
    make_photo("photos/b.jpg", seed=1)
    photos, store = scan(folder).photos, tmp_path / "cache"
    rows = np.abs(np.random.default_rng(0).normal(size=(2, 1280))).astype(np.float32)
    with Cache.open(store) as cache:
        cache.put_features(photos, Lite0().key, rows)
        found = classes_of(photos, store)
        assert (np.diff(found.probabilities, axis=1) <= 0).all() and (found.probabilities.sum(axis=1) > 0.1).all()
        known = Classes.of(known_classes(photos, cache))
    assert np.array_equal(known.numbers, found.numbers) and np.array_equal(known.probabilities, found.probabilities)


def test_people_are_named_where_faces_are_and_their_clothes_are_not() -> None:
    clothing, person, dog = word_for("clothing"), word_for("person"), word_for("dog")
    assert clothing is not None and person is not None and dog is not None
    suit = max(clothing.classes)
    classes = classes_with({suit: 0.8}, {suit: 0.8}, {BEAGLE: 0.9})
    face = Focus(((0.2, 0.1, 0.6, 0.9),), (0.95,))
    scores = word_scores([clothing, person, dog], classes, {1: face, 2: face})
    assert scores[0].argmax() == 0 and scores[1].argmax() == 1, "a suit without a face is clothing"
    assert scores[2, 2] == pytest.approx(0.9), "a dog stays a dog next to a person"
