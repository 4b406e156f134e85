"""How large a picture is wanted, and how it gets there: by its decoder as far as that goes, then by a filter."""

from dataclasses import dataclass

from PIL import Image, ImageFile

from album_app.photos.decoding.colour import flat_on_white, in_eight_bits

THUMBNAIL_SIDE = 256

Region = tuple[float, float, float, float]
"""The part of a decoded picture that is wanted: left, top, right, bottom."""


@dataclass(frozen=True)
class Wanted:
    """How large a picture is wanted: shrunk to fit inside `box`, or to cover it, never enlarged.

    One that is at most `slack` times too large stays as it is: shrinking it would take longer than decoding it.
    """

    box: tuple[int, int] | None = None
    cover: bool = False
    slack: float = 1.0
    filter: Image.Resampling = Image.Resampling.BICUBIC


THUMBNAIL = Wanted((THUMBNAIL_SIDE, THUMBNAIL_SIDE), slack=1.25, filter=Image.Resampling.HAMMING)
"""With a filter that is as sharp as the bicubic one at two thirds of its cost, which was most of reading a photo."""


def target_size(size: tuple[int, int], wanted: Wanted, sideways: bool) -> tuple[int, int]:
    """The size to shrink to, in the file's own orientation."""
    if wanted.box is None:
        return size
    box = wanted.box[::-1] if sideways else wanted.box
    ratios = [limit / length for limit, length in zip(box, size, strict=True)]
    scale = max(ratios) if wanted.cover else min(ratios)
    if scale * wanted.slack >= 1:
        return size
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def drafted(image: ImageFile.ImageFile, target: tuple[int, int]) -> Region | None:
    """Have a picture decoded at little more than `target`, where its format can; gives the part that is wanted."""
    done = image.draft(None, target) if image.size != target else None
    return done[1] if done else None


def shrunk(image: Image.Image, target: tuple[int, int], region: Region | None, by: Image.Resampling) -> Image.Image:
    """The image without transparency, with 8 bits a channel, at the size `target`."""
    simple = in_eight_bits(image)
    if simple.has_transparency_data:
        simple = flat_on_white(_reduced(simple, target))
    if simple.size == target:
        return simple
    return simple.resize(target, by, box=region, reducing_gap=2.0)


def _reduced(image: Image.Image, target: tuple[int, int]) -> Image.Image:
    """The image a whole number of times smaller, at least twice `target`: what follows then costs little memory."""
    factor = min(image.width // (2 * target[0]), image.height // (2 * target[1]))
    return image.reduce(factor) if factor > 1 else image
