"""A play for a real window: run on an X display, it opens the sample album, drags, exports, and notes what came of it.

`xvfb-run -a python -m tests.gui.real_play FOLDER`; screenshots, the exported sheet and the facts go to FOLDER.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QPushButton, QWidget

from album_app.gui.canvas.tiles.marks import badge_rect
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.window import app
from album_app.gui.window.main_window import MainWindow
from album_app.layout.shapes.shape import Cell
from album_app.sample import sample_album
from tests.gui.hands import pick
from tests.gui.real_hand import click_on, drag, middle_of, point_at, press, pump, screen_shot, wait_for, xdotool

WINDOW = (1200, 800)
PHOTO = 3
PER_KIND = 6  # of the sample album, which takes a while to draw as a whole


class Catcher(QWidget):
    """Another program's window, so to speak: it takes whatever files are dropped on it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.caught: list[str] = []

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.caught = [url.toLocalFile() for url in event.mimeData().urls()]
        event.acceptProposedAction()


class Play:
    """The window, and the facts found on the way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts: dict[str, object] = {}
        self.window: MainWindow = app.start()
        self.window.move(0, 0)
        self.window.resize(*WINDOW)
        wait_for(lambda: self.window.windowHandle().isExposed(), "the window", 30)
        self.canvas, self.tray = self.window.workspace.canvas, self.window.workspace.tray

    def settled(self) -> bool:
        session, parts = self.window.session, self.window.parts
        ready = session.document is not None and session.is_settled
        return ready and not parts.jobs.visible and parts.photos.pictures.complete

    def photos(self) -> np.ndarray:
        document = self.window.session.document
        assert document is not None and document.layout is not None
        return document.layout.photo_at

    def shoot(self, name: str) -> QImage:
        picture = screen_shot()
        picture.save(str(self.folder / f"{name}.png"))
        return picture.toImage()

    def open_the_sample_album(self) -> None:
        button = next(b for b in self.window.findChildren(QPushButton) if "sample" in b.text().lower())
        click_on(button)
        wait_for(self.settled, "the sample album", 240)
        pump(0.6)
        self.facts["photos"] = int((self.photos() >= 0).sum())
        self.shoot("opened")

    def far_corner(self) -> Cell:
        """The corner of the sheet that the photo is farthest from."""
        document = self.window.session.document
        assert document is not None and document.layout is not None
        row, column = document.layout.positions[PHOTO]
        return max(document.shape.corners, key=lambda corner: abs(corner[0] - row) + abs(corner[1] - column))

    def drag_a_photo_to_the_corner(self) -> None:
        before, picture, corner = self.photos().copy(), self.shoot("before"), self.far_corner()
        view = self.tray.list
        start = view.visualRect(self.tray.model.index(PHOTO)).center()
        drag(view.viewport(), start, self.canvas, middle_of(self.canvas, corner))
        wait_for(lambda: bool(self.window.session.document and self.window.session.document.pins), "the pin", 20)
        wait_for(self.settled, "the new layout", 120)
        pump(0.6)
        point_at(self.canvas, QPoint(2, 2))
        pump(0.3)
        after = self.shoot("pinned")
        document = self.window.session.document
        assert document is not None
        self.facts["pins"] = {str(photo): list(cell) for photo, cell in document.pins.items()}
        self.facts["corner"] = list(corner)
        self.facts["moved"] = int((self.photos() != before).sum())
        self.facts["changed pixels"] = changed(picture, after)
        self.facts["badge"] = self.sees_badge(after, corner)

    def sees_badge(self, picture: QImage, cell: Cell) -> bool:
        """Whether the colour of pins is on the screen where the badge belongs."""
        badge = badge_rect(self.canvas.cell_rect(cell), 1.0)
        corner = self.canvas.mapToGlobal(badge.topLeft().toPoint())
        pin = QColor(self.canvas.colours.pin)
        side = round(badge.width())
        spots = [picture.pixelColor(corner + QPoint(x, y)) for x in range(side) for y in range(side)]
        return sum(abs(spot.red() - pin.red()) + abs(spot.blue() - pin.blue()) < 60 for spot in spots) > side

    def undo_and_redo_by_keys(self) -> None:
        click_on(self.canvas, QPoint(4, 4))
        press("ctrl+z")
        document = self.window.session.document
        self.facts["pins after undo"] = len(document.pins) if document else -1
        press("ctrl+shift+z")
        wait_for(self.settled, "redo", 60)

    def drag_a_photo_out(self) -> None:
        catcher = Catcher()
        catcher.setGeometry(WINDOW[0] + 20, 100, 150, 150)
        catcher.show()
        pump(0.3)
        photo = self.canvas.scene.photo_in((2, 2))
        assert photo is not None
        start = self.canvas.mapToGlobal(middle_of(self.canvas, (2, 2)))
        way = ["mousemove", start.x(), start.y(), "mousedown", 1, "sleep", 0.1]
        for x in (start.x() + 20, WINDOW[0] - 4, WINDOW[0] + 8, WINDOW[0] + 60, WINDOW[0] + 90):
            way += ["mousemove", x, 180, "sleep", 0.15]
        xdotool(*way, "mouseup", 1)
        pump(0.5)
        document = self.window.session.document
        assert document is not None
        self.facts["dragged out"] = catcher.caught == [str(document.album.photos[photo].path)]
        catcher.close()

    def export_a_png(self) -> None:
        target = self.folder / "sheet.png"
        click_on(self.canvas, QPoint(4, 4))
        press("ctrl+e")
        wait_for(lambda: bool(self.window.findChildren(ExportDialog)), "the export dialog", 30)
        pump(0.8)
        self.shoot("export")
        dialog = self.window.findChildren(ExportDialog)[0]
        buttons = {each.accessibleName(): each for each in dialog.findChildren(QPushButton)}
        pick(next(each for each in dialog.findChildren(QComboBox)), "For the screen")
        wait_for(buttons["Export"].isEnabled, "the sheet that is arranged", 60)
        click_on(buttons["Export to another place or name"])
        wait_for(lambda: bool(dialog.findChildren(QFileDialog)), "the file dialog", 30)
        pump(0.5)
        press("ctrl+a")
        xdotool("type", "--delay", 5, str(target))
        press("Return")
        wait_for(target.exists, "the exported sheet", 120)
        wait_for(lambda: not self.window.parts.jobs.running("export"), "the end of the export", 120)
        sheet = QImage(str(target))
        self.facts["exported"] = [sheet.width(), sheet.height()]
        press("Escape")
        pump(0.3)

    def close(self) -> None:
        self.window.preferences.set("confirm_unsaved", False)
        self.window.close()
        wait_for(lambda: not self.window.isVisible(), "the end", 30)


def changed(one: QImage, other: QImage) -> int:
    """How many pixels differ."""
    arrays = [
        np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
        for image in (one, other)
    ]
    return int((arrays[0] != arrays[1]).sum())


def main(folder: Path) -> None:
    subprocess.run(["xdotool", "version"], check=True, capture_output=True)
    sample_album.sample_folder(per_kind=PER_KIND)
    play = Play(folder)
    play.open_the_sample_album()
    play.drag_a_photo_to_the_corner()
    play.undo_and_redo_by_keys()
    play.drag_a_photo_out()
    play.export_a_png()
    play.close()
    QApplication.processEvents()
    (folder / "facts.json").write_text(json.dumps(play.facts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
