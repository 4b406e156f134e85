"""`album-app arrange --pages`: books from folders."""

import json
from pathlib import Path

import pytest

from album_app.layout.project.project_file import load_project

from .conftest import PHOTOS, Run


def test_a_folder_becomes_a_book(run: Run, folder: Path, tmp_path: Path) -> None:
    book, report, project = tmp_path / "trip.png", tmp_path / "trip.json", tmp_path / "trip.album"
    done = run(
        *("arrange", folder, "-o", book, "--report", report, "--project", project, "--cell", 16),
        *("--pages", "auto", "--shape", "2x3", "--pin", "p00.png@2:1,2"),
    )
    assert done.code == 0, done.err
    needed = -(-PHOTOS // 6)
    last = tmp_path / f"trip-0{needed}.png"
    assert done.out.startswith(f"{tmp_path / 'trip-01.png'} … {last}, {project}, {report}: {PHOTOS} photos on ")
    assert len(list(tmp_path.glob("trip-*.png"))) == needed and not book.exists()
    pages = json.loads(report.read_text())["pages"]
    assert [page["page"] for page in pages] == list(range(1, needed + 1))
    assert sorted(name for page in pages for name in page["photos"]) == sorted(
        photo.name for photo in load_project(project).album.photos
    )
    assert pages[1]["photos"][5] == "p00.png"
    document = load_project(project)
    assert document.spec.kind == "pages" and document.shape.pages is not None


def test_a_book_written_into_its_folder_is_no_part_of_the_next(run: Run, folder: Path) -> None:
    for _ in range(2):
        done = run("arrange", folder, "-o", folder / "book.png", "--pages", 2, "--cell", 16)
        assert done.code == 0 and f"{PHOTOS} photos on" in done.out


def test_pages_fill_their_paper(run: Run, folder: Path, tmp_path: Path) -> None:
    project = tmp_path / "trip.album"
    done = run("arrange", folder, "--project", project, "--pages", 2, "--fit-paper", "--paper", "300x100px")
    assert done.code == 0, done.err
    pages = load_project(project).shape.pages
    assert pages is not None and pages.count == 2 and pages.columns > pages.rows


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pages", "0"), "--pages"),
        (("--pages", "many"), "--pages"),
        (("--pages", "3", "--shape", "heart"), "rows x columns"),
        (("--pages", "3", "--text", "Hi"), "rows x columns"),
        (("--pages", "3", "--shape", "4x5", "--cells", "9"), "rows x columns"),
        (("--pages", "3", "--shape", "4x5", "--pin", "p00.png@0,0"), "PATH@PAGE:ROW,COL"),
        (("--pages", "3", "--shape", "4x5", "--pin", "p00.png@4:0,0"), "pages go from 1 to 3"),
        (("--shape", "4x5", "--pin", "p00.png@1:0,0"), "PATH@ROW,COL"),
        (("--pages", "3", "--poster", "A4"), "poster"),
        (("--pages", "99999", "--shape", "99x99"), "do not fit"),
    ],
)
def test_a_book_that_cannot_be_is_refused(run: Run, folder: Path, tmp_path: Path, words: tuple[str], said: str) -> None:
    done = run("arrange", folder, "-o", tmp_path / "trip.png", *words)
    assert done.code == 2 and said in done.err
    assert not list(tmp_path.glob("trip*"))


def test_a_timeline_with_pages_makes_chapters(run: Run, folder: Path, tmp_path: Path) -> None:
    for number, photo in enumerate(sorted(folder.rglob("p*.png"))):
        photo.rename(photo.with_name(f"IMG_202405{1 + number // 8:02}_1200{number:02}.png"))
    report = tmp_path / "trip.json"
    done = run("arrange", folder, "-o", tmp_path / "t.svg", "--report", report, "--pages", "auto", "--timeline")
    assert done.code == 0, done.err
    pages = json.loads(report.read_text())["pages"]
    days = [sorted({name.rsplit("/", 1)[-1][4:12] for name in page["photos"]}) for page in pages]
    assert days == sorted(days) and all("May 2024" in page["title"] for page in pages)
    chapters = [page["chapter"] for page in pages if page["chapter"]]
    assert chapters[0] == "1–2 May 2024" and chapters[0] in (tmp_path / "t-01.svg").read_text()


def test_a_book_has_a_cover_of_its_own_choice(run: Run, folder: Path, tmp_path: Path) -> None:
    book, project = tmp_path / "trip.svg", tmp_path / "trip.album"
    words = ("--pages", "auto", "--shape", "2x3", "--cover", "p01.png", "--subtitle", "By the sea")
    done = run("arrange", folder, "-o", book, "--project", project, *words)
    assert done.code == 0, done.err
    cover = (tmp_path / "trip-00.svg").read_text()
    assert "By the sea</text>" in cover and cover.count("<image") == 1
    document = load_project(project)
    assert (document.subtitle, document.cover) == ("By the sea", "p01.png")
    assert document.spec.fill_pages and document.shape.fills_pages
    again = run("arrange", project, "-o", tmp_path / "again.svg")
    assert again.code == 0 and "By the sea</text>" in (tmp_path / "again-00.svg").read_text()
    assert "p99.png" in run("arrange", folder, "-o", book, "--pages", 2, "--cover", "p99.png").err


def test_chapters_have_titles_of_ones_own(run: Run, folder: Path, tmp_path: Path) -> None:
    project, report = tmp_path / "trip.album", tmp_path / "trip.json"
    book = ("--pages", 3, "--shape", "4x4", "--cell", 16)
    titles = ("--chapter-title", "2=To the sea", "--chapter-title", "3=Home \U00012f90")
    done = run("arrange", folder, "-o", tmp_path / "t.svg", "--project", project, "--report", report, *book, *titles)
    assert done.code == 0, done.err
    assert "\U00012f90" in done.err, "a letter that no font has is named"
    assert load_project(project).chapter_titles == {1: "To the sea", 2: "Home \U00012f90"}
    assert [page["chapter"] for page in json.loads(report.read_text())["pages"]][1:] == [
        "To the sea",
        "Home \U00012f90",
    ]
    assert "To the sea" in (tmp_path / "t-02.svg").read_text()
    done = run("arrange", project, "-o", tmp_path / "t.html", "--chapter-title", "3=Home")
    assert done.code == 0 and "To the sea" in (tmp_path / "t.html").read_text(), done.err
    for wrong, said in (("4=No", "from 1 to 3"), ("sea", "PAGE=TEXT"), ("0=No", "PAGE=TEXT")):
        done = run("arrange", folder, "-o", tmp_path / "no.svg", *book, "--chapter-title", wrong)
        assert done.code == 2 and said in done.err
    done = run("arrange", folder, "-o", tmp_path / "no.svg", "--chapter-title", "1=No")
    assert done.code == 2 and "--pages" in done.err and not list(tmp_path.glob("no*"))
