"""The bones of a PDF file: numbered objects, streams, and the table that says where each one is.

By hand, because a sheet may hold thousands of photos: what is written here leaves memory at once, which the usual
libraries, made for whole documents, do only on closing.
"""

import zlib
from typing import BinaryIO

Entries = dict[str, str]


class PdfFile:
    """Writes objects one after the other, so that memory never holds more than one of them."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at: dict[int, int] = {}
        self._next = 1
        self._position = 0
        self._write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def reserve(self) -> int:
        """A number for an object that others must name before it is written."""
        number = self._next
        self._next += 1
        return number

    def add(self, entries: Entries, number: int | None = None) -> int:
        """Write a dictionary and return its number."""
        return self._object(_dictionary(entries), number)

    def add_list(self, items: list[str]) -> int:
        """Write an array and return its number."""
        return self._object(f"[{' '.join(items)}]".encode("ascii"), None)

    def stream(self, data: bytes, entries: Entries, compress: bool = True) -> int:
        """Write data with a dictionary that describes it, and return its number."""
        if compress:
            data = zlib.compress(data, 6)
            entries = {**entries, "Filter": "/FlateDecode"}
        head = _dictionary({**entries, "Length": str(len(data))})
        return self._object(head + b"\nstream\n" + data + b"\nendstream", None)

    def finish(self, root: int, info: int) -> None:
        """Write the table of objects and the trailer."""
        start = self._position
        lines = [f"xref\n0 {self._next}\n0000000000 65535 f \n"]
        lines += [f"{self._at[number]:010d} 00000 n \n" for number in range(1, self._next)]
        trailer = _dictionary({"Size": str(self._next), "Root": ref(root), "Info": ref(info)})
        self._write("".join(lines).encode("ascii") + b"trailer\n" + trailer)
        self._write(f"\nstartxref\n{start}\n%%EOF\n".encode("ascii"))

    def _object(self, body: bytes, number: int | None) -> int:
        number = self.reserve() if number is None else number
        self._at[number] = self._position
        self._write(f"{number} 0 obj\n".encode("ascii") + body + b"\nendobj\n")
        return number

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._position += len(data)


def ref(number: int) -> str:
    """How one object names another."""
    return f"{number} 0 R"


def number(value: float) -> str:
    """A number as short as it can be written."""
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def text_string(text: str) -> str:
    """A string of any characters, in hexadecimal."""
    return "<FEFF" + text.encode("utf-16-be", "replace").hex().upper() + ">"


def _dictionary(entries: Entries) -> bytes:
    inner = " ".join(f"/{key} {value}" for key, value in entries.items())
    return f"<< {inner} >>".encode("ascii")
