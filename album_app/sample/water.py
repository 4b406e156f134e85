"""Scenes of water and sky: sunset, sea, lighthouse, aurora, night, underwater."""

import numpy as np
from PIL import ImageDraw

from album_app.sample import brush
from album_app.sample.land import pines


def sunset(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    low = brush.along(
        [
            brush.colour(1.0, 0.82, 0.36),
            brush.colour(1.0, 0.60, 0.20),
            brush.colour(0.98, 0.38, 0.24),
            brush.colour(0.94, 0.36, 0.52),
        ],
        turn,
    )
    high = brush.along(
        [
            brush.colour(0.90, 0.52, 0.34),
            brush.colour(0.60, 0.30, 0.40),
            brush.colour(0.36, 0.18, 0.42),
            brush.colour(0.22, 0.16, 0.44),
        ],
        turn,
    )
    picture = brush.gradient(
        height, width, [high, brush.mix(high, low, 0.6), low, brush.mix(low, brush.colour(1, 0.95, 0.7), 0.5)]
    )
    row, column = height * rng.uniform(0.48, 0.66), width * rng.uniform(0.2, 0.8)
    sun = brush.colour(1.0, 0.93, 0.66)
    brush.glow(picture, row, column, height * 0.22, sun, 0.9)
    brush.clouds(rng, picture, brush.mix(high, brush.colour(0.3, 0.1, 0.2), 0.4), rng.uniform(0.2, 0.9), 14, 0.8)
    brush.clouds(rng, picture, brush.mix(low, brush.colour(1, 0.9, 0.6), 0.4), rng.uniform(0.1, 0.6), 18, 0.9)
    brush.blend(picture, brush.disc(picture, row, column, height * rng.uniform(0.07, 0.11)), sun)
    for layer in range(3):
        heights = height * (0.74 + 0.09 * layer) - brush.ridge(rng, width, 3, 5, 0.4) * height * 0.06
        brush.blend(
            picture,
            brush.below(picture, heights),
            brush.mix(high * 0.55, brush.colour(0.05, 0.03, 0.06), 0.35 + 0.32 * layer),
        )
    _birds(rng, picture, brush.colour(0.08, 0.05, 0.08))
    return picture


def _birds(rng: brush.Random, picture: brush.Picture, paint: brush.Colour) -> None:
    height, width = picture.shape[:2]
    places = rng.uniform((0.1, 0.12), (0.9, 0.5), (rng.integers(3, 9), 2)) * (width, height)
    flock = [(x, y, rng.uniform(4, 9)) for x, y in places]

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        for x, y, size in flock:
            for wing in (x - size, x + size):
                box = [(wing - size) * scale, (y - size / 2) * scale, (wing + size) * scale, (y + size) * scale]
                pen.arc(box, 200, 340, 255, int(1.5 * scale))

    brush.blend(picture, brush.mask(picture, draw), paint)


def water(
    rng: brush.Random, picture: brush.Picture, horizon: float, light: brush.Light, deep: brush.Colour, sun_column: float
) -> None:
    """A sea below `horizon`: waves that shrink towards it, the sky's colour, and the sun's path."""
    height, width = picture.shape[:2]
    rows, columns = brush.grid(picture)
    depth = np.clip((rows - horizon) / (height - horizon), 1e-3, 1)
    near = brush.noise(rng, height, width, (26, 7), 3)
    far = brush.noise(rng, height, width, (90, 16), 2)
    waves = near * depth + far * (1 - depth)
    tone = (light.low * 0.55 + deep * 0.45) * (1 - depth[..., None]) + deep * light.brightness * depth[..., None]
    paint = tone * (0.78 + 0.5 * waves[..., None])
    path = np.exp(-(((columns - sun_column) / (width * (0.04 + 0.16 * depth))) ** 2))
    glint = np.clip((waves - 0.52) * 5, 0, 1) * path
    paint = paint + glint[..., None] * (light.sun - paint)
    foam = np.clip((near - 0.78) * 6, 0, 1) * depth
    paint = paint + 0.7 * foam[..., None] * (brush.colour(1, 1, 1) * light.brightness - paint)
    brush.blend(picture, brush.below(picture, np.full(width, horizon, np.float32)), paint)


def sea(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, 0.05 + 0.8 * turn)
    picture = light.sky(height, width)
    column = width * rng.uniform(0.2, 0.8)
    brush.glow(picture, height * 0.2, column, height * 0.14, light.sun, 0.8)
    brush.clouds(rng, picture, brush.colour(1, 1, 1) * (0.3 + 0.7 * light.brightness), rng.uniform(0.2, 1), 3, 0.5)
    horizon = height * rng.uniform(0.36, 0.50)
    deep = brush.mix(brush.colour(0.05, 0.46, 0.56), brush.colour(0.06, 0.24, 0.46), rng.random())
    water(rng, picture, horizon, light, deep, column)
    for _ in range(rng.integers(1, 4)):
        _sail(rng, picture, horizon, light)
    return picture


def _sail(rng: brush.Random, picture: brush.Picture, horizon: float, light: brush.Light) -> None:
    height, width = picture.shape[:2]
    size = height * rng.uniform(0.10, 0.24)
    foot = horizon + size * rng.uniform(0.15, 0.5)
    picture, x, foot = brush.crop(picture, rng.uniform(0.1, 0.9) * width, foot, size * 1.1)
    cloth = light.on(brush.colour(1, 0.98, 0.94)) if rng.random() < 0.6 else light.on(brush.hue(rng.random(), 0.7, 0.9))
    parts = [
        ([(0.03, -0.12), (0.03, -1.0), (0.50, -0.12)], cloth),
        ([(-0.03, -0.12), (-0.03, -0.85), (-0.36, -0.12)], cloth * 0.86),
        ([(-0.42, -0.08), (0.54, -0.08), (0.38, 0.08), (-0.30, 0.08)], light.on(brush.colour(0.34, 0.16, 0.12))),
    ]
    for points, paint in parts:
        outline = [(x + dx * size, foot + dy * size) for dx, dy in points]
        brush.blend(picture, brush.polygon(picture, outline), paint)


def lighthouse(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    light = brush.light_at(rng, 0.03 + 0.97 * turn)
    picture = light.sky(height, width)
    brush.clouds(rng, picture, brush.mix(light.low, brush.colour(1, 1, 1), 0.4), rng.uniform(0.1, 0.8), 5)
    horizon = height * 0.68
    water(rng, picture, horizon, light, brush.colour(0.08, 0.30, 0.44), width * rng.uniform(0.1, 0.9))
    x = width * rng.uniform(0.28, 0.72)
    distance = (np.arange(width) - x) / (width * rng.uniform(0.22, 0.32))
    cliff = height * (0.98 - 0.30 * np.exp(-(distance**4))) - brush.ridge(rng, width, 8, 4, 0.6) * height * 0.025
    rock = light.on(brush.mix(brush.colour(0.40, 0.34, 0.30), brush.colour(0.30, 0.38, 0.24), rng.random()))
    brush.blend(
        picture,
        brush.below(picture, cliff.astype(np.float32)),
        rock * (0.6 + 0.7 * brush.noise(rng, height, width, (22, 26), 3))[..., None],
    )
    top, foot, half = height * rng.uniform(0.16, 0.24), height * 0.70, height * 0.062
    if light.brightness < 0.75:
        _beam(rng, picture, x, top, light)
    _tower(rng, picture, x, top, foot, half, light)
    return picture


def _beam(rng: brush.Random, picture: brush.Picture, x: float, top: float, light: brush.Light) -> None:
    width = picture.shape[1]
    side = 1 if x < width / 2 else -1
    far, drop = x + side * width, rng.uniform(-40, 30)
    outline = [(x, top - 2), (far, top + drop - 45), (far, top + drop + 45), (x, top + 2)]
    cone = brush.polygon(picture, outline, 3)
    fade = np.clip(1 - np.abs(brush.grid(picture)[1] - x) / (width * 0.8), 0, 1)
    brush.blend(picture, cone * fade * (0.75 - 0.6 * light.brightness), brush.colour(1.0, 0.95, 0.75))


def _tower(
    rng: brush.Random, picture: brush.Picture, x: float, top: float, foot: float, half: float, light: brush.Light
) -> None:
    body = [(x - half * 0.62, top), (x + half * 0.62, top), (x + half, foot), (x - half, foot)]
    tower = brush.polygon(picture, body)
    rows, columns = brush.grid(picture)
    bands = (((rows - top) / (foot - top) * rng.integers(4, 7)) % 2 < 1).astype(np.float32)
    shade = np.clip(1.0 - 0.45 * (columns - x + half * 0.4) / half, 0.5, 1.1)
    stripe = light.on(brush.hue(rng.choice([0.0, 0.0, 0.02, 0.6]), 0.78, 0.80))
    white = light.on(brush.colour(0.98, 0.97, 0.94))
    brush.blend(picture, tower, (white + bands[..., None] * (stripe - white)) * shade[..., None])
    dark = light.on(brush.colour(0.16, 0.16, 0.20))
    room, roof = half * 0.55, half * 0.8
    brush.glow(picture, top - room, x, half * 0.8, brush.colour(1, 0.9, 0.6), 1.3 - light.brightness)
    brush.blend(
        picture, brush.rectangle(picture, x - room, top - 2 * room, x + room, top), brush.colour(1.0, 0.92, 0.62)
    )
    cap = [(x - roof, top - 2 * room), (x, top - 3.4 * room), (x + roof, top - 2 * room)]
    brush.blend(picture, brush.polygon(picture, cap), stripe * 0.8)
    brush.blend(picture, brush.rectangle(picture, x - roof, top - 2, x + roof, (top + 3)), dark)


def stars(rng: brush.Random, picture: brush.Picture, density: float, until: float = 1.0) -> None:
    """Points of light, a few of them bright, in the upper part of the picture."""
    height, width = picture.shape[:2]
    count = int(density * height * width)
    rows, columns = rng.integers(0, int(height * until), count), rng.integers(0, width - 1, count)
    strength = (rng.random((count, 1)) ** 6 * 0.9 + 0.12).astype(np.float32)
    picture[rows, columns] += strength * np.array([0.95, 0.97, 1.0], np.float32)
    bright = strength[:, 0] > 0.7
    picture[rows[bright], columns[bright] + 1] += strength[bright] * 0.6


def night(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    high = brush.along(
        [brush.colour(0.02, 0.03, 0.10), brush.colour(0.06, 0.05, 0.18), brush.colour(0.02, 0.08, 0.16)], turn
    )
    low = brush.along(
        [brush.colour(0.10, 0.14, 0.34), brush.colour(0.34, 0.18, 0.36), brush.colour(0.10, 0.26, 0.36)], turn
    )
    picture = brush.gradient(height, width, [high, brush.mix(high, low, 0.4), low])
    rows, columns = brush.grid(picture)
    angle = rng.uniform(-0.9, 0.9)
    across = (rows / height - rng.uniform(0.25, 0.5)) - angle * (columns / width - 0.5)
    dust = brush.noise(rng, height, width, (5, 6), 5)
    band = np.exp(-((across / 0.16) ** 2)) * (0.25 + 0.9 * dust)
    brush.blend(
        picture,
        np.clip(band * 0.42, 0, 1),
        brush.mix(brush.colour(0.74, 0.72, 0.92), brush.hue(rng.uniform(0.55, 0.95), 0.4, 0.9), 0.5),
    )
    stars(rng, picture, 0.008, 0.9)
    if rng.random() < 0.6:
        row, column, radius = (
            height * rng.uniform(0.14, 0.4),
            width * rng.uniform(0.12, 0.88),
            height * rng.uniform(0.05, 0.09),
        )
        brush.glow(picture, row, column, radius * 2.2, brush.colour(0.8, 0.85, 1.0), 0.55)
        moon = brush.disc(picture, row, column, radius)
        bite = (
            brush.disc(picture, row - radius * 0.15, column + radius * rng.uniform(-0.8, 0.8), radius * 0.95)
            if rng.random() < 0.5
            else 0
        )
        brush.blend(picture, np.clip(moon - bite, 0, 1), brush.colour(0.96, 0.95, 0.88))
    heights = height * 0.88 - brush.ridge(rng, width, 3, 4, 0.4) * height * 0.06
    ground = high * 0.5
    brush.blend(picture, brush.below(picture, heights), ground)
    pines(rng, picture, heights, ground, height * 0.14, 12)
    return picture


def aurora(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    picture = brush.gradient(
        height, width, [brush.colour(0.01, 0.02, 0.09), brush.colour(0.03, 0.08, 0.18), brush.colour(0.06, 0.16, 0.22)]
    )
    stars(rng, picture, 0.003, 0.6)
    rows, _ = brush.grid(picture)
    for curtain in range(3):
        line = height * rng.uniform(0.34, 0.52) - brush.smooth_ridge(rng, width, 3) * height * 0.13
        rays = 0.35 + 0.65 * brush.noise(rng, 2, width, (2, 26), 3)[0]
        reach = height * (0.16 + 0.30 * brush.noise(rng, 2, width, (2, 6), 2)[0])
        up = (line[None, :] - rows) / reach[None, :]
        sheet = np.where(up >= 0, np.exp(-2.2 * up), np.exp(16 * up)) * rays[None, :]
        base = brush.hue(0.30 + 0.14 * turn + 0.03 * curtain, 0.75, 0.95)
        tip = brush.hue(0.78 + 0.18 * turn, 0.7, 0.85)
        tint = np.clip(up, 0, 1)[..., None]
        picture += sheet[..., None] * (base * (1 - tint) + tip * tint) * 0.62
    shore = height * 0.72
    heights = shore - np.abs(brush.ridge(rng, width, 4, 6, 0.45)) * height * 0.16
    brush.blend(picture, brush.below(picture, heights), brush.colour(0.02, 0.04, 0.07))
    lake = int(shore)
    mirror = picture[max(0, 2 * lake - height) : lake][::-1][: height - lake]
    ripple = 0.45 + 0.5 * brush.noise(rng, height - lake, width, (26, 5), 2)
    picture[lake : lake + len(mirror)] = mirror * ripple[: len(mirror), :, None]
    return picture


def underwater(rng: brush.Random, height: int, width: int, turn: float) -> brush.Picture:
    top = brush.along(
        [brush.colour(0.42, 0.86, 0.88), brush.colour(0.30, 0.72, 0.92), brush.colour(0.46, 0.84, 0.66)], turn
    )
    deep = brush.along(
        [brush.colour(0.02, 0.24, 0.38), brush.colour(0.02, 0.12, 0.38), brush.colour(0.02, 0.26, 0.26)], turn
    )
    picture = brush.gradient(height, width, [top, brush.mix(top, deep, 0.6), deep])
    rows, columns = brush.grid(picture)
    fan = (columns - width * rng.uniform(0.2, 0.8)) / (rows + height * 0.5)
    rays = np.interp(fan, np.linspace(-2, 2, 90), rng.random(90)).astype(np.float32)
    picture += (np.clip(rays - 0.45, 0, 1) * np.clip(1 - rows / height, 0, 1) * 0.55)[..., None]
    sand = height * 0.90 - brush.smooth_ridge(rng, width, 2) * height * 0.03
    brush.blend(picture, brush.below(picture, sand), brush.mix(brush.colour(0.86, 0.80, 0.58), deep, 0.45))
    for _ in range(rng.integers(5, 9)):
        _coral(
            rng,
            picture,
            brush.mix(brush.hue(rng.choice([0.95, 0.03, 0.08, 0.80]), 0.65, 0.9), deep, rng.uniform(0.1, 0.45)),
        )
    for _ in range(rng.integers(4, 10)):
        _fish(rng, picture, brush.hue(rng.choice([0.06, 0.10, 0.14, 0.98, 0.6]), 0.8, 0.98))
    for _ in range(14):
        _bubble(rng, picture)
    return picture


def _bubble(rng: brush.Random, picture: brush.Picture) -> None:
    height, width = picture.shape[:2]
    radius = rng.uniform(1.5, 5)
    picture, x, y = brush.crop(picture, rng.uniform(0, width), rng.uniform(0, 0.8 * height), radius + 2)
    rim = brush.disc(picture, y, x, radius) - brush.disc(picture, y, x, radius * 0.7)
    brush.blend(picture, rim * 0.6, brush.colour(0.9, 1, 1))


def _coral(rng: brush.Random, picture: brush.Picture, paint: brush.Colour) -> None:
    height, width = picture.shape[:2]
    foot, tall = height * rng.uniform(0.9, 1.0), height * rng.uniform(0.12, 0.30)
    picture, x, foot = brush.crop(picture, rng.uniform(0, width), foot, tall * 1.6)
    twigs: list[list[tuple[float, float]]] = []

    def grow(x: float, y: float, angle: float, length: float) -> None:
        tip = (x + np.sin(angle) * length, y - np.cos(angle) * length)
        twigs.append([(x, y), tip])
        if length > tall * 0.14:
            for turn in (-0.5, 0.5):
                grow(*tip, angle + turn * rng.uniform(0.6, 1.3), length * 0.72)

    def draw(pen: ImageDraw.ImageDraw, scale: float) -> None:
        for (x0, y0), (x1, y1) in twigs:
            r = max(1.0, np.hypot(x1 - x0, y1 - y0) * 0.11) * scale
            pen.line([(x0 * scale, y0 * scale), (x1 * scale, y1 * scale)], 255, max(2, int(2 * r)))
            pen.ellipse([x1 * scale - r, y1 * scale - r, x1 * scale + r, y1 * scale + r], fill=255)

    grow(x, foot, rng.normal(0, 0.2), tall * 0.4)
    brush.blend(picture, brush.mask(picture, draw), paint)


def _fish(rng: brush.Random, picture: brush.Picture, paint: brush.Colour) -> None:
    height, width = picture.shape[:2]
    size, way = height * rng.uniform(0.04, 0.10), rng.choice([-1.0, 1.0])
    x, y = rng.uniform(0.05, 0.95) * width, rng.uniform(0.12, 0.78) * height
    picture, x, y = brush.crop(picture, x, y, size * 1.8)
    tail_end = x - way * size * 1.6
    tail = brush.polygon(picture, [(x - way * size * 0.8, y), (tail_end, y - size * 0.5), (tail_end, y + size * 0.5)])
    rows, columns = brush.grid(picture)
    body = np.clip((1 - np.sqrt(((columns - x) / size) ** 2 + ((rows - y) / size / 0.5) ** 2)) * size * 0.6 + 0.5, 0, 1)
    stripes = ((columns - x) / size % 0.8 < 0.22).astype(np.float32)
    shaded = paint * (1.1 - 0.5 * np.clip((rows - y) / size + 0.5, 0, 1))[..., None]
    brush.blend(
        picture, np.maximum(body, tail), shaded + 0.75 * stripes[..., None] * (brush.colour(1, 1, 0.96) - shaded)
    )
    brush.blend(
        picture, brush.disc(picture, y - size * 0.1, x + way * size * 0.62, size * 0.13), brush.colour(0.05, 0.05, 0.08)
    )
