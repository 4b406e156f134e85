"""The one decoder: whatever the file, an upright sRGB picture of the wanted size, or a reason."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from album_app.photos import decode as module
from album_app.photos.decode import Undecodable, decode, thumbnail
from album_app.photos.header import read_header

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning", "ignore:.*:RuntimeWarning")

STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def turned(image: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    """The picture as a camera held that way would store it, and the EXIF that says so."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    method = STORED[orientation]
    return (image if method is None else image.transpose(method)), exif


def assert_like(found: Image.Image, wanted: Image.Image, tolerance: float = 12) -> None:
    assert (found.mode, found.size) == ("RGB", wanted.size)
    difference = np.asarray(found, float) - np.asarray(wanted.convert("RGB"), float)
    assert np.abs(difference).mean() < tolerance


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp", "avif", "heic"])
def test_every_orientation_ends_upright(tmp_path: Path, quarters: Image.Image, suffix: str, orientation: int) -> None:
    if suffix == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    path = tmp_path / f"turned.{suffix}"
    stored, exif = turned(quarters, orientation)
    stored.save(path, exif=exif.tobytes(), quality=95)
    assert_like(decode(path), quarters)
    header = read_header(path)
    assert (header.width, header.height) == quarters.size


def test_orientation_behind_the_pixels_of_a_png(
    tmp_path: Path, quarters: Image.Image, png: Callable[..., bytes]
) -> None:
    stored, exif = turned(quarters, 6)
    rows = b"".join(b"\0" + row.tobytes() for row in np.asarray(stored))
    path = tmp_path / "late.png"
    path.write_bytes(png(stored.size, 8, 2, rows, after={b"eXIf": exif.tobytes().removeprefix(b"Exif\0\0")}))
    assert_like(decode(path), quarters, 1)
    assert (read_header(path).width, read_header(path).height) == quarters.size


def test_avif_turns_by_its_own_transform_alone(tmp_path: Path, quarters: Image.Image) -> None:
    path = tmp_path / "xmp.avif"
    quarters.save(path, quality=95, xmp=b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a tiff:Orientation="6"/></x:xmpmeta>')
    assert_like(decode(path), quarters)


def test_heic_turns_by_its_own_transform_alone(tmp_path: Path, quarters: Image.Image) -> None:
    pytest.importorskip("pillow_heif").register_heif_opener()
    plain, turning = tmp_path / "plain.heic", tmp_path / "turning.heic"
    exif = {number: turned(quarters, number)[1].tobytes() for number in (1, 6)}
    quarters.save(plain, quality=95, exif=exif[1])
    turning.write_bytes(plain.read_bytes().replace(exif[1], exif[6]))
    assert turning.read_bytes() != plain.read_bytes()
    assert_like(decode(turning), quarters)


@pytest.mark.parametrize("box", [(200, 200), (100, 300), (1000, 1000), (1, 1)])
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_box_is_fitted_or_covered_and_never_exceeded(tmp_path: Path, orientation: int, box: tuple[int, int]) -> None:
    path = tmp_path / "wide.jpg"
    stored, exif = turned(Image.new("RGB", (900, 600), "teal"), orientation)
    stored.save(path, exif=exif)
    inside = decode(path, box)
    assert inside.width <= box[0] and inside.height <= box[1]
    assert inside.width in (box[0], 900) or inside.height in (box[1], 600)
    around = decode(path, box, cover=True)
    assert around.width >= min(box[0], 900) and around.height >= min(box[1], 600)
    assert around.width in (box[0], 900) or around.height in (box[1], 600)
    assert abs(around.width / around.height - 1.5) < 0.02 or box == (1, 1)


def test_a_thumbnail_has_256_on_its_longest_side(tmp_path: Path) -> None:
    Image.new("RGB", (600, 900), "navy").save(tmp_path / "tall.png")
    Image.new("RGB", (30, 20), "navy").save(tmp_path / "small.png")
    tall = thumbnail(tmp_path / "tall.png")
    assert (tall.shape, tall.dtype) == ((256, 171, 3), np.uint8)
    assert thumbnail(tmp_path / "small.png").shape == (20, 30, 3)


def test_a_sliver_keeps_at_least_one_pixel(tmp_path: Path) -> None:
    Image.new("RGB", (5000, 1), "navy").save(tmp_path / "sliver.png")
    assert thumbnail(tmp_path / "sliver.png").shape == (1, 256, 3)


def test_a_jpeg_is_decoded_at_reduced_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (4096, 3072), "olive").save(tmp_path / "big.jpg")
    seen = []
    simple = module.in_eight_bits

    def spy(image: Image.Image) -> Image.Image:
        seen.append(image.size)
        return simple(image)

    monkeypatch.setattr(module, "in_eight_bits", spy)
    assert thumbnail(tmp_path / "big.jpg").shape == (192, 256, 3)
    assert seen == [(512, 384)]


def test_an_embedded_profile_is_turned_into_srgb(tmp_path: Path) -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    Image.new("LAB", (8, 8), (128, 170, 170)).save(tmp_path / "lab.tif", icc_profile=lab)
    Image.new("LAB", (8, 8), (128, 170, 170)).save(tmp_path / "bare.tif")
    expected = np.array([192, 86, 49])  # L 50, a 42, b 42
    assert np.abs(np.asarray(decode(tmp_path / "lab.tif"), int)[0, 0] - expected).max() < 6
    assert np.abs(np.asarray(decode(tmp_path / "bare.tif"), int)[0, 0] - expected).max() < 6


def test_a_wide_gamut_profile_changes_colours_and_srgb_does_not(tmp_path: Path) -> None:
    image = Image.new("RGB", (8, 8), (40, 200, 60))
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, profile in {"swapped": swapped_srgb(), "plain": srgb}.items():
        image.save(tmp_path / f"{name}.png", icc_profile=profile)
    assert decode(tmp_path / "plain.png").getpixel((0, 0)) == (40, 200, 60)
    red, green, _ = decode(tmp_path / "swapped.png").getpixel((0, 0))
    assert red > 150 > green


def swapped_srgb() -> bytes:
    """An sRGB profile whose red and green primaries are exchanged, under another name."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, green = profile.index(b"rXYZ"), profile.index(b"gXYZ")
    profile[red : red + 4], profile[green : green + 4] = b"gXYZ", b"rXYZ"
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))


@pytest.mark.parametrize("box", [None, (4, 4)])
def test_what_no_longer_holds_is_not_carried_along(tmp_path: Path, box: tuple[int, int] | None) -> None:
    _, exif = turned(Image.new("RGB", (8, 8)), 6)
    Image.new("RGB", (8, 8)).save(tmp_path / "all.jpg", icc_profile=swapped_srgb(), exif=exif, comment="hello")
    image = decode(tmp_path / "all.jpg", box)
    assert image.info == {} and not image.getexif()
    image.save(tmp_path / "again.jpg")
    assert "icc_profile" not in Image.open(tmp_path / "again.jpg").info


@pytest.mark.parametrize("profile", [b"nonsense", b"\0" * 200, b""])
def test_a_broken_profile_is_ignored(tmp_path: Path, profile: bytes) -> None:
    Image.new("RGB", (8, 8), (40, 200, 60)).save(tmp_path / "broken.png", icc_profile=profile)
    assert decode(tmp_path / "broken.png").getpixel((0, 0)) == (40, 200, 60)


def test_a_colour_profile_on_a_grey_picture_does_no_harm(tmp_path: Path) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    Image.new("L", (8, 8), 90).save(tmp_path / "grey.jpg", icc_profile=srgb)
    assert decode(tmp_path / "grey.jpg").getpixel((0, 0)) == (90, 90, 90)


@pytest.mark.parametrize(
    ("mode", "colour", "expected"),
    [
        ("RGBA", (200, 0, 0, 0), (255, 255, 255)),
        ("RGBA", (200, 0, 0, 128), (227, 127, 127)),
        ("LA", (0, 128), (127, 127, 127)),
        ("L", 77, (77, 77, 77)),
        ("1", 1, (255, 255, 255)),
    ],
)
def test_transparency_lies_on_white_and_grey_becomes_rgb(
    tmp_path: Path, mode: str, colour: object, expected: tuple[int, int, int]
) -> None:
    Image.new(mode, (300, 300), colour).save(tmp_path / "image.png")
    for box in (None, (100, 100), (70, 70)):
        assert np.abs(np.subtract(decode(tmp_path / "image.png", box).getpixel((30, 30)), expected)).max() <= 1


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_a_palette_with_a_transparent_colour(tmp_path: Path, suffix: str) -> None:
    image = Image.new("P", (20, 10), 0)
    image.putpalette([10, 120, 30, 200, 40, 50])
    image.paste(1, (10, 0, 20, 10))
    image.save(tmp_path / f"palette.{suffix}", transparency=0)
    shown = decode(tmp_path / f"palette.{suffix}")
    assert shown.getpixel((2, 2)) == (255, 255, 255)
    assert shown.getpixel((15, 5)) == (200, 40, 50)


@pytest.mark.parametrize(("mode", "name"), [("L", "key.png"), ("RGB", "key.png"), ("1", "key.png")])
def test_a_transparent_colour_key(tmp_path: Path, mode: str, name: str) -> None:
    key = (10, 20, 30) if mode == "RGB" else 0
    Image.new(mode, (9, 9), key).save(tmp_path / name, transparency=key)
    assert decode(tmp_path / name).getpixel((4, 4)) == (255, 255, 255)


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path, png: Callable[..., bytes]) -> None:
    ramp = np.linspace(0, 65535, 64).astype(np.uint16)
    expected = np.round(ramp / 257).astype(int)
    Image.fromarray(np.tile(ramp, (8, 1))).save(tmp_path / "grey.png")
    Image.fromarray(np.tile(ramp, (8, 1))).save(tmp_path / "grey.tif")
    colour = np.repeat(ramp[:, None], 3, axis=1).astype(">u2").tobytes()
    (tmp_path / "colour.png").write_bytes(png((64, 1), 16, 2, b"\0" + colour))
    for name in ("grey.png", "grey.tif", "colour.png"):
        found = np.asarray(decode(tmp_path / name)).astype(int)[0]
        assert np.abs(found - expected[:, None]).max() <= 1, name


def test_sixteen_bits_with_a_colour_key(tmp_path: Path, png: Callable[..., bytes]) -> None:
    raw = b"\0" + np.full((4, 3), 51400, ">u2").tobytes()
    key = np.full(3, 9000, ">u2").tobytes()
    (tmp_path / "key.png").write_bytes(png((4, 1), 16, 2, raw, before={b"tRNS": key}))
    assert decode(tmp_path / "key.png").getpixel((0, 0)) == (200, 200, 200)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([[0.0, 0.5, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[-1.0, 0.0, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[0, 1000, 2000]], np.float32), [0, 4, 8]),
        (np.array([[0, 200_000, 1_000_000]], np.int32), [0, 51, 255]),
        (np.array([[np.nan, 0.5, np.inf]], np.float32), [0, 128, 0]),
    ],
)
def test_numbers_as_pixels(tmp_path: Path, values: np.ndarray, expected: list[int]) -> None:
    Image.fromarray(values).save(tmp_path / "numbers.tif")
    assert np.asarray(decode(tmp_path / "numbers.tif"))[0, :, 0].tolist() == expected


@pytest.mark.parametrize("suffix", ["jpg", "tif"])
def test_cmyk(tmp_path: Path, suffix: str) -> None:
    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(tmp_path / f"ink.{suffix}")
    red, green, blue = decode(tmp_path / f"ink.{suffix}").getpixel((5, 5))
    assert red > 240 and green < 15 and blue < 15


@pytest.mark.parametrize("suffix", ["gif", "webp", "png", "avif", "tif"])
def test_the_first_frame_of_an_animation(tmp_path: Path, suffix: str) -> None:
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "lime", "blue")]
    path = tmp_path / f"moving.{suffix}"
    frames[0].save(path, save_all=True, append_images=frames[1:])
    red, green, blue = decode(path).getpixel((8, 8))
    assert red > 240 and green < 15 and blue < 15


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif", "avif", "jp2", "heic"])
def test_every_format_is_read_whatever_its_name(tmp_path: Path, quarters: Image.Image, suffix: str) -> None:
    if suffix == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    quarters.save(tmp_path / f"right.{suffix}")
    (tmp_path / f"right.{suffix}").rename(tmp_path / "wrong.txt")
    assert_like(decode(tmp_path / "wrong.txt"), quarters, 25)


def reason_of(path: Path) -> tuple[str, str]:
    with pytest.raises(Undecodable) as caught:
        decode(path)
    return caught.value.reason, caught.value.fault


def test_files_that_give_no_picture(tmp_path: Path, make_photo: Callable[..., Path]) -> None:
    whole = make_photo(size=(300, 200)).read_bytes()
    cases = {
        "cut.jpg": (whole[: len(whole) // 2], ("damaged JPEG", "damaged")),
        "head.jpg": (whole[:40], ("damaged JPEG", "damaged")),
        "empty.jpg": (b"", ("empty file", "damaged")),
        "page.jpg": (b"<html>not found</html>", ("not a JPEG picture, in spite of its name", "unsupported")),
        "notes.txt": (b"dear diary", ("not a picture", "unsupported")),
        "clip.mp4": (b"\0\0\0\x18ftypmp42" + bytes(40), ("a video, not a photo", "unsupported")),
        "draw.svg": (b"<svg/>", ("SVG files are not read", "unsupported")),
        "danger.eps": (b"%!PS-Adobe-3.0 EPSF-3.0", ("EPS files are not read", "unsupported")),
        "IMG.CR2": (b"II*\0\x10\0\0\0CR\2\0" + bytes(40), ("camera raw files (CR2) are not read", "unsupported")),
        "bits.png": (b"\x89PNG\r\n\x1a\n" + os.urandom(200), ("damaged PNG", "damaged")),
    }
    for name, (content, expected) in cases.items():
        (tmp_path / name).write_bytes(content)
        assert reason_of(tmp_path / name) == expected, name


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif", "avif", "jp2"])
def test_truncated_and_scrambled_files_are_explained_never_raised(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(5)
    stream = tmp_path / f"whole.{suffix}"
    Image.fromarray(rng.integers(0, 256, (60, 80, 3), np.uint8)).save(stream)
    whole = stream.read_bytes()
    for trial in range(60):
        damaged = bytearray(whole[: rng.integers(1, len(whole))] if trial % 2 else whole)
        for place in rng.integers(0, len(damaged), 12):
            damaged[place] = rng.integers(0, 256)
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            assert decode(tmp_path / "damaged", (32, 32)).mode == "RGB"
        except Undecodable as fault:
            assert fault.reason


@pytest.mark.parametrize("size", [(15_000, 15_000), (60_000, 60_000)])
def test_a_bomb_is_refused_by_its_header(tmp_path: Path, png: Callable[..., bytes], size: tuple[int, int]) -> None:
    (tmp_path / "bomb.png").write_bytes(png(size, 8, 2, b""))
    assert reason_of(tmp_path / "bomb.png") == ("larger than 100 megapixels", "unsupported")


def jpeg_claiming(width: int, height: int, **options: object) -> bytes:
    """A small JPEG whose header says that it is larger."""
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, "JPEG", **options)
    data = bytearray(stream.getvalue())
    frame = next(i for i in range(len(data)) if data[i : i + 2] in (b"\xff\xc0", b"\xff\xc2"))
    data[frame + 5 : frame + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(data)


def test_a_large_jpeg_is_allowed_for_a_larger_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "phone.jpg").write_bytes(jpeg_claiming(16_320, 12_240))
    assert read_header(tmp_path / "phone.jpg").width == 16_320
    for name, data, limit in [
        ("huge.jpg", jpeg_claiming(20_000, 20_000), 300),
        ("bomb.jpg", jpeg_claiming(65_000, 65_000), 300),
        ("slow.jpg", jpeg_claiming(16_320, 12_240, progressive=True), 100),
    ]:
        (tmp_path / name).write_bytes(data)
        assert reason_of(tmp_path / name) == (f"larger than {limit} megapixels", "unsupported")


def test_a_very_large_file_is_not_read_into_memory(
    tmp_path: Path, make_photo: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_photo("photo.webp")
    with path.open("rb+") as file:
        file.truncate((1 << 30) + 1)
    assert reason_of(path) == ("larger than 1 gigabyte", "unsupported")


def test_bad_exif_is_no_reason_to_fail(tmp_path: Path, quarters: Image.Image) -> None:
    for i, junk in enumerate(
        [b"Exif\0\0garbage", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff", b""]
    ):
        path = tmp_path / f"{i}.jpg"
        quarters.save(path, exif=junk, quality=95)
        assert_like(decode(path), quarters)
        assert read_header(path).taken is None
    exif = Image.Exif()
    exif[0x0112] = 99
    quarters.save(tmp_path / "turn.jpg", exif=exif, quality=95)
    assert_like(decode(tmp_path / "turn.jpg"), quarters)


def test_heic_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module._heic.cache_clear()
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    (tmp_path / "phone.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(60))
    reason, fault = reason_of(tmp_path / "phone.heic")
    module._heic.cache_clear()
    assert reason.startswith("HEIC needs the heic extra") and fault == "unsupported"


def test_generic_boxes_are_told_apart_by_their_other_brands(tmp_path: Path, quarters: Image.Image) -> None:
    quarters.save(tmp_path / "a.avif")
    data = bytearray((tmp_path / "a.avif").read_bytes())
    data[8:12] = b"mif1"
    (tmp_path / "a.avif").write_bytes(data)
    assert b"avif" in data[16:64]
    assert_like(decode(tmp_path / "a.avif"), quarters)


def test_missing_forbidden_and_special_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason_of(tmp_path / "gone.jpg") == ("the file is missing", "missing")
    assert reason_of(tmp_path)[1] == "unsupported"
    os.mkfifo(tmp_path / "pipe.jpg")
    assert reason_of(tmp_path / "pipe.jpg") == ("not a regular file", "unsupported")
    assert reason_of(Path("/dev/zero"))[1] == "unsupported"

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "mine.jpg").write_bytes(b"x")
    monkeypatch.setattr(module, "_kind", refuse)
    assert reason_of(tmp_path / "mine.jpg") == ("no permission to read it", "missing")


@pytest.mark.parametrize(
    ("error", "reason"), [(MemoryError(), "too large for the memory"), (RecursionError(), "damaged JPEG")]
)
def test_whatever_a_decoder_raises_becomes_a_reason(
    make_photo: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fail(image: Image.Image) -> Image.Image:
        raise error

    monkeypatch.setattr(module, "in_eight_bits", fail)
    assert reason_of(make_photo())[0] == reason


def test_originals_are_never_touched(make_photo: Callable[..., Path]) -> None:
    path = make_photo()
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    decode(path)
    thumbnail(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
