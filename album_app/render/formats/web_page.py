"""A web page: one HTML file that holds its photos and lets a reader look around."""

import base64
import hashlib
import json
import math
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from io import BytesIO
from string import Template
from typing import BinaryIO

from PIL import Image

from album_app import language, shipped_file
from album_app.file_names import printable
from album_app.language import mark, tr, trn
from album_app.layout.crops import WHOLE
from album_app.layout.shapes.frames import Rect
from album_app.own_files import SOFTWARE
from album_app.photos.album import Photo
from album_app.photos.decoding.header import FILE
from album_app.photos.faces import Box
from album_app.photos.facets import Facet, facets_of
from album_app.render.formats.format import PageFormat
from album_app.render.page.compose import Sheet, Wanted
from album_app.render.page.plan import PagePlan
from album_app.render.page.settings import Colour, RenderSettings, hexadecimal
from album_app.render.page.text_faces import Face, built_in, face_for, font_face
from album_app.render.painters.pixels import PixelPainter

SIDES = (1024, 768, 512, 384, 256, 192, 128)
"""How large a photo can be seen, at most."""
LEAST_BITS = 0.25  # for each pixel; with fewer, a smaller picture looks better
SHAPE = 2 / 3  # of a square's area that a usual photo has
BASE64 = 3 / 4  # of what stands in the file is picture
FOR_PHOTOS = 0.8  # the rest is for the overview and the words
FOR_OVERVIEW = 0.15
TRIAL = 50
GROWTH = 0.0188  # of a picture's logarithm of bytes with each step of quality
SMALLEST = 16
THREADS = 2
AHEAD = 4  # photos squeezed at a time


def usual_megabytes(photos: int) -> float:
    """12 for 320 photos, 60 for 10,000, fewer for few."""
    if photos <= 320:
        return 2 + 10 * photos / 320
    return 12 + 48 * (photos - 320) / 9680


@dataclass
class Purse:
    """Bytes for the photos that are still to come: what one leaves over is shared among the others."""

    left: float
    photos: int

    @classmethod
    def of(cls, megabytes: float, photos: int) -> "Purse":
        return cls(megabytes * 1e6 * BASE64 * FOR_PHOTOS, photos)

    @property
    def share(self) -> int:
        """What the next photo may take."""
        return int(self.left / max(1, self.photos))

    @property
    def side(self) -> int:
        """The longest side at which a photo looks good with its share of the file."""
        pixels = 8 * self.share / LEAST_BITS
        return next((side for side in SIDES if side * side * SHAPE <= pixels), SIDES[-1])

    def take(self) -> int:
        """The next photo's share, which is its own until some of it is given back."""
        share = self.share
        self.left -= share
        self.photos -= 1
        return share

    def give_back(self, unused: int) -> None:
        self.left += unused


class Squeezer:
    """Squeezes photos in threads, a few at a time; they come out in order, the same whichever thread is faster."""

    def __init__(self, purse: Purse, quality: int) -> None:
        self._purse, self._quality = purse, quality
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="squeeze")
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()

    def add(self, image: Image.Image) -> Iterator[bytes]:
        """Take one more photo, and give those whose turn it is."""
        while len(self._waiting) >= AHEAD:
            yield self._next()
        share = self._purse.take()
        self._waiting.append((share, self._pool.submit(squeezed, image, self._quality, share)))

    def rest(self) -> Iterator[bytes]:
        """Give the last ones."""
        while self._waiting:
            yield self._next()
        self._pool.shutdown()

    def _next(self) -> bytes:
        share, future = self._waiting.popleft()
        data = future.result()
        self._purse.give_back(share - len(data))
        return data


def squeezed(image: Image.Image, quality: int, most: float) -> bytes:
    """A picture as WebP of at most `most` bytes, in the best quality that fits; made smaller where quality does not
    help."""
    data = best_within(partial(_webp, image), quality, most)
    if len(data) <= most or max(image.size) <= SMALLEST:
        return data
    return squeezed(image.reduce(2), quality, most)


def best_within(encode: Callable[[int], bytes], quality: int, most: float) -> bytes:
    """The encoding with the best quality, at most the one asked for, that fits into `most` bytes."""
    trial = encode(min(quality, TRIAL))
    wanted = TRIAL + math.log(max(1.0, most) / len(trial)) / GROWTH
    if quality <= TRIAL and len(trial) <= most:
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
OVERVIEW_TILE = 40  # pixels a cell should have in the overview,
OVERVIEW_SIDES = 2560, 4096  # within these limits of its longer side
MOST_LABELS = 500
"""Labels of a column that a page lists; one with more is left out."""
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
"""What the page says, by the names in `page.html`."""
SCRIPT_TEXTS = {
    "all_values": mark("All"),
    "one": mark("1 photo"),
    "many": mark("{total} photos"),
    "some": mark("{found} of {all}"),
}
"""What its script says once it has counted."""


class WebPagePainter:
    """Draws the overview and notes down what is where; photos wait in a file of their own until their place comes."""

    def __init__(self, file: BinaryIO, sheet: Sheet) -> None:
        self._file = file
        self._sheet = sheet
        self._megabytes = _megabytes(sheet.settings, len(sheet.cells))
        self._squeezer = Squeezer(Purse.of(self._megabytes, len(sheet.cells)), sheet.settings.quality)
        self._scale = _overview_scale(sheet)
        width, height = (max(1, round(side * self._scale)) for side in (sheet.plan.width, sheet.plan.height))
        self._overview = PixelPainter(width, height, sheet.background is None)
        self._items: list[list[object]] = []
        self._characters: set[str] = set()  # in our own font
        self._numbers: dict[int, int] = {}
        self._sizes: list[tuple[int, int]] = []
        self._photos = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the painter)

    def picture(self, key: int, image: Image.Image, rect: Rect, radius: float, part: Box = WHOLE) -> None:
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._embed(self._squeezer.add(image))
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
        """Put the page together."""
        self._embed(self._squeezer.rest())
        head, foot = self._page().split(PHOTOS_COME_HERE)
        self._file.write(head.encode("utf-8"))
        self._photos.seek(0)
        shutil.copyfileobj(self._photos, self._file)
        self._photos.close()
        self._file.write(foot.encode("utf-8"))

    def _embed(self, pictures: Iterable[bytes]) -> None:
        """Write the photos that are next in line."""
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
        overview = squeezed(self._overview.image, sheet.settings.quality, self._megabytes * 1e6 * BASE64 * FOR_OVERVIEW)
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
            title=escape(sheet.title or SOFTWARE),
            style=style,
            alternative=escape(f"{sheet.title or tr('Album')}: {photos}"),
            overview=f"data:image/webp;base64,{_base64(overview)}",
            facts="\n".join(self._facts(key, number) for key, number in self._numbers.items()),
            drawing=_json(drawing),
            script=script,
        )

    def _facets(self) -> list[dict[str, object]]:
        """What readers can filter by: only the columns that were asked for, and those that the sheet shows anyway."""
        settings, photos = self._sheet.settings, self._sheet.photos
        wanted = [word.strip().casefold() for word in settings.filters.split(",") if word.strip()]
        if settings.colour_by:
            wanted.append(settings.colour_by.casefold())
        if not wanted or not photos:
            return []
        facets, everything = facets_of(photos).values(), "all" in wanted
        chosen = [each for each in facets if everything or {each.key.casefold(), each.title.casefold()} & {*wanted}]
        return [_facet(facet, list(self._numbers)) for facet in chosen if len(facet.labels) <= MOST_LABELS]

    def _region_names(self) -> list[list[object]]:
        """Words over regions: each with the place of its middle."""
        geometry = self._sheet.plan.geometry
        across, down = geometry.pitch
        names = self._sheet.region_names
        return [
            [label.word, *_short(geometry.left + label.x * across, geometry.top + label.y * down)] for label in names
        ]

    def _facts(self, key: int, number: int) -> str:
        """A photo in words: its name and date where names are shown, else its number."""
        photos = self._sheet.photos
        if not self._sheet.settings.names or not photos:
            return f"<li>{escape(tr('Photo {number}', number=number + 1))}</li>"
        return f"<li><span>{escape(printable(photos[key].name))}</span>{_date(photos[key])}</li>"


@dataclass(frozen=True, kw_only=True)
class WebPageFormat(PageFormat):
    """Each photo is embedded whole, as large as the page's size allows, however small its cell is."""

    def wanted(self, sheet: Sheet) -> dict[int, Wanted]:
        side = Purse.of(_megabytes(sheet.settings, len(sheet.cells)), len(sheet.cells)).side
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
    """What the browser may do for this page: run and show what is in it, and load nothing from elsewhere."""
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
    """JSON that no characters of a title can end early."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _date(photo: Photo) -> str:
    """The date of a photo, which says so where it is only the time of the file."""
    if photo.taken is None:
        return ""
    day = f"{photo.taken:%Y-%m-%d}"
    words = tr("{when} (the file's time)", when=day) if photo.taken_by == FILE else day
    return f"<time> {escape(words)}</time>"


def _size_of(data: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(data)) as image:
        return image.size


def _short(*lengths: float) -> list[float]:
    return [round(length, 2) for length in lengths]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
