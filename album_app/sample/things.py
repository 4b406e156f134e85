"""Scenes of things: a city skyline, flowers, fruit, balloons."""

import numpy as np

from album_app.sample import brush


def city(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, turn)
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.mix(light.low, brush.colour(1, 1, 1), 0.3), rng.uniform(0, 0.7), 6)
    for layer in range(3):
        depth = layer / 2
        wall = light.on(
            brush.mix(brush.colour(0.50, 0.52, 0.60), brush.colour(0.20, 0.20, 0.26), depth), 0.55 * (1 - depth)
        )
        left = -rng.uniform(0, 20)
        while left < width:
            wide = rng.uniform(0.05, 0.11) * width * (0.8 + 0.4 * depth)
            top = height * (0.18 + 0.34 * depth + rng.uniform(0, 0.30))
            _building(rng, picture, left, top, wide, wall * rng.uniform(0.85, 1.15), light, depth)
            left += wide * rng.uniform(0.9, 1.15)
    return picture


def _building(
    rng: brush.Random,
    picture: brush.Picture,
    left: float,
    top: float,
    wide: float,
    wall: brush.Colour,
    light: brush.Light,
    depth: float,
) -> None:
    height, width = picture.shape[:2]
    first, last = max(0, int(left)), min(width, int(left + wide))
    if last - first < 4:
        return
    if rng.random() < 0.3:
        middle, mast = (first + last) // 2, int(height * 0.09)
        picture[max(0, int(top) - mast) : int(top), middle : middle + 2] = wall
    front = picture[int(top) :, first:last]
    front[:] = wall
    step = 5 + 3 * depth
    rows, columns = brush.grid(front)
    pane = (rows % step < step * 0.55) & (columns % step < step * 0.5) & (rows > 4) & (columns > 1)
    number = (rows // step * 31 + columns // step * 17).astype(np.int64)
    lit = rng.random(997)[number % 997] < 0.75 - 0.55 * light.brightness
    warm = brush.mix(brush.colour(1.0, 0.86, 0.52), brush.colour(0.85, 0.93, 1.0), float(rng.random() < 0.25))
    glass = np.where(lit[..., None], warm, light.low * 0.5 + wall * 0.4)
    brush.blend(front, pane.astype(np.float32) * (0.45 + 0.4 * depth), glass.astype(np.float32))


def flowers(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    turn = 0.55 + 0.62 * turn  # from blue over violet and red to yellow: no petal is green
    meadow = brush.along(
        [brush.colour(0.24, 0.44, 0.16), brush.colour(0.42, 0.52, 0.22), brush.colour(0.16, 0.36, 0.30)], rng.random()
    )
    picture = brush.gradient(
        height, width, [brush.mix(meadow, brush.colour(0.85, 0.92, 0.8), 0.35), meadow, meadow * 0.55]
    )
    for _ in range(24):
        radius = rng.uniform(8, 30)
        patch, x, y = brush.crop(picture, rng.uniform(0, width), rng.uniform(0, height), radius + 1)
        tint = brush.mix(meadow, brush.hue(turn + rng.normal(0, 0.05), 0.5, 0.95), rng.random())
        brush.blend(patch, brush.disc(patch, y, x, radius) * 0.30, tint)
    picture = brush.blurred(picture, 7)
    blooms = sorted(rng.uniform(0.45, 1.0) for _ in range(rng.integers(2, 6)))
    for k, size in enumerate(blooms):
        x = width * ((k + rng.uniform(0.2, 0.8)) / len(blooms))
        y = height * rng.uniform(0.26, 0.62)
        stem = [(x, y), (x + rng.normal(0, 10), (y + height) / 2), (x + rng.normal(0, 25), height + 5)]
        brush.blend(
            picture, brush.stroke(picture, stem, 4 * size + 1), brush.mix(meadow, brush.colour(0.2, 0.5, 0.12), 0.6)
        )
        _bloom(
            rng,
            picture,
            x,
            y,
            min(height, width) * 0.27 * size,
            brush.hue(turn + rng.normal(0, 0.03), rng.uniform(0.5, 0.85), 0.96),
        )
    return picture


def _bloom(rng: brush.Random, picture: brush.Picture, x: float, y: float, radius: float, petal: brush.Colour) -> None:
    picture, x, y = brush.crop(picture, x, y, radius * 1.1)
    rows, columns = brush.grid(picture)
    angle = np.arctan2(rows - y, columns - x)
    distance = np.sqrt((rows - y) ** 2 + (columns - x) ** 2) / radius
    count, start = int(rng.integers(5, 14)), rng.uniform(0, 6.3)
    for layer, reach in ((0, 1.0), (1, 0.78)):
        wave = np.abs(np.cos((angle + start + layer * np.pi / count) * count / 2))
        edge = reach * (0.42 + 0.58 * wave**0.6)
        cover = np.clip((edge - distance) * radius + 0.5, 0, 1)
        tone = (0.62 + 0.42 * np.clip(distance, 0, 1)) * (0.78 + 0.25 * wave) * (0.9 + 0.12 * layer)
        brush.blend(picture, cover, np.clip(petal * tone[..., None], 0, 1))
    heart = brush.hue(rng.choice([0.12, 0.14, 0.08]), 0.85, 0.92)
    brush.blend(picture, brush.disc(picture, y, x, radius * 0.22), heart * 0.7)
    dots = brush.disc(picture, y - radius * 0.04, x - radius * 0.04, radius * 0.19)
    brush.blend(picture, dots * (brush.noise(rng, picture.shape[0], picture.shape[1], (24, 24), 1) > 0.5), heart)


def fruit(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    wall = brush.hue(rng.random(), rng.uniform(0.1, 0.35), rng.uniform(0.45, 0.92))
    picture = brush.gradient(height, width, [wall, brush.mix(wall, brush.colour(1, 1, 1), 0.2), wall * 0.8])
    table = height * rng.uniform(0.58, 0.68)
    wood = brush.mix(brush.colour(0.56, 0.36, 0.20), brush.colour(0.78, 0.62, 0.42), rng.random())
    planks = 0.80 + 0.35 * brush.noise(rng, height, width, (50, 3), 3)
    brush.blend(picture, brush.below(picture, np.full(width, table, np.float32)), wood * planks[..., None])
    kinds = [(0.0, "apple"), (0.06, "orange"), (0.13, "lemon"), (0.22, "pear"), (0.30, "apple"), (0.78, "plum")]
    place = turn * (len(kinds) - 1)
    pile = sorted(
        ((rng.uniform(0.1, 0.9), rng.uniform(0.60, 0.86)) for _ in range(rng.integers(6, 11))), key=lambda p: p[1]
    )
    for across, down in pile:
        tone, kind = kinds[int(np.clip(round(place + rng.normal(0, 0.7)), 0, len(kinds) - 1))]
        _fruit(rng, picture, across * width, down * height, min(height, width) * rng.uniform(0.11, 0.15), tone, kind)
    return picture


def _fruit(
    rng: brush.Random, picture: brush.Picture, x: float, y: float, radius: float, tone: float, kind: str
) -> None:
    picture, x, y = brush.crop(picture, x, y, radius * 2.2)
    rows, columns = brush.grid(picture)
    stretch_x, stretch_y = {"lemon": (1.25, 0.9), "pear": (0.92, 1.2), "plum": (0.85, 0.95)}.get(kind, (1.0, 0.96))
    shadow = np.exp(
        -(((columns - x - radius * 0.3) / (radius * 1.3)) ** 2) - ((rows - y - radius * 0.85) / (radius * 0.32)) ** 2
    )
    picture *= 1 - 0.5 * shadow[..., None]
    u, v = (columns - x) / (radius * stretch_x), (rows - y) / (radius * stretch_y)
    if kind == "pear":
        u = u / np.clip(0.78 + 0.32 * v, 0.45, 1.2)
    inside = u**2 + v**2
    cover = np.clip((1 - np.sqrt(inside)) * radius + 0.5, 0, 1)
    normal = np.sqrt(np.clip(1 - inside, 0, 1))
    shade = np.clip(0.28 + 0.85 * (normal * 0.62 - u * 0.42 - v * 0.52), 0.18, 1.15)
    skin = brush.hue(tone + rng.normal(0, 0.012), 0.82, 0.95)
    speckle = 0.93 + 0.14 * brush.noise(rng, picture.shape[0], picture.shape[1], (20, 20), 2)
    brush.blend(picture, cover, np.clip(skin * (shade * speckle)[..., None], 0, 1))
    brush.blend(
        picture, np.exp(-(((u + 0.36) / 0.17) ** 2) - ((v + 0.42) / 0.14) ** 2) * cover * 0.75, brush.colour(1, 1, 1)
    )
    if kind in ("apple", "pear", "plum"):
        top = y - radius * stretch_y * 0.9
        brush.blend(
            picture,
            brush.stroke(picture, [(x, top + 3), (x + radius * 0.1, top - radius * 0.3)], radius * 0.09),
            brush.colour(0.30, 0.20, 0.10),
        )
    if kind in ("apple", "orange"):
        top = y - radius * 0.92
        leaf = [
            (x, top),
            (x + radius * 0.35, top - radius * 0.32),
            (x + radius * 0.62, top - radius * 0.2),
            (x + radius * 0.3, top),
        ]
        brush.blend(picture, brush.polygon(picture, leaf), brush.colour(0.26, 0.50, 0.16))


def balloons(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, rng.uniform(0.0, 0.72))
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.colour(1, 1, 1) * light.brightness, rng.uniform(0.1, 0.8), 2)
    for layer in range(2):
        heights = height * (0.86 + 0.06 * layer) - brush.smooth_ridge(rng, width, 3) * height * 0.04
        brush.blend(
            picture,
            brush.below(picture, heights),
            light.on(
                brush.mix(brush.colour(0.42, 0.50, 0.34), brush.colour(0.62, 0.48, 0.34), rng.random()),
                0.4 - 0.3 * layer,
            ),
        )
    sizes = sorted(rng.uniform(0.05, 0.17) for _ in range(rng.integers(4, 8)))
    sizes[-1] = rng.uniform(0.19, 0.28)
    for k, size in enumerate(sizes):
        x = width * (0.08 + 0.84 * ((k * 0.618 + rng.uniform(0, 0.15)) % 1))
        y = height * rng.uniform(0.16, 0.60)
        _balloon(rng, picture, x, y, height * size, turn + rng.normal(0, 0.07), light, 0.45 * (1 - size / 0.28))
    return picture


def _balloon(
    rng: brush.Random,
    picture: brush.Picture,
    x: float,
    y: float,
    radius: float,
    tone: float,
    light: brush.Light,
    haze: float,
) -> None:
    picture, x, y = brush.crop(picture, x, y, radius * 2.2)
    rows, columns = brush.grid(picture)
    u, v = (columns - x) / radius, (rows - y) / radius
    waist = np.where(
        v > 0,
        np.sqrt(np.clip(1 - (v / 1.45) ** 2, 0, 1)) * (1 - 0.28 * np.clip(v, 0, 1.45)),
        np.sqrt(np.clip(1 - v**2, 0, 1)),
    )
    cover = np.clip((waist - np.abs(u)) * radius + 0.5, 0, 1) * (v < 1.30)
    around = np.arcsin(np.clip(u / np.maximum(waist, 1e-3), -1, 1)) / np.pi
    panels = (np.floor(around * rng.integers(5, 9)) % 2)[..., None]
    a, b = (
        brush.hue(tone, 0.78, 0.95),
        brush.mix(brush.hue(tone + rng.uniform(0.08, 0.5), 0.6, 0.98), brush.colour(1, 0.97, 0.9), rng.uniform(0, 0.8)),
    )
    cloth = light.on(a, haze) * panels + light.on(b, haze) * (1 - panels)
    shade = np.clip(1.05 - 0.40 * (u + 0.3) - 0.12 * v, 0.5, 1.15)
    brush.blend(picture, cover.astype(np.float32), np.clip(cloth * shade[..., None], 0, 1).astype(np.float32))
    basket, foot = radius * 0.16, y + radius * 1.85
    for side in (-1, 1):
        rope = [(x + side * radius * 0.34, y + radius * 1.28), (x + side * basket, foot - basket)]
        brush.blend(
            picture, brush.stroke(picture, rope, max(1.0, radius * 0.025)), light.on(brush.colour(0.3, 0.25, 0.2), haze)
        )
    brush.blend(
        picture,
        brush.rectangle(picture, x - basket, foot - basket, x + basket, foot + basket * 0.7),
        light.on(brush.colour(0.50, 0.32, 0.18), haze),
    )
