"""Edits of what is on the sheet and how it is called: some photos alone, favourites, crops, titles, and a new start."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.layout import Options, Pins
from album_app.layout.crops import HandCrop
from album_app.layout.editing.book import chapter_titled
from album_app.layout.editing.edits import (
    Edit,
    all_again,
    alone,
    can_be_polished,
    captioned,
    chosen_again,
    coloured_by,
    cropped,
    larger_favourites,
    polished,
    resized,
    taken_over,
    titled,
    with_options,
    with_own_table,
)
from album_app.layout.editing.refit import reading_order
from album_app.layout.options import EFFORTS
from album_app.layout.project.document import Document
from album_app.layout.shapes.shape import ShapeSpec, book, build_shape, rectangle
from album_app.photos.album import Album
from album_app.photos.decoding.header import Metadata
from album_app.photos.tables import Table
from tests.layout.conftest import make_document


@pytest.fixture
def sheet(tmp_path: Path) -> Document:
    """Twelve photos, arranged on an automatic shape; the first is pinned."""
    document = make_document(tmp_path, [f"trip/{k}.jpg" for k in range(12)])
    shape, pins = build_shape(ShapeSpec(), 12), Pins({0: (0, 0)})
    layout = replace(reading_order(shape, range(12), pins), stage="refined", arranged=True, options=Options())
    return replace(document, spec=ShapeSpec(), shape=shape, pins=pins, excluded=frozenset(), layout=layout)


def made(edit: Edit | None) -> Document:
    assert edit is not None
    return edit.document


def test_some_photos_alone_and_all_again_as_they_were(sheet: Document) -> None:
    some = alone(replace(sheet, excluded=frozenset({11})), "Sea", [1, 2, 3, 11])
    document = made(some)
    assert some is not None and some.name == "Only Sea" and document.alone == "Sea"
    assert document.active == (1, 2, 3) and document.aside == {0, 4, 5, 6, 7, 8, 9, 10}
    assert document.shape.count == 3 and not document.pins
    again = made(all_again(document))
    assert (again.active, again.excluded, dict(again.pins)) == (tuple(range(11)), {11}, {0: (0, 0)})
    assert again.is_settled and not again.alone and not again.aside
    assert all_again(again) is None


def test_what_was_chosen_while_some_were_alone_is_kept(sheet: Document) -> None:
    some = made(alone(replace(sheet, crops={5: HandCrop(0.1)}, sizes={}), "Sea", [1, 2, 3]))
    some = replace(some, crops={1: HandCrop(0.2)}, captions={2: "Waves"}, title="By the sea", colour_by="folder")
    again = made(all_again(made(resized(some, [3], 2))))
    assert again.crops == {1: HandCrop(0.2), 5: HandCrop(0.1)} and again.captions == {2: "Waves"}
    assert (again.title, again.colour_by, dict(again.sizes)) == ("By the sea", "folder", {3: 2})


def test_all_again_where_the_sheet_before_is_not_known_any_more(sheet: Document) -> None:
    some = replace(made(alone(replace(sheet, excluded=frozenset({11})), "Sea", [1, 2, 3])), before_alone=None)
    again = made(all_again(some))
    assert again.excluded == {11} and not again.alone and not again.aside and not again.is_settled
    assert again.layout is not None and set(again.layout.shown) == set(range(11))


def test_alone_is_no_edit_or_refused_where_it_shows_nothing_or_everything(sheet: Document) -> None:
    assert alone(sheet, "All", range(12)) is None and alone(sheet, "None", []) is None
    assert alone(replace(sheet, missing=frozenset({1})), "Gone", [1]) is None
    with pytest.raises(UsageError, match="None of these"):
        alone(replace(sheet, excluded=frozenset({4})), "Out", [4])


def test_photos_with_four_and_five_stars_become_larger(sheet: Document) -> None:
    stars = {2: 4, 7: 5, 9: 3}
    photos = [
        replace(photo, metadata=Metadata(rating=stars.get(place, 0))) for place, photo in enumerate(sheet.album.photos)
    ]
    rated = replace(sheet, album=replace(sheet.album, photos=tuple(photos)), sizes={1: 3})
    after = made(larger_favourites(rated))
    assert dict(after.sizes) == {2: 2, 7: 3} and after.shape.count >= 12 + 3 + 8
    assert after.layout is not None and after.layout.sizes == {2: 2, 7: 3} and len(after.layout.shown) == 12
    assert larger_favourites(sheet) is None
    assert larger_favourites(replace(rated, excluded=frozenset({2, 7}))) is None


def test_a_crop_is_chosen_and_reset(sheet: Document) -> None:
    edit = cropped(sheet, 3, HandCrop(0.2, 0.4, 2.0), merge="crop")
    assert edit is not None and (edit.name, edit.merge) == ("Crop 3", "crop")
    both = made(cropped(edit.document, 4, HandCrop(0.1)))
    assert both.crops == {3: HandCrop(0.2, 0.4, 2.0), 4: HandCrop(0.1)}
    assert cropped(both, 4, HandCrop(0.1)) is None and cropped(both, 5, None) is None
    reset = cropped(both, 3, None)
    assert reset is not None and reset.name == "Reset the crop of 3" and reset.document.crops == {4: HandCrop(0.1)}


def test_titles_and_captions(sheet: Document) -> None:
    called = made(titled(sheet, "Crete", "In May", "none"))
    assert (called.title, called.subtitle, called.cover) == ("Crete", "In May", "none")
    assert titled(called, "Crete", "In May", "none") is None
    assert titled(called, "Crete", "In May") is not None and titled(called, "Crete", "", "none") is not None
    words = captioned(sheet, 3, "  The   sea ")
    assert words is not None and words.name == "Caption of 3" and words.document.captions == {3: "The sea"}
    assert captioned(words.document, 3, "The sea") is None
    assert made(captioned(words.document, 3, "")).captions == {}


def test_a_chapter_has_a_title_of_its_own_until_it_is_emptied(sheet: Document) -> None:
    pages = replace(sheet, shape=book(3, 2, 2))
    edit = chapter_titled(pages, 1, "  The   sea ")
    assert edit is not None and edit.name == "Chapter title of page 2"
    assert edit.document.chapter_titles == {1: "The sea"}
    assert chapter_titled(edit.document, 1, "The sea") is None
    assert made(chapter_titled(edit.document, 1, "")).chapter_titles == {}
    for page in (-1, 3):
        assert chapter_titled(pages, page, "Nowhere") is None
    assert chapter_titled(sheet, 0, "No book") is None


def test_colours_follow_a_column_until_the_table_has_it_no_more(sheet: Document) -> None:
    assert coloured_by(sheet, "", "") is None
    kind = coloured_by(sheet, "kind", "Kind")
    assert kind is not None and kind.name == "Colour by Kind" and kind.document.colour_by == "kind"
    bare = coloured_by(kind.document, "", "")
    assert bare is not None and bare.name == "Colour by nothing"
    path = Path("cats.csv")
    with_kind, without = (Table(path, "1", columns=names, rows=()) for names in (("file", "kind"), ("file",)))
    own = with_own_table(kind.document, with_kind)
    assert own.name == "Table cats.csv" and own.document.colour_by == "kind"
    assert with_own_table(own.document, with_kind).document.colour_by == "kind"
    for table in (without, None):
        assert with_own_table(own.document, table).document.colour_by == ""
    assert with_own_table(own.document, None).name == "Close the table"
    by_folder = replace(own.document, colour_by="folder")
    assert with_own_table(by_folder, None).document.colour_by == "folder", "it is no column"


def test_a_sheet_is_polished_where_photos_could_move(sheet: Document) -> None:
    edit = polished(sheet)
    assert edit is not None and edit.document.options.effort == EFFORTS[-1] and not edit.document.is_settled
    layout = edit.document.layout
    assert layout is not None and layout.options is not None and layout.options.effort == EFFORTS[0]
    assert can_be_polished(sheet)
    held = replace(sheet, held=frozenset(map(tuple, sheet.shape.cells[1:-1].tolist())))
    assert not can_be_polished(held), "one cell is free"
    two_free = replace(sheet, held=frozenset(map(tuple, sheet.shape.cells[1:-2].tolist())))
    assert can_be_polished(two_free)
    assert sheet.layout is not None
    for other in (
        replace(sheet, layout=None),
        replace(sheet, layout=replace(sheet.layout, options=None)),
        replace(sheet, layout=replace(sheet.layout, arranged=False)),
        replace(sheet, is_held=True),
    ):
        assert not can_be_polished(other)
    assert polished(replace(sheet, layout=None)) is None
    with pytest.raises(UsageError, match="held"):
        polished(replace(sheet, is_held=True))


def test_other_photos_are_chosen_where_there_are_more_than_cells(sheet: Document) -> None:
    assert chosen_again(sheet) is None and chosen_again(replace(sheet, layout=None)) is None
    full = replace(sheet, shape=rectangle(2, 5), layout=reading_order(rectangle(2, 5), range(12), sheet.pins))
    edit = chosen_again(full)
    assert edit is not None and edit.name == "Choose photos again" and edit.document.new_choice and not edit.merge


def test_photos_that_are_no_longer_repeated_keep_their_pin_or_their_first_cell(sheet: Document) -> None:
    shape, pins = rectangle(2, 4), Pins({1: (1, 3)})
    layout = replace(reading_order(shape, range(3), pins), photo_at=np.array([0, 1, 2, 0, 1, 2, 0, 1]))
    repeating = replace(sheet, shape=shape, pins=pins, layout=layout, options=Options(fill="repeat"))
    after = made(with_options(repeating, "Fill", fill="empty")).layout
    assert after is not None and after.photo_at.tolist() == [0, -1, 2, -1, -1, -1, -1, 1]
    seed = made(with_options(repeating, "Seed", seed=9)).layout
    assert seed is not None and seed.photo_at.tolist() == layout.photo_at.tolist()


def test_a_photo_frame_has_its_proportions_and_a_photo_that_is_nowhere_those_of_a_square(sheet: Document) -> None:
    shape = replace(rectangle(1, 2), is_justified=True)
    layout = replace(reading_order(shape, range(2)), aspects=np.array([2.0, 0.5]))
    assert [layout.frame_aspect(photo) for photo in (0, 1, 7)] == pytest.approx([2.0, 0.5, 1.0])


def followed(document: Document, **changes: object) -> Album:
    """The album as its folder is now: the photos that are there, some of them changed."""
    return replace(document.album, **changes)  # type: ignore[arg-type]


def test_a_folder_is_followed_photos_change_go_and_come_back(sheet: Document) -> None:
    photos = list(sheet.album.photos)
    photos[3] = replace(photos[3], size=999, taken=datetime(2020, 1, 1))
    changed = taken_over(sheet, followed(sheet, photos=(photos[3],)), frozenset())
    assert changed is not None and changed.name == "Follow the folder"
    assert changed.document.album.photos[3].size == 999 and changed.document.active == tuple(range(12))
    gone = made(taken_over(sheet, followed(sheet, photos=()), frozenset({5, 6})))
    assert gone.missing == {5, 6} and 5 in gone.excluded and 5 not in gone.active
    assert gone.layout is not None and not {5, 6} & set(gone.layout.shown)
    back = made(taken_over(gone, followed(sheet, photos=(photos[5],)), frozenset(), back=frozenset({5, 6})))
    assert back.missing == {6} and 5 in back.active and 6 not in back.active
    assert taken_over(sheet, followed(sheet, photos=()), frozenset()) is None


def test_a_photo_that_moved_stays_where_it_lies_and_is_called_as_its_file_is(sheet: Document, tmp_path: Path) -> None:
    new = replace(sheet.album.photos[4], path=tmp_path / "other" / "new.jpg", name="new.jpg")
    edit = taken_over(sheet, followed(sheet, photos=(new,)), frozenset({4}), moved={4: new.path})
    after = made(edit)
    assert (after.album.photos[4].path, after.album.photos[4].name) == (new.path, "new.jpg")
    assert not after.missing and len(after.album) == 12 and after.layout is not None and sheet.layout is not None
    assert after.layout.cell_of(4) == sheet.layout.cell_of(4)


def test_photos_that_join_while_others_go_are_one_edit(sheet: Document, tmp_path: Path) -> None:
    more = make_document(tmp_path / "more", ["x.jpg"]).album.photos
    joined = taken_over(sheet, followed(sheet, photos=more), frozenset())
    assert joined is not None and joined.name == "Add x" and len(joined.document.album) == 13
    both = taken_over(sheet, followed(sheet, photos=more), frozenset({0}))
    assert both is not None and both.name == "Follow the folder"
    assert both.document.missing == {0} and 12 in both.document.active and 0 not in both.document.active
