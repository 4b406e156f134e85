"""Scenes of land: mountains, desert, fields, snow, forest, a lone tree."""

from collections.abc import Sequence

import numpy as np
from PIL import ImageDraw

from album_app.sample import brush


def mountains(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, turn)
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.mix(light.sun, light.low, 0.3), rng.uniform(0.1, 0.9), 5)
    layers = 4
    for layer in range(layers):
        depth = layer / (layers - 1)
        line = brush.ridge(rng, width, rng.uniform(2.5, 4), 6, 0.48)
        heights = height * (0.30 + 0.5 * depth) - line * height * (0.22 - 0.11 * depth)
        rock = light.on(
            brush.mix(brush.colour(0.40, 0.42, 0.52), brush.colour(0.10, 0.17, 0.14), depth), 0.62 * (1 - depth) ** 1.3
        )
        texture = brush.noise(rng, height, width, (7, 9), 5)
        relief = np.gradient(texture, axis=1) * width / 26
        shade = np.clip(0.95 + 0.55 * relief + 0.25 * (texture - 0.5), 0.45, 1.5)
        paint = rock * shade[..., None]
        if layer < 2:
            rows = brush.grid(picture)[0]
            depth_below_top = rows - heights[None, :]
            cap = np.clip((height * (0.20 - 0.12 * layer) * (0.4 + texture) - depth_below_top) / 6, 0, 1)
            cap = cap * (heights < height * (0.33 + 0.2 * layer))[None, :]
            snow = light.on(brush.colour(0.97, 0.98, 1.0), 0.25) * np.clip(shade + 0.15, 0.7, 1.1)[..., None]
            paint = paint + cap[..., None] * (snow - paint)
        brush.blend(picture, brush.below(picture, heights), paint)
    return picture


def desert(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, turn)
    picture = light.sky(height, width, 1.2)
    row, column = height * rng.uniform(0.10, 0.28), width * rng.uniform(0.1, 0.9)
    brush.glow(picture, row, column, height * 0.09, light.sun, 1.4)
    sand = brush.mix(brush.colour(0.93, 0.70, 0.42), brush.colour(0.86, 0.50, 0.32), rng.random())
    rows, _ = brush.grid(picture)
    for layer in range(5):
        depth = layer / 4
        line = brush.smooth_ridge(rng, width, rng.uniform(1.2, 2.6))
        heights = height * (0.42 + 0.42 * depth) - line * height * (0.05 + 0.10 * depth)
        slope = np.gradient(line)[None, :] * width
        lit = np.clip(0.5 + slope * 0.35 * (1 if column < width / 2 else -1), 0, 1)
        drop = np.clip((rows - heights[None, :]) / (height * 0.22), 0, 1)
        ripples = np.sin((rows - heights[None, :]) * (1.6 - 0.9 * depth) + line[None, :] * 22) * 0.025
        tone = 0.58 + 0.5 * lit * (1 - drop) + 0.12 * drop + ripples
        brush.blend(picture, brush.below(picture, heights), light.on(sand, 0.45 * (1 - depth)) * tone[..., None])
    for _ in range(rng.integers(1, 4)):
        _cactus(rng, picture, light.on(brush.colour(0.16, 0.30, 0.17)) * 0.8)
    return picture


def _cactus(rng: brush.Random, picture: brush.Picture, paint: brush.Colour) -> None:
    height, width = picture.shape[:2]
    foot, tall = rng.uniform(0.80, 0.95) * height, rng.uniform(0.22, 0.42) * height
    picture, x, foot = brush.crop(picture, rng.uniform(0.08, 0.92) * width, foot, tall * 1.1)
    thick = tall * 0.13

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        def bar(x0: float, y0: float, x1: float, y1: float) -> None:
            box = [v * scale for v in (x0, y0, x1, y1)]
            pen.rounded_rectangle(box, thick / 2 * scale, fill=255)

        bar(x - thick / 2, foot - tall, x + thick / 2, foot)
        for side, at in ((-1, rng.uniform(0.4, 0.6)), (1, rng.uniform(0.5, 0.7))):
            arm, up = x + side * tall * 0.24, foot - tall * at
            bar(min(x, arm) - thick * 0.4, up, max(x, arm) + thick * 0.4, up + thick * 0.8)
            bar(arm - thick * 0.4, up - tall * 0.24, arm + thick * 0.4, up + thick * 0.8)

    brush.blend(picture, brush.mask(picture, draw), paint)


def fields(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, rng.uniform(0.08, 0.72))
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.colour(1, 1, 1) * light.brightness, rng.uniform(0.3, 1.0), 1)
    horizon = height * rng.uniform(0.36, 0.48)
    crops = [
        brush.colour(0.40, 0.62, 0.18),
        brush.colour(0.93, 0.80, 0.20),
        brush.colour(0.80, 0.66, 0.36),
        brush.colour(0.56, 0.36, 0.72),
    ]
    crop = brush.along([*crops, brush.colour(0.82, 0.26, 0.24)], turn)
    hills = horizon - brush.smooth_ridge(rng, width, 2) * height * 0.05
    brush.blend(picture, brush.below(picture, hills), light.on(brush.colour(0.28, 0.46, 0.26), 0.35))
    rows, columns = brush.grid(picture)
    depth = np.clip((rows - horizon) / (height - horizon), 1e-3, 1)
    vanish = width * rng.uniform(0.25, 0.75)
    furrow = (columns - vanish) / depth / width * rng.uniform(9, 15)
    wave = 0.5 + 0.5 * np.cos(furrow * 2 * np.pi) * np.clip(depth * 3, 0, 1)
    tufts = brush.noise(rng, height, width, (30, 40), 3)
    soil = light.on(brush.colour(0.30, 0.34, 0.14))
    paint = soil + (light.on(crop) - soil) * np.clip(wave * 0.9 + 0.5 * (tufts - 0.5) + 0.15, 0, 1)[..., None]
    brush.blend(
        picture, brush.below(picture, np.full(width, horizon, np.float32)), paint * (0.80 + 0.25 * depth[..., None])
    )
    for _ in range(rng.integers(2, 6)):
        _bush(
            rng,
            picture,
            rng.uniform(0, width),
            horizon + 2,
            height * rng.uniform(0.02, 0.05),
            light.on(brush.colour(0.16, 0.32, 0.14)),
        )
    if rng.random() < 0.6:
        _barn(rng, picture, horizon, light.on(brush.colour(0.70, 0.18, 0.14)), light.on(brush.colour(0.36, 0.30, 0.28)))
    return picture


def _bush(rng: brush.Random, picture: brush.Picture, x: float, foot: float, size: float, paint: brush.Colour) -> None:
    for _ in range(4):
        brush.blend(
            picture,
            brush.disc(picture, foot - rng.uniform(0.3, 1) * size, x + rng.normal(0, size * 0.6), size * 0.7),
            paint,
        )


def _barn(rng: brush.Random, picture: brush.Picture, foot: float, wall: brush.Colour, roof: brush.Colour) -> None:
    height, width = picture.shape[:2]
    size = height * rng.uniform(0.07, 0.11)
    picture, x, foot = brush.crop(picture, rng.uniform(0.1, 0.85) * width, foot, size * 1.8)
    gable = [(-0.75, -0.9), (0, -1.6), (0.75, -0.9)]
    parts: list[tuple[list[tuple[float, float]], brush.Colour]] = [
        ([(-0.7, 0.2), (-0.7, -0.9), (0.7, -0.9), (0.7, 0.2)], wall),
        (gable, roof),
        ([(-0.2, 0.2), (-0.2, -0.45), (0.2, -0.45), (0.2, 0.2)], roof * 0.7),
    ]
    for points, paint in parts:
        outline = [(x + dx * size, foot + dy * size) for dx, dy in points]
        brush.blend(picture, brush.polygon(picture, outline), paint)


def pines(
    rng: brush.Random,
    picture: brush.Picture,
    foot: brush.Plane,
    paint: brush.Colour,
    size: float,
    count: int,
    snow: float = 0.0,
) -> None:
    """A row of fir trees standing on the line `foot`, with snow on their branches."""
    width = picture.shape[1]
    places = [(rng.uniform(0, width), size * rng.uniform(0.6, 1.2)) for _ in range(count)]

    def trees(whiten: bool) -> brush.Plane:
        def draw(pen: ImageDraw.ImageDraw, s: float) -> None:
            for x, tall in places:
                base = float(foot[int(np.clip(x, 0, width - 1))]) + 2
                for tier in range(4):
                    top, low = base - tall * (1 - tier * 0.2), base - tall * (0.62 - tier * 0.2)
                    half = tall * (0.12 + 0.065 * tier)
                    if whiten:
                        low = top + (low - top) * 0.55
                        half *= 0.55
                    pen.polygon([(x * s, top * s), ((x - half) * s, low * s), ((x + half) * s, low * s)], fill=255)

        return brush.mask(picture, draw)

    brush.blend(picture, trees(False), paint)
    if snow:
        brush.blend(picture, trees(True) * snow, brush.colour(0.95, 0.97, 1.0) * max(float(paint.max()) * 1.6, 0.72))


def snow(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, 0.08 + 0.78 * turn)
    picture = light.sky(height, width) * 0.9 + 0.08
    white = brush.mix(light.on(brush.colour(0.98, 0.98, 1.0)), brush.colour(0.94, 0.97, 1.0), 0.55)
    for layer in range(3):
        depth = layer / 2
        heights = height * (0.50 + 0.2 * depth) - brush.smooth_ridge(rng, width, 2) * height * 0.05
        drift = 0.92 + 0.16 * (brush.noise(rng, height, width, (8, 3), 3) - 0.5)
        brush.blend(
            picture, brush.below(picture, heights), brush.mix(white, light.low, 0.35 * (1 - depth)) * drift[..., None]
        )
        tree = light.on(brush.colour(0.14, 0.26, 0.24), 0.4 * (1 - depth))
        pines(rng, picture, heights, tree, height * (0.15 + 0.20 * depth), int(rng.integers(5, 10) - 2 * layer), 0.85)
    for _ in range(90):
        row, column, size = rng.integers(0, height), rng.integers(0, width), rng.integers(1, 4)
        flake = picture[row : row + size, column : column + size]
        flake += rng.uniform(0.3, 0.8) * (1 - flake)
    return picture


def forest(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    fog = brush.along(
        [
            brush.colour(0.80, 0.88, 0.74),
            brush.colour(0.94, 0.86, 0.60),
            brush.colour(0.70, 0.80, 0.86),
            brush.colour(0.62, 0.74, 0.62),
        ],
        turn,
    )
    leaf = brush.along(
        [
            brush.colour(0.20, 0.46, 0.16),
            brush.colour(0.52, 0.50, 0.12),
            brush.colour(0.14, 0.34, 0.26),
            brush.colour(0.10, 0.36, 0.14),
        ],
        turn,
    )
    picture = brush.gradient(height, width, [brush.mix(fog, leaf, 0.45), fog, brush.mix(fog, leaf, 0.3)])
    brush.glow(
        picture,
        height * 0.28,
        width * rng.uniform(0.25, 0.75),
        height * 0.35,
        brush.mix(fog, brush.colour(1, 1, 0.9), 0.6),
        0.8,
    )
    for layer in range(4):
        depth = layer / 3
        bark = brush.mix(brush.mix(fog, leaf, 0.25), brush.colour(0.14, 0.10, 0.07), 0.25 + 0.7 * depth)
        trunks = [
            (rng.uniform(0, width), rng.uniform(0.6, 1.3) * (3 + 15 * depth**1.5), rng.normal(0, 5))
            for _ in range(9 - 2 * layer)
        ]
        stripes = 0.82 + 0.36 * brush.noise(rng, height, width, (4, 70), 2)
        brush.blend(picture, _trunks(picture, trunks), bark * stripes[..., None])
        texture = brush.noise(rng, height, width, (9 - layer, 12 - layer), 5)
        crown = np.clip((texture - 0.46 - 0.9 * brush.grid(picture)[0] / height + 0.40 * (1 - depth) * 0.6) * 9, 0, 1)
        brush.blend(picture, crown, brush.mix(brush.mix(fog, leaf, 0.6), leaf * 0.75, depth))
        bank = height * (0.80 + 0.06 * layer) - brush.ridge(rng, width, 10, 5, 0.6) * height * 0.03
        brush.blend(
            picture,
            brush.below(picture, bank),
            brush.mix(brush.mix(fog, leaf, 0.5), leaf * 0.6, depth) * (0.7 + 0.6 * texture)[..., None],
        )
    return picture


def _trunks(picture: brush.Picture, trunks: Sequence[tuple[float, float, float]]) -> brush.Plane:
    """Trunks as tall as the picture, each given by its place, thickness and lean."""
    height = picture.shape[0]

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        for x, thick, lean in trunks:
            foot, top = thick * 0.75, thick * 0.45
            corners = [(x - foot, height), (x + lean - top, 0), (x + lean + top, 0), (x + foot, height)]
            pen.polygon([(across * scale, down * scale) for across, down in corners], fill=255)

    return brush.mask(picture, draw)


def tree(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, rng.uniform(0.1, 0.75))
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.colour(1, 1, 1) * light.brightness, rng.uniform(0, 0.7), 2)
    ground = height * 0.84 - brush.smooth_ridge(rng, width, 1) * height * 0.04
    grass = light.on(brush.mix(brush.colour(0.42, 0.60, 0.24), brush.colour(0.70, 0.58, 0.28), rng.random()))
    brush.blend(
        picture,
        brush.below(picture, ground),
        grass * (0.75 + 0.5 * brush.noise(rng, height, width, (40, 30), 3))[..., None],
    )
    crowns = [
        brush.hue(0.94, 0.35, 0.98),
        brush.hue(0.02, 0.75, 0.80),
        brush.hue(0.08, 0.85, 0.92),
        brush.hue(0.14, 0.80, 0.92),
        brush.hue(0.27, 0.65, 0.58),
    ]
    leaf = light.on(brush.along(crowns, turn))
    x, foot, tall = width * rng.uniform(0.38, 0.62), height * 0.86, height * rng.uniform(0.56, 0.68)
    trunk = light.on(brush.colour(0.26, 0.17, 0.12))
    for side, reach in ((0, 0.02), (-1, 0.20), (1, 0.22), (-1, 0.34), (1, 0.36)):
        tip = (x + side * tall * reach, foot - tall * (0.62 - 0.1 * abs(side)))
        line = [(x, foot - tall * 0.16), tip]
        brush.blend(picture, brush.stroke(picture, line, 6), trunk)
    stem = [
        (x - tall * 0.055, foot),
        (x - tall * 0.025, foot - tall * 0.5),
        (x + tall * 0.025, foot - tall * 0.5),
        (x + tall * 0.055, foot),
    ]
    brush.blend(picture, brush.polygon(picture, stem), trunk)
    around, out = rng.uniform(0, 2 * np.pi, 420), np.sqrt(rng.random(420))
    dabs = list(zip(np.cos(around) * out * 0.52, np.sin(around) * out * 0.33, strict=True))
    shadow = [(x + dx * tall, foot - tall * (0.74 + dy)) for dx, dy in dabs]
    lit = [(across, down - tall * 0.025) for across, down in shadow[1::2]]
    dapple = 0.80 + 0.4 * brush.noise(rng, height, width, (40, 50), 3)
    brush.blend(picture, _dabs(picture, shadow, tall * 0.045), leaf * 0.72 * dapple[..., None])
    brush.blend(picture, _dabs(picture, lit, tall * 0.024), np.clip(leaf * 1.12, 0, 1) * dapple[..., None])
    fallen = brush.noise(rng, height, width, (60, 70), 1) > 0.86
    brush.blend(picture, fallen * brush.below(picture, ground + 6) * 0.8, leaf)
    return brush.blurred(picture, 0.5)


def _dabs(picture: brush.Picture, centres: Sequence[tuple[float, float]], size: float) -> brush.Plane:
    """Round touches of a brush."""

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        for x, y in centres:
            box = [(x - size) * scale, (y - size) * scale, (x + size) * scale, (y + size) * scale]
            pen.ellipse(box, fill=255)

    return brush.mask(picture, draw)
