"""Title, description, keywords and rating as programs write them into photos: by XMP, IPTC and EXIF."""

import struct
from pathlib import Path

import pytest
from PIL import Image

from album_app.photos.album import scan
from album_app.photos.cache import Cache
from album_app.photos.decoding.header import LONGEST_TITLE, Header, Metadata, read_header
from album_app.photos.records import packed, unpacked

XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" {rating}>
<dc:title><rdf:Alt><rdf:li xml:lang="de">Hafen</rdf:li>
<rdf:li xml:lang="x-default">Harbour</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Boats
in the evening</rdf:li></rdf:Alt></dc:description>
<dc:subject><rdf:Bag><rdf:li>boat</rdf:li><rdf:li>Ærø</rdf:li><rdf:li>boat</rdf:li></rdf:Bag></dc:subject>
{element}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
HARBOUR = Metadata("Harbour", "Boats in the evening", ("boat", "Ærø"), 4)


def xmp(rating: str = 'xmp:Rating="4"', element: str = "") -> bytes:
    return XMP.format(rating=rating, element=element).encode()


def exif_of(**tags: object) -> Image.Exif:
    exif = Image.Exif()
    for tag, value in tags.items():
        exif[int(tag.removeprefix("t"), 16)] = value
    return exif


def wide(text: str) -> bytes:
    return f"{text}\0".encode("utf-16-le")


def with_iptc(path: Path, *records: tuple[int, bytes]) -> Path:
    """A JPEG with an IPTC record in a Photoshop resource, as agencies write it."""
    data = b"".join(b"\x1c\x02" + struct.pack(">BH", number, len(value)) + value for number, value in records)
    resource = (
        b"8BIM" + struct.pack(">H", 0x0404) + b"\0\0" + struct.pack(">I", len(data)) + data + b"\0" * (len(data) % 2)
    )
    segment = b"Photoshop 3.0\0" + resource
    Image.new("RGB", (8, 6)).save(path)
    content = path.read_bytes()
    path.write_bytes(content[:2] + b"\xff\xed" + struct.pack(">H", len(segment) + 2) + segment + content[2:])
    return path


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif", "avif"])
def test_xmp_is_read_from_every_kind_of_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"photo.{suffix}"
    if suffix == "png":
        from PIL.PngImagePlugin import PngInfo

        text = PngInfo()
        text.add_itxt("XML:com.adobe.xmp", xmp().decode())
        Image.new("RGB", (8, 6)).save(path, pnginfo=text)
    elif suffix == "tif":
        Image.new("RGB", (8, 6)).save(path, tiffinfo={700: xmp()})
    else:
        Image.new("RGB", (8, 6)).save(path, xmp=xmp())
    header = read_header(path)
    assert header.metadata == HARBOUR
    assert unpacked(Header, packed(header, []), ()) == header


@pytest.mark.parametrize(
    ("rating", "element", "stars"),
    [
        ("", "<xmp:Rating>5</xmp:Rating>", 5),
        ('xmp:Rating="-1"', "", -1),
        ('xmp:Rating="99"', "", 5),
        ('xmp:Rating="nan"', "", 0),
        ('xmp:Rating="many"', "", 0),
    ],
)
def test_ratings_are_stars(tmp_path: Path, rating: str, element: str, stars: int) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "a.jpg", xmp=xmp(rating, element))
    assert read_header(tmp_path / "a.jpg").metadata.rating == stars


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"t010E": "Lighthouse"}, Metadata(description="Lighthouse")),
        ({"t010E": "OLYMPUS DIGITAL CAMERA         "}, Metadata()),
        ({"t4746": 3}, Metadata(rating=3)),
        ({"t4749": 99}, Metadata(rating=5)),
        ({"t4749": 25}, Metadata(rating=2)),
        ({"t9C9B": wide("Tür"), "t9C9E": wide("red;door;")}, Metadata("Tür", keywords=("red", "door"))),
        ({"t010E": "x" * 5000}, Metadata(description="x" * 2000)),
    ],
)
def test_exif_as_cameras_and_windows_write_it(tmp_path: Path, tags: dict[str, object], expected: Metadata) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "a.jpg", exif=exif_of(**tags))
    assert read_header(tmp_path / "a.jpg").metadata == expected


def test_iptc_in_utf8_and_older_letters(tmp_path: Path) -> None:
    records = (5, b"Kai"), (120, "Möwe".encode("cp1252")), (25, b"sea"), (25, "Möwe".encode())
    found = read_header(with_iptc(tmp_path / "a.jpg", *records)).metadata
    assert found == Metadata("Kai", "Möwe", ("sea", "Möwe"))


def test_xmp_counts_before_exif_and_what_it_lacks_is_filled(tmp_path: Path) -> None:
    exif = exif_of(t010E="by the camera", t4746=2)
    Image.new("RGB", (8, 6)).save(tmp_path / "a.jpg", xmp=xmp(rating=""), exif=exif)
    assert read_header(tmp_path / "a.jpg").metadata == Metadata("Harbour", "Boats in the evening", HARBOUR.keywords, 2)


@pytest.mark.parametrize(
    "packet",
    [
        b"<x:xmpmeta",
        b"\xff\xfe\0",
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        xmp().replace(b"Harbour", b"H\0\x1b[31m"),
        b"<a/>" * 400_000,
    ],
)
def test_packets_that_make_no_sense_say_nothing(tmp_path: Path, packet: bytes) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "a.webp", xmp=packet)
    assert read_header(tmp_path / "a.webp").metadata == Metadata()


def test_long_titles_are_cut_to_one_bounded_line(tmp_path: Path) -> None:
    long = xmp().replace(b"Harbour", b"Har\n\tbour " * 1000)
    Image.new("RGB", (8, 6)).save(tmp_path / "a.webp", xmp=long)
    title = read_header(tmp_path / "a.webp").metadata.title
    assert title.startswith("Har bour Har") and len(title) <= LONGEST_TITLE


def test_photos_of_an_album_know_their_metadata_from_the_file_and_from_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    Image.new("RGB", (8, 6)).save(folder / "a.jpg", xmp=xmp())
    with Cache.open(tmp_path / "cache") as cache:
        for decode_for in (0.0, 9.0, 0.0):
            (photo,) = scan(folder, cache=cache, decode_for=decode_for).photos
            assert photo.metadata == HARBOUR
