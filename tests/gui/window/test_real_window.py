"""The program on a real X display, driven by xdotool: sample album, a drag from the tray, a drag out, an export."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from album_app.sample.sample_album import SCENES
from tests.gui.real_play import PER_KIND

NEEDED = ("xvfb-run", "Xvfb", "xauth", "xdotool")
ROOT = Path(__file__).parents[3]
SCREEN = "-screen 0 1400x900x24"


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in NEEDED), reason=f"a real window needs {', '.join(NEEDED)}"
)
def test_the_sample_album_by_hand(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    environment |= {"QT_QPA_PLATFORM": "xcb", "OMP_NUM_THREADS": "1"}
    command = ["xvfb-run", "-a", "-s", SCREEN, sys.executable, "-m", "tests.gui.real_play", str(tmp_path)]
    played = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert played.returncode == 0, played.stdout + played.stderr
    facts = json.loads((tmp_path / "facts.json").read_text())
    assert facts["photos"] == PER_KIND * len(SCENES)
    assert facts["pins"] == {"3": facts["corner"]} and facts["badge"]
    assert facts["moved"] > 0 and facts["changed pixels"] > 1000
    assert facts["pins after undo"] == 0
    assert facts["dragged out"]
    assert min(facts["exported"]) > 500
