"""Hostile fonts, of the system, of the command line or of a project: none makes the program hang or crash."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from album_app.errors import AlbumError, UsageError
from album_app.layout.shapes.shape import ShapeSpec, build_shape
from album_app.photos import fonts
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.font_facts import try_text
from album_app.photos.sandbox import draws_text, font_facts
from album_app.render.page.text_faces import read_face
from tests.attacks.conftest import numbers
from tests.cli.conftest import Run, draw_photos, run
from tests.fonts import MakeFont, forget

__all__ = ["run"]
BOXES = {letter: [(100, 0, 300, 700), (100, 600, 500, 700)] for letter in "ABCDEFGH abc"}


def mutated(text: bytes, dice: Random) -> bytes:
    """The font with some bytes changed, cut, or with a table's place or length changed."""
    changed = bytearray(text)
    kind = dice.randrange(4)
    if kind == 0:
        return bytes(changed[: dice.randrange(len(changed))])
    for _ in range(dice.choice((1, 4, 30))):
        first = 12 if kind == 1 else 0
        changed[dice.randrange(first, 400 if kind == 1 else len(changed))] = dice.choice((0, 0xFF, dice.randrange(256)))
    return bytes(changed)


def test_mutated_fonts_are_read_or_refused_in_a_sentence(
    make_font: MakeFont, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sound = make_font("Sound", BOXES).read_bytes()
    read = 0
    for number in numbers(60):
        path = tmp_path / f"{number}.ttf"
        path.write_bytes(mutated(sound, Random(number)))
        try:
            build_shape(ShapeSpec("text", text="AB", font=str(path)), 40)
            fonts.find_font(str(path))
            read += 1
        except AlbumError as error:
            assert len(str(error).splitlines()) == 1
    assert read > 5
    assert capfd.readouterr().err == "", "what fontTools says is not for the terminal"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
def test_what_is_no_font_in_the_systems_folders_hides_no_other(make_font: MakeFont, tmp_path: Path) -> None:
    folder = make_font("Fine Letters", BOXES).parent
    (folder / "dangling.ttf").symlink_to(folder / "nowhere")
    (folder / "circle.otf").symlink_to(folder / "circle.otf")
    os.mkfifo(folder / "pipe.ttf")
    (folder / "folder.ttc").mkdir()
    (folder / "empty.ttf").touch()
    (folder / "many.ttc").write_bytes(b"ttcf\0\1\0\0\xff\xff\xff\xff" + b"\xff" * 400)
    (folder / "noise.otf").write_bytes(Random(1).randbytes(5000))
    forget()
    assert fonts.families() == ["Fine Letters"]
    assert fonts.find_font("Fine Letters").path == folder / "FineLetters-Regular.ttf"
    found = fonts.font_with("ABC")
    assert found is not None and found.name == "Fine Letters"
    for name in ("dangling.ttf", "pipe.ttf", "folder.ttc", "empty.ttf", "many.ttc", "noise.otf"):
        with pytest.raises(UsageError, match="cannot be read"):
            fonts.find_font(str(folder / name))


def test_a_project_that_names_a_hostile_font_gets_other_letters(make_font: MakeFont, tmp_path: Path) -> None:
    make_font("Fine", BOXES)
    for name in ("/dev/zero", "/dev/stdin", str(tmp_path), "\0.ttf", "n" * 5000 + ".ttf", "../../etc/passwd"):
        shape = build_shape(ShapeSpec("text", text="AB", font=name), 60)
        assert "is not on this computer" in shape.remark, name


def test_the_limited_process_alone_reads_a_font_before_it_passed(make_font: MakeFont, tmp_path: Path) -> None:
    path = make_font("Fine", BOXES)
    code = (
        "import sys; from album_app.photos import fonts\n"
        "fonts.find_font(sys.argv[1]); assert 'fontTools' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 0
    (facts,) = font_facts([(str(path), 0)])
    assert getattr(facts, "family", "") == "Fine"


def test_masks_are_decoded_in_the_limited_process_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image, ImageFile

    mask = Image.new("RGBA", (60, 40), (255, 255, 255, 0))
    mask.paste((255, 255, 255, 255), (10, 10, 50, 30))
    mask.save(tmp_path / "mask.png")
    folder = draw_photos(tmp_path / "photos", 4)

    def refuse(image: object) -> None:
        raise AssertionError("decoded here")

    monkeypatch.setattr(ImageFile.ImageFile, "load", refuse)
    shape = build_shape(ShapeSpec("mask", mask=str(tmp_path / "mask.png")), 12)
    assert shape.count == 12
    for number in range(40):
        (tmp_path / "mask.png").write_bytes(Random(number).randbytes(200) if number % 2 else b"\x89PNG\r\n\x1a\n")
        done = run("arrange", folder, "--mask", tmp_path / "mask.png", "--report", tmp_path / "r.json", "--quiet")
        assert done.code == 2 and "mask.png cannot be read" in done.complaint


def test_a_text_is_drawn_in_the_limited_process_before_the_program_draws_it(
    make_font: MakeFont, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A font may pass its trial and still harm with the very letters, size or direction that are wanted."""
    path = make_font("Late", BOXES)
    seen: list[tuple[str, float]] = []

    def draws(path: str, number: int, text: str, size: float) -> bool:
        seen.append((text, size))
        return False

    monkeypatch.setattr(fonts, "draws_text", draws)
    font = fonts.find_font(str(path))
    with pytest.raises(UsageError, match=r"Late-Regular\.ttf cannot be read"):
        font.at(33, "AB")
    with pytest.raises(UsageError, match="cannot be read"):
        build_shape(ShapeSpec("text", text="ABC", font=str(path)), 40)
    with pytest.raises(UsageError, match="cannot be read"):
        read_face(font).width("AB", 10)
    assert seen[0] == ("AB", 33) and len(seen) >= 3
    assert fonts.BUILT_IN.at(20, "AB").getlength("AB") > 0, "the font inside Pillow needs no trial"


def test_letters_of_absurd_width_are_refused(make_font: MakeFont) -> None:
    path = str(make_font("Wide", {"A": [(0, 0, 500, 700)], "B": [(0, 0, 3_000, 700)]}))
    assert draws_text(path, 0, "AB", 40) and not draws_text(path + ".gone", 0, "AB", 40)
    try_text(path, 0, "AB", 40, widest_letter=2)
    with pytest.raises(Undecodable):
        try_text(path, 0, "B", 40, widest_letter=2)
