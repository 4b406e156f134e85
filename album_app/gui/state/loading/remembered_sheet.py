"""The sheet of a folder as it was found the last time: as long as its photos are the same, it stands at once."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from album_app import __version__
from album_app.errors import UsageError
from album_app.layout.project.document import Document
from album_app.layout.project.document_json import pack_layout, unpack_layout
from album_app.layout.project.json_io import Node, json_pieces
from album_app.photos.cache import Cache

KIND = "sheet:2"


@dataclass(frozen=True)
class _Key:
    """What a sheet depends on, as the cache names a file: its folder, how many photos there are, and a digest."""

    path: Path
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, document: Document) -> "_Key":
        album = document.album
        made_of = hashlib.sha256(__version__.encode())
        for root in album.roots:
            made_of.update(os.fsencode(root) + b"\0")
        for photo in album.photos:
            made_of.update(b"%s\0%d\0%d\0" % (os.fsencode(photo.path), photo.size, photo.mtime_ns))
        wanted = {"spec": asdict(document.spec), "options": asdict(document.options)}
        made_of.update(json.dumps(wanted, sort_keys=True).encode())
        made_of.update(document.shape.mask.tobytes())
        return cls(album.roots[0], len(album), int.from_bytes(made_of.digest()[:8], "big") >> 1)


def remember_sheet(document: Document) -> None:
    """Keep the sheet of a new document that the user has not changed."""
    if document.layout is not None and document.album.roots:
        text = "".join(json_pieces(pack_layout(document.layout)))
        with Cache.open() as cache:
            cache.put([(KIND, _Key.of(document), text.encode())])


def with_remembered_sheet(document: Document) -> Document:
    """A new document on the sheet that it had the last time; without one, or where it makes no sense, as it is."""
    if not document.album.roots:
        return document
    with Cache.open() as cache:
        (content,) = cache.get(KIND, [_Key.of(document)])
    if content is None:
        return document
    try:
        layout = unpack_layout(Node.parse(content, "cache"), document.shape, len(document.album), document.options)
    except UsageError:
        return document
    return replace(document, layout=layout)
