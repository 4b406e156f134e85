"""A folder becomes a sheet: the steps that `arrange` and `demo` share."""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from album_app import render
from album_app.cli.files import read_album, refuse_foreign
from album_app.cli.progress import Bar, Bars
from album_app.cli.wishes import (
    Wishes,
    WordPins,
    chosen_cover,
    chosen_crops,
    chosen_pins,
    chosen_sizes,
    named_photos,
    wishes_of,
    with_word_pins,
)
from album_app.errors import UsageError
from album_app.file_names import printable
from album_app.language import mark, tr, trn
from album_app.layout import Options, Pins, Shape, ShapeSpec, build_shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.arranging.large_photos import cells_added, varied_sizes
from album_app.layout.captions import read_captions, with_captions
from album_app.layout.crops import Crops, HandCrop
from album_app.layout.editing.refit import with_proportions
from album_app.layout.editing.timeline import blended, moments_for_chapters, with_timeline
from album_app.layout.evaluation.region_names import Label, named_regions
from album_app.layout.evaluation.suggest import with_preset
from album_app.layout.layout import STAGES, Layout
from album_app.layout.project.document import Document, all_but
from album_app.layout.project.project_file import PROJECT_SUFFIX
from album_app.layout.shapes.blocks import Variation
from album_app.layout.shapes.outlines import grown
from album_app.own_files import HANGING_LIST, PROJECT, REPORT, SHEET
from album_app.paths import Replacing, is_file
from album_app.photos.album import Album, Skipped, replacing
from album_app.photos.album_features import album_features, draft_of, rows_remark
from album_app.photos.cache import Cache
from album_app.photos.decoding.decode import Undecodable
from album_app.photos.decoding.image_formats import is_sheet
from album_app.photos.faces import Focus, focus_of
from album_app.photos.facets import facet_named, facets_of
from album_app.photos.features import features_key
from album_app.photos.near_duplicates import near_duplicates
from album_app.photos.quality import quality_of
from album_app.photos.tables import Table, match, with_table
from album_app.render.formats.animation import story
from album_app.render.page.settings import COARSE_DPI
from album_app.work import OnProgress


@dataclass(frozen=True)
class Request:
    """A folder, and how its photos become a sheet."""

    folder: Path
    spec: ShapeSpec = field(default_factory=ShapeSpec)
    options: Options = field(default_factory=Options)
    settings: render.RenderSettings = field(default_factory=render.RenderSettings)
    pins: tuple[str, ...] = ()  # PATH@ROW,COL
    pins_file: Path | None = None
    preset: str = ""
    output: Path | None = None
    project: Path | None = None
    report: Path | None = None
    animate: bool = False  # write an animation that shows how the sheet came about
    strict: bool = False  # write only the report if a photo is missing or damaged
    timeline: bool = False  # pin the earliest photos on the left and the latest on the right
    stack: bool = False  # show only the best of photos that are nearly the same
    force: bool = False  # replace files that the program did not write
    include: tuple[str, ...] = ()  # photos that are shown in any case, by name or pattern
    exclude: tuple[str, ...] = ()  # photos that are left out
    held: Document | None = None  # a project whose photos stay in their cells
    sizes: tuple[str, ...] = ()  # PATH=SIZE
    vary_sizes: float = 0.0  # 0 to 1
    crop: str = "focus"  # or "centre"
    foci: tuple[str, ...] = ()  # PATH@X,Y
    captions_file: Path | None = None
    hanging_list: Path | None = None  # where each photo hangs on the paper, as a CSV
    table: Table | None = None  # of the user's, with a line per photo
    pin_words: tuple[str, ...] = ()  # WORD@PLACE
    draft: bool = False  # arrange and draw the previews in the files

    @property
    def is_project(self) -> bool:
        """Whether `folder` is a project, whose sheet is written unchanged."""
        return self.folder.suffix.lower() == PROJECT_SUFFIX and is_file(self.folder)

    def spec_for(self, photos: int) -> ShapeSpec:
        """The wanted shape, with the rows and columns or lines that fill the paper if that is wanted."""
        fills = self.settings.fit_paper or (self.spec.kind == "rows" and self.settings.paper)
        return render.filling_paper(self.spec, photos, self.settings) if fills else self.spec

    def planned(self, sheet: Shape | Layout) -> render.ExportPlan | None:
        """The checked plan of the sheet if one is wanted; a shape can be planned before its layout is known."""
        if self.output is None:
            return None
        return render.plan_export(sheet, self.output, self.settings, moving=self.animate)

    @property
    def kinds(self) -> list[tuple[Path, str]]:
        """Every file to write, with the kind of file that it becomes."""
        named = (
            *((self.output, SHEET), (self.project, PROJECT)),
            *((self.report, REPORT), (self.hanging_list, HANGING_LIST)),
        )
        return [(path, kind) for path, kind in named if path is not None]

    @property
    def targets(self) -> list[Path]:
        """Every file to write."""
        return [path for path, _ in self.kinds]

    def check_targets(self, album: Album | None = None) -> None:
        """Refuse targets that must not be replaced: files of the folder, or of the album once it is known."""
        kept = Replacing(self.force, (self.folder,)) if album is None else replacing(album, self.force)
        for path, kind in self.kinds:
            if kind != SHEET or self.spec.kind != "pages":  # the pages of a book have names of their own
                refuse_foreign(path, kind, kept)

    @property
    def earlier(self) -> list[Path]:
        """The pages of an earlier book of this name, which may be replaced."""
        if self.output is None or self.spec.kind != "pages":
            return []
        return [path for path in render.earlier_files(self.output) if is_sheet(path)]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A finished sheet, what it was made from, and the seconds of each step."""

    album: Album
    features: NDArray[np.float32]
    layout: Layout
    seconds: Mapping[str, float]
    faults: Mapping[int, Undecodable]  # photos of the layout that can no longer be read
    active: tuple[int, ...]  # photos that took part in arranging
    stacks: tuple[tuple[int, ...], ...]  # near-duplicates, the shown photo first
    complete: bool = True  # False if only a report can be written
    files: Sequence[Path] = ()  # of the sheet
    plan: render.ExportPlan | None = None  # of the sheet, if one was wanted
    wishes: Wishes = field(default_factory=Wishes)
    crops: Crops = field(default_factory=Crops)
    captions: Mapping[int, str] = field(default_factory=dict)
    word_pins: tuple[WordPins, ...] = ()
    previews: int = 0  # photos of which only the previews in their files were used
    chapter_titles: Mapping[int, str] = field(default_factory=dict)  # chosen by the user, by page from 0 on

    @property
    def drawn(self) -> Layout:
        """The layout as it is drawn: the cells of photos that cannot be read are empty."""
        return self.layout.without(self.faults)

    def document(self, request: Request) -> Document:
        """The sheet as a project keeps it."""
        return Document(
            self.album,
            self._spec(request) if self.wishes.held is None else self.wishes.held.spec,
            self.layout.shape,
            self.layout.pins,
            request.options,
            layout=self.layout,
            stacks=self.stacks,
            title=request.settings.title,
            subtitle=request.settings.subtitle,
            cover=_cover(request, self.album),
            chapter_titles=self.chapter_titles,
            excluded=self.wishes.excluded,
            always_shown=self.wishes.always,
            is_held=self.wishes.held is not None,
            crops=self.crops.by_hand,
            sizes=self.layout.sizes,
            variation=self._variation(request),
            captions=self.captions,
            table=request.table,
            colour_by=request.settings.colour_by,
        )

    def _spec(self, request: Request) -> ShapeSpec:
        """The shape as a project stores it; rows and columns that grew with varied sizes are those of the sheet."""
        spec, shape = request.spec_for(len(self.active) + self.layout.covered), self.layout.shape
        if request.vary_sizes and spec.kind == "rectangle":
            spec = replace(spec, rows=shape.rows, columns=shape.columns)
        return with_proportions(spec, self.album)

    def _variation(self, request: Request) -> Variation:
        """How much sizes vary, which photos are larger because of it, and the wanted rows and columns."""
        if not request.vary_sizes:
            return Variation() if self.wishes.held is None else self.wishes.held.variation
        by_hand = chosen_sizes(self.album, request.sizes)
        grid = (request.spec.rows, request.spec.columns) if request.spec.kind == "rectangle" else (0, 0)
        return Variation(request.vary_sizes, frozenset(self.layout.sizes.keys() - by_hand.keys()), *grid)

    @property
    def unshown(self) -> tuple[Skipped, ...]:
        """The photos whose cells are empty."""
        return self.album.without(self.faults).skipped[len(self.album.skipped) :]


def make_sheet(request: Request, bars: Bars) -> Outcome:
    """Read the folder, arrange its photos, and write the sheet if a file for it was named."""
    clock = _Clock()
    with Cache.open() as cache:
        with clock.timed("scan"):
            album = _album_of(request, bars, cache)
            request.check_targets(album)
            album = _with_table(request, album)
            request = replace(request, settings=replace(request.settings, cover=_cover(request, album)))
            stacks = _stacks(album, cache) if request.stack else ()
        request, prepared = _prepare(request, album, stacks)
        with clock.timed("features"), bars(tr("Looking at photos")) as on_progress:
            features, previews = _features_of(request, album, cache, on_progress)
        if remark := rows_remark(album.photos, request.options.features):
            print(f"album-app: {remark}", file=sys.stderr)
        quality = None
        if request.options.choose != "varied" or request.vary_sizes:
            if not request.draft:  # a choice must not depend on whether faces were looked for before
                _look_for_faces(album, clock, bars)
            quality = quality_of(album.photos, cache, least_side=_least_side(prepared.plan))
    pins, word_pins = with_word_pins(prepared.pins, request.pin_words, album, prepared.shape, prepared.active, bars)
    if request.preset:
        pins = with_preset(pins, request.preset, features, prepared.shape, prepared.active)
    if request.timeline and not request.spec.chapters:
        pins = with_timeline(pins, album.photos, features, prepared.shape, prepared.active)
    compared, wishes = blended(features, album.photos, request.options.time_weight), prepared.wishes
    varied = varied_sizes(compared, prepared.active, request.vary_sizes, quality, prepared.sizes)
    with bars(tr("Arranging")) as on_progress:
        layout = arrange(
            compared,
            prepared.shape,
            pins,
            request.options,
            sizes={**varied, **prepared.sizes},
            aspects=album.aspects,
            active=prepared.active,
            always=wishes.always,
            when=moments_for_chapters(request.spec, album.photos),
            warm=wishes.sheet,
            hold=None if wishes.sheet is None else wishes.sheet.filled_cells,
            features_key="" if previews else features_key(request.options.features),
            quality=quality,
            on_step=lambda step: _show(on_progress, step),
        )
    lacking = [album.photos[photo].name for photo in prepared.sizes if photo not in layout.sizes]
    if lacking:
        raise UsageError(tr("{name} finds no room for its size on this sheet.", name=printable(lacking[0])))
    _check_included(request, album, layout)
    crops = _crops(request, album, prepared.crops, bool(previews), clock, bars)
    with bars(tr("Checking photos")) as on_progress:
        faults = render.unreadable_photos(layout, album, on_progress=on_progress)
    complete, files = _can_be_written(request, album, layout, faults), tuple[Path, ...]()
    plan = request.planned(layout.without(faults)) if complete else None
    if plan is not None:
        sheet = _Sheet(layout.without(faults), with_captions(album, prepared.captions), plan, crops, previews)
        files = _write(sheet, request, compared, faults, clock, bars)
    seconds = {**layout.seconds, **clock.seconds}
    return Outcome(
        *(album, features, layout, seconds, faults, prepared.active, prepared.stacks, complete, files, plan),
        *(wishes, crops, prepared.captions, word_pins, len(previews), dict(request.settings.chapter_titles)),
    )


@dataclass(frozen=True, eq=False)
class _Prepared:
    """All that is decided before photos are compared, including what a held project says of its photos."""

    wishes: Wishes
    stacks: tuple[tuple[int, ...], ...]
    captions: Mapping[int, str]
    sizes: Mapping[int, int]
    crops: Mapping[int, HandCrop]  # chosen by hand
    shape: Shape
    plan: render.ExportPlan | None
    pins: Pins
    active: tuple[int, ...]


def _prepare(request: Request, album: Album, stacks: tuple[tuple[int, ...], ...]) -> tuple[Request, _Prepared]:
    """Decide which photos take part and on which cells, and check that the sheet can be written.

    The returned request has the final shape.
    """
    captions = {} if request.captions_file is None else read_captions(request.captions_file, album)
    wishes = wishes_of(album, request.include, request.exclude, request.held)
    sizes, crops, held = chosen_sizes(album, request.sizes), chosen_crops(album, request.foci), wishes.held
    if held is not None:
        stacks, captions = stacks or held.stacks, {**held.captions, **captions}
        sizes, crops = {**held.sizes, **sizes}, {**held.crops, **crops}
    out = ({photo for stack in stacks for photo in stack[1:]} - wishes.always) | wishes.excluded
    if len(out) >= len(album):
        raise UsageError(tr("--exclude leaves no photo."))
    count = len(album) - len(out) + sum(size**2 - 1 for size in sizes.values())
    count += cells_added(len(album) - len(out), request.vary_sizes)
    request = _with_room(request, count, len(album) - len(out))
    spec = with_proportions(request.spec_for(count), album)
    shape = build_shape(spec, count) if held is None else held.shape
    _check_chapters(request.settings, shape)
    plan = request.planned(shape)
    for file in plan.files if plan is not None else ():
        refuse_foreign(file, SHEET, replacing(album, request.force))
    pins = chosen_pins(album, shape, request.pins, request.pins_file)
    for photo, cell in held.pins.items() if held is not None else ():
        if photo not in pins and pins.at(cell) is None:
            pins = pins.pin(photo, cell)
    active = all_but(len(album), out - pins.keys())
    return request, _Prepared(wishes, stacks, captions, sizes, crops, shape, plan, pins, active)


Previews = dict[int, NDArray[np.uint8]]
"""The previews from which a draft is made, by photo."""


def _features_of(
    request: Request, album: Album, cache: Cache, on_progress: OnProgress | None
) -> tuple[NDArray[np.float32], Previews]:
    """The features of all photos, and for a draft the previews from which they were computed."""
    if request.draft:
        draft = draft_of(album.photos, request.options.features, cache, on_progress=on_progress)
        return draft.features, draft.pixels
    return album_features(album.photos, request.options.features, cache, on_progress=on_progress), {}


def _crops(
    request: Request, album: Album, by_hand: Mapping[int, HandCrop], is_draft: bool, clock: "_Clock", bars: Bars
) -> Crops:
    """The crops: chosen by hand, or around the faces of photos if crops are to keep faces."""
    if request.output is None or request.crop != "focus" or request.settings.fit == "whole" or is_draft:
        return Crops(by_hand, centred=request.crop == "centre")
    return Crops(by_hand, dict(enumerate(_look_for_faces(album, clock, bars))))


def _look_for_faces(album: Album, clock: "_Clock", bars: Bars) -> list[Focus]:
    with clock.timed("focus"), bars(tr("Looking for faces")) as on_progress:
        return focus_of(album.photos, on_progress=on_progress)


class _Sheet(NamedTuple):
    """A sheet that is to be drawn."""

    layout: Layout
    album: Album  # with captions
    plan: render.ExportPlan
    crops: Crops
    previews: Previews


def _write(
    sheet: _Sheet,
    request: Request,
    compared: NDArray[np.float32],
    faults: dict[int, Undecodable],
    clock: "_Clock",
    bars: Bars,
) -> tuple[Path, ...]:
    """Write the files of a sheet; photos that can no longer be read are added to `faults`."""
    tell_unprintable(sheet.layout, sheet.album, request.settings)
    before = _before(request, compared, sheet.layout, bars)
    names: Sequence[Label] = ()
    if request.settings.region_names and sheet.plan.kind.to_look_around:
        with bars(tr("Naming regions")) as on_progress:
            names = named_regions(sheet.layout, sheet.album.photos, sheet.crops.foci, on_progress=on_progress)
    with clock.timed("render"), bars(tr("Drawing the sheet")) as on_progress:
        return render.export(
            sheet.layout,
            sheet.album,
            sheet.plan,
            crops=sheet.crops,
            instead=sheet.previews,
            on_progress=on_progress,
            on_missing=faults.__setitem__,
            before=before,
            agreed=request.force,
            region_names=names,
        )


def _with_table(request: Request, album: Album) -> Album:
    """The album with the values of the table; a UsageError if a named column does not exist."""
    if request.table is not None and not request.table.is_missing:
        matched = match(request.table, album)
        remark = matched.remark(len(album))
        if remark:
            print(f"album-app: {remark}", file=sys.stderr)
        album = with_table(album, request.table, matched)
    filters = (word.strip() for word in request.settings.filters.split(","))
    named = [word for word in (request.settings.colour_by, *filters) if word and word != "all"]
    facets = facets_of(album.photos) if named else {}
    for word in named:
        facet_named(facets, word)
    return album


def _check_included(request: Request, album: Album, layout: Layout) -> None:
    """Refuse a sheet without room for photos that must be shown."""
    lacking = sorted(named_photos(album, request.include) - set(layout.shown))
    if lacking:
        raise UsageError(
            trn(
                "{count} photo that is to be included finds no room on this sheet: {name}.",
                "{count} photos that are to be included find no room on this sheet; the first is {name}.",
                len(lacking),
                name=printable(album.photos[lacking[0]].name),
            )
        )


def _with_room(request: Request, count: int, photos: int) -> Request:
    """The request, with more rows and columns if these had room for all photos but not for varied sizes."""
    spec = request.spec
    if not request.vary_sizes or spec.kind != "rectangle" or spec.rows * spec.columns < photos:
        return request
    rows, columns = grown(spec.rows, spec.columns, count)
    return replace(request, spec=replace(spec, rows=rows, columns=columns))


def _check_chapters(settings: render.RenderSettings, shape: Shape) -> None:
    """Refuse titles of chapters for pages that the book does not have."""
    last = 0 if shape.pages is None else shape.pages.count
    for page, text in settings.chapter_titles:
        if last and page >= last:
            words = mark("There is no page {page} for the chapter “{title}”: pages go from 1 to {last}.")
            raise UsageError(tr(words, page=page + 1, title=printable(text), last=last))


def _cover(request: Request, album: Album) -> str:
    """The picture on a book's cover; a held project may name a photo that no longer exists, which drawing allows."""
    cover = request.settings.cover
    return cover if request.held is not None and cover == request.held.cover else chosen_cover(album, cover)


def tell_unprintable(layout: Layout, album: Album, settings: render.RenderSettings) -> None:
    """Report letters that no font has, and that the sheet will therefore lack."""
    letters = render.unprintable_letters(layout, album, settings)
    if letters:
        print(f"album-app: {render.unprintable_words(letters)}", file=sys.stderr)


def _album_of(request: Request, bars: Bars, cache: Cache) -> Album:
    """The photos of the folder, or of the project that was named instead."""
    if request.held is not None and request.is_project:
        return request.held.album
    return read_album(request.folder, bars, cache, [*request.targets, *request.earlier], decodes=not request.draft)


def _least_side(plan: render.ExportPlan | None) -> float:
    """The pixels that a photo's shorter side needs to be printed well; 0 without paper."""
    if plan is None or not plan.settings.paper:
        return 0.0
    return plan.page.tile * COARSE_DPI / plan.page.dpi


def _stacks(album: Album, cache: Cache) -> tuple[tuple[int, ...], ...]:
    return tuple(near_duplicates(album, cache).groups)


def _before(request: Request, features: NDArray[np.float32], layout: Layout, bars: Bars) -> Sequence[Layout]:
    """The layouts through which an animation glides to this one."""
    if not request.animate:
        return ()
    with bars(tr("Arranging step by step")) as on_progress:
        return story(features, layout, request.options, on_progress=on_progress)


def _can_be_written(request: Request, album: Album, layout: Layout, faults: Mapping[int, Undecodable]) -> bool:
    """Whether any photo can be shown, and with `strict` whether all of them can."""
    lost = bool(faults) or any(item.fault != "unsupported" for item in album.skipped)
    return len(faults) < len(layout.shown) and not (request.strict and lost)


def _show(on_progress: Bar, step: Layout) -> None:
    on_progress(STAGES.index(step.stage) + 1, len(STAGES))


class _Clock:
    """Adds up the seconds of named steps."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
