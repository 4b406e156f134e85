"""The table of actions: complete, consistent, and at work in menus, context menus and the shortcut sheet."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QScrollArea
from pytestqt.qtbot import QtBot

from album_app import language
from album_app.gui.commands import view_commands
from album_app.gui.commands.actions import (
    ACTIONS,
    CELL_MENU,
    CONDITIONS,
    MENUS,
    PHOTO_MENU,
    SEPARATOR,
    keys_of,
    menu_for,
)
from album_app.gui.dialogs.about import ShortcutsDialog
from album_app.gui.style import theme
from album_app.gui.style.wording import with_own_letters
from album_app.gui.window.main_window import MainWindow
from album_app.layout.editing.edits import excluded
from album_app.paths import state_folder
from tests.gui.conftest import WAIT_MS, OpenWindow, PhotoFolder, make_photos, wait_until_settled
from tests.gui.hands import (
    CTRL,
    KEY,
    SHIFT,
    accept_proposal,
    canvas_of,
    click,
    document_of,
    files,
    layout_of,
    pins,
    type_keys,
    undo,
)


def test_no_key_means_two_things() -> None:
    keys = Counter(QKeySequence(words).toString() for entry in ACTIONS for words in entry.shortcuts)
    assert all(count == 1 for count in keys.values())
    assert all(keys)


def test_every_action_has_a_key() -> None:
    assert not [entry.key for entry in ACTIONS if not (entry.shortcut or entry.own_key)]


def test_the_table_is_consistent() -> None:
    keys = [entry.key for entry in ACTIONS]
    assert len(set(keys)) == len(keys)
    assert {entry.when for entry in ACTIONS} <= set(CONDITIONS)
    assert {entry.menu.split("/")[0] for entry in ACTIONS} == set(MENUS)
    assert {*PHOTO_MENU, *CELL_MENU} - {SEPARATOR} <= set(keys)


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_menu_has_a_letter_of_its_own(code: str) -> None:
    language.use(code)
    titles = [language.tr(name) for name in MENUS]
    language.use(language.ENGLISH)
    made = with_own_letters(titles)
    letters = [title[title.index("&") + 1].lower() for title in made]
    assert len(set(letters)) == len(MENUS) and [title.replace("&", "") for title in made] == titles


def test_two_selected_photos_trade_places_by_menu_in_one_undo_step(window: MainWindow, qtbot: QtBot) -> None:
    canvas, swap, former = canvas_of(window), window.actions_table["swap"], layout_of(window)
    first, second = former.photo_in((0, 0)), former.photo_in((2, 1))
    assert first is not None and second is not None
    click(canvas, (0, 0))
    assert not swap.isEnabled()
    click(canvas, (1, 1), CTRL)
    click(canvas, (2, 1), CTRL)
    assert not swap.isEnabled()
    click(canvas, (1, 1), CTRL)
    assert swap in window.actions_table.context_menu(menu_for(window.session), window).actions()
    type_keys(window, KEY.Key_X, modifiers=CTRL | SHIFT)
    assert layout_of(window).photo_in((0, 0)) == second and layout_of(window).photo_in((2, 1)) == first
    assert pins(window) == {first: (2, 1), second: (0, 0)} and set(window.session.selected) == {first, second}
    wait_until_settled(qtbot, window.session)
    undo(window)
    assert np.array_equal(layout_of(window).photo_at, former.photo_at) and not pins(window)


def test_esc_leads_from_the_menus_back_to_where_the_keyboard_was(window: MainWindow, qtbot: QtBot) -> None:
    canvas, bar = canvas_of(window), window.menuBar()
    canvas.setFocus()
    bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
    menu = bar.actions()[0].menu()
    assert isinstance(menu, QMenu)
    menu.popup(QPoint(20, 20))
    type_keys(menu, KEY.Key_Escape)
    qtbot.waitUntil(lambda: window.focusWidget() is canvas)
    bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
    type_keys(bar, KEY.Key_Escape)
    qtbot.waitUntil(lambda: window.focusWidget() is canvas)
    type_keys(canvas, KEY.Key_Right)
    assert window.session.cell == (0, 0)


def in_menu(menu: QMenu) -> set[str]:
    found = set()
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            found |= in_menu(submenu)
        elif action.data() is not None:
            found.add(action.data().key)
    return found


def test_every_action_is_in_a_menu(open_window: OpenWindow) -> None:
    window = open_window()
    menus = [action.menu() for action in window.menuBar().actions()]
    found = set().union(*(in_menu(menu) for menu in menus if isinstance(menu, QMenu)))
    assert found == {entry.key for entry in ACTIONS}


def test_without_an_album_only_what_makes_sense_is_enabled(open_window: OpenWindow) -> None:
    window = open_window()
    enabled = {entry.key for entry in ACTIONS if window.actions_table[entry.key].isEnabled()}
    assert {"open_folder", "quit", "shortcuts"} <= enabled
    assert not enabled & {"save", "export", "unpin", "undo", "fit", "exclude", "pin_corners"}


def select(window: MainWindow, photo: int) -> None:
    layout = window.session.document.layout
    window.session.select((photo,), layout.cell_of(photo))


def test_pin_unpin_and_undo_by_action(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    actions, session = window.actions_table, window.session
    select(window, 4)
    cell = session.cell
    actions["pin_here"].trigger()
    assert dict(session.document.pins) == {4: cell}
    assert actions["undo"].text() == "Undo Pin photo-0004"
    actions["unpin"].trigger()
    assert not session.document.pins
    actions["undo"].trigger()
    assert dict(session.document.pins) == {4: cell}
    actions["redo"].trigger()
    assert not session.document.pins


def test_both_keys_redo(window: MainWindow) -> None:
    window.session.drop([3], (0, 0))
    for key, modifiers in ((KEY.Key_Y, CTRL), (KEY.Key_Z, CTRL | SHIFT)):
        undo(window)
        assert pins(window) == {}
        type_keys(canvas_of(window), key, modifiers=modifiers)
        assert pins(window) == {3: (0, 0)}


def test_undo_names_a_photo_as_it_is_called(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = make_photos(tmp_path / "photos", 2)
    (folder / "photo-0001.jpg").rename(folder / "you & me.jpg")
    window = open_window(0, folder)
    wait_until_settled(qtbot, window.session)
    window.session.drop([1], (0, 0))
    assert window.actions_table["undo"].text() == "Undo Pin you && me"


def test_pin_to_a_corner(open_window: OpenWindow) -> None:
    window = open_window(12)
    for corner in range(4):
        select(window, 6)
        window.actions_table[f"pin_{corner}"].trigger()
        assert pins(window) == {6: window.session.document.shape.corners[corner]}
        undo(window)


def test_exclude_and_take_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    select(window, 6)
    window.actions_table["exclude"].trigger()
    assert window.session.document.excluded == {6}
    assert window.actions_table["include"].isEnabled() and not window.actions_table["exclude"].isEnabled()
    window.actions_table["include"].trigger()
    assert not window.session.document.excluded


def test_pins_by_the_handful(window: MainWindow, qtbot: QtBot) -> None:
    for action, count in (("pin_corners", 4), ("pin_edges", 4), ("pin_suggest", 1)):
        window.actions_table[action].trigger()
        accept_proposal(qtbot, window)
        assert len(pins(window)) == count, action
        wait_until_settled(qtbot, window.session)
        window.actions_table["unpin_all"].trigger()
        assert not pins(window), action
        undo(window)
        assert len(pins(window)) == count, action
        undo(window)
        wait_until_settled(qtbot, window.session)


def test_copying_photo_and_sheet(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(6)
    select(window, 2)
    clipboard = QGuiApplication.clipboard()
    window.actions_table["copy_photo"].trigger()
    assert [url.fileName() for url in clipboard.mimeData().urls()] == ["photo-0002.jpg"]
    window.actions_table["copy_sheet"].trigger()
    qtbot.waitUntil(lambda: window.notice.text() == "Copied the sheet")
    assert clipboard.image().width() > 200


def test_pasted_files_are_pinned_at_the_cell_of_the_keyboard(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(12)
    canvas = canvas_of(window)
    QGuiApplication.clipboard().setMimeData(files(*sorted(photo_folder(2, "more", start=40).iterdir())))
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Home, KEY.Key_Right)
    type_keys(canvas, KEY.Key_V, modifiers=CTRL)
    qtbot.waitUntil(lambda: len(document_of(window).album) == 14, timeout=WAIT_MS)
    assert pins(window)[12] == (0, 1) and set(pins(window)) == {12, 13}
    assert window.session.undo_stack.undoText() == "Add 2 photos"
    undo(window)
    assert len(document_of(window).album) == 12 and not pins(window)


def test_a_photo_of_the_album_is_copied_and_pasted_on_another_cell(open_window: OpenWindow) -> None:
    window = open_window(12)
    canvas = canvas_of(window)
    canvas.setFocus()
    type_keys(canvas, KEY.Key_Home)
    photo = window.session.current
    type_keys(canvas, KEY.Key_C, modifiers=CTRL)
    type_keys(canvas, KEY.Key_Down, KEY.Key_Right)
    type_keys(canvas, KEY.Key_V, modifiers=CTRL)
    assert pins(window) == {photo: (1, 1)}
    assert window.session.undo_stack.undoText().startswith("Pin ")


def test_pasting_without_a_cell_adds_the_files(
    open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder
) -> None:
    window = open_window(4)
    QGuiApplication.clipboard().setMimeData(files(*photo_folder(1, "more", start=40).iterdir()))
    window.actions_table["paste"].trigger()
    qtbot.waitUntil(lambda: len(document_of(window).album) == 5, timeout=WAIT_MS)
    assert not pins(window)


def test_a_pasted_folder_is_opened(open_window: OpenWindow, qtbot: QtBot, photo_folder: PhotoFolder) -> None:
    window = open_window(4)
    QGuiApplication.clipboard().setMimeData(files(photo_folder(3, "other")))
    window.actions_table["paste"].trigger()
    qtbot.waitUntil(lambda: len(document_of(window).album) == 3, timeout=WAIT_MS)


def test_pasting_something_else_is_explained(open_window: OpenWindow) -> None:
    window = open_window(4)
    QGuiApplication.clipboard().setText("no file")
    window.actions_table["paste"].trigger()
    assert "Nothing to paste" in window.notice.text()


def test_the_log_file_is_shown(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    opener = SimpleNamespace(openUrl=lambda url: shown.append(Path(url.toLocalFile())))
    monkeypatch.setattr(view_commands, "QDesktopServices", opener)
    open_window().actions_table["log"].trigger()
    assert shown == [state_folder() / "album-app.log"]


def test_finding_similar_photos(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(12)
    select(window, 3)
    asked = []
    window.workspace.tray.show_ranking = asked.append
    window.actions_table["similar"].trigger()
    qtbot.waitUntil(lambda: bool(asked))
    assert asked[0].like == (3,) and asked[0].photos[0] == 3 and len(asked[0].photos) == 12


def test_the_context_menu_offers_what_makes_sense(open_window: OpenWindow) -> None:
    window = open_window(12)
    select(window, 3)
    menu = window.actions_table.context_menu(PHOTO_MENU, window)
    assert {"pin_here", "pin_0", "exclude", "large", "similar", "viewer", "manager"} <= in_menu(menu)
    assert not in_menu(menu) & {"unpin", "include"}
    window.actions_table["pin_here"].trigger()
    assert "unpin" in in_menu(window.actions_table.context_menu(PHOTO_MENU, window))
    window.show_menu(window.mapToGlobal(QPoint(50, 50)), PHOTO_MENU)
    assert QApplication.activePopupWidget() is not None
    QApplication.activePopupWidget().close()


def test_the_shortcut_sheet_lists_every_key(open_window: OpenWindow) -> None:
    window = open_window()
    window.actions_table["shortcuts"].trigger()
    sheet = window.findChild(ShortcutsDialog)
    texts = {label.text() for label in sheet.findChildren(QLabel)}
    assert {keys for menu in MENUS for keys, _ in keys_of(menu)} <= texts
    assert "Ctrl+Shift+Z or Ctrl+Y" in texts
    sheet.close()


def test_the_shortcut_sheet_is_scrolled_by_keys(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.actions_table["shortcuts"].trigger()
    sheet = window.findChild(ShortcutsDialog)
    bar = sheet.findChild(QScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=WAIT_MS)
    for key, place in ((KEY.Key_End, bar.maximum()), (KEY.Key_Home, 0)):
        type_keys(sheet.focusWidget(), key)
        assert bar.value() == place
    sheet.close()


def test_the_list_of_shortcuts_names_the_keys_that_the_menus_show() -> None:
    assert dict(map(reversed, keys_of("View")))["Zoom in"] == "+"


def test_only_one_map_at_a_time(open_window: OpenWindow) -> None:
    window = open_window(6)
    heat, places = window.actions_table["heat"], window.actions_table["places"]
    heat.trigger()
    places.trigger()
    assert places.isChecked() and not heat.isChecked()
    places.trigger()
    assert not places.isChecked()


def test_the_theme_changes_and_is_remembered(open_window: OpenWindow) -> None:
    window = open_window()
    for choice in ("light", "dark", "system"):
        window.actions_table[f"theme_{choice}"].trigger()
        assert window.preferences.get("theme") == choice
        dark = window.palette().window().color().lightness() < 128
        assert dark == (choice == "dark")
    window.actions_table["theme_contrast"].trigger()
    assert window.palette().window().color() == QColor("black")
    window.actions_table["theme_system"].trigger()


def luminance(colour: QColor) -> float:
    """The relative luminance of a colour, as the Web Content Accessibility Guidelines define it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(QColor(one)), luminance(QColor(other))))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("name", "least"), [("light", 4.5), ("dark", 4.5), ("contrast", 7.0), ("system", 7.0)])
def test_every_text_stands_out_from_its_ground(name: str, least: float) -> None:
    forced = QPalette(QColor("#202020"), QColor("#000000"))
    forced.setColor(QPalette.ColorRole.WindowText, QColor("#ffff00"))
    forced.setColor(QPalette.ColorRole.Highlight, QColor("#00ffff"))
    forced.setColor(QPalette.ColorRole.HighlightedText, QColor("#000000"))
    palette = theme.of_system(forced) if name == "system" else theme.PALETTES[name]
    if name == "system":
        assert palette.text == "#ffff00" and palette.accent == "#00ffff", "the system's colours are used as they are"
    for ground in (palette.window, palette.raised, palette.hover):
        assert contrast(palette.text, ground) >= least, ground
    assert contrast(palette.muted, palette.window) >= min(least, 4.5)
    assert contrast(palette.accent_text, palette.accent) >= min(least, 4.5)


def test_in_high_contrast_what_cannot_be_used_is_clearly_fainter_and_still_readable() -> None:
    palette = theme.PALETTES["contrast"]
    assert contrast(palette.disabled, palette.window) >= 7.0
    assert contrast(palette.text, palette.disabled) >= 2.0


def test_where_the_system_forces_colours_it_also_says_how_what_cannot_be_used_looks() -> None:
    forced = QPalette(QColor("#202020"), QColor("#000000"))
    forced.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText, QColor("#3ff23f"))
    assert theme.of_system(forced).disabled == "#3ff23f"


def test_panels_hide_and_are_remembered(open_window: OpenWindow) -> None:
    window = open_window(3)
    for key in ("tray", "panel"):
        window.actions_table[key].trigger()
    assert not window.workspace.tray.isVisible() and not window.workspace.panel.isVisible()
    assert window.preferences.word("tray") == "hidden"


def test_preferences_and_about_open(open_window: OpenWindow) -> None:
    window = open_window()
    for key in ("preferences", "about"):
        window.actions_table[key].trigger()
    shown = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    assert len(shown) == 2
    for dialog in shown:
        dialog.close()


def test_tooltips_name_their_shortcut(window: MainWindow) -> None:
    table = window.actions_table
    assert table["export"].toolTip() == "Export (Ctrl+E)" and table["pin_here"].toolTip() == "Pin here (P)"
    for entry in ACTIONS:
        keys = (*entry.shortcuts, entry.own_key)[0]
        tip = table[entry.key].toolTip()
        assert tip and (not keys or tip.endswith(f"({QKeySequence(keys).toString() or keys})")), entry.key
    window.session.edit(excluded, [3])
    assert table["undo"].toolTip() == "Undo Exclude photo-0003 (Ctrl+Z)"
