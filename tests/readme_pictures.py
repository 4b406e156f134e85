"""Makes the README's moving picture, figure and sheets: `python -m tests.readme_pictures [FOLDER]`.

They show the sample album only. The pictures of the window are made by `python -m tests.gui.screenshots`.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from PIL import Image

from album_app.cli import main
from album_app.layout import Layout, arrange, corner_pins, rectangle
from album_app.layout.evaluation.insight import places_for
from album_app.photos import extract, open_album
from album_app.photos.features.reduction import along_principal_axes
from album_app.photos.thumbnails import load_thumbnails
from album_app.render import RenderSettings, preview
from album_app.sample.sample_album import sample_folder

ASSETS = Path(__file__).parent.parent / "assets"
ROWS, COLUMNS = 16, 26


def animate(folder: Path) -> None:
    words = ["--animate", "--pin-preset", "corners", "--shape", f"{ROWS}x{COLUMNS}", "--corner", "0.08"]
    assert main(["arrange", str(sample_folder()), "-o", str(folder / "arranging.webp"), *words]) == 0


FAVOURITES = {
    "balloons-07.jpg": 2,
    "lighthouse-05.jpg": 3,
    "flowers-09.jpg": 2,
    "sunset-11.jpg": 3,
    "underwater-03.jpg": 2,
}
WIDTH = 1360
AROUND = (227, 224, 219)


def favourites(folder: Path) -> None:
    sizes = [word for name, size in FAVOURITES.items() for word in ("--size", f"{name}={size}")]
    _sheet(folder / "favourites.jpg", "--cells", "150", "--shape", "3:2", "--cell", "64", "--quality", "82", *sizes)


def rows_of_photos(folder: Path) -> None:
    _sheet(folder / "rows.jpg", "--shape", "rows", "--cells", "60", "--cell", "96", "--quality", "82")


def book(folder: Path) -> None:
    """A cover and five pages of a book, three across."""
    with tempfile.TemporaryDirectory() as place:
        words = ("--pages", "auto", "--timeline", "--title", "Our year", "--subtitle", "Land and sea", "--paper", "A4")
        _sheet(Path(place) / "book.png", *words, "--dpi", "42")
        pages = [Image.open(file).convert("RGB") for file in sorted(Path(place).glob("book-*.png"))[:6]]
        across, down = pages[0].width + 8, pages[0].height + 8
        whole = Image.new("RGB", (3 * across + 8, 2 * down + 8), AROUND)
        for number, page in enumerate(pages):
            whole.paste(page, (8 + number % 3 * across, 8 + number // 3 * down))
    whole.thumbnail((WIDTH, WIDTH))
    whole.save(folder / "book.jpg", quality=84)


def _sheet(file: Path, *words: str) -> None:
    assert main(["arrange", str(sample_folder()), "-o", str(file), "--force", "--corner", "0.04", *words]) == 0


def explain(folder: Path) -> None:
    album = open_album(sample_folder())
    features, thumbnails = extract(album.photos, "lab"), load_thumbnails(album.photos)
    shape = rectangle(ROWS, COLUMNS)
    pins = corner_pins(features, shape)
    layout = arrange(features, shape, pins)
    small = [np.asarray(Image.fromarray(picture).resize((28, 28))) for picture in thumbnails if picture is not None]
    figure = Figure(figsize=(13.6, 2.5), layout="constrained")
    one, two, three, four = figure.subplots(1, 4, width_ratios=[1, 1, 1, 1])
    _photos(one, along_principal_axes(features - features.mean(axis=0), 2), small, list(pins))
    _cells(two, layout, small)
    _places(three, layout, small)
    four.imshow(preview(layout, thumbnails, RenderSettings(corner=0.06, mark_pins=True), 700))
    titles = (
        "1. Photos: near where they look alike",
        "2. Cells, and the few photos you pin",
        "3. The plan: where a photo belongs",
        "4. The sheet: one photo a cell, refined",
    )
    for axes, title in zip((one, two, three, four), titles, strict=True):
        axes.set_title(title, fontsize=11)
        axes.set_box_aspect(ROWS / COLUMNS)
        axes.set_axis_off()
    figure.savefig(folder / "how-it-works.png", dpi=110)


def _photos(axes: Axes, places: np.ndarray, pictures: list[np.ndarray], pinned: list[int]) -> None:
    axes.scatter(*places.T, s=0)
    for photo in [*range(0, len(pictures), 2), *pinned]:
        frame = {"edgecolor": "#d9572b", "linewidth": 2} if photo in pinned else {"linewidth": 0}
        image = OffsetImage(pictures[photo], zoom=0.7 if photo in pinned else 0.36)
        axes.add_artist(AnnotationBbox(image, tuple(places[photo]), pad=0.0, bboxprops=frame))


def _cells(axes: Axes, layout: Layout, pictures: list[np.ndarray]) -> None:
    rows, columns = layout.shape.mask.nonzero()
    axes.scatter(columns, rows, s=9, c="#b9c4c9", marker="s")
    for photo, (row, column) in layout.pins.items():
        _framed(axes, pictures[photo], (column, row))
    axes.set(xlim=(-2, COLUMNS + 1), ylim=(ROWS + 1, -2))


def _places(axes: Axes, layout: Layout, pictures: list[np.ndarray]) -> None:
    photo = int(layout.photo_at[np.flatnonzero(layout.shape.cells[:, 0] == ROWS // 2)[COLUMNS // 3]])
    heat = np.full(layout.shape.mask.shape, np.nan)
    heat[layout.shape.mask] = places_for(layout, photo)
    axes.imshow(heat, cmap="YlGnBu")
    row, column = layout.shape.cells[int(np.flatnonzero(layout.photo_at == photo)[0])]
    _framed(axes, pictures[photo], (column, row))


def _framed(axes: Axes, picture: np.ndarray, place: tuple[float, float]) -> None:
    frame = {"edgecolor": "#d9572b", "linewidth": 2}
    axes.add_artist(AnnotationBbox(OffsetImage(picture, zoom=0.7), place, pad=0.0, bboxprops=frame))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ASSETS
    explain(target)
    animate(target)
    favourites(target)
    rows_of_photos(target)
    book(target)
