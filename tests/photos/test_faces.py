"""Focus: faces are found in drawn pictures of people, remembered, and never looked for in this process."""

import math
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFilter

from album_app.photos import faces
from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.faces import KIND, Focus, focus_in, focus_of, known_focus, stream_focus
from album_app.photos.sandbox import decode
from album_app.photos.thumbnails import stream_thumbnails

SKIN, HAIR, SHIRT, LIPS, SHADE = (222, 175, 150), (50, 35, 25), (40, 60, 110), (165, 70, 70), (180, 125, 108)


def drawn_person(image: Image.Image, x: float, y: float, size: float) -> None:
    """Draw a head from the front with its middle at (x, y) and `size` pixels from there to an ear."""
    draw = ImageDraw.Draw(image)

    def ellipse(across: float, down: float, wide: float, high: float, colour: tuple[int, int, int]) -> None:
        left, top = x + (across - wide) * size, y + (down - high) * size
        draw.ellipse((left, top, left + 2 * wide * size, top + 2 * high * size), fill=colour)

    ellipse(0, -0.25, 0.95, 1.15, HAIR)
    ellipse(0, 1.5, 1.3, 0.7, SHIRT)
    ellipse(0, 0.9, 0.35, 0.5, SKIN)
    ellipse(0, 0, 0.8, 1.05, SKIN)
    for side in (-0.33, 0.33):
        ellipse(side, -0.18, 0.2, 0.1, (245, 245, 245))
        ellipse(side, -0.18, 0.09, 0.1, (30, 20, 20))
        ellipse(side, -0.38, 0.22, 0.05, HAIR)
    ellipse(0, 0.28, 0.13, 0.06, SHADE)
    ellipse(0, 0.55, 0.28, 0.09, LIPS)


def people(size: tuple[int, int], *places: tuple[float, float, float]) -> Image.Image:
    image = Image.new("RGB", size, (90, 120, 150))
    for place in places:
        drawn_person(image, *place)
    return image.filter(ImageFilter.GaussianBlur(1))


@pytest.fixture
def album_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "people"
    folder.mkdir()
    people((480, 320), (400, 120, 40)).save(folder / "right.jpg")
    for name in ("gone.png", "sky.png"):
        Image.linear_gradient("L").convert("RGB").save(folder / name)
    return folder


def test_faces_are_found_where_they_are_the_largest_first() -> None:
    found = focus_in(people((256, 192), (60, 70, 20), (180, 90, 40)))
    first, second = found.faces
    assert min(found.sureness) > 0.8
    for face, (x, y, size) in ((first, (180, 90, 40)), (second, (60, 70, 20))):
        left, top, right, bottom = face[0] * 256, face[1] * 192, face[2] * 256, face[3] * 192
        assert (left + right) / 2 == pytest.approx(x, abs=0.3 * size)
        assert (top + bottom) / 2 == pytest.approx(y, abs=0.4 * size)
        assert size < right - left < 2.2 * size


def test_the_larger_face_is_the_first_on_either_side() -> None:
    large, small = focus_in(people((256, 192), (60, 90, 40), (210, 70, 20))).faces
    assert large[2] < small[0]


def test_pictures_without_people_have_no_faces() -> None:
    assert focus_in(Image.linear_gradient("L").convert("RGB")) == Focus()
    assert focus_in(Image.new("RGB", (3, 900))) == focus_in(Image.new("RGB", (900, 27), "white")) == Focus()


def test_a_focus_is_found_once_by_another_process_and_then_known(
    album_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faces, "focus_in", lambda *_: pytest.fail("this process looks for faces"))
    photos, store = scan(album_folder).photos, tmp_path / "cache"
    (album_folder / "gone.png").unlink()
    progress: list[tuple[int, int]] = []
    gone, right, sky = found = focus_of(photos, store, on_progress=lambda *done: progress.append(done))
    assert progress == sorted(progress) and progress[-1] == (3, 3)
    assert gone == sky == Focus()
    ((left, _, _, _),) = right.faces
    assert left > 0.7
    with Cache.open(store) as cache:
        assert known_focus(photos[1:], cache) == {0: right, 1: sky}
    assert list(stream_focus(photos[1:], store)) == [dict(enumerate(found[1:]))]


def test_faces_are_those_of_the_photo_itself_and_of_its_thumbnail_where_the_photo_is_gone(tmp_path: Path) -> None:
    folder, store = tmp_path / "people", tmp_path / "cache"
    folder.mkdir()
    people((640, 400), (430, 190, 70), (150, 160, 34)).save(folder / "here.png")
    shutil.copy(folder / "here.png", folder / "gone.png")
    with Cache.open(store) as cache:
        gone, here = photos = scan(folder, cache=cache, decode_for=math.inf).photos
        thumbnail = next(stream_thumbnails([gone], cache)).pixels
    gone.path.unlink()
    by_thumbnail, by_photo = focus_of(photos, store)
    side = (faces.SEARCHED_SIDE, faces.SEARCHED_SIDE)
    assert by_photo == focus_in(decode(here.path, side))
    assert by_thumbnail == focus_in(Image.fromarray(thumbnail))
    assert len(by_thumbnail.faces) == 2 and by_thumbnail != by_photo


def test_nonsense_in_the_cache_is_no_focus(album_folder: Path, tmp_path: Path) -> None:
    photos = scan(album_folder).photos
    with Cache.open(tmp_path / "cache") as cache:
        for content in (
            b"",
            b"7",
            b"[0]",
            *(b'{"faces": [[%s]]}' % box for box in (b"0, 0", b"0, 0, 2, 1", b"0, 0, null, 1")),
        ):
            cache.put([(KIND, photos[1], content)])
            assert known_focus(photos, cache) == {}
