"""Near-duplicates are found, others are not, and a stack shows its best."""

import io
import math
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from album_app.errors import Stopped
from album_app.photos import near_duplicates as module
from album_app.photos.album import Album, Photo, scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.header import CAMERA, FILE, NAME, Header
from album_app.photos.decoding.measures import (
    BITS,
    FINGERPRINT_KEY,
    LENGTH,
    SHARPNESS,
    Fingerprint,
    fingerprint,
)
from album_app.photos.faces import KIND as FOCUS
from album_app.photos.faces import Focus
from album_app.photos.features.rgb import Rgb
from album_app.photos.near_duplicates import (
    VERSIONS,
    groups_in_process,
    near_duplicate_groups,
    near_duplicates,
    table_of,
)
from album_app.photos.read_once import FACTS
from album_app.photos.reading import Facts, read
from album_app.photos.records import stored
from album_app.sample.sample_album import PER_KIND, draw
from album_app.work import Stop
from tests.photos.conftest import MakePhoto

SCENES = ("aurora", "fields", "forest", "fruit")


def groups_of(
    rows: Sequence[Fingerprint | None], moments: Sequence[float | None] | None = None, stop: Stop | None = None
) -> list[tuple[int, ...]]:
    return near_duplicate_groups(table_of(rows, len(rows)), moments, stop=stop)


@pytest.fixture
def album(tmp_path: Path, make_photo: MakePhoto) -> Album:
    """Six different photos, of which the second and fourth have versions."""
    for i in range(6):
        make_photo(f"photos/{i}.png", seed=i, size=(300, 200))
    folder = tmp_path / "photos"
    second = Image.open(folder / "1.png").convert("RGB")
    second.save(folder / "1 saved.jpg", quality=50)
    second.resize((600, 400)).save(folder / "1 large.png")
    ImageEnhance.Brightness(second).enhance(1.1).save(folder / "1 bright.png")
    second.crop((2, 1, 298, 199)).save(folder / "1 cropped.png")
    Image.open(folder / "3.png").save(folder / "3 copy.png")
    return scan(folder)


def test_versions_of_a_picture_are_near_duplicates(album: Album, tmp_path: Path) -> None:
    with Cache.open(tmp_path / "cache") as cache:
        found = near_duplicates(album, cache)
        assert near_duplicates(album, cache) == found
    names = [[album.photos[i].name for i in group] for group in found.groups]
    assert [names_of[0] for names_of in names] == ["1 large.png", "3.png"], (
        "the best comes first, and a copy after its original"
    )
    assert [set(names_of) for names_of in names] == [
        {"1.png", "1 saved.jpg", "1 large.png", "1 bright.png", "1 cropped.png"},
        {"3.png", "3 copy.png"},
    ]


def test_a_helper_process_finds_the_same(tmp_path: Path, album: Album) -> None:
    """The helper knows when a photo was taken and what is missing of it, as the window does."""
    cut = tmp_path / "photos" / "1 cut.jpg"
    whole = io.BytesIO()
    Image.open(tmp_path / "photos" / "1.png").convert("RGB").resize((600, 400)).save(whole, "JPEG", quality=95)
    cut.write_bytes(whole.getvalue()[:-1000])
    with Cache.open() as cache:
        album = scan(tmp_path / "photos", cache=cache, decode_for=math.inf)
        here = near_duplicates(album, cache).groups
    rated = [replace(p, metadata=replace(p.metadata, rating=5 if p.name == "3 copy.png" else 0)) for p in album.photos]
    assert groups_in_process(rated) == [here[0], here[1][::-1]], "the ratings decide there as well"
    assert groups_in_process(album.photos) == here
    assert album.photos[here[0][0]].name == "1 large.png" and album.index_of("1 cut.jpg") in here[0]


def test_a_photo_is_as_sharp_at_any_size(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), np.uint8)
    picture = Image.fromarray(noise).filter(ImageFilter.GaussianBlur(1)).resize((1600, 1200), Image.Resampling.BICUBIC)
    sharpness = []
    for width in (500, 490, 470, 450, 430):
        smaller = picture.resize((width, width * 3 // 4), Image.Resampling.LANCZOS)
        smaller.save(tmp_path / f"{width}.jpg", quality=95)
        sharpness.append(float(read(tmp_path / f"{width}.jpg").rows[FINGERPRINT_KEY][SHARPNESS]))
    assert min(sharpness) > 0.93 * max(sharpness), sharpness


def test_a_stack_shows_its_sharpest_unless_that_is_a_small_copy(tmp_path: Path) -> None:
    sharp = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 40, 3), np.uint8)).resize((400, 300))
    for name, picture in {
        "blurred": sharp.filter(ImageFilter.GaussianBlur(3)),
        "sharp": sharp,
        "shaken": sharp.filter(ImageFilter.BoxBlur(2)),
        "small": sharp.resize((200, 150)).filter(ImageFilter.SHARPEN),
    }.items():
        picture.save(tmp_path / f"{name}.png")
    found = near_duplicates(scan(tmp_path))
    assert [(found.photos[group[0]].name, len(group)) for group in found.groups] == [("sharp.png", 4)]


def test_the_best_of_a_stack_has_the_sharpest_face_once_all_of_its_faces_are_known(tmp_path: Path) -> None:
    sharp = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 40, 3), np.uint8)).resize((400, 300))
    (tmp_path / "photos").mkdir()
    for blur, name in enumerate(("sharp background", "sharp face", "neither")):
        sharp.filter(ImageFilter.GaussianBlur(blur)).save(tmp_path / "photos" / f"{name}.png")
    with Cache.open(tmp_path / "cache") as cache:
        album = scan(tmp_path / "photos", cache=cache, decode_for=math.inf)

        def best() -> str:
            found = near_duplicates(album, cache, known_only=True)
            return found.photos[found.groups[0][0]].path.stem

        names = [photo.path.stem for photo in album.photos]
        foci = {
            name: Focus(((0.2, 0.2, 0.8, 0.8),), (0.9,), sharpness)
            for name, sharpness in {"sharp background": 0.3, "sharp face": 0.9, "neither": 0.2}.items()
        }
        assert best() == "sharp background", "no face is known"
        for name in ("sharp face", "sharp background"):
            cache.put([(FOCUS, album.photos[names.index(name)], stored(foci[name]))])
            assert best() == "sharp background", "a face that is not known may be the sharpest"
        cache.put([(FOCUS, album.photos[names.index("neither")], stored(foci["neither"]))])
        assert best() == "sharp face"


@pytest.mark.parametrize("remembered", [True, False])
def test_the_best_of_a_stack_is_well_exposed_and_its_rating_decides_first(tmp_path: Path, remembered: bool) -> None:
    levels = np.random.default_rng(0).choice([3, 40, 130, 215, 252], (12, 16, 1), p=[0.3, 0.1, 0.2, 0.1, 0.3])
    clipped = Image.fromarray(np.repeat(levels, 3, axis=2).astype(np.uint8)).resize(
        (400, 300), Image.Resampling.NEAREST
    )
    levels[levels == 3], levels[levels == 252] = 12, 243
    sound = Image.fromarray(np.repeat(levels, 3, axis=2).astype(np.uint8)).resize((400, 300), Image.Resampling.NEAREST)
    folder = tmp_path / "photos"
    folder.mkdir()
    clipped.save(folder / "clipped.png")
    sound.filter(ImageFilter.GaussianBlur(0.6)).save(folder / "sound.png")
    sound.filter(ImageFilter.GaussianBlur(2)).save(folder / "soft.png")
    with Cache.open(tmp_path / "cache") as cache:
        known = cache if remembered else None
        album = scan(folder, cache=known)

        def best(**ratings: int) -> str:
            photos = tuple(
                replace(photo, metadata=replace(photo.metadata, rating=ratings.get(photo.path.stem, 0)))
                for photo in album.photos
            )
            ((first, *others),) = near_duplicates(replace(album, photos=photos), known).groups
            assert len(others) == 2
            return photos[first].path.stem

        sharpness = {photo.path.stem: photo.sharpness for photo in near_duplicates(album, known).photos}
        assert sharpness["clipped"] > sharpness["sound"] / module.EQUAL_SHARPNESS, (
            "by sharpness alone it would be chosen"
        )
        assert best() == "sound"
        assert best(soft=4) == "soft" and best(soft=3) == "sound"
        assert best(sound=-1) == "soft" and best(sound=-1, soft=2) == "clipped"


def test_the_same_shape_in_other_colours_or_turned_is_another_photo(make_photo: MakePhoto) -> None:
    image = Image.open(make_photo(size=(256, 160))).convert("RGB")
    red, green, blue = image.split()
    rows = [
        fingerprint(picture)
        for picture in (
            image,
            Image.merge("RGB", (blue, green, red)),
            image.transpose(Image.Transpose.ROTATE_180),
            image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
            image.resize((160, 256)),
        )
    ]
    assert groups_of(rows) == []


def test_flat_pictures_are_near_duplicates_by_colour_alone() -> None:
    rows = [fingerprint(Image.fromarray(np.full((60, 80, 3), value, np.uint8))) for value in (0, 1, 120, 255)]
    assert groups_of([rows[0], None, *rows[1:]]) == [(0, 2)]


@pytest.mark.parametrize("size", [(250, 188), (263, 197), (300, 225), (125, 94)])
def test_sizes_that_no_reduction_divides_change_few_bits(size: tuple[int, int]) -> None:
    colours = np.random.default_rng(3).integers(0, 256, (12, 16, 3), np.uint8)
    picture = Image.fromarray(colours).resize((1024, 768), Image.Resampling.BICUBIC)
    first, other = (fingerprint(picture.resize(each, Image.Resampling.HAMMING)) for each in ((256, 192), size))
    assert np.count_nonzero(first[:BITS] != other[:BITS]) <= 4


def test_nothing_to_compare() -> None:
    assert groups_of([]) == [] and groups_of([None, None]) == []


def test_stopping(album: Album) -> None:
    with pytest.raises(Stopped):
        near_duplicates(album, stop=lambda: True)
    row = fingerprint(Image.fromarray(np.zeros((4, 4, 3), np.uint8)))
    with pytest.raises(Stopped):
        groups_of([row], stop=lambda: True)


def test_a_crowd_is_compared_in_pieces() -> None:
    rng = np.random.default_rng(0)
    rows = [fingerprint(Image.fromarray(rng.integers(0, 256, (32, 32, 3), np.uint8))) for _ in range(700)]
    rows[690] = rows[3]
    rows[650] = rows[600]
    assert groups_of(rows) == [(3, 690), (600, 650)]


def random_rows(count: int) -> np.ndarray:
    """Fingerprints of photos that have nothing in common but their colours."""
    rows = np.zeros((count, LENGTH), np.float32)
    rows[:, :BITS] = np.where(np.random.default_rng(count).random((count, BITS)) < 0.5, -1, 1)
    return rows


def test_every_pair_within_the_limit_is_found_among_many() -> None:
    """Pairs that differ as much as near-duplicates may: of these, chance leaves out some in very large albums only."""
    rows = random_rows(4000)
    for i in range(0, 400, 2):
        rows[i + 1] = rows[i]
        flipped = np.random.default_rng(i).choice(BITS, VERSIONS.bits, replace=False)
        rows[i + 1, flipped] *= -1
    assert near_duplicate_groups(rows) == [(i, i + 1) for i in range(0, 400, 2)]


def compared(rows: np.ndarray) -> int:
    return sum(len(pairs) for pairs in module.candidates(rows[:, :BITS] > 0))


def test_what_is_compared_grows_as_the_photos_do_not_as_their_square() -> None:
    few, many = compared(random_rows(2048)), compared(random_rows(8192))
    assert few > 2048 and many < 6 * few < 2048**2 / 2


def test_copies_and_crowds_cost_no_more_than_others() -> None:
    same = np.tile(random_rows(1), (3000, 1))
    assert near_duplicate_groups(same) == [tuple(range(3000))]
    crowd = np.tile(random_rows(1), (3000, 1))
    for i, row in enumerate(crowd):
        row[np.random.default_rng(i).choice(BITS, 3, replace=False)] *= -1
    assert near_duplicate_groups(crowd) == [tuple(range(3000))]
    assert compared(crowd) <= 2 * module.ORDERS * module.MOST_NEIGHBOURS * len(crowd)


def test_memory_is_little_more_than_the_fingerprints() -> None:
    rows = random_rows(6000)
    tracemalloc.start()
    try:
        near_duplicate_groups(rows)
        assert tracemalloc.get_traced_memory()[1] < rows.nbytes
    finally:
        tracemalloc.stop()


def test_every_member_of_a_group_is_close_to_one_of_it_and_not_only_to_some_other() -> None:
    first = fingerprint(Image.fromarray(np.random.default_rng(0).integers(0, 256, (32, 32, 3), np.uint8)))
    rows = [first.copy() for _ in range(6)]
    for i, row in enumerate(rows):
        row[: 20 * i] *= -1
    for group in groups_of([rows[i] for i in (4, 0, 3, 5, 1, 2)]):
        assert len(group) <= 3, "a chain of six, each 20 bits from the next, has no member close to all"
    assert groups_of([rows[0], rows[3]]) == []


def drawn_motorbike(seed: int) -> Image.Image:
    """A motorbike as catalogues show them: on white, from the side, with parts of its own in their usual places."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", (512, 320), "white")
    draw_on = ImageDraw.Draw(image)

    def colour() -> tuple[int, ...]:
        return tuple(rng.integers(0, 220, 3).tolist())

    def about(*places: float) -> list[float]:
        """Places as shares of the picture, each a little elsewhere."""
        moved = np.array(places) + rng.normal(0, 0.015, len(places))
        return (moved * np.tile(image.size, len(places) // 2)).tolist()

    for x in (0.23, 0.77):
        middle, radius = about(x, 0.7), 76 + rng.normal(0, 4)
        for size, fill in ((1.0, (25, 25, 25)), (0.8, (255, 255, 255)), (rng.uniform(0.15, 0.4), colour())):
            draw_on.ellipse([at + sign * radius * size for sign in (-1, 1) for at in middle], fill)
    draw_on.polygon(about(0.33, 0.35, 0.55, 0.33, 0.6, 0.5, 0.38, 0.52), colour())
    draw_on.rectangle(about(0.40, 0.5, 0.58, 0.72), colour())
    draw_on.polygon(about(0.55, 0.36, 0.82, 0.3, 0.84, 0.38, 0.58, 0.44), colour())
    draw_on.line(about(0.23, 0.7, 0.34, 0.22), colour(), int(rng.integers(6, 20)))
    draw_on.ellipse(about(0.44, 0.55, 0.53, 0.68), colour())
    return image.resize((256, 160), Image.Resampling.LANCZOS)


def test_a_catalogue_of_distinct_objects_on_white_has_no_large_group() -> None:
    pictures = [drawn_motorbike(seed) for seed in range(100)]
    copy = pictures[7].crop((4, 3, 250, 157))
    groups = groups_of([fingerprint(picture) for picture in (*pictures, copy)])
    assert (7, 100) in groups, "a crop of one is found nevertheless"
    assert sum(len(group) for group in groups) <= 6, groups


def versions(image: Image.Image, rng: np.random.Generator) -> dict[str, Image.Image]:
    """What becomes of a photo: saved again, made smaller, cropped by 5 %, taken again a moment later."""
    width, height = image.size
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=55)
    inset = width * 25 // 1000, height * 25 // 1000
    turned = image.rotate(rng.uniform(-1, 1), Image.Resampling.BICUBIC, translate=(width // 50, 0))
    edge = width * 3 // 100, height * 3 // 100
    return {
        "saved": Image.open(stream),
        "small": image.resize((width // 2, height // 2)),
        "cropped": image.crop((*inset, width - inset[0], height - inset[1])),
        "burst": turned.crop((*edge, width - edge[0], height - edge[1])),
    }


def test_precision_and_recall_on_versions_and_look_alikes() -> None:
    """Look-alikes are other pictures of the same scene, one a minute; a version counts as found with its original."""
    photos = [(kind, number) for kind in SCENES for number in range(PER_KIND)][::3]
    rng = np.random.default_rng(1)
    rows, moments, origin = [], [], []
    for i, photo in enumerate(photos):
        image = Image.open(io.BytesIO(draw(*photo))).convert("RGB")
        for kind, picture in {"original": image, **versions(image, rng)}.items():
            picture = picture.convert("RGB")
            picture.thumbnail((256, 256))
            rows.append(fingerprint(picture))
            moments.append({"original": 60.0 * i, "burst": 60.0 * i + 1}.get(kind))
            origin.append(i)
    groups = groups_of(rows, moments)
    pairs = [(a, b) for group in groups for a, b in combinations(group, 2)]
    right = sum(origin[a] == origin[b] for a, b in pairs)
    assert right / len(pairs) >= 0.98
    assert right / (len(photos) * 10) >= 0.9


def test_photos_of_a_burst_may_differ_more() -> None:
    rng = np.random.default_rng(0)
    row = fingerprint(Image.fromarray(rng.integers(0, 256, (60, 80, 3), np.uint8)))
    other = row.copy()
    other[:40] *= -1
    assert groups_of([row, other]) == []
    assert groups_of([row, other], [10.0, 60.0]) == []
    assert groups_of([row, other], [10.0, 12.0]) == [(0, 1)]


def test_a_copy_saved_anew_does_not_stand_for_its_original(tmp_path: Path) -> None:
    grain = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 40, 3), np.uint8)).resize((400, 300))
    grain.save(tmp_path / "original.jpg", quality=95)
    grain.save(tmp_path / "a copy.jpg", quality=45)
    found = near_duplicates(scan(tmp_path))
    copy, original = sorted(found.photos, key=lambda photo: photo.name)
    assert copy.sharpness > original.sharpness, "blocks look sharp"
    assert [found.photos[group[0]].name for group in found.groups] == ["original.jpg"]


@pytest.mark.parametrize(("taken_by", "found"), [(CAMERA, [(0, 1)]), (NAME, []), (FILE, [])])
def test_only_the_dates_of_cameras_make_a_burst(tmp_path: Path, taken_by: str, found: list[tuple[int, ...]]) -> None:
    """Photos that were copied or sent in the same second have file times as near as those of a burst."""
    row = fingerprint(Image.fromarray(np.random.default_rng(0).integers(0, 256, (60, 80, 3), np.uint8)))
    other = row.copy()
    other[:40] *= -1
    photos = tuple(
        Photo(Path(name), name, 1, 1, 80, 60, datetime(2026, 7, 4, 12, 0, second), taken_by=taken_by)
        for name, second in (("a.jpg", 1), ("b.jpg", 2))
    )
    colours, quality = np.zeros(Rgb().dimension, np.float32), np.zeros(3, np.float32)
    with Cache.open(tmp_path) as cache:
        for photo, fingerprint_row in zip(photos, (row, other), strict=True):
            facts = Facts(Header(photo.width, photo.height, None), rows=(colours, fingerprint_row, quality))
            cache.put([(FACTS, photo, stored(facts))])
        assert near_duplicates(Album((), photos), cache, known_only=True).groups == found


def test_of_equal_files_the_one_whose_name_is_no_copy_is_shown(tmp_path: Path) -> None:
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 40, 3), np.uint8)).resize((400, 300))
    for name in ("copy of sea", "sea", "sea (1)", "sea - Kopie"):
        picture.save(tmp_path / f"{name}.png")
    found = near_duplicates(scan(tmp_path))
    assert [(found.photos[group[0]].name, len(group)) for group in found.groups] == [("sea.png", 4)]
