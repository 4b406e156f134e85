"""Whatever a project file says, it loads or is refused in one sentence; what loads can be saved and loaded again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from album_app.errors import AlbumError
from album_app.layout.project.document import Document
from album_app.layout.project.project_file import load_project, save_project
from album_app.layout.shapes.outlines import MAX_CELLS
from tests.attacks.conftest import numbers
from tests.layout.conftest import make_document

ODD_TEXTS = ["", ".", "..", "/", "a/../b", "\0", "\ud800", "\udcff", "\u202e", "n" * 300, "=1+1", "C:\\x", "~", "//x"]
ODD_NUMBERS = [-1, 0, 2**31, 2**53, 2**63, 10**400, -(10**400), 1e308, -0.0, 5e-324]


def odd_value(dice: Random, depth: int = 2) -> Any:
    """Anything that JSON can hold, the awkward more often than chance would have it."""
    kind = dice.randrange(9 if depth else 7)
    if kind == 7:
        return [odd_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    if kind == 8:
        return {odd_text(dice): odd_value(dice, depth - 1) for _ in range(dice.randrange(4))}
    plain = (None, True, False, dice.randint(-9, 9), dice.choice(ODD_NUMBERS), dice.uniform(-2, 2), odd_text(dice))
    return plain[kind]


def odd_text(dice: Random) -> str:
    letters = (chr(dice.choice((dice.randrange(128), dice.randrange(0x110000)))) for _ in range(dice.randrange(6)))
    return dice.choice((dice.choice(ODD_TEXTS), "".join(letters)))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fuzz")
    save_project(make_document(folder / "photos"), folder / "sound.album")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)  # thousands of files that nobody needs after the test
        yield folder / "sound.album"


def damaged(content: Any, dice: Random) -> bytes:
    """The file with a value somewhere replaced, removed, doubled or taken from elsewhere, up to three times."""
    for _ in range(dice.randint(1, 3)):
        node, key = _place(content, dice)
        change = dice.choice(["replace", "remove", "double", "swap"])
        if change == "replace":
            node[key] = odd_value(dice)
        elif change == "remove":
            del node[key]
        elif change == "double" and isinstance(node, list):
            node.insert(key, node[key])
        else:
            other, there = _place(content, dice)
            node[key] = json.loads(json.dumps(other[there]))
        if not content:
            break
    return json.dumps(content).encode()


def _place(content: Any, dice: Random) -> tuple[Any, Any]:
    """A value somewhere in the file, as what holds it and its key there."""
    node = content
    while True:
        key = dice.choice(sorted(node) if isinstance(node, dict) else range(len(node)))
        if not isinstance(node[key], dict | list) or not node[key] or dice.random() < 0.3:
            return node, key
        node = node[key]


def scratched(text: bytes, dice: Random) -> bytes:
    """The file cut short, with bytes overwritten, or with a piece of it repeated."""
    start, end = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
    change = dice.choice(["cut", "overwrite", "repeat"])
    if change == "cut":
        return text[:start]
    if change == "overwrite":
        return text[:start] + dice.randbytes(dice.randrange(5)) + text[start + 1 :]
    return text[:end] + text[start:end] * dice.randint(1, 50) + text[end:]


def test_any_file_loads_or_is_refused_in_a_sentence(project: Path) -> None:
    """Examples by number: thousands of them are made faster than one by one from strategies."""
    sound, loaded = project.read_bytes(), 0
    for number in numbers(3000):
        dice = Random(number)
        text = damaged(json.loads(sound), dice) if number % 2 else scratched(sound, dice)
        try:
            loaded += loads_soundly(text, project.with_name("fuzz.album"))
        except Exception as error:
            raise AssertionError(f"example {number}: {text[:2000]!r}") from error
    assert loaded > 100


def loads_soundly(text: bytes, path: Path) -> bool:
    """Whether a file loads; then it can be saved and loaded again."""
    path.unlink(missing_ok=True)
    path.write_bytes(text)
    try:
        document = load_project(path)
    except AlbumError as error:
        sentence = str(error)
        assert sentence.endswith(".") and len(sentence.splitlines()) == 1
        return False
    assert_sound(document)
    save_project(document, path)
    again = load_project(path)
    assert again.album.photos == document.album.photos and again.pins == document.pins
    assert again.options == document.options and again.missing == document.missing
    return True


def assert_sound(document: Document) -> None:
    """What the rest of the program relies on."""
    photos, shape = len(document.album), document.shape
    assert 1 <= shape.count <= MAX_CELLS and len({photo.name for photo in document.album.photos}) == photos
    assert all(photo < photos and cell in shape for photo, cell in document.pins.items())
    assert all(photo < photos for photo in (*document.excluded, *document.missing, *document.active))
    if document.layout is not None:
        assert document.layout.photo_at.max(initial=-1) < photos
        assert all(photo < photos and cell in shape for photo, cell in document.layout.pins.items())
