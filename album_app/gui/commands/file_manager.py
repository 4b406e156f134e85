"""Showing a file where it lies, with whatever file manager the system has."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def show(path: Path) -> None:
    """Open the folder of a file, with the file selected where the system can do that."""
    if sys.platform == "darwin":
        subprocess.Popen(["open", "-R", str(path)])
    elif sys.platform == "win32":
        subprocess.Popen(["explorer", f"/select,{path}"])
    elif not _ask_desktop(path):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def _ask_desktop(path: Path) -> bool:
    """Ask the Linux desktop's file manager over D-Bus; False where none answers."""
    from PySide6.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    name = "org.freedesktop.FileManager1"
    manager = QDBusInterface(name, "/org/freedesktop/FileManager1", name, bus)
    if not manager.isValid():
        return False
    url = QUrl.fromLocalFile(str(path)).toString()
    return manager.call("ShowItems", [url], "").type() != QDBusMessage.MessageType.ErrorMessage
