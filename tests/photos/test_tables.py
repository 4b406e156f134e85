"""Tables of the user's own: how they are read, how their lines find photos, and what photos can be filtered by."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from album_app.errors import UsageError
from album_app.photos.album import Album, Photo
from album_app.photos.decoding.header import CAMERA, FILE, TABLE, Metadata
from album_app.photos.facets import DATE, NUMBER, TEXT, facet_named, facets_of
from album_app.photos.tables import match, read_table, with_table

NAMES = ("cats/a.jpg", "cats/b.jpg", "dogs/c.jpg", "dogs/puppies/d.jpg")


def album(names: tuple[str, ...] = NAMES, keywords: tuple[tuple[str, ...], ...] = ((),) * 4) -> Album:
    notes = [Metadata(keywords=words) for words in keywords]
    photos = (Photo(Path(name), name, 1, 1, 4, 3, metadata=note) for name, note in zip(names, notes, strict=False))
    return Album((Path(),), tuple(photos))


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "table.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_tables_of_any_spreadsheet_are_read(tmp_path: Path, sign: str, encoding: str) -> None:
    text = f'Größe{sign}Bild{sign}"a{sign} b"\r\nklein{sign}a.jpg{sign}"x{sign}\ny"\r\n\r\ngroß{sign}c{sign}\r\n'
    table = read_table(written(tmp_path, text, encoding))
    assert table.columns == ("Größe", "Bild", f"a{sign.strip() or ''} b" if sign != "\t" else "a b")
    assert table.rows[1] == ("groß", "c", ""), "an empty line is no line"
    found = match(table, album())
    assert (found.column, found.row_of, found.strangers) == (1, {0: 0, 2: 1}, 0)
    assert with_table(album(), table).photos[2].metadata.row.get("Größe") == "groß"


def test_lines_and_photos_without_each_other_are_counted(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "file,class\nC:\\pictures\\CATS\\A.JPG,cat\nx.jpg,cow\ny.jpg,cow\n"))
    assert match(table, album()).row_of == {0: 0}, "by a longer path, in capitals"
    words = match(table, album()).remark(4)
    assert words == "2 lines of the table name no photo of this album. 3 photos have no line in the table."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("file,class\nx.jpg,cow\n", r"No column of the table table.csv names photos.*file, class.*cats/a.jpg"),
        ("file,class\na.jpg,1\ncats/a.jpg,2\nb.jpg,1\nb,1\n", r"2 photos have several lines, the first one cats/a.jpg"),
        ("file,class\nsame.jpg,1\na.jpg,2\n", r"1 line names several photos; write folders.*“file”"),
        ("file,class\n", "has no lines"),
        ("file,file\na.jpg,b\n", "two columns called “file”"),
        ("\0\0\1", "is no table of text"),
        (",".join(map(str, range(300))) + "\n1\n", "more than 200 columns"),
    ],
)
def test_what_cannot_be_used_is_named_with_counts(tmp_path: Path, text: str, complaint: str) -> None:
    photos = album((*NAMES, "x/same.jpg", "y/same.jpg"), ((),) * 6)
    with pytest.raises(UsageError, match=complaint):
        match(read_table(written(tmp_path, text)), photos)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none.csv could not be read"):
        read_table(tmp_path / "none.csv")


def test_folders_and_keywords_are_facets_without_a_table() -> None:
    facets = facets_of(album(keywords=(("sun", "sea"), ("sea",), (), ())).photos)
    folder, keywords = facets["folder"], facets["keywords"]
    assert folder.labels == ("cats", "dogs", "dogs/puppies")
    assert folder.with_label("dogs").tolist() == [False, False, True, True], "with the folders inside"
    assert [folder.labels[k] for k in folder.main] == ["cats", "cats", "dogs", "dogs/puppies"]
    assert keywords.with_label("sun").tolist() == [True, False, False, False]
    assert keywords.with_label("").tolist() == [False, False, True, True], "those without any"
    assert keywords.labels[keywords.main[0]] == "sea", "the commoner one stands for the photo"


def test_columns_are_texts_numbers_or_dates(tmp_path: Path) -> None:
    lines = ["f;kind;cm;when;all;class", "a;x;1,5;2024-02-29;1;1", "b;y;-2;31.12.2024;1;a", "c;x;;2025-01-01 12:00;1;2"]
    facets = facets_of(with_table(album(), read_table(written(tmp_path, "\n".join(lines)))).photos)
    assert {key: facets[key].kind for key in ("kind", "cm", "when", "class")} == {
        **{"kind": TEXT, "cm": NUMBER},
        **{"when": DATE, "class": TEXT},
    }
    assert "all" not in facets, "it tells no photo from another"
    assert facets["cm"].between("-2", "1.5").tolist() == [True, True, False, False]
    assert facets["cm"].between("", "0").tolist() == [False, True, False, False]
    assert facets["when"].between("2024", "2024").tolist() == [True, True, False, False]
    assert facets["when"].between("2024-12", "1.1.2025").tolist() == [False, True, True, False]
    assert facets["when"].between("2025", "").tolist() == [False, False, True, False], "from January on"
    assert facets["when"].between("", "2024-11").tolist() == [True, False, False, False]
    assert facets["when"].between("31.12.2024", "31.12.2024").tolist() == [False, True, False, False]
    assert facets["when"].between("2025-01-01 11:59:59", "2025-01-01 12:00").tolist() == [False, False, True, False]
    assert facets["when"].between("2025-01-01 12:00:01", "").tolist() == [False, False, False, False]
    assert facets["cm"].words == ("-2", "1,5")
    for words in ("soon", "2024-00", "2024-13", "0000", "30.2.2024", "2024-02-29 24:00"):
        with pytest.raises(UsageError, match="is no date"):
            facets["when"].between(words, "")
    with pytest.raises(UsageError, match="is no number"):
        facets["cm"].between("", "1e999")
    assert facet_named(facets, "KIND").key == "kind"
    with pytest.raises(UsageError, match="no column “size”; there are f, kind, cm"):
        facet_named(facets, "size")


def test_numbers_of_classes_are_no_quantities_and_names_of_files_no_classes(tmp_path: Path) -> None:
    names = tuple(f"{number % 7}/{number}.jpg" for number in range(5000))
    text = "file,class,n\n" + "\n".join(f"{name},{name[0]},{k}" for k, name in enumerate(names))
    facets = facets_of(with_table(album(names, ((),) * 5000), read_table(written(tmp_path, text))).photos)
    assert "file" not in facets, "names of files group nothing"
    assert np.array_equal(facets["class"].counts, facets["folder"].counts)
    assert facets["n"].between("10", "19").sum() == 10


@pytest.mark.parametrize(
    ("title", "values", "column"),
    [
        ("year", ("1875", "c. 1920", "unknown"), "year"),
        ("Jahr", ("1875", "1920", "1931"), "Jahr"),
        ("height", ("1875", "1920", "1931"), ""),
        ("seen", ("2024-05-31", "1.6.2024", ""), "seen"),
        ("date", ("soon", "later", "1931"), ""),
    ],
)
def test_a_column_of_dates_or_years_dates_photos_that_only_their_files_date(
    tmp_path: Path, title: str, values: tuple[str, ...], column: str
) -> None:
    photos = tuple(
        Photo(Path(name), name, 1, 0, 30, 20, datetime(2026, 11, 19), by)
        for name, by in (("a.jpg", FILE), ("b.jpg", CAMERA), ("c.jpg", FILE))
    )
    lines = [f"{photo.name};{value}" for photo, value in zip(photos, values, strict=True)]
    dated = with_table(Album((), photos), read_table(written(tmp_path, "\n".join([f"file;{title}", *lines])))).photos
    assert dated[0].metadata.row.date_column == column
    assert dated[0].taken_by == (TABLE if column else FILE) and dated[1].taken_by == CAMERA
    assert dated[2].taken_by == (TABLE if title == "Jahr" else FILE)
    assert not column or dated[0].taken in (datetime(1875, 1, 1), datetime(2024, 5, 31))
