"""Albums by meaning, on a made-up package of pictures whose classes differ in colour."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from album_app.research.experiments.albums import PAPER, REFINED
from album_app.research.experiments.runner import load, run
from album_app.research.experiments.study import Request, average

if missing := [name for name in ("matplotlib", "vc_flas", "torch") if find_spec(name) is None]:
    pytest.skip(f"not installed: {missing}", allow_module_level=True)

IMAGES = 340


@pytest.fixture
def package(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, IMAGES)
    colours = rng.integers(40, 216, (10, 3))
    pixels = colours[labels][:, None] + rng.normal(0, 30, (IMAGES, 1024, 3))
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(tmp_path / "test_batch.png")
    (tmp_path / "test_lables.json").write_text(json.dumps(labels.tolist()))
    return tmp_path


def test_pictures_lie_by_what_they_show(package: Path, tmp_path: Path) -> None:
    result = run(load("album-semantic"), Request(1, quick=True, data={"cifar10": package}), tmp_path / "out")
    assert result.complete
    assert {path.name for path in result.files} >= {"album-semantic-16x20.jpg", "album-semantic-ecml-pkdd.jpg"}
    for sheet in ("16x20", "ECML PKDD"):
        assert average(result.rows, "agreement", sheet=sheet, method=REFINED) > 0.3  # 0.1 by chance
        assert average(result.rows, "repeats", sheet=sheet, method=REFINED) == 0
        assert average(result.rows, "repeats", sheet=sheet, method=PAPER) > 0
    assert len(result.claims) == 8
