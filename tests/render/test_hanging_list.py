"""The hanging list: a line per photo with its place on the paper in centimetres, as a person measures it."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import AlbumError
from album_app.layout.layout import Layout
from album_app.layout.shapes.shape import book
from album_app.photos.album import Album
from album_app.photos.decoding.header import Metadata
from album_app.render import RenderSettings, plan_export
from album_app.render.export import hanging_rows, write_hanging_list
from tests.render.conftest import layout_of

WALL = RenderSettings(paper="300x200mm", dpi=254, margin=0, gap=0, fit_paper=True)


def test_places_are_centimetres_from_the_corner_of_the_paper(layout: Layout, album: Album, tmp_path: Path) -> None:
    rows = hanging_rows(plan_export(layout, tmp_path / "wall.pdf", WALL), layout, album)
    assert [row[0] for row in rows] == [f"photo-{k}.png" for k in range(6)]
    assert [row[1:4] for row in rows] == [[1, row, column] for row in (1, 2) for column in (1, 2, 3)]
    assert [row[4:8] for row in rows] == [
        [10.0 * column, 10.0 * row, 10, 10] for row in range(2) for column in range(3)
    ]
    assert [row[8:10] for row in rows] == [[160, 80], [80, 160]] * 3
    assert {row[10] for row in rows} == {round(80 / (10 / 2.54))}, "of a wide photo half is seen"


@pytest.mark.parametrize("changes", [{"bleed": 3.0}, {"bleed": 3.0, "cut_marks": True}])
def test_what_is_cut_away_does_not_count(
    layout: Layout, album: Album, tmp_path: Path, changes: dict[str, object]
) -> None:
    plain, cut = (
        hanging_rows(plan_export(layout, tmp_path / "wall.pdf", settings), layout, album)
        for settings in (WALL, replace(WALL, **changes))
    )
    assert [row[4:8] for row in cut] == [pytest.approx(row[4:8]) for row in plain]


def test_a_caption_makes_the_photo_less_high_and_stands_in_the_list(
    layout: Layout, album: Album, tmp_path: Path
) -> None:
    settings = RenderSettings(paper="300x200mm", dpi=254, caption="name")
    plan = plan_export(layout, tmp_path / "wall.pdf", settings)
    rows = hanging_rows(plan, layout, album)
    assert [row[11] for row in rows] == [f"photo-{k}" for k in range(6)]
    assert all(row[6] == pytest.approx(row[7], abs=0.02) for row in rows), "square photos"
    titled = replace(album.photos[2], metadata=Metadata(title="Harbour"))
    named = replace(album, photos=(*album.photos[:2], titled, *album.photos[3:]))
    bare = hanging_rows(plan_export(layout, tmp_path / "wall.pdf", WALL), layout, named)
    assert [row[11] for row in bare] == ["", "", "Harbour", "", "", ""], "titles, where the sheet has no captions"


def test_pages_are_counted_without_the_cover_and_a_repeated_photo_has_several_lines(
    album: Album, tmp_path: Path
) -> None:
    shape = book(2, 1, 2)
    photo_at = np.full(4, -1)
    photo_at[shape.reading] = [0, 1, 1, 3]
    pages = replace(layout_of(shape, [-1] * 4), photo_at=photo_at)
    settings = RenderSettings(paper="A5", dpi=100, title="Crete")
    rows = hanging_rows(plan_export(pages, tmp_path / "book.pdf", settings), pages, album)
    assert [row[:4] for row in rows] == [
        ["photo-0.png", 1, 1, 1],
        ["photo-1.png", 1, 1, 2],
        ["photo-1.png", 2, 1, 1],
        ["photo-3.png", 2, 1, 2],
    ]


def test_it_is_written_as_a_table_that_names_its_columns(layout: Layout, album: Album, tmp_path: Path) -> None:
    plan = plan_export(layout, tmp_path / "wall.pdf", WALL)
    write_hanging_list(tmp_path / "wall.csv", plan, layout, album)
    lines = list(csv.DictReader((tmp_path / "wall.csv").open(encoding="utf-8")))
    assert [(line["photo"], line["left_cm"], line["top_cm"]) for line in lines[3:5]] == [
        ("photo-3.png", "0.0", "10.0"),
        ("photo-4.png", "10.0", "10.0"),
    ]
    with pytest.raises(AlbumError, match="could not be written"):
        write_hanging_list(tmp_path / "nowhere" / "wall.csv", plan, layout, album)
