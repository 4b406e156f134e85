"""The web page in a real browser: looked at, zoomed, tapped, walked through, filtered, printed."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from PIL import Image

from album_app.layout.evaluation.region_names import Label
from album_app.layout.shapes.shape import rectangle
from album_app.photos.album import Album, Photo
from album_app.photos.tables import read_table, with_table
from album_app.render import RenderSettings
from tests.render.conftest import layout_of
from tests.render.formats.chromium import Browser, chromium
from tests.render.formats.test_web_page import EVIL, noise
from tests.render.write_sheet import write_sheet

ROWS, COLUMNS = 4, 6
SETTINGS = RenderSettings(cell=96, title="Crete <2024>", background="ivory", corner=0.1, border=2)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def wall(tmp_path_factory: pytest.TempPathFactory) -> Album:
    """24 photos: noise in different tints, one a month, one of them with a name that tries to be a script."""
    folder = tmp_path_factory.mktemp("wall")
    photos = []
    for i in range(ROWS * COLUMNS):
        tint = Image.new("RGB", (600, 600), tuple(int(c) for c in np.random.default_rng(i).integers(0, 255, 3)))
        path = folder / f"{i}.jpg"
        Image.blend(noise(600, i), tint, 0.7).crop((0, 0, 600, 400)).save(path)
        name = EVIL if i == 7 else f"day{i}/Café {i}.jpg"
        photos.append(Photo(path, name, 1, 0, 600, 400, datetime(2023 + i // 12, i % 12 + 1, 5)))
    return Album((folder,), tuple(photos))


@pytest.fixture(scope="module")
def page(wall: Album, tmp_path_factory: pytest.TempPathFactory) -> Path:
    layout = layout_of(rectangle(ROWS, COLUMNS), list(range(ROWS * COLUMNS)))
    return write_sheet(layout, wall, tmp_path_factory.mktemp("page") / "crete.html", SETTINGS)


def centre_of(browser: Browser, photo: int) -> tuple[float, float]:
    """Where a photo is on the screen."""
    x, y = browser.value(
        f"(() => {{ const tile = album.tiles.find((tile) => tile.photo === {photo}); "
        "const at = album.viewport.toScreen(tile), bar = album.sheet.canvas.getBoundingClientRect(); "
        "return [bar.x + at.x + at.width / 2, bar.y + at.y + at.height / 2]; })()"
    )
    return x, y


def large_photo(browser: Browser) -> str:
    browser.wait("album.largeView.isOpen && document.getElementById('photo').complete")
    browser.wait("document.getElementById('photo').alt === album.facts[album.largeView.tile.photo].words")
    return str(browser.value("document.getElementById('name').textContent"))


def open_photo(browser: Browser, photo: int) -> None:
    browser.click(*centre_of(browser, photo))
    large_photo(browser)


def scale(browser: Browser) -> float:
    browser.rest()
    return float(browser.value("album.viewport.now.scale"))


def test_it_looks_like_the_sheet_that_the_program_draws(browser: Browser, page: Path, wall: Album) -> None:
    browser.open(page)
    browser.rest()
    shown = browser.screenshot()
    x, y, width, height = browser.value(
        "(() => { const bar = album.sheet.canvas.getBoundingClientRect(); const { x, y, scale } = album.viewport.now; "
        "return [bar.x + x, bar.y + y, album.viewport.sheet.width * scale, album.viewport.sheet.height * scale]; })()"
    )
    layout = layout_of(rectangle(ROWS, COLUMNS), list(range(ROWS * COLUMNS)))
    drawn = Image.open(write_sheet(layout, wall, page.with_suffix(".png"), SETTINGS)).convert("RGB")
    box = (round(x), round(y), round(x + width), round(y + height))
    ours = np.asarray(drawn.resize((box[2] - box[0], box[3] - box[1])).reduce(4), float)
    theirs = np.asarray(shown.crop(box).reduce(4), float)
    assert np.abs(ours - theirs).mean() < 3
    assert np.abs(ours - theirs[:, ::-1]).mean() > 20


def test_nothing_is_asked_of_anybody_and_nothing_goes_wrong(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.wheel(600, 400, -600)
    browser.rest()
    browser.press("Home")
    browser.rest()
    open_photo(browser, 7)
    assert browser.value("document.getElementById('name').textContent") == EVIL
    browser.press("Escape")
    assert browser.requests() == [] and browser.complaints() == []
    assert browser.value("document.scripts.length") == 2 + ROWS * COLUMNS


def test_the_listener_hears_a_page_that_does_ask(browser: Browser, page: Path, tmp_path: Path) -> None:
    class Silent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *words: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Silent)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/spy.png"
    asking = tmp_path / "asking.html"
    script = f"new Image().src = '{address}'; performance.mark('interactive')"
    asking.write_text(f"<!doctype html><script>{script}</script>")
    browser.open(asking)
    browser.wait("document.readyState === 'complete'")
    assert browser.requests() == [address]
    browser.open(page)
    browser.value(f"new Image().src = '{address}'")
    browser.wait("true")
    assert "Content Security Policy" in str(browser.complaints())
    server.shutdown()
    server.server_close()


def test_wheel_keys_and_buttons_zoom_and_the_sheet_never_gets_lost(browser: Browser, page: Path) -> None:
    browser.open(page)
    whole = scale(browser)
    x, y = centre_of(browser, 9)
    browser.wheel(x, y, -300)
    zoomed = scale(browser)
    assert zoomed > 1.5 * whole
    assert centre_of(browser, 9) == pytest.approx((x, y), abs=2)
    browser.press("+")
    assert scale(browser) > zoomed
    browser.press("-")
    assert scale(browser) == pytest.approx(zoomed)
    before = centre_of(browser, 9)
    browser.press("ArrowRight", shift=True)
    browser.rest()
    assert centre_of(browser, 9)[0] < before[0] - 50
    for _ in range(30):
        browser.press("ArrowDown", shift=True)
    browser.rest()
    bottom = browser.value("album.viewport.now.y + album.viewport.sheet.height * album.viewport.now.scale")
    assert bottom >= browser.value("album.viewport.height") - 13
    browser.press("0")
    assert scale(browser) == pytest.approx(whole)


def test_dragging_moves_the_sheet_and_opens_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.wheel(600, 400, -500)
    browser.rest()
    before = centre_of(browser, 9)
    browser.mouse("mousePressed", 600, 400, button="left", clickCount=1)
    for step in range(1, 6):
        browser.mouse("mouseMoved", 600 - 20 * step, 400 - 10 * step, button="left", buttons=1)
    browser.mouse("mouseReleased", 500, 350, button="left", clickCount=1)
    browser.rest()
    after = centre_of(browser, 9)
    assert after[0] <= before[0] - 95 and after[1] <= before[1] - 45
    assert not browser.value("album.largeView.isOpen")


def test_fingers_pinch_drag_and_tap(browser: Browser, page: Path) -> None:
    browser.open(page, 390, 780, 2, touch=True)
    whole = scale(browser)
    browser.touch("touchStart", (150, 400), (240, 400))
    for step in range(1, 8):
        browser.touch("touchMove", (150 - 10 * step, 400), (240 + 10 * step, 400))
    browser.touch("touchEnd")
    assert scale(browser) > 1.8 * whole
    browser.press("0")
    browser.rest()
    x, y = centre_of(browser, 10)
    browser.touch("touchStart", (x, y))
    browser.touch("touchEnd")
    assert large_photo(browser) == "day10/Café 10.jpg"
    browser.touch("touchStart", (300, 400))
    browser.touch("touchMove", (200, 400))
    browser.touch("touchEnd")
    browser.wait("document.getElementById('name').textContent === 'day11/Café 11.jpg'")


def test_zooming_brings_sharper_pictures_and_memory_stays_bounded(browser: Browser, page: Path) -> None:
    browser.calm(True)
    browser.open(page, ratio=2.0)
    browser.rest()
    blurred = np.asarray(browser.screenshot().convert("L"), float)
    assert browser.value("album.sheet.pictures.kept.size") == 0
    x, y = centre_of(browser, 9)
    browser.wheel(x, y, -900)
    browser.rest()
    kept = browser.value("[...album.sheet.pictures.kept.values()].map(({ side }) => side)")
    assert kept and max(kept) == 400 and len(kept) < ROWS * COLUMNS
    assert browser.value("album.sheet.pictures.pixels") <= 400 * 400 * ROWS * COLUMNS
    assert not np.array_equal(blurred, np.asarray(browser.screenshot().convert("L"), float))
    browser.value("album.sheet.pictures.most = 200_000")
    browser.press("0")
    for photo in range(0, ROWS * COLUMNS, 5):
        browser.value(f"album.sheet.choose(album.tiles[{photo}]), album.viewport.zoom(50)")
        browser.rest()
        browser.press("0")
        browser.rest()
    browser.wheel(x, y, -900)
    browser.rest()
    seen = browser.value("album.sheet.pictures.seen.size")
    assert browser.value("album.sheet.pictures.pixels") <= max(200_000, seen * 400 * 400)
    assert browser.value("album.sheet.pictures.kept.size") <= seen + 2
    browser.calm(False)


def test_arrows_walk_to_neighbours_on_the_sheet(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.rest()
    open_photo(browser, 8)
    for key, photo in (("ArrowRight", 9), ("ArrowDown", 15), ("ArrowLeft", 14), ("ArrowUp", 8), ("ArrowUp", 2)):
        browser.press(key)
        assert large_photo(browser) == f"day{photo}/Café {photo}.jpg"
    assert browser.value("document.getElementById('up').disabled") is True
    browser.press("ArrowUp")
    assert large_photo(browser) == "day2/Café 2.jpg"
    assert browser.value("document.getElementById('date').textContent.trim()") == "5 March 2023"
    size = browser.value(
        "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.getElementById('photo'))"
    )
    assert size == [600, 400]
    browser.press("Escape")
    browser.wait("!album.largeView.isOpen && album.sheet.chosen?.photo === 2")


def test_the_keyboard_alone_finds_and_opens_a_photo_and_says_which(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.rest()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        browser.press(key)
    assert browser.value("document.getElementById('spoken').textContent") == f"{EVIL} 5 August 2023"
    browser.press("ArrowRight")
    browser.press("Enter")
    assert large_photo(browser) == "day8/Café 8.jpg"
    alternatives = browser.value("Array.from(document.images, (image) => image.alt)")
    assert alternatives == ["Crete <2024>: 24 photos", "day8/Café 8.jpg 5 September 2023"]
    assert browser.value("document.querySelectorAll('#facts li').length") == ROWS * COLUMNS


def test_the_filter_dims_the_rest_and_arrows_skip_it(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.rest()
    places = {photo: centre_of(browser, photo) for photo in (3, 12, 15)}
    before = browser.screenshot()
    browser.press("/")
    browser.type("cafe 2024-0")
    browser.rest()
    after = browser.screenshot()
    assert browser.value("document.getElementById('count').textContent") == "9 of 24 photos"
    ivory = np.array((255, 255, 240))
    for photo, (x, y) in places.items():
        box = (round(x) - 20, round(y) - 20, round(x) + 20, round(y) + 20)
        was, now = (np.asarray(image.crop(box), float) for image in (before, after))
        if photo == 3:
            assert np.abs(now - ivory).mean() < 0.2 * np.abs(was - ivory).mean()
        else:
            assert np.abs(was - now).mean() < 1
    open_photo(browser, 20)
    browser.press("ArrowUp")
    assert large_photo(browser) == "day14/Café 14.jpg"
    browser.press("ArrowUp")
    assert large_photo(browser) == "day14/Café 14.jpg"


def test_light_and_dark_follow_the_system_until_one_is_chosen(browser: Browser, page: Path) -> None:
    def wall_colour() -> int:
        browser.rest()
        return int(np.asarray(browser.screenshot())[-4, 4].astype(int).mean())

    for theme, dark in (("dark", True), ("light", False)):
        browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.open(page)
        assert (wall_colour() < 60) is dark
        browser.press("t")
        assert (wall_colour() < 60) is not dark
    browser.ask("Emulation.setEmulatedMedia", features=[])


def test_who_wants_no_motion_gets_none(browser: Browser, page: Path) -> None:
    browser.calm(True)
    browser.open(page)
    browser.rest()
    assert browser.value("(album.viewport.zoom(3), album.viewport.now.scale === album.viewport.goal.scale)") is True
    browser.calm(False)
    browser.open(page)
    browser.rest()
    assert browser.value("(album.viewport.zoom(3), album.viewport.now.scale === album.viewport.goal.scale)") is False


def test_printing_puts_the_whole_sheet_on_one_page(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.wheel(600, 400, -900)
    browser.rest()
    data = base64.b64decode(browser.ask("Page.printToPDF")["data"])
    assert data.count(b"/Type /Page\n") == 1
    browser.ask("Emulation.setEmulatedMedia", media="print")
    shown = browser.value(
        "['bar', 'sheet', 'overview'].map((id) => { const style = getComputedStyle(document.getElementById(id)); "
        "return style.display !== 'none' && style.visibility === 'visible'; })"
    )
    browser.ask("Emulation.setEmulatedMedia", media="")
    assert shown == [False, False, True]


def test_readers_filter_by_columns_and_switch_names_off(browser: Browser, wall: Album, tmp_path: Path) -> None:
    lines = [f"{k},{('even', 'odd')[k % 2]},{k},2023-{k % 12 + 1:02}-05" for k in range(len(wall))]
    (tmp_path / "t.csv").write_text("\n".join(["file,parity,count,day", *lines]))
    own_names = replace(wall, photos=tuple(replace(photo, name=photo.path.name) for photo in wall.photos))
    album = with_table(own_names, read_table(tmp_path / "t.csv"))
    settings = replace(SETTINGS, colour_by="parity", filters="count,day", columns=("parity",), border=0)
    layout = layout_of(rectangle(ROWS, COLUMNS), list(range(ROWS * COLUMNS)))
    names = [Label("beach", 3.0, 2.0, (), 1.0)]
    browser.open(write_sheet(layout, album, tmp_path / "wall.html", settings, region_names=names))
    browser.rest()

    def choose(**values: str) -> str:
        for name, value in values.items():
            element = f"document.getElementById('{name}')"
            browser.value(f"{element}.value = '{value}', {element}.dispatchEvent(new Event('input')), 0")
        browser.rest()
        return str(browser.value("document.getElementById('count').textContent"))

    assert browser.value("[...document.getElementById('column').options].map((each) => each.text)") == [
        *("parity", "count", "day")
    ]
    x, y = centre_of(browser, 2)
    edge = float(
        browser.value(
            "(() => { const tile = album.tiles.find((tile) => tile.photo === 2), {viewport} = album;"
            "return (viewport.toScreen(tile.framed).width + viewport.toScreen(tile).width) / 4; })()"
        )
    )
    in_frame = round(x - edge), round(y)
    before = np.array(browser.screenshot().convert("RGB").getpixel(in_frame), float)
    assert choose(value="1") == "12 of 24 photos"
    after, ivory = np.array(browser.screenshot().convert("RGB").getpixel(in_frame), float), np.array((255, 255, 240))
    assert np.abs(before - ivory).sum() > 100, "a coloured frame"
    assert np.abs(after - ivory).sum() < 0.2 * np.abs(before - ivory).sum(), "which is veiled with its photo"
    assert choose(column="count", low="5") == "19 of 24 photos"
    assert choose(high="6,5") == "2 of 24 photos"
    assert choose(low="soon") == "7 of 24 photos", "what is no number leaves its end open"
    assert choose(column="day", low="2023-11", high="2023") == "4 of 24 photos"
    assert choose(low="2023-02-05", high="2023-02-05") == "2 of 24 photos"
    assert choose(low="", high="") == "24 photos"
    with_name = browser.screenshot()
    browser.press("n")
    browser.rest()
    without = browser.screenshot()
    changed = np.abs(np.asarray(with_name, float) - np.asarray(without, float)).max(axis=2) > 40
    rows, columns = np.nonzero(changed)
    x, y = browser.value(
        "(() => { const [[, x, y]] = JSON.parse(document.getElementById('drawing').textContent).names;"
        "const at = album.viewport.toScreen({x, y, width: 0, height: 0}), "
        "bar = album.sheet.canvas.getBoundingClientRect(); return [bar.x + at.x, bar.y + at.y]; })()"
    )
    inside = (rows > y - 30) & (rows < y + 30)
    assert inside.any() and abs(columns[inside].mean() - x) < 4, "the word was where the window has it"
    assert browser.value("document.getElementById('names').getAttribute('aria-pressed')") == "false"
