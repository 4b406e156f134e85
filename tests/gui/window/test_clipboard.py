"""A clipboard with nothing in it, and one with photos when the program ends."""

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QGuiApplication

from tests.gui.conftest import OpenWindow


def test_pasting_nothing_says_so(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window(4)
    monkeypatch.setattr(type(QGuiApplication.clipboard()), "mimeData", lambda *_: None)
    window.actions_table["paste"].trigger()
    assert window.notice.text().startswith("Nothing to paste")


def test_what_was_copied_does_not_crash_the_end_of_the_program() -> None:
    program = (
        "from PySide6.QtCore import QMimeData, QTimer, QUrl\n"
        "from PySide6.QtGui import QGuiApplication\n"
        "from album_app.gui.window import app\n"
        "def leave():\n"
        "    data = QMimeData()\n"
        "    data.setUrls([QUrl.fromLocalFile('/photo.jpg')])\n"
        "    QGuiApplication.clipboard().setMimeData(data)\n"
        "    QTimer.singleShot(0, app.application().quit)\n"
        "app.application()\n"
        "QTimer.singleShot(200, leave)\n"
        "app.run()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, check=False
    )
    assert ended.returncode == 0
