"""Nothing is ever sent anywhere: in every process of a run, a socket to a network ends it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from album_app.photos.features.table import EXTRACTORS, ready_titles
from tests.cli.conftest import draw_photos

ROOT = Path(__file__).parents[2]
GUARD = """
import os, sys

def forbid(event, arguments):
    local = event in ("socket.__new__", "socket.bind", "socket.connect") and getattr(arguments[0], "family", 0) == 1
    local = local or (event == "socket.__new__" and arguments[1] not in (2, 10))
    if event.startswith("socket.") and not local and event != "socket.gethostname":
        os.write(2, f"network: {event} {arguments}\\n".encode())
        os._exit(97)

sys.addaudithook(forbid)
"""


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """An environment in which every Python process, helpers as well, ends at the first use of a network."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "guard"), str(ROOT)])}


def run(environment: dict[str, str], *words: object, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *map(str, words)], env=environment, capture_output=True, text=True, cwd=cwd, check=False
    )


def test_the_guard_sees_a_network(guarded: dict[str, str]) -> None:
    caught = run(guarded, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))")
    assert caught.returncode == 97 and "network: socket." in caught.stderr
    assert run(guarded, "-c", "import socket; socket.socketpair()").returncode == 0


ONE_AFTER_THE_OTHER = """
import sys
from album_app.cli import main

folder, *features = sys.argv[1:]
for name in features:
    print(name, main(["arrange", folder, "--features", name, "-o", f"{name.replace(':', '-')}.pdf", "--quiet"]))
"""


def test_arranging_needs_no_network_and_weights_that_are_not_here_are_not_fetched(
    guarded: dict[str, str], tmp_path: Path
) -> None:
    folder = draw_photos(tmp_path / "photos", 5)
    ready = [name for name in EXTRACTORS if name in ready_titles()]
    environment = guarded | {"TORCH_HOME": str(tmp_path / "torch")}
    done = run(environment, "-c", ONE_AFTER_THE_OTHER, folder, *ready, "torchvision:resnet18", cwd=tmp_path)
    assert done.stdout.splitlines() == [*(f"{name} 0" for name in ready), "torchvision:resnet18 2"], done.stderr
    assert len(done.stderr.splitlines()) == 1 and "are not on this computer" in done.stderr
    assert {path.stem for path in tmp_path.glob("*.pdf")} == set(ready)


WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.window import app

folder, target = map(Path, sys.argv[1:])
application = app.application()
window = app.start([folder])

def once(done, then):
    timer = QTimer(window, interval=50)
    timer.timeout.connect(lambda: (timer.stop(), then()) if done() else None)
    timer.start()

def export():
    window.actions_table["export"].trigger()
    window.findChild(ExportDialog).export_to(target)
    once(target.exists, window.close)

once(lambda: window.session.document is not None and window.session.is_settled, export)
sys.exit(application.exec())
"""


def test_the_window_needs_no_network(guarded: dict[str, str], tmp_path: Path) -> None:
    folder = draw_photos(tmp_path / "photos", 5)
    done = run(guarded | {"QT_QPA_PLATFORM": "offscreen"}, "-c", WINDOW, folder, tmp_path / "sheet.pdf")
    assert done.returncode == 0 and "network" not in done.stderr, done.stderr
    assert (tmp_path / "sheet.pdf").stat().st_size
