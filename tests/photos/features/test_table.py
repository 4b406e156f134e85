"""The table of extractors: a new extractor needs one row in it and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from album_app.errors import UsageError
from album_app.photos.features import EXTRACTORS, choices, extractor, features_title, ready_titles
from album_app.photos.features.table import Entry, comes_with_thumbnails, file_named


@pytest.mark.parametrize("name", ["", "rgbb", "rgb:0", "rgb:x", "rgb:40:strife", "rgb:1000", "blend:2", "semantic:x"])
def test_a_name_that_is_not_understood_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(UsageError, match=name.partition(":")[0] if ":" in name else "rgb, rgb:SIZE"):
        extractor(name)


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_row_of_the_table_has_a_title_and_a_sentence(name: str) -> None:
    entry = EXTRACTORS[name]
    assert entry.usage.startswith(name) and entry.title and entry.sentence.endswith(".")
    assert features_title(f"{name}:words") == entry.title and entry.usage in choices()


def test_only_what_needs_no_more_words_is_offered_for_new_albums() -> None:
    assert set(EXTRACTORS) - set(ready_titles()) == {"torchvision", "vectors"}
    assert all(extractor(name).name == name for name in ready_titles())


def test_only_colours_come_with_the_thumbnails() -> None:
    assert [name for name in EXTRACTORS if comes_with_thumbnails(name)] == ["lab", "rgb"]
    assert not comes_with_thumbnails("rgb:40") and not comes_with_thumbnails("none such")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("vectors:a/b.npy", "a/b.npy"),
        ("torchvision:resnet18@w.pth", "w.pth"),
        ("torchvision:resnet18", ""),
        ("rgb", ""),
    ],
)
def test_a_name_contains_the_file_that_it_asks_for(name: str, file: str) -> None:
    assert file_named(name) == file


def test_costs_are_described_in_words() -> None:
    assert EXTRACTORS["rgb"].cost == "Fast." and EXTRACTORS["torchvision"].cost == ""
    entry = EXTRACTORS["semantic"]
    assert entry.cost == f"A thousand photos take about {entry.seconds:g} seconds, more on a busy computer."


def test_a_new_extractor_needs_one_row_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made = extractor("rgb:4")
    row = Entry(title="Light", sentence="How light it is.", usage="light, light:SIZE", make=lambda words: made)
    monkeypatch.setitem(EXTRACTORS, "light", row)
    assert extractor("light:3") is made and features_title("light") == ready_titles()["light"] == "Light"
    with pytest.raises(UsageError, match="light, light:SIZE"):
        extractor("heavy")


def test_showing_the_table_imports_no_extractor() -> None:
    code = (
        "import sys; from album_app.photos.features import EXTRACTORS\n"
        "assert not [name for name in sys.modules if name.startswith(('album_app.solver', 'torch', 'PIL'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
