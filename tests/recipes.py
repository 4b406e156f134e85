"""The recipes of .github/CONTRIBUTING.md, run as they are written."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from album_app.layout.shapes.shape import KINDS
from album_app.photos.features.table import EXTRACTORS
from album_app.render.formats.table import FORMATS

HOME = Path(__file__).parent.parent / ".github"
TABLES: tuple[dict[str, Any], ...] = (EXTRACTORS, FORMATS, KINDS)


@contextmanager
def recipes_followed() -> Iterator[None]:
    """All of them; the tables are as they were afterwards."""
    before = [dict(table) for table in TABLES]
    try:
        for block in re.findall(r"```python\n(.*?)```", (HOME / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL):
            exec(block, {"__name__": "recipe"})
        yield
    finally:
        for table, rows in zip(TABLES, before, strict=True):
            table.clear()
            table.update(rows)
