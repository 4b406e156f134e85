"""The pictures of the sample album, drawn by program: one function per kind of scene.

Each takes a random generator, the picture's height and width, and a `turn` in 0..1 that moves its palette.
"""

from collections.abc import Callable

from album_app.sample.figures import Picture
from album_app.sample.land import desert, fields, forest, mountains, snow, tree
from album_app.sample.terrain import Random
from album_app.sample.things import balloons, city, flowers, fruit
from album_app.sample.water import aurora, lighthouse, night, sea, sunset, underwater

Scene = Callable[[Random, int, int, float], Picture]

SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        aurora, balloons, city, desert, fields, flowers, forest, fruit,
        lighthouse, mountains, night, sea, snow, sunset, tree, underwater,
    )
}  # fmt: skip
