"""The benchmark of words asks for words that the search knows, and reads classes from names of photos."""

from pathlib import Path

from album_app.photos.album import Photo
from album_app.photos.classes import word_for
from album_app.research.benchmarks.words import label_of, queries


def test_all_queries_but_one_are_known_words() -> None:
    assert len(queries()) == 35
    assert [word for word in queries() if word_for(word) is None] == ["helicopter"]


def test_names_tell_classes() -> None:
    names = {"caltech/ant/image_0001.jpg": "ant", "car_side_image_0001.jpg": "car_side", "ant/image_0001.jpg": "ant"}
    assert {name: label_of(Photo(Path(name), name, 1, 1, 4, 3)) for name in names} == names
