"""Features of whole albums: cached, stoppable, complete whatever the files are like."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.errors import Stopped
from album_app.photos.album import Photo
from album_app.photos.album_features import album_features
from album_app.photos.cache import Cache
from album_app.photos.features import EXTRACTORS, extractor
from album_app.photos.features.reduction import pca, standardise
from album_app.photos.features.rgb import Rgb


@dataclass(frozen=True)
class FiveAtOnce(Rgb):
    """Colours of five photos at a time."""

    batch = 5


def photo_of(path: Path) -> Photo:
    state = path.stat()
    return Photo(path, path.name, state.st_size, state.st_mtime_ns, 48, 36)


@pytest.fixture
def photos(tmp_path: Path) -> list[Photo]:
    """Twelve noisy little pictures of different colours."""
    rng = np.random.default_rng(0)
    paths = []
    for i in range(12):
        pixels = np.clip(rng.integers(0, 256, 3) + rng.normal(0, 20, (36, 48, 3)), 0, 255).astype(np.uint8)
        paths.append(tmp_path / f"{i}.png")
        Image.fromarray(pixels).save(paths[-1])
    return [photo_of(path) for path in paths]


@pytest.fixture
def broken(tmp_path: Path) -> Photo:
    path = tmp_path / "broken.png"
    path.write_bytes(b"no picture at all")
    return photo_of(path)


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures each call of the colour extractor was given."""
    counts: list[int] = []
    extract = Rgb.extract

    def counting(self: Rgb, batch: Sequence[np.ndarray]) -> np.ndarray:
        counts.append(len(batch))
        return extract(self, batch)

    monkeypatch.setattr(Rgb, "extract", counting)
    return counts


def test_rows_are_those_of_the_pictures_in_their_order(photos: list[Photo]) -> None:
    features = album_features(photos, "rgb")
    pictures = [np.asarray(Image.open(photo.path)) for photo in photos]
    np.testing.assert_allclose(features, extractor("rgb").extract(pictures), atol=1e-6)


def test_only_new_photos_are_extracted(photos: list[Photo], extracted: list[int]) -> None:
    with Cache.open() as cache:
        first = album_features(photos[:-1], "rgb:6", cache)
        assert sum(extracted) == 11
        again = album_features(photos, "rgb:6", cache)
        assert sum(extracted) == 12
        np.testing.assert_array_equal(again[:-1], first)


def test_each_kind_of_feature_is_remembered_for_itself(photos: list[Photo], extracted: list[int]) -> None:
    with Cache.open() as cache:
        for name in ("rgb:6", "lab:6", "rgb:40:stride"):
            fresh = album_features(photos, name, cache)
            np.testing.assert_array_equal(album_features(photos, name, cache), fresh)
    assert sum(extracted) == 3 * len(photos)


def test_the_stride_sees_the_original_not_the_thumbnail(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (400, 520, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "large.png")
    row = album_features([photo_of(tmp_path / "large.png")], "rgb:40:stride")
    np.testing.assert_allclose(row[0], (pixels[::10, ::13] / 255).ravel(), atol=1e-6)


@pytest.mark.parametrize("name", ["rgb", "rgb:10:stride"])
def test_what_cannot_be_decoded_gets_the_mean_of_the_others(photos: list[Photo], broken: Photo, name: str) -> None:
    features = album_features([*photos[:5], broken, *photos[5:]], name)
    others = np.delete(features, 5, axis=0)
    np.testing.assert_array_equal(others, album_features(photos, name))
    np.testing.assert_allclose(features[5], others.mean(axis=0), atol=1e-6)


def test_albums_without_any_picture(broken: Photo) -> None:
    assert album_features([], "rgb").shape == (0, 192)
    np.testing.assert_array_equal(album_features([broken, broken], "rgb"), np.zeros((2, 192)))


def test_progress_counts_every_photo_once(photos: list[Photo], broken: Photo) -> None:
    calls: list[tuple[int, int]] = []
    album_features([*photos, broken], "rgb:5:stride", on_progress=lambda done, total: calls.append((done, total)))
    assert calls[0] == (0, 13) and calls[-1] == (13, 13)
    assert calls == sorted(calls)


def test_a_stop_ends_it_and_keeps_what_was_done(
    photos: list[Photo], extracted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRACTORS, "five", replace(EXTRACTORS["rgb"], make=lambda words: FiveAtOnce(6)))
    with Cache.open() as cache:
        with pytest.raises(Stopped):
            album_features(photos, "five", cache, stop=lambda: bool(extracted))
        assert extracted == [5]
        album_features(photos, "five", cache)
        assert extracted == [5, 5, 2]


def test_naming_extractors_and_their_helper_loads_no_torch() -> None:
    code = """
import sys
from album_app.photos import album_features
from album_app.photos.features import EXTRACTORS, extractor
for name in ("rgb:6", "lab", "resnet20", "semantic", "blend", "torchvision:resnet18"):
    extractor(name)
assert not {"torch", "torchvision", "scipy"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def squared_distances(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float64)
    return ((rows[:, None] - rows[None]) ** 2).sum(axis=-1)


@pytest.mark.parametrize("shape", [(30, 200), (200, 30)])
def test_pca_keeps_all_distances_where_it_can(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(shape[0], 9)) @ rng.normal(size=(9, shape[1])) + 5).astype(np.float32)
    reduction = pca(rows, 10)
    assert reduction.features.shape == (shape[0], 10)
    assert reduction.kept == pytest.approx(1)
    np.testing.assert_allclose(squared_distances(reduction.features), squared_distances(rows), rtol=1e-3, atol=1e-3)


def test_pca_reports_the_share_of_squared_distances_that_it_keeps() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 20)).astype(np.float32)
    reduction = pca(rows, 6)
    share = squared_distances(reduction.features).sum() / squared_distances(rows).sum()
    assert 0.3 < share < 0.9
    assert reduction.kept == pytest.approx(share, rel=1e-4)


@pytest.mark.parametrize("shape", [(30, 200), (200, 30)])
def test_pca_sees_the_photos_alike_in_any_order(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=shape).astype(np.float32)
    order = rng.permutation(len(rows))
    np.testing.assert_allclose(pca(rows[order], 8).features, pca(rows, 8).features[order], atol=1e-4)


def test_reductions_survive_albums_of_equal_photos() -> None:
    rows = np.ones((5, 200), np.float32)
    assert not pca(rows, 128).features.any() and pca(rows, 128).kept == 1
    assert not standardise(rows).any()
    assert pca(rows[:1], 128).features.shape == (1, 1)


def test_standardised_rows_differ_by_one_on_average() -> None:
    rows = np.random.default_rng(0).normal(3, 7, (50, 12)).astype(np.float32)
    assert squared_distances(standardise(rows)).mean() == pytest.approx(1, rel=1e-4)
    ratio = squared_distances(rows) / np.maximum(squared_distances(standardise(rows)), 1e-9)
    off = ~np.eye(50, dtype=bool)
    np.testing.assert_allclose(ratio[off], ratio[0, 1], rtol=1e-3)
