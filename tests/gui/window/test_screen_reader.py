"""A real screen reader's questions, over AT-SPI: every cell answers, its actions work, and the program lives on."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gui.conftest import make_photos

SYSTEM_PYTHON = "/usr/bin/python3"
LAUNCHER = next(
    (
        str(path)
        for path in map(Path, ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"))
        if path.exists()
    ),
    "",
)
SESSION = """
"$LAUNCHER" --launch-immediately & launcher=$!
"$PROGRAM" -m album_app "$ALBUM" & window=$!
"$READER" "$SCRIPT" 6
answered=$?
kill $window && answered="$answered $?"
kill $launcher
test "$answered" = "0 0"
"""
"""The reader must find its answer, and the program must still be there to be ended."""


def can_read() -> bool:
    tools = all(shutil.which(tool) for tool in ("dbus-run-session", "xvfb-run", SYSTEM_PYTHON))
    asking = [SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Atspi', '2.0')"]
    return tools and bool(LAUNCHER) and subprocess.run(asking, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_read(), reason="needs AT-SPI, PyGObject, dbus-run-session and xvfb-run")
def test_a_screen_reader_reads_the_cells_and_pins_one(tmp_path: Path) -> None:
    folder = make_photos(tmp_path / "photos", 6)
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "STATE", "CONFIG", "DATA")}
    own = {
        "LAUNCHER": LAUNCHER,
        "PROGRAM": sys.executable,
        "ALBUM": str(folder),
        "READER": SYSTEM_PYTHON,
        "SCRIPT": str(Path(__file__).parents[1] / "screen_reader.py"),
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QT_QPA_PLATFORM": "xcb",
        "ALBUM_APP_LANGUAGE": "en",
    }
    command = ["dbus-run-session", "--", "xvfb-run", "-a", "sh", "-c", SESSION]
    done = subprocess.run(
        command, env={**os.environ, **homes, **own}, capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    names = [cell["name"] for cell in answer["cells"]]
    assert [name.split(" · ")[1] for name in names] == [f"row {row}, column {k}" for row in (1, 2) for k in (1, 2, 3)]
    for cell in answer["cells"]:
        assert cell["actions"] == ["Press", "Pin here", "Large view"] and not cell["pinned"]
    places = [tuple(cell["place"]) for cell in answer["cells"]]
    assert len(set(places)) == 6 and all(width > 20 and height > 20 for _, _, width, height in places)
    assert answer["pinned"]["actions"] == ["Press", "Unpin", "Large view"]
