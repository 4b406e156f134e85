"""Makes the pictures of the README: `python -m tests.gui.screenshots [FOLDER]`; they show the sample album only.

Without a display it starts itself again under xvfb-run. The program gets folders of its own for cache and state.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.preview import PreviewPane
from album_app.gui.window import app
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import pinned
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.dialogs.dialog_hands import facts_of
from tests.gui.real_hand import drag, let_go, middle_of, point_at, press, pump, screen_shot, wait_for

ROOT = Path(__file__).parents[2]
SIZE = (1360, 850)
QUALITY = 88


class Photographer:
    """Sets scenes in the window and takes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.window: MainWindow = app.start()
        self.window.move(0, 0)
        self.window.resize(*SIZE)
        wait_for(lambda: self.window.windowHandle().isExposed(), "the window")
        self.canvas, self.session = self.window.workspace.canvas, self.window.session

    def settle(self, seconds: float = 240) -> None:
        def settled() -> bool:
            ready = self.session.document is not None and self.session.is_settled
            return ready and not self.window.parts.jobs.visible and self.window.parts.photos.pictures.complete

        wait_for(settled, "the layout", seconds)
        pump(1.5)

    def act(self, key: str) -> None:
        self.window.actions_table[key].trigger()

    def accept(self) -> None:
        proposals = self.window.parts.proposals
        wait_for(lambda: proposals.current is not None, "the proposal")
        proposals.accept()

    def rest_pointer(self) -> None:
        point_at(self.canvas, QPoint(3, 3))
        pump(0.3)

    def take(self, name: str, alone: QWidget | None = None) -> None:
        """The window, or a dialog alone: without a window manager it has no frame to tell it from what is behind."""
        picture: QImage = (screen_shot().copy(0, 0, *SIZE) if alone is None else alone.grab()).toImage()
        path = self.folder / f"{name}.jpg"
        if not picture.save(str(path), quality=QUALITY):
            raise AssertionError(f"{path} could not be written")
        print(path)


def corners(photographer: Photographer) -> None:
    photographer.window.parts.loading.open_sample()
    photographer.settle()
    pump(1.0)
    wait_for(lambda: not photographer.window.parts.jobs.running("remember"), "the album's picture for the start page")
    photographer.act("pin_corners")
    photographer.accept()
    pump(1.0)
    photographer.settle()
    photographer.session.select((), None)
    photographer.rest_pointer()
    photographer.take("corner-pins")


def dragging(photographer: Photographer) -> None:
    canvas, tray = photographer.canvas, photographer.window.workspace.tray
    start = tray.list.visualRect(tray.model.index(13)).center()
    drag(tray.list.viewport(), start, canvas, middle_of(canvas, (7, 8)), release=False)
    photographer.take("dragging")
    press("Escape")
    let_go()
    photographer.session.select((), None)
    photographer.rest_pointer()


def heat_map(photographer: Photographer) -> None:
    photographer.act("heat")
    pump(0.5)
    photographer.take("confidence")
    photographer.act("heat")


def alternatives(photographer: Photographer) -> None:
    canvas = photographer.canvas
    cell = (8, 12)
    photo = canvas.scene.photo_in(cell)
    photographer.session.select(() if photo is None else (photo,), cell)
    canvas.show_alternatives(cell)
    wait_for(canvas.strip.isVisible, "the alternatives", 30)
    pump(0.8)
    photographer.take("alternatives")
    canvas.show_alternatives(None)


def places(photographer: Photographer) -> None:
    photographer.act("places")
    wait_for(lambda: photographer.canvas.heatmap.image is not None, "the map", 30)
    pump(0.5)
    photographer.take("places")
    photographer.act("places")


def export(photographer: Photographer) -> None:
    photographer.act("export")
    wait_for(lambda: bool(photographer.window.findChildren(ExportDialog)), "the export dialog", 30)
    dialog = photographer.window.findChildren(ExportDialog)[0]
    preview = dialog.findChildren(PreviewPane)[0]
    wait_for(lambda: not preview.pixmap().isNull(), "the preview")
    wait_for(lambda: "…" not in facts_of(dialog), "the size")
    pump(0.5)
    photographer.take("export", dialog)
    dialog.close()
    pump(0.3)


def dark_theme(photographer: Photographer) -> None:
    photographer.act("theme_dark")
    pump(0.5)
    point_at(photographer.canvas, middle_of(photographer.canvas, (6, 10)))
    pump(0.8)
    photographer.take("dark")
    photographer.act("theme_light")


def letters(photographer: Photographer) -> None:
    photographer.session.edit(pinned, "Unpin all", type(photographer.session.document.pins)())  # type: ignore[union-attr]
    photographer.window.parts.reshaping.start(ShapeSpec("text", text="ALBUM"))
    wait_for(lambda: bool(photographer.session.document and photographer.session.document.shape.centres), "the letters")
    photographer.settle()
    photographer.act("pin_letters")
    photographer.accept()
    pump(1.0)
    photographer.settle()
    photographer.session.select((), None)
    photographer.rest_pointer()
    photographer.take("letters")


def start_page(photographer: Photographer) -> None:
    photographer.window.preferences.set("confirm_unsaved", False)
    photographer.act("close")
    wait_for(lambda: photographer.session.document is None, "the start page", 30)
    wait_for(lambda: not photographer.window.parts.jobs.running("recents"), "the albums")
    pump(1.0)
    photographer.take("start-page")


def timeline(photographer: Photographer) -> None:
    photographer.act("unpin_all")
    photographer.act("timeline")
    wait_for(lambda: bool(photographer.canvas.time_marks), "the months", 60)
    photographer.settle()
    photographer.rest_pointer()
    photographer.take("timeline")
    photographer.session.undo_stack.undo()


def cropping(photographer: Photographer) -> None:
    cell = (8, 14)
    photo = photographer.canvas.scene.photo_in(cell)
    photographer.session.select(() if photo is None else (photo,), cell)
    photographer.act("crop")
    lightbox = photographer.window.findChildren(Lightbox)[0]
    wait_for(lambda: not lightbox.pane.reading, "the photo", 30)
    for key in ("plus", *("Down",) * 7, *("Right",) * 2):
        press(key)
    pump(0.5)
    photographer.take("crop")
    lightbox.cropping.leave()
    lightbox.close_view()
    pump(0.3)


SCENES: tuple[Callable[[Photographer], None], ...] = (
    corners, dragging, heat_map, alternatives, places, cropping, timeline, export, dark_theme,
    letters, start_page,
)  # fmt: skip


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="album-shots-") as own:
        os.environ.setdefault("ALBUM_APP_CACHE", f"{own}/cache")
        os.environ["ALBUM_APP_STATE"] = f"{own}/state"
        photographer = Photographer(folder)
        photographer.act("theme_light")
        for scene in SCENES:
            scene(photographer)
        photographer.window.close()
        wait_for(lambda: not photographer.window.isVisible(), "the end", 30)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "assets"
    if os.environ.get("DISPLAY"):
        main(target)
    else:
        screen = f"-screen 0 {SIZE[0]}x{SIZE[1]}x24"
        command = [
            "xvfb-run",
            "-a",
            "-s",
            screen,
            sys.executable,
            "-m",
            "tests.gui.screenshots",
            str(target.absolute()),
        ]
        on_x = os.environ | {"QT_QPA_PLATFORM": "xcb"}
        sys.exit(subprocess.run(command, env=on_x, cwd=ROOT, check=False).returncode)
