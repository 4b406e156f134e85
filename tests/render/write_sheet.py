"""Plans and writes a sheet in one call, as most tests want it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from album_app.layout.layout import Layout
from album_app.photos.album import Album
from album_app.render import RenderSettings, export, plan_export
from album_app.render.formats.format import PixelFormat
from album_app.render.painters.pixels import Limits


def write_sheet(
    layout: Layout,
    album: Album,
    path: Path | str,
    settings: RenderSettings | None = None,
    *,
    before: Sequence[Layout] = (),
    limits: Limits | None = None,
    **options: Any,
) -> Path:
    """Write a layout and return the first of its files; `limits` are those of drawing and encoding band by band."""
    plan = plan_export(layout, path, settings, moving=bool(before))
    if limits is not None:
        assert isinstance(plan.kind, PixelFormat)
        plan = replace(plan, kind=replace(plan.kind, limits=limits))
    return export(layout, album, plan, before=before, **options)[0]
