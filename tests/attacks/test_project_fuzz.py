"""Whatever a project file says, it loads or is refused in one sentence; what loads can be saved and loaded again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from album_app.errors import AlbumError
from album_app.layout.project.document import Document, load_project, save_project
from album_app.layout.shapes.shape import MAX_CELLS
from tests.attacks.conftest import examples
from tests.layout.conftest import make_document

ODD_TEXTS = ["", ".", "..", "/", "a/../b", "\0", "\ud800", "\udcff", "\u202e", "n" * 300, "=1+1", "C:\\x", "~", "//x"]
ODD_NUMBERS = [-1, 0, 2**31, 2**53, 2**63, 10**400, -(10**400), 1e308, -0.0, 5e-324]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(ODD_NUMBERS)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(ODD_TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fuzz")
    save_project(make_document(folder / "photos"), folder / "sound.album")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)  # thousands of files that nobody needs after the test
        yield folder / "sound.album"


def damaged(content: Any, data: st.DataObject) -> bytes:
    """The file with a value somewhere replaced, removed, doubled or taken from elsewhere, up to three times."""
    for _ in range(data.draw(st.integers(1, 3))):
        node, key = _place(content, data)
        change = data.draw(st.sampled_from(["replace", "remove", "double", "swap"]))
        if change == "replace":
            node[key] = data.draw(VALUES)
        elif change == "remove":
            del node[key]
        elif change == "double" and isinstance(node, list):
            node.insert(key, node[key])
        else:
            other, there = _place(content, data)
            node[key] = json.loads(json.dumps(other[there]))
        if not content:
            break
    return json.dumps(content).encode()


def _place(content: Any, data: st.DataObject) -> tuple[Any, Any]:
    """A value somewhere in the file, as what holds it and its key there."""
    node = content
    while True:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            return node, key
        node = node[key]


def scratched(text: bytes, data: st.DataObject) -> bytes:
    """The file cut short, with bytes overwritten, or with a piece of it repeated."""
    start, end = sorted(data.draw(st.tuples(*2 * [st.integers(0, len(text))])))
    change = data.draw(st.sampled_from(["cut", "overwrite", "repeat"]))
    if change == "cut":
        return text[:start]
    if change == "overwrite":
        return text[:start] + data.draw(st.binary(max_size=4)) + text[start + 1 :]
    return text[:end] + text[start:end] * data.draw(st.integers(1, 50)) + text[end:]


@examples(5000)
@given(data=st.data())
def test_any_file_loads_or_is_refused_in_a_sentence(project: Path, data: st.DataObject) -> None:
    sound = project.read_bytes()
    whole = data.draw(st.booleans())
    text = damaged(json.loads(sound), data) if whole else scratched(sound, data)
    path = project.with_name("fuzz.album")
    path.write_bytes(text)
    try:
        document = load_project(path)
    except AlbumError as error:
        sentence = str(error)
        assert sentence.endswith(".") and len(sentence.splitlines()) == 1
        return
    assert_sound(document)
    save_project(document, path)
    again = load_project(path)
    assert again.album.photos == document.album.photos and again.pins == document.pins
    assert again.options == document.options and again.missing == document.missing


def assert_sound(document: Document) -> None:
    """What the rest of the program relies on."""
    photos, shape = len(document.album), document.shape
    assert 1 <= shape.count <= MAX_CELLS and len({photo.name for photo in document.album.photos}) == photos
    assert all(photo < photos and cell in shape for photo, cell in document.pins.items())
    assert all(photo < photos for photo in (*document.excluded, *document.missing, *document.active))
    if document.layout is not None:
        assert document.layout.photo_at.max(initial=-1) < photos
        assert all(photo < photos and cell in shape for photo, cell in document.layout.pins.items())
