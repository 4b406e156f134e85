"""A sheet as SVG: every photo an embedded picture, text as text.

By hand, because each element is written as soon as it is drawn; an XML tree would hold every photo in memory.
"""

import base64
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from PIL import Image

from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.own_files import SOFTWARE, SVG_MARK
from album_app.photos.faces import Box
from album_app.render.page.compose import Sheet
from album_app.render.page.settings import MM_PER_INCH, POINTS_PER_INCH, Colour, hexadecimal
from album_app.render.page.text_faces import Face, built_in, face_for, font_face
from album_app.render.painters.pixels import jpeg, part_of, part_suffix

MM_PER_POINT = MM_PER_INCH / POINTS_PER_INCH


class SvgPainter:
    """Writes each element as it is drawn; a photo that is shown again refers to its first element."""

    def __init__(self, file: BinaryIO, sheet: Sheet) -> None:
        plan = sheet.plan
        self._file = file
        self._quality = sheet.settings.quality
        self._pictures: set[str] = set()
        self._clips: dict[tuple[float, float, float], str] = {}
        self._characters: set[str] = set()  # that are written in the built-in font
        width, height = (_n(side * MM_PER_POINT) for side in plan.points)
        self._write(
            f'<?xml version="1.0" encoding="UTF-8"?>\n{SVG_MARK}\n'
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
            f'width="{width}mm" height="{height}mm" viewBox="0 0 {plan.width} {plan.height}">\n'
            f"<title>{escape(sheet.title or SOFTWARE)}</title>\n"
        )

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        x, y, width, height = rect
        clip = self._clip(width, height, radius) if radius > 0 else ""
        image = part_of(image, part)
        name = f"p{key}x{_n(width)}x{_n(height)}{part_suffix(part)}"
        self._write(f'<g transform="translate({_n(x)} {_n(y)})"{clip}>')
        if name in self._pictures:
            self._write(f'<use xlink:href="#{name}"/></g>\n')
            return
        self._pictures.add(name)
        data = base64.b64encode(jpeg(image, self._quality)).decode("ascii")
        self._write(
            f'<image id="{name}" width="{_n(width)}" height="{_n(height)}" preserveAspectRatio="none" '
            f'xlink:href="data:image/jpeg;base64,{data}"/></g>\n'
        )

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        x, y, width, height = (_n(value) for value in rect)
        corner = f' rx="{_n(radius)}"' if radius > 0 else ""
        self._write(f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{corner} fill="{hexadecimal(colour)}"/>\n')

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        own = ""
        if (face or face_for(line)) is built_in():
            own = f"{built_in().name}, "
            self._characters.update(line)
        family = quoteattr(f"{own}Helvetica, Arial, DejaVu Sans, sans-serif")
        self._write(
            f'<text x="{_n(x)}" y="{_n(y)}" font-family={family} font-size="{_n(size)}" text-anchor="middle" '
            f'fill="{hexadecimal(colour)}">{escape(line)}</text>\n'
        )

    def finish(self) -> None:
        """Write the glyphs in use and close the document."""
        if self._characters:
            self._write(f"<style>{font_face(self._characters)}</style>\n")
        self._write("</svg>\n")

    def _clip(self, width: float, height: float, radius: float) -> str:
        """The attribute that rounds the corners of a photo; equal sizes share one definition."""
        size = width, height, radius
        if size not in self._clips:
            self._clips[size] = f"c{len(self._clips)}"
            self._write(
                f'<defs><clipPath id="{self._clips[size]}"><rect width="{_n(width)}" height="{_n(height)}" '
                f'rx="{_n(radius)}"/></clipPath></defs>\n'
            )
        return f' clip-path="url(#{self._clips[size]})"'

    def _write(self, text: str) -> None:
        self._file.write(text.encode("utf-8"))


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
