"""A web page: one HTML file that holds its photos and lets readers zoom and search."""

import base64
import hashlib
import json
import math
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from string import Template
from typing import BinaryIO

from PIL import Image

from album_app import language, shipped_file
from album_app.file_names import printable
from album_app.language import days, mark, tr, trn
from album_app.layout.captions import caption_of, row_words
from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.own_files import SOFTWARE
from album_app.photos.album import Photo
from album_app.photos.decoding.header import FILE, TABLE
from album_app.photos.faces import Box
from album_app.photos.facets import Facet, facets_of
from album_app.render.formats.format import PageFormat
from album_app.render.page.compose import Sheet, Wanted
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import Colour, RenderSettings, hexadecimal
from album_app.render.page.text_faces import Face, built_in, face_for, font_face
from album_app.render.painters.pixels import PixelPainter

PHOTO_SIDES = (1024, 768, 512, 384, 256, 192, 128)
"""The lengths in pixels that the longer side of an embedded photo can have."""
LEAST_BITS_PER_PIXEL = 0.25
"""A photo compressed to fewer bits looks worse than the same photo in a smaller size."""
USUAL_AREA = 2 / 3
"""Area of a usual photo, as a share of the square of its longer side."""
BASE64_SHARE = 3 / 4
"""Bytes of a picture per character of its Base64 code, in which the page holds it."""
PHOTOS_SHARE, OVERVIEW_SHARE = 0.8, 0.15
"""Shares of a page's size for its photos and for the overview; the rest is for text."""
TRIAL_QUALITY = 50
"""Quality of the first encoding, by whose size the quality that fits is estimated."""
GROWTH_PER_QUALITY = 0.0188
"""By how much the logarithm of a WebP's size grows with each step of quality, on average over photos."""
LEAST_SIDE = 16
"""Pixels; a photo that does not fit in any quality is not made smaller than this."""
THREADS = 2
PHOTOS_AHEAD = 4
"""Photos that are compressed at a time."""


def usual_megabytes(photos: int) -> float:
    """The size of a page where the settings give none: 12 for 320 photos, 60 for 10,000."""
    if photos <= 320:
        return 2 + 10 * photos / 320
    return 12 + 48 * (photos - 320) / 9680


@dataclass
class ByteBudget:
    """The bytes that are left for the remaining photos, which share what a photo does not use."""

    left: float
    photos: int

    @classmethod
    def of(cls, megabytes: float, photos: int) -> "ByteBudget":
        return cls(megabytes * 1e6 * BASE64_SHARE * PHOTOS_SHARE, photos)

    @property
    def share(self) -> int:
        """The bytes that the next photo may take."""
        return int(self.left / max(1, self.photos))

    @property
    def side(self) -> int:
        """The longest side at which a photo looks good with its share of the bytes."""
        pixels = 8 * self.share / LEAST_BITS_PER_PIXEL
        return next((side for side in PHOTO_SIDES if side * side * USUAL_AREA <= pixels), PHOTO_SIDES[-1])

    def take(self) -> int:
        """Reserve the share of the next photo; `give_back` returns what it does not need."""
        share = self.share
        self.left -= share
        self.photos -= 1
        return share

    def give_back(self, unused: int) -> None:
        self.left += unused


class Compressor:
    """Compresses photos in threads, a few at a time; the results are in order and do not depend on speed."""

    def __init__(self, budget: ByteBudget, quality: int) -> None:
        self._budget, self._quality = budget, quality
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="compress")
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()

    def add(self, image: Image.Image) -> Iterator[bytes]:
        """Add a photo, and yield those that are finished and next in order."""
        while len(self._waiting) >= PHOTOS_AHEAD:
            yield self._next()
        share = self._budget.take()
        self._waiting.append((share, self._pool.submit(compressed, image, self._quality, share)))

    def rest(self) -> Iterator[bytes]:
        """Yield the remaining photos."""
        while self._waiting:
            yield self._next()
        self._pool.shutdown()

    def _next(self) -> bytes:
        share, future = self._waiting.popleft()
        data = future.result()
        self._budget.give_back(share - len(data))
        return data


def compressed(image: Image.Image, quality: int, most: float) -> bytes:
    """A picture as WebP of at most `most` bytes, in the best quality that fits, or in a smaller size if none fits."""
    data = best_within(partial(_webp, image), quality, most)
    if len(data) <= most or max(image.size) <= LEAST_SIDE:
        return data
    return compressed(image.reduce(2), quality, most)


def best_within(encode: Callable[[int], bytes], quality: int, most: float) -> bytes:
    """The encoding with the best quality, at most the one asked for, that fits into `most` bytes."""
    trial = encode(min(quality, TRIAL_QUALITY))
    wanted = TRIAL_QUALITY + math.log(max(1.0, most) / len(trial)) / GROWTH_PER_QUALITY
    if quality <= TRIAL_QUALITY and len(trial) <= most:
        return trial
    for attempt in (wanted, wanted - 8, wanted - 25, 1):
        data = encode(max(1, min(quality, int(attempt))))
        if len(data) <= most:
            break
    return data


def _webp(image: Image.Image, quality: int) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "WEBP", quality=quality, method=2)
    return buffer.getvalue()


SCRIPTS = ("drawing", "viewport", "pictures", "sheet", "large_view", "pointer", "facets", "page")
OVERVIEW_TILE, OVERVIEW_SIDES = 40, (2560, 4096)
"""Pixels that a cell should have in the overview, and the limits of the overview's longer side, which come first."""
MOST_LABELS = 500
"""Labels of a column that readers can filter by; a column with more labels is left out."""
PHOTOS_COME_HERE = "<!-- photos -->"


PAGE_TEXTS = {
    "filter": mark("Filter by name or date"),
    "column": mark("Column to filter by"),
    "value": mark("Value to filter by"),
    "low": mark("From"),
    "high": mark("To"),
    "names": mark("Names of regions"),
    "zoom_out": mark("Zoom out"),
    "zoom_in": mark("Zoom in"),
    "whole": mark("The whole sheet"),
    "show_whole": mark("Show the whole sheet"),
    "theme": mark("Light or dark"),
    "print": mark("Print"),
    "role": mark("sheet of photos"),
    "help": mark(
        "Arrow keys walk from photo to photo, Enter shows one large. Plus and minus zoom, shift and arrow keys move "
        "the sheet, 0 shows all of it, slash filters."
    ),
    "photo": mark("Photo"),
    "above": mark("The photo above"),
    "left": mark("The photo to the left"),
    "right": mark("The photo to the right"),
    "below": mark("The photo below"),
    "back": mark("Back to the sheet"),
    "all_photos": mark("All photos"),
}
"""Texts of the page, by their names in `page.html`."""
SCRIPT_TEXTS = {
    "all_values": mark("All"),
    "one": mark("1 photo"),
    "many": mark("{total} photos"),
    "some": mark("{found} of {all}"),
}
"""Texts of the page's script."""


class WebPagePainter:
    """Draws the overview and lists what is where; photos wait in a temporary file until `finish` writes the page."""

    def __init__(self, file: BinaryIO, sheet: Sheet) -> None:
        self._file = file
        self._sheet = sheet
        self._megabytes = _megabytes(sheet.settings, len(sheet.cells))
        self._compressor = Compressor(ByteBudget.of(self._megabytes, len(sheet.cells)), sheet.settings.quality)
        self._scale = _overview_scale(sheet)
        width, height = (max(1, round(side * self._scale)) for side in (sheet.plan.width, sheet.plan.height))
        self._overview = PixelPainter(width, height, sheet.background is None)
        self._items: list[list[object]] = []
        self._characters: set[str] = set()  # that are written in the built-in font
        self._numbers: dict[int, int] = {}
        self._sizes: list[tuple[int, int]] = []
        self._photos = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the painter)

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._embed(self._compressor.add(image))
        small = self._small(rect)
        left, top, right, bottom = (share * side for share, side in zip(part, image.size * 2, strict=True))
        fitted = image.resize(
            (round(small[2]), round(small[3])), Image.Resampling.BICUBIC, (left, top, right, bottom), reducing_gap=2.0
        )
        self._overview.picture(key, fitted, small, radius * self._scale)
        crop = [] if part == WHOLE else [round(share, 4) for share in part]
        self._items.append([self._numbers[key], *_short(*rect, radius), *crop])

    def box(self, rect: Rect, radius: float, colour: Colour) -> None:
        self._overview.box(self._small(rect), radius * self._scale, colour)
        self._items.append([hexadecimal(colour), *_short(*rect, radius)])

    def text(self, line: str, x: float, y: float, size: float, colour: Colour, face: Face | None = None) -> None:
        self._overview.text(line, x * self._scale, y * self._scale, size * self._scale, colour, face)
        own = (face or face_for(line)) is built_in()
        self._characters.update(line if own else "")
        self._items.append([hexadecimal(colour), *_short(x, y, size), line, own])

    def finish(self) -> None:
        """Write the page."""
        self._embed(self._compressor.rest())
        head, foot = self._page().split(PHOTOS_COME_HERE)
        self._file.write(head.encode("utf-8"))
        self._photos.seek(0)
        shutil.copyfileobj(self._photos, self._file)
        self._photos.close()
        self._file.write(foot.encode("utf-8"))

    def _embed(self, pictures: Iterable[bytes]) -> None:
        """Write pictures into the file of photos, each as an element of the page."""
        for data in pictures:
            name = f"photo-{len(self._sizes)}"
            self._sizes.append(_size_of(data))
            self._photos.write(f'<script type="image/webp" id="{name}">{_base64(data)}</script>\n'.encode("ascii"))

    def _small(self, rect: Rect) -> Rect:
        """A rectangle in whole pixels of the overview."""
        left, top = round(rect[0] * self._scale), round(rect[1] * self._scale)
        right, bottom = round((rect[0] + rect[2]) * self._scale), round((rect[1] + rect[3]) * self._scale)
        return left, top, max(1, right - left), max(1, bottom - top)

    def _page(self) -> str:
        sheet = self._sheet
        overview = compressed(
            self._overview.image, sheet.settings.quality, self._megabytes * 1e6 * BASE64_SHARE * OVERVIEW_SHARE
        )
        style, script = _text("page.css") + font_face(self._characters), _script()
        drawing = {
            "width": sheet.plan.width,
            "height": sheet.plan.height,
            "background": None if sheet.background is None else hexadecimal(sheet.background),
            "photos": self._sizes,
            "items": self._items,
            "texts": {name: tr(text) for name, text in SCRIPT_TEXTS.items()},
            "facets": self._facets(),
            "names": self._region_names(),
        }
        photos = trn("{count} photo", "{count} photos", len(self._numbers))
        return Template(_text("page.html")).substitute(
            **{name: escape(tr(text)) for name, text in PAGE_TEXTS.items()},
            language=language.tag(),
            policy=escape(_policy(style, script)),
            program=SOFTWARE,
            title=escape(sheet.title or self._folder_name() or SOFTWARE),
            style=style,
            alternative=escape(f"{sheet.title or tr('Album')}: {photos}"),
            overview=f"data:image/webp;base64,{_base64(overview)}",
            facts="\n".join(self._facts(key, number) for key, number in self._numbers.items()),
            drawing=_json(drawing),
            script=script,
        )

    @property
    def _columns(self) -> list[str]:
        """The columns that the page may tell, in small letters; "all" stands for all of them."""
        settings = self._sheet.settings
        wanted = [word.strip().casefold() for word in settings.filters.split(",") if word.strip()]
        return [*wanted, *([settings.colour_by.casefold()] if settings.colour_by else [])]

    def _folder_name(self) -> str:
        """The name of the folder that all photos are in; empty where there is none, or where names are not shown."""
        photos = self._sheet.photos
        if not photos or not self._sheet.settings.names:
            return ""
        with suppress(ValueError):  # photos on different drives
            return printable(Path(os.path.commonpath([photo.path.parent for photo in photos])).name)
        return ""

    def _facets(self) -> list[dict[str, object]]:
        """What readers can filter by: the columns of the settings, and the one by which frames are coloured."""
        wanted, photos = self._columns, self._sheet.photos
        if not wanted or not photos:
            return []
        facets, everything = facets_of(photos).values(), "all" in wanted
        chosen = [each for each in facets if everything or {each.key.casefold(), each.title.casefold()} & {*wanted}]
        return [_facet(facet, list(self._numbers)) for facet in chosen if len(facet.labels) <= MOST_LABELS]

    def _region_names(self) -> list[list[object]]:
        """Names of regions, each with the place of its middle."""
        geometry = self._sheet.plan.geometry
        across, down = geometry.pitch
        names = self._sheet.region_names
        return [
            [label.word, *_short(geometry.left + label.x * across, geometry.top + label.y * down)] for label in names
        ]

    def _facts(self, key: int, number: int) -> str:
        """A photo as text: its name, caption, columns and date, or its number where names are not shown."""
        photos = self._sheet.photos
        if not self._sheet.settings.names or not photos:
            return f"<li>{escape(tr('Photo {number}', number=number + 1))}</li>"
        photo, caption = photos[key], self._sheet.settings.caption
        said = [caption_of(photo, caption) if caption not in ("name", "date") else "", *row_words(photo, self._columns)]
        about = "".join(f"<em> {escape(printable(words))}</em>" for words in dict.fromkeys(filter(None, said)))
        return f"<li><span>{escape(printable(photo.name))}</span>{about}{_date(photo)}</li>"


@dataclass(frozen=True, kw_only=True)
class WebPageFormat(PageFormat):
    """A page that embeds each photo whole, as large as the size of the file allows."""

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        side = ByteBudget.of(_megabytes(sheet.settings, len(sheet.cells)), len(sheet.cells)).side
        return dict.fromkeys(sheet.cells, Wanted(WHOLE, side, side, inside=True))

    def expected_bytes(self, plan: PagePlan, settings: RenderSettings) -> float:
        return 1e6 * _megabytes(settings, len(plan.geometry.frames))


def _facet(facet: Facet, photos: Sequence[int]) -> dict[str, object]:
    """A facet of the photos in the order in which the page numbers them."""
    if facet.is_range:
        values = [None if math.isnan(value) else round(value, 6) for value in facet.numbers[list(photos)].tolist()]
        return {"title": facet.title, "kind": facet.kind, "values": values, "ends": facet.words}
    labels: dict[int, list[int]] = {}
    for photo, label in facet.pairs.tolist():
        labels.setdefault(photo, []).append(label)
    return {
        "title": facet.title,
        "kind": facet.kind,
        "labels": facet.labels,
        "of": [labels.get(photo, []) for photo in photos],
    }


def _megabytes(settings: RenderSettings, photos: int) -> float:
    """How large the page may be, in millions of bytes."""
    return settings.megabytes or usual_megabytes(photos)


def _overview_scale(sheet: Sheet) -> float:
    plan = sheet.plan
    least, most = OVERVIEW_SIDES
    wanted = OVERVIEW_TILE * max(map(int, plan.geometry.frames.grid.shape))
    return min(most, max(least, wanted)) / max(plan.width, plan.height)


def _policy(style: str, script: str) -> str:
    """The content security policy: the browser runs and shows what is in the page, and loads nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
        "font-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _script() -> str:
    return "(() => {\n" + "\n".join(_text(f"{name}.js") for name in SCRIPTS) + "})();"


def _text(name: str) -> str:
    return shipped_file(f"web_page/{name}").read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + _base64(hashlib.sha256(text.encode("utf-8")).digest())


def _json(value: object) -> str:
    """JSON inside a script element, which no text in it can end early."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _date(photo: Photo) -> str:
    """The date of a photo, with a remark where it is only the time of the file."""
    if photo.taken is None:
        return ""
    if photo.taken_by == TABLE:
        return f"<time> {escape(printable(photo.metadata.row.date_words))}</time>"
    day = photo.taken.date()
    words = days(day, day)
    if photo.taken_by == FILE:
        words = tr("{when} (the file's time)", when=words)
    return f'<time datetime="{day.isoformat()}"> {escape(words)}</time>'


def _size_of(data: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(data)) as image:
        return image.size


def _short(*lengths: float) -> list[float]:
    return [round(length, 2) for length in lengths]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
