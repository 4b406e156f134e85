"""Colours get the names that people give them."""

import numpy as np
import pytest

from album_app.photos.classes import COLOUR_WORDS, colour_shares


@pytest.mark.parametrize(
    ("word", "colour"),
    [
        ("black", (20, 20, 30)),
        ("white", (250, 248, 245)),
        ("grey", (128, 130, 126)),
        ("red", (200, 20, 30)),
        ("red", (150, 10, 20)),
        ("orange", (250, 140, 20)),
        ("brown", (120, 70, 30)),
        ("yellow", (250, 220, 40)),
        ("green", (40, 140, 50)),
        ("blue", (40, 90, 200)),
        ("blue", (120, 190, 240)),
        ("purple", (120, 40, 180)),
        ("pink", (250, 170, 190)),
        ("pink", (240, 80, 170)),
    ],
)
def test_a_plain_picture_has_the_name_of_its_colour(word: str, colour: tuple[int, int, int]) -> None:
    shares = colour_shares(np.full((5, 7, 3), colour, np.uint8))
    assert COLOUR_WORDS[shares.argmax()] == word
    assert shares.sum() == pytest.approx(1)


def test_shares_are_those_of_the_picture() -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[:10] = (200, 20, 20)
    shares = dict(zip(COLOUR_WORDS, colour_shares(picture).tolist(), strict=True))
    assert shares["red"] == pytest.approx(0.25) and shares["black"] == pytest.approx(0.75)
