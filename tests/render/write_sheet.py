"""Plans and writes a sheet in one call, as most tests want it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.render import RenderSettings, export, plan_export


def write_sheet(
    layout: Layout,
    album: Album,
    path: Path | str,
    settings: RenderSettings | None = None,
    *,
    before: Sequence[Layout] = (),
    **options: Any,
) -> Path:
    """Write a layout and return the first of its files."""
    plan = plan_export(layout, path, settings, moving=bool(before))
    return export(layout, album, plan, before=before, **options)[0]
