"""What every written sheet carries besides its pixels: the sRGB profile, and the name of the program that wrote it."""

from functools import cache

from PIL import Image, ImageCms, UnidentifiedImageError

SOFTWARE = "Album App"
_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    f'<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="{SOFTWARE}"/></rdf:RDF></x:xmpmeta>'
)
XMP = _XMP.encode()
_DATE = slice(24, 36)


@cache
def srgb() -> bytes:
    """The sRGB profile, the same bytes at all times."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_DATE] = bytes(12)
    return bytes(profile)


def is_sheet(path: object) -> bool:
    """Whether a picture file says that this program wrote it.

    >>> from PIL import Image
    >>> Image.new("RGB", (4, 4)).save("photo.png")
    >>> is_sheet("photo.png")
    False
    """
    try:
        with Image.open(str(path)) as image:
            info = image.info
            marks = [info.get("Software"), info.get("comment"), info.get("xmp")]
            if image.format == "TIFF":
                marks.append(image.tag_v2.get(305))  # type: ignore[attr-defined]
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return False
    return any(_says(mark) for mark in marks)


def _says(mark: object) -> bool:
    text = mark.decode("utf-8", "replace") if isinstance(mark, bytes) else str(mark)
    return text == SOFTWARE or f'CreatorTool="{SOFTWARE}"' in text
