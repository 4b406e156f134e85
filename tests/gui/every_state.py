"""Takes every state of the window in every size, theme and language, to be looked at.

`python -m tests.gui.every_state FOLDER [--sizes 1280x720 ...] [--themes light dark] [--languages en de] [--only WORD]`

The pictures are `FOLDER/SIZE-THEME-LANGUAGE/STATE.png`, and `FOLDER/sheets` has the four of each state and size on one
picture. Without a display each language starts under xvfb-run, with cache and state of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from PIL import Image
from PySide6.QtWidgets import QApplication, QDialog

from album_app import language
from album_app.gui.controls.sections import LabelledSlider
from album_app.gui.dialogs.export.cards import ExportCards
from album_app.gui.dialogs.export.dialog import ExportDialog
from album_app.gui.dialogs.export.foot import ExportFoot
from album_app.gui.dialogs.export.form import ExportForm
from album_app.gui.dialogs.export.preview import PreviewPane
from album_app.gui.window.large_view.lightbox import Lightbox
from album_app.layout.shapes.shape import ShapeSpec
from tests.gui.real_hand import drag, let_go, middle_of, point_at, press, pump, screen_shot, wait_for, xdotool
from tests.gui.screenshots import ROOT, Photographer

SIZES = ("1280x720", "1600x1000", "2560x1440")
THEMES = ("light", "dark")
State = Callable[[Photographer], Iterator[None]]
STATES: dict[str, Callable[[Photographer], AbstractContextManager[None]]] = {}
"""Each sets a scene, is taken at its yield, and tidies up."""


def state(scene: State) -> State:
    STATES[scene.__name__] = contextmanager(scene)
    return scene


def plain(shown: Photographer) -> None:
    """Nothing selected, nothing over the sheet."""
    shown.session.select((), None)
    shown.rest_pointer()


def select(shown: Photographer, *cells: tuple[int, int]) -> None:
    photos = tuple(photo for photo in map(shown.canvas.scene.photo_in, cells) if photo is not None)
    shown.session.select(photos, cells[-1])
    pump(0.4)


def back(shown: Photographer) -> None:
    """Undo, and wait for the sheet of before."""
    shown.session.undo_stack.undo()
    shown.settle()


@state
def sheet(shown: Photographer) -> Iterator[None]:
    plain(shown)
    yield


@state
def hover(shown: Photographer) -> Iterator[None]:
    point_at(shown.canvas, middle_of(shown.canvas, (5, 9)))
    pump(1.2)
    yield
    plain(shown)


@state
def selected(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9), (5, 10), (6, 9))
    yield
    plain(shown)


@state
def photo_menu(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9))
    point_at(shown.canvas, middle_of(shown.canvas, (5, 9)))
    xdotool("click", 3)
    pump(0.6)
    yield
    press("Escape")
    plain(shown)


def _menu(key: str) -> State:
    def menu(shown: Photographer) -> Iterator[None]:
        bar = shown.window.menuBar()
        action = bar.actions()[MENU_PLACES.index(key)]
        point_at(bar, bar.actionGeometry(action).center())
        xdotool("click", 1)
        pump(0.5)
        yield
        press("Escape", "Escape")
        pump(0.2)
        plain(shown)

    menu.__name__ = f"menu_{key}"
    return state(menu)


MENU_PLACES = ("file", "edit", "photo", "pins", "view", "help")


for _key in MENU_PLACES:
    _menu(_key)


@state
def question(shown: Photographer) -> Iterator[None]:
    shown.act("pin_corners")
    wait_for(lambda: shown.window.parts.proposals.current is not None, "the proposal")
    pump(0.6)
    yield
    shown.window.parts.proposals.dismiss()
    pump(0.4)


@state
def pinned(shown: Photographer) -> Iterator[None]:
    shown.act("pin_corners")
    shown.accept()
    shown.settle()
    plain(shown)
    yield
    back(shown)


@state
def in_the_hand(shown: Photographer) -> Iterator[None]:
    tray = shown.window.workspace.tray
    tray.list.scrollToTop()
    pump(0.2)
    start = tray.list.visualRect(tray.model.index(4)).center()
    drag(tray.list.viewport(), start, shown.canvas, middle_of(shown.canvas, (7, 8)), release=False)
    pump(0.6)
    yield
    press("Escape")
    let_go()
    plain(shown)


def _overlay(key: str) -> State:
    def overlay(shown: Photographer) -> Iterator[None]:
        if key == "places":
            select(shown, (5, 9))
        shown.act(key)
        if key == "places":
            wait_for(lambda: shown.canvas.heatmap.image is not None, "the map", 30)
        pump(1.5)
        shown.rest_pointer()
        yield
        shown.act(key)
        plain(shown)

    overlay.__name__ = {"heat": "confidence", "names": "names_of_regions"}.get(key, key)
    return state(overlay)


for _key in ("heat", "places", "names"):
    _overlay(_key)


@state
def alternatives(shown: Photographer) -> Iterator[None]:
    select(shown, (8, 12))
    shown.canvas.show_alternatives((8, 12))
    wait_for(shown.canvas.strip.isVisible, "the alternatives", 30)
    pump(0.8)
    yield
    shown.canvas.show_alternatives(None)
    plain(shown)


@state
def filtered(shown: Photographer) -> Iterator[None]:
    tray = shown.window.workspace.tray
    tray.field.setText("sunset")
    pump(1.5)
    yield
    tray.field.setText("")
    pump(0.4)


@state
def nothing_found(shown: Photographer) -> Iterator[None]:
    tray = shown.window.workspace.tray
    tray.field.setText("zzz")
    pump(1.5)
    yield
    tray.field.setText("")
    pump(0.4)


@state
def unplaced(shown: Photographer) -> Iterator[None]:
    tray = shown.window.workspace.tray
    select(shown, (5, 9), (5, 10))
    shown.act("exclude")
    shown.settle()
    tray.show_section("unplaced")
    pump(0.5)
    yield
    tray.show_section("all")
    back(shown)


@state
def similar(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9))
    shown.act("similar")
    pump(1.5)
    yield
    shown.window.workspace.tray.show_section("all")
    pump(0.3)
    plain(shown)


@state
def caption(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9))
    shown.act("caption")
    pump(0.6)
    yield
    press("Escape")
    pump(0.3)
    plain(shown)


def _panel(name: str, share: float) -> State:
    def panel(shown: Photographer) -> Iterator[None]:
        """All sections unfolded, scrolled as far as this."""
        workspace = shown.window.workspace
        opened = [section for section in workspace.sections if not section.is_open]
        for section in opened:
            section.set_open(True)
        pump(0.8)
        bar = workspace.panel.verticalScrollBar()
        bar.setValue(round(share * bar.maximum()))
        pump(0.3)
        yield
        for section in opened:
            section.set_open(False)
        bar.setValue(0)

    panel.__name__ = name
    return state(panel)


_panel("panel_unfolded", 0.5)
_panel("panel_end", 1.0)


def _shape(name: str, spec: ShapeSpec) -> State:
    def shape(shown: Photographer) -> Iterator[None]:
        shown.window.parts.reshaping.start(spec)
        wait_for(lambda: bool(shown.session.document and shown.session.document.spec.kind == spec.kind), "the shape")
        shown.settle()
        plain(shown)
        yield
        back(shown)

    shape.__name__ = name
    return state(shape)


_shape("letters", ShapeSpec("text", text="ALBUM"))
_shape("rows", ShapeSpec("rows"))
_shape("circle", ShapeSpec("circle"))
_shape("book", ShapeSpec("pages", rows=5, columns=4, fill_pages=True))


@state
def sizes(shown: Photographer) -> Iterator[None]:
    shown.window.workspace.shape.findChildren(LabelledSlider)[-1].changed.emit(0.3)
    wait_for(lambda: bool(shown.session.document and shown.session.document.sizes), "larger photos", 30)
    shown.settle()
    plain(shown)
    yield
    back(shown)


@state
def timeline(shown: Photographer) -> Iterator[None]:
    shown.act("timeline")
    wait_for(lambda: bool(shown.canvas.time_marks), "the months", 60)
    shown.settle()
    plain(shown)
    yield
    back(shown)


@state
def held(shown: Photographer) -> Iterator[None]:
    shown.act("hold")
    shown.settle()
    plain(shown)
    yield
    shown.act("hold")
    shown.settle()


def large_view(shown: Photographer) -> Lightbox:
    lightbox = shown.window.findChild(Lightbox)
    assert isinstance(lightbox, Lightbox)
    wait_for(lambda: not lightbox.pane.reading, "the photo", 30)
    pump(0.6)
    return lightbox


@state
def large(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9))
    shown.act("large")
    lightbox = large_view(shown)
    yield
    lightbox.close_view()
    plain(shown)


@state
def large_four(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 9), (5, 14), (8, 9), (9, 9))
    shown.act("large")
    lightbox = large_view(shown)
    pump(1.0)
    yield
    lightbox.close_view()
    plain(shown)


@state
def crop(shown: Photographer) -> Iterator[None]:
    select(shown, (5, 14))
    shown.act("crop")
    lightbox = large_view(shown)
    for key in ("plus", *("Down",) * 5, *("Right",) * 2):
        press(key)
    pump(0.4)
    yield
    lightbox.cropping.leave()
    lightbox.close_view()
    plain(shown)


@contextmanager
def export_dialog(shown: Photographer, card: str = "") -> Iterator[ExportDialog]:
    shown.act("export")
    wait_for(lambda: bool(shown.window.findChildren(ExportDialog)), "the export dialog", 30)
    dialog = shown.window.findChildren(ExportDialog)[0]
    if card:
        dialog.findChild(ExportCards).buttons[card].click()
    dialog = next(each for each in reversed(shown.window.findChildren(ExportDialog)))
    preview = dialog.findChildren(PreviewPane)[0]
    wait_for(lambda: not preview.pixmap().isNull(), "the preview")
    foot = dialog.findChildren(ExportFoot)[0]
    wait_for(lambda: "…" not in foot.facts.label.text(), "the size")
    pump(0.8)
    try:
        yield dialog
    finally:
        dialog.close()
        pump(0.4)


def _export(card: str) -> State:
    def export(shown: Photographer) -> Iterator[None]:
        with export_dialog(shown, card):
            yield

    export.__name__ = f"export_{card}"
    return state(export)


for _card in ("poster", "card", "web", "wallpaper", "print"):
    _export(_card)


@state
def export_details(shown: Photographer) -> Iterator[None]:
    with export_dialog(shown, "poster") as dialog:
        dialog.findChild(ExportForm).details.set_open(True)
        pump(0.8)
        yield


def _dialog(key: str) -> State:
    def dialog(shown: Photographer) -> Iterator[None]:
        select(shown, (5, 9))
        shown.act(key)
        wait_for(lambda: any(each.isVisible() for each in shown.window.findChildren(QDialog)), key, 30)
        pump(1.2)
        yield
        for each in shown.window.findChildren(QDialog):
            if each.isVisible():
                each.close()
        pump(0.3)
        plain(shown)

    dialog.__name__ = key
    return state(dialog)


for _key in ("preferences", "shortcuts", "about", "compare", "print", "save_as"):
    _dialog(_key)


@state
def full_screen(shown: Photographer) -> Iterator[None]:
    shown.act("full_screen")
    pump(1.0)
    yield
    shown.act("full_screen")
    pump(0.5)


@state
def arranging(shown: Photographer) -> Iterator[None]:
    shown.act("polish")
    pump(0.9)
    yield
    shown.settle()
    if shown.session.undo_stack.canUndo():
        back(shown)


@state
def start_page(shown: Photographer) -> Iterator[None]:
    """The last one: it closes the album."""
    shown.window.preferences.set("confirm_unsaved", False)
    shown.act("close")
    wait_for(lambda: shown.session.document is None, "the start page", 30)
    wait_for(lambda: not shown.window.parts.jobs.running("recents"), "the albums")
    pump(1.0)
    yield
    shown.window.parts.loading.open_sample()
    shown.settle()


def walk(folder: Path, sizes: list[str], themes: list[str], only: str) -> None:
    shown = Photographer(folder)
    spoken = language.current()
    first = True
    for size in sizes:
        width, height = map(int, size.split("x"))
        shown.window.resize(width, height)
        for theme in themes:
            shown.act(f"theme_{theme}")
            target = folder / f"{size}-{theme}-{spoken}"
            target.mkdir(parents=True, exist_ok=True)
            if first:
                pump(0.6)
                save(target / "first_start.png", width, height)
                shown.window.parts.loading.open_sample()
                shown.settle()
                pump(1.0)
            first = False
            for name, scene in STATES.items():
                if only in name:
                    try:
                        with scene(shown):
                            save(target / f"{name}.png", width, height)
                    except Exception as error:  # one state that fails leaves the others to be looked at
                        print(f"{target.name}/{name}: {error!r}", flush=True)
                        shown.session.undo_stack.setIndex(0)
                        shown.settle()
    shown.window.preferences.set("confirm_unsaved", False)
    shown.window.close()
    wait_for(lambda: not shown.window.isVisible(), "the end", 30)


def save(path: Path, width: int, height: int) -> None:
    ratio = QApplication.primaryScreen().devicePixelRatio()
    screen_shot().copy(0, 0, round(width * ratio), round(height * ratio)).save(str(path))


def contact_sheets(folder: Path, sizes: list[str]) -> None:
    """The pictures of a state in one size, all themes and languages, on one picture."""
    target = folder / "sheets"
    target.mkdir(exist_ok=True)
    for size in sizes:
        folders = sorted(folder.glob(f"{size}-*"))
        for name in sorted({each.name for one in folders for each in one.glob("*.png")}):
            pictures = [Image.open(one / name) for one in folders if (one / name).exists()]
            width, height = pictures[0].size
            across = 2 if len(pictures) > 1 else 1
            sheet = Image.new("RGB", (across * width, -(-len(pictures) // across) * height))
            for place, picture in enumerate(pictures):
                sheet.paste(picture, (place % across * width, place // across * height))
            sheet.save(target / f"{size}-{name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", nargs="+", default=list(SIZES))
    parser.add_argument("--themes", nargs="+", default=list(THEMES))
    parser.add_argument("--languages", nargs="+", default=["en", "de"])
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    folder = wanted.folder.absolute()
    if os.environ.get(language.VARIABLE) in wanted.languages and len(wanted.languages) == 1:
        walk(folder, wanted.sizes, wanted.themes, wanted.only)
        return
    for spoken in wanted.languages:
        with tempfile.TemporaryDirectory(prefix="album-states-") as own:
            arguments = [str(folder), "--sizes", *wanted.sizes, "--themes", *wanted.themes]
            command = [sys.executable, "-m", "tests.gui.every_state", *arguments, "--languages", spoken]
            command += ["--only", wanted.only] if wanted.only else []
            if not os.environ.get("DISPLAY"):
                command = ["xvfb-run", "-a", "-s", "-screen 0 2560x1440x24", *command]
            own_environment = os.environ | {
                "QT_QPA_PLATFORM": "xcb",
                language.VARIABLE: spoken,
                "ALBUM_APP_STATE": f"{own}/state",
            }
            own_environment.setdefault("ALBUM_APP_CACHE", f"{own}/cache")
            subprocess.run(command, env=own_environment, cwd=ROOT, check=False)
    contact_sheets(folder, wanted.sizes)


if __name__ == "__main__":
    main()
